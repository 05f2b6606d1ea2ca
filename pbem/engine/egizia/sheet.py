"""The scoring sheet: what feeding, building and the end would bring now, and what decks and tiles still hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from pbem.engine.core.sheet import ScoreSheet, Source, Stock, worth
from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.egizia import data, feeding
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import has_value
from pbem.engine.egizia.scoring import grave_points, grave_sum, sphinx_points
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.view import View

FEEDING: Final = N_("feeding")
PART: Final = N_("participation")
GRAVES: Final = N_("graves")
SPHINX: Final = N_("Sphinx cards")
SOLD: Final = N_("stones sold")
_BEFORE_BUILDING: Final = frozenset({s.SHIP, s.LEFTOVER, s.FEED})
_PAIR: Final = 2


def score_sheet(view: View) -> ScoreSheet:
    """EG-5.1, EG-8.1, EG-9: everybody's lines as the board stands; Sphinx cards are their holder's secret."""
    board, t = view.board, tables_of(view.board.components)
    if board.stage == s.OVER:
        return ScoreSheet(tuple(board.score), (), tuple(_left(t, view)))
    round_source = _feeding(t, view) if board.stage in _BEFORE_BUILDING else _participation(t, view)
    sources = (round_source, _graves(t, view), _sphinx(t, view), _sold(t, view))
    return ScoreSheet(tuple(board.score), sources, tuple(_left(t, view)), tuple(_to_come(board)))


def _feeding(t: Tables, view: View) -> Source:
    """EG-5.1: what the grain that is missing now costs."""
    board = view.board
    lost = [feeding.missing_of(t, board, seat) * feeding.cost_of(t, board, seat) for seat in range(board.players)]
    more: tuple[Message, ...] = ()
    if view.seat is not None and lost[view.seat]:
        more = (worth(feeding.cost_of(t, board, view.seat), sentence("a watered grain")),)
    return Source(FEEDING, tuple(-points for points in lost), more)


def _participation(t: Tables, view: View) -> Source:
    """EG-8.1: points for the sites where a stone was used in this round."""
    board, points = view.board, t.parts.participation
    sites = [worked.bit_count() for worked in board.worked]
    more: tuple[Message, ...] = ()
    if view.seat is not None and sites[view.seat] + 1 < len(points):
        gain = points[sites[view.seat] + 1] - points[sites[view.seat]]
        more = (worth(gain, sentence("a stone at one site more")),)
    return Source(PART, tuple(points[count] for count in sites), more)


def _graves(t: Tables, view: View) -> Source:
    """EG-9.2: points by the sum of graves, and how far the next line of the table is."""
    sums = [grave_sum(t, view.board, seat) for seat in range(view.board.players)]
    more: tuple[Message, ...] = ()
    if view.seat is not None:
        mine = sums[view.seat]
        steps = [(low, points) for low, _, points in t.parts.grave_final if low > mine]
        if steps:
            low, points = steps[0]
            gain = points - grave_points(t, mine)
            more = (worth(gain, sentence("graves worth {count} more", count=low - mine)),)
    return Source(GRAVES, tuple(grave_points(t, total) for total in sums), more, at_end=True)


def _sphinx(t: Tables, view: View) -> Source:
    """EG-9.3: the own cards as the board stands."""
    board = view.board
    found: list[int | None] = []
    waiting: list[Message] = []
    for seat, kept in enumerate(board.kept):
        cards = [t.sphinx[card] for card in kept if card != data.HIDDEN]
        points = [sphinx_points(t, board, seat, card) for card in cards]
        found.append(sum(points) if len(cards) == len(kept) else None)
        if seat == view.seat:
            waiting = [
                worth(
                    card.vp,
                    sentence(
                        "your card {card} ({what}), once it holds", card=card.id, what=data.CONDITION_NAMES[card.cond]
                    ),
                )
                for card, now in zip(cards, points, strict=True)
                if card.vp and not now
            ]
    return Source(SPHINX, tuple(found), tuple(waiting), at_end=True)


def _sold(t: Tables, view: View) -> Source:
    """EG-9.1: pairs of stones, where the market's last two spaces are reached."""
    board, sells = view.board, t.parts.stone_market_sell
    points = [stones // _PAIR if sells[at] else 0 for stones, at in zip(board.stones, board.stone_at, strict=True)]
    more: tuple[Message, ...] = ()
    if view.seat is not None:
        stones, at = board.stones[view.seat], board.stone_at[view.seat]
        if sells[at]:
            more = (worth(1, sentence("two stones")),)
        elif True in sells and stones >= _PAIR:
            steps = sells.index(True) - at
            more = (worth(stones // _PAIR, sentence("{count} step(s) on the stone market", count=steps)),)
    return Source(SOLD, tuple(points), more, at_end=True)


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
    unseen = _unseen_sphinx(t, view)
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


def _unseen_sphinx(t: Tables, view: View) -> list[int]:
    """Return the Sphinx cards that the view's seat has never had in hand."""
    board = view.board
    seen = {*board.drawn, *(card for kept in board.kept for card in kept)}
    seen |= {card for under in board.under for card in (*under.laid, *under.rest)}
    return [card for card in range(len(t.sphinx)) if card not in seen]


def _to_come(board: State) -> Iterator[Message]:
    left = data.ROUNDS - board.round
    text = N_("{left} round(s) follow(s|) this one.") if left else N_("This is the last round.")
    yield sentence(text, "EG-2.1", left=left)
    if left and data.DECK_OF_ROUND[board.round] != data.DECK_OF_ROUND[board.round + 1]:
        yield sentence("The next round's cards come from a new deck.", "EG-2.2")
    yield sentence("At the end graves, Sphinx cards and, by the stone market, stones are counted.", "EG-9.1")
