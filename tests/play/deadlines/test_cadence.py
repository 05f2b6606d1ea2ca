from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from pbem.errors import WrongInput
from pbem.messages import LANGUAGES, Translator
from pbem.play.deadlines import cadence as deadlines
from pbem.play.deadlines.cadence import CADENCES, Cadence
from pbem.waking_hours import WakingHours

ALWAYS = WakingHours(wakes=0, sleeps=24 * 60)
MONDAY = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_the_ply_waits_for_the_slowest_clock() -> None:
    """One deadline for all who are asked: the latest of theirs."""
    sleeper = WakingHours(wakes=18 * 60, sleeps=20 * 60)
    cadence = Cadence(hours=12, waking=3)

    assert deadlines.joint(cadence, [ALWAYS, sleeper], MONDAY) == deadlines.due(cadence, sleeper, MONDAY)
    assert deadlines.joint(cadence, [ALWAYS], MONDAY) == MONDAY + 12 * HOUR


def test_reminders_come_in_waking_hours_and_the_last_step_is_the_deadline() -> None:
    """Half the time, then most of it, then the organiser at the deadline, then nothing more."""
    cadence = Cadence(hours=48, waking=12)
    due = MONDAY + 48 * HOUR
    steps = [deadlines.nudge(cadence, WakingHours(), MONDAY, due, step) for step in range(4)]

    assert steps[0] == MONDAY + 24 * HOUR
    assert steps[1] == datetime(2026, 3, 4, 8, 0, tzinfo=UTC)
    assert steps[2] == due
    assert steps[3] is None
    assert [deadlines.letter_of(cadence, step) for step in range(3)] == ["reminder", "last_call", "organiser_alert"]


def test_the_preview_shows_five_deadlines_in_a_row() -> None:
    """What an organiser sees before opening a game: each deadline begins where the last one ended."""
    found = deadlines.preview(CADENCES["blitz"], [ALWAYS], MONDAY)

    assert found == tuple(MONDAY + 12 * HOUR * (n + 1) for n in range(5))


@pytest.mark.parametrize(
    ("cadence", "sentence"),
    [
        (Cadence(hours=0, waking=0), "0 hours for a decision can't be used: choose more than 0 and at most 1440."),
        (
            Cadence(hours=2000, waking=1),
            "2000 hours for a decision can't be used: choose more than 0 and at most 1440.",
        ),
        (Cadence(hours=2, waking=3), "Waking hours can't be 3: choose from 0 to what a decision has, 2."),
        (Cadence(grace=-1), "-1 hours of grace can't be used: choose from 0 to 1440."),
        (Cadence(bank=2000), "A bank of 2000 hours can't be used: choose from 0 to 1440."),
        (
            Cadence(reminders=(0.9, 0.5)),
            "Reminders are parts of the time between 0 and 1, the earlier ones first.",
        ),
    ],
)
def test_a_cadence_that_cannot_be_used_is_refused_in_one_sentence(cadence: Cadence, sentence: str) -> None:
    """The value, the limit and what to choose, in the sentence."""
    with pytest.raises(WrongInput) as refusal:
        deadlines.cadence_of(msgspec.to_builtins(cadence))

    assert str(refusal.value) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_choice_names_what_there_is_as_it_may_be_written(language: str) -> None:
    """One sentence in the reader's language: what was given, then short names, each of which is read as it stands."""
    say = Translator(language)
    named = []
    for text in ("hasty: in no time", "club join=3 then=panic"):
        with pytest.raises(WrongInput) as refused:
            deadlines.read(text)
        (fault,) = refused.value.faults
        assert say("{word!r}", word=fault.params["word"]) in say(fault)
        assert str(fault.params["word"]) in text
        names = fault.params["names"]
        assert isinstance(names, tuple)
        named.append([say("{word}", word=name) for name in names])
        assert all(name in say(fault) for name in named[-1])
        assert all(len(name.split()) <= 3 for name in named[-1])

    speeds, then = named
    assert [deadlines.read(speed) for speed in speeds] == list(CADENCES.values())
    assert [deadlines.read(f"club join=3 then={word}").unfilled for word in then] == list(deadlines.UNFILLED)
    shown = [say(label) for label in deadlines.SPEEDS_SHOWN.values()]
    assert [deadlines.read(label) for label in shown] == list(CADENCES.values())


LONG = 60 * 24
EDGES = [
    # the last that is taken, the first that isn't
    (Cadence(hours=0.5, waking=0), Cadence(hours=0, waking=0)),
    (Cadence(hours=LONG), Cadence(hours=LONG + 0.5)),
    (Cadence(waking=0), Cadence(waking=-0.5)),
    (Cadence(waking=48), Cadence(waking=48.5)),
    *(
        (msgspec.structs.replace(Cadence(), **{name: edge}), msgspec.structs.replace(Cadence(), **{name: beyond}))
        for name in ("grace", "bank", "release")
        for edge, beyond in ((0, -0.5), (LONG, LONG + 0.5))
    ),
    (Cadence(most=0), Cadence(most=47.5)),
    (Cadence(most=48), Cadence(most=0.5)),
    (Cadence(most=LONG), Cadence(most=LONG + 0.5)),
    (Cadence(reminders=(0.001, 0.999)), Cadence(reminders=(0, 0.5))),
    (Cadence(reminders=(0.5,)), Cadence(reminders=(0.5, 1))),
    (Cadence(join=0), Cadence(join=-0.5)),
    (Cadence(join=deadlines.LONGEST_JOIN), Cadence(join=deadlines.LONGEST_JOIN + 0.5)),
]


