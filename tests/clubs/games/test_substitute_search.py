"""Finding a substitute: whom a game lacks, who is asked, who gets the seat, and how it is taken back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import select

from pbem.clubs.games import actions, substitute_search, undo
from pbem.errors import NotOpen
from pbem.messages import Translator
from pbem.play.admin import action_log
from pbem.play.deadlines import absences
from pbem.play.seats import invitations, opening, substitutes
from pbem.play.views.game_context import table_of
from pbem.store.models import Audit, Game, GameState, Invitation, Letter, Member, Sitter
from tests.clubs.conftest import club_game
from tests.factories import ClubFactory, GameFactory, PlayerFactory, answer, asked, hours, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


@pytest.fixture
def game(circle: Circle) -> Game:
    """A game of two members."""
    return club_game(circle)


def _seek(session: Session, now: datetime, circle: Circle, game: Game) -> actions.ActionOutcome:
    wish = actions.ActionRequest(act="seek", games=(game.id,), by=circle.alice.id, reason="waiting for a week")
    return actions.carry_out(session, now, circle.club.id, wish)


def _invited(session: Session) -> list[Invitation]:
    return list(
        session.execute(select(Invitation).where(Invitation.game_id.is_not(None)).order_by(Invitation.id)).scalars()
    )


def _late(game: Game) -> datetime:
    assert game.due_at is not None
    return game.due_at + hours(1)


def test_nobody_is_sought_before_the_deadline(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """While everybody has time left, nothing would be done."""
    assert _seek(session, now, circle, game).effects == ()
    assert _invited(session) == []


def test_members_are_asked_to_take_over(session: Session, circle: Circle, game: Game) -> None:
    """Past the deadline members who are present and not at the table get letters; the table's journal says so."""
    (decision,) = asked(session, game)
    late = _late(game)
    away = circle.others[2]
    absences.announce(session, late, away.id, late, late + timedelta(days=3))

    (effect,) = _seek(session, late, circle, game).effects

    invited = {row.player_id for row in _invited(session)}
    assert invited
    assert len(invited) <= 3
    assert not invited & {away.id, *(player.id for player in circle.others[:2])}
    assert circle.others[decision.seat].name in str(effect.says)
    assert {row.seat for row in _invited(session)} == {decision.seat}
    (entry,) = action_log.entries(session, game.id)
    assert (entry.act, entry.said.params["seat"]) == ("seek", circle.others[decision.seat].name)  # whoever has it then
    assert len(session.execute(select(Letter).where(Letter.kind == "invitation")).all()) == len(invited)


def test_the_first_to_accept_has_the_seat(session: Session, circle: Circle, game: Game) -> None:
    """The seat changes hands at once; whoever accepts later is told that it is taken."""
    (decision,) = asked(session, game)
    late = _late(game)
    _seek(session, late, circle, game)
    first, second = _invited(session)[:2]

    invitations.accept(session, late + hours(1), first.id)

    assert seat_of(session, game, decision.seat).player_id == first.player_id
    with pytest.raises(NotOpen, match="taken this seat meanwhile"):
        invitations.accept(session, late + hours(2), second.id)


def test_who_comes_back_keeps_the_seat(session: Session, circle: Circle, game: Game) -> None:
    """A player who answers after all plays on, and the substitute is thanked.

    Until then the offer names whose seat it is, and not among those who stay. Who declines it isn't asked again.
    """
    (decision,) = asked(session, game)
    late = _late(game)
    _seek(session, late, circle, game)
    sleeper, other = (circle.others[seat].name for seat in (decision.seat, 1 - decision.seat))
    offer = invitations.offer(session, _invited(session)[0].id)
    assert (offer.instead, offer.others) == (sleeper, (other,))
    invitations.decline(session, late, _invited(session)[1].id)
    _seek(session, late, circle, game)
    offered = [one.player_id for one in _invited(session)]
    assert len(offered) == len(set(offered)) > substitute_search.ASKED
    assert answer(session, late + hours(1), game, decision.seat).accepted

    with pytest.raises(NotOpen, match="has come back"):
        invitations.accept(session, late + hours(2), _invited(session)[0].id)

    assert seat_of(session, game, decision.seat).player_id == circle.others[decision.seat].id


