"""The scoring sheet: what a scoring would bring now, by source; which cards and provinces are still to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.amunre import data
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.scoring import PARTS, banks, counting, gold_points, lines
from pbem.engine.amunre.state import OVER, owned
from pbem.engine.amunre.view import unseen
from pbem.engine.core.sheet import ScoreSheet, Source, Stock, worth
from pbem.engine.core.types import N_, Message, sentence

if TYPE_CHECKING:
    from pbem.engine.amunre.state import State
    from pbem.engine.amunre.view import View
    from pbem.engine.core.types import Params

_LAST = N_("This is the last round before the scoring.")
_BANKS = (N_("the west bank"), N_("the east bank"))


def score_sheet(view: View) -> ScoreSheet:
    """AR-9: everybody's lines if the scoring came now; bonus cards in other hands are nobody else's business."""
    left = (*_cards(view), *_provinces(view))
    if view.phase == OVER:
        return ScoreSheet(tuple(view.points), (), left)
    rows = [lines(view, seat, points) for seat, points in enumerate(banks(view))]
    columns = [*zip(*rows, strict=True), _bonuses(view)]
    more = _more(view, view.seat) if view.seat is not None else ((),) * len(columns)
    sources = [Source(name, points, advice) for name, points, advice in zip(PARTS[:5], columns, more, strict=True)]
    if view.kingdom > 1:
        sources.append(Source(PARTS[5], _gold(view), _gold_more(view), at_end=True))
    return ScoreSheet(tuple(view.points), tuple(sources), left, _to_come(view))


def _bonuses(view: View) -> tuple[int | None, ...]:
    """AR-9.5: the points of one's own bonus cards; what others hold is hidden."""
    return tuple(
        data.CARD_POINTS * len(counting(view, seat, owned(view, seat))) if seat == view.seat else None
        for seat in range(view.seats)
    )


def _gold(view: View) -> tuple[int | None, ...]:
    """AR-9.6: the points for gold where all purses are known."""
    return tuple(gold_points(view.gold)) if view.options.gold == "public" else (None,) * view.seats


def _gold_more(view: View) -> tuple[Message, ...]:
    """AR-9.6: how much gold more lifts the view's seat a place."""
    if view.seat is None or view.options.gold != "public":
        return ()
    mine = view.gold[view.seat]
    above = sorted(gold for gold in view.gold if gold > mine)
    if not above:
        return ()
    after = gold_points([above[0] if seat == view.seat else gold for seat, gold in enumerate(view.gold)])
    gain = after[view.seat] - gold_points(view.gold)[view.seat]
    return (worth(gain, sentence("{gold} gold more", gold=above[0] - mine)),) if gain else ()


def _more(state: State, seat: int) -> tuple[tuple[Message, ...], ...]:
    """AR-9.1 to AR-9.5: by part, what one more is worth to `seat`."""
    own = owned(state, seat)
    pyramid = worth(1, sentence("a pyramid on a province of yours"))
    return (
        (pyramid,) if own else (),
        _set_more(state, own),
        _bank_more(state, seat, own),
        _temple_more(state, own),
        _card_more(state, seat),
    )


def _set_more(state: State, own: list[int]) -> tuple[Message, ...]:
    """AR-9.2: where pyramids are missing for the next set."""
    if len(own) < data.ROUNDS:
        return (sentence("sets count once you own three provinces", "AR-9.2"),)
    fewest = min(state.pyramids[p] for p in own)
    short = tuple(data.PROVINCES[p] for p in own if state.pyramids[p] == fewest)
    thing = sentence("a pyramid on each of: {provinces}", provinces=short)
    return (worth(data.SET_POINTS, thing),)


def _bank_more(state: State, seat: int, own: list[int]) -> tuple[Message, ...]:
    """AR-9.3: how many pyramids on one province lead each bank alone."""
    found = []
    for bank, name in enumerate(_BANKS):
        mine = max([state.pyramids[p] for p in own if state.board.bank[p] == bank], default=None)
        others = [
            state.pyramids[p]
            for p, owner in enumerate(state.owner)
            if owner not in {-1, seat} and state.board.bank[p] == bank
        ]
        if mine is not None and mine <= (most := max(others, default=0)):
            holes: Params = {"count": most + 1 - mine, "bank": Message(name)}
            thing = sentence("{count} pyramid(s) more on your best province on {bank}", **holes)
            found.append(worth(data.BANK_POINTS, thing))
    return tuple(found)


def _temple_more(state: State, own: list[int]) -> tuple[Message, ...]:
    """AR-9.4: what the temple's next space brings."""
    temples = sum(state.board.temples[p] for p in own)
    if not temples or state.temple >= data.TEMPLE_SPACES:
        return ()
    return (worth(temples, sentence("the temple one space further")),)


def _card_more(state: State, seat: int) -> tuple[Message, ...]:
    """AR-9.5: the own bonus cards that don't hold yet."""
    counted = counting(state, seat, owned(state, seat))
    waiting = [kind for kind in data.BONUSES if state.hands[seat][kind] and kind not in counted]
    thing = N_("your {card}, once it holds")
    return tuple(worth(data.CARD_POINTS, sentence(thing, card=data.CARDS[kind])) for kind in waiting)


def _cards(view: View) -> tuple[Stock, ...]:
    """Return the power cards whose place the reader doesn't know, and those that were played."""
    hidden, known = unseen(view), sum(card >= 0 for card in view.top)
    title = N_("Power cards you haven't seen: {count}, {deck} of them in the deck")
    stocks = [Stock(sentence(title, count=len(hidden), deck=view.deck_size - known), _kinds(hidden))]
    played = held(view.discard)
    if played:
        stocks.append(Stock(sentence("In the discard pile: {count}", count=len(played)), _kinds(played)))
    return tuple(stocks)


def _kinds(cards: list[int]) -> tuple[tuple[Message, int], ...]:
    return tuple((Message(data.CARDS[kind]), cards.count(kind)) for kind in range(data.KINDS) if kind in cards)


def _provinces(view: View) -> tuple[Stock, ...]:
    if not view.pool or view.phase == OVER:
        return ()
    title = sentence("Provinces that can still come up in this kingdom: {count}", count=len(view.pool))
    return (Stock(title, tuple((Message(data.PROVINCES[p]), 1) for p in view.pool)),)


def _to_come(view: View) -> tuple[Message, ...]:
    text = N_("{rounds} round(s) follow(s|) this one before the scoring.")
    found = [sentence(text if (rounds := data.ROUNDS - view.round) else _LAST, "AR-3.1", rounds=rounds)]
    if view.kingdom < len(data.KINGDOMS):
        text = N_("A second kingdom follows: markers and farmers go, pyramids and stones stay; gold counts there only.")
        found.append(sentence(text, "AR-9.7"))
    if not view.deck_size:
        found.append(sentence("The deck is empty: the discard pile is shuffled for the next card.", "AR-6.9"))
    return tuple(found)
