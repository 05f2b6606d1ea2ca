"""Scoring, the change of kingdoms, the end: AR-9. Positions are texts, as docs/development/positions.md says."""

from __future__ import annotations

import pytest

from pbem.engine.amunre import RULES
from pbem.engine.amunre.data import BANK_POINTS, PROVINCES
from pbem.engine.amunre.orders import Harvest
from pbem.engine.amunre.scoring import PARTS, banks, change_kingdom, gold_points, score
from pbem.engine.amunre.state import Ply, State
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Pick
from pbem.engine.core.message import Message
from tests.engine.amunre.tables import (
    BLACK,
    BLUE,
    NO_CHANCE,
    RED,
    WHITE,
    act,
    card,
    faults,
    land,
    position,
    seen,
    sentence,
)

PYRAMIDS, SETS, BANKS, TEMPLES, CARDS, GOLD = range(6)
TWELVE = """
    Red: owns Mendes + Amarna + Avaris
    Black: owns Buto + Memphis + Damanhur
    Blue: owns Thebes + Abu + Sawu
    White: owns Abydos + Edfu + Kharga
"""
"""The end of a kingdom: all provinces have an owner."""


def ready(more: str = "", owners: str = TWELVE, first: str = "4 players", temple: int = 1, kingdom: int = 1) -> State:
    """The third round's harvest, everybody asked, with what a case adds to the seats' and provinces' lines."""
    said = "harvest by " + " ".join(line.strip().partition(":")[0] for line in owners.strip().splitlines())
    game = f"game: kingdom {kingdom}, round 3, temple {temple}"
    return position(f"{first}\n{game}\n{owners}\nasked: {said}", more)


def tally(state: State, seat: int) -> list[int]:
    """The points of one seat, by part."""
    score(Ply(state, NO_CHANCE))
    return state.tally[-1][seat]


def test_ar_9_1_a_point_for_each_pyramid_on_own_provinces() -> None:
    """2 + 1 for Red, none for Black."""
    state = ready("""
        Mendes: pyramids 2
        Avaris: pyramids 1
    """)
    assert tally(state, RED)[PYRAMIDS] == 3
    assert state.tally[-1][BLACK][PYRAMIDS] == 0


@pytest.mark.parametrize(("counts", "points"), [((1, 1, 1), 3), ((2, 3, 2), 6), ((4, 4, 0), 0), ((3, 3, 3), 9)])
def test_ar_9_2_three_points_for_each_complete_set(counts: tuple[int, int, int], points: int) -> None:
    """Three times the fewest of the three."""
    built = zip(("Mendes", "Amarna", "Avaris"), counts, strict=True)
    state = ready("\n".join(f"{name}: pyramids {n}" for name, n in built))
    assert tally(state, RED)[SETS] == points


def test_ar_9_3_five_points_for_the_most_pyramids_on_each_bank() -> None:
    """East: Mendes; west: Buto; the most on a single province, not in sum."""
    state = ready("""
        Mendes: pyramids 3
        Thebes: pyramids 2
        Abu: pyramids 2
        Buto: pyramids 1
    """)
    assert [tally(state, RED)[BANKS], *(state.tally[-1][seat][BANKS] for seat in (BLACK, BLUE, WHITE))] == [5, 5, 0, 0]


def test_ar_9_3_stones_decide_between_equals_and_equals_in_both_all_score() -> None:
    """Mendes and Thebes with 2 pyramids: a stone decides; without it both get 5."""
    state = ready("""
        Mendes: pyramids 2
        Thebes: pyramids 2, stones 1
    """)
    assert (tally(state, RED)[BANKS], state.tally[-1][BLUE][BANKS]) == (0, 5)
    state = ready("""
        Mendes: pyramids 2
        Thebes: pyramids 2
    """)
    assert (tally(state, RED)[BANKS], state.tally[-1][BLUE][BANKS]) == (5, 5)