def test_a_seat_that_was_left_is_offered_at_once(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """The bot that plays for somebody who resigned makes room for a person."""
    substitutes.resign(session, now, seat_of(session, game, 0).id, "no time")

    _seek(session, now, circle, game)
    invitations.accept(session, now + hours(1), _invited(session)[0].id)

    seat = seat_of(session, game, 0)
    assert (seat.player_id, seat.bot) == (_invited(session)[0].player_id, "")


def test_the_search_is_taken_back(session: Session, circle: Circle, game: Game) -> None:
    """Within ten minutes the invitations nobody has answered are worth nothing any more, and their letters stay."""
    late = _late(game)
    done = _seek(session, late, circle, game)
    assert done.audit_id is not None

    undo.undo(session, late + timedelta(minutes=9), circle.club.id, circle.alice.id, done.audit_id)

    assert {row.state for row in _invited(session)} == {"expired"}
    with pytest.raises(NotOpen):
        invitations.accept(session, late + hours(1), _invited(session)[0].id)
    assert "undo" in {entry.act for entry in action_log.entries(session, game.id)}
    assert session.execute(select(Audit).where(Audit.act == "seek", Audit.game_id.is_(None))).first() is not None


def test_a_preview_asks_nobody(session: Session, circle: Circle, game: Game) -> None:
    """What it would do is said with names; no invitation and no letter is written."""
    wish = actions.ActionRequest(act="seek", games=(game.id,), by=circle.alice.id)

    (effect,) = actions.preview(session, _late(game), circle.club.id, wish).effects

    assert "will be asked to take over from" in str(effect.says)
    assert "(not asked anything yet, 0 games under way)" in Translator("en")(effect.says)
    assert _invited(session) == []
    assert session.execute(select(Letter).where(Letter.kind == "invitation")).first() is None


def test_the_same_few_are_not_asked_for_every_seat(session: Session, circle: Circle, game: Game) -> None:
    """Nobody is offered a second seat while somebody as reliable who fits was offered none; nor by another search."""
    second = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id)
    late = max(_late(game), _late(second))
    wish = actions.ActionRequest(act="seek", games=(game.id, second.id), by=circle.alice.id)

    assert len(actions.carry_out(session, late, circle.club.id, wish).effects) == 2

    asked_ones = [row.player_id for row in _invited(session)]
    assert len(asked_ones) == len(set(asked_ones)) == 2 * substitute_search.ASKED
    left = {player.id for player in circle.everybody} - set(asked_ones)
    found = substitute_search.candidates(session, late, circle.club.id)
    assert {one.player_id for one in found[: len(left)]} == left
    assert {one.offers for one in found[len(left) :]} == {1}


def test_who_sits_in_or_is_asked_elsewhere_may_be_asked_here(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Only who does so at this table may not, until that is over."""
    elsewhere = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id)
    sitter, offered, late = circle.others[4:7]
    seat, until = {"game_id": elsewhere.id, "seat": 0}, now + hours(9)
    gone = {"game_id": game.id, "seat": 0, "created_at": now - hours(9), "expires_at": now}
    session.add(Invitation(player_id=late.id, club_id=circle.club.id, **gone))
    session.add(Sitter(player_id=sitter.id, starts=now, ends=until, **seat))
    session.add(Invitation(player_id=offered.id, club_id=circle.club.id, created_at=now, expires_at=until, **seat))
    found = substitute_search.candidates(session, now, circle.club.id)
    fit = {one.player_id for one in substitute_search.fitting(session, now, table_of(session, game), found)}

    assert fit == {one.player_id for one in found} - {player.id for player in circle.others[:2]}
    assert {sitter.id, offered.id, late.id} < fit


def test_who_has_left_the_table_is_not_asked_back(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Neither who resigned before any answer nor who answered and then lost the seat: of this game, of no other."""
    (decision,) = asked(session, game)
    assert answer(session, now, game, decision.seat).accepted
    asked_one, waiting = (seat_of(session, game, seat) for seat in (decision.seat, 1 - decision.seat))
    answered, resigned = asked_one.player_id, waiting.player_id
    substitutes.resign(session, now, waiting.id)
    substitutes.replace(session, now, game.id, asked_one.seat, circle.others[4].id, by=circle.alice.id)
    elsewhere = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id)
    found = substitute_search.candidates(session, now, circle.club.id)
    here, there = (
        {one.player_id for one in substitute_search.fitting(session, now, table_of(session, which), found)}
        for which in (game, elsewhere)
    )

    assert here == {player.id for player in circle.everybody} - {answered, resigned, circle.others[4].id}
    assert {answered, resigned} < there


