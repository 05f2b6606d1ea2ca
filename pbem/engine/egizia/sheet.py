"""Where points come from: everybody's as the game stands, what an order changes, and what a finished game came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from pbem.engine.core.message import N_, Event, Message, sentence
from pbem.engine.core.sheet import Account, Luck, ScoreSheet, Source, Step, Stock, worth
from pbem.engine.egizia import data, feeding, orders
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import has_value
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.sailing import can_sail
from pbem.engine.egizia.scoring import PAIR, grave_points, grave_sum, graves, pairs, sphinx_points
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.view import View


def score_sheet(view: View) -> ScoreSheet:
    """EG-5.1, EG-8.1, EG-9: everybody's lines as the board stands; Sphinx cards are their holder's secret."""
    board, t = view.board, tables_of(view.board.components)
    stocks = tuple(_left(t, view))
    if board.stage == s.OVER:
        return ScoreSheet(tuple(board.score), (), stocks)
    this_round = _FEEDING if board.stage in {s.SHIP, s.LEFTOVER, s.FEED} else _PARTICIPATION
    sources = (_source(t, view, this_round), *(_source(t, view, line, at_end=True) for line in _AT_END))
    return ScoreSheet(tuple(board.score), sources, stocks, tuple(_to_come(board)))


def _source(t: Tables, view: View, line: Line, *, at_end: bool = False) -> Source:
    name, points, more = line
    gains = () if view.seat is None else tuple(worth(gain, thing) for gain, thing in more(t, view.board, view.seat))
    return Source(name, tuple(points(t, view.board, seat) for seat in range(view.board.players)), gains, at_end)


def _lost(t: Tables, board: State, seat: int) -> int:
    """EG-5.1: what the grain that is missing now would cost."""
    return feeding.missing_of(t, board, seat) * feeding.cost_of(t, board, seat)


Gains = Iterator[tuple[int, Message]]
"""Points that something more would bring, and what."""


def _watered(t: Tables, board: State, seat: int) -> Gains:
    if _lost(t, board, seat):
        yield feeding.cost_of(t, board, seat), sentence("a watered grain")


def _part(t: Tables, board: State, seat: int) -> int:
    """EG-8.1: points for the sites where a stone was used in this round."""
    return t.parts.participation[board.worked[seat].bit_count()]


def _one_site_more(t: Tables, board: State, seat: int) -> Gains:
    sites, points = board.worked[seat].bit_count(), t.parts.participation
    if sites + 1 < len(points):
        yield points[sites + 1] - points[sites], sentence("a stone at one site more")


def _more_graves(t: Tables, board: State, seat: int) -> Gains:
    """How far the next line of the table is."""
    mine = grave_sum(t, board, seat)
    for low, points in [(low, points) for low, _, points in t.parts.grave_final if low > mine][:1]:
        yield points - grave_points(t, mine), sentence("graves worth {count} more", count=low - mine)


def _sphinx(t: Tables, board: State, seat: int) -> int | None:
    """EG-9.3: the own cards as the board stands; None for those that are their holder's secret."""
    kept = board.kept[seat]
    return None if data.HIDDEN in kept else sum(sphinx_points(t, board, seat, t.sphinx[card]) for card in kept)


def _idle_cards(t: Tables, board: State, seat: int) -> Gains:
    for card in (t.sphinx[card] for card in board.kept[seat]):
        if card.vp and not sphinx_points(t, board, seat, card):
            what = data.CONDITION_NAMES[card.cond]
            yield card.vp, sentence("your card {card} ({what}), once it holds", card=card.id, what=what)


def _to_sell(t: Tables, board: State, seat: int) -> Gains:
    sells, stones, at = t.parts.stone_market_sell, board.stones[seat], board.stone_at[seat]
    if sells[at]:
        yield 1, sentence("two stones")
    elif True in sells and stones >= PAIR:
        yield stones // PAIR, sentence("{count} step(s) on the stone market", count=sells.index(True) - at)


