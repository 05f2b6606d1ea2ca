"""Named numbers and sets over a view, for the conditions of standing orders."""

from __future__ import annotations

from pbem.engine.core.types import Fact
from pbem.engine.egizia import data
from pbem.engine.egizia.monuments import Site
from pbem.engine.egizia.sailing import ahead, can_sail, name_of
from pbem.engine.egizia.state import BUILD, DIG, DRAW, KEEP, SHIP, Own, State
from pbem.engine.egizia.tables import bits
from pbem.engine.egizia.view import View


def facts_of(view: View) -> dict[str, Fact]:
    """Return every fact; for a spectator those about oneself are 0 or empty."""
    sets = {"fresh", "free", "gone", "drawn", "my_cards", "my_fields"}
    nothing: dict[str, Fact] = {name: frozenset() if name in sets else 0 for name in data.LANGUAGE.facts}
    return {**nothing, **_common(view), **(_own(view.own) if view.seat is not None else {})}


def _common(view: View) -> dict[str, Fact]:
    board = view.board
    t = board.t
    rivals = [seat for seat in range(board.players) if seat != view.seat and not board.passed >> seat & 1]
    slots = [slots.count(-1) for slots in board.slots]
    return {
        "phase": board.stage,
        "round": board.round,
        "river": frozenset(t.names[card] for card in board.cards if card >= 0),
        "still_sailing": sum(can_sail(board, seat) for seat in rivals) if board.stage == SHIP else 0,
        "sphinx_slots": slots[data.SPHINX],
        "obelisk_slots": slots[data.OBELISK],
        "pyramid_slots": slots[data.PYRAMID],
        "site": _site(board),
        "ring": data.RING_NAMES[board.ring],
        "next_obelisk": t.obelisk[len(board.obelisk)] if len(board.obelisk) < len(t.obelisk) else 0,
        "next_grave": board.graves_open[0] if board.graves_open else 0,
        "open_graves": len(board.graves_open),
        "cheapest": min((value for value, _, _ in Site(board).offers()), default=0),
        "sphinx_deck": board.sphinx_left,
    }


def _site(board: State) -> str:
    """Return the site that acts; nothing else asks for crews."""
    if board.stage in {KEEP, DRAW}:
        return data.SITE_NAMES[data.SPHINX]
    return data.SITE_NAMES[board.site] if board.stage in {BUILD, DIG} and board.site >= 0 else "none"


def _gone(own: Own, free: tuple[int, ...]) -> frozenset[str]:
    """Spaces by their names, a card's by its number: what is taken, lies upstream or is a site without a free slot."""
    t = own.t
    if own.state.stage != SHIP:
        return frozenset()
    full = {space for space in t.sites if -1 not in own.state.slots[t.site_of[space]]}
    lost = set(range(data.RIVER)) - (set(free) - full) - set(own.fleet)
    return frozenset(t.label[space] for space in lost)


def _own(own: Own) -> dict[str, Fact]:
    board, t = own.state, own.t
    others = [points for other, points in enumerate(board.score) if other != own.seat]
    free = bits(ahead(own)) if board.stage == SHIP else ()
    return {
        "place": board.order.index(own.seat) + 1,
        "points": own.points,
        "lead": own.points - max(others),
        "stones": own.stones,
        "quarry": own.quarry,
        "need": own.need,
        "grain": own.grain,
        "missing": own.missing,
        **dict(zip(data.CREWS, own.crews, strict=True)),
        "fresh": frozenset(crew for i, crew in enumerate(data.CREWS) if not own.tired >> i & 1),
        "ships": own.ships,
        "last_space": own.last + 1,
        "free": frozenset(name_of(board, i) for i in free),
        "gone": _gone(own, free),
        "stone_market": board.stone_at[own.seat],
        "grain_market": board.grain_at[own.seat],
        "my_graves": own.graves,
        "my_sphinx": len(own.kept),
        "drawn": frozenset(board.drawn_names),
        "my_cards": frozenset(data.SHORT[t.power[card]] for card in own.ready),
        "my_fields": frozenset(t.names[card] for card in own.fields),
    }
