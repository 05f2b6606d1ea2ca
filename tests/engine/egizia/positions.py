"""Egizia's position notation.

    2 players
    game: round 2, ring left, order 1 0, track 0 1
    river: A05 A06 - A09 A17 A12 A04 A14 A21 A22
    0: points 12, stones 9, crews 2 3 9 2, tired blue + joker, stone market 5, grain market 2, has A01 A13 A21
    1: ships Edfu + Sphinx, passed, keeps S01
    at Sphinx: slots 1 -, queue 0
    graves: open 2 2 3 3, 4 by 0
    pyramid row 1: 0 0 1
    asked: sphinx by 0, at Sphinx, slot 1

The river's ten cards are named from Ombos on. Crews are blue, black, yellow and joker. What a seat has lies open before
it: fields, quarries, permanent cards and those for once; `ready` says which of them can be used now, if not all.
A seat that stands at sites has its ships there, and no others if none are said.
Of two seats with as many points the one that comes later in turn order stands in front, if the track isn't said.
Cards of which nothing is said are in their decks; the river is empty, graves of 2, 2, 3 and 3 lie open, and the first
in turn order sails.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, data
from pbem.engine.egizia.state import SHIP, STAGES, State, Under, mask_of
from pbem.engine.egizia.tables import FIELD, PERMANENT, QUARRY, bits, tables_of
from tests.engine.positions import Item, Notation, Subject, choice, figure, flag, number, only, several

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = tables_of("")
SPACES = tuple(name or space for name, space in zip(T.space_name, T.space_ids, strict=True))
START = tuple(T.parts.start_stones_by_order)
SITES = (*data.SITE_NAMES, "no site any more")
SPHINX_NAMES = tuple(card.id for card in T.sphinx)
PARTS = len(T.temple)
GRAVES_OPEN = (2, 2, 3, 3)


def _opened(first: str) -> State:
    match = re.fullmatch(r"([2-4]) players", first)
    if not match:
        raise ValueError(f"{first!r} doesn't say how many players, such as `2 players`")
    state: State = RULES.setup(int(match[1]), {"first_sphinx": "off"}, Rng("", 0)).state
    seats = list(range(state.players))
    state.order, state.track, state.asked = seats, [], []
    state.stones = list(START[: state.players])
    state.cards, state.taken = [-1] * data.RIVER, 0
    state.graves_open, state.deck = [], []
    return state


def _header(state: State) -> str:
    if state.components:
        raise ValueError("a club's own components have no position notation")
    return f"{state.players} players"


def _whole(name: str, words: str, read: Callable[[str], int] = int, write: Callable[[int], str] = str) -> Item[State]:
    """A list of the whole game in one item; `-` where it is empty though it usually isn't."""

    def take(state: State, _who: int, match: re.Match[str]) -> None:
        setattr(state, name, [] if match[1] == "-" else [read(word) for word in match[1].split(" ")])

    def tell(state: State, _who: int) -> Iterable[str]:
        values, usual = getattr(state, name), USUAL[name](state) if name in USUAL else []
        if values != usual:
            yield f"{words} {' '.join(map(write, values)) or '-'}".strip()

    return Item(f"{words} (.+)" if words else "(.+)", take, tell)


def _lists(state: State) -> list[int]:
    """All Nile cards that lie on the river or before somebody."""
    rows = (*state.fields, *state.quarries, *state.permanents, *state.ready)
    return [*state.cards, *(card for row in rows for card in row)]


def _deck(state: State) -> list[int]:
    gone = set(_lists(state))
    return [card for card in T.deck_range[data.DECK_OF_ROUND[state.round]] if card not in gone]


def _sphinx(state: State) -> list[int]:
    gone = {*state.drawn, *(card for kept in state.kept for card in kept), *(c for u in state.under for c in u.rest)}
    return [card for card in range(len(T.sphinx)) if card not in gone]


def _unseen(state: State) -> list[int]:
    shown = [*state.graves_open, *state.dug]
    return [count - shown.count(value) for value, count in zip(T.grave_values, T.grave_counts, strict=True)]


