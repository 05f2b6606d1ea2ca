"""Reading order text: the verb at its head, then the clauses; liberal, in English with Italian and French words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import msgspec

from pbem.engine.core.errors import AmbiguousOrder, IllegalOrder, InvalidOrder, invalid
from pbem.engine.core.message import N_, sentence
from pbem.engine.egizia import data, draws, monuments, orders, riders, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import ordered
from pbem.engine.egizia.grammar import CLAUSE, VERBS, example
from pbem.engine.egizia.orders import Also, AnyOrder
from pbem.engine.egizia.sailing import first_free, in_order, space_of
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.verbs import check
from pbem.engine.text.candidates import settled
from pbem.engine.text.notation import Names, fold, in_digits, whole

CREWS = Names(N_("crew"), data.CREW_SPELLINGS)
PLACES = Names(N_("river space"), data.PLACE_SPELLINGS)
CARDS = Names(N_("card to use"), data.USING_SPELLINGS)
PARTS = Names(N_("part of the Temple"), data.PART_SPELLINGS)
SITES = Names(N_("site"), {name: data.PLACE_SPELLINGS[name] for name in data.SITE_NAMES})
_AND = r" and | e | et |&"


class Parts(defaultdict[str, list[Any]]):
    """What the clauses of one order said, by clause; nothing of one that isn't there."""

    def also(self) -> Also:
        """Return the riders, in canonical order."""
        fields, moves = tuple(self["improve field"]), tuple(self["move"])
        return Also(ordered(self["improve"]), ordered(self["trade"]), fields, sum(self["sell"]), moves)

    def using_in_order(self) -> tuple[str, ...]:
        """Return the cards that serve the order, in canonical order."""
        return in_order(self["using"])


def clauses_of(text: str) -> list[str]:
    """The clauses of a folded text: what stands between commas, before `with` and `using`, and before a ring's turn."""
    text = re.sub(rf" (?=(?:with|using|usando|con|avec|en utilisant) |(?:{CLAUSE['ring']})\b)", ",", text)
    return [clause.strip() for clause in text.split(",") if clause.strip()]


def card_id(word: str) -> str:
    """Return a card's id as printed: `a5` is A05."""
    found = re.fullmatch(r"([a-z])(\d)", word)
    return f"{found[1]}0{found[2]}".upper() if found else word.upper()


def crew_list(text: str) -> list[str]:
    """Return the crews in `blue + joker`, `blue and black` or `blue twice`. Raises InvalidOrder at another name."""
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


def _times(*words: str | None) -> int:
    """Return how often, said before or behind a thing; once if nothing is said. Raises InvalidOrder for never."""
    times = int(next((word for word in words if word), "1"))
    if not times:
        raise invalid("0 times is nothing: name how many you build, or leave it out.")
    return times


_STACK_NAMES = "|".join(
    sorted((re.escape(name) for name in PARTS.spellings() if "entabl" not in name and "trab" not in name), key=len)[
        ::-1
    ]
)
CLAUSES: dict[str, Callable[[re.Match[str]], list[Any]]] = {
    "improve field": lambda found: [card_id(found[1])],
    "improve": lambda found: [CREWS.read(found[1])],
    "trade": lambda found: [CREWS.read(found[1])],
    "sell": lambda found: [int(found[1])],
    "move": lambda found: [(SITES.read(found[1]), int(found[2]))],
    "crew": lambda found: crew_list(found[1]),
    "ring": lambda found: ["left"] if found[1] else ["right"] if found[2] else [],
    "slot": lambda found: [whole(found[1], N_("a slot"))],
    "queue": lambda _found: [0],
    "with": lambda found: [found[1]],
    "using": lambda found: [CARDS.read(word.strip()) for word in re.split(_AND, found[1])],
    "market": lambda found: ["stone" if found[1] else "grain"],
    "order": lambda found: [card_id(word) for word in found[1].split()],
    "obelisk": lambda found: _numbers(found[1], N_("an Obelisk space")),
    "next obelisk": lambda found: [_times(found[1], found[2])],
    "graves": lambda found: [_times(found[1], found[2])],
    "most": lambda found: [(int(found[2] or 0), int(found[1]))],
    "pyramid": lambda found: _numbers(found[1], N_("a Pyramid row")),
    "entablature": lambda found: _numbers(found[1], N_("a space of the entablature")),
    "stack": lambda found: [PARTS.read(found[1])] * _times(found[2]),
}
"""By clause, tried in this order over folded text: what one says. `most` is from the least to the most stones."""
_PATTERNS = {name: re.compile(pattern.replace("PART", _STACK_NAMES)) for name, pattern in CLAUSE.items()}
_CALLED = {"improve field": "improve", "next obelisk": "obelisk"}
"""What clauses are called that are another's second shape."""

