"""What each family of letters says, as plain data in the reader's own words: all that templates ever see.

Sentences about a game come here already in the reader's language; moments stay moments and are put into words by the
reader's Translator. A letter's kind picks the template, its family the Struct (letter_kinds).
"""

from __future__ import annotations

from datetime import datetime

from pbem.structs import Value


class Foot(Value, kw_only=True):
    """What stands under every letter."""

    server: str
    """The server's name or the club's."""
    queue: str = ""
    unsubscribe: str = ""
    """The page where letters of this kind are stopped; empty where they can't be."""
    seated: bool = False
    """Whether its reader has the seat it is about: then its button opens that seat, else the list of their games."""
    opens: str
    """What that button says, unless something is asked."""


class DigestPlace(Value, kw_only=True):
    """Where a game letter belongs."""

    name: str
    """The game's own name, also the prefix of every subject."""
    title: str
    """Which game is played: Amun-Re."""
    heading: str = ""
    """Where it stands: "Old kingdom, round 2: auction"."""
    url: str = ""

    @property
    def called(self) -> str:
        """Its name and which game it is, said once where it bears that game's name."""
        return self.name if self.name == self.title else f"{self.name} · {self.title}"

    @property
    def crumbs(self) -> str:
        """What it is called and where it stands."""
        return f"{self.called} · {self.heading}" if self.heading else self.called


class BoardContent(Value, kw_only=True):
    """The board for the reader: monospace text, and a picture by `cid` with its text in words."""

    text: str
    alt: str = ""
    cid: str = ""
    hand: tuple[str, ...] = ()
    """What only the reader knows, never in the picture."""
    rings: tuple[int, ...] = ()
    """The numbers that stand on the picture, each beside what changed; the same stand beside the news."""


class Tap(Value, kw_only=True):
    """One order that a single tap sends: a mail whose body is the order."""

    order: str
    mailto: str
    says: str = ""


class QuestionContent(Value, kw_only=True):
    """What the reader is asked, until when, and what happens then."""

    question: str
    kind: str = ""
    """What is to be done, in a word or two, for the subject."""
    ply: int
    deadline: datetime | None = None
    answer: str = ""
    """The order the reader has already given."""
    notes: tuple[str, ...] = ()
    example: str = ""
    """An order in the form a reply should have."""
    fuller: str = ""
    """An order of several parts, where one can be given: it shows how they are written."""
    taps: tuple[Tap, ...] = ()
    then: str = ""
    """What happens at the deadline."""
    legal: tuple[str, ...] = ()
    """Every legal order, where they are few and `taps` are only some of them."""
    choices: tuple[str, ...] = ()
    """What an order is made of and what each part costs, a line a field, where the orders are too many to list."""


class SeatLine(Value, kw_only=True):
    """One row of the table of players."""

    name: str
    mark: str
    """Shape and letter of the seat, so that no colour is needed: "● A"."""
    colour: str
    state: str
    points: str = ""


class News(Value, kw_only=True):
    """One thing that happened, and the number of its ring on the picture; 0 where it has none."""

    text: str
    ring: int = 0


class Turn(Value, kw_only=True):
    """A letter about a game: your_turn, reminder, last_call, covered, phase_report, replaced, status, game_over."""

    place: DigestPlace
    foot: Foot
    button: str
    """Where the one button leads."""
    asked: QuestionContent | None = None
    lead: tuple[str, ...] = ()
    """Sentences of this kind that come first: what was played for the reader, who won."""
    first: bool = False
    """Whether it is the first letter of the game that asks this reader."""
    since: tuple[News, ...] = ()
    """What happened since the reader's last decision."""
    earlier: int = 0
    """How many things happened before these that are left to the game's page."""
    since_heading: str
    """What that is headed by, a message id."""
    board: BoardContent | None = None
    waiting: str = ""
    """Whom the game waits for."""
    then: tuple[str, ...] = ()
    """Orders kept for the next decisions of this phase."""
    standing: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    """What the reader has planned by tapping, a line each."""
    plans_url: str = ""
    """Where plans are changed and ended."""
    players: tuple[SeatLine, ...] = ()
    more: int = 0
    """How many other decisions wait in the reader's queue."""
    glossary: str = ""
    """The page that explains the cards and spaces which the letter names, and nothing else."""
    look_back: str = ""
    """Where a game that has a result is looked back on."""
    learn: str = ""
    """In a game's first letter: where the game is learnt by playing."""