def test_ar_9_3_no_pyramid_no_points_and_nobody_scores_a_bank_twice() -> None:
    """Stones alone earn nothing; Red with two equal provinces in the east gets 5 once; both banks give 10."""
    assert tally(ready("Mendes: stones 2"), RED)[BANKS] == 0
    east = ready("""
        Mendes: pyramids 2
        Avaris: pyramids 2
    """)
    assert tally(east, RED)[BANKS] == 5
    owners = """
        Red: owns Mendes + Buto + Avaris
        Black: owns Amarna + Memphis + Damanhur
        Blue: owns Thebes + Abu + Sawu
        White: owns Edfu + Abydos + Kharga
    """
    both = """
        Mendes: pyramids 2
        Buto: pyramids 2
    """
    assert tally(ready(both, owners), RED)[BANKS] == 10


@pytest.mark.parametrize(
    ("red", "blue", "more"),
    [
        ("pyramids 2", "pyramids 2", None),
        ("pyramids 2, stones 1", "pyramids 2", None),
        ("pyramids 2", "pyramids 2, stones 1", 1),
        ("pyramids 1", "pyramids 3", 3),
        ("stones 2", "stones 1", 1),
        ("pyramids 1", "stones 2", None),
    ],
)
def test_ar_9_3_the_sheet_promises_a_bank_only_to_who_has_nothing_of_it(red: str, blue: str, more: int | None) -> None:
    """Whoever scores on a bank, alone or with others, is told of no pyramid more; to all others so many bring it."""
    state = ready(f"Mendes: {red}\nThebes: {blue}")
    (east,) = (one for one in RULES.score_sheet(RULES.view(state, RED)).sources if one.name == PARTS[BANKS])
    told = [thing for said in east.more if isinstance(thing := said.params["thing"], Message)]
    found = [thing.params["count"] for thing in told if "east" in str(thing)]
    before = banks(state)[RED]

    assert found == [more] * (more is not None)
    assert before == (0 if more else BANK_POINTS)
    state.pyramids[PROVINCES.index("Mendes")] += more or 0
    assert banks(state)[RED] == BANK_POINTS


def test_ar_9_5_the_sheet_promises_nothing_of_a_card_that_is_kept() -> None:
    """What a bonus card would bring once it holds is told only of one that will be played."""
    cards = [
        RULES.score_sheet(RULES.view(ready("", TWELVE.replace("Red:", f"Red: {said},")), RED)).sources[CARDS]
        for said in ("farmers bonus", "farmers bonus, keeps farmers bonus")
    ]

    assert [len(source.more) for source in cards] == [1, 0]


@pytest.mark.parametrize("temple", [1, 2, 3, 4])
def test_ar_9_4_each_temple_scores_the_temples_space(temple: int) -> None:
    """Damanhur two, Edfu and Amarna one each."""
    state = ready(temple=temple)
    assert tally(state, BLACK)[TEMPLES] == 2 * temple
    assert state.tally[-1][WHITE][TEMPLES] == state.tally[-1][RED][TEMPLES] == temple
    assert state.tally[-1][BLUE][TEMPLES] == 0


def test_ar_9_5_cards_bonus_counts_limits_and_free_cards_together() -> None:
    """Abydos 4, Edfu 1 + 1, Kharga 1 make 7; Buto, Memphis, Damanhur only 5."""
    state = ready("""
        White: cards bonus
        Black: cards bonus
    """)
    assert tally(state, WHITE)[CARDS] == 3
    assert state.tally[-1][BLACK][CARDS] == 0
    assert state.hands[WHITE][card("cards bonus")] == 0
    assert state.hands[BLACK][card("cards bonus")] == 1


@pytest.mark.parametrize(("farmers", "points"), [(9, 3), (8, 0)])
def test_ar_9_5_farmers_bonus_wants_nine(farmers: int, points: int) -> None:
    """On fields, on open ground and printed ones together."""
    owners = """
        Red: owns Mendes + Baharya + Avaris
        Black: owns Buto + Memphis + Damanhur
        Blue: owns Thebes + Abu + Sawu
        White: owns Abydos + Edfu + Kharga
    """
    state = ready(
        f"""
        Red: farmers bonus
        Mendes: farmers {farmers - 3}
        Avaris: free farmers 1
        """,
        owners,
    )
    assert tally(state, RED)[CARDS] == points


