"""Scoring, the change of kingdoms, the end: AR-9."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.orders import Harvest
from pbem.engine.amunre.scoring import change_kingdom, gold_points, score
from pbem.engine.amunre.state import BUILD, HARVEST, OVER, State
from pbem.engine.core.forms import Pick
from pbem.engine.core.types import Event
from tests.engine.amunre.tables import BLACK, BLUE, RED, WHITE, act, card, faults, give, land, owning, seen, sentence

PYRAMIDS, SETS, BANKS, TEMPLES, CARDS, GOLD = range(6)
TWELVE = {
    RED: "Mendes Amarna Avaris",
    BLACK: "Buto Memphis Damanhur",
    BLUE: "Thebes Abu Sawu",
    WHITE: "Abydos Edfu Kharga",
}


def ready(lands: dict[int, str] | None = None, seats: int = 4, **options: str) -> State:
    """The end of a kingdom: all provinces owned, temple on space 1."""
    state = owning(lands or TWELVE, seats, HARVEST, **options)
    state.round, state.temple = 3, 1
    state.used = [p for p in range(15) if state.owner[p] >= 0]
    state.pool = []
    return state


def tally(state: State, seat: int) -> list[int]:
    """The points of one seat, by part."""
    score(state, [])
    return state.tally[-1][seat]


def pyramids(state: State, **counts: int) -> State:
    """Pyramids as named."""
    for name, n in counts.items():
        state.pyramids[land(name)] = n
    return state


def test_ar_9_1_a_point_for_each_pyramid_on_own_provinces() -> None:
    """2 + 1 for Red, none for Black."""
    state = pyramids(ready(), Mendes=2, Avaris=1)
    assert tally(state, RED)[PYRAMIDS] == 3
    assert state.tally[-1][BLACK][PYRAMIDS] == 0


@pytest.mark.parametrize(("counts", "points"), [((1, 1, 1), 3), ((2, 3, 2), 6), ((4, 4, 0), 0), ((3, 3, 3), 9)])
def test_ar_9_2_three_points_for_each_complete_set(counts: tuple[int, int, int], points: int) -> None:
    """Three times the fewest of the three."""
    state = pyramids(ready(), Mendes=counts[0], Amarna=counts[1], Avaris=counts[2])
    assert tally(state, RED)[SETS] == points


def test_ar_9_3_five_points_for_the_most_pyramids_on_each_bank() -> None:
    """East: Mendes; west: Buto; the most on a single province, not in sum."""
    state = pyramids(ready(), Mendes=3, Thebes=2, Abu=2, Buto=1)
    assert [tally(state, RED)[BANKS], *(state.tally[-1][seat][BANKS] for seat in (BLACK, BLUE, WHITE))] == [5, 5, 0, 0]


def test_ar_9_3_stones_decide_between_equals_and_equals_in_both_all_score() -> None:
    """Mendes and Thebes with 2 pyramids: a stone decides; without it both get 5."""
    state = pyramids(ready(), Mendes=2, Thebes=2)
    state.stones[land("Thebes")] = 1
    assert (tally(state, RED)[BANKS], state.tally[-1][BLUE][BANKS]) == (0, 5)
    state = pyramids(ready(), Mendes=2, Thebes=2)
    assert (tally(state, RED)[BANKS], state.tally[-1][BLUE][BANKS]) == (5, 5)


def test_ar_9_3_no_pyramid_no_points_and_nobody_scores_a_bank_twice() -> None:
    """Stones alone earn nothing; Red with two equal provinces in the east gets 5 once; both banks give 10."""
    state = ready()
    state.stones[land("Mendes")] = 2
    assert tally(state, RED)[BANKS] == 0
    assert tally(pyramids(ready(), Mendes=2, Avaris=2), RED)[BANKS] == 5
    both = {
        RED: "Mendes Buto Avaris",
        BLACK: "Amarna Memphis Damanhur",
        BLUE: "Thebes Abu Sawu",
        WHITE: "Edfu Abydos Kharga",
    }
    assert tally(pyramids(ready(both), Mendes=2, Buto=2), RED)[BANKS] == 10


@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_9_4_each_temple_scores_the_temples_space(temple: int) -> None:
    """Damanhur two, Edfu and Amarna one each."""
    state = ready()
    state.temple = temple
    assert tally(state, BLACK)[TEMPLES] == 2 * temple
    assert state.tally[-1][WHITE][TEMPLES] == state.tally[-1][RED][TEMPLES] == temple
    assert state.tally[-1][BLUE][TEMPLES] == 0


def test_ar_9_5_cards_bonus_counts_limits_and_free_cards_together() -> None:
    """Abydos 4, Edfu 1 + 1, Kharga 1 make 7; Buto, Memphis, Damanhur only 5."""
    state = ready()
    give(state, WHITE, "cards bonus")
    give(state, BLACK, "cards bonus")
    assert tally(state, WHITE)[CARDS] == 3
    assert state.tally[-1][BLACK][CARDS] == 0
    assert state.hands[WHITE][card("cards bonus")] == 0
    assert state.hands[BLACK][card("cards bonus")] == 1


@pytest.mark.parametrize(("farmers", "points"), [(9, 3), (8, 0)])
def test_ar_9_5_farmers_bonus_wants_nine(farmers: int, points: int) -> None:
    """On fields, on open ground and printed ones together."""
    lands = {
        RED: "Mendes Baharya Avaris",
        BLACK: "Buto Memphis Damanhur",
        BLUE: "Thebes Abu Sawu",
        WHITE: "Abydos Edfu Kharga",
    }
    state = ready(lands)
    state.farmers[land("Mendes")] = farmers - 3
    state.ground[land("Avaris")] = 1
    give(state, RED, "farmers bonus")
    assert tally(state, RED)[CARDS] == points


@pytest.mark.parametrize(
    ("name", "holds", "fails"),
    [
        ("half bonus", "Mendes Buto Avaris", "Mendes Buto Abu"),
        ("bank bonus", "Mendes Abu Sawu", "Mendes Buto Abu"),
        ("riverside bonus", "Mendes Buto Abu", "Mendes Buto Sawu"),
        ("riverside bonus", "Sawu Dakhla Kharga", "Sawu Dakhla Abu"),
    ],
)
def test_ar_9_5_half_bank_and_riverside(name: str, holds: str, fails: str) -> None:
    """All three in one half, on one bank; on the river or none of them."""
    for lands, points in ((holds, 3), (fails, 0)):
        rest = [
            other
            for other in ["Amarna", "Memphis", "Damanhur", "Thebes", "Abydos", "Edfu", "Berenike", "Baharya"]
            if other not in lands
        ]
        state = ready({RED: lands, BLACK: " ".join(rest[:3]), BLUE: " ".join(rest[3:6])}, seats=3)
        give(state, RED, name)
        assert tally(state, RED)[CARDS] == points


def test_ar_9_5_one_of_each_kind_is_played_without_asking() -> None:
    """Two half bonuses and a bank bonus: one half and the bank are played, 6 points."""
    state = ready()
    give(state, RED, "half bonus", "half bonus", "bank bonus")
    events: list[Event] = []
    score(state, events)
    assert state.tally[-1][RED][CARDS] == 6
    assert state.hands[RED][card("half bonus")] == 1
    assert "0 plays half bonus, bank bonus and scores 3 points for each." in seen(events, BLACK)


def test_ar_9_5_keep_prevents_it_and_stays_secret() -> None:
    """Said ahead in the third round by who isn't asked; remembered until the scoring, shown to nobody else."""
    state = ready()
    state.phase, state.asked = BUILD, [BLACK]
    give(state, RED, "half bonus")
    assert sorted(RULES.optional(state)) == [RED, BLUE, WHITE]
    assert RULES.optional(state)[RED].secret
    keep = RULES.read(state, RED, "keep half bonus")
    before = RULES.view(state, BLUE)
    from_all = RULES.resolve(state, {BLACK: RULES.read(state, BLACK, "nothing"), RED: keep}, None)  # type: ignore[arg-type]  # nothing is drawn
    assert RULES.view(from_all.state, RED).keeps == (card("half bonus"),)
    assert RULES.view(from_all.state, BLUE).keeps == before.keeps == ()
    assert not any("keep" in line for line in seen(list(from_all.events), BLUE))
    score(from_all.state, [])
    assert from_all.state.tally[-1][RED][CARDS] == 0
    assert from_all.state.hands[RED][card("half bonus")] == 1


