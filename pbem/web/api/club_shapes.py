"""What goes in and out of calls that speak for a club, as Structs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pbem.clubs.games.actions import ACTIONS
from pbem.engine.core.types import COLOURS
from pbem.web.api.person_shapes import JournalOut, Reason, Word
from pbem.web.api.shapes import Id, Name, Text

Wait = Annotated[float, Meta(gt=0, le=1440)]
Hours = Annotated[int, Meta(ge=0, le=10_000)]
SeatText = Annotated[str, Meta(max_length=254)]
Seats = Annotated[list[SeatText], Meta(min_length=1, max_length=len(COLOURS))]
Options = dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=100_000)]]


class ClubOut(msgspec.Struct):
    """A club, for its members."""

    id: int
    slug: str
    name: str
    organises: bool
    """Whether the caller is an organiser."""


class FilterIn(msgspec.Struct):
    """What of the control room is given, and in which order."""

    state: Word = ""
    """waiting, late, unreachable, away, paused, stuck, open; empty: all."""
    game: Word = ""
    text: Annotated[str, Meta(max_length=80)] = ""
    """Part of a title or a player's name."""
    order: Word = "waiting"
    """waiting, deadline, title, game."""


class RowOut(msgspec.Struct):
    """One game's line in the control room."""

    game_id: int
    slug: str
    title: str
    game: str
    state: str
    ply: int
    heading: str
    """Where it stands: round and phase; empty before it begins."""
    due_at: datetime | None
    waiting_since: datetime | None
    seats: list[str]
    invited: list[str]
    """Who has yet to answer the invitation to a game that has not begun."""
    waits_for: list[str] | None
    """Names; null where choices are made in secret."""


class ViewIn(msgspec.Struct, forbid_unknown_fields=True):
    """A filter to be kept under a name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    state: Word = ""
    game: Word = ""
    text: Annotated[str, Meta(max_length=80)] = ""
    order: Word = "waiting"


class ViewOut(msgspec.Struct):
    """A filter kept under a name."""

    name: str
    state: str
    game: str
    text: str
    order: str


class PaceIn(msgspec.Struct, forbid_unknown_fields=True):
    """How fast a game shall go."""

    cadence: Word = "club"
    min_wait: Wait | None = None
    """Hours a deadline leaves each decision at least; else the cadence's own."""
    max_wait: Wait | None = None
    """Hours it leaves at most, whatever nights, absences and reserves would add."""
    players: Annotated[list[SeatText], Meta(max_length=len(COLOURS))] = []
    """Who is named so far: their hours and absences count."""


class DuesOut(msgspec.Struct):
    """The next deadlines if everybody answers in the last minute."""

    dues: list[datetime]


class OpenIn(msgspec.Struct, forbid_unknown_fields=True):
    """A game to be opened."""

    game: Name
    players: Seats
    """In seat order: a member's number, name or address, a bot as `bot:heuristic`, or empty for whoever comes."""
    title: Annotated[str, Meta(max_length=100)] = ""
    cadence: Word = "club"
    min_wait: Wait | None = None
    max_wait: Wait | None = None
    join_days: Annotated[float, Meta(gt=0, le=90)] | None = None
    """Days it waits for its seats to fill; else as long as it takes."""
    unfilled: Literal["tell", "bots", "close"] = "tell"
    """What happens then: the organiser is told, bots take the free seats, or the game is called off."""
    options: Options = {}


class OpenedOut(msgspec.Struct):
    """A game that was opened, or that one has joined."""

    game_id: int
    slug: str
    state: str


class CsvIn(msgspec.Struct, forbid_unknown_fields=True):
    """A table as CSV."""

    csv: Text


class CountOut(msgspec.Struct):
    """How many it were."""

    count: int


class DeskSeatOut(msgspec.Struct):
    """A seat as its organiser may see it."""

    seat: int
    name: str
    bot: str
    is_free: bool
    invited: str
    """Who is asked to a free seat and may still accept it."""
    awaited: bool | None
    """Null where choices are secret and their time isn't over."""
    asked_at: datetime | None
    letter_at: datetime | None
    nudges: int
    mail: str


class DeskOut(msgspec.Struct):
    """A game's desk."""

    game_id: int
    slug: str
    title: str
    game: str
    state: str
    ply: int
    due_at: datetime | None
    cover_at: datetime | None
    seats: list[DeskSeatOut]
    plays: bool
    """Whether the caller has a seat here too: then nothing hidden is shown, for no reason."""
    journal: list[JournalOut]


