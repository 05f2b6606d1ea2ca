"""The whole of a game in small integers and lists."""

from __future__ import annotations

from copy import copy
from typing import Final

import msgspec

from pbem.engine.core.types import N_
from pbem.engine.egizia.tables import Tables

SHIP, LEFTOVER, FEED, SHIFT, BUILD, DRAW, KEEP, DIG, AFTER, OVER = (
    N_("ship"),
    N_("leftover"),
    N_("feed"),
    N_("move"),
    N_("build"),
    N_("sphinx"),
    N_("keep"),
    N_("dig"),
    N_("after"),
    N_("over"),
)
STAGES: Final = (SHIP, LEFTOVER, FEED, SHIFT, BUILD, DRAW, KEEP, DIG, AFTER, OVER)
"""Where a game can stand; all but `over` are the kind of decision asked."""
AT_SITE: Final = frozenset({SHIFT, BUILD, DRAW, KEEP, DIG})
TOGETHER: Final = frozenset({FEED, AFTER})
"""EG-4.5: the decisions asked of everybody concerned at once."""


class Under(msgspec.Struct):
    """Cards put back under the Sphinx deck in one go (EG-7.1)."""

    seat: int
    ordered: bool
    """True: they lie as the player said, the first on top; else shuffled, which is settled when they are drawn."""
    laid: list[int]
    """All that were put back, as the player knows them."""
    rest: list[int]
    """Those not drawn since."""


class State(msgspec.Struct):
    """One game. Lists are by seat unless said; crews are flat: seat * 4 + crew. Spaces are 0..19, cards are indices."""

    players: int
    components: str
    """The club's own set as JSON text; "" for the one that ships."""
    round: int
    stage: str
    asked: list[int]
    """Seats that must act: all of them in a stage of TOGETHER, else the first; those behind it follow."""
    order: list[int]
    """Seats in turn order."""
    track: list[int]
    """Seats from the front of the score track backwards (EG-1.4)."""
    score: list[int]
    stones: list[int]
    crews: list[int]
    tired: list[int]
    """Mask of the crews used this round."""
    stone_at: list[int]
    grain_at: list[int]
    ring: int
    deck: list[int]
    """Nile cards of the present deck that nobody has seen."""
    cards: list[int]
    """By river space: the Nile card that lies there, else -1."""
    taken: int
    """Mask of the card and round spaces that are no longer free."""
    fleet: list[list[int]]
    """Spaces of the ships placed this round, in order; the last one counts (EG-3.2)."""
    docked: list[int]
    """Mask of the site spaces with an own ship this round."""
    passed: int
    again: bool
    """Whether the seat that sails places a second ship (EG-4.3)."""
    slots: list[list[int]]
    """By site: the seat in each slot, nearest the river first, -1 for none."""
    queue: list[list[int]]
    fields: list[list[int]]
    quarries: list[list[int]]
    permanents: list[list[int]]
    ready: list[list[int]]
    """Open cards that can be used now: any-time ones, and permanents not used this round or laid."""
    power: list[int]
    """Mask of the effects in `ready`."""
    laid: list[list[int]]
    """Fields that bear an improver, once for each."""
    graves_unseen: list[int]
    """How many tiles of each value (ascending) nobody has seen."""
    graves_open: list[int]
    """Values of the open tiles along the path."""
    dug_by: list[int]
    """Seats along the path."""
    dug: list[int]
    """Values along the path."""
    obelisk: list[int]
    """Seats in sequence."""
    pyramid: list[list[int]]
    """Seats by row from the bottom, from the left."""
    temple: list[list[int]]
    """Seats by part from the bottom; the entablature by space, -1 for none."""
    sphinx: list[int]
    """Cards of the Sphinx deck that were never drawn, in no order."""
    under: list[Under]
    kept: list[list[int]]
    drawn: list[int]
    """What the seat asked to keep has drawn."""
    site: int
    """The site that builds, -1 before the first."""
    place: int
    """How many slots of it have had their turn."""
    freed: int
    """Places given to the queue (EG-6.1)."""
    worked: list[int]
    """Mask of the sites where a stone was used this round (EG-8.1)."""
    reach: int
    """Strength left of a running action that may dig on."""
    market: str
    """The market that a running action will step on, "" if no Obelisk stone was laid in it."""


_FLAT: Final = (
    "asked",
    "order",
    "track",
    "score",
    "stones",
    "crews",
    "tired",
    "stone_at",
    "grain_at",
    "deck",
    "cards",
    "docked",
    "power",
    "graves_unseen",
    "graves_open",
    "dug_by",
    "dug",
    "obelisk",
    "sphinx",
    "drawn",
    "worked",
)
_NESTED: Final = (
    "fleet",
    "slots",
    "queue",
    "fields",
    "quarries",
    "permanents",
    "ready",
    "laid",
    "pyramid",
    "temple",
    "kept",
)


def acting(state: State) -> list[int]:
    """The seats that must act now."""
    return state.asked if state.stage in TOGETHER else state.asked[:1]


def copy_of(state: State) -> State:
    """A state that shares nothing mutable with `state`."""
    new = copy(state)
    for name in _FLAT:
        setattr(new, name, getattr(state, name)[:])
    for name in _NESTED:
        setattr(new, name, [row[:] for row in getattr(state, name)])
    new.under = [Under(u.seat, u.ordered, u.laid[:], u.rest[:]) for u in state.under]
    return new


def colour_of(t: Tables, state: State, seat: int, card: int) -> int:
    """The colour of an own field with its improvers: 0 green, 1 yellow, 2 brown (EG-4.4)."""
    return t.colour[card] - state.laid[seat].count(card)


def field_sums(t: Tables, state: State, seat: int) -> list[int]:
    """Grain by colour, start field and improvers included."""
    sums = [0, 0, 0]
    sums[t.start_colour] += t.parts.start_field.value
    laid = state.laid[seat]
    for card in state.fields[seat]:
        sums[t.colour[card] - laid.count(card)] += t.value[card]
    return sums


def grain_of(t: Tables, state: State, seat: int) -> int:
    """EG-1.7, EG-5.1: grain of the watered fields."""
    ring, laid, grain = state.ring, state.laid[seat], 0
    if t.start_colour <= ring:
        grain = t.parts.start_field.value
    for card in state.fields[seat]:
        if t.colour[card] - (laid.count(card) if laid else 0) <= ring:
            grain += t.value[card]
    return grain


def need_of(state: State, seat: int) -> int:
    """EG-5.1: grain that the four crews want."""
    return sum(state.crews[seat * 4 : seat * 4 + 4])


def quarry_of(t: Tables, state: State, seat: int) -> int:
    """EG-5.2: stones a round."""
    return t.parts.start_quarry + sum(t.value[card] for card in state.quarries[seat])


def own_stones(state: State, seat: int) -> tuple[int, int, int, int]:
    """Own stones on Obelisk, graves, Pyramid and Temple."""
    return (
        state.obelisk.count(seat),
        state.dug_by.count(seat),
        sum(row.count(seat) for row in state.pyramid),
        sum(part.count(seat) for part in state.temple),
    )


def sphinx_left(state: State) -> int:
    """Cards in the Sphinx deck, those put back included."""
    return len(state.sphinx) + sum(len(under.rest) for under in state.under)


def mask_of(t: Tables, cards: list[int]) -> int:
    """The effects that `cards` have, as a mask."""
    mask = 0
    for card in cards:
        mask |= t.power[card]
    return mask
