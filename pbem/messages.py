"""Sentences in the reader's language: message ids with named holes become English, Italian or French text.

Nothing here knows a game. Catalogues are read from `translations/<language>.po` at first use; what isn't translated
stays English. A hole's filling is never formatted again, so braces in a player's name stay braces.
"""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from importlib.resources import files
from io import StringIO
from typing import Any, Protocol, TypeAlias, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import dates, numbers
from babel.messages.pofile import read_po

from pbem import packages
from pbem.structs import ORDERS, Value

LANGUAGE_NAMES = {"en": "English", "it": "Italiano", "fr": "Français"}
"""What each of our languages calls itself."""
LANGUAGES = tuple(LANGUAGE_NAMES)
"""The first one is what message ids are written in."""
_QUOTES = {"en": "“{}”", "it": "«{}»", "fr": "«\N{NO-BREAK SPACE}{}\N{NO-BREAK SPACE}»"}
_HOLE = re.compile(
    r"\{(?P<name>[A-Za-z_]\w*)(?P<quoted>!r)?\}"
    r"|\((?P<suffix>s|es)\)|\((?P<one>[^()|{}]*)\|(?P<many>[^()|{}]*)\)"
    r"|(?P<brace>\{\{|\}\})"
)
_WORD = 1000
"""Characters of a filling that are said."""
_BOT = " bot"
"""How the names of seats end that no person holds: those are message ids, people's names are not."""
_SEATS = "seat"
"""How holes for seats are called."""
_PLAIN = 1000
"""Smaller numbers look the same in every language."""
_JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
_FLAGS = re.compile("[\N{REGIONAL INDICATOR SYMBOL LETTER A}-\N{REGIONAL INDICATOR SYMBOL LETTER Z}]+$")
_SKIN = re.compile("[\N{EMOJI MODIFIER FITZPATRICK TYPE-1-2}-\N{EMOJI MODIFIER FITZPATRICK TYPE-6}]")

Filling: TypeAlias = (
    "int | float | str | Translatable | Sequence[int | str | Translatable] | datetime | date | timedelta | None"
)


class Translatable(Protocol):
    """A sentence in data: a message id and what fills its holes."""

    @property
    def text(self) -> str:
        """The English message id with named holes."""

    @property
    def params(self) -> Mapping[str, Any]:
        """What fills the holes, each a Filling."""


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for "mark, translate later"
    """Mark `text` as a message id for the translators' catalogue and give it back unchanged."""
    return text


LONGEST_NAME = 60
"""Characters of a person's, a club's or a game's name."""


def clean(name: str, limit: int = LONGEST_NAME) -> str:
    """Make a person's or a game's name fit for one line anywhere: no control, line or direction marks, `limit` long."""
    if name.isascii() and name.isprintable() and len(name) <= limit and "  " not in name:
        return name.strip()
    kept = (
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c
        for c in name[: 20 * limit]
        if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"} or c in _JOINERS
    )
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: _end(line, limit - 1)].rstrip() + "…"


def _end(line: str, most: int) -> int:
    """Where a line is cut, `most` characters on at the latest: never within what is read as one sign (UAX 29)."""
    while most > 1 and _goes_on(line, most):
        most -= 1
    return most


def _goes_on(line: str, at: int) -> bool:
    """Whether the character at `at` belongs to the one before: an accent, a joined emoji, the second half of a flag."""
    joined = unicodedata.category(line[at]).startswith("M") or _SKIN.match(line[at]) is not None
    flags = _FLAGS.search(line[:at])
    halved = flags is not None and len(flags[0]) % 2 == 1 and _FLAGS.match(line[at]) is not None
    return joined or halved or line[at] in _JOINERS or line[at - 1] in _JOINERS


def is_bot_name(name: str) -> bool:
    """Return whether a name is one that a seat has which no person holds: to people it would be translated."""
    return clean(name).endswith(_BOT)


def person_name(name: str) -> str:
    """Return a person's name among those of seats: in quotes if it reads as a bot's, from before that was refused."""
    return f"“{name}”" if is_bot_name(name) else name


BOT_NAME = N_("{name!r} is what a bot is called here: choose another name.")


def bot_name(colour: str) -> str:
    """What the seat of `colour` is called while no person holds it; a Translator says it in its reader's language."""
    return f"{colour}{_BOT}"


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    """Return every translated message id of `language` with its translation; empty for English."""
    if language == LANGUAGES[0]:
        return {}
    return _read((files("pbem") / "translations" / f"{language}.po").read_text("utf-8"), language)


