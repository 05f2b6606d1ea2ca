"""Where points come from: everybody's as the game stands, what an order changes, and what a finished game came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.engine.amunre import data
from pbem.engine.amunre.auction import TOOK
from pbem.engine.amunre.buy import limit
from pbem.engine.amunre.cards import DREW, held, to_be_had
from pbem.engine.amunre.data import CARD_POINTS, EIGHT_GOLD, INCREASE, PRICES, TEMPLE_SPACES
from pbem.engine.amunre.harvest import is_asked, workers, yields
from pbem.engine.amunre.offering import ranking
from pbem.engine.amunre.orders import AnOrder, Bid, Keep, Offer
from pbem.engine.amunre.reading import highest
from pbem.engine.amunre.scoring import PARTS, banks, counting, gold_points, leaders, lines
from pbem.engine.amunre.state import BID, BUY, OFFER, OVER, TAKE, TAKE_DRAFT, State, order_of_play, owned
from pbem.engine.amunre.view import View, imagine, unseen
from pbem.engine.amunre.view import view as view_of
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.core.sheet import Account, Luck, Purchase, ScoreSheet, Source, Step, Stock, summed, worth

_LAST = N_("This is the last round before the scoring.")
_BANKS = (N_("the west bank"), N_("the east bank"))


def score_sheet(view: View) -> ScoreSheet:
    """AR-9: everybody's lines if the scoring came now; bonus cards in other hands are nobody else's business."""
    left = tuple(_left(view))
    if view.phase == OVER:
        return ScoreSheet(tuple(view.points), (), left)
    rows = [lines(view, seat, points) for seat, points in enumerate(banks(view))]
    columns = [*zip(*rows, strict=True), _bonuses(view)]
    if view.kingdom > 1:
        columns.append(tuple(gold_points(view.gold)) if view.options.gold == "public" else (None,) * view.seats)
    seat = view.seat
    sources = tuple(
        Source(name, points, () if seat is None else tuple(more(view, seat)), at_end=name == PARTS[-1])
        for name, points, more in zip(PARTS, columns, _MORE, strict=False)
    )
    return ScoreSheet(tuple(view.points), sources, left, tuple(_to_come(view)))


def _bonuses(view: View) -> tuple[int | None, ...]:
    """AR-9.5: the points of one's own bonus cards; what others hold is hidden."""
    return tuple(
        data.CARD_POINTS * len(counting(view, seat, owned(view, seat))) if seat == view.seat else None
        for seat in range(view.seats)
    )


def _pyramid_more(state: State, seat: int) -> Iterator[Message]:
    if owned(state, seat):
        yield worth(1, sentence("a pyramid on a province of yours"))


def _set_more(state: State, seat: int) -> Iterator[Message]:
    """AR-9.2: where pyramids are missing for the next set."""
    own = owned(state, seat)
    if len(own) < data.ROUNDS:
        yield sentence("sets count once you own three provinces", "AR-9.2")
        return
    fewest = min(state.pyramids[p] for p in own)
    short = data.lands(p for p in own if state.pyramids[p] == fewest)
    yield worth(data.SET_POINTS, sentence("a pyramid on each of: {provinces}", provinces=short))


def _bank_more(state: State, seat: int) -> Iterator[Message]:
    """AR-9.3: how many pyramids on one province lead each bank alone, where the seat scores nothing yet."""
    own = owned(state, seat)
    for bank, name in enumerate(_BANKS):
        mine = max([state.pyramids[p] for p in own if state.board.bank[p] == bank], default=None)
        rivals = (p for p, owner in enumerate(state.owner) if owner not in {-1, seat} and state.board.bank[p] == bank)
        most = max([state.pyramids[p] for p in rivals], default=0)
        if mine is not None and seat not in leaders(state, bank):
            text = N_("{count} pyramid(s) more on your best province on {bank}")
            yield worth(data.BANK_POINTS, sentence(text, count=most + 1 - mine, bank=Message(name)))


