"""Boards in words are true: each figure of the text board, the alternative text and the titles is the state's.

All are read back, over recorded games, and compared with figures that are taken from the state by other ways. What is
left of a text once everything known is read out of it fails, so a new sentence or sign wants its figure here.
"""

from __future__ import annotations

import html
import importlib
import re
from collections import defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from pbem import pictures
from pbem.engine import replay
from pbem.engine.amunre import data as amunre
from pbem.engine.core import records
from pbem.engine.egizia import data as egizia
from pbem.engine.egizia.cards import has_value
from pbem.engine.priestsofra import data as priests
from pbem.engine.priestsofra.state import BID, OVER, suns_of
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import Translator
from tests.engine.test_records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

SEATS = "ABCDE"
"""What people are called, so that a name and a letter are the same."""
EVERY = 9
"""Each so manieth position is read, and the last."""
DRAWN = 3 * EVERY
"""Each so manieth is drawn for its titles."""
Figures: TypeAlias = "dict[tuple[str, str], list[str]]"
"""By whose (a seat, a place, "" for the table) and of what; nought and nothing are left out."""


SAME = {"by camel": "k", "first player": "*"}
"""What stands in a sentence for a sign."""


_APART = re.compile(
    r"(?<=\d) +(?=\d|[A-E]\b|[A-E]\d)|(?<![a-z] [A-E])(?<=\b[A-E]) +(?=\d)|(?<=[A-E?]) *(?=[A-E?](?![a-z]))"
)
"""Between what stands side by side: numbers, seats, and a seat and a number."""


def items(value: str) -> list[str]:
    """What a list in words or signs names, in the order of the alphabet; neither nought nor nothing."""
    apart = _APART.sub(",", value.replace(": ", " "))
    parts = (" ".join(part.split()) for part in re.split(r"[,.()\[\]\n]|\band\b", apart))
    several = (part.partition(" \N{MULTIPLICATION SIGN}") for part in parts if part not in {"", "0"})
    return sorted(SAME.get(name, name) for name, _, times in several for _ in range(int(times or 1)))


def due(pairs: Iterable[tuple[str, str, object]]) -> Figures:
    """Figures of a state, as they are read."""
    found = {(whose, what): items(str(value)) for whose, what, value in pairs}
    return {key: value for key, value in found.items() if value}


def read(text: str, patterns: Iterable[str]) -> tuple[Figures, str]:
    """Return what these patterns find, a figure for each group, and what is left of the text."""
    found: Figures = defaultdict(list)
    for pattern in patterns:
        for one in re.finditer(pattern, text, re.MULTILINE):
            for what, value in one.groupdict().items():
                if what != "whose":
                    found[one.groupdict().get("whose", ""), what] += items(value or "")
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    return {key: sorted(value) for key, value in found.items() if value}, text.strip()


def _amun_re(state: Any) -> Iterator[tuple[str, str, object]]:
    board, counts = state.board, state.options.hand_counts == "public"
    yield from (("", "temple", state.temple), ("", "total", state.total if max(state.offers) >= 0 else ""))
    yield from (("", "pile", sum(state.discard)), ("", "deck", sum(state.deck) + len(state.top)))
    for p, name in enumerate(amunre.PROVINCES):
        up = p in state.shown
        yield name, "owner", SEATS[state.owner[p]] if state.owner[p] >= 0 and not up else ""
        yield name, "farmers", state.farmers[p] + state.ground[p] + board.printed_farmers[p]
        for what in PRINTED:
            yield name, what, getattr(board, what)[p]
        yield from ((name, "camel", "k" if board.camel[p] and board.income[p] else ""), (name, "up", ">" if up else ""))
        yield from ((name, "stones", state.stones[p]), (name, "pyramids", state.pyramids[p]))
        yield name, "gold", board.bonus_gold[p] if up else ""
        yield name, "cards", len(state.buried[state.shown.index(p)]) if up else ""
        for seat in range(state.seats):
            if state.at[seat] == p and up:
                yield from ((name, "bidder", SEATS[seat]), (name, "bid", amunre.PRICES[state.bids[seat]]))
    for seat in range(state.seats):
        yield SEATS[seat], "points", state.points[seat]
        yield SEATS[seat], "gold", state.gold[seat] if state.options.gold == "public" else ""
        yield SEATS[seat], "cards", sum(state.hands[seat]) if counts else ""
        yield SEATS[seat], "offer", {-1: "", 0: "theft"}.get(state.offers[seat], f"offered {state.offers[seat]}")
        yield SEATS[seat], "first", "*" if state.first == seat else ""