def test_the_most_reliable_come_first(session: Session, now: datetime, circle: Circle) -> None:
    """Who left their questions to the server is asked after everybody else; a game that rests is under way, too."""
    game = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id)
    (decision,) = asked(session, game)
    slow = seat_of(session, game, decision.seat).player_id
    decision.closed_at, decision.hand = decision.opened_at + hours(1), "autopilot"
    game.state = GameState.PAUSED
    session.flush()

    offered = substitute_search.candidates(session, now + hours(2), circle.club.id)
    found = [one.player_id for one in offered]

    assert (found[-1], offered[-1].games) == (slow, 1)
    assert set(found) == {player.id for player in circle.everybody}


def test_who_ignores_invitations_is_asked_after_who_was_never_asked(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """An offer that ran out unanswered counts; one declined, taken back, or taken by another doesn't."""
    silent, polite, spared, slower = circle.others[2:6]
    ran_out, whole = now - hours(1), timedelta(days=opening.INVITED_FOR)
    for player, seat, state, lasted in (
        (silent, 0, "pending", whole),
        (polite, 0, "declined", whole),
        (spared, 0, "expired", hours(1)),
        (slower, 1, "expired", whole),
        (polite, 1, "accepted", whole),
    ):
        offer = Invitation(club_id=circle.club.id, game_id=game.id, seat=seat, player_id=player.id, state=state)
        offer.created_at, offer.expires_at = ran_out - lasted, ran_out
        session.add(offer)
    session.flush()

    (*others, last) = substitute_search.candidates(session, now, circle.club.id)

    assert last.player_id == silent.id
    assert {one.own for one in others} == {2 * last.own}
    assert {polite.id, spared.id, slower.id} <= {one.player_id for one in others}
    says = Translator("en")
    assert "not asked anything yet, left 1 offer unanswered" in says(last.record)
    assert says(msgspec.structs.replace(last, on_time=0.957, ignored=0).record) == (
        f"{last.name} (answers 96 % in time, {last.games} games under way)"
    )


def test_who_gets_no_mail_is_missed_at_once_unless_choices_are_secret(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Others only once their time is over; of a secret choice nobody is named before."""
    (decision,) = asked(session, game)
    awaited = circle.others[decision.seat]

    def needed(when: datetime) -> tuple[int, ...]:
        session.flush()
        return substitute_search.seats_in_need(session, when, table_of(session, game))

    assert game.due_at is not None
    moments = (now, game.due_at - timedelta(seconds=1), game.due_at)
    assert [needed(when) for when in moments] == [(), (), (decision.seat,)]
    awaited.address_state = "bounced"
    assert [needed(when) for when in moments] == [(decision.seat,)] * 3
    decision.secret = True
    assert [needed(when) for when in moments] == [(), (), (decision.seat,)]
    game.due_at = None
    assert needed(now + timedelta(days=99)) == ()


def test_only_members_who_are_there_are_candidates(session: Session, now: datetime, circle: Circle) -> None:
    """Who never came, gets no mail, has left or is of another club is not; with the fewest games first."""
    new, bounced, left, busy, *rest = circle.others
    new.accepted_at, bounced.address_state = None, "bounced"
    session.execute(select(Member).where(Member.player_id == left.id)).scalar_one().left_at = now
    stranger = PlayerFactory.create()
    session.add(Member(club_id=ClubFactory.create().id, player_id=stranger.id, role="player", joined_at=now))
    running, over = (GameFactory.create(people=[busy, rest[0]], bots=()) for _ in range(2))
    over.state, over.version = GameState.FINISHED, over.version + 1
    session.commit()
    assert running.state == "running"

    found = substitute_search.candidates(session, now, circle.club.id)

    idle = sorted([circle.alice, *rest[1:]], key=lambda one: one.name)
    playing = sorted([busy, rest[0]], key=lambda one: one.name)
    assert [(one.player_id, one.games, one.own) for one in found] == [
        *((player.id, 0, 0.5) for player in idle),
        *((player.id, 1, 0.5) for player in playing),
    ]
