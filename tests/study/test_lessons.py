"""First games: whatever the pupil chooses they go on to their end, and every idea stands in three languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.engine.core.message import Message
from pbem.engine.registry import GAMES, guide_of
from pbem.messages import LANGUAGES, Translator
from pbem.study import lessons, sandbox
from pbem.study.lessons import LESSONS, PUPIL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.study.lessons import Lesson, LessonStep


def test_every_title_has_a_lesson() -> None:
    """The games that come with the server can all be learnt by playing."""
    assert set(GAMES) <= set(LESSONS)


@pytest.mark.parametrize("choice", [0, 1, 2])
@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_played_to_its_end(game: str, choice: int) -> None:
    """The first, the second and the last suggestion each lead on; each decision brings an idea not told before.

    No two suggestions say the same.
    """
    lesson = LESSONS[game]
    line: tuple[str, ...] = ()
    say, told = lessons.translator(lesson, "en"), []
    while not (step := lessons.step(lesson, line)).is_last:
        assert step.idea is not None
        assert step.suggestions
        assert len({say(one.does) for one in step.suggestions}) == len(step.suggestions)
        told.append(say(step.idea.title))
        line = (*line, step.suggestions[min(choice, len(step.suggestions) - 1)].text)

    assert len(line) == lesson.length
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("game", LESSONS)
def test_what_is_good_to_know_stands_in_the_glossary(game: str) -> None:
    """Each key once, and each the key of an entry."""
    guide, further = guide_of(game), LESSONS[game].further
    assert guide is not None

    assert len(set(further)) == len(further)
    assert set(further) <= {entry.key for entry in guide.entries}


@pytest.mark.parametrize("game", LESSONS)
def test_a_kind_that_is_asked_again_and_again_goes_on_to_the_glossary(game: str) -> None:
    """First its own ideas, then what is good to know in its order, and when all of it is told the last idea again."""
    lesson, guide = LESSONS[game], guide_of(game)
    assert guide is not None
    names = {entry.key: entry.name for entry in guide.entries}
    for kind, ideas in (*lesson.ideas.items(), ("no such kind", (lessons._SMALLER,))):
        asked = len(ideas) + len(lesson.further) + 2
        told = [lessons._idea(lesson, [kind] * count) for count in range(1, asked + 1)]
        titles = [one.title.params["thing"] for one in told[len(ideas) : -2] if isinstance(one.title, Message)]

        assert told[: len(ideas)] == list(ideas)
        assert titles == [names[key] for key in lesson.further]
        assert told[-2:] == [ideas[-1]] * 2
        assert {(one.good, one.careful) for one in told[len(ideas) :]} == {(ideas[-1].good, ideas[-1].careful)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_suggestions_are_said_in_each_language(game: str, language: str) -> None:
    """What a choice does and why it is one are sentences without holes left open."""
    step = lessons.step(LESSONS[game], ())
    say = Translator(language, names=["A", "B", "C"], game=game)
    said = [text for one in step.suggestions for text in (say(one.does), say(one.why))]

    assert all(said)
    assert not [text for text in said if "{" in text]


MINUTES = 10.0
PACE = {"en": 228, "it": 188, "fr": 195}
"""Words a minute that adults read of each language, in paragraphs: Trauzettel-Klosinski and Dietz (2012)."""
POINT, THINK = 1.1, 1.35
"""Seconds to point at something and to make up one's mind: Card, Moran and Newell (1980)."""
LOOK = 2.0
"""Seconds to find on the board what a sentence speaks of."""


def reading(lesson: Lesson, step: LessonStep, choice: int, language: str) -> Iterator[str]:
    """What a pupil reads at a step: what happened, the idea, the question, the choices and one reason."""
    say, rules = lessons.translator(lesson, language), lessons.sandbox_of(lesson).rules
    yield from map(say, sandbox.seen_by(step.at, PUPIL))
    if step.idea is None:
        yield say(lesson.farewell)
        return
    yield from (say(step.idea.title), say(step.idea.text), say(rules.question(rules.view(step.at.state, PUPIL))))
    yield from (say(one.does) for one in step.suggestions)
    yield say(step.suggestions[choice].why)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_takes_ten_minutes(game: str, language: str) -> None:
    """By reading each sentence once, looking at the board for the idea and for each choice, and two taps a decision."""
    lesson, line, seconds = LESSONS[game], list[str](), 0.0
    read = {lessons.translator(lesson, language)(lesson.goal)}
    while True:
        step = lessons.step(lesson, tuple(line))
        choice = len(line) % max(len(step.suggestions), 1)
        read |= set(reading(lesson, step, choice, language))
        if step.is_last:
            break
        seconds += LOOK * (1 + len(step.suggestions)) + 2 * (THINK + POINT)
        line.append(step.suggestions[choice].text)
    words = sum(len(text.split()) for text in read)

    assert MINUTES / 2 < seconds / 60 + words / PACE[language] <= MINUTES
