"""Amun-Re's position notation.

    4 players, card_draft on
    game: kingdom 2, round 3, temple 1, total 8, first Blue
    up: Abydos, Thebes hiding block + rebid
    Red: owns Mendes + Abu, gold 20, points 5, architect, 2 block, keeps half bonus, bids 3 on Abydos, beaten on Sawu
    White: offered 9, items 3
    Mendes: Red, farmers 3, free farmers 1, stones 2, pyramids 1
    discard: 2 block
    asked: build by Red, then Black Blue White

Provinces with nothing on them are said with their owner (`owns`), others on lines of their own; written are lines only.
Cards of which nothing is said are in the deck, provinces in the pool of those still to be turned up. Hands are empty,
and Red is first and the first to act. `deck: block, rebid` with `White: all other cards` leaves just these two cards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from pbem.engine.amunre import RULES
from pbem.engine.amunre.board import load
from pbem.engine.amunre.data import CARDS, COPIES, LANDS, PRICES, PROVINCES, SPACE_OF
from pbem.engine.amunre.scoring import PARTS
from pbem.engine.amunre.state import BUILD, DRAFTS, PHASES, Options, State
from pbem.engine.core.rng import Rng
from tests.engine.positions import Item, Notation, Subject, choice, counted, figure, flag, number, only, row

if TYPE_CHECKING:
    from collections.abc import Iterable

SEATS = ("Red", "Black", "Blue", "White", "Yellow")
STEPS = tuple(
    f"{name} {'bought' if phase < BUILD else 'taken'}" if phase in DRAFTS else name for phase, name in enumerate(PHASES)
)
"""What is asked, by phase: both drafts have words of their own."""
_LAND = f"({'|'.join(PROVINCES)})"
_CARD = f"(?:{'|'.join(CARDS)})"
_ALL = "all other cards"


def _opened(first: str) -> State:
    match = re.fullmatch(r"([3-5]) players((?:, \w+ \w+)*)", first)
    if not match:
        raise ValueError(f"{first!r} doesn't say how many players, such as `4 players, card_draft on`")
    seats = int(match[1])
    options = dict(word.split(" ") for word in match[2].split(", ")[1:])
    bare = RULES.setup(seats, options, Rng("", 0)).state
    state: State = msgspec.structs.replace(
        bare,
        first=0,
        hands=[[0] * len(CARDS) for _ in range(seats)],
        shown=[],
        buried=[],
        used=[],
        stones=[0] * LANDS,
        pyramids=[0] * LANDS,
        asked=[0],
        deck=[0] * len(CARDS),
    )
    return state


def _header(state: State) -> str:
    if state.board != load(""):
        raise ValueError("a club's own board has no position notation")
    said = [f"{name} {value}" for name, value in msgspec.structs.asdict(state.options).items()]
    usual = [f"{name} {value}" for name, value in msgspec.structs.asdict(Options()).items()]
    return ", ".join([f"{state.seats} players", *(word for word in said if word not in usual)])


def _take_shown(state: State, _who: int, match: re.Match[str]) -> None:
    state.shown.append(PROVINCES.index(match[1]))
    state.buried.append([CARDS.index(name) for name in match[2].split(" + ")] if match[2] else [])


def _write_shown(state: State, _who: int) -> Iterable[str]:
    for p, cards in zip(state.shown, state.buried, strict=True):
        yield PROVINCES[p] + (" hiding " + " + ".join(CARDS[kind] for kind in cards) if cards else "")


def _take_bid(state: State, seat: int, match: re.Match[str]) -> None:
    if int(match[1]) not in SPACE_OF:
        raise ValueError(f"{match[1]} is no bid space")
    state.bids[seat] = SPACE_OF[int(match[1])]
    state.at[seat] = PROVINCES.index(match[2]) if match[2] else -1


def _write_bid(state: State, seat: int) -> Iterable[str]:
    if (at := state.at[seat]) >= 0:
        yield f"bids {PRICES[state.bids[seat]]} on {PROVINCES[at]}"
    elif state.bids[seat] >= 0:
        yield f"bid last {PRICES[state.bids[seat]]}"


def _take_keeps(state: State, seat: int, match: re.Match[str]) -> None:
    state.keeps[seat] = [CARDS.index(name) for name in match[1].split(" + ")]


def _write_keeps(state: State, seat: int) -> Iterable[str]:
    if kept := state.keeps[seat]:
        yield "keeps " + " + ".join(CARDS[kind] for kind in kept)


def _take_all(state: State, seat: int, _match: re.Match[str]) -> None:
    state.hands[seat] = [-1] * len(CARDS)  # settled at the end


def _take_owns(state: State, seat: int, match: re.Match[str]) -> None:
    for name in match[1].split(" + "):
        state.owner[PROVINCES.index(name)] = seat


SEAT: tuple[Item[State], ...] = (
    Item(f"owns ({_LAND}(?: \\+ {_LAND})*)", _take_owns, lambda _state, _seat: ()),
    number("gold", "gold #", 20),
    number("points", "points #"),
    Item(_ALL, _take_all, lambda _state, _seat: ()),
    counted(CARDS, lambda state, seat: state.hands[seat]),
    Item(f"keeps ({_CARD}(?: \\+ {_CARD})*)", _take_keeps, _write_keeps),
    Item(f"bids (\\d+) on {_LAND}", _take_bid, _write_bid),
    Item(r"bid last (\d+)()", _take_bid, lambda _state, _seat: ()),
    choice("beaten", PROVINCES, "beaten on #"),
    number("blocks", "blocks #"),
    number("rebids", "rebids #"),
    Item("theft", lambda s, seat, _: s.offers.__setitem__(seat, 0), lambda s, seat: ["theft"] * (s.offers[seat] == 0)),
    Item(
        r"offered (\d+)",
        lambda s, seat, match: s.offers.__setitem__(seat, int(match[1])),
        lambda s, seat: [f"offered {s.offers[seat]}"] if s.offers[seat] > 0 else [],
    ),
    flag("adjusters", "adjusts", listed=True),
    number("items", "items #"),
)
PROVINCE: tuple[Item[State], ...] = (
    choice("owner", SEATS),
    number("farmers", "farmers #"),
    number("ground", "free farmers #"),
    number("stones", "stones #"),
    number("pyramids", "pyramids #"),
)


def _seats(words: str) -> list[int]:
    return [SEATS.index(name) for name in words.split(" ")]


def _take_asked(state: State, _who: int, match: re.Match[str]) -> None:
    state.phase = STEPS.index(match[1])
    state.asked = _seats(match[2]) if match[2] else []


def _write_asked(state: State, _who: int) -> Iterable[str]:
    yield STEPS[state.phase] + (" by " + " ".join(SEATS[seat] for seat in state.asked) if state.asked else "")


def _then(name: str, words: str) -> Item[State]:
    return Item(
        f"{words} (.+)",
        lambda state, _who, match: setattr(state, name, _seats(match[1])),
        lambda state, _who: (
            [f"{words} {' '.join(SEATS[seat] for seat in getattr(state, name))}"] * bool(getattr(state, name))
        ),
    )


def _unsaid(state: State, _who: int, said: str) -> bool:
    """Red's bid, or farmers and stones of all where the provinces have their owners, needn't be said."""
    return said == _usual(state)


def _usual(state: State) -> str:
    rest = " ".join(SEATS[1 : state.seats])
    return f"build by Red, then {rest}" if any(seat >= 0 for seat in state.owner) else "bid by Red"


def _take_top(state: State, _who: int, match: re.Match[str]) -> None:
    state.top.append(CARDS.index(match[1]))
    state.top_known.append(SEATS.index(match[2]))


def _write_top(state: State, _who: int) -> Iterable[str]:
    for kind, seat in zip(state.top, state.top_known, strict=True):
        yield f"{CARDS[kind]} seen by {SEATS[seat]}"


def _tally(number_: int) -> Subject[State]:
    """The points of one kingdom by seat: pyramids, sets, banks, temples, cards, gold."""

    def read(state: State, _who: int, match: re.Match[str]) -> None:
        while len(state.tally) < number_:
            state.tally.append([[0] * len(PARTS) for _ in range(state.seats)])
        state.tally[number_ - 1][SEATS.index(match[1])] = [int(points) for points in match[2].split("+")]

    def write(state: State, _who: int) -> Iterable[str]:
        for seat, parts in enumerate(state.tally[number_ - 1] if len(state.tally) >= number_ else ()):
            yield f"{SEATS[seat]} {'+'.join(map(str, parts))}"

    return Subject(only(f"kingdom {number_}"), (Item(r"(\w+) ([\d+]+)", read, write),))


def _rest(state: State) -> list[int]:
    """By kind, the cards that lie nowhere else."""
    loose = (*state.top, *state.drawn, *(card for cards in state.buried for card in cards))
    return [
        count - sum(hand[kind] for hand in state.hands) - state.discard[kind] - loose.count(kind)
        for kind, count in enumerate(COPIES)
    ]


def _take_deck(state: State, _who: int, match: re.Match[str]) -> None:
    state.deck[CARDS.index(match[2])] += int(match[1] or 1)


def _pool(state: State) -> list[int]:
    gone = {*state.shown, *(p for p in range(LANDS) if state.owner[p] >= 0)}
    every = range(LANDS) if state.kingdom == 1 else sorted(state.used)
    return [p for p in every if p not in gone]


def _used(state: State) -> list[int]:
    return [*[p for p in range(LANDS) if state.owner[p] >= 0], *state.shown]


def _differs(name: str, usual: str) -> Item[State]:
    """A list of provinces that is said if it isn't the usual one; `-` for none."""

    def write(state: State, _who: int) -> Iterable[str]:
        if (lands := getattr(state, name)) != globals()[usual](state):
            yield " ".join(PROVINCES[p] for p in lands) or "-"

    return Item(
        ".+",
        lambda state, _who, match: setattr(
            state, name, [PROVINCES.index(word) for word in match[0].replace("-", "").split()]
        ),
        write,
    )