def _ready(state: State, seat: int) -> list[int]:
    """All that could be ready: permanent cards, then those for once."""
    return [*state.permanents[seat], *(card for card in state.ready[seat] if T.type[card] != PERMANENT)]


def _taken(state: State) -> int:
    sailed = {space for fleet in state.fleet for space in fleet if space not in T.sites}
    bare = {space for space in T.card_spaces if state.cards[space] < 0}
    return sum(1 << space for space in sailed | bare)


def _docked(state: State, seat: int) -> int:
    return sum(1 << space for space in set(state.fleet[seat]) if space in T.sites)


USUAL: dict[str, Callable[[State], list[int]]] = {
    "order": lambda state: list(range(state.players)),
    "track": lambda state: sorted(state.order, key=lambda seat: (-state.score[seat], -state.order.index(seat))),
    "deck": _deck,
    "sphinx": _sphinx,
    "graves_unseen": _unseen,
    "graves_open": lambda state: [] if state.dug else list(GRAVES_OPEN),
}
"""Lists that follow from the rest, if nothing else is said."""


def _take_river(state: State, _who: int, match: re.Match[str]) -> None:
    names = match[0].split(" ")
    if len(names) != len(T.card_spaces):
        raise ValueError(f"the river has {len(T.card_spaces)} spaces for cards, not {len(names)}; `-` is an empty one")
    for space, name in zip(T.card_spaces, names, strict=True):
        state.cards[space] = -1 if name == "-" else _card(name)


def _write_river(state: State, _who: int) -> Iterable[str]:
    laid = [state.cards[space] for space in T.card_spaces]
    if max(laid) >= 0:
        yield " ".join("-" if card < 0 else T.names[card] for card in laid)


def _take_crews(state: State, seat: int, match: re.Match[str]) -> None:
    state.crews[seat * 4 : seat * 4 + 4] = [int(word) for word in match[1].split(" ")]


def _write_crews(state: State, seat: int) -> Iterable[str]:
    own = state.crews[seat * 4 : seat * 4 + 4]
    if own != [T.parts.crew_start[crew] for crew in data.CREWS]:
        yield "crews " + " ".join(map(str, own))


def _mask(
    name: str, words: str, names: Sequence[str], usual: Callable[[State, int], int] = lambda *_: 0
) -> Item[State]:
    """A set of names for each seat, kept as a mask; `-` for none where there usually are some."""

    def read(state: State, seat: int, match: re.Match[str]) -> None:
        found = [] if match[1] == "-" else match[1].split(" + ")
        getattr(state, name)[seat] = sum(1 << names.index(word) for word in found)

    def write(state: State, seat: int) -> Iterable[str]:
        if (value := getattr(state, name)[seat]) != usual(state, seat):
            yield f"{words} " + (" + ".join(one for i, one in enumerate(names) if value >> i & 1) or "-")

    return Item(f"{words} (.+)", read, write)


def _card(name: str) -> int:
    if name not in T.index:
        raise ValueError(f"{name} is no Nile card")
    return T.index[name]


def _take_has(state: State, seat: int, match: re.Match[str]) -> None:
    for name in match[1].split(" "):
        card = _card(name)
        kinds = {FIELD: state.fields, QUARRY: state.quarries}
        kinds.get(T.type[card], state.ready)[seat].append(card)
        if T.type[card] == PERMANENT:
            state.permanents[seat].append(card)


def _write_has(state: State, seat: int) -> Iterable[str]:
    if cards := [*state.fields[seat], *state.quarries[seat], *_ready(state, seat)]:
        yield "has " + " ".join(T.names[card] for card in cards)


def _take_ready(state: State, seat: int, match: re.Match[str]) -> None:
    state.ready[seat] = [] if match[1] == "-" else [_card(name) for name in match[1].split(" ")]


def _write_ready(state: State, seat: int) -> Iterable[str]:
    once = [card for card in state.ready[seat] if T.type[card] != PERMANENT]
    if state.ready[seat] != _said(state, seat, once):
        yield "ready " + (" ".join(T.names[card] for card in state.ready[seat]) or "-")