@functools.cache
def words_of(language: str, game: str) -> Mapping[str, str]:
    """Every translated message id: the program's, those of `game` before them, other games' where nobody else has it.

    A game's own catalogue lies beside its rules; a word may mean something else there than anywhere else.
    """
    games = packages.modules(packages.RULES)
    own = {name: _read(packages.text(name, f"{language}.po"), language) for name in games}
    others = {text: said for name in games for text, said in own[name].items()}
    found = {**others, **catalogue(language), **own.get(game, {})}
    return found | {then: found.get(now, now) for then, now in _formerly().items()}


@functools.cache
def _formerly() -> dict[str, str]:
    """Return what is said now for sentences that stored events were told in."""
    said: dict[str, str] = tomllib.loads((files("pbem") / "translations" / "formerly.toml").read_text("utf-8"))
    return said


def _read(po: str, language: str) -> dict[str, str]:
    """Return the translations of one catalogue."""
    found = read_po(StringIO(po), locale=language)
    return {str(m.id): str(m.string) for m in found if m.id and m.string and not m.fuzzy}


class _Hole(Value):
    """A hole of a message, or a bracket that is singular or plural."""

    before: str
    """The plain text since the hole before it."""
    at: int
    """How many there are before it."""
    whole: str
    """As it stands in the message."""
    name: str
    """Empty for a bracket."""
    seats: bool
    """Whether a number in it is a seat's."""
    own: bool
    """Whether a text in it is somebody's own."""
    quoted: bool
    typed: bool
    """Whether it stands between backticks."""
    apart: bool
    """Whether it is either, or for orders or how they are written."""
    elides: bool
    """Whether the text before it may end otherwise before a vowel."""
    one: str
    many: str


@functools.lru_cache(maxsize=8192)
def _told(text: str, language: str, game: str) -> tuple[tuple[_Hole, ...], str]:
    """Return the parts of a message in a language, once for each.

    Orders that it gives between backticks are written as that language writes them; with a hole they stay.
    """
    say = Translator(language, game=game)
    told = say.thing(text)
    return _parts(_EXAMPLE.sub(lambda one: one[0] if "{" in one[1] else f"`{say.order(one[1])}`", told))


def _parts(text: str) -> tuple[tuple[_Hole, ...], str]:
    """Split a message into its holes with what stands before each, and the end."""
    parts: list[_Hole] = []
    plain, end, typed = "", 0, False
    for hole in _HOLE.finditer(text):
        before = text[end : hole.start()]
        end = hole.end()
        plain += before + (hole["brace"] or "")[:1]
        typed ^= before.count("`") % 2 == 1
        if not hole["brace"]:
            name, one, many = hole["name"] or "", hole["one"] or "", hole["many"] or hole["suffix"] or ""
            quoted = bool(hole["quoted"])
            apart = quoted or typed or name in ORDERS
            elides = plain.endswith(_ENDINGS) and not typed
            seats = name.startswith(_SEATS)
            called = (name, seats, seats or name in OWN_WORDS)
            parts.append(_Hole(plain, len(parts), hole[0], *called, quoted, typed, apart, elides, one, many))
            plain = ""
    return tuple(parts), plain + text[end:]


def holes(text: str) -> set[str]:
    """Return the names of a message's holes."""
    return {hole.name for hole in _parts(text)[0] if hole.name}