def _temple_more(state: State, seat: int) -> Iterator[Message]:
    """AR-9.4: what the temple's next space brings."""
    temples = sum(state.board.temples[p] for p in owned(state, seat))
    if temples and state.temple < data.TEMPLE_SPACES:
        yield worth(temples, sentence("the temple one space further"))


def _card_more(state: State, seat: int) -> Iterator[Message]:
    """AR-9.5: the own bonus cards that don't hold yet, and aren't kept."""
    counted = counting(state, seat, owned(state, seat))
    for kind in data.BONUSES:
        if state.hands[seat][kind] and kind not in (*counted, *state.keeps[seat]):
            yield worth(data.CARD_POINTS, sentence("your {card}, once it holds", card=data.CARDS[kind]))


def _gold_more(state: State, seat: int) -> Iterator[Message]:
    """AR-9.6: how much gold more lifts `seat` a place."""
    above = min((gold for gold in state.gold if gold > state.gold[seat]), default=0)
    if above and state.options.gold == "public":
        after = gold_points([above if other == seat else gold for other, gold in enumerate(state.gold)])
        gain = after[seat] - gold_points(state.gold)[seat]
        if gain:
            yield worth(gain, sentence("{gold} gold more", gold=above - state.gold[seat]))


_MORE = (_pyramid_more, _set_more, _bank_more, _temple_more, _card_more, _gold_more)
"""By part, what one more is worth to a seat."""


def _left(view: View) -> Iterator[Stock]:
    """Yield the power cards whose place the reader doesn't know, those that were played, and provinces to come."""
    hidden, known = unseen(view), sum(card >= 0 for card in view.top)
    title = N_("Power cards you haven't seen: {count}, {deck} of them in the deck")
    yield Stock(sentence(title, count=len(hidden), deck=view.deck_size - known), _kinds(hidden))
    played = held(view.discard)
    if played:
        yield Stock(sentence("In the discard pile: {count}", count=len(played)), _kinds(played))
    if view.pool and view.phase != OVER:
        title = N_("Provinces that can still come up in this kingdom: {count}")
        yield Stock(sentence(title, count=len(view.pool)), tuple((Message(data.PROVINCES[p]), 1) for p in view.pool))


def _kinds(cards: list[int]) -> tuple[tuple[Message, int], ...]:
    return tuple((Message(data.CARDS[kind]), cards.count(kind)) for kind in range(data.KINDS) if kind in cards)


def _to_come(view: View) -> Iterator[Message]:
    text = N_("{rounds} round(s) follow(s|) this one before the scoring.")
    yield sentence(text if (rounds := data.ROUNDS - view.round) else _LAST, "AR-3.1", rounds=rounds)
    if view.kingdom < len(data.KINGDOMS):
        text = N_("A second kingdom follows: markers and farmers go, pyramids and stones stay; gold counts there only.")
        yield sentence(text, "AR-9.7")
    elif view.options.final_sale == "auto":
        yield sentence("Before gold is counted, all cards left in the hands are sold for 1 gold each.", "AR-9.6")
    if not view.deck_size:
        yield sentence("The deck is empty: the discard pile is shuffled for the next card.", "AR-6.9")


HARVESTS = (
    N_("harvest (temple on 1)"),
    N_("harvest (temple on 2)"),
    N_("harvest (temple on 3)"),
    N_("harvest (temple on 4)"),
)
GOLD, CARDS = N_("gold"), N_("power cards")
POINTS, SCORING = N_("points"), N_("points at the scoring (before gold)")
OF_ALL = frozenset({POINTS, SCORING})


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    seat, own = view.seat or 0, owned(view, view.seat or 0)
    bid = PRICES[view.bids[seat]] if view.phase == BID and view.at[seat] >= 0 else 0
    found = {GOLD: view.gold[seat]}
    if view.phase == BID:  # else it is the same
        found[N_("gold left once bids are paid")] = max(view.gold[seat] - bid, 0)
    found |= {CARDS: sum(view.hand), POINTS: view.points[seat]}
    if not own or view.phase == OVER:  # figures of provinces there are none then
        return found
    found |= {
        N_("farmers"): sum(workers(view, p) for p in own),
        N_("stones"): sum(view.stones[p] for p in own),
        N_("pyramids"): sum(view.pyramids[p] for p in own),
    }
    for space, name in zip(range(1, TEMPLE_SPACES + 1), HARVESTS, strict=True):
        found[name] = sum(yields(view, p, space) for p in own)
    bonuses = CARD_POINTS * len(counting(view, seat, own))
    return found | {SCORING: sum(lines(view, seat, banks(view)[seat])) + bonuses}  # AR-9.1 to AR-9.5


