"""What a club's organisers settle for all of it: name, language, time zone, contact, who watches; and its end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_as_opened, require_proof
from pbem.capabilities.roles import require_organiser
from pbem.clock import zone_names
from pbem.clubs import reports
from pbem.clubs.games import actions
from pbem.clubs.integrations import webhooks
from pbem.clubs.members.founding import read_address, read_name
from pbem.clubs.seasons import seasons
from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import NotAllowed, WrongInput, raise_for, refusals
from pbem.messages import LANGUAGES
from pbem.play.admin import action_log
from pbem.play.views import spectator
from pbem.store.models import LIVE, OVER, Club, Game, GameState, Invitation, Member, Season
from pbem.store.queries import common
from pbem.structs import Value


class ClubSettings(Value, kw_only=True):
    """A club's settings, as its form shows and sends them."""

    name: str
    language: str
    """Of its invitations and its weekly letter to people whose own language isn't known."""
    zone: str
    """The time zone new members begin with, so that their waking hours are right from the first deadline on."""
    contact: str
    """The mail address that answers to the club's own letters reach; members see it. Empty: none."""


def read(session: Session, club_id: int) -> ClubSettings:
    """Return what an organiser has settled; where nothing was, UTC and no contact. The club must exist."""
    club = session.get_one(Club, club_id)
    return ClubSettings(
        name=club.name,
        language=club.language,
        zone=club.settings.get("zone", "UTC"),
        contact=club.settings.get("contact", ""),
    )


def change(session: Session, now: datetime, club_id: int, by: int, wanted: ClubSettings) -> None:
    """Settle them anew. Raises NotAllowed, Overtaken, or WrongInput naming every wrong value."""
    require_organiser(session, club_id, by)
    raise_for(_faults(wanted))
    club = common.lock_club(session, club_id)
    before = read(session, club_id)
    club.name, club.language = read_name(wanted.name, N_("club")), wanted.language
    club.settings = {**club.settings, "zone": wanted.zone, "contact": _contact(wanted)}
    require_as_opened(session, before, read(session, club_id))
    action_log.note(session, now, "settings", by=by, club_id=club_id, **msgspec.structs.asdict(wanted))


def _faults(wanted: ClubSettings) -> Iterator[Message]:
    yield from refusals(read_name, wanted.name, N_("club"))
    yield from refusals(_contact, wanted)
    if wanted.language not in LANGUAGES:
        yield sentence("{word!r} is no language we speak.", word=wanted.language)
    if wanted.zone not in zone_names():
        yield sentence("{word!r} is no time zone: write it like Europe/Rome.", word=wanted.zone)


def _contact(wanted: ClubSettings) -> str:
    return read_address(wanted.contact) if wanted.contact.strip() else ""


def open_to(session: Session, now: datetime, club_id: int, by: int, delay: int) -> None:
    """Let everybody watch a club's games, those under way and those to come, `delay` plies behind; or members alone.

    Raises NotAllowed, Overtaken, or WrongInput for a delay that can't be kept.
    """
    require_organiser(session, club_id, by)
    most = spectator.MOST_BEHIND
    if not spectator.CLOSED <= delay <= most:
        raise WrongInput("Spectators can be 0 to {limit} moves behind, not {delay}.", delay=delay, limit=most)
    club = common.lock_club(session, club_id)
    shown = spectator.behind(session, club_id)
    before, club.settings = club.settings, {**club.settings, spectator.WATCH: delay}
    session.execute(update(Game).where(Game.club_id == club_id, Game.state.not_in(OVER)).values(watch_delay=delay))
    require_as_opened(session, shown, delay)
    if club.settings != before:
        action_log.note(session, now, "settings", by=by, club_id=club_id, behind=delay)


def close(session: Session, now: datetime, club_id: int, by: int, name: str) -> None:
    """Close a club for good: what has not begun is called off, its seasons and webhooks end, nobody belongs to it.

    Results and records stay at their addresses. Raises NotAllowed while a game is under way, or for another name than
    the club's own, which the organiser types to say that it is meant.
    """
    require_organiser(session, club_id, by)
    require_proof(session, "close", by)
    club = session.get_one(Club, club_id)
    if name.strip() != club.name:
        raise NotAllowed("Type the club's name exactly as it stands above, so that no slip closes it.")
    games = session.scalars(select(Game).where(Game.club_id == club_id, Game.state.in_(LIVE))).all()
    underway = tuple(game.title for game in games if game.state is not GameState.OPEN)
    if underway:
        raise NotAllowed("Still under way: {games}. A club closes when no game is.", games=underway)
    if games:
        wish = actions.ActionRequest(act="call-off", games=tuple(game.id for game in games), by=by)
        seen = actions.preview(session, now, club_id, wish).seen
        actions.carry_out(session, now, club_id, msgspec.structs.replace(wish, seen=seen))
    for season_id in session.scalars(select(Season.id).where(Season.club_id == club_id, Season.state != "finished")):
        seasons.finish(session, now, season_id)
    common.end_invitations(session, now, Invitation.club_id == club_id, state="withdrawn")
    for hook in webhooks.hooks_of(session, club_id):
        webhooks.end(session, now, club_id, by, hook.id)
    says = sentence("An organiser has closed it. Results and records of its games stay where they are.")
    report = reports.ClubReport(sentence("{club} is closed", club=club.name), (says,))
    reports.send(
        session, now, "announcement", club_id, f"closed:{club_id}", report, reports.members_of(session, club_id)
    )
    session.execute(update(Member).where(Member.at_present(club_id=club_id)).values(left_at=now))
    action_log.note(session, now, "close", by=by, club_id=club_id)
