"""A letter of every kind about games that bots play, for those who want to see them before a player does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import msgspec

from pbem.engine.core.message import N_, Event, sentence
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of
from pbem.letter_kinds import KINDS, Facts, LetterKind
from pbem.letters.context import Addressee, LetterData
from pbem.mail.families import Notice, ReceiptContent, Turn
from pbem.play.deadlines.waiting_reasons import Waiting, are_hidden, said
from pbem.play.views import headings
from pbem.play.views.decision_queue import QueueItem
from pbem.play.views.positions import VisibleEvent
from pbem.play.views.seat_view import AskedDecision, GameSummary, SeatSummary, Situation
from pbem.store.models import GameState
from pbem.structs import from_attributes

PEOPLE = ("Anna", "Bruno", "Chloé", "Dov", "Emre", "Fadwa", "Gustav", "Hilde", "Ilka", "Jorge")
_SEATS = 3
"""Players of a sample game, where the game takes so many."""
_MOST = 3_000
"""Plies after which a game is long enough for any specimen."""
_NEWS = 12
_ZONES = {"en": "Europe/London", "it": "Europe/Rome", "fr": "Europe/Paris"}


class _Moment(msgspec.Struct):
    """A game at a point where seat 0 is asked, or at its end."""

    rules: Any
    state: Any
    ply: int
    news: list[Event]

    @property
    def seats(self) -> int:
        """The number of players."""
        return _seats(self.rules)


def _seats(rules: AnyRules) -> int:
    """Return the number of players nearest to three that the game takes."""
    return min(rules.meta.seats, key=lambda seats: abs(seats - _SEATS))


def samples(game: str, language: str, now: datetime) -> Iterator[tuple[str, LetterData]]:
    """Yield every letter about one game with its name: your_turn once for each kind of decision, the others once."""
    moments = _moments(rules_of(game))
    end = moments.pop("")
    middle = moments[min(moments, key=lambda kind: abs(moments[kind].ply - end.ply // 2))]
    for decision, moment in moments.items():
        yield f"your_turn-{decision}", _letter("your_turn", moment, language, now)
    for kind in KINDS:
        if kind != "your_turn":
            yield kind, _letter(kind, end if kind == "game_over" else middle, language, now)


def _moments(rules: AnyRules) -> dict[str, _Moment]:
    """Return the last position in which seat 0 is asked each kind of decision, and the end of the game under ""."""
    chance, own = Rng("specimens", 0), Rng("specimens/bots", 0)
    opened = rules.setup(_seats(rules), {option.name: option.default for option in rules.meta.options}, chance)
    found: dict[str, _Moment] = {}
    state, news = opened.state, list(opened.events)
    for ply in range(_MOST):
        asked = rules.awaited(state)
        if not asked:
            found[""] = _Moment(rules, state, ply, news[-_NEWS:])
            break
        if 0 in asked and _has_choice(rules, state) and (asked[0].kind not in found or ply < _MOST // 2):
            found[asked[0].kind] = _Moment(rules, rules.copy(state), ply, news[-_NEWS:])
            news = []
        orders = {seat: rules.sample(state, seat, own) for seat in asked}
        news += rules.apply(state, orders, Rng("specimens", ply + 1))
    return found


def _has_choice(rules: AnyRules, state: Any) -> bool:
    """Return whether seat 0 would get a letter: a decision with one legal order is never asked."""
    return len(list(islice(rules.legal(state, 0), 2))) > 1


def _letter(kind: str, moment: _Moment, language: str, now: datetime) -> LetterData:
    seen = _situation(moment, now)
    return LetterData(
        letter_id=1,
        kind=kind,
        cause="specimen",
        message_id="0" * 32,
        ply=moment.ply,
        to=Addressee(
            player_id=1, name=PEOPLE[0], address="anna@example.org", language=language, zone=_ZONES[language], epoch=0
        ),
        situation=seen if KINDS[kind].family in {Turn, ReceiptContent} else None,
        seat_id=1,
        seat_epoch=0,
        slug="specimen",
        club="Nile Club",
        contact="club@example.org",
        mail_id=None,
        data=_data(KINDS[kind], seen, now),
    )


def _situation(moment: _Moment, now: datetime) -> Situation:
    rules, state, ply = moment.rules, moment.state, moment.ply
    view, asked = rules.view(state, 0), rules.awaited(state)
    hidden = are_hidden(asked.values())
    due = now + timedelta(hours=50)
    game = GameSummary(
        id=3, slug="specimen", title="Nile 3", game=rules.meta.name,
        state=GameState.RUNNING if asked else GameState.FINISHED, ply=ply,
        rules_version=rules.meta.version, commitment="", seed="",
        club_id=1, finished_at=None,
    )  # fmt: skip
    question = AskedDecision(
        ply=ply + 1, kind=asked[0].kind, question=rules.question(view), form=rules.form(view),
        due_at=due, optional=False, sealed=False, answer="", answered_at=None, draft="",
        topics=tuple(rules.topics(view)),
    ) if 0 in asked else None  # fmt: skip
    players = (
        SeatSummary(
            seat=seat, seat_id=seat + 1, player_id=seat + 1, name=PEOPLE[seat], colour=rules.meta.colours[seat], bot="",
            mine=seat == 0, awaited=None if hidden else seat in asked,
        )
        for seat in range(moment.seats)
    )  # fmt: skip
    seen = [event for event in moment.news if event.is_known_to(0)]
    return Situation(
        game=game, seat=0, seat_id=1, ply=ply, at=now,
        view=view, public=rules.view(state, None), heading=rules.heading(view), asked=question,
        since=tuple(VisibleEvent(ply=ply, at=now, event=event) for event in seen),
        since_heading=headings.of_news(ply),
        players=tuple(players), waiting=_waiting(tuple(asked), now, due, hidden=hidden), outcome=rules.outcome(state),
    )  # fmt: skip


def _waiting(seats: tuple[int, ...], now: datetime, due: datetime, *, hidden: bool) -> Waiting:
    cover = due + timedelta(hours=12)
    since: dict[str, Any] = {"seats": seats, "since": now}
    return Waiting(
        said=(
            sentence("Choices are still open.")
            if hidden
            else sentence("Waiting for {seats} since {since}.", **since)
        ),
        then=said(
            N_("If you have not answered by {cover_at}, your draft is played, or else the safe default."),
            cover_at=cover,
        ),
        who=None if hidden else seats, since=now, due_at=due, cover_at=cover, next_nudge_at=None, letter_at=None,
        rule=None, answers_alone=not hidden,
    )  # fmt: skip


def _data(kind: LetterKind, seen: Situation, now: datetime) -> dict[str, Any]:
    """Return the facts of each kind, made up: those of its row, and those that are gathered when it is sent."""
    rules = rules_of(seen.game.game)
    made = {key: now + value if isinstance(value, timedelta) else value for key, value in kind.sample.items()}
    if (kind.family is Notice and kind.needs_acceptance) or kind.facts is Facts.INVITATION:
        made |= {"game": rules.meta.title, "title": seen.game.title}
    if kind.facts is Facts.INVITATION:
        made |= {"invitation_id": 1, "inviter": PEOPLE[1], "seats": len(seen.players), "cadence": {"hours": 48.0}}
    if kind.facts is Facts.QUEUE:
        made |= {"day": now, "items": (_item(seen),)}
    if seen.asked and kind.facts in {Facts.ORDER, Facts.COVERED}:
        safe = rules.cautious(seen.view)
        refused = {"legal": (str(safe),)} if "faults" in made else {}
        taken = {"canonical": str(safe), "says": rules.describe(seen.view, safe)}
        made |= {"order": str(safe)} if kind.facts is Facts.COVERED else refused or taken
    return made


def _item(seen: Situation) -> QueueItem:
    item = from_attributes(QueueItem, seen.game, seat_id=1, epoch=0, seat=0, heading=seen.heading)
    if (asked := seen.asked) is None:
        return item
    told = {"asked_kind": asked.kind, "asked_ply": asked.ply}
    return msgspec.structs.replace(item, question=asked.question, due_at=asked.due_at, **told)
