"""What a club's pages count: how its members answer, what they have to do, and the lists of its games and seasons."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.clubs import club_views, workload
from pbem.clubs.club_views import Reliable
from pbem.engine.core.types import Outcome
from pbem.errors import NotOpen, NotSeated
from pbem.play.deadlines import reminders
from pbem.store.models import Game, GameState, Invitation, OpenDecision, Season, SeasonEntry
from tests.factories import ClubFactory, GameFactory, answer, asked, hours, in_a_club, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


@pytest.fixture
def game(circle: Circle) -> Game:
    """A game of two members that waits for one of them."""
    return a_game(circle, title="Beta")


def a_game(circle: Circle, **wishes: Any) -> Game:
    """A game of the first two players of the club, in it."""
    made: Game = GameFactory.create(
        **{"people": circle.others[:2], "bots": (), "options": {"auctions": "in_turn"}, **wishes},
        club_id=circle.club.id,
        organiser_id=circle.alice.id,
    )
    return made


def remembered(session: Session, now: datetime, game: Game, *answers: dict[str, Any]) -> None:
    """Questions of long ago to seat 0, each answered by its player after an hour where nothing else is said."""
    for number, said in enumerate(answers):
        row = OpenDecision(
            game_id=game.id, ply=1000 + number, seat=0, kind="call", hand="player", opened_at=now, began_at=now
        )
        for name, value in {"answered_at": row.opened_at + hours(1), "closed_at": now, **said}.items():
            setattr(row, name, value)
        session.add(row)
    game.version += 1
    session.commit()


def test_who_answers_in_person_is_told_from_who_lets_the_server(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Of half a year: answers of one's own, by sitter, by standing order; not of other clubs or where none was due."""
    elsewhere = GameFactory.create(people=circle.others[:2], bots=())
    in_a_club(session, elsewhere, circle.others[0].id)
    half_a_year = now - timedelta(days=180)
    remembered(
        session,
        now,
        game,
        {"answered_at": now + hours(2)},
        {"answered_at": now + hours(9), "hand": "standing"},
        {"answered_at": now + hours(4), "hand": "sitter"},
        {"answered_at": now + hours(4), "hand": "autopilot"},
        {"answered_at": None, "hand": "player"},
        {"optional": True},
        {"ahead": True},
        {"secret": True},
        {"closed_at": None},
        {"opened_at": half_a_year},
        {"opened_at": half_a_year + hours(1), "answered_at": half_a_year + hours(7)},
    )
    remembered(session, now, elsewhere, {"answered_at": None})
    bob = seat_of(session, game, 0).player_id

    assert club_views.reliability(session, now, circle.club.id) == {bob: Reliable(6, 4 / 6, 5.0)}
    assert club_views.reliability(session, now + timedelta(days=181), circle.club.id) == {}