_ONCE = {"with": "with", "market": "market", "order": "order", "slot": "slot", "queue": "slot"}
"""Clauses of which an order has one at most: of two the player means only one, and we don't know which."""


def read_clauses(clauses: list[str], kind: str) -> tuple[Parts, list[str]]:
    """Return what `clauses` say, and which were found. Raises InvalidOrder, showing the forms that answer `kind`."""
    parts = Parts(list)
    names = [_read_clause(parts, clause, kind) for clause in clauses]
    once = [_ONCE[name] for name in names if name in _ONCE]
    twice = [name for name in dict.fromkeys(once) if once.count(name) > 1]
    if twice:
        text = N_("`{clause}` is said twice in this order: say it once.")
        raise InvalidOrder(*(sentence(text, clause=name) for name in twice))
    return parts, names


def _read_clause(parts: Parts, clause: str, kind: str) -> str:
    for name, said in CLAUSES.items():
        found = _PATTERNS[name].fullmatch(clause)
        if found:
            parts[name] += said(found)
            return _CALLED.get(name, name)
    if CARDS.find(clause):
        parts["using"].append(CARDS.read(clause))
        return "using"
    text = N_("I can't read {clause!r}. Here one can write: {example}.")
    raise invalid(text, clause=clause, example=example(kind))


_UNREADABLE = N_("I can't read {text!r} as an order. Here one can write: {example}.")
_MISPLACED = N_("`{clause}` has no place in a `{verb}` order: leave it out.")
_WHICH = N_("Say which card you take: `leftover B03`, or `leftover none`.")
_KEEP = N_("Say which card you keep: `keep S07`, or `keep none`.")

_MEANS = r"(\d{1,3}) (?:grain|cereali|grano)|(?:stones?|pietre|pierres) (\d{1,3})|(\d{1,3}) (?:stones?|pietre|pierres)"
_CARD_SPACE = r"(?:(?:card|carta|carte)(?: space)? )(\d{1,3})|(ombos)"
_BEHIND = (
    r"(?!improve |migliora |ameliore |(?:two|2) stones |move )(.+?) "
    r"((?:crews?|squadra|lavoratore|equipe) .+|(?:slot|posto|place) \d{1,3}|queue|coda|in coda)"
)
RIDERS = frozenset({"improve", "trade", "sell", "move"})

Build = Callable[[State, str, Parts], AnyOrder]


def _read(state: State, seat: int, text: str) -> AnyOrder:
    if state.drawn and seat not in state.acting:
        state = copy(state)  # EG-7.2: in which sequence somebody drew is nobody else's business
        state.drawn = []
    clauses = clauses_of(in_digits(fold(text)))
    apart = re.fullmatch(_BEHIND, clauses[0]) if clauses and state.stage in {s.SHIP, s.LEFTOVER} else None
    if apart:  # what is said of a place behind its name: `Alyl crew blue`, `Obelisk slot 2`
        clauses[:1] = [apart[1], apart[2]]
    head = clauses[0] if clauses else ""
    if not (state.stage == s.SHIP and head in _PLACE_WORDS):
        for name, (pattern, _, _) in _VERBS.items():
            found = re.fullmatch(rf"(?:{pattern})(?: (?P<rest>.*))?", head)
            if found:
                return _ordered(state, name, found["rest"] or "", clauses[1:])
    if state.stage == s.AFTER and clauses:
        return _ordered(state, "done", "", clauses)
    if state.stage == s.SHIP and clauses and _is_place(state.t, clauses[0]):
        return _ordered(state, "ship", clauses[0], clauses[1:])
    raise invalid(_UNREADABLE, text=text, example=example(state.stage))


