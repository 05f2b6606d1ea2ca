"""Every way in which a state can be unsound, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from pbem.engine.egizia import data
from pbem.engine.egizia import state as s
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import ANYTIME, Tables, bits, tables_of


def problems_of(state: State) -> Iterator[str]:
    """Every broken invariant of `state`."""
    t = tables_of(state.components)
    yield from _course(state)
    for seat in range(state.players):
        yield from _seat(t, state, seat)
    yield from _cards(t, state)
    yield from _river(t, state)
    yield from _graves(t, state)
    yield from _buildings(t, state)


def _course(state: State) -> Iterator[str]:
    seats = list(range(state.players))
    if sorted(state.order) != seats or sorted(state.track) != seats:
        yield "turn order or score track doesn't hold each seat once"
    if state.stage not in s.STAGES or bool(state.asked) == (state.stage == s.OVER):
        yield f"stage {state.stage} asks {state.asked}"
    if not 1 <= state.round <= data.ROUNDS:
        yield f"round {state.round} (EG-2.1)"
    if any(state.score[ahead] < state.score[behind] for ahead, behind in pairwise(state.track)):
        yield "the score track isn't in order of points (EG-1.4)"
    if bool(state.drawn) != (state.stage == s.KEEP):
        yield "cards are drawn but nobody chooses among them (EG-7.1)"


def _seat(t: Tables, state: State, seat: int) -> Iterator[str]:
    if not 0 <= state.stones[seat] <= t.stone_cap:
        yield f"seat {seat} has {state.stones[seat]} stones (EG-1.3)"
    if any(not 1 <= strength <= t.crew_max for strength in state.crews[seat * 4 : seat * 4 + 4]):
        yield f"seat {seat} has a crew out of range (EG-1.2)"
    if not (0 <= state.stone_at[seat] <= t.last_stone and 0 <= state.grain_at[seat] <= t.last_grain):
        yield f"seat {seat} has a marker off its market (EG-5.3)"
    if s.mask_of(t, state.ready[seat]) != state.power[seat]:
        yield f"seat {seat}: its usable effects and its cards disagree"
    for card in state.laid[seat]:
        if card not in state.fields[seat] or s.colour_of(t, state, seat, card) < 0:
            yield f"seat {seat}: an improver lies on no field of its own, or on a green one (EG-4.4)"


def _cards(t: Tables, state: State) -> Iterator[str]:
    """Every Nile card is in one place at most, every Sphinx card in exactly one."""
    nile = [*state.deck, *(card for card in state.cards if card >= 0)]
    for rows in (state.fields, state.quarries, state.permanents):
        nile += (card for row in rows for card in row)
    nile += (card for row in state.ready for card in row if t.type[card] == ANYTIME)
    if any(times > 1 for times in Counter(nile).values()):
        yield "a Nile card is in two places"
    held = [*state.sphinx, *state.drawn]
    held += (card for under in state.under for card in under.rest)
    held += (card for kept in state.kept for card in kept)
    if sorted(held) != list(range(len(t.sphinx))):
        yield "the Sphinx cards aren't each in one place (EG-7.1)"


def _river(t: Tables, state: State) -> Iterator[str]:
    """Ships, spaces and slots agree (EG-3.3)."""
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


def _graves(t: Tables, state: State) -> Iterator[str]:
    """EG-1.5: tiles dug, open and unseen are all tiles; as many lie open as can."""
    tiles = Counter({value: times for value, times in zip(t.grave_values, state.graves_unseen, strict=True) if times})
    tiles.update(state.dug)
    tiles.update(state.graves_open)
    if tiles != Counter(t.parts.graves) or len(state.dug) != len(state.dug_by):
        yield "the grave tiles don't add up (EG-1.5)"
    due = min(data.OPEN_GRAVES, t.parts.grave_spaces - len(state.dug))
    if len(state.graves_open) != due:
        yield f"{len(state.graves_open)} graves lie open, not {due} (EG-1.5)"


def _buildings(t: Tables, state: State) -> Iterator[str]:
    """EG-6.4 to EG-6.6: nothing stands on nothing."""
    if len(state.obelisk) > len(t.obelisk):
        yield "the Obelisk is higher than it can be (EG-6.4)"
    for row, (owners, values) in enumerate(zip(state.pyramid, t.rows, strict=True)):
        if len(owners) > len(values) or (row and owners and len(owners) >= len(state.pyramid[row - 1])):
            yield f"row {row + 1} of the Pyramid stands on nothing (EG-6.5)"
    for part, values in enumerate(t.temple):
        if len(state.temple[part]) > len(values):
            yield f"the {data.PARTS[part]} is higher than it can be (EG-6.6)"
    full = all(len(state.temple[pylon]) == len(t.temple[pylon]) for pylon in (0, 1))
    if not full and any(owner >= 0 for owner in state.temple[data.ENTABLATURE]):
        yield "the entablature stands on no full pylons (EG-6.6)"