Line = tuple[str, Callable[[Tables, State, int], int | None], Callable[[Tables, State, int], Gains]]
_FEEDING: Line = (N_("feeding"), lambda t, board, seat: -_lost(t, board, seat), _watered)
_PARTICIPATION: Line = (N_("participation"), _part, _one_site_more)
_AT_END: tuple[Line, ...] = (
    (N_("graves"), graves, _more_graves),
    (N_("Sphinx cards"), _sphinx, _idle_cards),
    (N_("stones sold"), pairs, _to_sell),
)
"""By line: what it is called, a seat's points as the board stands, and what more would bring."""


def _left(t: Tables, view: View) -> Iterator[Stock]:
    """Yield what decks and tiles hold that the reader hasn't seen."""
    board = view.board
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
        yield Stock(sentence(title, count=len(unseen), deck=s.sphinx_left(board)), things)


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
    board, seat = view.board, view.seat or 0
    t = tables_of(board.components)
    found = {
        N_("stones"): board.stones[seat],
        N_("ships left"): data.SHIPS - len(board.fleet[seat]),
        N_("grain of watered fields"): s.grain_of(t, board, seat),
        N_("grain wanted"): s.need_of(board, seat),
        N_("stones a round from quarries"): s.quarry_of(t, board, seat),
        N_("Sphinx cards"): len(board.kept[seat]),
        N_("cards to use"): len(board.ready[seat]),
        N_("sum of graves"): grave_sum(t, board, seat),
        N_("step on the stone market"): board.stone_at[seat] + 1,
        N_("step on the grain market"): board.grain_at[seat] + 1,
    }
    if board.stage in {s.SHIP, s.LEFTOVER, s.FEED}:  # later it is done
        found[N_("points lost at feeding")] = _lost(t, board, seat)
    found |= {name: board.crews[seat * 4 + crew] for crew, name in enumerate(STRENGTHS)}
    return found | {POINTS: board.score[seat], SCORING: graves(t, board, seat) + (_sphinx(t, board, seat) or 0)}


def hanging(_view: View, _after: View, *, open_ended: bool) -> frozenset[str]:
    """Return the figures that others may change in the same ply, where something is drawn or they act."""
    return OF_ALL if open_ended else frozenset()


def warnings(view: View, order: AnyOrder, after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant: unused ships, missing grain."""
    board, seat = view.board, view.seat or 0
    t = tables_of(board.components)
    if not isinstance(order, orders.Ship | orders.Pass):
        return ()
    sails = isinstance(order, orders.Ship)
    left = data.SHIPS - len(board.fleet[seat]) - sails
    ends = not sails or after.board.stage != s.SHIP or not can_sail(t, after.board, seat)
    found = []
    if left and ends:
        found.append(sentence("This ends your sailing with {ships} ship(s) unused.", "EG-3.1", ships=left))
    lost = _lost(t, after.board, seat) if after.board.round == board.round and after.board.stage == s.SHIP else 0
    if lost:
        text = N_("As it stands {missing} grain (is|are) missing at feeding: {points} point(s).")
        found.append(sentence(text, "EG-5.1", missing=feeding.missing_of(t, after.board, seat), points=lost))
    return tuple(found)


CARDS = N_("Nile cards")
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
    "EG-9.3": (N_("Sphinx cards"), "points", 1),
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
        tuple(Source(name, tuple(row)) for name, row in rows.items() if any(row)), (), Message(""), _luck(end)
    )


def points_of(event: Event) -> tuple[str, int] | None:
    """Return the source of the points that an event tells of, and how many; None for one that brings none."""
    if event.rule not in SOURCES:
        return None
    name, hole, sign = SOURCES[event.rule]
    points = event.params.get(hole)
    return (name, sign * points) if isinstance(points, int) else None


def _luck(end: State) -> tuple[Luck, ...]:
    """EG-9.3: what the kept Sphinx cards brought, and what as many cards of the whole deck would have on average."""
    t = tables_of(end.components)
    came, expected = [], []
    for seat, kept in enumerate(end.kept):
        every = [sphinx_points(t, end, seat, card) for card in t.sphinx]
        came.append(sum(every[card] for card in kept))
        expected.append(len(kept) * sum(every) / len(every))
    return (Luck(sentence("points by Sphinx cards, against as many drawn blindly"), tuple(came), tuple(expected)),)