PRINTED = ("fields", "card_limit", "income", "temples")
_PURSE = (
    r"(?P<points>-?\d+) points?(?:, (?P<gold>\d+) gold)?(?:, (?P<cards>\d+) cards?)?"
    r"(?:, (?P<offer>offered \d+|theft))?(?:, place (?P<place>\d))?"
)
AMUN_RE_TEXT = (
    r"\A.*\n",
    r"^The temple stands beside its track\. |^Temple on space (?P<temple>\d)\. ",
    r"^Offerings: (?P<total>-?\d+)\. ",
    r"^Deck (?P<deck>\d+), discard pile (?P<pile>\d+)\.$",
    r"^(?:Lower|Upper) Egypt, (?:West|East) bank$",
    (
        r"^ (?:(?P<up>>)|(?P<owner>[A-E])| ) \(?(?P<whose>[A-Z][a-z]+)\)? *~? +f (?P<farmers>\d+)/(?P<fields>\d+) +"
        r"s (?P<stones>\d+) p (?P<pyramids>\d+) c (?P<card_limit>\d+)(?: i (?P<income>\d+)(?P<camel>k)?"
        r"| t (?P<temples>\d+))? *(?:\[(?:(?P<bidder>[A-E]) (?P<bid>\d+)|-) \| \d+\.\.\](?: \+(?P<gold>\d+)g)?"
        r"(?: \+(?P<cards>\d+)c)?)?$"
    ),
    r"^[> ](?P<whose>[A-E])(?:(?P<first>\*)| )(?P=whose) +" + _PURSE + "$",
)
AMUN_RE_ALT = (
    r"\A[^.]*\.",
    r"The temple stands beside its track\.|Temple on space (?P<temple>\d)\.",
    r"Offerings: (?P<total>-?\d+)\.",
    (
        r"\b(?P<whose>[A-Z][a-z]+): (?:(?P<bidder>[A-E]) bids (?P<bid>\d+), next from \d+|up for auction, no bid|"
        r"(?P<owner>[A-E])|nobody's)\."
        r"(?: Farmers (?P<farmers>\d+), stones (?P<stones>\d+), pyramids (?P<pyramids>\d+)\.)?"
        r" Fields (?P<fields>\d+), card limit (?P<card_limit>\d+)(?:, income (?P<camel>by camel )?(?P<income>\d+)"
        r"|, temples (?P<temples>\d+))?\.(?: Bonus: (?:(?P<gold>\d+) gold)?(?:, )?(?:(?P<cards>\d+) cards?)?\.)?"
    ),
    r"\b(?P<whose>[A-E]): " + _PURSE + r"(?:, (?P<first>first player))?\.",
)


AMUN_RE_TITLES = (
    r"^The map of Amun-Re$",
    r"^no offerings yet$",
    *AMUN_RE_ALT[1:3],
    r"^deck (?P<deck>\d+), pile (?P<pile>\d+)$",
    r"^Bid (?P<price>\d+) on (?P<whose>\w+)$",
    AMUN_RE_ALT[3].replace("nobody's", "nobody's|not in this game"),
    r" Not confirmed: [^\n]+\.$",
    r"^(?P<whose>[A-E]): (?P<points>-?\d+) points?$",
)


def _amun_re_titles(state: Any) -> Iterator[tuple[str, str, object]]:
    for p in state.shown:  # the next two prices
        here = (state.bids[seat] + state.blocks[seat] for seat in range(state.seats) if state.at[seat] == p)
        least = 1 + max(here, default=-1)
        yield amunre.PROVINCES[p], "price", ", ".join(map(str, amunre.PRICES[least : least + 2]))
    yield from ((seat, what, "") for seat in SEATS for what in ("gold", "cards"))  # a province's are told, no purse


