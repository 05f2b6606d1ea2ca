"""Named numbers, words and sets over a seat's view: what conditions of standing orders may ask."""

from __future__ import annotations

from pbem.engine.amunre.auction import lowest
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.data import CARD_SPELLINGS, CARDS, LANDS, LANGUAGE, PRICES, PROVINCE_SPELLINGS, PROVINCES
from pbem.engine.amunre.harvest import workers, yields
from pbem.engine.amunre.state import PHASES, owned
from pbem.engine.amunre.view import View
from pbem.engine.core.message import N_
from pbem.engine.core.types import Fact

PLACES = tuple(name.lower() for name in PROVINCES)
"""How facts call the provinces, in their order."""
BID_FACTS = {
    **LANGUAGE.bid_facts,
    **dict.fromkeys(map("price_{}".format, PLACES), N_("the lowest bid possible on this province; 0 if it isn't up")),
}
"""Those of `FACTS` that bids change while an auction goes on."""
FACTS = {
    **LANGUAGE.facts,
    **dict.fromkeys(
        map("yield_{}".format, PLACES), N_("what this province yields on the temple's space, without cards")
    ),
    **BID_FACTS,
}
"""Every fact and its meaning; RULES.md and the help letter show this table."""

WORDS: dict[str, tuple[str, ...]] = {**PROVINCE_SPELLINGS, **CARD_SPELLINGS, **dict.fromkeys(PHASES, ())}
"""Every word that can stand in a fact, with its other spellings."""


def facts(view: View) -> dict[str, Fact]:
    """Return all facts of a view; 0 and empty sets where they make no sense."""
    return {
        "phase": PHASES[view.phase],
        "kingdom": view.kingdom,
        "round": view.round,
        "temple": view.temple,
        "total": view.total,
        "deck": view.deck_size,
        "up": _places(view.shown),
        "unbid": _places([p for p in view.shown if p not in view.at]),
        "discarded": frozenset(CARDS[kind] for kind, n in enumerate(view.discard) if n),
        "cheapest": min([PRICES[lowest(view, p)] for p in view.shown], default=0),
        **{f"price_{PLACES[p]}": PRICES[lowest(view, p)] if p in view.shown else 0 for p in range(LANDS)},
        **{f"yield_{PLACES[p]}": yields(view, p, view.temple) for p in range(LANDS)},
        "most_gold": max(view.gold[seat] for seat in range(view.seats) if seat != view.seat),
        "most_points": max(view.points[seat] for seat in range(view.seats) if seat != view.seat),
        **_mine(view),
    }


def _places(lands: list[int]) -> frozenset[str]:
    return frozenset(PROVINCES[p] for p in lands)


def _mine(view: View) -> dict[str, Fact]:
    seat = -1 if view.seat is None else view.seat
    own = owned(view, seat) if seat >= 0 else []
    sits = seat >= 0
    return {
        "my_gold": view.gold[seat] if sits else 0,
        "my_cards": sum(view.hand),
        "my_hand": frozenset(CARDS[kind] for kind in held(view.hand)),
        "my_points": view.points[seat] if sits else 0,
        "my_provinces": _places(own),
        "my_pyramids": sum(view.pyramids[p] for p in own),
        "my_stones": sum(view.stones[p] for p in own),
        "my_farmers": sum(workers(view, p) for p in own),
        "my_income": sum(yields(view, p, view.temple) for p in own),
        "my_limit": limit(view, seat) if sits else 0,
        "my_items": view.items[seat] if sits else 0,
        "free_fields": sum(view.board.fields[p] - view.farmers[p] for p in own),
        "first": int(view.first == seat),
        "outbid": int(sits and view.beaten[seat] >= 0),
    }
