"""Somebody who answers for a seat for a while: named by its player, with a hand-over sheet, ending by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from pbem.capabilities import notices, roles
from pbem.capabilities.acts import require_proof_of_owner
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import GameOver, WrongInput, fitting, nobody, not_listed
from pbem.letter_queue import LetterQueue
from pbem.play.admin import disclosures
from pbem.play.views.game_context import locked_seat
from pbem.store.models import LIVE, Game, Player, Seat, Sitter

LONGEST = timedelta(days=35)
"""Of one time of sitting in."""
SHEET = 5000
"""Characters of a hand-over sheet."""


def appoint(  # noqa: PLR0913, PLR0917 - who, when, what to know
    session: Session, now: datetime, seat_id: int, player_id: int, starts: datetime, ends: datetime, handover: str = ""
) -> Sitter:
    """Let another person answer for the seat for a while. Raises NotSeated, NeedsCode, GameOver, or WrongInput."""
    require_proof_of_owner(session, "sitter", seat_id)
    game, seat = locked_seat(session, seat_id)
    if seat.player_id is None:
        raise nobody()
    if game.state not in LIVE:
        raise GameOver("This game is over, so nobody needs to sit in.")
    starts = max(starts, now)
    _check_times(starts, ends)
    sitter = _candidate(session, game, player_id)
    _refuse_players(session, seat, player_id)
    disclosures.refuse_who_knows(session, now, game.id, player_id, seat.seat)
    handover = fitting(handover.replace("\r\n", "\n"), SHEET)
    row = Sitter(game_id=game.id, seat=seat.seat, player_id=player_id, starts=starts, ends=ends, handover=handover)
    session.add(row)
    game.version += 1
    seat.sat_until = max(ends, seat.sat_until or ends)
    session.flush()
    owner = session.get_one(Player, seat.player_id)
    post = LetterQueue(now)
    post.person(
        *("sitter", sitter, f"sitter:{row.id}"),
        game_id=game.id,
        seat=seat.seat,
        club_id=game.club_id,
        who=owner.name,
        starts=starts.isoformat(),
        ends=ends.isoformat(),
        sitting=row.id,
    )
    post.send(session)
    said = sentence("{who} sits in for you in {title}, as was asked in your name.", who=sitter.name, title=game.title)
    notices.tell(session, now, owner, f"sitter:{row.id}", said)
    return row


def _candidate(session: Session, game: Game, player_id: int) -> Player:
    """Return a person who may be asked to sit in at a game's table. Raises WrongInput."""
    sitter = session.get(Player, player_id)
    if sitter is None or game.club_id is None or not roles.is_member(session, game.club_id, player_id):
        raise WrongInput("Only a member of the game's club can sit in: see the candidates.")
    if sitter.accepted_at is None:
        raise WrongInput("Only somebody who has answered from their address before can sit in for you.")
    return sitter


def _check_times(starts: datetime, ends: datetime) -> None:
    if ends <= starts:
        raise WrongInput("Sitting in until {ends} would be over before it begins.", ends=ends)
    if ends - starts > LONGEST:
        raise WrongInput(
            "{days} days of sitting in is too long: at most {limit}. Give the seat to a substitute instead.",
            days=(ends - starts).days,
            limit=LONGEST.days,
        )


def _refuse_players(session: Session, seat: Seat, player_id: int) -> None:
    """Nobody may play two hands of one game."""
    others = session.scalars(select(Seat.player_id).where(Seat.game_id == seat.game_id)).all()
    sitting = session.scalars(select(Sitter.player_id).where(Sitter.game_id == seat.game_id, Sitter.in_force()))
    if player_id in {*others, *sitting}:
        raise WrongInput("This person plays or sits in for somebody in this game already; ask somebody else.")


def end(session: Session, now: datetime, sitter_id: int, seat_id: int) -> None:
    """End the sitter's right at once, as the player is back. Raises WrongInput for none of the seat's."""
    _end_own(session, now, sitter_id, Seat.id == seat_id)


def end_by_person(session: Session, now: datetime, sitter_id: int, player_id: int) -> None:
    """End the right of somebody who sits in for one of the person's seats. Raises WrongInput for one of nobody's."""
    _end_own(session, now, sitter_id, Seat.player_id == player_id)