def _priests(state: Any) -> Iterator[tuple[str, str, object]]:
    yield from (("", "ra", state.ra), ("", "track", "#" * state.ra), ("", "spaces", priests.RA_SPACES[state.seats]))
    yield from (("", "bag", sum(state.bag)), ("", "lot", len(state.lot)), ("", "centre", state.centre))
    yield "", "faces", ", ".join(priests.named(state.lot))
    yield "", "drawn", priests.TILES[state.drawn] if state.drawn else ""
    if state.phase == BID:
        yield from (("", "turn", SEATS[state.turn]), ("", "best", state.best))
        yield "", "bidder", SEATS[state.best_by] if state.best else ""
    for seat in range(state.seats):
        yield SEATS[seat], "points", "" if state.hide_scores and state.phase != OVER else state.points[seat]
        yield SEATS[seat], "ankhs", state.ankhs[seat]
        for what, suns in (("up", state.up[seat]), ("down", state.down[seat])):
            yield SEATS[seat], what, ", ".join(map(str, suns_of(suns)))
        counted = zip(priests.FACES, state.display[seat], strict=True)
        yield SEATS[seat], "tiles", ", ".join(f"{face} {count}" for face, count in counted if count)


_AUCTION = (
    r"(?P<turn>[A-E]) (?:called Ra|had to call Ra: the lot was full|drew Ra)\."
    r"(?: (?P<bidder>[A-E]) bids (?P<best>\d+)\.)?"
)
PRIESTS_TEXT = (
    r"\A[A-Z ]+   \[(?P<track>#*)\.*\] Ra: (?P<ra>\d+) of (?P<spaces>\d+)   (?P<bag>\d+) in the bag$",
    r"^Lot: (?P<lot>\d+) of 8   Sun (?P<centre>\d+) in the centre$",
    r"^  (?P<faces>(?:\[[a-zA-Z ]+\] *)+)$",
    f"^{_AUCTION}$",
    r"^Drawn: (?P<drawn>.+)$",
    (
        r"^[> ](?P<whose>[A-E]) (?P=whose) +(?:(?P<points>-?\d+)|\?) points?, (?P<ankhs>\d+) ankhs?   "
        r"(?P<up>(?:\(\d+\) ?)*)(?:/ )?(?P<down>(?:\d+ ?)*)(?P<tiles>(?:\n    (?:[a-zA-Z ]+ \d+(?:, )?)+)*)$"
    ),
)
PRIESTS_ALT = (
    r"\A[^,]+, Ra track (?P<ra>\d+) of (?P<spaces>\d+), sun (?P<centre>\d+) in the centre\.",
    r"The lot: (?P<faces>[^.]+)\.|The lot is empty\.",
    _AUCTION,
    r"Drawn: (?P<drawn>[^.]+)\.",
    (
        r"\b(?P<whose>[A-E]): (?:(?P<points>-?\d+) points?, )?(?P<ankhs>\d+) ankhs?\. "
        r"(?:Suns face up: (?P<up>[^.]+)|No sun face up)\."
        r"(?: Suns face down: (?P<down>[^.]+)\.)?(?P<tiles>(?: [a-z][a-zA-Z ]*: \d+\.)*)"
    ),
)


PRIESTS_TITLES = (
    r"^The table of Priests of Ra$",
    r"^(?P<bag>\d+) in the bag$",
    r"^Ra track, space (?P<space>\d+)$",
    r"^Sun (?P<sun>\d+) in the centre$",
    r"^Empty space (?P<empty>\d+) of the lot$",
    r"^(?P<whose>[A-E]): Sun (?:(?P<up>\d+), face up|(?P<down>\d+), face down)$",
    r"^(?P<whose>[A-E]): (?P<ankhs>\d+) ankhs?$",
    r"^(?P<whose>[A-E]): Pyramid: (?P<blocks>\d+) tiles?$",
    r"^[A-E]: [a-z]+(?: [A-E])?: 0$",
    r"^(?P<whose>[A-E]): (?P<tiles>[a-z]+(?: [A-E])?: \d+)$",
    r"^(?P<faces>[a-z]+(?: [A-E])?)$",
    r"^[A-E]$",
)


def _priests_titles(state: Any) -> Iterator[tuple[str, str, object]]:
    yield "", "space", ", ".join(map(str, range(1, priests.RA_SPACES[state.seats] + 1)))
    yield "", "sun", f"{state.centre}, {state.centre}"
    drawn = priests.TILES[state.drawn].split("/") if state.drawn else ()  # lies beside the lot, by both its faces
    yield "", "faces", ", ".join((*priests.named(state.lot), *drawn))
    yield "", "empty", ", ".join(map(str, range(len(state.lot) + 1, 9)))
    for seat, tiles in enumerate(state.display):
        blocks = (count for face, count in zip(priests.FACES, tiles, strict=True) if re.match("pyramid|chamber", face))
        yield SEATS[seat], "blocks", sum(blocks)