@pytest.mark.parametrize(("taken", "refused"), EDGES)
def test_a_wait_is_taken_to_its_limit(taken: Cadence, refused: Cadence) -> None:
    """And one beyond it is not, with one sentence."""
    assert list(deadlines.check_cadence(taken)) == []
    assert len(list(deadlines.check_cadence(refused))) == 1


def test_a_wait_of_ones_own_holds_answers_from_a_day_on() -> None:
    """The waking time keeps its share to a hundredth of an hour."""
    bare = deadlines.choose("bank", least=deadlines.SLOW - 1)
    assert (bare.release, bare.waking) == (0, 4.79)
    assert deadlines.choose("bank", least=deadlines.SLOW).release == CADENCES["bank"].release == 1


@pytest.mark.parametrize("count", range(4))
def test_the_last_of_several_reminders_is_the_last_call(count: int) -> None:
    """A single one is none: nobody was reminded before."""
    cadence = Cadence(reminders=tuple(0.2 * (step + 1) for step in range(count)))
    kinds = [*["reminder"] * (count - 1), "last_call"] if count > 1 else ["reminder"] * count

    assert [deadlines.letter_of(cadence, step) for step in range(count + 2)] == [*kinds, *["organiser_alert"] * 2]


def test_a_bank_pays_for_what_a_decision_takes_too_long() -> None:
    """The deadline is the decision's own time and what is left in the bank; an empty bank adds nothing."""
    cadence = CADENCES["bank"]
    full = msgspec.structs.replace(ALWAYS, bank=deadlines.left(cadence, 0))

    assert deadlines.base(cadence, full, MONDAY) == MONDAY + 24 * HOUR
    assert deadlines.due(cadence, full, MONDAY) == MONDAY + (24 + 7 * 24) * HOUR
    assert deadlines.left(cadence, 6 * 24 * 3600) == 24 * HOUR
    assert deadlines.left(cadence, 9 * 24 * 3600) == timedelta()


def test_no_wait_is_longer_than_the_longest() -> None:
    """Nights, days away and what is left of a bank lengthen a deadline up to the longest wait and no further."""
    away = WakingHours(absences=((MONDAY, MONDAY + 240 * HOUR),))
    rich = WakingHours(wakes=0, sleeps=24 * 60, bank=100 * HOUR)
    owl = WakingHours(wakes=3 * 60, sleeps=4 * 60)
    free, held = Cadence(hours=24, waking=6), Cadence(hours=24, waking=6, most=48)

    for person in (away, rich, owl):
        assert deadlines.due(free, person, MONDAY) > MONDAY + 48 * HOUR
        assert deadlines.due(held, person, MONDAY) == MONDAY + 48 * HOUR
        assert deadlines.base(held, person, MONDAY) <= MONDAY + 48 * HOUR
    assert deadlines.due(held, ALWAYS, MONDAY) == MONDAY + 24 * HOUR
    assert deadlines.joint(held, [away, rich, owl], MONDAY) == MONDAY + 48 * HOUR


def test_waits_of_ones_own_keep_the_shape_of_the_cadence() -> None:
    """The waking time keeps its share of the shortest wait; what isn't given stays the cadence's own."""
    club = CADENCES["club"]

    assert deadlines.read("club") == club
    assert deadlines.read("") == club
    assert deadlines.read("club min=24 max=96") == msgspec.structs.replace(club, hours=24, waking=6, most=96)
    assert deadlines.read("club max=72") == msgspec.structs.replace(club, most=72)
    assert deadlines.read("blitz join=2.5 then=bots") == msgspec.structs.replace(
        CADENCES["blitz"], join=2.5, unfilled="bots"
    )
    assert deadlines.read("bank min=12").bank == CADENCES["bank"].bank


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("weekly", "'weekly' is no speed. There are: "),
        ("club min=soon", "Shortest wait, in hours: 'soon' is no number. Write one such as 24."),
        ("club join=soon", "Days it waits for its players: 'soon' is no number."),
        ("club join=91", "A game can't wait 91 days for its players: choose more than 0 and at most 90."),
        ("club join=3 then=panic", "'panic' is nothing that can happen to free seats."),
        ("club most=3", "'most=3' is no wait: write min=HOURS, max=HOURS, join=DAYS or then=WORD."),
        ("club min=-1", "Shortest wait, in hours: '-1' is no number."),
        ("club min=1.2.3", "Shortest wait, in hours: '1.2.3' is no number."),
        ("club max=24", "The longest wait can't be 24: choose from the shortest, 48, to 1440 hours."),
        ("club max=2000", "The longest wait can't be 2000"),
        ("club min=0", "0 hours for a decision can't be used"),
        ("club min=9999", "9999 hours for a decision can't be used"),
    ],
)
def test_waits_that_cannot_be(text: str, sentence: str) -> None:
    """Each is refused in a sentence that names it and what to write."""
    with pytest.raises(WrongInput) as refused:
        deadlines.read(text)

    assert any(sentence in str(fault) for fault in refused.value.faults)