def _settle(state: State, named: set[str]) -> None:
    """What is left over: the cards in the deck, the provinces in the pool, and whose turn it is."""
    if "revealed" not in named:
        state.used = _used(state)
    if "pool" not in named:
        state.pool = _pool(state)
    everything = [seat for seat, hand in enumerate(state.hands) if hand[0] < 0]
    for seat in everything:
        state.hands[seat] = [0] * len(CARDS)
    if "deck" in named and not everything:
        raise ValueError(f"the deck holds what lies nowhere else: say who has {_ALL}")
    rest = _rest(state)
    if everything:
        state.hands[everything[0]] = [left - kept for left, kept in zip(rest, state.deck, strict=True)]
    else:
        state.deck = rest
    if lacking := [CARDS[kind] for kind, count in enumerate(state.deck) if count < 0]:
        raise ValueError(f"there are more cards than in the box: {', '.join(lacking)}")
    if "asked" not in named:
        usual = _usual(state)
        state.phase, state.asked = (BUILD, [0]) if usual.startswith("build") else (state.phase, state.asked)
        state.queue = list(range(1, state.seats)) if usual.startswith("build") else []


POSITIONS: Notation[State] = Notation(
    _opened,
    _header,
    (
        Subject(
            only("game"),
            (
                figure("kingdom", "kingdom #", 1),
                figure("round", "round #", 1),
                figure("temple", "temple #"),
                figure("total", "total #"),
                figure("bids_made", "bids so far #"),
                choice("first", SEATS, "first #", normal=0, listed=False),
            ),
        ),
        Subject(only("up"), (Item(f"{_LAND}(?: hiding (.+))?", _take_shown, _write_shown),)),
        Subject(lambda state: SEATS[: state.seats], SEAT),
        Subject(
            only("asked"),
            (
                Item(f"({'|'.join(STEPS)})(?: by (.+))?", _take_asked, _write_asked),
                _then("queue", "then"),
                _then("built", "built already"),
            ),
            _unsaid,
        ),
        Subject(lambda _state: PROVINCES, PROVINCE),
        Subject(only("discard"), (counted(CARDS, lambda state, _who: state.discard),)),
        Subject(only("deck"), (Item(f"(?:(\\d+) )?({_CARD})", _take_deck, lambda _state, _who: ()),)),
        Subject(only("top"), (Item(rf"({_CARD}) seen by (\w+)", _take_top, _write_top),)),
        Subject(only("drawn"), (figure("back", "to put back #"), row("drawn", CARDS.index, CARDS.__getitem__))),
        Subject(only("revealed"), (_differs("used", "_used"),)),
        Subject(only("pool"), (_differs("pool", "_pool"),)),
        _tally(1),
        _tally(2),
    ),
    _settle,
)