def _zone(name: str) -> ZoneInfo:
    """Return the time zone called `name`, or UTC for one we don't know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


@functools.lru_cache(maxsize=1024)
def _day(day: date, pattern: str, language: str) -> str:
    """Give a day in words; the pages and letters of a week name few. French writes the first of a month 1er."""
    told = dates.format_date(day, pattern, locale=language)
    return re.sub(r"\b1\b", "1er", told, count=1) if language == "fr" and day.day == 1 else told


_decimal_mark = functools.cache(numbers.get_decimal_symbol)


def _hour(local: datetime) -> str:
    return f"{local.hour:02}:{local.minute:02}"  # of "%H:%M" the standard library makes four times as much work


def _zone_name(local: datetime) -> str:
    """CET, or UTC+3 where the zone has a number for a name."""
    name = local.tzname() or "UTC"
    if name.isalpha():
        return name
    hours, minutes = int(name[1:3]), name[3:5]
    return f"UTC{name[0]}{hours}" + (f":{minutes}" if minutes else "")


_DEED = re.compile(r"^(?P<condition>(?:(?:when|for)\b[^:\n]*:)*)(?P<order>.*)$", re.MULTILINE)
"""A line of a standing order; an order alone is one, too."""
_EXAMPLE = re.compile(r"`([^`]*)`")
OWN_WORDS = frozenset(
    (
        *("seat", "seats", "person", "people", "who", "inviter", "winners", "new", "old"),
        *("club", "season", "title", "game", "games", "program", "view", "address", "reason"),
    )
)
"""Holes that are filled with what people call themselves and their things, bots aside: no words of ours."""


_OR_ELSE = ("altrimenti", "sinon")
"""What stands before the order that stands in for another, in Italian and French; orders are read with it, too."""
_AND_THEN = ("poi", "puis")
"""What stands before the order for the next question; likewise."""
FILLED_IN = re.compile(r"\b[A-Z]{2,}\b")
"""What is filled in, in a form of order."""


@functools.cache
def _order_words(game: str) -> tuple[Mapping[str, tuple[str, str]], re.Pattern[str]] | None:
    """Return what the orders of `game` are written with in other languages, and a pattern of it, the longest first."""
    module = packages.load(packages.RULES, game)
    words = module.RULES.meta.order_words if module else None
    if not module or not words:
        return None
    phrases = sorted((*words, *module.RULES.meta.order_things), key=len, reverse=True)
    return words, re.compile(rf"(?<![\w+])(?:{'|'.join(map(re.escape, phrases))})(?![\w+])")


class Translator:
    """One reader's language, time zone and the players' names by seat: called with a sentence, it says it."""

    def __init__(self, language: str = "en", zone: str = "UTC", names: Sequence[str] = (), game: str = "") -> None:
        """Take unknown languages as English and unknown zones as UTC; with the `game` that is spoken of, its words."""
        self.language = language if language in LANGUAGES else LANGUAGES[0]
        self.zone = _zone(zone)
        self.game = game
        self._texts = words_of(self.language, game)
        self.names = tuple(map(self.called, names))

    def __call__(self, speech: Translatable | str, /, **params: Filling) -> str:
        """Say a Message, an Event, or a message id with its params, as one sentence in the reader's language."""
        if isinstance(speech, str):
            return self._fill(speech, params)
        return self._fill(speech.text, speech.params)

    say = __call__

    def name(self, seat: int) -> str:
        """Return the name of the player in `seat`, or the seat's number where nobody has a name."""
        if 0 <= seat < len(self.names) and self.names[seat]:
            return self.names[seat]
        return self._fill(N_("Seat {number}"), {"number": seat + 1})

    def called(self, name: str) -> str:
        """Return a person's name as it is, a bot's in the reader's language."""
        return (self._texts.get(name) or clean(name, _WORD)) if name.endswith(_BOT) else clean(name)

    def all_called(self, names: Sequence[str]) -> str:
        """Several of them, "Anna, Blue bot"."""
        return ", ".join(map(self.called, names))

    def thing(self, word: str) -> str:
        """Return the reader's name for a thing: a province, a card, a colour."""
        return self._texts.get(word, word)

    def order(self, text: str) -> str:
        """Canonical text of orders, or of a standing order, as the reader's language writes it and `read` takes it.

        The conditions of a standing order stay, and so does all of a game without words of its own.
        """
        meta = _order_words(self.game) if self.game and self.language != LANGUAGES[0] else None
        if meta is None:
            return text
        words, phrases = meta
        column = LANGUAGES.index(self.language) - 1

        def said(found: re.Match[str]) -> str:
            return words[found[0]][column] if found[0] in words else self.thing(found[0])

        told = _DEED.sub(lambda line: line["condition"] + phrases.sub(said, line["order"]), text)
        return told.replace("; else ", f"; {_OR_ELSE[column]} ").replace("; then ", f"; {_AND_THEN[column]} ")

    def given(self, answer: str) -> str:
        """Return the order that a seat has given; of a sealed list the lines, without the lifetime that begins each."""
        return self.order(answer.partition("\n")[2] or answer)

    def form(self, syntax: str) -> str:
        """Return a form of order as the reader's language writes it, the names of what is filled in too."""
        if self.language == LANGUAGES[0]:
            return syntax
        told = FILLED_IN.sub(lambda found: self.thing(found[0].lower()).upper(), self.order(syntax))
        return told.replace(" or ", f" {self.thing(N_('or'))} ")

    def join(self, words: Sequence[str]) -> str:
        """Return a list in words: "a, b and c"."""
        if len(words) < 2:  # noqa: PLR2004 - a pair is the shortest list with an "and"
            return "".join(words)
        joined = self._texts.get(N_("{most} and {last}"), "{most} and {last}")
        return joined.replace("{most}", ", ".join(words[:-1]))[: -len("{last}")] + words[-1]

    def number(self, number: int) -> str:
        """Return a whole number with the reader's thousands mark."""
        return str(number) if -_PLAIN < number < _PLAIN else numbers.format_decimal(number, locale=self.language)

    def tenths(self, number: float) -> str:
        """Return a number to one decimal, with the reader's decimal mark."""
        return f"{number:.1f}".replace(".", _decimal_mark(self.language))

    def when(self, moment: datetime) -> str:
        """Return a moment in the reader's zone, in full: "Tuesday 24 November, 18:00 CET"."""
        local = moment.astimezone(self.zone)
        return f"{self.day(local.date())}, {_hour(local)} {_zone_name(local)}"

    def short(self, moment: datetime) -> str:
        """Return a moment in the reader's zone, short: "Tue 24 Nov, 18:00"."""
        local = moment.astimezone(self.zone)
        return f"{_day(local.date(), 'EEE d MMM', self.language)}, {_hour(local)}"

    def day(self, moment: date) -> str:
        """Return a day with its weekday: "Tuesday 24 November"."""
        if isinstance(moment, datetime):
            moment = moment.astimezone(self.zone).date()
        return _day(moment, "EEEE d MMMM", self.language)

    def date(self, moment: datetime) -> str:
        """Return the day of a moment in the reader's zone, with its year: "24 Nov 2026"."""
        return _day(moment.astimezone(self.zone).date(), "d MMM y", self.language)

    def left(self, span: timedelta) -> str:
        """Return a span of time, rounded to its largest unit: "2 days"."""
        return dates.format_timedelta(abs(span), threshold=1.5, locale=self.language)

    def _fill(self, text: str, params: Mapping[str, Filling]) -> str:
        """Translate `text` and fill its holes once, picking singular or plural by the nearest number."""
        holes, end = _told(text, self.language, self.game)
        if not holes:
            return end
        said = ""
        for hole in holes:
            if not hole.name:
                said = f"{said}{hole.before}{self._form(hole, _nearest(holes[: hole.at], params))}"
                continue
            filling = params.get(hole.name, hole.whole)
            word = self._set_apart(hole, filling) if hole.apart else self._filled(hole, filling)
            said = f"{said}{_elided(self.language, hole.before, word) if hole.elides else hole.before}{word}"
        return said + end

    def _set_apart(self, hole: _Hole, filling: Filling) -> str:
        """Return what fills a hole for orders, for what is typed, or for what somebody wrote."""
        if hole.name in ORDERS and isinstance(filling, (str, tuple)):
            write = self.form if hole.name == "forms" else self.order
            filling = write(filling) if isinstance(filling, str) else tuple(map(write, filling))
        if hole.typed:
            return _typed(filling)
        if hole.quoted:
            return _QUOTES[self.language].format(clean(str(filling), 200))
        return self._filled(hole, filling)

    def _form(self, bracket: _Hole, count: float) -> str:
        """Return what a bracket such as `(s)` or `(is|are)` says of so many."""
        return bracket.one if abs(count) == 1 or (self.language == "fr" and int(abs(count)) in {0, 1}) else bracket.many

    def _filled(self, hole: _Hole, filling: Filling) -> str:
        """One hole's filling in words, by what it is and what the hole is called."""
        if isinstance(filling, str):  # these two are nearly all: a drawing alone is lettered with a hundred
            known = None if hole.own and not filling.endswith(_BOT) else self._texts.get(filling)
            return known or clean(filling, _WORD)
        if isinstance(filling, int):
            if hole.seats:
                return self.name(filling)
            return str(filling) if -_PLAIN < filling < _PLAIN else self.number(filling)
        if isinstance(filling, (list, tuple)):
            return self.join(_told_once([self._filled(hole, item) for item in filling], filling))
        if filling is None or isinstance(filling, (float, date, timedelta)):
            return self._measured(filling)
        return self(cast("Translatable", filling))  # nothing else is left; a protocol is slow to ask for

    def _measured(self, filling: Filling) -> str:
        """Return a moment, a day, a span or a number with a fraction in words; nothing for None."""
        if isinstance(filling, float):
            return f"{filling:.12g}".replace(".", _decimal_mark(self.language))
        if isinstance(filling, datetime):
            return self.when(filling)
        if isinstance(filling, date):
            return self.day(filling)
        return self.left(filling) if isinstance(filling, timedelta) else ""


