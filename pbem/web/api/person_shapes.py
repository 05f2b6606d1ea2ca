"""What goes in and out of calls about a seat's arrangements and about a person, as Structs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pbem.web.api.shapes import Id, Text

Word = Annotated[str, Meta(max_length=64)]
Reason = Annotated[str, Meta(max_length=500)]
Minutes = Annotated[int, Meta(ge=0, le=1440)]
Moment = Annotated[datetime, Meta(tz=True)]


class JournalOut(msgspec.Struct):
    """Something that was done at the table outside the rules: a look, a pause, a seat handed over."""

    at: datetime
    by: str
    act: str
    text: str
    reason: str


class BackOut(msgspec.Struct):
    """Whether the seat's last ply can be taken back."""

    ply: int
    """-1 if there is nothing of the seat's own to take back."""
    alone: bool
    """Whether the seat can do it without asking anybody."""
    chance: bool
    saw: list[int]
    """Seats that have seen something that follows from it."""


class ProposeIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something all seats are to agree on."""

    kind: Literal["rewind", "end", "replace"]
    ply: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    """To go back: the ply whose position is to stand again."""
    seat: Annotated[int, Meta(ge=0, le=10)] | None = None
    """To replace somebody: whose seat."""
    reason: Reason = ""


class VoteIn(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to a proposal."""

    yes: bool


class ProposalOut(msgspec.Struct):
    """Something that is being voted on."""

    id: int
    kind: str
    ply: int | None
    seat: int | None
    reason: str
    expires_at: datetime
    votes: dict[str, bool]
    """By seat number; who has not voted is missing."""


class StateOut(msgspec.Struct):
    """What became of it: open, agreed, refused."""

    state: str


class LadderIn(msgspec.Struct, forbid_unknown_fields=True):
    """What answers for the seat when its player misses a deadline."""

    rungs: Annotated[list[Word], Meta(max_length=10)]
    """draft, standing, pass, cautious: the first that can be used answers."""
    never: Annotated[list[Word], Meta(max_length=50)] = []
    """Kinds of decision that wait for a person whatever happens."""


class LadderOut(msgspec.Struct):
    """The same as it is stored."""

    rungs: list[str]
    never: list[str]
    kinds: list[str]
    """Every kind of decision of this game."""


class SitterIn(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody who shall answer for the seat for a while."""

    player: Id
    """A member of the club, by number: see `candidates`."""
    starts: Moment
    ends: Moment
    handover: Annotated[str, Meta(max_length=5000)] = ""


class SitterOut(msgspec.Struct):
    """Somebody who sits in, or will."""

    id: int
    name: str
    starts: datetime
    ends: datetime
    handover: str


class PersonOut(msgspec.Struct):
    """Somebody by number and name."""

    player_id: int
    name: str


class SittersOut(msgspec.Struct):
    """Who sits in for the seat, and who could."""

    sitters: list[SitterOut]
    candidates: list[PersonOut]


class ResignIn(msgspec.Struct, forbid_unknown_fields=True):
    """Leaving a game for good."""

    sure: bool
    reason: Reason = ""


class ClubLine(msgspec.Struct):
    """A club one belongs to."""

    id: int
    slug: str
    name: str
    role: str


class MeOut(msgspec.Struct):
    """Who the key speaks for."""

    player_id: int
    name: str
    clubs: list[ClubLine]
    calendar: str
    """The address of one's deadlines as iCalendar."""


class KeyScopeOut(msgspec.Struct):
    """What the key of this call speaks for: with neither club nor seat, everything of its owner's."""

    player_id: int
    club: ClubLine | None
    seat_id: int | None


class QueueOut(msgspec.Struct):
    """One of one's games, decisions first."""

    seat_id: int
    seat: int
    slug: str
    title: str
    game: str
    state: str
    ply: int
    heading: str
    question: str
    """Empty if nothing is asked."""
    asked_ply: int | None
    optional: bool
    answered: bool
    due_at: datetime | None
    sitting: bool
    """Whether one sits in for somebody there."""


class SettingsShape(msgspec.Struct, forbid_unknown_fields=True):
    """One's own settings. Times of day are minutes after local midnight."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    language: Word
    zone: Word
    wakes: Minutes
    sleeps: Minutes
    weekends: bool
    quiet: bool
    """Letters in waking hours only."""
    digest_hour: Annotated[int, Meta(ge=0, le=23)] | None
    """The local hour of one letter a day instead of single ones."""
    rated: bool
    """Whether one's games count for the ratings."""
    kinds_off: Annotated[list[Word], Meta(max_length=50)] = []
    """Kinds of letter not wanted."""


class AwayIn(msgspec.Struct, forbid_unknown_fields=True):
    """Days away, announced ahead."""

    starts: Moment
    ends: Moment
    note: Annotated[str, Meta(max_length=200)] = ""


class AwayOut(msgspec.Struct):
    """Days away that are still to come, or not over."""

    id: int
    starts: datetime
    ends: datetime
    note: str


class InvitationOut(msgspec.Struct):
    """A place that was offered and not answered yet."""

    id: int
    title: str
    club: str
    inviter: str
    game: str
    """Empty for an invitation to a club alone."""
    instead: str
    """Whose seat of a game under way it is."""
    expires_at: datetime


class AnswerIn(msgspec.Struct, forbid_unknown_fields=True):
    """Yes or no to an invitation."""

    accept: bool


class KeyOut(msgspec.Struct):
    """A key for programs, without its text."""

    id: int
    name: str
    seat_id: int | None
    club_id: int | None
    created_at: datetime
    used_at: datetime | None


class TextsOut(msgspec.Struct):
    """What the seat has sent for one ply, oldest first."""

    text: str
    canonical: str
    kind: str
    """order, draft, withdraw, refused."""
    reason: str
    source: str
    at: datetime


class NotesOut(msgspec.Struct):
    """The seat's private notebook."""

    text: Text