Act = Annotated[str, Meta(max_length=20, extra_json_schema={"enum": list(ACTIONS)})]
"""What an organiser can do to games."""


class DeedIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something an organiser does to one game."""

    act: Act
    reason: Reason = ""
    hours: Hours = 0
    """For `extend`."""
    seat: Annotated[int, Meta(ge=0, le=10)] | None = None
    """For `replace` and `fresh`."""
    who: Annotated[str, Meta(max_length=60)] = ""
    """For `replace`: a member's number, or a bot as `bot:heuristic`. Before the game begins members are invited."""


class ActIn(msgspec.Struct, forbid_unknown_fields=True):
    """One act on several games."""

    act: Act
    """Any but replace and fresh, which are for one game; fill (with bots) and call-off reach those not begun."""
    games: Annotated[list[Id], Meta(min_length=1, max_length=1000)]
    hours: Hours = 0
    reason: Reason = ""
    preview: bool = False
    """Only say what it would do."""
    seen: Annotated[str, Meta(max_length=64)] = ""
    """The mark of that preview: then nothing is done (409) if the games have moved on since."""


class EffectOut(msgspec.Struct):
    """What an act does to one game."""

    game_id: int
    title: str
    says: str


class ActOut(msgspec.Struct):
    """What an act did, or would do."""

    effects: list[EffectOut]
    audit_id: int | None
    undo_until: datetime | None
    seen: str
    """Of a preview: send it with the act."""
    left_out: list[str]
    """The titles of the games it does not fit."""


class UndoneOut(msgspec.Struct):
    """An act that was taken back."""

    count: int
    """Games that are as before."""
    left: int
    """Games that have moved on since, and stay as they are."""


class MemberOut(msgspec.Struct):
    """A member, without an address."""

    player_id: int
    name: str
    role: str
    joined_at: datetime
    decisions: int
    """Asked in the last half year."""
    on_time: float | None
    """The share answered by themselves, 0 to 1; null if nothing was asked."""
    hours: float | None
    """The median time to an answer."""


class RoleIn(msgspec.Struct, forbid_unknown_fields=True):
    """What a member shall be."""

    role: Word
    """player or organiser."""


class RatingOut(msgspec.Struct):
    """One line of a ranking."""

    name: str
    rating: int
    games: int
    player_id: int


class RatingPointOut(msgspec.Struct):
    """What one game did to a rating."""

    at: datetime
    rating: int
    place: int


class ResultOut(msgspec.Struct):
    """A game that is over."""

    slug: str
    title: str
    game: str
    ply: int
    finished_at: datetime | None
    winners: list[str]
    scores: list[int]


class GazetteTable(msgspec.Struct):
    """One table of the gazette."""

    caption: str
    head: list[str]
    rows: list[list[str]]


class GazetteOut(msgspec.Struct):
    """The club's letter of the week that ends now."""

    title: str
    paragraphs: list[str]
    tables: list[GazetteTable]


class HookIn(msgspec.Struct, forbid_unknown_fields=True):
    """Another service to be told what happens."""

    kind: Word
    """discord, slack, raw."""
    url: Annotated[str, Meta(max_length=1000)]


class ClubSettingsShape(msgspec.Struct):
    """A club's settings, as they are read and written."""

    name: str
    language: str
    zone: str
    """The time zone new members begin with."""
    contact: str
    """Where answers to the club's own letters go; empty: nowhere."""


class AnnouncementIn(msgspec.Struct):
    """A letter to the members."""

    title: str
    text: str
    to: list[int] = []
    """Only to these members; empty: to everybody."""


class InvitedOut(msgspec.Struct):
    """Somebody who was invited into the club and isn't in it."""

    id: int
    name: str
    state: str
    """pending, declined or expired."""
    expires_at: datetime


class LoadGameOut(msgspec.Struct):
    """One of a member's games."""

    slug: str
    title: str
    game: str
    state: str
    ply: int
    heading: str
    """Where it stands: round and phase; empty before it begins."""
    waits_since: datetime | None


class LoadOut(msgspec.Struct):
    """A member with all their games in the club."""

    player_id: int
    name: str
    zone: str
    mail: str
    """The state of their address."""
    games: list[LoadGameOut]
    on_time: float | None
    hours: float | None


class HookOut(msgspec.Struct):
    """A webhook in force and what became of its calls; its address and secret are told to nobody."""

    id: int
    kind: str
    host: str
    created_at: datetime
    taken: int
    waiting: int
    failed: int
    last_error: str


class SecretOut(msgspec.Struct):
    """A secret, given this once."""

    secret: str
