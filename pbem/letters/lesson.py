"""One decision of a first game as a letter: the idea, the board, the question, and choices with their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pbem.engine.core.message import N_, Message
from pbem.letters import sections
from pbem.mail import families
from pbem.mail.render import mailto
from pbem.messages import Translator
from pbem.play.views import headings
from pbem.structs import Value
from pbem.study import lessons, sandbox
from pbem.study.lessons import LESSONS, PUPIL

if TYPE_CHECKING:
    from typing import Any

    from pbem.letters.content_builder import ContentBuilder
    from pbem.mail.compose import Picture
    from pbem.study.lessons import Lesson, LessonStep


class _Page(Value):
    """What a letter of a lesson is made of."""

    lesson: Lesson
    step: LessonStep
    rules: Any
    view: Any
    say: Translator
    reply_to: str

    @property
    def title(self) -> str:
        """Which game is learnt."""
        return str(self.rules.meta.title)

    @property
    def kind(self) -> str:
        """Which kind of decision is asked."""
        return str(self.rules.asked(self.step.at.state)[PUPIL].kind)


def built(builder: ContentBuilder) -> tuple[families.LessonTurn, Picture | None]:
    """Return the letter after the orders that its row holds."""
    lesson, line = LESSONS[builder.data["lesson"]], tuple(builder.data["line"])
    step, rules = lessons.step(lesson, line), lessons.sandbox_of(lesson).rules
    view, say = rules.view(step.at.state, PUPIL), lessons.translator(lesson, builder.say.language)
    page = _Page(lesson, step, rules, view, say, builder.house.reply_to(builder.letter))
    events, public = sandbox.seen_by(step.at, PUPIL), rules.view(step.at.state, None)
    board, picture, news = sections.board_at(rules, view, public, events, say, pictured=builder.house.pictured)
    base, here = builder.house.base_url, f"/learn/{lesson.game}/{sandbox.pack(line)}".rstrip("/")
    return families.LessonTurn(
        place=families.DigestPlace(name=page.title, title=page.title, heading=say(rules.heading(view))),
        foot=builder.foot(),
        button=base + here,
        asked=None if step.is_last else _asked(page),
        faults=tuple(map(say, msgspec.convert(builder.data.get("faults", ()), tuple[Message, ...]))),
        lead=_lead(page),
        since=news,
        since_heading=headings.of_news(step.number),
        board=board,
        glossary=sections.glossary_url(base, say, board.text, *board.hand),
        idea=say(step.idea.title) if step.idea else say("Well played"),
        grammar=sections.grammar_of(rules, page.kind, say) if "help" in builder.data else (),
        step="" if step.is_last else say(_STEP, number=step.number + 1, count=lesson.length),
    ), picture


_STEP = N_("Decision {number} of {count}")


def _lead(page: _Page) -> tuple[str, ...]:
    """Return the goal in the first letter, then the idea; in the last the farewell."""
    goal = (page.say(page.lesson.goal),) if page.step.number == 0 else ()
    told = page.step.idea.text if page.step.idea else page.lesson.farewell
    return (*goal, page.say(told))


def _asked(page: _Page) -> families.QuestionContent:
    """Return the question, and a few choices that a tap answers, each with what it does and why one would."""
    rules, view, say = page.rules, page.view, page.say
    return families.QuestionContent(
        question=say(rules.question(view)),
        ply=page.step.number,
        notes=tuple(say(note) for note in rules.form(view).notes),
        example="",  # nothing is played for who learns
        taps=tuple(
            families.Tap(
                order=order,
                mailto=mailto(page.reply_to, f"Re: [{page.title}]", order),
                says=f"{say(one.does)} {say(one.why)}",
            )
            for one in page.step.suggestions
            for order in [say.order(one.text)]
        ),
    )
