"""The whole of a game in small integers and lists, and what must always hold of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import get_origin

import msgspec
from msgspec.structs import fields

from pbem.engine.core.copying import copied
from pbem.engine.core.message import N_
from pbem.engine.egizia import data
from pbem.engine.egizia.tables import ANYTIME, Tables, bits, tables_of

STAGES = (
    *(N_("ship"), N_("leftover"), N_("feed"), N_("move"), N_("build")),
    *(N_("sphinx"), N_("keep"), N_("dig"), N_("after"), N_("over")),
)
"""Where a game can stand; all but `over` are the kind of decision asked."""
SHIP, LEFTOVER, FEED, SHIFT, BUILD, DRAW, KEEP, DIG, AFTER, OVER = STAGES
AT_SITE = frozenset({SHIFT, BUILD, DRAW, KEEP, DIG})
TOGETHER = frozenset({FEED, AFTER})
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


class State(msgspec.Struct, omit_defaults=True):
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
    together: bool = False
    """Whether everybody's next ship is asked at once, to be placed in turn."""

    @property
    def t(self) -> Tables:
        """What the components of this game print."""
        return tables_of(self.components)

    @property
    def acting(self) -> list[int]:
        """The seats that must act now."""
        return self.asked if self.stage in TOGETHER else self.asked[:1]

    @property
    def sphinx_left(self) -> int:
        """Cards in the Sphinx deck, those put back included."""
        return len(self.sphinx) + sum(len(under.rest) for under in self.under)

    @property
    def drawn_names(self) -> tuple[str, ...]:
        """The Sphinx cards drawn, as far as they may be known."""
        return tuple(self.t.sphinx[card].id for card in self.drawn if card >= 0)

    def free_slots(self, site: int) -> tuple[int, ...]:
        """EG-3.3: the free slots of a site, 1 nearest the river."""
        return tuple([slot for slot, owner in enumerate(self.slots[site], 1) if owner < 0])

    def is_full(self, part: int) -> bool:
        """EG-6.6: whether every space of a pylon or column of the Temple is built."""
        return len(self.temple[part]) == len(self.t.temple[part])

    def own(self, seat: int) -> Own:
        """Return what a seat has."""
        return Own(self, seat, tables_of(self.components))

    def copy(self) -> State:
        """Return a state that shares nothing mutable with this one."""
        return copied(self, State)


KINDS: dict[str, type] = {field.name: get_origin(field.type) or field.type for field in fields(State)}
"""The type of each field of a state."""


