"""Named numbers and sets over a view, for the conditions of standing orders."""

from __future__ import annotations

from pbem.engine.core.types import Fact
from pbem.engine.egizia import data
from pbem.engine.egizia.feeding import missing_of
from pbem.engine.egizia.monuments import Site
from pbem.engine.egizia.sailing import ahead, can_sail, last_ship, name_of
from pbem.engine.egizia.scoring import grave_sum
from pbem.engine.egizia.state import BUILD, DIG, DRAW, KEEP, SHIP, State, grain_of, need_of, quarry_of, sphinx_left
from pbem.engine.egizia.tables import Tables, bits, tables_of
from pbem.engine.egizia.view import View


def facts_of(view: View) -> dict[str, Fact]:
    """Return every fact; for a spectator those about oneself are 0 or empty."""
    sets = {"fresh", "free", "gone", "drawn", "my_cards", "my_fields"}
    nothing: dict[str, Fact] = {name: frozenset() if name in sets else 0 for name in data.LANGUAGE.facts}
    return {**nothing, **_common(view), **(_own(view, view.seat) if view.seat is not None else {})}


def _common(view: View) -> dict[str, Fact]:
    board = view.board
    t = tables_of(board.components)
    rivals = [seat for seat in range(board.players) if seat != view.seat and not board.passed >> seat & 1]
    slots = [slots.count(-1) for slots in board.slots]
    return {
        "phase": board.stage,
        "round": board.round,
        "river": frozenset(t.names[card] for card in board.cards if card >= 0),
        "still_sailing": sum(can_sail(t, board, seat) for seat in rivals) if board.stage == SHIP else 0,
        "sphinx_slots": slots[data.SPHINX],
        "obelisk_slots": slots[data.OBELISK],
        "pyramid_slots": slots[data.PYRAMID],
        "site": _site(board),
        "ring": data.RING_NAMES[board.ring],
        "next_obelisk": t.obelisk[len(board.obelisk)] if len(board.obelisk) < len(t.obelisk) else 0,
        "next_grave": board.graves_open[0] if board.graves_open else 0,
        "open_graves": len(board.graves_open),
        "cheapest": min((value for value, _, _ in Site(t, board).offers()), default=0),
        "sphinx_deck": sphinx_left(board),
    }


def _site(board: State) -> str:
    """Return the site that acts; nothing else asks for crews."""
    if board.stage in {KEEP, DRAW}:
        return data.SITE_NAMES[data.SPHINX]
    return data.SITE_NAMES[board.site] if board.stage in {BUILD, DIG} and board.site >= 0 else "none"


def _gone(t: Tables, board: State, seat: int, free: tuple[int, ...]) -> frozenset[str]:
    """Spaces by their names, a card's by its number: what is taken, lies upstream or is a site without a free slot."""
    if board.stage != SHIP:
        return frozenset()
    full = {space for space in t.sites if -1 not in board.slots[t.site_of[space]]}
    lost = set(range(data.RIVER)) - (set(free) - full) - set(board.fleet[seat])
    return frozenset(t.label[space] for space in lost)


def _own(view: View, seat: int) -> dict[str, Fact]:
    board = view.board
    t = tables_of(board.components)
    others = [points for other, points in enumerate(board.score) if other != seat]
    free = bits(ahead(board, seat)) if board.stage == SHIP else ()
    return {
        "place": board.order.index(seat) + 1,
        "points": board.score[seat],
        "lead": board.score[seat] - max(others),
        "stones": board.stones[seat],
        "quarry": quarry_of(t, board, seat),
        "need": need_of(board, seat),
        "grain": grain_of(t, board, seat),
        "missing": missing_of(t, board, seat),
        **{crew: board.crews[seat * 4 + i] for i, crew in enumerate(data.CREWS)},
        "fresh": frozenset(crew for i, crew in enumerate(data.CREWS) if not board.tired[seat] >> i & 1),
        "ships": data.SHIPS - len(board.fleet[seat]),
        "last_space": last_ship(board, seat) + 1,
        "free": frozenset(name_of(t, board, i) for i in free),
        "gone": _gone(t, board, seat, free),
        "stone_market": board.stone_at[seat],
        "grain_market": board.grain_at[seat],
        "my_graves": grave_sum(t, board, seat),
        "my_sphinx": len(board.kept[seat]),
        "drawn": frozenset(t.sphinx[card].id for card in board.drawn if card >= 0),
        "my_cards": frozenset(data.SHORT[t.power[card]] for card in board.ready[seat]),
        "my_fields": frozenset(t.names[card] for card in board.fields[seat]),
    }
