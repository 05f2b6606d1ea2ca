"""The parts of an order text: each clause says one thing and may stand anywhere after the verb."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data
from pbem.engine.egizia.grammar import shown
from pbem.engine.egizia.orders import Also
from pbem.engine.text.notation import Names, whole

CREWS: Final = Names(N_("crew"), data.CREW_SPELLINGS)
PLACES: Final = Names(N_("river space"), data.PLACE_SPELLINGS)
CARDS: Final = Names(N_("card to use"), data.USING_SPELLINGS)
PARTS: Final = Names(N_("part of the Temple"), data.PART_SPELLINGS)
SITES: Final = Names(N_("site"), {name: data.PLACE_SPELLINGS[name] for name in data.SITE_NAMES})
_LEFT: Final = "left|sinistra|gauche"
_RIGHT: Final = "right|destra|droite"
_TURNS: Final = f"{_LEFT}|{_RIGHT}|stay|resta|reste"
_RINGS: Final = "(?:ring|anello|anneau)"
_AND: Final = r" and | e | et |&"


class Parts(msgspec.Struct):
    """What the clauses of one order said."""

    crews: list[str] = []
    rings: list[str] = []
    slot: int = -1
    """0 for the queue; -1 if nothing was said."""
    workers: list[str] = []
    means: str = ""
    """The `with` clause as written, for verbs that don't work with crews."""
    using: list[str] = []
    market: str = ""
    order: list[str] = []
    obelisk: list[int] = []
    next_obelisk: int = 0
    graves: int = 0
    most: int = 0
    """As much as can be built, up to this many stones."""
    least: int = 0
    rows: list[int] = []
    stacks: list[str] = []
    entablature: list[int] = []
    improve: list[str] = []
    trade: list[str] = []
    field: list[str] = []
    sell: int = 0
    move: list[tuple[str, int]] = []

    def also(self) -> Also:
        """The riders, in canonical order."""
        rank = data.CREWS.index
        return Also(
            tuple(sorted(self.improve, key=rank)),
            tuple(sorted(self.trade, key=rank)),
            tuple(self.field),
            self.sell,
            tuple(self.move),
        )


def clauses_of(text: str) -> list[str]:
    """The clauses of a folded text: what stands between commas, before `with` and `using`, and before a ring's turn."""
    text = re.sub(rf" (?=(?:with|using|usando|con|avec|en utilisant) |{_RINGS} (?:{_TURNS})\b)", ",", text)
    return [clause.strip() for clause in text.split(",") if clause.strip()]


def card_id(word: str) -> str:
    """A card's id as printed: `a5` is A05."""
    found = re.fullmatch(r"([a-z])(\d)", word)
    return f"{found[1]}0{found[2]}".upper() if found else word.upper()


def crew_list(text: str) -> list[str]:
    """The crews in `blue + joker`, `blue and black` or `blue twice`. Raises InvalidOrder at another name."""
    words = [word for word in re.split(rf"[+/ ]+|{_AND}", text) if word not in {"", "and", "e", "et", "crew"}]
    doubled = bool(words) and words[-1] in {"twice", "x2"}
    crews = [CREWS.read(word) for word in words[: len(words) - doubled]]
    return crews * 2 if doubled else crews


def _numbers(text: str, what: str) -> list[int]:
    """`1-3`, `1+2+2` or `2 x3` as numbers."""
    span = re.fullmatch(r"(-?\d{1,6}) ?- ?(-?\d{1,6})", text)
    if span:
        low, high = sorted((int(span[1]), int(span[2])))
        return [*range(low, min(high, low + data.RIVER)), high]
    times = re.fullmatch(r"(\d{1,3}) ?x ?(\d{1,2})", text)
    if times:
        return [int(times[1])] * _times(times[2])
    return [whole(word, what) for word in re.split(rf"[+ ]+|{_AND}", text) if word]


_NEVER: Final = N_("0 times is nothing: name how many you build, or leave it out.")


def _crew(parts: Parts, found: re.Match[str]) -> None:
    parts.crews += crew_list(found[1])


def _ring(parts: Parts, found: re.Match[str]) -> None:
    if found[1]:
        parts.rings.append("left")
    elif found[2]:
        parts.rings.append("right")


def _slot(parts: Parts, found: re.Match[str]) -> None:
    parts.slot = whole(found[1], N_("a slot"))


def _queue(parts: Parts, _found: re.Match[str]) -> None:
    parts.slot = 0


def _with(parts: Parts, found: re.Match[str]) -> None:
    parts.means = found[1]


def _using(parts: Parts, found: re.Match[str]) -> None:
    parts.using += [CARDS.read(word.strip()) for word in re.split(_AND, found[1])]


def _market(parts: Parts, found: re.Match[str]) -> None:
    parts.market = "stone" if found[1] else "grain"


def _order(parts: Parts, found: re.Match[str]) -> None:
    parts.order = [card_id(word) for word in found[1].split()]


def _obelisk(parts: Parts, found: re.Match[str]) -> None:
    parts.obelisk += _numbers(found[1], "an Obelisk space")


def _times(*words: str | None) -> int:
    """How often, said before or behind a thing; once if nothing is said. Raises InvalidOrder for never."""
    times = int(next((word for word in words if word), "1"))
    if not times:
        raise InvalidOrder(Message(_NEVER, {}))
    return times


def _next_obelisk(parts: Parts, found: re.Match[str]) -> None:
    parts.next_obelisk += _times(found[1], found[2])