class Own(msgspec.Struct):
    """What one seat has in a state, as it stands whenever it is asked for."""

    state: State
    seat: int
    t: Tables

    @property
    def mark(self) -> tuple[str, ...]:
        """The board element of what the seat has."""
        return (f"seat:{self.seat}",)

    @property
    def points(self) -> int:
        """Points scored."""
        return self.state.score[self.seat]

    @property
    def stones(self) -> int:
        """Stones in hand."""
        return self.state.stones[self.seat]

    @property
    def crews(self) -> list[int]:
        """The strength of the four crews."""
        return self.state.crews[self.seat * 4 : self.seat * 4 + 4]

    @property
    def tired(self) -> int:
        """Mask of the crews used this round."""
        return self.state.tired[self.seat]

    @property
    def fleet(self) -> list[int]:
        """Spaces of the ships placed this round."""
        return self.state.fleet[self.seat]

    @property
    def last(self) -> int:
        """The space of the ship that counts for EG-3.2; -1 before the first."""
        return self.fleet[-1] if self.fleet else -1

    @property
    def ships(self) -> int:
        """EG-3.1: ships that can still be placed in this round: none by who has passed."""
        return 0 if self.state.passed >> self.seat & 1 else data.SHIPS - len(self.fleet)

    @property
    def docked(self) -> int:
        """Mask of the site spaces with a ship."""
        return self.state.docked[self.seat]

    @property
    def ready(self) -> list[int]:
        """Cards that can be used now."""
        return self.state.ready[self.seat]

    @property
    def power(self) -> int:
        """Mask of their effects."""
        return self.state.power[self.seat]

    @property
    def fields(self) -> list[int]:
        """Cards of the fields."""
        return self.state.fields[self.seat]

    @property
    def kept(self) -> list[int]:
        """Sphinx cards."""
        return self.state.kept[self.seat]

    def values(self, power: int) -> list[int]:
        """Values of the cards with this effect that can be used now."""
        if not self.power & power:
            return []
        value, effect = self.t.value, self.t.power
        return [value[card] for card in self.ready if effect[card] == power]

    def count(self, power: int) -> int:
        """How many cards with this effect can be used now."""
        return len(self.values(power))

    def colour(self, card: int) -> int:
        """Return the colour of a field with its improvers: 0 green, 1 yellow, 2 brown (EG-4.4)."""
        return self.t.colour[card] - self.state.laid[self.seat].count(card)

    @property
    def field_sums(self) -> list[int]:
        """Grain by colour, start field and improvers included."""
        sums = [0, 0, 0]
        sums[self.t.start_colour] += self.t.parts.start_field.value
        for card in self.fields:
            sums[self.colour(card)] += self.t.value[card]
        return sums

    @property
    def grain(self) -> int:
        """EG-1.7, EG-5.1: grain of the watered fields."""
        t, ring, laid, grain = self.t, self.state.ring, self.state.laid[self.seat], 0
        if t.start_colour <= ring:
            grain = t.parts.start_field.value
        for card in self.state.fields[self.seat]:
            if t.colour[card] - (laid.count(card) if laid else 0) <= ring:
                grain += t.value[card]
        return grain

    @property
    def need(self) -> int:
        """EG-5.1: grain that the four crews want."""
        return sum(self.state.crews[self.seat * 4 : self.seat * 4 + 4])

    @property
    def quarry(self) -> int:
        """EG-5.2: stones a round."""
        return self.t.parts.start_quarry + sum([self.t.value[card] for card in self.state.quarries[self.seat]])

    @property
    def missing(self) -> int:
        """EG-5.1: grain that the watered fields don't give."""
        return max(0, self.need - self.grain)

    @property
    def cost(self) -> int:
        """EG-5.1: points that each missing grain costs."""
        return self.t.parts.grain_market_cost[self.state.grain_at[self.seat]]

    @property
    def graves(self) -> int:
        """EG-4.4, EG-9.2: the sum of the own graves, and of the graves card."""
        dug = zip(self.state.dug_by, self.state.dug, strict=True)
        lasting = self.state.permanents[self.seat]
        more = sum(self.t.value[card] for card in lasting if self.t.power[card] == data.GRAVES_8)
        return more + sum(value for owner, value in dug if owner == self.seat)

    def strength(self, crews: Iterable[str], using: tuple[str, ...] = ()) -> int:
        """EG-4.3, EG-6.2: what `crews` can build, +3 cards included."""
        at, total, index = self.seat * 4, 0, data.CREW_INDEX
        for crew in crews:
            if crew in index:
                total += self.state.crews[at + index[crew]]
        return total + sum(self.values(data.PLUS_3)[: using.count("+3")]) if using else total

    @property
    def built(self) -> dict[str, int]:
        """The own stones by building."""
        state, seat = self.state, self.seat
        counts = (
            state.obelisk.count(seat),
            state.dug_by.count(seat),
            sum(row.count(seat) for row in state.pyramid),
            sum(part.count(seat) for part in state.temple),
        )
        return dict(zip(data.BUILDINGS, counts, strict=True))


def mask_of(t: Tables, cards: list[int]) -> int:
    """Return the effects that `cards` have, as a mask."""
    mask = 0
    for card in cards:
        mask |= t.power[card]
    return mask


def problems_of(state: State) -> tuple[str, ...]:
    """Return every broken invariant, in words."""
    seats = (problem for seat in range(state.players) for problem in _seat(state.own(seat)))
    things = (problem for found in (_cards, _river, _graves, _buildings) for problem in found(state))
    return (*_course(state), *seats, *things)


def _course(state: State) -> Iterator[str]:
    seats = list(range(state.players))
    if sorted(state.order) != seats or sorted(state.track) != seats:
        yield "turn order or score track doesn't hold each seat once"
    if state.stage not in STAGES or bool(state.asked) == (state.stage == OVER):
        yield f"stage {state.stage} asks {state.asked}"
    if not 1 <= state.round <= data.ROUNDS:
        yield f"round {state.round} (EG-2.1)"
    if any(state.score[ahead] < state.score[behind] for ahead, behind in pairwise(state.track)):
        yield "the score track isn't in order of points (EG-1.4)"
    if bool(state.drawn) != (state.stage == KEEP):
        yield "cards are drawn but nobody chooses among them (EG-7.1)"


