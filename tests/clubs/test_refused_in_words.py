"""Refusals of a club's use cases that the tests of what they do leave out: each in its own words, and nothing done."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from sqlalchemy import select

from pbem.budgets import Budget
from pbem.capabilities import api_keys
from pbem.clubs.account import address_change
from pbem.clubs.games import actions, bulk_opening, control_room
from pbem.clubs.integrations import webhook_client, webhooks
from pbem.clubs.members import club_settings, founding, members
from pbem.clubs.seasons import seasons
from pbem.engine.registry import rules_of
from pbem.errors import PlayError
from pbem.messages import LONGEST_NAME
from pbem.play.admin import action_log
from pbem.play.deadlines import absences
from pbem.play.seats import notes, preferences
from pbem.play.views import spectator
from pbem.store.models import Seat
from tests.clubs.conftest import club_game
from tests.factories import GameFactory

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game
    from tests.clubs.conftest import Circle

RA = rules_of("priestsofra").meta
BEN, TWINS = {"ben": 1}, {"ada": 0}
NONE = Budget(0, timedelta(days=1))


class Press(NamedTuple):
    """What somebody wants, and what is said instead."""

    says: str
    """Part of the sentence."""
    wants: Callable[[Session, datetime, Circle], object]
    lowered: tuple[object, str, Any] | None = None
    """The limit that is lowered first, so that one press is one too many."""


def begun(session: Session, now: datetime, circle: Circle) -> int:
    """A season of two members that has begun."""
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),))
    season: int = seasons.announce(session, now, circle.club.id, circle.alice.id, plan).id
    for player in circle.others[:2]:
        seasons.enter(session, now, season, player.id)
    seasons.start(session, now, season)
    return season


def elsewhere(circle: Circle) -> int:
    """A game that the club's organiser has outside of it."""
    made: Game = GameFactory.create(organiser_id=circle.alice.id)
    return made.id


def closed(session: Session, now: datetime, circle: Circle) -> None:
    """The club is closed while a game goes on."""
    club_game(circle)
    club_settings.close(session, now, circle.club.id, circle.alice.id, circle.club.name)


PRESSES = (
    Press(
        " keys already: revoke one first.",
        lambda session, now, here: api_keys.issue_for_person(session, now, here.alice.id, "script"),
        (api_keys, "MOST", 0),
    ),
    Press(
        " times today: try again tomorrow.",
        lambda session, now, here: address_change.ask(session, now, here.alice.id, "other@nile.example"),
        (address_change, "ASKED", NONE),
    ),
    Press(
        "Choose between 1 and ",
        lambda session, now, here: actions.carry_out(
            session, now, here.club.id, actions.ActionRequest(act="pause", games=(), by=here.alice.id)
        ),
    ),
    Press(
        "Only games of this club can be chosen.",
        lambda session, now, here: actions.carry_out(
            session, now, here.club.id, actions.ActionRequest(act="pause", games=(elsewhere(here),), by=here.alice.id)
        ),
    ),
    Press(
        "This address can't be used here. Choose another one.",
        lambda session, now, here: address_change.mend(session, now, here.alice.id, str(here.others[0].address)),
    ),
    Press(" is no option: write name=value.", lambda *_: bulk_opening.options_in("quick auctions=in_turn", RA)),
    Press(": write the address or the number of the one you mean.", lambda *_: bulk_opening.seat_of("Ada", TWINS)),
    Press(
        " is a player, but stands before the players' cells: write a cell for speed and options.",
        lambda *_: bulk_opening.plan_of(["Nile", "amunre", "Ben", "", "open"], BEN, 1, 1),
    ),
    Press(
        " is a player, but stands before the players' cells: write a cell for speed and options.",
        lambda *_: bulk_opening.plan_of(["Nile", "amunre", "club", "bot:random", "open"], BEN, 1, 1),
    ),
    Press(
        " stands in the line twice: a person has one seat in a game.",
        lambda *_: bulk_opening.plan_of(["Nile", "amunre", "club", "", "ben", " BEN"], BEN, 1, 1),
    ),
    Press(
        " saved views already.",
        lambda session, now, here: control_room.save_view(
            session, now, here.club.id, here.alice.id, control_room.View("late", control_room.Filter())
        ),
        (control_room, "MOST_VIEWS", 0),
    ),
    Press(
        "A webhook's address can't hold a user name or password.",
        lambda *_: webhook_client.checked_url("https://ada:secret@example.org/hook"),
    ),
    Press(
        " is no kind of webhook. There are: ",
        lambda session, now, here: webhooks.add(session, now, here.club.id, here.alice.id, "fax", "https://a.example"),
    ),
    Press(
        " webhooks: end one first.",
        lambda session, now, here: webhooks.add(session, now, here.club.id, here.alice.id, "raw", "https://a.example"),
        (webhooks, "MOST", 0),
    ),
    Press(
        "Spectators can be 0 to ",
        lambda session, now, here: club_settings.open_to(
            session, now, here.club.id, here.alice.id, spectator.CLOSED - 1
        ),
    ),
    Press(
        "Spectators can be 0 to ",
        lambda session, now, here: club_settings.open_to(
            session, now, here.club.id, here.alice.id, spectator.MOST_BEHIND + 1
        ),
    ),
    Press(". A club closes when no game is.", closed),
    Press(
        " already: choose another name.",
        lambda session, now, here: founding.found_club(session, now, here.club.name, "new@nile.example"),
    ),
    Press(" is no role. There are: ", lambda *_: members._guest(["ada@nile.example", "Ada", "king"])),
    Press(
        " is no role. There are: ",
        lambda session, now, here: members.set_role(
            session, now, here.club.id, here.alice.id, player_id=here.others[0].id, role="king"
        ),
    ),
    Press(
        " people can be invited in a day: try again tomorrow.",
        lambda session, now, here: members.invite(
            session, now, here.club.id, here.alice.id, [members.Guest("new@nile.example")]
        ),
        (members, "GUESTS", NONE),
    ),
    Press(
        "This season has begun; ask the organiser about the next one.",
        lambda session, now, here: seasons.enter(session, now, begun(session, now, here), here.others[2].id),
    ),
    Press(
        "This season has begun already.",
        lambda session, now, here: seasons.start(session, now, begun(session, now, here)),
    ),
    Press(
        "You are not in this season.",
        lambda session, now, here: seasons.drop_out(session, now, begun(session, now, here), here.alice.id),
    ),
)