def _graves(parts: Parts, found: re.Match[str]) -> None:
    parts.graves += _times(found[1], found[2])


def _most(parts: Parts, found: re.Match[str]) -> None:
    parts.most = int(found[1])
    parts.least = int(found[2] or 0)


def _rows(parts: Parts, found: re.Match[str]) -> None:
    parts.rows += _numbers(found[1], "a Pyramid row")


def _entablature(parts: Parts, found: re.Match[str]) -> None:
    parts.entablature += _numbers(found[1], "a space of the entablature")


def _stack(parts: Parts, found: re.Match[str]) -> None:
    parts.stacks += [PARTS.read(found[1])] * _times(found[2])


def _improve(parts: Parts, found: re.Match[str]) -> None:
    parts.improve.append(CREWS.read(found[1]))


def _trade(parts: Parts, found: re.Match[str]) -> None:
    parts.trade.append(CREWS.read(found[1]))


def _field(parts: Parts, found: re.Match[str]) -> None:
    parts.field.append(card_id(found[1]))


def _sell(parts: Parts, found: re.Match[str]) -> None:
    parts.sell += int(found[1])


def _move(parts: Parts, found: re.Match[str]) -> None:
    parts.move.append((SITES.read(found[1]), int(found[2])))


Reader = Callable[[Parts, "re.Match[str]"], None]
_STACK_NAMES: Final = "|".join(
    sorted((re.escape(name) for name in PARTS.spellings() if "entabl" not in name and "trab" not in name), key=len)[
        ::-1
    ]
)
CLAUSES: Final[tuple[tuple[str, str, Reader], ...]] = (
    ("improve", r"(?:improve )?(?:field|campo|champ) ([a-z0-9_-]+)", _field),
    ("improve", r"improve (?:crew )?([a-z]+)(?: crew)?", _improve),
    ("trade", r"(?:two|2) stones (?:for )?(?:crew )?([a-z]+)", _trade),
    ("sell", r"(?:sell|vendi|vendo|vends) (\d{1,3})(?: stones?| pietre| pierres)?", _sell),
    ("move", r"move ([a-z/ ]+?)(?: to)?(?: slot)? (\d{1,2})", _move),
    ("crew", r"(?:crews?|squadra|equipe) (.+)", _crew),
    ("ring", rf"{_RINGS} (?:({_LEFT})|({_RIGHT})|stay|resta|reste)", _ring),
    ("slot", r"(?:slot|posto) (\d+)", _slot),
    ("queue", r"queue|coda|file|in coda", _queue),
    ("with", r"(?:with|con|avec) (.+)", _with),
    ("using", r"(?:using|usando|en utilisant) (.+)", _using),
    (
        "market",
        r"(?:(stone|mercato pietre|cava|marche de pierres?)|grain|mercato cereali|marche de grain)(?: market)?",
        _market,
    ),
    ("order", r"(?:order|ordine|ordre) (.+)", _order),
    ("obelisk", r"(?:obelisk|obelisco|obelisque) (-?\d[\d+ -]*)", _obelisk),
    ("obelisk", r"(?:(\d{1,2}) )?(?:obelisk|obelisco|obelisque)(?: ?x ?(\d{1,2}))?", _next_obelisk),
    ("graves", r"(?:(\d{1,2}) )?(?:graves?|tomb[ae]|tombes?)(?: ?x? ?(\d{1,2}))?", _graves),
    ("most", r"(?:up to|fino a|jusqu ?a) (\d{1,3})(?: stones| pietre| pierres)?(?: at least (\d{1,3}))?", _most),
    ("pyramid", r"(?:pyramid|piramide|pyramide)(?: row)? (-?\d[\dx+ -]*)", _rows),
    ("entablature", r"(?:temple |tempio )?(?:entablature|trabeazione|entablement) (-?\d[\d+ -]*)", _entablature),
    ("stack", rf"(?:temple |tempio )?({_STACK_NAMES})(?: ?x ?(\d))?", _stack),
)
"""The clauses by name and shape, tried in this order over folded text."""

_UNREADABLE: Final = N_("I can't read {clause!r}. Here one can write: {syntax}.")
_TWICE: Final = N_("`{clause}` is said twice in this order: say it once.")
_ONCE: Final = {"with": "with", "market": "market", "order": "order", "slot": "slot", "queue": "slot"}
"""Clauses of which an order has one at most: of two the player means only one, and we don't know which."""


def read_clauses(clauses: list[str], kind: str) -> tuple[Parts, list[str]]:
    """What `clauses` say, and the names of those found. Raises InvalidOrder, showing the forms that answer `kind`."""
    parts = Parts()
    names = [_read_clause(parts, clause, kind) for clause in clauses]
    once = [_ONCE[name] for name in names if name in _ONCE]
    twice = [name for name in dict.fromkeys(once) if once.count(name) > 1]
    if twice:
        raise InvalidOrder(*(Message(_TWICE, {"clause": name}) for name in twice))
    return parts, names


def _read_clause(parts: Parts, clause: str, kind: str) -> str:
    for name, pattern, reader in CLAUSES:
        found = re.fullmatch(pattern, clause)
        if found:
            reader(parts, found)
            return name
    if CARDS.find(clause):
        parts.using.append(CARDS.read(clause))
        return "using"
    raise InvalidOrder(Message(_UNREADABLE, {"clause": clause[:60], "syntax": shown(kind)}))