@pytest.mark.parametrize(
    ("name", "holds", "fails"),
    [
        ("half bonus", "Mendes + Buto + Avaris", "Mendes + Buto + Abu"),
        ("bank bonus", "Mendes + Abu + Sawu", "Mendes + Buto + Abu"),
        ("riverside bonus", "Mendes + Buto + Abu", "Mendes + Buto + Sawu"),
        ("riverside bonus", "Sawu + Dakhla + Kharga", "Sawu + Dakhla + Abu"),
    ],
)
def test_ar_9_5_half_bank_and_riverside(name: str, holds: str, fails: str) -> None:
    """All three in one half, on one bank; on the river or none of them."""
    for lands, points in ((holds, 3), (fails, 0)):
        owners = f"""
            Red: owns {lands}, {name}
            Black: owns Amarna + Memphis + Damanhur
            Blue: owns Thebes + Abydos + Edfu
        """
        assert tally(ready(owners=owners, first="3 players"), RED)[CARDS] == points


def test_ar_9_5_one_of_each_kind_is_played_without_asking() -> None:
    """Two half bonuses and a bank bonus: one half and the bank are played, 6 points."""
    state = ready("Red: 2 half bonus, bank bonus")
    ply = Ply(state, NO_CHANCE)
    score(ply)
    assert state.tally[-1][RED][CARDS] == 6
    assert state.hands[RED][card("half bonus")] == 1
    assert "0 plays half bonus, bank bonus and scores 3 points for each." in seen(ply.events, BLACK)


def test_ar_9_5_keep_prevents_it_and_stays_secret() -> None:
    """Said ahead in the third round by who isn't asked; remembered until the scoring, shown to nobody else."""
    state = ready("""
        Red: half bonus
        asked: build by Black
    """)
    assert sorted(RULES.optional(state)) == [RED, BLUE, WHITE]
    assert RULES.optional(state)[RED].secret
    keep = RULES.read(state, RED, "keep half bonus")
    before = RULES.view(state, BLUE)
    from_all = RULES.resolve(state, {BLACK: RULES.read(state, BLACK, "nothing"), RED: keep}, None)  # type: ignore[arg-type]  # nothing is drawn
    assert RULES.view(from_all.state, RED).keeps[RED] == [card("half bonus")]
    assert RULES.view(from_all.state, BLUE).keeps == before.keeps == [[], [], [], []]
    assert not any("keep" in line for line in seen(list(from_all.events), BLUE))
    score(Ply(from_all.state, NO_CHANCE))
    assert from_all.state.tally[-1][RED][CARDS] == 0
    assert from_all.state.hands[RED][card("half bonus")] == 1


def test_ar_9_5_the_same_answer_is_told_once() -> None:
    """A standing order repeats it at every ply; its owner reads of it when it changes."""
    state = ready("asked: build by Black, then Blue")
    told = act(state, {BLACK: "nothing", RED: "keep half bonus"}) + act(
        state, {BLUE: "nothing", RED: "keep half bonus"}
    )
    assert [line for line in seen(told, RED) if "keep" in line] == ["At the next scoring you keep: half bonus."]


PLACING = """
        Red: half bonus, offered 3, items 1
        Black: theft
        Blue: theft
        White: theft
        asked: harvest by Red
"""
"""Red, with a half bonus in hand, places one thing."""


def test_ar_9_5_keep_goes_along_with_the_harvest() -> None:
    """Who is asked in the third round's harvest says it there; before it is refused."""
    state = ready(PLACING)
    assert faults(state, RED, "stones 1 Mendes, keep bank bonus") == ["AR-9.5"]
    assert faults(state, RED, "stones 1 Mendes, keep half bonus") == []
    before = ready(PLACING.replace("asked:", "game: round 2\n        asked:"))
    assert faults(before, RED, "stones 1 Mendes, keep half bonus") == ["AR-9.5"]
    act(state, {RED: "stones 1 Mendes, keep half bonus"})
    assert state.kingdom == 2
    assert state.hands[RED][card("half bonus")] == 1