LONG = "x" * 5001
TOO_LONG: dict[str, tuple[int, Callable[[Session, datetime, Circle], object]]] = {
    "a word about an absence": (
        absences.NOTE,
        lambda session, now, here: absences.announce(
            session, now, here.alice.id, now, now + timedelta(days=1), LONG[: absences.NOTE + 1]
        ),
    ),
    "a reason": (
        action_log.REASON,
        lambda session, now, here: action_log.note(
            session, now, "close", by=here.alice.id, reason=LONG[: action_log.REASON + 1]
        ),
    ),
    "a key's name": (
        LONGEST_NAME,
        lambda session, now, here: api_keys.issue_for_person(session, now, here.alice.id, LONG[: LONGEST_NAME + 1]),
    ),
    "a view's name": (
        40,
        lambda session, now, here: control_room.save_view(
            session, now, here.club.id, here.alice.id, control_room.View(LONG[:41], control_room.Filter())
        ),
    ),
    "a season's name": (
        LONGEST_NAME,
        lambda session, now, here: seasons.announce(
            session,
            now,
            here.club.id,
            here.alice.id,
            seasons.SeasonPlan(name=LONG[: LONGEST_NAME + 1], titles=(seasons.Title("priestsofra", 2),)),
        ),
    ),
    "a game's name": (
        LONGEST_NAME,
        lambda _session, _now, here: GameFactory(club_id=here.club.id, title=LONG[: LONGEST_NAME + 1]),
    ),
    "one's own name": (
        LONGEST_NAME,
        lambda session, _, here: preferences.change_settings(
            session,
            here.alice.id,
            msgspec.structs.replace(preferences.read_settings(session, here.alice.id), name=LONG[: LONGEST_NAME + 1]),
        ),
    ),
    "notes": (
        notes.LONGEST,
        lambda session, now, _here: notes.keep(
            session, now, session.scalars(select(Seat.id)).first() or 0, LONG[: notes.LONGEST + 1]
        ),
    ),
}
"""By text that somebody types the characters it takes, and what keeps one more."""


@pytest.mark.parametrize("what", TOO_LONG)
def test_a_text_too_long_is_refused_and_never_cut(session: Session, now: datetime, circle: Circle, what: str) -> None:
    """By what keeps it, so that all doors say the same; none but pages looked at its length, or took it cut."""
    club_game(circle)
    most, keep = TOO_LONG[what]

    with pytest.raises(PlayError, match="fit here: shorten it") as refusal:
        keep(session, now, circle)

    (fault,) = refusal.value.faults
    assert (fault.params["length"], fault.params["limit"]) == (most + 1, most)


@pytest.mark.parametrize("press", PRESSES, ids=[press.says.strip(" .:") for press in PRESSES])
def test_each_is_refused_in_its_words(
    session: Session, now: datetime, circle: Circle, monkeypatch: pytest.MonkeyPatch, press: Press
) -> None:
    """And not in those of another guard."""
    if press.lowered is not None:
        monkeypatch.setattr(*press.lowered)
    with pytest.raises(PlayError) as refusal:
        press.wants(session, now, circle)

    (fault,) = refusal.value.faults
    assert re.search(re.escape(press.says), re.sub(r"\{[\w!]*\}", "", fault.text)), fault.text


def test_what_one_is_told_of_who_left_a_season_twice(session: Session, now: datetime, circle: Circle) -> None:
    """Whoever has dropped out isn't in it any more."""
    season = begun(session, now, circle)
    seasons.drop_out(session, now, season, circle.others[0].id)

    with pytest.raises(PlayError, match=r"You are not in this season\."):
        seasons.drop_out(session, now, season, circle.others[0].id)
