"""Reading order text: the verb at its head, then the clauses; liberal, in English with Italian and French words."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from typing import Final

import msgspec

from pbem.engine.core.errors import AmbiguousOrder, IllegalOrder, InvalidOrder
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import clauses as c
from pbem.engine.egizia import data, grammar, most, orders
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import ordered
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.river import in_order, space_of
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.verbs import check
from pbem.engine.text.candidates import settled
from pbem.engine.text.notation import fold, in_digits, refuse_long

_UNREADABLE: Final = N_("I can't read {text!r} as an order. Here one can write: {syntax}.")
_MISPLACED: Final = N_("`{clause}` has no place in a `{verb}` order.")
_WHICH: Final = N_("Say which card you take: `leftover B03`, or `leftover none`.")
_KEEP: Final = N_("Say which card you keep: `keep S07`, or `keep none`.")
_IN_SEQUENCE: Final = N_(
    "The Obelisk is built in sequence: name the spaces from the first to the last, as in `obelisk 1-3`."
)
_NUMBER: Final = N_("Say how many Sphinx cards you pay for: `sphinx 3 with yellow`.")
_MARKET: Final = N_("An Obelisk stone moves a market marker: add `stone market` or `grain market`.")
_WITH: Final = N_("Say which crews work: `with blue` or `with blue + joker`.")
_FEED_WITH: Final = N_("{means!r} is no way to feed: `feed with 4 grain and stones 2`.")
_EMPTY_CARD: Final = N_("No card lies on card space {space} any more.")
_NO_CARD_SPACE: Final = N_("{space} is no card space: there are 1 to 10.")
_TO: Final = N_("Say where to: `ship to Edfu`.")
_TWO_SITES: Final = N_("Obelisk and graves are one site, Pyramid and Temple another: build at one of them.")
_MEANS: Final = (
    r"(\d{1,3}) (?:grain|cereali|grano)|(?:stones?|pietre|pierres) (\d{1,3})|(\d{1,3}) (?:stones?|pietre|pierres)"
)
_CARD_SPACE: Final = r"(?:(?:card|carta|carte)(?: space)? )(\d{1,3})|(ombos)"
_BEHIND: Final = (
    r"(?!improve |(?:two|2) stones |move )(.+?) "
    r"((?:crews?|squadra|equipe) .+|(?:slot|posto) \d{1,3}|queue|coda|in coda)"
)
RIDERS: Final = frozenset({"improve", "trade", "sell", "move"})

Build = Callable[[Tables, State, str, c.Parts], AnyOrder]


def read(state: State, seat: int, text: str) -> AnyOrder:
    """Read one order. Raises InvalidOrder or AmbiguousOrder; IllegalOrder where a card space is named and empty."""
    return settled(_read, check, state, seat, text)


def _read(state: State, seat: int, text: str) -> AnyOrder:
    refuse_long(text)
    if state.drawn and seat not in s.acting(state):
        state = copy(state)  # EG-7.2: in which sequence somebody drew is nobody else's business
        state.drawn = []
    clauses = _parted(state.stage, c.clauses_of(in_digits(fold(text))))
    head = clauses[0] if clauses else ""
    t = tables_of(state.components)
    if state.stage == s.SHIP and head in _PLACE_WORDS:
        return _headless(t, state, clauses, text)
    for name, pattern, allowed, build in _VERBS:
        found = re.fullmatch(rf"(?:{pattern})(?: (?P<rest>.*))?", head)
        if found:
            rest = found["rest"] or ""
            if name in _THINGS:
                clauses, rest = ([rest, *clauses[1:]] if rest else clauses[1:]), ""
                parts, names = _read_things(name, clauses, state.stage)
            else:
                parts, names = c.read_clauses(clauses[1:], state.stage)
            _refuse_misplaced(name, names, allowed)
            return build(t, state, rest, parts)
    return _headless(t, state, clauses, text)


def _parted(stage: str, clauses: list[str]) -> list[str]:
    """The clauses, what is said of a place behind its name set apart: `Alyl crew blue`, `Obelisk slot 2`."""
    found = re.fullmatch(_BEHIND, clauses[0]) if clauses and stage in {s.SHIP, s.LEFTOVER} else None
    return [found[1], found[2], *clauses[1:]] if found else clauses


def _read_things(name: str, clauses: list[str], kind: str) -> tuple[c.Parts, list[str]]:
    """The clauses of a build order; a bare number after `dig` counts graves."""
    if name == "dig" and clauses and clauses[0].isdecimal():
        clauses = [f"graves {clauses[0]}", *clauses[1:]]
    return c.read_clauses(clauses, kind)


def _refuse_misplaced(verb: str, names: list[str], allowed: frozenset[str]) -> None:
    wrong = [name for name in dict.fromkeys(names) if name not in allowed | RIDERS]
    if wrong:
        raise InvalidOrder(*(Message(_MISPLACED, {"clause": name, "verb": verb}) for name in wrong))


def _headless(t: Tables, state: State, clauses: list[str], text: str) -> AnyOrder:
    """A text without a verb: riders after building, or where to sail."""
    if state.stage == s.AFTER and clauses:
        parts, names = c.read_clauses(clauses, state.stage)
        _refuse_misplaced("done", names, frozenset())
        return orders.Done(parts.also())
    if state.stage == s.SHIP and clauses and _is_place(t, clauses[0]):
        parts, names = c.read_clauses(clauses[1:], state.stage)
        _refuse_misplaced("ship", names, _SHIP_CLAUSES)
        return _ship(t, state, clauses[0], parts)
    params = {"text": text[:60], "syntax": grammar.shown(state.stage)}
    raise InvalidOrder(Message(_UNREADABLE, params))


def _is_place(t: Tables, word: str) -> bool:
    return c.card_id(word) in t.index or re.fullmatch(_CARD_SPACE, word) is not None or c.PLACES.find(word) is not None


def _pass(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    _nothing_after("pass", rest)
    return orders.Pass(parts.also())


def _nothing_after(verb: str, rest: str) -> None:
    if rest:
        raise InvalidOrder(Message(_MISPLACED, {"clause": rest[:60], "verb": verb}))


def _ship(t: Tables, state: State, rest: str, parts: c.Parts) -> AnyOrder:
    """A place; a site's nearest free slot, else its queue, if none is named."""
    if not rest:
        raise InvalidOrder(Message(_TO, {}))
    to = _place(t, state, rest)
    slot = max(parts.slot, 0)
    if parts.slot < 0 and to in data.SITE_NAMES and "extra ship" not in parts.using:
        slots = state.slots[data.SITE_NAMES.index(to)]
        slot = slots.index(-1) + 1 if -1 in slots else 0
    return orders.Ship(
        to, slot, ordered(tuple(parts.crews)), tuple(parts.rings), in_order(tuple(parts.using)), parts.also()
    )


