"""A first game of each title: one seat by hand, bots beside it, one new idea with each decision.

A lesson is a table beside the game's rules: which game is dealt, and what is said when a kind of decision comes up for
the first time, the second time and so on. Whatever the pupil orders is played: ideas hang on what is asked, never on a
script of moves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence

import msgspec

from pbem import packages
from pbem.bots.players import bot_of
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, guide_of, rules_of
from pbem.messages import Translator
from pbem.structs import Value
from pbem.study import sandbox

PUPIL = 0
"""The seat that is played by hand."""
_TRIES = 12
"""Random orders drawn to find choices that differ."""
_CHOICES = 3
"""Choices set out beside an idea; all others stand in the form below."""


class Idea(Value, forbid_unknown_fields=True):
    """One thing to know, told with the decision that shows it."""

    title: str | Message
    text: str | Message
    good: str
    """Why a seasoned player's choice is one."""
    careful: str
    """What the careful choice gives up."""


class Lesson(Value, kw_only=True, forbid_unknown_fields=True):
    """A first game."""

    game: str
    seats: int
    seed: str
    length: int
    """Decisions of the pupil, some ten minutes of them; a game that is over sooner ends the lesson."""
    goal: str
    farewell: str
    ideas: Mapping[str, tuple[Idea, ...]]
    """By kind of decision, in the order in which they are told."""
    further: tuple[str, ...]
    """Keys of the glossary: what is told, one with each decision, once the ideas of its kind have been."""


class Suggestion(Value):
    """A choice with its reason."""

    text: str
    """The canonical order."""
    does: Message
    why: Message


class LessonStep(Value, kw_only=True):
    """Where a lesson waits for its pupil, and what it says there."""

    at: sandbox.SandboxPosition
    number: int
    idea: Idea | None
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the lesson ends here."""
        return self.idea is None and not self.suggestions


_SMALLER = Idea(
    N_("A smaller question"),
    N_("It comes up only now and then. The rules named below say all about it."),
    N_("It is what a seasoned player would do."),
    N_("It is the careful answer: the one that would be given for you if you were away."),
)
"""For kinds of decision that a first game seldom meets."""

TABLE = "lesson.toml"
"""What the table is called in every game that has one. A game without one has its rules and its practice games."""
LESSONS: Mapping[str, Lesson] = {
    game: msgspec.convert({**tomllib.loads(text), "game": game}, Lesson)
    for game in GAMES
    if (text := packages.text(game, TABLE))
}
"""By the game's name."""


def translator(lesson: Lesson, language: str) -> Translator:
    """Who speaks in a lesson: everybody is called by their colour, which any verb may follow; the pupil's says so."""
    pupil, *others = rules_of(lesson.game).meta.colours[: lesson.seats]
    say = Translator(language, game=lesson.game)
    names = [say("{colour} (you)", colour=Message(pupil)), *map(say, others)]
    return Translator(language, names=names, game=lesson.game)


def sandbox_of(lesson: Lesson) -> sandbox.Sandbox:
    """Return where the lesson begins."""
    return sandbox.setup(rules_of(lesson.game), lesson.seats, lesson.seed, (PUPIL,))


def step(lesson: Lesson, line: tuple[str, ...]) -> LessonStep:
    """Return what the pupil is told and asked after the orders `line`. Raises as `sandbox.play` does."""
    root = sandbox_of(lesson)
    at = sandbox.play(root, line)
    if at.seat is None or len(line) >= lesson.length:
        return LessonStep(at=at, number=len(line), idea=None)
    states = (sandbox.play(root, line[:count]).state for count in range(len(line) + 1))
    idea = _idea(lesson, [str(root.rules.asked(state)[PUPIL].kind) for state in states])
    return LessonStep(at=at, number=len(line), idea=idea, suggestions=_suggestions(root, at, idea))


def _idea(lesson: Lesson, kinds: Sequence[str]) -> Idea:
    """Return what is new at the last of these decisions: an idea of its kind, or else something of the glossary.

    The reasons for its choices are then those that were given for its kind before.
    """
    told = [kinds[:number].count(kind) for number, kind in enumerate(kinds)]
    ideas = [lesson.ideas.get(kind, (_SMALLER,)) for kind in kinds]
    beyond = [number for number, count in enumerate(told) if count >= len(ideas[number])]
    if told[-1] < len(ideas[-1]):
        return ideas[-1][told[-1]]
    guide, last = guide_of(lesson.game), ideas[-1][-1]
    things = {entry.key: entry for entry in guide.entries} if guide else {}
    if len(beyond) > len(lesson.further) or not things:
        return last
    thing = things[lesson.further[len(beyond) - 1]]
    title = sentence("Good to know: {thing}", thing=thing.name)
    return msgspec.structs.replace(last, title=title, text=thing.text[0])


def _suggestions(root: sandbox.Sandbox, at: sandbox.SandboxPosition, idea: Idea) -> tuple[Suggestion, ...]:
    """A seasoned player's choice, the careful one, and others at random up to three: no two that say the same."""
    rules, view = root.rules, root.rules.view(at.state, PUPIL)
    chance = Rng(f"{root.seed}/ideas", at.ply)
    found: dict[str, Suggestion] = {}
    adventure = N_("A different road. Try it and see: in a first game nothing is lost.")
    drawn = (
        (bot_of(rules.meta.name, "heuristic").choose(rules, view, chance), idea.good),
        (rules.cautious(view), idea.careful),
        *((rules.sample(at.state, PUPIL, chance), adventure) for _ in range(_TRIES)),
    )
    for order, why in drawn:
        if len(found) < _CHOICES:
            does = rules.describe(view, order)
            found.setdefault(str(does), Suggestion(str(order), does, Message(why)))
    return tuple(found.values())