def _ordered(state: State, verb: str, rest: str, clauses: list[str]) -> AnyOrder:
    """Return the order of a verb: what stands behind it, its clauses, and the cards that go along."""
    _, allowed, build = _VERBS[verb]
    if verb in _THINGS:
        clauses, rest = [rest] * bool(rest) + clauses, ""
        if verb == "dig" and clauses and clauses[0].isdecimal():
            clauses[0] = f"graves {clauses[0]}"  # a bare number counts graves
    parts, names = read_clauses(clauses, state.stage)
    wrong = [name for name in dict.fromkeys(names) if name not in allowed | RIDERS]
    if wrong:
        raise InvalidOrder(*(sentence(_MISPLACED, clause=name, verb=verb) for name in wrong))
    order = msgspec.structs.replace(build(state, rest, parts), also=parts.also())
    if isinstance(order, orders.Raise | orders.Dig):
        _refuse_open_market(state, order)
    return order


def _refuse_open_market(state: State, order: orders.Raise | orders.Dig) -> None:
    """EG-6.4: raise AmbiguousOrder where an order must say which market it steps down and doesn't."""
    chosen = order.market or (state.market if isinstance(order, orders.Dig) else "")
    if order.first and not chosen:
        both = [str(msgspec.structs.replace(order, market=market)) for market in data.MARKETS]
        text = N_("An Obelisk stone moves a market marker: add `stone market` or `grain market`.")
        raise AmbiguousOrder(sentence(text, "EG-6.4"), candidates=both)


def _is_place(t: Tables, word: str) -> bool:
    return card_id(word) in t.index or re.fullmatch(_CARD_SPACE, word) is not None or PLACES.find(word) is not None


def _alone(verb: str, order: Callable[..., AnyOrder]) -> Build:
    """Return what reads a verb behind which nothing stands but cards that go along."""

    def build(_state: State, rest: str, _parts: Parts) -> AnyOrder:
        _nothing_after(verb, rest)
        return order()

    return build


def _nothing_after(verb: str, rest: str) -> None:
    if rest:
        raise invalid(_MISPLACED, clause=rest, verb=verb)


def _ship(state: State, rest: str, parts: Parts) -> AnyOrder:
    """Return a place; a site's nearest free slot, else its queue, if none is named."""
    if not rest:
        raise invalid("Say where to: `ship to Edfu`.")
    to = _place(state, rest)
    slot = sum(parts["slot"])
    if not (parts["slot"] or parts["queue"]) and to in data.SITE_NAMES and "extra ship" not in parts["using"]:
        slot = first_free(state, data.SITE_NAMES.index(to))
    return orders.Ship(
        to, slot, ordered(parts["crew"]), tuple(parts["ring"]), parts.using_in_order(), also=parts.also()
    )


def _place(state: State, text: str) -> str:
    """Return the card, round space or site that `text` names; `card 3` and Ombos mean the card that lies there."""
    t = state.t
    found = re.fullmatch(_CARD_SPACE, text)
    if found:
        number = int(found[1] or 1)
        if not 1 <= number <= len(t.card_spaces):
            raise invalid("{space} is no card space: there are 1 to 10.", space=number)
        card = state.cards[t.card_spaces[number - 1]]
        if card < 0:
            said = N_("No card lies on card space {space} any more: name another one.")
            raise IllegalOrder(sentence(said, "EG-3.3", space=number))
        return t.names[card]
    card_name = card_id(text)
    return card_name if card_name in t.index else PLACES.read(text)


def space_named(state: State, text: str) -> int:
    """Return the river space that a form's choice names, its slot left out."""
    found = re.fullmatch(r"(.+?) (?:slot \d+|queue)", text)
    return space_of(state, _place(state, fold(found[1] if found else text)))


def _leftover(_state: State, rest: str, parts: Parts) -> AnyOrder:
    if not rest:
        raise invalid(_WHICH)
    card = "" if re.fullmatch(VERBS["none"], rest) else card_id(rest)
    if " " in card:
        raise invalid(_WHICH)
    return orders.Leftover(card, ordered(parts["crew"]))


def _feed(_state: State, rest: str, parts: Parts) -> AnyOrder:
    """`feed with 4 grain`, `feed 4 grain`; `feed`, `feed with nothing`."""
    if parts["with"]:
        _nothing_after("feed", rest)
    said = rest or "".join(parts["with"])
    grain = stones = 0
    for means in () if not said or re.fullmatch(VERBS["none"], said) else re.split(r" and | e | et |\+", said):
        found = re.fullmatch(_MEANS, means.strip())
        if found:
            grain += int(found[1] or 0)
            stones += int(found[2] or found[3] or 0)
        else:
            text = N_("{means!r} is no way to feed: `feed with 4 grain and stones 2`.")
            raise invalid(text, means=means)
    return orders.Feed(grain, stones)


