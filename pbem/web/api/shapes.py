"""What many calls take and give: kinds of text and number with their limits, refusals, what became of a wish."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pbem.engine.core.types import COLOURS
from pbem.play.admin import action_log
from pbem.play.deadlines.cadence import Cadence, choose
from pbem.play.deadlines.waiting_reasons import Waiting
from pbem.play.views.positions import VisibleEvent
from pbem.play.views.seat_view import Situation
from pbem.web.api.answers import shape

AT_ONCE = 1000
"""How much of a list is given at once."""


def at_most(limit: int) -> Meta:
    """Return how a text is described that its use case refuses if it is longer, in the same words at every door."""
    return Meta(extra_json_schema={"maxLength": limit})


Text = Annotated[str, Meta(max_length=20_000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Word = Annotated[str, Meta(max_length=64)]
Reason = Annotated[str, at_most(action_log.REASON)]
Id = Annotated[int, Meta(ge=1, le=2**53)]
Ply = Annotated[int, Meta(ge=0, le=2**31)]
SeatNumber = Annotated[int, Meta(ge=0, le=len(COLOURS))]
Moment = Annotated[datetime, Meta(tz=True)]
Mark = Annotated[str, Meta(max_length=64, description="Your own mark: a call sent again with it is carried out once.")]
Offset = Annotated[int, Meta(ge=0, le=1_000_000, description="How many of the list are passed over.")]
Limit = Annotated[
    int,
    Meta(
        ge=1, le=AT_ONCE, description="How many are given at most; the header `Link` has the address of what follows."
    ),
]
Wait = Annotated[float, Meta(gt=0, le=1440)]
"""Hours a deadline leaves a decision."""
Options = dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=100_000)]]


class Problem(msgspec.Struct):
    """Why a call was not carried out: sentences with their rule ids, where a rule is the reason."""

    error: str
    """The refusal's name."""
    sentences: list[str]
    rules: list[str] = []
    candidates: list[str] = []
    """What an ambiguous order could have meant."""


class Sure(msgspec.Struct):
    """Whether an act that nobody can take back is meant."""

    sure: Literal["", "yes"] = ""
    """`yes` carries it out; without it the refusal NeedsYes says what the act would do."""


class ListPart(msgspec.Struct):
    """Which part of a list is given."""

    offset: Offset = 0
    limit: Limit = AT_ONCE


class IfMatch(msgspec.Struct, rename={"etag": "If-Match"}):
    """What is replaced only if it is still as it was."""

    etag: Annotated[str, Meta(description="The ETag of the answer of GET; else whatever is saved is replaced.")] = ""


class GamePace(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How fast a game shall go."""

    cadence: Word = "club"
    min_wait: Wait | None = None
    """Hours a deadline leaves each decision at least; else the cadence's own."""
    max_wait: Wait | None = None
    """Hours it leaves at most, whatever nights, absences and reserves would add."""

    def chosen(self, join: float | None = None, unfilled: str | None = None) -> Cadence:
        """Return the pace meant. Raises WrongInput."""
        return choose(self.cadence, least=self.min_wait, most=self.max_wait, join=join, unfilled=unfilled)


class Marked(msgspec.Struct, forbid_unknown_fields=True):
    """A call that says nothing else, and acts each time it is sent."""

    request: Mark = ""


class TextIn(msgspec.Struct, forbid_unknown_fields=True):
    """A text and nothing else."""

    text: Text


class CsvIn(msgspec.Struct, forbid_unknown_fields=True):
    """A table as CSV."""

    csv: Text
    request: Mark = ""


class StateOut(msgspec.Struct):
    """What became of it: open, agreed, refused."""

    state: str


class CountOut(msgspec.Struct):
    """How many it were."""

    count: int


class PersonOut(msgspec.Struct):
    """Somebody by number and name."""

    player_id: int
    name: str


WaitingOut = shape(
    "WaitingOut",
    "Why nothing happens, as far as the reader may know: the same as the page and the letters say.",
    Waiting,
    "said then rule who since letter_at next_reminder_at=next_nudge_at due_at cover_at",
)
EventOut = shape(
    "EventOut",
    "Something that happened, as far as its reader may know.",
    VisibleEvent,
    "ply at text=event rule=event.rule",
)
PositionOut = shape("PositionOut", "An earlier position.", Situation, "ply at heading view", told=[EventOut])
