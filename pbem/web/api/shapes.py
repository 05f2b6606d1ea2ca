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


class NextOut(msgspec.Struct):
    """A decision that follows an order at once, because nothing is drawn and nobody else is asked in between."""

    kind: str
    question: str
    form: Any


class OrderOut(msgspec.Struct):
    """An order as it was understood."""

    canonical: str
    says: list[str]
    then: list[str] = []
    """Orders kept for the next decisions of this phase."""
    later: list[str] = []
    """What they will do, as far as nothing can disturb them; in previews."""
    next: NextOut | None = None
    """The decision that is sure to follow; answer it too by adding `; then ORDER` to the text. In previews."""


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


class WaitingOut(msgspec.Struct):
    """Why nothing happens, as far as the reader may know: the same as the page and the letters say."""

    said: str
    then: str
    """What happens at the deadline."""
    rule: str
    """By which rule the deadline was set; empty while there is none."""
    who: list[int] | None
    """The seats awaited; null where nobody may know."""
    since: datetime | None
    letter_at: datetime | None
    """When the last of the letters that ask was accepted."""
    next_reminder_at: datetime | None
    due_at: datetime | None
    cover_at: datetime | None


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
    why: WaitingOut | None
    view: Any
    """Everything the seat may see, as the rules give it."""
    asked: AskedOut | None


class EventOut(msgspec.Struct):
    """Something that happened, as far as its reader may know."""

    ply: int
    at: datetime
    text: str
    rule: str


class PositionOut(msgspec.Struct):
    """An earlier position."""

    ply: int
    at: datetime
    heading: str
    view: Any
    told: list[EventOut]


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
    why: WaitingOut | None
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
    draws: int
    """Chance results drawn again from the seed."""
    orders: int
    """Orders compared with what their players had sent."""
    sealed: int
    """How many of these were compared with sealed lists."""
    digest: str
    sound: bool
    faults: list[str]


class WatchableOut(msgspec.Struct):
    """A game anybody may look at."""

    slug: str
    title: str
    game: str
    state: str
    seats: int
    heading: str


class EverythingOut(msgspec.Struct):
    """What is stored about a person."""

    everything: dict[str, Any]