def _egizia(state: Any) -> Iterator[tuple[str, str, object]]:
    t = state.t
    yield "", "river", ", ".join(_card(t, card) for card in state.cards if card >= 0)
    for space, name in enumerate(t.space_name):
        here = [SEATS[seat] for seat, fleet in enumerate(state.fleet) for at in fleet if at == space]
        if t.kind[space] != egizia.SITE:
            yield name or f"card space {t.card_spaces.index(space) + 1}", "here", " ".join(here)
    for site, name in enumerate(egizia.SITE_NAMES):
        slots = " ".join(SEATS[seat] for seat in state.slots[site] if seat >= 0)
        queue = " ".join(SEATS[seat] for seat in state.queue[site])
        yield from ((name, "slots", slots), (name, "queue", queue), (name, "at", f"{slots} {queue}"))
    yield from (
        ("", "waters", ", ".join(egizia.COLOURS[: state.ring + 1])),
        ("", "ring", egizia.RING_NAMES[state.ring]),
    )
    tower = _stones(state.obelisk, t.obelisk).replace(" ", "", max(len(state.obelisk) - 1, 0))
    yield from (("", "obelisk", tower), ("", "obelisks", len(state.obelisk)))
    yield "", "taken", ", ".join(f"{SEATS[who]}{value}" for who, value in zip(state.dug_by, state.dug, strict=True))
    yield from (("", "graves", len(state.dug)), ("", "open", ", ".join(map(str, state.graves_open))))
    yield "", "closed", "?" * (t.parts.grave_spaces - len(state.dug) - len(state.graves_open))
    names, rows = (*"123456", *egizia.PARTS), zip((*state.pyramid, *state.temple), (*t.rows, *t.temple), strict=True)
    yield from ((name, "row", _stones(*row)) for name, row in zip(names, rows, strict=True))
    yield from (("", "pyramids", sum(map(len, state.pyramid))), ("", "temples", _built(state.temple)))
    for seat in range(state.players):
        yield from ((SEATS[seat], what, value) for what, value in _of_seat(state, t, seat))


def _stones(owners: Sequence[int], values: Sequence[int]) -> str:
    """Who owns each space, or what a free one is worth."""
    pairs = zip_longest(owners, values, fillvalue=-1)
    return " ".join(SEATS[seat] if seat >= 0 else str(value) for seat, value in pairs)


def _built(parts: Iterable[Sequence[int]]) -> int:
    return sum(owner >= 0 for part in parts for owner in part)


def _of_seat(state: Any, t: Any, seat: int) -> Iterator[tuple[str, object]]:
    yield from (("points", state.score[seat]), ("stones", state.stones[seat]), ("sphinx", len(state.kept[seat])))
    yield "ships", 0 if state.passed >> seat & 1 else egizia.SHIPS - len(state.fleet[seat])
    yield from (("stone_market", state.stone_at[seat]), ("grain_market", state.grain_at[seat]))
    for crew, name in enumerate(egizia.CREWS):
        yield name, f"{state.crews[4 * seat + crew]}{' tired' * (state.tired[seat] >> crew & 1)}"
    yield "quarry", t.parts.start_quarry + sum(t.value[card] for card in state.quarries[seat])
    own = [value for who, value in zip(state.dug_by, state.dug, strict=True) if who == seat]
    own += [t.value[card] for card in state.permanents[seat] if t.power[card] == egizia.GRAVES_8]
    yield "dug", sum(own)
    fields = [(t.names[one], t.colour[one] - state.laid[seat].count(one), t.value[one]) for one in state.fields[seat]]
    yield "fields", ", ".join(f"{name} {egizia.COLOURS[colour]} {value}" for name, colour, value in fields)
    used = [card for card in state.permanents[seat] if card not in state.ready[seat]]
    cards = [*(_card(t, card) for card in state.ready[seat]), *(f"used {_card(t, card)}" for card in used)]
    yield "cards", ", ".join(cards)


def _card(t: Any, card: int) -> str:
    return f"{t.what[card]} {t.value[card]}" if has_value(t, card) else t.what[card]


