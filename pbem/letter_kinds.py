"""The registry of letter kinds: everything the program asks about a kind stands in its one entry.

A new kind is one entry here and its templates in templates/mail/<name>/; the tests walk all entries through the
outbox, the settings page, unsubscribing, the digest and the samples. This module is data, below the rooms that ask it:
`letters.context`, `content` and `samples` hold the functions that its enumerations name.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import Enum, auto
from typing import Any

from pbem.budgets import Budget
from pbem.engine.core.message import N_, sentence
from pbem.mail.families import Content, Digest, LessonTurn, Notice, ReceiptContent, Report, Turn
from pbem.store.models import Lane
from pbem.structs import Value


class TrueWhile(Enum):
    """Until when a letter that waits in the outbox still tells the truth; after that it is dropped unsent."""

    FOREVER = auto()
    ASKED = auto()
    """Its question is open, unanswered, and its deadline the one it was written for."""
    ORDER_COUNTS = auto()
    """The order it confirms is the one that counts; an answer to a mail is always sent."""
    INVITED = auto()
    """Nobody has answered the invitation."""
    LASTS = auto()
    """What its row names is still as it tells: days away, sitting in, a vote, a seat that stalls, another address."""
    NEWEST = auto()
    """No later letter tells the same news."""
    STUCK = auto()


class Facts(Enum):
    """What a letter tells beside the reader's view of the game, gathered when it is sent."""

    STORED = auto()
    """Only what its row holds, and the game's name."""
    TABLE = auto()
    """Standing orders, what else waits, and what was done at the table by hand."""
    COVERED = auto()
    """As TABLE, with the order that was played for the reader."""
    ORDER = auto()
    """The order that was taken or refused."""
    INVITATION = auto()
    TALK = auto()
    """One message of the table's talk, or the reason of a proposal, where the row names one."""
    WORDS = auto()
    """What its row holds, and somebody's own words, where it names the row they stand in."""
    QUEUE = auto()
    """All decisions that wait for the reader."""


class Opens(Enum):
    """Where a short letter's one button leads."""

    NOTHING = auto()
    SEAT = auto()
    QUEUE = auto()
    ORGANISE = auto()
    INVITATION = auto()
    ADDRESS = auto()
    ACCOUNT = auto()
    LESSON = auto()
    END_LINKS = auto()
    """Where all of its reader's links are ended."""


class AnsweredBy(Enum):
    """Who gets what a reader answers."""

    PROGRAM = auto()
    """By the seat's or the person's own address: orders and commands are read, everything is answered."""
    LESSON = auto()
    """The program, by the first game's own address."""
    CONTACT = auto()
    """The contact of its club, a person; the program where its organisers have named none."""


_HOUR, _DAY, _WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)


class LetterKind(Value, kw_only=True):
    """What is the same for all letters of one kind: their templates, when they go out, who may stop them."""

    name: str
    """Also the folder of its templates."""
    family: type[Content]
    """The Struct its templates see."""
    label: str
    """What the letter brings, as the settings page calls it."""
    lane: Lane = Lane.MOVED
    """ANSWER: it answers what somebody just did, so it leaves at once, at night and before all others."""
    stoppable: bool = True
    """Whether a reader can unsubscribe from it."""
    digestible: bool = False
    """Whether somebody with a daily digest gets it only there."""
    needs_acceptance: bool = True
    """Whether it goes only to an address that has answered us once; to others no text that a player chose goes."""
    budget: Budget | None = None
    """For a kind that somebody can press a button for: how many one person is sent, whoever pressed."""
    true_while: TrueWhile = TrueWhile.FOREVER
    facts: Facts = Facts.STORED
    opens: Opens = Opens.NOTHING
    answered_by: AnsweredBy = AnsweredBy.PROGRAM
    """To an address that has not answered yet, none is told: an answer from there goes to nobody."""
    sample: Mapping[str, Any] = {}
    """Made-up data of its row for `pbem mail preview`; spans of time count from the moment of the preview."""

    @property
    def is_answer(self) -> bool:
        """Whether it answers what somebody just did: it doesn't wait for morning."""
        return self.lane is Lane.ANSWER

    @property
    def asks(self) -> bool:
        """Whether it puts an open question to its reader."""
        return self.true_while is TrueWhile.ASKED

    @property
    def tells_turns(self) -> bool:
        """Whether a player who doesn't get it would miss their turn: it asks or gathers what asks, not only reminds."""
        return self.facts is Facts.QUEUE or (self.asks and self.lane is not Lane.CLOCK)