_ELIDED = {
    "it": ((re.compile(r"\b([Aa]) $"), "a", r"\1d "), (re.compile(r"\b([Ee]) $"), "e", r"\1d ")),
    "fr": ((re.compile(r"\b([Dd]|[Qq]u)e $"), "aeiou", r"\1'"),),
}
"""What ends before which vowel, and what is said instead: Italian "ad Alyl", French "d'Anna"."""


_ENDINGS = ("a ", "A ", "e ", "E ")
"""How all of those end."""


def _elided(language: str, before: str, word: str) -> str:
    """Return what stands before a hole's filling, as it is said before its first letter."""
    for ending, vowels, instead in _ELIDED.get(language, ()):
        if unicodedata.normalize("NFD", word[:1].lower())[:1] in tuple(vowels):
            before = ending.sub(instead, before)
    return before


def _count(name: str, filling: Filling) -> float | None:
    """Return what a plural bracket counts by this filling: a number, or the length of a list."""
    if isinstance(filling, (list, tuple)):
        return len(filling)
    return filling if isinstance(filling, (int, float)) and not name.startswith(_SEATS) else None


def _nearest(holes: Sequence[_Hole], params: Mapping[str, Filling]) -> float:
    """Return the number a bracket after these holes counts; after none that has one the first of all, or many."""
    before = [(hole.name, params.get(hole.name)) for hole in reversed(holes) if hole.name]
    for name, filling in (*before, *params.items()):
        count = _count(name, filling)
        if count is not None:
            return count
    return 2