def _said(state: State, seat: int, once: list[int]) -> list[int]:
    """What `has` alone makes ready."""
    return [*state.permanents[seat], *once]


def _take_ships(state: State, seat: int, match: re.Match[str]) -> None:
    state.fleet[seat] = [SPACES.index(name) for name in match[1].split(" + ")]


def _stands(state: State, seat: int) -> list[int]:
    """The sites where a seat has a slot or waits behind them: what its ships are after sailing."""
    rows = zip(T.sites, state.slots, state.queue, strict=True)
    return [space for space, slots, queue in rows if seat in (*slots, *queue)]


def _write_ships(state: State, seat: int) -> Iterable[str]:
    if (fleet := state.fleet[seat]) != _stands(state, seat):
        yield "ships " + " + ".join(SPACES[space] for space in fleet)


def _take_passed(state: State, seat: int, _match: re.Match[str]) -> None:
    state.passed |= 1 << seat


SEAT: tuple[Item[State], ...] = (
    number("score", "points #"),
    Item(
        r"stones (\d+)",
        lambda s, seat, match: s.stones.__setitem__(seat, int(match[1])),
        lambda s, seat: [f"stones {s.stones[seat]}"] if s.stones[seat] != START[seat] else [],
    ),
    Item(r"crews (\d+ \d+ \d+ \d+)", _take_crews, _write_crews),
    _mask("tired", "tired", data.CREWS),
    number("stone_at", "stone market #"),
    number("grain_at", "grain market #"),
    Item("has (.+)", _take_has, _write_has),
    Item("ready (.+)", _take_ready, _write_ready),
    several("laid", "improved #", T.names.index, T.names.__getitem__),
    several("kept", "keeps #", SPHINX_NAMES.index, SPHINX_NAMES.__getitem__),
    Item("ships (.+)", _take_ships, _write_ships),
    _mask("docked", "docked", SPACES, _docked),
    _mask("worked", "worked at", data.SITE_NAMES),
    Item("passed", _take_passed, lambda s, seat: ["passed"] if s.passed >> seat & 1 else []),
)


def _slots(words: str) -> list[int]:
    return [-1 if word == "-" else int(word) for word in words.split(" ")]


def _numbers(seats: Iterable[int]) -> str:
    return " ".join("-" if seat < 0 else str(seat) for seat in seats)


def _site_list(name: str, words: str) -> Item[State]:
    def write(state: State, who: int) -> Iterable[str]:
        seats = getattr(state, name)[who]
        if any(seat >= 0 for seat in seats):
            yield f"{words} {_numbers(seats)}".strip()

    return Item(
        f"{words and words + ' '}((?:[\\d-] ?)+)",
        lambda s, who, match: getattr(s, name).__setitem__(who, _slots(match[1])),
        write,
    )


def _take_dug(state: State, _who: int, match: re.Match[str]) -> None:
    state.dug.append(int(match[1]))
    state.dug_by.append(int(match[2]))


GRAVES: tuple[Item[State], ...] = (
    _whole("graves_open", "open"),
    Item(
        r"(\d+) by (\d)",
        _take_dug,
        lambda s, _: [f"{value} by {seat}" for value, seat in zip(s.dug, s.dug_by, strict=True)],
    ),
    _whole("graves_unseen", "unseen"),
)


def _take_under(state: State, _who: int, match: re.Match[str]) -> None:
    laid, rest = (
        [SPHINX_NAMES.index(name) for name in words.split()] for words in (match[3], match[4].replace("-", ""))
    )
    state.under.append(Under(int(match[1]), match[2] == "stated", laid, rest))


def _write_under(state: State, _who: int) -> Iterable[str]:
    for pile in state.under:
        laid, rest = (" ".join(SPHINX_NAMES[card] for card in cards) or "-" for cards in (pile.laid, pile.rest))
        yield f"by {pile.seat} {'stated' if pile.ordered else 'shuffled'} {laid} left {rest}"