def _place(t: Tables, state: State, text: str) -> str:
    """The card, round space or site that `text` names; `card 3` and Ombos mean the card that lies there."""
    found = re.fullmatch(_CARD_SPACE, text)
    if found:
        number = int(found[1] or 1)
        if not 1 <= number <= len(t.card_spaces):
            raise InvalidOrder(Message(_NO_CARD_SPACE, {"space": number}))
        card = state.cards[t.card_spaces[number - 1]]
        if card < 0:
            raise IllegalOrder(Message(_EMPTY_CARD, {"space": number}, "EG-3.3"))
        return t.names[card]
    card_name = c.card_id(text)
    return card_name if card_name in t.index else c.PLACES.read(text)


def space_named(t: Tables, state: State, text: str) -> int:
    """The river space that a form's choice names, its slot left out."""
    found = re.fullmatch(r"(.+?) (?:slot \d+|queue)", text)
    return space_of(t, state, _place(t, state, fold(found[1] if found else text)))


def _leftover(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    if not rest:
        raise InvalidOrder(Message(_WHICH))
    card = "" if re.fullmatch(grammar.NONE, rest) else c.card_id(rest)
    return orders.Leftover(card, ordered(tuple(parts.crews)), parts.also())


def _feed(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    """`feed with 4 grain`, `feed 4 grain`; `feed`, `feed with nothing`."""
    if rest and parts.means:
        _nothing_after("feed", rest)
    said = rest or parts.means
    grain = stones = 0
    for means in () if re.fullmatch(grammar.NONE, said) else re.split(r" and | e | et |\+", said):
        found = re.fullmatch(
            _MEANS,
            means.strip(),
        )
        if found:
            grain += int(found[1] or 0)
            stones += int(found[2] or found[3] or 0)
        elif means.strip():
            raise InvalidOrder(Message(_FEED_WITH, {"means": means[:40]}))
    return orders.Feed(grain, stones, parts.also())


def _stay(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    _nothing_after("stay", rest)
    return orders.Move(0, parts.also())


def _move(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    return orders.Move(int(rest), parts.also())


def _sphinx(t: Tables, state: State, rest: str, parts: c.Parts) -> AnyOrder:
    found = re.fullmatch(r"(up to |fino a |jusqu ?a )?(\d{1,3})(?: cards?| carte| cartes)?", rest)
    if found and found[1]:
        return most.sphinx(t, state, int(found[2]), _workers(parts), in_order(tuple(parts.using)))
    if not found:
        raise InvalidOrder(Message(_NUMBER, {}))
    return orders.Sphinx(int(found[2]), _workers(parts), in_order(tuple(parts.using)), parts.also())


def _workers(parts: c.Parts) -> tuple[str, ...]:
    """The crews of the `with` clause, in canonical order."""
    crews = c.crew_list(parts.means)
    if not crews:
        raise InvalidOrder(Message(_WITH, {}))
    return ordered(tuple(crews))


def _keep(t: Tables, state: State, rest: str, parts: c.Parts) -> AnyOrder:
    """Cards in the order they were drawn; an order of the one card put back is none."""
    words = [word for word in re.split(r"[ +&]+", rest) if word not in {"", "and"}]
    if not words:
        raise InvalidOrder(Message(_KEEP))
    kept = [] if re.fullmatch(grammar.NONE, " ".join(words)) else [c.card_id(word) for word in words]
    drawn = [t.sphinx[card].id for card in state.drawn if card >= 0]
    kept.sort(key=lambda name: drawn.index(name) if name in drawn else len(drawn))
    stated = (
        () if parts.order == [name for name in drawn if name not in kept] and len(parts.order) == 1 else parts.order
    )
    return orders.Keep(tuple(kept), tuple(stated), in_order(tuple(parts.using)), parts.also())


def _obelisk(state: State, parts: c.Parts) -> tuple[int, int]:
    """First and last Obelisk space; `obelisk x2` means the next two. Raises InvalidOrder for spaces out of sequence."""
    spaces = sorted(parts.obelisk)
    if spaces and (parts.next_obelisk or spaces != list(range(max(1, spaces[0]), spaces[-1] + 1))):
        raise InvalidOrder(Message(_IN_SEQUENCE, {}, "EG-6.4"))
    if parts.next_obelisk:
        done = len(state.obelisk)
        return done + 1, done + parts.next_obelisk
    return (spaces[0], spaces[-1]) if spaces else (0, 0)


def _with_market(order: orders.Raise | orders.Dig, *, wanted: bool) -> AnyOrder:
    """EG-6.4: the same order, if it says which market it steps down where it must; else it could mean either."""
    if order.market or not wanted:
        return order
    both = [str(msgspec.structs.replace(order, market=market)) for market in data.MARKETS]
    raise AmbiguousOrder(Message(_MARKET, {}, "EG-6.4"), candidates=both)


def _build(t: Tables, state: State, _rest: str, parts: c.Parts) -> AnyOrder:
    working, using = _workers(parts), in_order(tuple(parts.using))
    if parts.most:
        return most.build(t, state, (parts.least, parts.most), working, using, parts.market)
    if parts.rows or parts.stacks or parts.entablature:
        if parts.obelisk or parts.next_obelisk or parts.graves or parts.market:
            raise InvalidOrder(Message(_TWO_SITES))
        stacks = tuple(sorted(parts.stacks, key=data.PARTS.index))
        return orders.Stack(
            working, tuple(sorted(parts.rows)), stacks, tuple(sorted(parts.entablature)), using, parts.also()
        )
    first, last = _obelisk(state, parts)
    order = orders.Raise(working, first, last, parts.graves, parts.market, using, parts.also())
    return _with_market(order, wanted=bool(first))


def _dig(_t: Tables, state: State, _rest: str, parts: c.Parts) -> AnyOrder:
    first, last = _obelisk(state, parts)
    if not first and not parts.graves:
        raise InvalidOrder(Message(_UNREADABLE, {"text": "dig", "syntax": grammar.shown(s.DIG)}))
    order = orders.Dig(first, last, parts.graves, parts.market, parts.also())
    return _with_market(order, wanted=bool(first) and not state.market)


def _stop(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    _nothing_after("stop", rest)
    return orders.Dig(also=parts.also())


def _renounce(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    _nothing_after("renounce", rest)
    return orders.Renounce(parts.also())


def _done(_t: Tables, _state: State, rest: str, parts: c.Parts) -> AnyOrder:
    _nothing_after("done", rest)
    return orders.Done(parts.also())


_PLACE_WORDS: Final = frozenset(c.PLACES.spellings())
"""Where to sail, said without a verb; `sphinx` would else be a draw."""
_SHIP_CLAUSES: Final = frozenset({"crew", "ring", "slot", "queue", "using"})
_BUILD_CLAUSES: Final = frozenset(
    {"with", "most", "using", "market", "obelisk", "graves", "pyramid", "entablature", "stack"}
)
_NO_CLAUSES: Final[frozenset[str]] = frozenset()
_THINGS: Final = frozenset({"build", "dig"})
_VERBS: Final[tuple[tuple[str, str, frozenset[str], Build], ...]] = (
    ("pass", grammar.PASS, _NO_CLAUSES, _pass),
    ("ship", grammar.SHIP, _SHIP_CLAUSES, _ship),
    ("leftover", grammar.LEFTOVER, frozenset({"crew"}), _leftover),
    ("feed", grammar.FEED, frozenset({"with"}), _feed),
    ("stay", grammar.STAY, _NO_CLAUSES, _stay),
    ("move", r"(?:move|sposta|deplacer)(?: to| a)?(?: slot| posto)?(?= \d+$)", _NO_CLAUSES, _move),
    ("sphinx", grammar.SPHINX, frozenset({"with", "using"}), _sphinx),
    ("keep", grammar.KEEP, frozenset({"order", "using"}), _keep),
    ("build", grammar.BUILD, _BUILD_CLAUSES, _build),
    ("dig", grammar.DIG, frozenset({"market", "obelisk", "graves"}), _dig),
    ("stop", grammar.STOP, _NO_CLAUSES, _stop),
    ("renounce", grammar.RENOUNCE, _NO_CLAUSES, _renounce),
    ("done", grammar.DONE, _NO_CLAUSES, _done),
)
