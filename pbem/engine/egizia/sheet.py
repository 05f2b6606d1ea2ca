"""Where points come from: everybody's as the game stands, what an order changes, and what a finished game came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.sheet import Account, Luck, ScoreSheet, Source, Step, Stock, worth
from pbem.engine.egizia import data, orders
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import has_value
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.sailing import can_sail
from pbem.engine.egizia.scoring import PAIR, grave_points, graves, in_turn, pairs, sphinx_points
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.view import View


def score_sheet(view: View) -> ScoreSheet:
    """EG-5.1, EG-8.1, EG-9: everybody's lines as the board stands; Sphinx cards are their holder's secret."""
    board = view.board
    stocks = tuple(_left(view))
    if board.stage == s.OVER:
        return ScoreSheet(tuple(board.score), (), stocks)
    sources = (_source(view, _this_round(board)), *(_source(view, line, at_end=True) for line in _AT_END))
    return ScoreSheet(tuple(board.score), sources, stocks, tuple(_to_come(board)))


def _source(view: View, line: Line, *, at_end: bool = False) -> Source:
    name, points, more = line
    gains = () if view.seat is None else tuple(worth(gain, thing) for gain, thing in more(view.own))
    return Source(name, tuple(points(view.board.own(seat)) for seat in range(view.board.players)), gains, at_end)


def _lost(own: Own) -> int:
    """EG-5.1: what the grain that is missing now would cost."""
    return own.missing * own.cost


Gains = Iterator[tuple[int, Message]]
"""Points that something more would bring, and what."""


def _watered(own: Own) -> Gains:
    if _lost(own):
        yield own.cost, sentence("a watered grain")


def _part(own: Own) -> int:
    """EG-8.1: points for the sites where a stone was used in this round."""
    return own.t.parts.participation[own.state.worked[own.seat].bit_count()]


def _one_site_more(own: Own) -> Gains:
    sites, points = own.state.worked[own.seat].bit_count(), own.t.parts.participation
    if sites + 1 < len(points):
        yield points[sites + 1] - points[sites], sentence("a stone at one site more")


def _more_graves(own: Own) -> Gains:
    """How far the next line of the table is."""
    mine = own.graves
    for low, points in [(low, points) for low, _, points in own.t.parts.grave_final if low > mine][:1]:
        yield points - grave_points(own.t, mine), sentence("graves worth {count} more", count=low - mine)


def _sphinx(own: Own) -> int | None:
    """EG-9.3: the own cards once all else has scored; None for those that are their holder's secret."""
    if data.HIDDEN in own.kept:
        return None
    total = before = (_this_round(own.state)[1](own) or 0) + graves(own) + pairs(own)
    for card in in_turn(own):
        total += sphinx_points(own, card, total)
    return total - before


def _idle_cards(own: Own) -> Gains:
    for card in (own.t.sphinx[card] for card in own.kept):
        if card.vp and not sphinx_points(own, card):
            what = data.CONDITION_NAMES[card.cond]
            yield card.vp, sentence("your card {card} ({what}), once it holds", card=card.id, what=what)


def _to_sell(own: Own) -> Gains:
    sells, stones, at = own.t.parts.stone_market_sell, own.stones, own.state.stone_at[own.seat]
    if sells[at]:
        yield 1, sentence("two stones")
    elif True in sells and stones >= PAIR:
        yield stones // PAIR, sentence("{count} step(s) on the stone market", count=sells.index(True) - at)


Line = tuple[str, Callable[[Own], int | None], Callable[[Own], Gains]]
_FEEDING: Line = (N_("feeding"), lambda own: -_lost(own), _watered)
_PARTICIPATION: Line = (N_("participation"), _part, _one_site_more)
_AT_END: tuple[Line, ...] = (
    (N_("graves"), graves, _more_graves),
    (N_("Sphinx cards"), _sphinx, _idle_cards),
    (N_("stones sold"), pairs, _to_sell),
)
"""By line: what it is called, a seat's points as the board stands, and what more would bring."""


def _this_round(board: State) -> Line:
    """EG-2.1: what still scores in the round."""
    return _FEEDING if board.stage in {s.SHIP, s.LEFTOVER, s.FEED} else _PARTICIPATION


def _left(view: View) -> Iterator[Stock]:
    """Yield what decks and tiles hold that the reader hasn't seen."""
    board, t = view.board, view.t
    if board.stage != s.OVER and board.deck:
        title = N_("Nile cards of this deck that nobody has seen: {count}")
        yield Stock(sentence(title, count=len(board.deck)), _nile(t, board.deck))
    tiles = sum(board.graves_unseen)
    if tiles:
        values = tuple(
            (sentence("grave of {value}", value=value), count)
            for value, count in zip(t.grave_values, board.graves_unseen, strict=True)
            if count
        )
        yield Stock(sentence("Grave tiles that nobody has seen: {count}", count=tiles), values)
    seen = {*board.drawn, *(card for kept in board.kept for card in kept)}
    seen |= {card for under in board.under for card in (*under.laid, *under.rest)}
    unseen = [card for card in range(len(t.sphinx)) if card not in seen]
    if unseen:
        title = N_("Sphinx cards you haven't seen: {count}; {deck} card(s) lie in the deck")
        counts = Counter(data.CONDITION_NAMES[t.sphinx[card].cond] for card in unseen)
        things = tuple((Message(name), count) for name, count in counts.items())
        yield Stock(sentence(title, count=len(unseen), deck=board.sphinx_left), things)