class _Answer(LetterKind, kw_only=True):
    """A kind that answers what somebody just did, so that nobody stops it."""

    lane: Lane = Lane.ANSWER
    stoppable: bool = False


class _AboutGame(LetterKind, kw_only=True):
    """A kind that shows a game whole."""

    family: type[Content] = Turn
    facts: Facts = Facts.TABLE


_SOON = {"starts": timedelta(days=3), "ends": timedelta(days=13)}
_ROWS = ((("Anna",), 3, 120), ("Bruno", 12, 97))
_TABLE = {"caption": "Standings", "head": ("Player", "Games", "Points"), "rows": _ROWS}
_ALERT = sentence(
    "Mail to {seat} comes back. Their clock stands still for {days} days at most, then it runs on.",
    seat="Chloé",
    days=7,
)
_NUMBER = sentence("{word!r} is not a whole number: {what} wants one.", word="a lot", what="bid")

KINDS: Mapping[str, LetterKind] = {
    kind.name: kind
    for kind in (
        _AboutGame(
            name="your_turn",
            label=N_("A decision waits for you"),
            digestible=True,
            true_while=TrueWhile.ASKED,
        ),
        LetterKind(
            name="receipt",
            family=ReceiptContent,
            label=N_("Your order arrived"),
            lane=Lane.ANSWER,
            true_while=TrueWhile.ORDER_COUNTS,
            facts=Facts.ORDER,
        ),
        _Answer(
            name="refused",
            family=ReceiptContent,
            label=N_("Your order or mail could not be used"),
            facts=Facts.ORDER,
            sample={"text": "bid a lot", "reason": "InvalidOrder", "faults": (_NUMBER,)},
        ),
        _Answer(
            name="help",
            family=ReceiptContent,
            label=N_("How to play by mail"),
        ),
        _Answer(
            name="status",
            family=Turn,
            label=N_("Where the game stands"),
            facts=Facts.TABLE,
        ),
        _AboutGame(
            name="phase_report",
            label=N_("What a phase brought"),
            digestible=True,
            true_while=TrueWhile.NEWEST,
        ),
        _AboutGame(
            name="reminder",
            label=N_("A gentle reminder"),
            lane=Lane.CLOCK,
            digestible=True,
            true_while=TrueWhile.ASKED,
        ),
        _AboutGame(
            name="last_call",
            label=N_("The last call before the deadline"),
            lane=Lane.CLOCK,
            true_while=TrueWhile.ASKED,
        ),
        _AboutGame(
            name="covered",
            label=N_("We played for you"),
            lane=Lane.CLOCK,
            stoppable=False,
            facts=Facts.COVERED,
            sample={"by": "draft"},
        ),
        _AboutGame(
            name="replaced",
            label=N_("A seat has changed hands"),
            stoppable=False,
            budget=Budget(100, _DAY),
            sample={"who": "Chloé", "by": "Dov"},
        ),
        _AboutGame(name="game_over", label=N_("How a game ended")),
        LetterKind(
            name="digest",
            family=Digest,
            label=N_("The daily letter in place of single ones"),
            lane=Lane.CLOCK,
            facts=Facts.QUEUE,
        ),
        _Answer(
            name="invitation",
            family=Notice,
            label=N_("An invitation"),
            needs_acceptance=False,
            budget=Budget(60, _WEEK, refuses=True),  # members are seated in many games at once
            true_while=TrueWhile.INVITED,
            facts=Facts.INVITATION,
            opens=Opens.INVITATION,
            sample={"expires": timedelta(days=13)},
        ),
        _Answer(
            name="fresh_link",
            family=Notice,
            label=N_("A fresh link"),
            budget=Budget(4, _HOUR, refuses=True),
            opens=Opens.SEAT,
        ),
        _Answer(
            name="login_code",
            family=Notice,
            label=N_("Your code"),
            budget=Budget(6, _HOUR, refuses=True),
            opens=Opens.END_LINKS,
            sample={"code": "482 913", "expires": timedelta(minutes=15)},
        ),
        _Answer(
            name="lesson_offer",
            family=Notice,
            label=N_("An offer of a first game by letter"),
            needs_acceptance=False,
            budget=Budget(3, _DAY),
            opens=Opens.LESSON,
            sample={"lesson": "amunre", "game": "Amun-Re", "title": "Amun-Re"},
        ),
        LetterKind(
            name="lesson",
            family=LessonTurn,
            label=N_("A first game by letter"),
            lane=Lane.ANSWER,
            budget=Budget(60, _DAY),
            answered_by=AnsweredBy.LESSON,
            sample={"lesson": "amunre", "line": ()},
        ),
        _Answer(
            name="address_change",
            family=Notice,
            label=N_("A new address to confirm"),
            needs_acceptance=False,
            budget=Budget(6, _DAY, refuses=True),
            true_while=TrueWhile.LASTS,
            opens=Opens.ADDRESS,
            sample={"new": "anna@new.example", "side": "old", "change": 1},
        ),
        _Answer(
            name="account",
            family=Notice,
            label=N_("Something was changed in your account"),
            budget=Budget(20, _DAY),
            opens=Opens.ACCOUNT,
            sample={"said": sentence("A file with everything stored about you was made.")},
        ),
        LetterKind(
            name="sitter",
            family=Notice,
            label=N_("Somebody asks you to sit in"),
            true_while=TrueWhile.LASTS,
            facts=Facts.WORDS,
            stoppable=False,
            budget=Budget(5, _DAY, refuses=True),
            opens=Opens.QUEUE,
            sample={**_SOON, "who": "Bruno", "handover": "Keep some gold for the last round."},
        ),
        LetterKind(
            name="absence",
            family=Notice,
            label=N_("Somebody at your table is away"),
            budget=Budget(20, _DAY),
            true_while=TrueWhile.LASTS,
            facts=Facts.WORDS,
            opens=Opens.QUEUE,
            sample={**_SOON, "who": "Chloé", "note": "Hiking without a telephone."},
        ),
        LetterKind(
            name="organiser_alert",
            family=Notice,
            label=N_("A game you organise needs you"),
            budget=Budget(60, _DAY),
            opens=Opens.ORGANISE,
            sample={"said": _ALERT},
        ),
        LetterKind(
            name="stuck",
            family=Notice,
            label=N_("A game you organise has stopped"),
            stoppable=False,
            true_while=TrueWhile.STUCK,
            opens=Opens.ORGANISE,
        ),
        LetterKind(
            name="talk",
            family=Notice,
            label=N_("Somebody said something at the table"),
            budget=Budget(60, _DAY),
            true_while=TrueWhile.LASTS,
            facts=Facts.TALK,
            opens=Opens.SEAT,
            sample={"who": "Bruno", "text": "Well played!\nSee you on the other bank.", "private": False},
        ),
        LetterKind(
            name="gazette",
            family=Report,
            label=N_("The club's weekly letter"),
            lane=Lane.CLOCK,
            answered_by=AnsweredBy.CONTACT,
            sample={"to": "club/nile", "title": "November on the Nile", "paragraphs": (), "tables": (_TABLE,)},
        ),
        LetterKind(
            name="announcement",
            family=Report,
            label=N_("A letter of your club's organiser"),
            budget=Budget(20, _DAY),
            answered_by=AnsweredBy.CONTACT,
            sample={"to": "club/nile", "title": "We meet on Friday", "paragraphs": ("Bring a friend.",), "tables": ()},
        ),
        LetterKind(
            name="season",
            family=Report,
            label=N_("News of a season"),
            answered_by=AnsweredBy.CONTACT,
            sample={
                "to": "club/nile/seasons/winter",
                "title": "The winter season begins",
                "paragraphs": (),
                "tables": (_TABLE,),
            },
        ),
    )
}
"""Every kind of letter by name, in the order in which people are shown them."""
PUTS_QUESTION = ("your_turn", "covered")
"""Kinds by which a seat learns of a question: who was answered for is asked the next one in the same letter."""


def stoppable() -> tuple[LetterKind, ...]:
    """Return the kinds a person may unsubscribe from."""
    return tuple(kind for kind in KINDS.values() if kind.stoppable)
