"""Priests of Ra's position notation.

    3 players, sealed auctions, hidden scores
    table: epoch 2, Ra 5, sun 12
    lot: 2 pyramids, priest
    0: points 14, ankhs 1, suns 13 8, down 5 2, 3 farmers, warrior
    gone: 8 plagues
    turn: 0 to draw or call

The suns that no seat has face up lie face down before them, the lowest first, if no line says where; without any word
of suns each seat has its group of the beginning. The tiles that lie nowhere are in the bag. In an auction the turn
says who called and what is bid: `turn: 1 to bid, of 0, called, best 5 by 2`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.engine.core.rng import Recorded
from pbem.engine.priestsofra import RULES, data
from pbem.engine.priestsofra.state import AUCTIONS, NOBODY, State, suns_of
from tests.engine.positions import Item, Notation, Subject, choice, counted, figure, number, only

if TYPE_CHECKING:
    from collections.abc import Iterable

TO = ("draw or call", "choose a face", "bid", "flip", "nothing: the game is over")
"""What the seat on turn is to do, by phase."""
LINES = (*data.SHEET, "net", "total")
MANY = tuple(spellings[0] for spellings in data.FACE_SPELLINGS.values())
TILES = tuple(name.replace("/", " or ") for name in data.TILES)


def _bits(suns: Iterable[int | str]) -> int:
    """Return suns as the state holds them: bit n is sun n."""
    return sum(1 << int(sun) for sun in suns)


def _opened(first: str) -> State:
    match = re.fullmatch(r"([2-5]) players((?:, (?:sealed auctions|hidden scores))*)", first)
    if not match:
        raise ValueError(f"{first!r} doesn't say how many players, such as `3 players, sealed auctions, hidden scores`")
    seats = int(match[1])
    options = {"auctions": "sealed" if "sealed" in match[2] else "in_turn"}
    options["hide_scores"] = "yes" if "hidden" in match[2] else "no"
    state: State = RULES.setup(seats, options, Recorded([f"suns: {' '.join(data.SUN_GROUPS[seats])}"])).state
    return state


def _header(state: State) -> str:
    words = [f"{state.seats} players", *["sealed auctions"] * state.sealed, *["hidden scores"] * state.hide_scores]
    return ", ".join(words)


def _take_suns(state: State, seat: int, match: re.Match[str]) -> None:
    state.up[seat] = _bits(match[1].split()) if match[1] != "none" else 0
    state.down[seat] = NOBODY  # to be dealt out, unless its own item follows


def _take_down(state: State, seat: int, match: re.Match[str]) -> None:
    state.down[seat] = _bits(match[1].split())


def _write_suns(state: State, seat: int) -> Iterable[str]:
    fresh = _bits(data.SUN_GROUPS[state.seats][seat].split("-"))
    if (state.up[seat], state.down[seat]) != (fresh, 0) or any(state.down):
        yield "suns " + (" ".join(map(str, suns_of(state.up[seat]))) or "none")
        if state.down[seat]:
            yield "down " + " ".join(map(str, suns_of(state.down[seat])))


SUNS: tuple[Item[State], ...] = (
    Item(r"suns ((?:\d+ ?)+|none)", _take_suns, _write_suns),
    Item(r"down ((?:\d+ ?)+)", _take_down, lambda _state, _seat: ()),
)


def _take_lot(state: State, _who: int, match: re.Match[str]) -> None:
    name = match[2]
    face = data.FACES.index(name) if name in data.FACES else MANY.index(name)
    state.lot += [face] * int(match[1] or 1)


LOT: Item[State] = Item(
    f"(?:(\\d+) )?({'|'.join((*MANY, *data.FACES))})",
    _take_lot,
    lambda state, _who: (data.FACES[face] for face in state.lot),
)


def _take_turn(state: State, _who: int, match: re.Match[str]) -> None:
    state.actor = NOBODY if match[1] == "nobody" else int(match[1])
    state.turn = max(state.actor, 0)
    state.phase = TO.index(match[2])


def _take_best(state: State, _who: int, match: re.Match[str]) -> None:
    state.best, state.best_by = int(match[1]), int(match[2])


def _caller(state: State, _who: int, match: re.Match[str]) -> None:
    state.turn = int(match[1])


def _write_turn(state: State, _who: int) -> Iterable[str]:
    yield f"{'nobody' if state.actor == NOBODY else state.actor} to {TO[state.phase]}"
    if state.turn != max(state.actor, 0):
        yield f"of {state.turn}"


TURN: tuple[Item[State], ...] = (
    Item(rf"(\d|nobody) to ({'|'.join(TO)})", _take_turn, _write_turn),
    Item(r"of (\d)", _caller, lambda _state, _who: ()),
    choice("auction", AUCTIONS, normal=0, listed=False),
    Item(
        r"best (\d+) by (\d)",
        _take_best,
        lambda state, _who: [f"best {state.best} by {state.best_by}"] if state.best else [],
    ),
    choice("drawn", TILES, "drawn #", normal=0, listed=False),
    figure("flips", "priests to use #"),
)


def _take_sheet(state: State, epoch: int, match: re.Match[str]) -> None:
    while len(state.sheets) <= epoch:
        state.sheets.append([[0] * len(LINES) for _ in range(state.seats)])
    for word in match[2].split(" "):
        name, _, points = word.partition("=")
        state.sheets[epoch][int(match[1])][LINES.index(name)] = int(points)


def _write_sheet(state: State, epoch: int) -> Iterable[str]:
    for seat, row in enumerate(state.sheets[epoch] if epoch < len(state.sheets) else ()):
        yield f"seat {seat} " + " ".join(f"{name}={points}" for name, points in zip(LINES, row, strict=True))


def _take_end(state: State, _who: int, match: re.Match[str]) -> None:
    state.sold.append(int(match[2]))
    state.endings.append(data.ENDINGS.index(match[1]))


def _settle(state: State, named: set[str]) -> None:
    """Deal the suns that were not named, count sales, and put the tiles that are left into the bag."""
    groups = [[int(sun) for sun in group.split("-")] for group in data.SUN_GROUPS[state.seats]]
    there = {1, *(sun for group in groups for sun in group)}
    said = {state.centre, *(sun for bits in state.up for sun in suns_of(bits))}
    said |= {sun for bits in state.down if bits > 0 for sun in suns_of(bits)}
    pool = sorted(there - said)
    for seat, bits in enumerate(state.down):
        if bits == NOBODY:
            short = len(groups[0]) - len(suns_of(state.up[seat]))
            state.down[seat] = _bits(pool[:short])
            del pool[:short]
    if "sold" not in named:
        state.sales = sum(len(suns_of(bits)) for bits in state.down)
    if "bag" not in named:
        state.bag = _rest(state)
    if "turn" not in named and not state.up[state.actor]:
        raise ValueError(f"seat {state.actor} is on turn without a sun that lies face up: say whose turn it is")
    if lacking := [name for name, count in zip(data.TILES, state.bag, strict=True) if count < 0]:
        raise ValueError(f"there are more tiles than in the box: {', '.join(lacking)}")


def _rest(state: State) -> list[int]:
    """The tiles that lie nowhere."""
    bag = [count - gone for count, gone in zip(data.TILE_COUNTS, state.gone, strict=True)]
    bag[data.RA] -= state.ra
    if state.drawn:
        bag[state.drawn] -= 1
    for face in state.lot:
        bag[data.TILE_OF[face]] -= 1
    for tiles in state.display:
        for face, count in enumerate(tiles):
            bag[data.TILE_OF[face]] -= count
    return bag


def _sales_differ(state: State, _who: int) -> Iterable[str]:
    if state.sales != sum(len(suns_of(bits)) for bits in state.down):
        yield f"{state.sales} in this epoch"


SEAT = (
    number("points", "points #", data.START_POINTS),
    number("ankhs", "ankhs #"),
    *SUNS,
    counted(data.FACES, lambda state, seat: state.display[seat], MANY),
)
POSITIONS: Notation[State] = Notation(
    _opened,
    _header,
    (
        Subject(only("table"), (figure("epoch", "epoch #", 1), figure("ra", "Ra #"), figure("centre", "sun #", 1))),
        Subject(only("lot"), (LOT,)),
        Subject(lambda state: [str(seat) for seat in range(state.seats)], SEAT),
        Subject(only("gone"), (counted(TILES, lambda state, _who: state.gone),)),
        Subject(only("turn"), TURN, lambda _state, _who, said: said == f"0 to {TO[0]}"),
        Subject(only("auctions"), (figure("auctions", "# so far"),)),
        Subject(
            only("sold"), (Item(r"(\d+) in this epoch", lambda s, _, m: setattr(s, "sales", int(m[1])), _sales_differ),)
        ),
        Subject(
            lambda _state: [f"sheet {epoch}" for epoch in range(1, data.EPOCHS + 1)],
            (Item(r"seat (\d) (.+)", _take_sheet, _write_sheet),),
        ),
        Subject(
            only("ended"),
            (
                Item(
                    rf"({'|'.join(data.ENDINGS)}) after (\d+)",
                    _take_end,
                    lambda s, _: [f"{data.ENDINGS[e]} after {n}" for n, e in zip(s.sold, s.endings, strict=True)],
                ),
            ),
        ),
    ),
    _settle,
)