def _nile(t: Tables, cards: list[int]) -> tuple[tuple[Message, int], ...]:
    counts = Counter((t.what[card], t.value[card] if has_value(t, card) else 0) for card in sorted(cards))
    return tuple(
        (sentence("{what} {value}", what=what, value=value) if value else Message(what), count)
        for (what, value), count in counts.items()
    )


def _to_come(board: State) -> Iterator[Message]:
    left = data.ROUNDS - board.round
    text = N_("{left} round(s) follow(s|) this one.") if left else N_("This is the last round.")
    yield sentence(text, "EG-2.1", left=left)
    if left and data.DECK_OF_ROUND[board.round] != data.DECK_OF_ROUND[board.round + 1]:
        yield sentence("The next round's cards come from a new deck.", "EG-2.2")
    yield sentence("At the end graves, Sphinx cards and, by the stone market, stones are counted.", "EG-9.1")


POINTS = N_("points")
SCORING = N_("points at the end, as the board stands")
STRENGTHS = (
    N_("strength of the blue crew"),
    N_("strength of the black crew"),
    N_("strength of the yellow crew"),
    N_("strength of the joker"),
)
OF_ALL = frozenset({POINTS, SCORING})


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    board, own = view.board, view.own
    found = {
        N_("stones"): own.stones,
        N_("ships left"): own.ships,
        N_("grain of watered fields"): own.grain,
        N_("grain wanted"): own.need,
        N_("stones a round from quarries"): own.quarry,
        N_("Sphinx cards"): len(own.kept),
        N_("cards to use"): len(own.ready),
        N_("sum of graves"): own.graves,
        N_("step on the stone market"): board.stone_at[own.seat] + 1,
        N_("step on the grain market"): board.grain_at[own.seat] + 1,
    }
    if board.stage in {s.SHIP, s.LEFTOVER, s.FEED}:  # later it is done
        found[N_("points lost at feeding")] = _lost(own)
    found |= zip(STRENGTHS, own.crews, strict=True)
    found[POINTS] = own.points
    if board.stage != s.OVER:
        found[SCORING] = sum(points(own) or 0 for _, points, _ in _AT_END)
    return found


def hanging(_view: View, _after: View, *, open_ended: bool) -> frozenset[str]:
    """Return the figures that others may change in the same ply, where something is drawn or they act."""
    return OF_ALL if open_ended else frozenset()


def warnings(view: View, order: AnyOrder, after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant: unused ships, missing grain."""
    if not isinstance(order, orders.Ship | orders.Pass):
        return ()
    then, sails = after.own, isinstance(order, orders.Ship)
    sailing = after.board.stage == s.SHIP and after.board.round == view.board.round
    left, found = view.own.ships - sails, []
    if left and not (sails and sailing and can_sail(then.state, then.seat)):
        found.append(sentence("This ends your sailing with {ships} ship(s) unused.", "EG-3.1", ships=left))
    lost = _lost(then) if sailing else 0
    if lost:
        text = N_("As it stands {missing} grain (is|are) missing at feeding: {points} point(s).")
        found.append(sentence(text, "EG-5.1", missing=then.missing, points=lost))
    return tuple(found)


CARDS, _SPHINX = N_("Nile cards"), N_("Sphinx cards")
SOURCES = {
    "EG-6.4": (N_("Obelisk and graves"), "points", 1),
    "EG-6.3": (N_("Pyramid and Temple"), "points", 1),
    "EG-6.5": (N_("rows of the Pyramid"), "points", 1),
    "EG-7.1": (N_("Sphinx cards put back"), "others", 1),
    "EG-8.1": (N_("participation"), "points", 1),
    "EG-5.3": (N_("markets' last spaces"), "points", 1),
    "EG-5.1": (N_("grain that was missing"), "points", -1),
    "EG-9.1": (N_("stones sold"), "points", 1),
    "EG-9.2": (N_("graves at the end"), "points", 1),
    "EG-9.3": (_SPHINX, "points", 1),
}
"""By the rule an event cites: the source, the hole that holds its points, and their sign."""


def account(steps: Sequence[Step]) -> Account:
    """EG-5 to EG-9 by source; what no event tells is what Nile cards brought when they were taken or sold stones."""
    end: State = steps[-1].state
    found = {name: [0] * end.players for name, _, _ in SOURCES.values()}
    for step in steps:
        for event in step.events:
            told = points_of(event)
            if told is not None and event.seat is not None:
                found[told[0]][event.seat] += told[1]
    rest = [points - sum(row[seat] for row in found.values()) for seat, points in enumerate(end.score)]
    rows = {**found, CARDS: rest}
    return Account(
        tuple(Source(name, tuple(row)) for name, row in rows.items() if any(row)),
        (),
        Message(""),
        _luck(end, found[_SPHINX]),
    )


def points_of(event: Event) -> tuple[str, int] | None:
    """Return the source of the points that an event tells of, and how many; None for one that brings none."""
    if event.rule not in SOURCES:
        return None
    name, hole, sign = SOURCES[event.rule]
    points = event.params.get(hole)
    return (name, sign * points) if isinstance(points, int) else None


def _luck(end: State, came: Sequence[int]) -> tuple[Luck, ...]:
    """EG-9.3: what the kept Sphinx cards brought, and what as many cards of the whole deck would have on average."""
    expected = []
    for own, brought in zip(map(end.own, range(end.players)), came, strict=True):
        every = [sphinx_points(own, card) for card in end.t.sphinx]
        spare = sum(every[card] for card in own.kept) - brought  # a tenth of the tenth, which is scored by now
        expected.append(len(own.kept) * (sum(every) - spare) / len(every))
    return (Luck(sentence("points by Sphinx cards, against as many drawn blindly"), tuple(came), tuple(expected)),)