def _spelled(text: str) -> str:
    """A text of Egizia with its brackets in words, and where the markers stand in the markets."""

    def places(line: re.Match[str]) -> str:
        cells = enumerate(re.findall(r"\[([^]]*)]", line[2]))
        return "\n".join(
            f"{seat}: {line[1].lower()} {place}" for place, cell in cells for seat in re.findall("[A-D]", cell)
        )

    text = re.sub(r"\b(blue|black|yellow|joker) \((\d+)\)", r"\1 \2 tired", text)
    text = re.sub(r"\n      (?=\S)", " ", text)
    text = re.sub(r"\(([a-z][^,;\n]*)\)(?=[,.\n]| and)", r"used \1", text)
    return re.sub(r"^(Stone market|Grain market): (\[.*)$", places, text, flags=re.MULTILINE)


_CREWS = ", ".join(rf"{name} (?P<{name}>\d+(?: tired)?)" for name in ("blue", "black", "yellow", "joker"))
_MEANS = (
    r"(?P<points>-?\d+) points?, (?P<stones>\d+) stones?, (?P<ships>\d+) ships?, (?P<sphinx>\d+) Sphinx",
    _CREWS,
    r"grain \d+ of \d+, quarry (?P<quarry>\d+), graves (?P<dug>\d+)",
)
_LIES = r"(?:no cards|(?:fields: (?P<fields>[^;\n]+?))?(?:; )?(?:cards: (?P<cards>[^;\n]+?))?)"
EGIZIA_TEXT = (
    r"\A.*\n",
    r"^ *\d+ == (?P<whose>\w+) (?P<slots>(?:\[[A-D.]\] ?)+)(?:< (?P<queue>[A-D ]+))?$",
    r"^ *\d+ (?:o|-)  (?P<whose>Beni Hasan|card space \d+|\w+)(?: \((?P<here>[A-D ]+)\))?$",
    r"^ *\d+ [A-C]\d+ (?P<river>.+)$",
    r"^Stones by owner's letter, free spaces by value\.$",
    r"^Obelisk: (?P<obelisk>[A-D\d ]*)$",
    r"^Graves: (?P<taken>(?:[A-D]\d+ )*) ?\((?P<open>[\d ]*)\) ?(?P<closed>[? ]*)$",
    r"^(?:Pyramid|Temple):$",
    r"^  (?P<whose>[1-6]|(?:left|right) (?:pylon|column)|entablature):? +(?P<row>[A-D\d ]+)$",
    r"^(?P<whose>[A-D]): (?:stone market (?P<stone_market>\d+)|grain market (?P<grain_market>\d+))$",
    r"^Water ring: (?P<ring>\w+); waters: (?P<waters>.+)$",
    r"^[> ](?P<whose>[A-D]) (?P=whose) +" + r"\n    ".join(_MEANS) + rf"\n    {_LIES}$",
)
EGIZIA_ALT = (
    r"\A[^.]*\.",
    r"On the river lie: (?P<river>[^.]+)\.",
    r"No source confirms what these print: [^.]+\.",
    r"At (?P<whose>Sphinx|Obelisk|Pyramid): (?P<at>[^.]+)\.",
    r"At (?P<whose>[\w ]+): (?P<here>[^.]+)\.",
    r"The water ring waters (?P<waters>[^.]+)\.",
    r"Built: Obelisk (?P<obelisks>\d+), graves (?P<graves>\d+), Pyramid (?P<pyramids>\d+), Temple (?P<temples>\d+)\.",
    r"Open graves: (?P<open>[^.]+)\.",
    r"\b(?P<whose>[A-D]): " + "; ".join(_MEANS) + r"; stone market (?P<stone_market>\d+) of \d+,"
    rf" grain market (?P<grain_market>\d+) of \d+; {_LIES}\.(?= |$)",
    r"\(2\) a crew that has worked this round, \(name\) a used card\.",
)
EGIZIA_TITLES = (
    r"^Card space \d+(?:: (?P<river>.+)|, empty)$",
    r"^(?P<whose>Grave \d+), (?P<lies>closed)$",
    r"^(?P<whose>(?:Grave|Obelisk space|[\w, ]+?, space) \d+)(?:, (?P<lies>dug|open))?, value (?P<worth>\d+)$",
    r"^(?:The board of Egizia|Water ring|Stone market|Grain market|Points|[A-D])$",
    r"^(?P<name>Beni Hasan|[A-Z]\w+)$",
)