def _move(_state: State, rest: str, _parts: Parts) -> AnyOrder:
    return orders.Move(int(rest))


def _sphinx(state: State, rest: str, parts: Parts) -> AnyOrder:
    found = re.fullmatch(r"(up to |fino a |jusqu[ ']?a )?(\d{1,3})(?: cards?| carte| cartes)?", rest)
    if not found:
        raise invalid("Say how many Sphinx cards you pay for: `sphinx 3 with yellow`.")
    working, using = _workers(parts), parts.using_in_order()
    if found[1]:
        return _most_drawn(_then(state, s.DRAW, parts), int(found[2]), working, using)
    return orders.Sphinx(int(found[2]), working, using)


def _workers(parts: Parts) -> tuple[str, ...]:
    """Return the crews of the `with` clause, in canonical order."""
    crews = crew_list("".join(parts["with"]))
    if not crews:
        raise invalid("Say which crews work: `with blue` or `with blue + joker`.")
    return ordered(crews)


def _keep(state: State, rest: str, parts: Parts) -> AnyOrder:
    """Cards in the order they were drawn; an order of the one card put back is none."""
    words = [word for word in re.split(r"[ +&]+", rest) if word not in {"", "and"}]
    if not words:
        raise invalid(_KEEP)
    kept = [] if re.fullmatch(VERBS["none"], " ".join(words)) else [card_id(word) for word in words]
    if not all(name[-1].isdecimal() for name in (*kept, *parts["order"])):
        raise invalid(_KEEP)
    drawn = state.drawn_names
    kept.sort(key=lambda name: drawn.index(name) if name in drawn else len(drawn))
    stated, left = parts["order"], [name for name in drawn if name not in kept]
    said = () if stated == left and len(left) == 1 else tuple(stated)
    return orders.Keep(tuple(kept), said, parts.using_in_order())


def _obelisk(state: State, parts: Parts) -> tuple[int, int]:
    """First and last Obelisk space; `obelisk x2` means the next two. Raises InvalidOrder for spaces out of sequence."""
    spaces, onward = sorted(parts["obelisk"]), sum(parts["next obelisk"])
    if spaces and (onward or spaces != list(range(max(1, spaces[0]), spaces[-1] + 1))):
        text = N_("The Obelisk is built in sequence: name the spaces from the first to the last, as in `obelisk 1-3`.")
        raise invalid(text, "EG-6.4")
    if onward:
        done = len(state.obelisk)
        return done + 1, done + onward
    return (spaces[0], spaces[-1]) if spaces else (0, 0)


def _build(state: State, _rest: str, parts: Parts) -> AnyOrder:
    working, using, market = _workers(parts), parts.using_in_order(), "".join(parts["market"])
    least, limit = parts["most"][-1] if parts["most"] else (0, 0)
    if limit:
        return _most_built(_then(state, s.BUILD, parts), (least, limit), (working, using, market))
    rows, stacks, top = (sorted(parts[name]) for name in ("pyramid", "stack", "entablature"))
    if rows or stacks or top:
        if parts["obelisk"] or parts["next obelisk"] or parts["graves"] or market:
            text = N_("Obelisk and graves are one site, Pyramid and Temple another: build at one of them.")
            raise invalid(text)
        stacks.sort(key=data.PARTS.index)
        return orders.Stack(working, tuple(rows), tuple(stacks), tuple(top), using)
    first, last = _obelisk(state, parts)
    return orders.Raise(working, first, last, sum(parts["graves"]), market, using)


def _dig(state: State, _rest: str, parts: Parts) -> AnyOrder:
    first, last = _obelisk(state, parts)
    graves = sum(parts["graves"])
    if not first and not graves:
        raise invalid(_UNREADABLE, text="dig", example=example(s.DIG))
    return orders.Dig(first, last, graves, "".join(parts["market"]))