@pytest.mark.parametrize("items", ["items 1", "items 0, eight gold"])
@pytest.mark.parametrize("text", ["keep half bonus", "keep nothing", "buy nothing", "compro niente"])
def test_an_answer_to_another_question_places_nothing(text: str, items: str) -> None:
    """At the harvest `buy` is none, and `keep` alone only where nothing is to be placed; `nothing` is counted."""
    state = ready(PLACING.replace("items 1", items))
    if text.startswith("keep") and "items 0" in items:
        assert RULES.read(state, RED, text)
    else:
        with pytest.raises(InvalidOrder):
            RULES.read(state, RED, text)
    assert RULES.read(state, RED, "nothing") == Harvest()


def test_ar_9_5_what_was_kept_ahead_can_be_taken_back_with_the_harvest() -> None:
    """Said nothing more, it holds; `keep nothing` plays the card after all; a form does the same by its boxes."""
    state = ready(PLACING)
    assert str(RULES.read(state, RED, "stones 1 Mendes, keep nothing")) == "stones 1 Mendes"
    idle = Harvest(stones=((land("Mendes"), 1),), keep_none=True)
    assert [fault.rule for fault in RULES.check(state, RED, idle)] == ["AR-9.5"]
    state = ready(PLACING.replace("items 1", "items 1, keeps half bonus"))
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
    state = ready("asked: harvest by Black")
    assert sentence(state, RED, "keep block") == "Only bonus cards can be kept from the scoring, not block."
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
        state = ready("Black: 2 block", first=f"4 players, final_sale {option}", kingdom=2)
        score(Ply(state, NO_CHANCE))
        assert [row[GOLD] for row in state.tally[-1]] == points
    state = ready("Black: block")
    score(Ply(state, NO_CHANCE))
    assert [row[GOLD] for row in state.tally[-1]] == [0, 0, 0, 0]
    assert state.hands[BLACK][card("block")] == 1


def test_ar_9_7_markers_and_farmers_leave_pyramids_and_all_else_stay() -> None:
    """The new kingdom begins on the same ground."""
    state = ready("""
        game: kingdom 1, round 3, temple 3, first Blue
        Red: points 5, block
        Black: points 6
        Blue: points 7
        White: points 8
        Mendes: farmers 3, pyramids 2
        Buto: stones 1
        Abu: free farmers 1
    """)
    deck, gold = state.deck[:], state.gold[:]
    change_kingdom(Ply(state, NO_CHANCE))
    assert (state.kingdom, state.round) == (2, 1)
    assert state.owner == [-1] * 15
    assert state.farmers == state.ground == [0] * 15
    assert (state.pyramids[land("Mendes")], state.stones[land("Buto")]) == (2, 1)
    assert (state.first, state.temple, state.points, state.gold, state.deck) == (BLUE, 3, [5, 6, 7, 8], gold, deck)
    assert state.hands[RED][card("block")] == 1
    assert sorted(state.pool) == sorted(state.used)


@pytest.mark.parametrize(
    ("points", "built", "places", "ending"),
    [
        ((30, 20, 25, 10), "", (1, 3, 2, 4), "clear"),
        ((30, 30, 25, 10), "Buto: pyramids 1", (2, 1, 3, 4), "pyramids"),
        (
            (30, 30, 25, 10),
            "Buto: pyramids 1\nMendes: pyramids 1\nAvaris: stones 2",
            (1, 2, 3, 4),
            "stones",
        ),
        ((30, 30, 30, 10), "Buto: pyramids 1\nMendes: pyramids 1", (1, 1, 3, 4), "shared"),
        ((30, 20, 20, 20), "Buto: pyramids 1", (1, 2, 3, 3), "clear"),
    ],
)
def test_ar_9_8_points_then_pyramids_then_stones_then_shared(
    points: tuple[int, ...], built: str, places: tuple[int, ...], ending: str
) -> None:
    """Who wins, and what decided it."""
    red, black, blue, white = points
    state = ready(
        f"""
        Red: points {red}
        Black: points {black}
        Blue: points {blue}
        White: points {white}
        asked: over
        {built}
        """,
        kingdom=2,
    )
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.places, outcome.ending) == (points, places, ending)


def test_ar_9_8_while_the_game_goes_on_there_is_no_outcome() -> None:
    """Not even with all points on the board."""
    assert RULES.outcome(ready()) is None