class LessonTurn(Turn, kw_only=True):
    """One decision of a first game, or its end."""

    idea: str
    """The one new thing that it shows."""
    step: str = ""
    """How far the lesson has come: "Decision 3 of 11"."""
    faults: tuple[str, ...] = ()
    """What of the reply could not be played."""
    grammar: tuple[GrammarLine, ...] = ()
    """All that can be ordered, where that was asked for."""


class Fault(Value, kw_only=True):
    """One thing wrong with an order."""

    text: str
    lines: tuple[str, ...] = ()
    """What it is about, as the player wrote it."""
    rule: str = ""


class GrammarLine(Value, kw_only=True):
    """One form of order, for the help letter."""

    syntax: str
    example: str
    meaning: str


class ReceiptContent(Value, kw_only=True):
    """An answer to a mail or an order: receipt, refused, help."""

    place: DigestPlace
    foot: Foot
    button: str
    asked: QuestionContent | None = None
    orders: tuple[str, ...] = ()
    """The orders taken, as understood, in their one canonical form."""
    says: tuple[str, ...] = ()
    """What they will do."""
    then: tuple[str, ...] = ()
    """Orders kept for the next decisions of this phase."""
    played: str = ""
    """The first of those that were given, played by now."""
    lapsed: str = ""
    """Those that were given and are neither played nor kept."""
    overtaken: bool = False
    """Whether the player gave another order since, or took this one back."""
    replaces: str = ""
    """The order that stood before."""
    faults: tuple[Fault, ...] = ()
    undone: tuple[Fault, ...] = ()
    """What is wrong with commands beside the order, or beside others that were done."""
    legal: tuple[Tap, ...] = ()
    """Legal orders near the refused one."""
    grammar: tuple[GrammarLine, ...] = ()
    commands: tuple[GrammarLine, ...] = ()
    stale: bool = False
    """Whether the mail answered a question that is over."""
    ordered: bool = False
    """Whether it is about an order; else about a command, or a mail in which no order was found."""
    settled: bool = False
    """Whether the order taken answered a question that is over by now."""


class Notice(Value, kw_only=True):
    """A short letter with one thing to know and perhaps one thing to do.

    invitation, fresh_link, login_code, address_change, sitter, absence, organiser_alert, stuck, talk.
    """

    foot: Foot
    place: DigestPlace | None = None
    club: str = ""
    games: int = 0
    """To how many games it invites, where there are several."""
    who: str = ""
    """The person it is about or from."""
    other: str = ""
    """The second person or address, where there is one."""
    lines: tuple[str, ...] = ()
    """Sentences that come with it: what an alert says, how a talk message reads."""
    quote: tuple[str, ...] = ()
    """Somebody's own words, line by line."""
    button: str = ""
    code: str = ""
    starts: datetime | None = None
    ends: datetime | None = None
    private: bool = False


class DigestItem(Value, kw_only=True):
    """A question that waits for its reader, with where and until when it is answered."""

    place: DigestPlace
    question: str
    url: str
    deadline: datetime | None = None


class Digest(Value, kw_only=True):
    """Several games' turns in one letter, the most urgent first."""

    foot: Foot
    day: datetime
    items: tuple[DigestItem, ...]
    more: int = 0
    """How many other decisions wait."""
    news: tuple[DigestItem, ...] = ()
    """Games that moved on but wait for somebody else."""
    more_news: int = 0


class TableOf(Value, kw_only=True):
    """A table of a gazette: the first column is a name, the others figures."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: int = 0
    """How many rows are left out."""


class Report(Value, kw_only=True):
    """What a club reads together: gazette, season."""

    foot: Foot
    club: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[TableOf, ...] = ()
    button: str = ""


Content = Turn | LessonTurn | ReceiptContent | Notice | Digest | Report