def test_nobody_is_judged_by_who_had_the_seat_before(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Somebody who takes a seat over begins with what was asked of them."""
    remembered(session, now, game, *[{"hand": "autopilot", "closed_at": now - hours(1)}] * 3, {"hand": "player"})
    seat = seat_of(session, game, 0)
    seat.joined_at = now
    session.commit()
    remembered(session, now, GameFactory.create(people=circle.others[:2], bots=()), *[{"hand": "autopilot"}] * 5)

    assert club_views.reliability(session, now, circle.club.id) == {seat.player_id: Reliable(1, 1.0, 1.0)}
    beside = {"ply": 2000, "seat": 1, "kind": "call", "hand": "autopilot", "opened_at": now, "closed_at": now}
    session.add(OpenDecision(game_id=game.id, began_at=now, **beside))
    assert reminders.missed(session, seat) == 0


def test_the_newest_plies_of_the_newest_games_say_how_somebody_answers(
    session: Session, now: datetime, circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are over: neither the game before the newest two nor the ply before the newest three counts."""
    monkeypatch.setattr(club_views, "_GAMES", 2)
    monkeypatch.setattr(club_views, "_PLIES", 3)
    for number in range(3):
        played = a_game(circle)
        remembered(session, now, played, *[{"hand": "autopilot"}] * (number + 1), *[{}] * 2)
        played.state, played.finished_at = GameState.FINISHED, now - timedelta(days=179)
        played.ply, played.version = 1000 + number + 2, played.version + 1
        session.commit()
    for _ in range(2):
        in_a_club(session, GameFactory.create(people=circle.others[:2], bots=()))
    bob = circle.others[0].id

    assert club_views.reliability(session, now, circle.club.id) == {bob: Reliable(6, 4 / 6, 1.0)}
    assert club_views.reliability(session, now + timedelta(days=2), circle.club.id) == {}


def test_who_never_answered_in_person_has_no_usual_time(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """A share of nothing, and nothing to take the median of."""
    remembered(session, now, game, {"hand": "autopilot"})
    bob = seat_of(session, game, 0).player_id

    assert club_views.reliability(session, now, circle.club.id) == {bob: Reliable(1, 0.0, None)}


def test_a_members_load_is_every_game_of_the_club_with_the_questions_that_wait(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """One's own question from when it was asked until it is answered; no game that is over, and none elsewhere.

    A game that rests waits for nobody.
    """
    second, over, paused = a_game(circle, title="Alpha"), a_game(circle), a_game(circle, title="Gamma")
    over.state, paused.state = GameState.FINISHED, GameState.PAUSED
    in_a_club(session, GameFactory.create(people=circle.others[:2], bots=()), circle.others[0].id)
    session.commit()
    loads = {one.player_id: one for one in workload.workload(session, now + hours(5), circle.club.id)}
    by_seat = {number: loads[seat_of(session, game, number).player_id or 0] for number in (0, 1)}

    assert len(loads) == 8
    assert loads[circle.alice.id].games == ()
    assert loads[circle.alice.id].on_time is None
    for number, load in by_seat.items():
        waits = [any(one.seat == number for one in asked(session, made)) for made in (second, game)]
        assert [one.title for one in load.games] == ["Alpha", "Beta", "Gamma"]
        assert [one.waits_since for one in load.games] == [*(now if due else None for due in waits), None]
        assert all("Old Kingdom" in str(one.heading) for one in load.games)
        assert (load.waiting, load.since) == (sum(waits), now if any(waits) else None)
        assert (load.decisions, load.hours) == (0, None)
    (decision,) = asked(session, game)
    assert answer(session, now, game, decision.seat).accepted
    still = {one.player_id: one for one in workload.workload(session, now, circle.club.id)}
    who = seat_of(session, game, decision.seat).player_id or 0
    assert [one.waits_since for one in still[who].games if one.title == "Beta"] == [None]


def test_the_load_hides_secret_choices_until_their_time_is_over(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Also at the last moment before, and where the clock stands still."""
    (decision,) = asked(session, game)
    decision.secret, game.version = True, game.version + 1
    session.commit()
    assert game.due_at is not None

    def waiting(when: datetime) -> int:
        return sum(one.waiting for one in workload.workload(session, when, circle.club.id))

    assert [waiting(game.due_at + timedelta(seconds=late)) for late in (-1, 0, 1)] == [0, 1, 1]
    game.due_at, game.version = None, game.version + 1
    session.commit()
    assert waiting(now + timedelta(days=900)) == 0


def test_a_list_of_games_says_who_plays_and_which_seats_are_free(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Kept for somebody invited, a seat is not free; the reader's own games are marked; other clubs' are left out."""
    bob, dora = circle.others[0], circle.others[2]
    in_a_club(session, GameFactory.create(people=circle.others[:2], bots=()), bob.id)
    waiting = seat_of(session, game, 1)
    waiting.player_id, game.state = None, GameState.OPEN
    game.version += 1
    session.commit()
    (line,) = club_views.games(session, circle.club.id, over=False, limit=50, reader=bob.id)
    assert (line.free, line.mine, line.players) == (1, True, (bob.name,))
    assert club_views.open_game(session, circle.club.id, game.slug) == game.id

    session.add(
        Invitation(game_id=game.id, seat=1, player_id=dora.id, expires_at=now + hours(1), created_at=now, epoch=0)
    )
    session.commit()
    (line,) = club_views.games(session, circle.club.id, over=False, limit=50, reader=dora.id)
    assert (line.free, line.mine) == (0, False)
    assert club_views.games(session, circle.club.id, over=True, limit=50) == ()
    other = ClubFactory.create()
    for club, state in ((other.id, GameState.OPEN), (circle.club.id, GameState.RUNNING)):
        game.state = state
        session.commit()
        with pytest.raises(NotOpen, match="takes no more players"):
            club_views.open_game(session, club, game.slug)


def test_results_leave_as_cells_that_no_spreadsheet_counts(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """One line a finished game, the newest first; what looks like a formula is text, a negative number a number."""
    game.title, game.state, game.finished_at = "=SUM(A1)", GameState.FINISHED, now
    game.outcome = msgspec.json.encode(Outcome(scores=(-3, 7), places=(2, 1), ending="sun"))
    older = a_game(circle, title="Older")
    older.state, older.finished_at = GameState.FINISHED, now - hours(1)
    session.commit()
    charlie = circle.others[1].name

    lines = club_views.results_csv(session, circle.club.id).splitlines()

    assert lines == [
        "game,title,finished_at,plies,winners,scores,state",
        f"priestsofra,'=SUM(A1),{now.isoformat()},{game.ply},{charlie},7 -3,finished",
        f"priestsofra,Older,{older.finished_at.isoformat()},{older.ply},,,finished",
    ]
    more = ("a;=1;", "a; -x")  # where cells end at semicolons these are two
    assert [club_views._inert(cell) for cell in ("-3", "-x", "+1", "@a", "\ta", "\ra", "a=1", "", *more)] == [
        *("-3", "'-x", "'+1", "'@a", "'\ta", "'\ra", "a=1", "", "a;'=1;", "a;' -x"),
    ]


def test_seasons_are_listed_with_who_is_in_them(session: Session, now: datetime, circle: Circle) -> None:
    """The newest first, without those who dropped out, and whether the reader is in."""
    bob, carl = circle.others[:2]
    clubs = (circle.club.id, circle.club.id, ClubFactory.create().id)
    plain: dict[str, Any] = {"system": "swiss", "rounds": 1, "titles": [], "cadence": {}, "created_at": now}
    made = [
        Season(club_id=club, name=name, **plain) for club, name in zip(clubs, ("Spring", "Summer", "Else"), strict=True)
    ]
    session.add_all(made)
    session.flush()
    for player, dropped in ((bob, None), (carl, now)):
        session.add(SeasonEntry(season_id=made[0].id, player_id=player.id, joined_at=now, dropped_at=dropped))
    session.commit()

    def seen(player_id: int) -> list[tuple[str, int, bool]]:
        lines = club_views.seasons(session, circle.club.id, player_id)
        return [(line.name, line.entered, line.mine) for line in lines]

    assert seen(bob.id) == [("Summer", 0, False), ("Spring", 1, True)]
    assert seen(carl.id) == [("Summer", 0, False), ("Spring", 1, False)]


def test_a_club_is_entered_by_its_members_alone(session: Session, circle: Circle) -> None:
    """With the epoch of today's links; an organiser organises; of several persons of one browser the organiser goes."""
    alice, bob = circle.alice, circle.others[0]
    stranger = GameFactory.create(people=1).organiser_id

    assert club_views.authorize_member(session, circle.club.slug, {bob.id: bob.epoch}).role == "player"
    seen = club_views.authorize_member(session, circle.club.slug, {bob.id: bob.epoch, alice.id: alice.epoch})
    assert (seen.player_id, seen.role, seen.name, seen.id) == (alice.id, "organiser", circle.club.name, circle.club.id)
    for held in ({bob.id: bob.epoch + 1}, {stranger: 0}, {}):
        with pytest.raises(NotSeated):
            club_views.authorize_member(session, circle.club.slug, held)
    with pytest.raises(NotSeated):
        club_views.authorize_member(session, ClubFactory.create().slug, {bob.id: bob.epoch})