_PLACE_WORDS = frozenset(PLACES.spellings())
"""Where to sail, said without a verb; `sphinx` would else be a draw."""
_SHIP_CLAUSES = frozenset({"crew", "ring", "slot", "queue", "using"})
_BUILD_CLAUSES = frozenset({"with", "most", "using", "market", "obelisk", "graves", "pyramid", "entablature", "stack"})
_NO_CLAUSES: frozenset[str] = frozenset()
_THINGS = frozenset({"build", "dig"})
_VERBS: dict[str, tuple[str, frozenset[str], Build]] = {
    "pass": (VERBS["pass"], _NO_CLAUSES, _alone("pass", orders.Pass)),
    "ship": (VERBS["ship"], _SHIP_CLAUSES, _ship),
    "leftover": (VERBS["leftover"], frozenset({"crew"}), _leftover),
    "feed": (VERBS["feed"], frozenset({"with"}), _feed),
    "stay": (VERBS["stay"], _NO_CLAUSES, _alone("stay", orders.Move)),
    "move": (r"(?:move|sposta|deplacer)(?: to| a)?(?: slot| posto)?(?= \d+$)", _NO_CLAUSES, _move),
    "sphinx": (VERBS["sphinx"], frozenset({"with", "using"}), _sphinx),
    "keep": (VERBS["keep"], frozenset({"order", "using"}), _keep),
    "build": (VERBS["build"], _BUILD_CLAUSES, _build),
    "dig": (VERBS["dig"], frozenset({"market", "obelisk", "graves"}), _dig),
    "stop": (VERBS["stop"], _NO_CLAUSES, _alone("stop", orders.Dig)),
    "renounce": (VERBS["renounce"], _NO_CLAUSES, _alone("renounce", orders.Renounce)),
    "done": (VERBS["done"], _NO_CLAUSES, _alone("done", orders.Done)),
}


_NOT_NOW = N_("This can be ordered only when the site is asked for.")


Tools = tuple[tuple[str, ...], tuple[str, ...], str]
"""Crews and cards that work, and the market stepped down."""


def _then(state: State, stage: str, parts: Parts) -> Own:
    """EG-4.5: what the seat asked has once the cards that go along have acted. Raises IllegalOrder in other stages."""
    if state.stage != stage:
        raise IllegalOrder(sentence(_NOT_NOW, "EG-6.1" if stage == s.BUILD else "EG-7.1"))
    return riders.tried(state.own(state.asked[0]), parts.also())[0]


def _most_built(own: Own, limits: tuple[int, int], tools: Tools) -> AnyOrder:
    """Return the dearest building at the present site from `limits[0]` to `limits[1]`. Raises IllegalOrder for none."""
    state, (least, most) = own.state, limits
    budget = min(most, own.stones, own.strength(*tools[:2]))
    offers = _tombs if state.site == data.OBELISK else _monuments
    found = [offer for offer in offers(state, budget, tools) if least <= offer[0] <= budget]
    if not found:
        text = N_("Nothing from {least} to {most} stone(s) can be built here with {crews} now.")
        raise IllegalOrder(sentence(text, "EG-6.1", least=max(least, 1), most=most, crews=" + ".join(tools[0])))
    return max(found, key=lambda offer: offer[:2])[2]


def _tombs(state: State, budget: int, tools: Tools) -> Iterator[tuple[int, int, AnyOrder]]:
    """EG-6.4: what stands next on the Obelisk and the path, its worth and how much of it is the Obelisk's."""
    working, using, market = tools
    for first, last, graves in tombs.things(state, budget):
        order = orders.Raise(working, first, last, graves, (market or data.MARKETS[0]) if first else "", using)
        if first or graves:
            yield tombs.value_of(state, order), last - first + 1 if first else 0, order


def _monuments(state: State, budget: int, tools: Tools) -> Iterator[tuple[int, int, AnyOrder]]:
    """EG-6.5: the spaces that are worth most together."""
    kinds = monuments.dearest(state, budget)
    if kinds:
        order = monuments.order_of(state.t, kinds, tools[:2])
        yield monuments.value_of(state, order), -len(kinds), order


def _most_drawn(own: Own, most: int, working: tuple[str, ...], using: tuple[str, ...]) -> AnyOrder:
    """EG-7.1: as many cards as can be paid for, up to `most`. Raises IllegalOrder for none."""
    count = min(most, draws.most(own, own.strength(working, using), plus="+2" in using))
    if count < 1:
        text = N_("No Sphinx card can be drawn with {crews} now: name other crews, or `renounce`.")
        raise IllegalOrder(sentence(text, "EG-7.1", crews=" + ".join(working)))
    return orders.Sphinx(count, working, using)


read = settled(_read, check)
"""Reads one order. Raises InvalidOrder or AmbiguousOrder; IllegalOrder where a card space is named and empty."""