def _egizia_titles(state: Any) -> Iterator[tuple[str, str, object]]:
    t = state.t
    yield "", "name", ", ".join(filter(None, t.space_name))
    graves = [*(("dug", value) for value in state.dug), *(("open", value) for value in state.graves_open)]
    for number in range(1, t.parts.grave_spaces + 1):
        lies, value = graves[number - 1] if number <= len(graves) else ("closed", "")
        yield from ((f"Grave {number}", "lies", lies), (f"Grave {number}", "worth", value))
    parts = [("Obelisk", t.obelisk), *((f"Pyramid, row {row},", values) for row, values in enumerate(t.rows, 1))]
    parts += [(f"{name},", values) for name, values in zip((*egizia.PARTS[:-1], "Entablature"), t.temple, strict=True)]
    yield from ((f"{name} space {n}", "worth", value) for name, values in parts for n, value in enumerate(values, 1))


TITLES: dict[str, tuple[Callable[[Any], Iterable[tuple[str, str, object]]], tuple[str, ...]]] = {
    "amunre": (_amun_re_titles, AMUN_RE_TITLES),
    "egizia": (_egizia_titles, EGIZIA_TITLES),
    "priestsofra": (_priests_titles, PRIESTS_TITLES),
}
"""What only the titles tell of a state, and how they are read."""


def titles(svg: str) -> str:
    """What is told of a drawing to who points at its parts, a line each; below a seat's own that of the seat."""
    told, whose = [], ""
    for one in map(html.unescape, re.findall(r"<title[^>]*>([^<]*)</title>", svg)):
        whose = f"{one}: " if re.fullmatch("[A-E]", one) and "Priests" in svg else whose
        told.append(one if one == whose[:1] else whose + one)
    return "\n".join(told)


READ: dict[str, tuple[Callable[[Any], Iterable[tuple[str, str, object]]], tuple[str, ...], tuple[str, ...]]] = {
    "amunre": (_amun_re, AMUN_RE_TEXT, AMUN_RE_ALT),
    "egizia": (_egizia, EGIZIA_TEXT, EGIZIA_ALT),
    "priestsofra": (_priests, PRIESTS_TEXT, PRIESTS_ALT),
}


def wrong(text: str, patterns: tuple[str, ...], figures: Figures) -> dict[tuple[str, str], tuple[object, object]]:
    """The figures that a text tells otherwise than they are: what it says, and what is due; and what nobody knows."""
    found, left = read(text, patterns)
    told, named = set(re.findall(r"\?P<(\w+)>", " ".join(patterns))), {whose for whose, _ in found}
    wanted = {
        key: value
        for key, value in figures.items()
        if key[1] in told and (key[0] in named or key[1] not in {*PRINTED, "camel", "farmers"})
    }
    keys = {key for key in {*found, *wanted} if found.get(key) != wanted.get(key)}
    return {key: (found.get(key), wanted.get(key)) for key in keys} | ({("", "left"): (left, "")} if left else {})


def _without_legend(text: str, legend: Iterable[str]) -> str:
    for line in legend:
        text, gone = re.subn(r"\s+".join(map(re.escape, line.split())) + "\n", "", text)
        assert gone == 1
    return text


@pytest.mark.parametrize("game", GAMES)
def test_each_figure_told_of_a_board_is_the_states(game: str) -> None:
    """Every ninth position of every record and its last, as a spectator is told of them."""
    figures, *patterns = READ[game]
    more, of_titles = TITLES[game]
    rules, drawing, board = rules_of(game), pictures.of(game), importlib.import_module(f"pbem.pictures.{game}.text")
    for path in (path for path in RECORDS if path.parent.parent.name == game):
        record = records.parse(path.read_text("utf-8"))
        say = Translator("en", names=tuple(SEATS[: record.seats]), game=game)
        for number, one in enumerate(replay.play(record)):
            if number % EVERY and number < len(record.plies) - 1:
                continue
            view = rules.view(one.state, None)
            state = [*figures(one.state), *_places(rules, one.state)]
            wanted = due(state)
            text = _without_legend(drawing.text(view, say), map(say, board.legend(view)))
            for told, known in zip((text, drawing.alt(view, say)), patterns, strict=True):
                assert wrong(_spelled(told), known, wanted) == {}, (path.name, one.ply.number, told)
            if number % DRAWN and number < len(record.plies) - 1:
                continue
            told = titles(drawing.svg(view, say))
            assert wrong(told, of_titles, due([*state, *more(one.state)])) == {}, (path.name, one.ply.number, told)


def _places(rules: Any, state: Any) -> Iterator[tuple[str, str, object]]:
    end = rules.outcome(state)
    yield from ((SEATS[seat], "place", place) for seat, place in enumerate(end.places if end else ()))