def hanging(view: View, after: View, *, open_ended: bool) -> frozenset[str]:
    """Return the figures that others or a draw may change in the same ply; all, where it may go on to a later phase."""
    if _may_be_owed(view, after) or _may_be_harvested(view, after):
        return frozenset(figures(after))
    # AR-6.11: cards drawn that are all alike come into the hand unasked
    drafts = open_ended and view.options.card_draft != "off" and view.phase in {BUY, TAKE}
    cards = frozenset({GOLD, CARDS}) if _may_run_out(view) else frozenset({CARDS}) if drafts else frozenset()
    if open_ended or after.phase == OVER:  # AR-9.6: nobody knows what cards others sell for gold at the end
        return OF_ALL | cards
    gained = [pile for p, pile in zip(view.shown, view.buried, strict=True) if pile and after.owner[p] == view.seat]
    return frozenset({SCORING}) if gained else frozenset()  # AR-5.8: a bonus card may lie there, face down


def _may_be_owed(view: View, after: View) -> bool:
    """AR-5.5: whether somebody else may choose a sale before bids are paid; a hidden purse may hold too little."""
    others = (one for seat, one in enumerate(zip(view.at, view.bids, view.gold, strict=True)) if seat != view.seat)
    is_paid = view.phase == BID and after.phase != BID
    return is_paid and any(p >= 0 and PRICES[bid] > gold for p, bid, gold in others)


def _may_run_out(view: View) -> bool:
    """AR-6.9, AR-6.12: whether those who draw first in the same ply may leave the seat fewer cards than it wants."""
    if view.options.card_draft != "off" or view.phase not in {BUY, TAKE}:
        return False
    order = order_of_play(view) if view.phase == BUY else ranking(view)
    drawing = [seat for seat in order if seat in view.asked]
    first = drawing[: drawing.index(view.seat or 0) + 1]
    most = [limit(view, seat) if view.phase == BUY else view.items[seat] for seat in first]
    return len(first) > 1 and sum(most) > to_be_had(view)


def _may_be_harvested(view: View, after: View) -> bool:
    """AR-7.6, AR-8.4: whether it may be that nobody is asked before the harvest.

    Because all others may play theft, too, or take cards and hold none that is played there, or draw cards all alike.
    """
    seat = view.seat or 0
    if view.phase == OFFER:
        return after.offers[seat] <= 0 and not is_asked(view, seat)
    if view.phase not in {TAKE, TAKE_DRAFT} or after.phase == TAKE or after.queue:
        return False
    hand = after.hand if view.phase == TAKE_DRAFT else view.hand
    secret = view.phase == TAKE and view.options.card_draft == "off"  # what others take at the same time
    return not (hand[EIGHT_GOLD] or hand[INCREASE] or any([after.items[seat]] if secret else after.items))


def carried_out(view: View, order: AnOrder, chance: Chance, /) -> tuple[View, ...]:
    """AR-9.5: bonus cards said to be kept are not scored; nothing that others do till then changes that."""
    if not isinstance(order, Keep) or view.seat is None:
        return ()
    world = imagine(view, chance)
    world.keeps[view.seat] = list(order.cards)
    return (view_of(world, view.seat),)