def test_ar_9_5_the_same_answer_is_told_once() -> None:
    """A standing order repeats it at every ply; its owner reads of it when it changes."""
    state = ready()
    state.phase, state.asked, state.queue = BUILD, [BLACK], [BLUE]
    told = act(state, {BLACK: "nothing", RED: "keep half bonus"}) + act(
        state, {BLUE: "nothing", RED: "keep half bonus"}
    )
    assert [line for line in seen(told, RED) if "keep" in line] == ["At the next scoring you keep: half bonus."]


def test_ar_9_5_keep_goes_along_with_the_harvest() -> None:
    """Who is asked in the third round's harvest says it there; before it is refused."""
    state = ready()
    state.items, state.offers, state.asked = [1, 0, 0, 0], [3, 0, 0, 0], [RED]
    give(state, RED, "half bonus")
    assert faults(state, RED, "stones 1 Mendes, keep bank bonus") == ["AR-9.5"]
    assert faults(state, RED, "stones 1 Mendes, keep half bonus") == []
    state.round = 2
    assert faults(state, RED, "stones 1 Mendes, keep half bonus") == ["AR-9.5"]
    state.round = 3
    act(state, {RED: "stones 1 Mendes, keep half bonus"})
    assert state.kingdom == 2
    assert state.hands[RED][card("half bonus")] == 1