def _end_own(session: Session, now: datetime, sitter_id: int, whose: ColumnElement[bool]) -> None:
    row = session.scalar(select(Sitter).join(Seat, Seat.holds(Sitter)).where(Sitter.id == sitter_id, whose))
    if row is None:
        raise not_listed(sitter_id)
    _end(session, now, [row] if row.ended_at is None else [], _BACK)


def _end(session: Session, now: datetime, rows: Iterable[Sitter], to_sitter: str, to_owner: str = "") -> None:
    """End rights that haven't ended, and write why to who had them and to those they were given by, if games go on."""
    post = LetterQueue(now)
    for row in rows:
        row.ended_at = now
        game, sitter = session.get_one(Game, row.game_id), session.get_one(Player, row.player_id)
        seat = session.scalars(select(Seat).where(Seat.holds(row))).one()
        if game.state in LIVE:
            about = {"game_id": game.id, "club_id": game.club_id, "said": Message(to_sitter, {"title": game.title})}
            post.person("talk", sitter, f"sitter:{row.id}:ended", **about)
        if to_owner and seat.player_id is not None and game.state in LIVE:
            said = Message(to_owner, {"title": game.title, "who": sitter.name})
            post.seat("talk", game, seat, session.get_one(Player, seat.player_id), f"sitter:{row.id}", said=said)
    session.flush()
    post.send(session)


def end_of_seat(session: Session, now: datetime, game_id: int, seat: int) -> None:
    """End who sits in, or will, as the seat changes hands; hand-over sheets were between two of whom one is gone."""
    here = (Sitter.game_id == game_id, Sitter.seat == seat)
    _end(session, now, session.scalars(select(Sitter).where(*here, Sitter.in_force())).all(), _LEFT)
    session.execute(update(Sitter).where(*here).values(handover=""))


def end_all(session: Session, now: datetime, player_id: int, club_id: int | None = None) -> None:
    """End all sitting in (in one club's games) of somebody who leaves; those whose seats they had must find another."""
    theirs = select(Sitter).join(Game).where(Sitter.player_id == player_id, Sitter.in_force())
    if club_id is not None:
        theirs = theirs.where(Game.club_id == club_id)
    _end(session, now, session.scalars(theirs).all(), _OUT, _GONE)


def end_overdue(session: Session, now: datetime) -> None:
    """End the sitting in whose days are over."""
    over = select(Sitter).where(Sitter.ends <= now, Sitter.in_force()).order_by(Sitter.id)
    _end(session, now, session.scalars(over).all(), _OVER, _ALONE)


_BACK = N_("You sit in no longer in {title}: its player answers again.")
_LEFT = N_("You sit in no longer in {title}: the seat has changed hands.")
_OUT = N_("You sit in no longer in {title}: only members of its club can.")
_OVER = N_("You sit in no longer in {title}: the days you were asked for are over.")
_GONE = N_("{who} sits in for you no longer in {title}: they have left the club. You answer again.")
_ALONE = N_("{who} sits in for you no longer in {title}: the days you chose are over. You answer again.")


def of_seat(session: Session, now: datetime, seat_id: int) -> Sequence[tuple[Sitter, str]]:
    """Return present and coming sitters of a seat with their names."""
    return [(row, name) for row, name, _ in _present(session, now, Seat.id == seat_id)]


def of_person(session: Session, now: datetime, player_id: int) -> Sequence[tuple[Sitter, str, str]]:
    """Return present and coming sitters of a person's seats: the row, who sits in, the game's title."""
    return _present(session, now, Seat.player_id == player_id)


def _present(session: Session, now: datetime, of: ColumnElement[bool]) -> list[tuple[Sitter, str, str]]:
    rows = session.execute(
        select(Sitter, Player.name, Game.title)
        .join(Seat, Seat.holds(Sitter))
        .join(Game)
        .join(Player, Player.id == Sitter.player_id)
        .where(of, Sitter.lasts(now))
        .order_by(Sitter.starts)
    )
    return [(row[0], row[1], row[2]) for row in rows]
