"""EG-1, EG-2: the board before the first round, and the course of a game: what comes after what, who is asked next."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.core.message import GONE, N_, event
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data, draws, feeding, monuments, riders, scoring, tombs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.orders import Feed
from pbem.engine.egizia.ply import Ply, opened, wake
from pbem.engine.egizia.sailing import can_sail
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import tables_of

RIVER_EMPTIED = (f"{GONE}space:",)


def start_round(ply: Ply) -> None:
    """EG-2.2: ships, crews and once-a-round cards are fresh; ten cards are laid from Ombos on."""
    t, state = ply.t, ply.state
    state.round += 1
    deck = data.DECK_OF_ROUND[state.round]
    if state.round == 1 or deck != data.DECK_OF_ROUND[state.round - 1]:
        state.deck = list(t.deck_range[deck])
    laid = ply.chance.sample("nile", [t.names[card] for card in state.deck], data.NILE_CARDS)
    for space, name in zip(t.card_spaces, laid, strict=True):
        state.cards[space] = t.index[name]
        state.deck.remove(t.index[name])
    players = state.players
    state.taken = state.passed = 0
    state.fleet = [[] for _ in range(players)]
    state.docked, state.tired, state.worked = [0] * players, [0] * players, [0] * players
    state.slots = [[-1] * t.parts.site_slots[str(players)] for _ in t.sites]
    state.queue = [[] for _ in t.sites]
    state.site, state.place, state.freed = -1, 0, 0
    wake(ply)
    text = N_("Round {round}. On the river: {cards}.")
    ply.events.append(event(text, "EG-2.2", marks=RIVER_EMPTIED, round=state.round, cards=tuple(laid)))
    state.stage, state.asked = s.SHIP, []
    next_sailor(ply, state.order[-1])


def next_sailor(ply: Ply, after: int) -> None:
    """EG-3.1: the next seat in turn order that can sail; who can't passes; when all have, sailing ends."""
    state = ply.state
    order = state.order
    players = state.players
    at = order.index(after)
    passed, everybody = state.passed, (1 << players) - 1
    while passed != everybody:
        at = at + 1 if at + 1 < players else 0
        seat = order[at]
        if passed >> seat & 1:
            continue
        if can_sail(state, seat):
            state.passed, state.asked = passed, [seat]
            return
        passed |= 1 << seat
        ply.of(seat).tell(N_("{seat} has no ship or space left and passes."), "EG-3.1")
    state.passed = passed
    end_sailing(ply)


def end_sailing(ply: Ply) -> None:
    """EG-3.8, EG-4.4: ships but those at sites come back; leftover cards are chosen one after the other."""
    state = ply.state
    back = N_("Everybody has passed; ships but those at sites come back.")
    ply.events.append(event(back, "EG-3.8", marks=RIVER_EMPTIED))
    sites = set(ply.t.sites)
    state.fleet = [[space for space in fleet if space in sites] for fleet in state.fleet]
    state.taken &= ply.t.card_mask
    state.stage = s.LEFTOVER
    state.asked = [
        seat for seat in state.order for card in state.permanents[seat] if ply.t.power[card] == data.LEFTOVER
    ]
    ask_leftover(ply)


def ask_leftover(ply: Ply) -> None:
    """Go on to feeding once nobody may take a card that was left."""
    state = ply.state
    if not state.asked or not feeding.left_on_river(state):
        state.stage, state.asked = s.FEED, feeding.asked_to_feed(ply.state)
        if not state.asked:
            feed(ply, {})


def feed(ply: Ply, orders: Mapping[int, Feed]) -> None:
    """EG-2.1: feeding, quarrying, then the first site."""
    feeding.feed_all(ply, orders)
    feeding.quarry_all(ply)
    next_site(ply)


def next_site(ply: Ply) -> None:
    """EG-6.1: sites in river order; before each, ships may be moved (EG-4.5)."""
    state = ply.state
    state.site += 1
    state.place = state.freed = 0
    if state.site == len(data.SITE_IDS):
        after_building(ply)
        return
    state.stage = s.SHIFT
    state.asked = [seat for seat in state.order if state.power[seat] & data.MOVE]
    ask_move(ply)


def ask_move(ply: Ply) -> None:
    """Drop those who can't move a ship any more; then the slots act."""
    state = ply.state
    while state.asked and not riders.may_move(state.own(state.asked[0])):
        state.asked.pop(0)
    if not state.asked:
        next_ship(ply)