def stakes(view: View, orders: Mapping[str, AnOrder], /) -> tuple[Message, ...]:
    """AR-5.10: the highest bid of a sealed list is the most that it can cost; where no line fits, it ends with 0."""
    gold = view.gold[view.seat] if view.seat is not None else 0
    bids = ((text, order) for text, order in orders.items() if isinstance(order, Bid))
    most = max((highest(text, order, gold + sum(view.hand)) for text, order in bids), default=0)
    if most > gold:
        text = N_("This list bids up to {most}, more than your {gold} gold: you would have to sell cards.")
        return (sentence(text, "AR-5.10", most=most, gold=gold),)
    text = N_("This list bids at most {most} of your {gold} gold: at least {left} gold is left.")
    return (sentence(text, "AR-5.10", most=most, gold=gold, left=gold - most),)


def warnings(view: View, order: AnOrder, _after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant."""
    gold = view.gold[view.seat or 0] if view.seat is not None else 0
    if isinstance(order, Bid) and 0 < gold == PRICES[order.space] and not view.board.bonus_gold[order.province]:
        return (sentence("This bid takes all your gold: nothing is left for farmers, stones and cards."),)
    if isinstance(order, Bid) and PRICES[order.space] > gold:
        return (sentence("This bid is more than your {gold} gold: you would have to sell cards.", gold=gold),)
    if isinstance(order, Offer) and order.gold >= max(gold, 1):
        return (sentence("This offering takes all your gold."),)
    return ()


def account(steps: Sequence[Step]) -> Account:
    """AR-9 by source, and what was paid (AR-5.8) for the points that each province brought."""
    end: State = steps[-1].state
    sources = tuple(
        Source(name, summed([[row[at] for row in rows] for rows in end.tally])) for at, name in enumerate(PARTS)
    )
    return Account(sources, tuple(_purchases(steps)), sentence("gold"), _luck(steps))


def _purchases(steps: Sequence[Step]) -> list[Purchase]:
    """Return each province sold, with the points of its pyramids and temples at the scoring of its kingdom."""
    found = []
    for before, step in pairwise(steps):
        kingdom = before.state.kingdom
        scored = next((one.state for one in steps if len(one.state.tally) >= kingdom), steps[-1].state)
        for event in step.events:
            if event.text == TOOK:
                p = data.PROVINCES.index(str(event.params["province"]))
                points = _pyramids(scored, p) + scored.board.temples[p] * scored.temple
                where = {"province": data.PROVINCES[p], "kingdom": data.KINGDOMS[kingdom - 1]}
                thing = Message(N_("{province}, {kingdom}"), where)
                found.append(Purchase(step.ply, event.seat or 0, thing, int(str(event.params["gold"])), points))
    return found


def _pyramids(scored: State, p: int) -> int:
    """AR-9.1: the pyramids that a scoring counted; by now the next reveal (AR-4.2) may have laid stones there."""
    laid = scored.board.bonus_stones[p] if p in scored.shown else 0
    return (data.STONES_A_PYRAMID * scored.pyramids[p] + scored.stones[p] - laid) // data.STONES_A_PYRAMID


def _luck(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """Return the bonus cards among the cards that came into each hand, and how many to expect from what was left."""
    seats = steps[0].state.seats
    cards, bonuses, expected = [0] * seats, [0] * seats, [0.0] * seats
    for before, step in pairwise(steps):
        piles = before.state.buried
        hidden = [n + sum(pile.count(kind) for pile in piles) for kind, n in enumerate(before.state.deck)]
        share = sum(hidden[kind] for kind in data.BONUSES) / max(1, sum(hidden))
        for seat, came in ((event.seat or 0, event.params["cards"]) for event in step.events if event.text == DREW):
            names = came if isinstance(came, tuple) else ()
            cards[seat] += len(names)
            bonuses[seat] += sum(data.CARDS.index(str(name)) in data.BONUSES for name in names)
            expected[seat] += share * len(names)
    drawn = Luck(sentence("power cards drawn"), tuple(cards), (sum(cards) / seats,) * seats)
    return (drawn, Luck(sentence("bonus cards among them"), tuple(bonuses), tuple(expected)))
