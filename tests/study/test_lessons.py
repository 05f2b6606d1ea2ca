"""First games: whatever the pupil chooses they go on to their end, and every idea stands in three languages."""

from __future__ import annotations

import pytest

from pbem.engine.registry import GAMES, guide_of
from pbem.messages import LANGUAGES, Translator
from pbem.study import lessons
from pbem.study.lessons import LESSONS


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
    say, told = lessons.voice(lesson, "en"), []
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", LESSONS)
def test_suggestions_are_said_in_each_language(game: str, language: str) -> None:
    """What a choice does and why it is one are sentences without holes left open."""
    step = lessons.step(LESSONS[game], ())
    say = Translator(language, names=["A", "B", "C"], game=game)
    said = [text for one in step.suggestions for text in (say(one.does), say(one.why))]

    assert all(said)
    assert not [text for text in said if "{" in text]