def test_ar_9_5_what_was_kept_ahead_can_be_taken_back_with_the_harvest() -> None:
    """Said nothing more, it holds; `keep nothing` plays the card after all; a form does the same by its boxes."""
    state = ready()
    state.items, state.offers, state.asked = [1, 0, 0, 0], [3, 0, 0, 0], [RED]
    give(state, RED, "half bonus")
    assert str(RULES.read(state, RED, "stones 1 Mendes, keep nothing")) == "stones 1 Mendes"
    idle = Harvest(stones=((land("Mendes"), 1),), keep_none=True)
    assert [fault.rule for fault in RULES.check(state, RED, idle)] == ["AR-9.5"]
    state.keeps[RED] = [card("half bonus")]
    view = RULES.view(state, RED)
    (pick,) = [f for group in RULES.form(view).groups for f in group.fields if f.name == "keep"]
    assert isinstance(pick, Pick)
    assert pick.chosen == ("half bonus",)
    placed = {"stones:Mendes": ["1"]}
    assert RULES.order_text(view, {**placed, "keep": ["half bonus"]}) == "stones 1 Mendes, keep half bonus"
    back = RULES.read(state, RED, RULES.order_text(view, placed))
    assert str(back) == "stones 1 Mendes, keep nothing"
    assert back in set(RULES.legal(state, RED))
    kept, played = RULES.copy(state), RULES.copy(state)
    act(kept, {RED: "stones 1 Mendes"})
    assert kept.hands[RED][card("half bonus")] == 1
    told = act(played, {RED: str(back)})
    assert "At the next scoring you play every bonus card that counts." in seen(told, RED)
    assert played.hands[RED][card("half bonus")] == 0
    assert played.tally[-1][RED][CARDS] == kept.tally[-1][RED][CARDS] + 3


def test_ar_9_5_only_bonus_cards_can_be_kept() -> None:
    """A block isn't played at a scoring anyway."""
    state = ready()
    state.asked = [BLACK]
    assert sentence(state, RED, "keep block") == "Only bonus cards can be kept from the scoring."
    assert faults(state, RED, "keep nothing") == []


