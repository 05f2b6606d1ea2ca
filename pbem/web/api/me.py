"""Calls that speak for a person: their queue, settings, absences, invitations, keys, everything stored about them."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem import clock
from pbem.capabilities import api_keys, links
from pbem.clubs import club_views
from pbem.clubs.account import personal_data
from pbem.extensions import db
from pbem.messages import clean
from pbem.play.deadlines import absences
from pbem.play.seats import invitations, preferences
from pbem.play.views import decision_queue as queues
from pbem.web import pages
from pbem.web.api.core import answers, blueprint, keep, key, me, moment, plain, spec
from pbem.web.api.person_shapes import (
    AnswerIn,
    AwayIn,
    AwayOut,
    ClubLine,
    InvitationOut,
    KeyOut,
    KeyScopeOut,
    MeOut,
    QueueOut,
    SettingsShape,
    StateOut,
)
from pbem.web.api.shapes import EverythingOut
from pbem.web.club.feeds import calendar_address


@blueprint.get("/me")
@spec.validate(resp=answers(MeOut), tags=["person"])
def who() -> Any:
    """Who the key speaks for, and the clubs they belong to."""
    player, session = me(), db.session()
    clubs = club_views.clubs_of(session, player)
    address = calendar_address(session, player)
    lines = [ClubLine(c.id, c.slug, c.name, "organiser" if c.organises else "player") for c in clubs]
    return MeOut(player, preferences.read_settings(session, player).name, lines, address)


@blueprint.get("/key")
@spec.validate(resp=answers(KeyScopeOut), tags=["person"])
def key_scope() -> Any:
    """What the key of this call speaks for: its owner, and the club or seat it is for."""
    held = key()
    club = None
    if held.club_id is not None:
        found = club_views.face(db.session(), held.club_id, held.player_id)
        club = ClubLine(found.id, found.slug, found.name, "organiser" if found.organises else "player")
    return KeyScopeOut(held.player_id, club, held.seat_id)


@blueprint.get("/me/queue")
@spec.validate(resp=answers(list[QueueOut]), tags=["person"])
def queue() -> Any:
    """Every seat one holds or sits in for, unanswered decisions first, by deadline."""
    return [_item(item) for item in queues.queue(db.session(), clock.now(), me())]


def _item(item: queues.QueueItem) -> QueueOut:
    say = pages.voice()
    return QueueOut(
        seat_id=item.seat_id,
        seat=item.seat,
        slug=item.slug,
        title=item.title,
        game=item.game,
        state=item.state,
        ply=item.ply,
        heading=say(item.heading),
        question=say(item.question) if item.question else "",
        asked_ply=item.asked_ply,
        optional=item.optional,
        answered=item.answered,
        due_at=item.due_at,
        sitting=item.sitting,
    )


@blueprint.get("/me/settings")
@spec.validate(resp=answers(SettingsShape), tags=["person"])
def read_settings() -> Any:
    """One's name, language, hours, digest, ratings, kinds of letter."""
    return _settings(preferences.read_settings(db.session(), me()))


def _settings(found: preferences.Settings) -> SettingsShape:
    return msgspec.convert(found, SettingsShape, from_attributes=True)


@blueprint.put("/me/settings")
@spec.validate(json=SettingsShape, resp=answers(SettingsShape), tags=["person"])
def change_settings(json: SettingsShape) -> Any:
    """Replace them; what can't be used is named, and then nothing is changed."""
    wanted = msgspec.convert(json, preferences.Settings, from_attributes=True)
    done = preferences.change_settings(db.session(), me(), wanted)
    keep()
    return _settings(done)


@blueprint.get("/me/absences")
@spec.validate(resp=answers(list[AwayOut]), tags=["person"])
def away() -> Any:
    """Absences that are not over."""
    found = absences.coming(db.session(), clock.now(), me())
    return [AwayOut(row.id, row.starts, row.ends, row.note) for row in found]


@blueprint.post("/me/absences")
@spec.validate(json=AwayIn, resp=answers(list[AwayOut]), tags=["person"])
def announce_away(json: AwayIn) -> Any:
    """Announce days away: the clock stands still in them, and deadlines they touch move."""
    absences.announce(db.session(), clock.now(), me(), moment(json.starts), moment(json.ends), clean(json.note, 200))
    keep()
    return away()


@blueprint.delete("/me/absences/<int:absence_id>")
@spec.validate(resp=answers(list[AwayOut]), tags=["person"])
def back(absence_id: int) -> Any:
    """Come back early."""
    absences.cancel(db.session(), clock.now(), absence_id, me())
    keep()
    return away()


@blueprint.get("/me/invitations")
@spec.validate(resp=answers(list[InvitationOut]), tags=["person"])
def invited() -> Any:
    """Places one was offered and has not answered yet."""
    session = db.session()
    found = [(number, invitations.offer(session, number)) for number in invitations.pending(session, clock.now(), me())]
    return [InvitationOut(n, o.title, o.club, o.inviter, o.game, o.instead, o.expires_at) for n, o in found]


@blueprint.post("/me/invitations/<int:invitation_id>")
@spec.validate(json=AnswerIn, resp=answers(StateOut), tags=["person"])
def answer_invitation(invitation_id: int, json: AnswerIn) -> Any:
    """Take the place that was offered, or decline."""
    session, now = db.session(), clock.now()
    number = invitations.own(session, now, me(), invitation_id)
    if json.accept:
        invitations.accept(session, now, number)
    else:
        invitations.decline(session, now, number)
    keep()
    return StateOut("accepted" if json.accept else "declined")


@blueprint.get("/me/keys")
@spec.validate(resp=answers(list[KeyOut]), tags=["person"])
def my_keys() -> Any:
    """One's keys for programs, without their texts."""
    return [key_out(one) for one in api_keys.keys_of(db.session(), clock.now(), me())]


def key_out(one: api_keys.Key) -> KeyOut:
    """A key as programs see it."""
    return KeyOut(one.id, one.name, one.seat_id, one.club_id, one.created_at, one.used_at)


@blueprint.delete("/me/keys/<int:key_id>")
@spec.validate(resp=answers(StateOut), tags=["person"])
def revoke_key(key_id: int) -> Any:
    """Make one of one's keys worthless at once, also the one this call is made with."""
    api_keys.revoke(db.session(), clock.now(), me(), key_id)
    keep()
    return StateOut("revoked")


@blueprint.post("/me/links")
@spec.validate(resp=answers(StateOut), tags=["person"])
def renew_links() -> Any:
    """Make every link of one's letters, calendars and browsers worthless at once; a letter brings new ones."""
    links.renew(db.session(), clock.now(), me())
    keep()
    return StateOut("mailed")


@blueprint.get("/me/everything")
@spec.validate(resp=answers(EverythingOut), tags=["person"])
def everything() -> Any:
    """Everything stored about oneself."""
    return EverythingOut(plain(personal_data.export_person(db.session(), me())))
