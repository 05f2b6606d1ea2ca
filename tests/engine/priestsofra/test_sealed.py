"""PR-3.6: sealed auctions are in-turn auctions in which everyone follows a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.core.rng import Recorded
from pbem.engine.priestsofra import RULES
from pbem.engine.priestsofra.state import State, suns_of
from pbem.engine.text import standing_orders, standing_text
from tests.engine.priestsofra.tables import act, awaited, changed, deal, position, sound

if TYPE_CHECKING:
    from pbem.engine.core.message import Event

Limits = list[tuple[str, int]]
"""A list of bids: `lowest` up to, `highest` up to, `exact`, or `pass` (whose number says nothing)."""

TEXTS = {
    "lowest": "bid lowest up to {}",
    "highest": "bid highest up to {}",
    "exact": "bid {}",
    "library": "when library in lot: bid lowest up to {}",
    "pass": "pass",
}


def play_lists(state: State, lists: dict[int, str]) -> list[Event]:
    """Play an auction out: each seat in turn is answered by its list, and by the safe default where nothing fits."""
    events: list[Event] = []
    while awaited(state)[1] == "bid":
        seat, _ = awaited(state)
        found = standing_orders.answer(RULES, state, seat, standing_text.parse(RULES, lists[seat])).order
        order = found or RULES.cautious(RULES.view(state, seat))
        assert RULES.check(state, seat, order) == []
        events += RULES.apply(state, {seat: order}, Recorded([]))
        sound(state)
    return events


def by_hand(
    hands: dict[int, list[int]], order: list[int], lists: dict[int, Limits], *, called: bool
) -> tuple[int, int]:
    """The winner and winning sun of an auction held in turn, worked out without the engine; (-1, 0) for nobody."""
    best, holder = 0, -1
    for seat in order:
        bid = 0
        for kind, limit in lists[seat]:
            fits = sorted(sun for sun in hands[seat] if best < sun <= limit)
            if kind == "pass" and not (called and seat == order[-1] and not best):
                break
            if kind == "exact" and limit in fits:
                bid = limit
            elif kind == "highest" and fits:
                bid = fits[-1]
            elif kind in {"lowest", "library"} and fits:
                bid = fits[0]
            if bid:
                break
        if not bid and called and seat == order[-1] and not best:
            bid = min(hands[seat])
        if bid:
            best, holder = bid, seat
    return holder, best


LINE = st.tuples(st.sampled_from(sorted(TEXTS)), st.integers(1, 17))
LISTS = st.lists(st.lists(LINE, min_size=1, max_size=4), min_size=5, max_size=5)


@settings(max_examples=250, deadline=None)
@given(seats=st.integers(2, 5), caller=st.integers(0, 4), kind=st.sampled_from(["called", "full", "ra"]), wishes=LISTS)
def test_pr_3_6_the_sealed_result_is_an_auction_held_in_turn(
    seats: int, caller: int, kind: str, wishes: list[Limits]
) -> None:
    """Whatever the lists say, playing them out gives the winner and sun of an in-turn auction that follows them."""
    state = position(f"""
        {seats} players, sealed auctions
        lot: library{", 7 pyramids" if kind == "full" else ""}
        turn: {caller % seats} to draw or call
    """)
    act(state, "draw = ra" if kind == "ra" else "ra")
    order = list(RULES.sealed(state))
    hands = {seat: list(suns_of(state.up[seat])) for seat in order}
    lists = {seat: wishes[seat] for seat in order}
    texts = {seat: "\n".join(TEXTS[word].format(limit) for word, limit in lists[seat]) for seat in order}
    expected = by_hand(hands, order, lists, called=kind == "called")
    play_lists(state, texts)

    assert order[-1] == caller % seats
    assert sorted(order) == list(range(seats))
    winner = next((seat for seat in range(seats) if state.down[seat]), -1)
    assert (winner, state.centre if winner >= 0 else 0) == expected
    assert awaited(state) == ((caller + 1) % seats, "turn")


def test_pr_3_6_all_bidders_are_asked_at_the_start_only() -> None:
    """At the start everyone with a face-up sun is asked, the Ra player last; once a bid or a pass is in, nobody."""
    state = position("""
        4 players, sealed auctions
        table: sun 8
        0: suns 13 6
        1: suns none
        2: suns 11
        3: suns 10 9 5
        turn: 2 to draw or call
    """)
    assert RULES.sealed(state) == ()
    act(state, "ra")
    assert RULES.sealed(state) == (3, 0, 2)
    assert RULES.view(state, 0).asked == (3, 0, 2)
    act(state, "pass")
    assert RULES.sealed(state) == ()
    act(state, "bid 6", "pass")
    assert RULES.sealed(state) == ()


def test_pr_3_6_in_turn_asks_nobody_at_once() -> None:
    """With `auctions=in_turn` no lists are asked, and the same bids give the same auction."""
    sealed, in_turn = deal(3), deal(3, auctions="in_turn")
    for state in (sealed, in_turn):
        act(state, "ra")
    assert RULES.sealed(in_turn) == ()
    assert RULES.sealed(sealed) == (1, 2, 0)
    for state in (sealed, in_turn):
        act(state, "bid 3", "bid 7", "pass")

    assert sealed.up == in_turn.up
    assert sealed.centre == in_turn.centre == 7


def test_pr_3_6_a_single_bidder_is_asked_in_turn() -> None:
    """Who is alone has nobody to keep a list from."""
    state = position("""
        3 players, sealed auctions
        table: sun 12
        0: suns none
        1: suns 9 6
        2: suns none
        turn: 1 to draw or call
    """)
    act(state, "ra")

    assert RULES.sealed(state) == ()
    assert awaited(state) == (1, "bid")


def test_pr_3_6_the_callers_last_resort_is_the_lowest_sun() -> None:
    """A caller whose list is empty of what fits bids the lowest sun if nobody else bids, and passes otherwise."""
    for others, centre in (("pass", 2), ("bid 3", 3)):
        state = deal(3)
        act(state, "ra")
        play_lists(state, {1: others, 2: "pass", 0: "when 9 plagues: bid 13"})
        assert state.centre == centre


def test_pr_3_6_ask_me_stops_the_playout() -> None:
    """A line `ask me` gives no order: the seat is asked in turn and sees the bids so far."""
    state = deal(3)
    act(state, "ra")
    text = standing_text.parse(RULES, "when high_bid > 5: ask me\nbid lowest")
    assert str(standing_orders.answer(RULES, state, 1, text).order) == "bid 3"
    act(state, "bid 6")
    found = standing_orders.answer(RULES, state, 2, text)

    assert (found.order, found.line) == (None, 1)


def test_pr_2_1_a_whole_chain_of_draws_in_one_order() -> None:
    """`draw ... until 5 tiles or 2 plagues, then ra` draws while that holds and then calls, turn by turn."""
    text = standing_text.parse(RULES, "this phase\ndraw farmer, library until 5 tiles or 2 plagues, then ra")
    state = deal(2)
    chosen = []
    for tile in ("farmer/warrior", "plague", "market/library", "plague", ""):
        seat, _ = awaited(state)
        order = standing_orders.answer(RULES, state, seat, text).order
        chosen.append(str(order))
        RULES.apply(state, {seat: order}, Recorded([f"tile: {tile}"] if tile else []))

    assert chosen == ["draw farmer, library"] * 4 + ["ra"]
    assert awaited(state)[1] == "bid"


def test_pr_5_1_the_scope_of_a_chain_ends_with_an_auction() -> None:
    """The phase key is the stretch of turns between two auctions, or one auction; the round key is the epoch."""
    state = deal(3)
    keys = [RULES.scope(state)]
    for text in ("draw = pyramid", "draw = farmer/warrior", "show farmer", "ra", "pass", "pass", "bid 11"):
        act(state, text)
        keys.append(RULES.scope(state))
    state = changed(state, "table: Ra 7")
    act(state, "draw = ra")
    keys.append(RULES.scope(state))

    assert [key.phase for key in keys] == ["1-turns-0"] * 4 + ["1-auction-1"] * 3 + ["1-turns-1", "2-turns-1"]
    assert [key.round for key in keys] == ["epoch-1"] * 8 + ["epoch-2"]