@pytest.mark.parametrize(
    ("gold", "points"),
    [
        ((9, 7, 5, 3), [6, 4, 2, 0]),
        ((9, 9, 5, 3), [6, 6, 2, 0]),
        ((9, 5, 5, 3), [6, 4, 4, 0]),
        ((9, 9, 9, 3), [6, 6, 6, 0]),
        ((0, 0, 0, 0), [6, 6, 6, 6]),
        ((4, 0, 0, 0), [6, 4, 4, 4]),
        ((1, 2, 3, 3, 0), [0, 2, 6, 6, 0]),
    ],
)
def test_ar_9_6_gold_scores_6_4_2_and_equals_share_the_higher(gold: tuple[int, ...], points: list[int]) -> None:
    """Places after equals are skipped; nothing at all ranks like any amount."""
    assert gold_points(list(gold)) == points


def test_ar_9_6_cards_in_hand_are_sold_first_unless_agreed_otherwise() -> None:
    """Black's two cards lift 20 gold over the others' 20; with final_sale=never they don't. Never in the old one."""
    for option, points in (("auto", [4, 6, 4, 4]), ("never", [6, 6, 6, 6])):
        state = ready(final_sale=option)
        state.kingdom = 2
        give(state, BLACK, "block", "block")
        score(state, [])
        assert [row[GOLD] for row in state.tally[-1]] == points
    state = ready()
    give(state, BLACK, "block")
    score(state, [])
    assert [row[GOLD] for row in state.tally[-1]] == [0, 0, 0, 0]
    assert state.hands[BLACK][card("block")] == 1


def test_ar_9_7_markers_and_farmers_leave_pyramids_and_all_else_stay() -> None:
    """The new kingdom begins on the same ground."""
    state = pyramids(ready(), Mendes=2)
    state.stones[land("Buto")] = 1
    state.farmers[land("Mendes")] = 3
    state.ground[land("Abu")] = 1
    give(state, RED, "block")
    state.first, state.temple, state.points = BLUE, 3, [5, 6, 7, 8]
    deck, gold = state.deck[:], state.gold[:]
    change_kingdom(state, [])
    assert (state.kingdom, state.round) == (2, 1)
    assert state.owner == [-1] * 15
    assert state.farmers == state.ground == [0] * 15
    assert (state.pyramids[land("Mendes")], state.stones[land("Buto")]) == (2, 1)
    assert (state.first, state.temple, state.points, state.gold, state.deck) == (BLUE, 3, [5, 6, 7, 8], gold, deck)
    assert state.hands[RED][card("block")] == 1
    assert sorted(state.pool) == sorted(state.used)


def ended(points: tuple[int, ...], **counts: int) -> State:
    """A finished game with these points, pyramids and (by a leading s_) stones."""
    state = ready()
    state.kingdom, state.phase, state.asked, state.points = 2, OVER, [], list(points)
    for name, n in counts.items():
        if name.startswith("s_"):
            state.stones[land(name.removeprefix("s_"))] = n
        else:
            state.pyramids[land(name)] = n
    return state


@pytest.mark.parametrize(
    ("points", "counts", "places", "ending"),
    [
        ((30, 20, 25, 10), {}, (1, 3, 2, 4), "clear"),
        ((30, 30, 25, 10), {"Buto": 1}, (2, 1, 3, 4), "pyramids"),
        ((30, 30, 25, 10), {"Buto": 1, "Mendes": 1, "s_Avaris": 2}, (1, 2, 3, 4), "stones"),
        ((30, 30, 30, 10), {"Buto": 1, "Mendes": 1}, (1, 1, 3, 4), "shared"),
        ((30, 20, 20, 20), {"Buto": 1}, (1, 2, 3, 3), "clear"),
    ],
)
def test_ar_9_8_points_then_pyramids_then_stones_then_shared(
    points: tuple[int, ...], counts: dict[str, int], places: tuple[int, ...], ending: str
) -> None:
    """Who wins, and what decided it."""
    outcome = RULES.outcome(ended(points, **counts))
    assert outcome is not None
    assert (outcome.scores, outcome.places, outcome.ending) == (points, places, ending)


def test_ar_9_8_while_the_game_goes_on_there_is_no_outcome() -> None:
    """Not even with all points on the board."""
    assert RULES.outcome(ready()) is None