def next_ship(ply: Ply) -> None:
    """EG-6.1: the next slot's ship that can build is asked; then the queue takes the places given away."""
    state = ply.state
    site = state.site
    slots, queue = state.slots[site], state.queue[site]
    while True:
        if state.place < len(slots):
            seat = slots[state.place]
        elif state.freed and state.place < len(slots) + len(queue):
            seat = queue[state.place - len(slots)]
            state.freed -= 1
        else:
            next_site(ply)
            return
        state.place += 1
        if seat < 0:
            continue
        if can_act(ply.of(seat)):
            state.stage, state.asked = (s.BUILD if site else s.DRAW), [seat]
            return
        state.freed += 1
        text = N_("{seat} can't build at {site} and gives the place away.")
        ply.of(seat).tell(text, "EG-6.1", site=data.SITE_NAMES[site])


def can_act(own: Own) -> bool:
    """EG-6.1, EG-7.1: whether anything can be built at the present site, the cards in hand considered."""
    state = own.state
    if not own.stones:
        return False
    if state.site == data.SPHINX:
        return bool(state.sphinx_left) and crews.can_reach(own, 1)
    value = (tombs if state.site == data.OBELISK else monuments).least(state)
    return value > 0 and crews.can_reach(own, value)


def renounced(own: Ply) -> None:
    """EG-6.1: the place goes to the next of the queue."""
    site = data.SITE_NAMES[own.state.site]
    own.tell(N_("{seat} gives the place at {site} away."), "EG-6.1", site=site)
    own.state.freed += 1
    next_ship(own)


def after_building(ply: Ply) -> None:
    """EG-4.5: cards that may still be used this round."""
    state = ply.state
    state.stage, state.asked = s.AFTER, riders.asked_after(ply.state)
    if not state.asked:
        end_round(ply)


def end_round(ply: Ply) -> None:
    """EG-2.1, EG-2.2: participation, new order, cards not taken leave; after five rounds the final scoring."""
    state = ply.state
    scoring.participation(ply)
    scoring.new_order(ply)
    state.cards = [data.HIDDEN] * data.RIVER
    if state.round < data.ROUNDS:
        start_round(ply)
        return
    state.taken = ply.t.card_mask
    scoring.final(ply)
    state.stage, state.asked = s.OVER, []


def setup(players: int, components: str, chance: Chance, *, first_sphinx: bool) -> Ply:
    """EG-1: a game that waits for its first ship."""
    t = tables_of(components)
    numbers = ("score", "stones", "stone_at", "grain_at", "power")
    lists = ("fields", "quarries", "permanents", "ready", "laid", "kept")
    state = State(
        **{name: kind() for name, kind in s.KINDS.items()}
        | {name: [0] * players for name in numbers}
        | {name: [[] for _ in range(players)] for name in lists}
        | {
            "players": players,
            "components": components,
            "ring": t.parts.ring.start,
            "crews": [t.parts.crew_start[crew] for _ in range(players) for crew in data.CREWS],
            "cards": [data.HIDDEN] * data.RIVER,
            "graves_unseen": list(t.grave_counts),
            "pyramid": [[] for _ in t.rows],
            "temple": [*([] for _ in range(data.ENTABLATURE)), [-1] * len(t.temple[data.ENTABLATURE])],
            "sphinx": list(range(len(t.sphinx))),
        }
    )
    ply = opened(state, chance)
    open_game(ply, first_sphinx=first_sphinx)
    return ply


def open_game(ply: Ply, *, first_sphinx: bool) -> None:
    """EG-1.3 to EG-1.6: order by lot, stones, markers, graves, a Sphinx card each if wanted; then round 1."""
    t, state = ply.t, ply.state
    lots = ply.chance.shuffle("order", [str(seat) for seat in range(state.players)])
    state.order = [int(name) for name in lots]
    state.track = state.order[::-1]
    for place, seat in enumerate(state.order):
        state.stones[seat] = t.parts.start_stones_by_order[place]
    ply.events.append(event("Turn order by lot: {seats}.", "EG-1.3", seats=tuple(state.order)))
    tombs.open_graves(ply)
    if first_sphinx:
        for seat in state.order:
            state.kept[seat] = draws.take_top(ply, 1)
            ply.of(seat).whisper(N_("You are dealt {card}."), "EG-1.6", card=t.sphinx[state.kept[seat][0]].id)
    start_round(ply)
