"""What goes in and out of the API, as Structs: the OpenAPI description is made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(max_length=20_000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Id = Annotated[int, Meta(ge=1, le=2**53)]


class Problem(msgspec.Struct):
    """Why a call was not carried out: sentences with their rule ids, where a rule is the reason."""

    error: str
    """The refusal's name."""
    sentences: list[str]
    rules: list[str] = []
    candidates: list[str] = []
    """What an ambiguous order could have meant."""


class OrderIn(msgspec.Struct, forbid_unknown_fields=True):
    """An order on its way in."""

    text: Text
    ply: Annotated[int, Meta(ge=0, le=2**31)]
    """The ply the question was asked for: `asked.ply`."""
    request: Annotated[str, Meta(max_length=64)] = ""
    """Your own mark: the same mark again is the same order."""
    draft: bool = False
    """Only kept for now; counts when the deadline passes."""


class OrderOut(msgspec.Struct):
    """An order as it was understood."""

    canonical: str
    says: list[str]
    then: list[str] = []
    """Orders kept for the next decisions of this phase."""


class TextIn(msgspec.Struct, forbid_unknown_fields=True):
    """A text and nothing else."""

    text: Text


class WordIn(msgspec.Struct, forbid_unknown_fields=True):
    """Something to say at the table."""

    text: Text
    to_seat: Annotated[int, Meta(ge=0, le=10)] | None = None
    """One seat alone; without it everybody hears it."""


class WordOut(msgspec.Struct):
    """Something that was said."""

    seat: int | None
    to_seat: int | None
    text: str
    at: datetime


class AskedOut(msgspec.Struct):
    """What the seat is asked."""

    ply: int
    kind: str
    question: str
    due_at: datetime | None
    optional: bool
    sealed: bool
    answer: str
    """The order given so far; empty if none."""
    draft: str
    form: Any
    """The decision as a form: every choice with its price and effect."""


class SeatOut(msgspec.Struct):
    """A game as one seat sees it."""

    seat_id: int
    seat: int
    game: str
    title: str
    slug: str
    state: str
    ply: int
    heading: str
    players: list[str]
    waiting: str
    view: Any
    """Everything the seat may see, as the rules give it."""
    asked: AskedOut | None


class EventOut(msgspec.Struct):
    """Something that happened, as far as its reader may know."""

    ply: int
    at: datetime
    text: str
    rule: str


class StandingOut(msgspec.Struct):
    """A standing order in force."""

    id: int
    text: str
    words: list[str]
    uses: int


class TrialOut(msgspec.Struct):
    """A standing order as it was understood."""

    id: int | None
    text: str
    words: list[str]
    today: list[str]
    """What it would do in the present position."""


class GameOut(msgspec.Struct):
    """A game as everybody may see it."""

    game: str
    title: str
    slug: str
    state: str
    ply: int
    players: list[str]
    heading: str
    waiting: str
    commitment: str
    """SHA-256 of the seed, published at the start."""
    seed: str
    """The seed itself, once the game is over; empty before."""
    view: Any


class RecordOut(msgspec.Struct):
    """A game as a record, as docs/records.md describes it."""

    record: str


class VerifiedOut(msgspec.Struct):
    """What replaying a finished game showed."""

    plies: int
    digest: str
    sound: bool
    faults: list[str]


class RowOut(msgspec.Struct):
    """One game's line in the control room."""

    game_id: int
    slug: str
    title: str
    game: str
    state: str
    ply: int
    due_at: datetime | None
    waiting_since: datetime | None
    seats: list[str]
    waits_for: list[str] | None
    """Names; null where choices are made in secret."""


class OpenIn(msgspec.Struct, forbid_unknown_fields=True):
    """A game to be opened."""

    game: Name
    players: Annotated[list[Annotated[str, Meta(max_length=254)]], Meta(min_length=1, max_length=5)]
    """In seat order: a member's number, a bot's name as `bot:heuristic`, or empty for whoever comes."""
    title: Annotated[str, Meta(max_length=100)] = ""
    cadence: Annotated[str, Meta(max_length=40)] = "club"
    options: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=100_000)]] = {}


class OpenedOut(msgspec.Struct):
    """A game that was opened."""

    game_id: int
    slug: str
    state: str


class MemberOut(msgspec.Struct):
    """A member, without an address."""

    player_id: int
    name: str
    role: str


class InviteIn(msgspec.Struct, forbid_unknown_fields=True):
    """People to be invited: CSV lines of address, name, role."""

    csv: Text


class CountOut(msgspec.Struct):
    """How many it were."""

    count: int


class ActIn(msgspec.Struct, forbid_unknown_fields=True):
    """One act on several games."""

    act: Annotated[str, Meta(max_length=40)]
    """nudge, extend, merge, pause or resume."""
    games: Annotated[list[Id], Meta(min_length=1, max_length=1000)]
    hours: Annotated[int, Meta(ge=0, le=10_000)] = 0
    reason: Annotated[str, Meta(max_length=500)] = ""
    preview: bool = False
    """Only say what it would do."""


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


class RatingOut(msgspec.Struct):
    """One line of a ranking."""

    name: str
    rating: int
    games: int


class LineOut(msgspec.Struct):
    """One line of a season's standings."""

    place: int
    name: str
    points: float
    games: int
    wins: float