def _seat(own: Own) -> Iterator[str]:
    t = own.t
    if not 0 <= own.stones <= t.stone_cap:
        yield f"seat {own.seat} has {own.stones} stones (EG-1.3)"
    if any(not 1 <= strength <= t.crew_max for strength in own.crews):
        yield f"seat {own.seat} has a crew out of range (EG-1.2)"
    if not (0 <= own.state.stone_at[own.seat] <= t.last_stone and 0 <= own.state.grain_at[own.seat] <= t.last_grain):
        yield f"seat {own.seat} has a marker off its market (EG-5.3)"
    if mask_of(t, own.ready) != own.power:
        yield f"seat {own.seat}: its usable effects and its cards disagree"
    for card in own.state.laid[own.seat]:
        if card not in own.fields or own.colour(card) < 0:
            yield f"seat {own.seat}: an improver lies on no field of its own, or on a green one (EG-4.4)"


def _cards(state: State) -> Iterator[str]:
    """Yield what breaks this: a Nile card is in one place at most, a Sphinx card in exactly one."""
    nile = [*state.deck, *(card for card in state.cards if card >= 0)]
    for rows in (state.fields, state.quarries, state.permanents):
        nile += (card for row in rows for card in row)
    nile += (card for row in state.ready for card in row if state.t.type[card] == ANYTIME)
    if any(times > 1 for times in Counter(nile).values()):
        yield "a Nile card is in two places"
    held = [*state.sphinx, *state.drawn]
    held += (card for under in state.under for card in under.rest)
    held += (card for kept in state.kept for card in kept)
    if sorted(held) != list(range(len(state.t.sphinx))):
        yield "the Sphinx cards aren't each in one place (EG-7.1)"


def _river(state: State) -> Iterator[str]:
    """Ships, spaces and slots agree (EG-3.3)."""
    t = state.t
    placed = [space for fleet in state.fleet for space in fleet]
    for space, times in Counter(placed).items():
        if t.kind[space] == data.CARD and times > 1:
            yield f"{times} ships on one card space (EG-3.3)"
    for seat, fleet in enumerate(state.fleet):
        if len(fleet) > data.SHIPS:
            yield f"seat {seat} has placed {len(fleet)} ships (EG-1.2)"
        docked = sum(1 << space for space in set(fleet) if t.kind[space] == data.SITE)
        if docked != state.docked[seat]:
            yield f"seat {seat}: its ships at sites and its mask disagree"
    mask = t.card_mask | t.round_mask
    lying = {space for space, card in enumerate(state.cards) if card >= 0}
    if lying != set(bits(t.card_mask & ~state.taken)) or state.taken & ~mask:
        yield "cards on the river and free card spaces disagree"
    for site, space in enumerate(t.sites):
        here = [seat for seat in state.slots[site] if seat >= 0] + state.queue[site]
        if sorted(here) != sorted(seat for seat in range(state.players) if state.docked[seat] >> space & 1):
            yield f"{data.SITE_NAMES[site]}: slots and ships disagree (EG-3.3)"


def _graves(state: State) -> Iterator[str]:
    """EG-1.5: tiles dug, open and unseen are all tiles; as many lie open as can."""
    t = state.t
    tiles = Counter({value: times for value, times in zip(t.grave_values, state.graves_unseen, strict=True) if times})
    tiles.update(state.dug)
    tiles.update(state.graves_open)
    if tiles != Counter(t.parts.graves) or len(state.dug) != len(state.dug_by):
        yield "the grave tiles don't add up (EG-1.5)"
    due = min(data.OPEN_GRAVES, t.parts.grave_spaces - len(state.dug))
    if len(state.graves_open) != due:
        yield f"{len(state.graves_open)} graves lie open, not {due} (EG-1.5)"


def _buildings(state: State) -> Iterator[str]:
    """EG-6.4 to EG-6.6: nothing stands on nothing."""
    t = state.t
    if len(state.obelisk) > len(t.obelisk):
        yield "the Obelisk is higher than it can be (EG-6.4)"
    for row, (owners, values) in enumerate(zip(state.pyramid, t.rows, strict=True)):
        if len(owners) > len(values) or (row and owners and len(owners) >= len(state.pyramid[row - 1])):
            yield f"row {row + 1} of the Pyramid stands on nothing (EG-6.5)"
    for part, values in enumerate(t.temple):
        if len(state.temple[part]) > len(values):
            yield f"the {data.PARTS[part]} is higher than it can be (EG-6.6)"
    full = all(state.is_full(pylon) for pylon in data.PYLONS)
    if not full and any(owner >= 0 for owner in state.temple[data.ENTABLATURE]):
        yield "the entablature stands on no full pylons (EG-6.6)"