def _told_once(said: Sequence[str], items: Sequence[Any]) -> Sequence[str]:
    """Things that stand in a list more than once, once with how often: "priest" and a 3; numbers stay as they come."""
    if len(set(said)) == len(said) or not all(isinstance(item, str) for item in items):
        return said
    return [
        word if said.count(word) == 1 else f"{word} \N{MULTIPLICATION SIGN}{said.count(word)}"
        for word in dict.fromkeys(said)
    ]


def _typed(filling: Filling) -> str:
    """Return what stands between backticks is typed as it is: never translated, each word of a list in its own pair."""
    words = filling if isinstance(filling, (list, tuple)) else (filling,)
    return "`, `".join(clean(str(word), _WORD) for word in words)


@functools.cache
def spellings(label: str, game: str = "") -> frozenset[str]:
    """Return what people may write for what is shown as `label`: in any language, whole or up to its colon, folded."""
    said = [Translator(language, game=game)(label) for language in LANGUAGES]
    return frozenset(_folded(text) for one in said for text in (one, one.partition(":")[0]))


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())


def meant(typed: str, labels: Mapping[str, str], game: str = "") -> str:
    """Return the name in `labels` that is meant by it, or by what it is shown as; as typed where it is neither."""
    wanted = _folded(typed)
    names = (name for name, label in labels.items() if wanted == _folded(name) or wanted in spellings(label, game))
    return next(names, typed)


def pairs(text: str, labels: Mapping[str, str], game: str = "") -> tuple[str, dict[str, str]]:
    """Return what stands before the first `name=value` of a text, and the pairs.

    A name may be written as it is shown; a value goes on to the next name.
    """
    known = {spelling for name, label in labels.items() for spelling in (name, *spellings(label, game))}
    names = "|".join((*map(re.escape, sorted(known)), r"[^\s=]+"))
    before, *parts = re.split(rf"(?:^|\s+)({names})\s*=\s*", text.strip(), flags=re.IGNORECASE)
    found = zip(parts[::2], parts[1::2], strict=True)
    return before, {meant(name, labels, game): value.strip() for name, value in found}