def _take_asked(state: State, _who: int, match: re.Match[str]) -> None:
    state.stage = match[1]
    state.asked = [int(seat) for seat in match[2].split(" ")] if match[2] else []


def _write_asked(state: State, _who: int) -> Iterable[str]:
    yield state.stage + (f" by {_numbers(state.asked)}" if state.asked else "")


ASKED: tuple[Item[State], ...] = (
    Item(f"({'|'.join(STAGES)})(?: by ([\\d ]+))?", _take_asked, _write_asked),
    flag("again", "a second ship"),
    flag("together", "all at once"),
    choice("site", SITES, "at #", listed=False),
    figure("place", "slot #"),
    figure("freed", "from the queue #"),
    figure("reach", "strength left #"),
    Item(
        r"market (\w+)",
        lambda s, _, match: setattr(s, "market", match[1]),
        lambda s, _: [f"market {s.market}"] if s.market else [],
    ),
)


def _take_closed(state: State, _who: int, match: re.Match[str]) -> None:
    state.taken |= 1 << SPACES.index(match[0])


def _write_closed(state: State, _who: int) -> Iterable[str]:
    if state.taken != _taken(state):
        yield from (SPACES[space] for space in bits(state.taken))


def _settle(state: State, named: set[str]) -> None:
    """What is left over: decks, the track, the spaces that are free, and whose turn it is."""
    for seat in range(state.players):
        state.fleet[seat] = state.fleet[seat] or _stands(state, seat)
        state.power[seat] = mask_of(T, state.ready[seat])
        state.docked[seat] = state.docked[seat] or _docked(state, seat)
    if "closed" not in named:
        state.taken = _taken(state)
    for name, subject in (("deck", "deck"), ("sphinx", "Sphinx deck")):
        if subject not in named:
            setattr(state, name, USUAL[name](state))
    state.track = state.track or USUAL["track"](state)
    if "graves" not in named:
        state.graves_open = list(GRAVES_OPEN)
    state.graves_unseen = _unseen(state)
    if min(state.graves_unseen) < 0:
        raise ValueError("there are more graves than in the box")
    if "asked" not in named:
        state.stage, state.asked = SHIP, state.order[:1]


def _asked_unsaid(state: State, _who: int, said: str) -> bool:
    return said == f"{SHIP} by {state.order[0]}"


GAME: tuple[Item[State], ...] = (
    figure("round", "round #", 1),
    choice("ring", data.RING_NAMES, "ring #", normal=T.parts.ring.start, listed=False),
    _whole("order", "order"),
    _whole("track", "track"),
)
POSITIONS: Notation[State] = Notation(
    _opened,
    _header,
    (
        Subject(only("game"), GAME),
        Subject(only("river"), (Item(".+", _take_river, _write_river),)),
        Subject(only("closed"), (Item(".+", _take_closed, _write_closed),)),
        Subject(lambda state: [str(seat) for seat in range(state.players)], SEAT),
        Subject(
            lambda _state: [f"at {name}" for name in data.SITE_NAMES],
            (_site_list("slots", "slots"), _site_list("queue", "queue")),
        ),
        Subject(only("graves"), GRAVES),
        Subject(only("obelisk"), (_whole("obelisk", ""),)),
        Subject(lambda _state: [f"pyramid row {i + 1}" for i in range(len(T.rows))], (_site_list("pyramid", ""),)),
        Subject(lambda _state: [f"temple part {i + 1}" for i in range(PARTS)], (_site_list("temple", ""),)),
        Subject(only("asked"), ASKED, _asked_unsaid),
        Subject(only("drawn"), (_whole("drawn", "", SPHINX_NAMES.index, SPHINX_NAMES.__getitem__),)),
        Subject(
            only("under the Sphinx deck"),
            (Item(r"by (\d) (stated|shuffled) (.+) left (.+)", _take_under, _write_under),),
        ),
        Subject(only("deck"), (_whole("deck", "", T.names.index, T.names.__getitem__),)),
        Subject(only("Sphinx deck"), (_whole("sphinx", "", SPHINX_NAMES.index, SPHINX_NAMES.__getitem__),)),
    ),
    _settle,
)
