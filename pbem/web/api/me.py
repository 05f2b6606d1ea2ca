"""Calls that speak for a person: their queue, settings, absences, invitations, keys, everything stored about them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from pbem import clock
from pbem.capabilities import api_keys
from pbem.clubs import club_views
from pbem.extensions import current, db
from pbem.letters import unsubscribe
from pbem.play.deadlines import absences
from pbem.play.seats import invitations, preferences
from pbem.play.seats.preferences import Settings
from pbem.play.views import decision_queue
from pbem.store.models import Absence
from pbem.web.api.answers import answered, shape
from pbem.web.api.core import calls, key, me, moment
from pbem.web.api.shapes import Moment, StateOut, at_most
from pbem.web.club.feeds import calendar_address

call = calls("person")

ClubLine = shape("ClubLine", "A club one belongs to.", club_views.ClubSummary, "id slug name role")
QueueOut = shape(
    "QueueOut",
    "One of one's games, decisions first; `sitting` where one sits in for somebody.",
    decision_queue.QueueItem,
    "seat_id seat slug title game state ply heading question asked_ply optional answered due_at sitting",
)
AwayOut = shape("AwayOut", "Days away that are still to come, or not over.", Absence, "id starts ends note")
InvitationOut = shape(
    "InvitationOut",
    "A place that was offered and not answered yet: `game` is empty for an invitation to a club alone, `instead` "
    "whose seat of a game under way it is.",
    invitations.Offer,
    "title club inviter game organises instead expires_at",
    id=int,
)
KeyOut = shape(
    "KeyOut", "A key for programs, without its text.", api_keys.Key, "id name seat_id club_id created_at used_at"
)
KeyScopeOut = shape(
    "KeyScopeOut",
    "What the key of this call speaks for: with neither club nor seat, everything of its owner's.",
    api_keys.Key,
    "player_id seat_id",
    club=ClubLine | None,
)
MeOut = shape(
    "MeOut",
    "Who the key speaks for; `calendar` is the address of one's deadlines as iCalendar.",
    Settings,
    "name",
    player_id=int,
    clubs=[ClubLine],
    calendar=str,
)


class AwayIn(msgspec.Struct, forbid_unknown_fields=True):
    """Days away, announced ahead."""

    starts: Moment
    ends: Moment
    note: Annotated[str, at_most(absences.NOTE)] = ""


class AnswerIn(msgspec.Struct, forbid_unknown_fields=True):
    """Yes or no to an invitation."""

    accept: bool


@call("GET", "/me", MeOut)
def who() -> Any:
    """Who the key speaks for, and the clubs they belong to."""
    player, session = me(), db.session()
    clubs, address = club_views.clubs_of(session, player), calendar_address(session, player)
    return answered(MeOut, preferences.read_settings(session, player), player_id=player, clubs=clubs, calendar=address)


@call("GET", "/key", KeyScopeOut)
def key_scope() -> Any:
    """What the key of this call speaks for: its owner, and the club or seat it is for."""
    held = key()
    club = None if held.club_id is None else club_views.summary_of(db.session(), held.club_id, held.player_id)
    return answered(KeyScopeOut, held, club=club)


@call("GET", "/me/queue", [QueueOut])
def queue() -> Any:
    """Every seat one holds or sits in for, unanswered decisions first, by deadline."""
    return decision_queue.queue(*current(), me(), over=None)


@call("GET", "/me/settings", Settings)
def read_settings() -> Any:
    """One's name, language, hours, digest, ratings, kinds of letter."""
    return preferences.read_settings(db.session(), me())


@call("PUT", "/me/settings", Settings)
def change_settings(json: Settings) -> Any:
    """Replace them; what can't be used is named, and then nothing is changed."""
    return unsubscribe.change_settings(*current(), me(), json)


@call("GET", "/me/absences", [AwayOut])
def away() -> Any:
    """Absences that are not over."""
    return tuple(absences.coming(*current(), me()))


@call("POST", "/me/absences", [AwayOut])
def announce_away(json: AwayIn) -> Any:
    """Announce days away: the clock stands still in them, and deadlines they touch move."""
    absences.announce(*current(), me(), moment(json.starts), moment(json.ends), json.note)
    return away()


@call("DELETE", "/me/absences/<int:absence_id>", [AwayOut])
def back(absence_id: int) -> Any:
    """Come back early."""
    absences.cancel(*current(), absence_id, me())
    return away()


@call("GET", "/me/invitations", [InvitationOut])
def invited() -> Any:
    """Places one was offered and has not answered yet."""
    session = db.session()
    numbers = invitations.pending(session, clock.now(), me())
    return [answered(InvitationOut, invitations.offer(session, number), id=number) for number in numbers]


@call("POST", "/me/invitations/<int:invitation_id>", StateOut)
def answer_invitation(invitation_id: int, json: AnswerIn) -> Any:
    """Take the place that was offered, or decline."""
    session, now = current()
    number = invitations.own(session, now, me(), invitation_id)
    if json.accept:
        invitations.accept(session, now, number)
    else:
        invitations.decline(session, now, number)
    return StateOut("accepted" if json.accept else "declined")


@call("GET", "/me/keys", [KeyOut])
def my_keys() -> Any:
    """One's keys for programs, without their texts."""
    return api_keys.keys_of(*current(), me())


@call("DELETE", "/me/keys/<int:key_id>", StateOut)
def revoke_key(key_id: int) -> Any:
    """Make one of one's keys worthless at once, also the one this call is made with."""
    api_keys.revoke(*current(), me(), key_id)
    return StateOut("revoked")
