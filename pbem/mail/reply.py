"""The lines a player wrote: those before the first quote, separator, signature or banner, and only what was asked for.

No parser of replies is safe alone, so two locks hold. Reading stops at the first sign of anything that isn't the
player's own new text; and of what stands before it only lines count that the caller's matcher wants, at the top of the
mail and together. What is taken is shown in the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import msgspec
from babel.dates import get_day_names

from pbem.mail import quote_patterns
from pbem.messages import LANGUAGES
from pbem.structs import Value

_GREETINGS = 4
"""Other lines that may stand before the first order."""
_GREETING = 200
"""Characters of such a line."""
_MOST = 50
"""Lines taken from one mail."""
_WRAPPED = 55
"""A line at least this long may have been broken by the mail program and go on in the next one."""
_LINES = 400
_LONGEST = 4_000

_SIGNED, _SIGNATURE = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
_BANNER_LINES = 30
"""Lines of a banner's paragraph at most."""
_SPAN = 5
"""Lines an attribution may be broken over."""
_BULLET = re.compile(r"^(?:[-*•→➡👉]|\d{1,2}[.)])\s+")
_MARKS = "\"'`\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_MARKS += "\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
_MARKS += "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
_QUOTED = re.compile(rf"^[{_MARKS}] *(.+?) *[{_MARKS}]\.?$")
"""A line in quotation marks, as letters show an order."""
_BEFORE = re.compile(
    r"^(?:(?:hi|hello|hey|dear|ciao|cari?|salve|buongiorno|salut|bonjour|hallo)(?: [^\W\d_]{1,20}){0,3} ?[,!:] ?)?"
    r"(?:(?:(?:(?:here(?:'s| is) )?my (?:order|move|answer|bid)|order)(?: is)?"
    r"|(?:(?:il mio|la mia) )?(?:ordine|mossa|risposta)(?: è)?|(?:(?:mon|ma) )?(?:ordre|coup|réponse)(?: est)?"
    r"|please|ok|okay|i'd like to|i would like to|i want to|i'll|i will|i|let me|let's"
    r"|io|vorrei|voglio|je voudrais|je veux|je|per favore|s'il (?:te|vous) pla[iî]t)[ ,:.!]{1,3}|j'){0,3}",
    re.IGNORECASE,
)
"""Words of courtesy that may stand before an order on its line."""
_AFTER = re.compile(
    r"(?:[ ,.!]{1,5}(?:please|thanks|thank you|thx|grazie|per favore|merci|svp|s'il (?:te|vous) pla[iî]t|[:;]-?\)"
    r"|[😀-😎🙂👍👌🙏👋❤✅🎲🏻-🏿]+)){1,5}[ .!]{0,5}$",
    re.IGNORECASE,
)
"""Words of courtesy that may stand after it."""


class Command(Value):
    """A word that works in every letter, with what follows it."""

    word: str
    text: str = ""


class Reading(Value):
    """What a mail asks for: orders as written, and commands, each in the mail's own order."""

    orders: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    rest: tuple[str, ...] = ()
    """The sender's other lines, which nobody reads."""
    asked: str = ""
    """An order with a question mark behind it, which isn't one."""
    below: tuple[str, ...] = ()
    """The sender's lines under the quoted letter, where nothing is read, if something is asked for there."""
    above: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    """The sender's lines above and under the first order or command: empty lines and other orders, but no commands."""

    def __bool__(self) -> bool:
        """Return whether there is anything to do or to answer."""
        return bool(self.orders or self.commands or self.asked or self.below)


def _spellings(**words: str) -> dict[str, str]:
    """Return the command that each of its words means; they stand with commas between."""
    return {word: command for command, text in words.items() for word in text.split(", ")}


_LONE = _spellings(
    help="help, aiuto, aide, ?",
    status="status, stato, état, etat",
    orders="orders, ordini, ordres",
    cancel="cancel, annulla, annuler, undo, take back, withdraw, ritira, retirer",
)
LONE_WORDS = tuple(word for word in _LONE if word.isalpha() or " " in word)
"""Commands that are one word or two."""
_WITH_TEXT = _spellings(
    standing="standing, standing order, permanenti, permanents",
    absence="absence, assenza, absent",
    talk="talk, parla, messaggio, message, dire",
)
TEXT_WORDS = tuple(_WITH_TEXT)
"""Commands that a colon and a text follow."""
TEXT_COMMANDS = frozenset(_WITH_TEXT.values())
"""What they mean."""
_MANY_LINES = frozenset({"standing", "talk"})
_TEXT_COMMAND = re.compile(rf"({'|'.join(sorted(_WITH_TEXT, key=len, reverse=True))})\s?:(.*)", re.IGNORECASE)
AHEAD = (
    ("day after tomorrow|dopodomani|apr[eè]s[- ]demain", 2),
    ("tomorrow|domani|demain", 1),
    ("today|oggi|aujourd.hui", 0),
)
"""Days counted from today: expressions, as those below, that fit lower-case text with its accents and without."""
NEXT_WEEK = "next week|settimana prossima|prossima settimana|semaine prochaine"
_DAYS = {name.casefold() for language in LANGUAGES for name in get_day_names("wide", locale=language).values()}
_WEEKDAYS = "|".join(sorted(_DAYS | {name.replace("ì", "i") for name in _DAYS}))
_ABSENCE = re.compile(
    rf"({'|'.join(word for word, means in _WITH_TEXT.items() if means == 'absence')}) "
    r"([^\d\n]{0,60}\d.{0,100}|(?:[\w'\N{RIGHT SINGLE QUOTATION MARK}]+ ){0,3}"
    rf"(?:{'|'.join(words for words, _ in AHEAD)}|{NEXT_WEEK}|week|{_WEEKDAYS})"
    r"(?: (?:to|until|till|al?|au|jusqu.au?|fino) ?\w+)?)",
    re.IGNORECASE,
)
"""Days away without the colon: with a number, or a few words about a day."""


def written(text: str) -> list[str]:
    """Return the lines the sender wrote, as they are, up to the first quote, separator, signature or banner.

    Where the mail begins with a quote, they are looked for below it: to show them, never to play them.
    """
    lines = _split(text)
    own = _until_stop(lines, 0)
    if own:
        return own
    return _until_stop(lines, _below_quote(lines))


def read(text: str, wanted: Callable[[str], bool]) -> Reading:
    """Orders and commands at the top of a mail's text. `wanted` says whether a line has the shape of an order."""
    lines = _split(text)
    reading = _read([_plain(line) for line in _until_stop(lines, 0)], wanted)
    under = [_plain(line) for line in _until_stop(lines, _below_quote(lines))]
    return msgspec.structs.replace(reading, below=tuple(under) if _read(under, wanted) else ())


def _split(text: str) -> list[str]:
    """Return the first lines; a line far longer than any order is cut, and refused later on for its length."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", _LINES)[:_LINES]
    return _unsigned([line[:_LONGEST] for line in lines])


def _unsigned(lines: list[str]) -> list[str]:
    """Return the lines within a signature in the text (RFC 9580, cleartext framework), else all."""
    if _SIGNED not in lines[:_GREETINGS]:
        return lines
    own = lines[lines.index(_SIGNED) + 1 :]
    own = own[own.index("") + 1 :] if "" in own else own
    end = own.index(_SIGNATURE) if _SIGNATURE in own else len(own)
    return [line.removeprefix("- ") for line in own[:end]]


def _until_stop(lines: Sequence[str], start: int) -> list[str]:
    """Return the lines from `start` up to the first that isn't the sender's own; none if they are all empty.

    A banner above everything else is passed over, with its whole paragraph; below, it ends the text.
    """
    number = _below_banners(lines, start)
    own: list[str] = []
    while number < len(lines):
        line = _plain(lines[number])
        if quote_patterns.stops(line) or _is_head(lines, number) or _attribution(lines, number):
            break
        if quote_patterns.is_closing(line, first=not any(own)) or (any(own) and quote_patterns.is_banner(line)):
            break
        own.append(lines[number].rstrip())
        number += 1
    while own and not own[-1].strip():
        own.pop()
    return own


def _below_banners(lines: Sequence[str], start: int) -> int:
    """Return the first line under the paragraphs at the top that mail filters set there: "CAUTION: external mail"."""
    number = start
    while number < len(lines):
        line = _plain(lines[number])
        if not line:
            number += 1
        elif quote_patterns.is_banner(line):
            number += len(_paragraph([_plain(one) for one in lines[number : number + _BANNER_LINES]], 0))
        else:
            break
    return number


def _is_head(lines: Sequence[str], number: int) -> bool:
    """Return whether the head of a quoted mail begins: two headers together, or one with an address."""
    line = _plain(lines[number])
    name = quote_patterns.is_header(line)
    if not name:
        return False
    following = [quote_patterns.is_header(_plain(other)) for other in lines[number + 1 : number + 4]]
    return "@" in line or any(other and other != name for other in following)


def _below_quote(lines: Sequence[str]) -> int:
    """Return where the text under a quote at the top begins: after its attribution and its `>` lines."""
    number = 0
    while number < len(lines) and not lines[number].lstrip().startswith(">"):
        if number > 2 * _SPAN:
            return len(lines)
        number += 1
    while number < len(lines) and (not lines[number].strip() or lines[number].lstrip().startswith(">")):
        number += 1
    return number


def _read(lines: Sequence[str], wanted: Callable[[str], bool]) -> Reading:
    """Orders and commands among the sender's own lines, which stand together after a few others at most."""
    orders: list[str] = []
    commands: list[Command] = []
    others: list[str] = []
    above: tuple[str, ...] | None = None
    beside: list[str] = []
    number, asked = 0, ""
    while number < len(lines) and len(orders) + len(commands) < _MOST:
        line, used = _candidate(lines, number, wanted)
        number += used
        command, is_asked = _command(line), line.endswith("?") and wanted(line.rstrip("? "))
        is_order = command is None and not is_asked and bool(line) and wanted(line)
        if above is None and (command or is_order):
            above, beside = tuple(beside), []
        elif command is None:
            beside.append(line)
        if command is not None:
            if command.word in _MANY_LINES:
                more = _paragraph(lines, number)
                number += len(more)
                command = Command(command.word, "\n".join([command.text, *more]).strip())
            commands.append(command)
        elif is_order:
            orders.append(line)
        elif line:
            asked = asked or line * is_asked
            others.append(line)
            if not is_asked and (orders or commands or len(others) > _GREETINGS or len(line) > _GREETING):
                break
    left = lines[number:]
    return Reading(
        tuple(orders),
        tuple(commands),
        rest=(*others, *filter(None, left)),
        asked="" if orders else asked,
        above=above or (),
        under=() if above is None else (*beside, *left),
    )


def _plain(line: str) -> str:
    """Return a line without what mail programs add: odd spaces, invisible marks, bold marks around the whole."""
    if not line.isascii():
        seen = (c for c in line if unicodedata.category(c) != "Cf" and c != "\N{VARIATION SELECTOR-16}")
        line = "".join(" " if unicodedata.category(c) == "Zs" else c for c in seen)
    line = line.strip()
    for mark in ("**", "__", "*", "_", "`"):
        if len(line) > 2 * len(mark) and line.startswith(mark) and line.endswith(mark) and mark not in line[1:-1]:
            line = line[len(mark) : -len(mark)].strip()
    return line


def _attribution(lines: Sequence[str], start: int) -> bool:
    """Return whether an "On Monday ... wrote:" begins here, be it broken over several lines."""
    if not quote_patterns.opens_attribution(_plain(lines[start])):
        return False
    joined = ""
    for line in lines[start : start + _SPAN]:
        if not line.strip():
            return False
        joined = f"{joined} {_plain(line)}"[-600:]
        if quote_patterns.ends_attribution(joined):
            return True
    return False


def _candidate(lines: Sequence[str], number: int, wanted: Callable[[str], bool]) -> tuple[str, int]:
    """Return the line to look at, joined with the next one if the mail program broke it, and how many lines that is."""
    line = lines[number]
    bare = _BULLET.sub("", line)
    if bare != line and not wanted(line) and (wanted(bare) or _command(bare)):
        line = bare
    quoted = _QUOTED.match(line) if len(line) <= _GREETING else None
    if quoted and not wanted(line) and wanted(quoted[1]):
        line = quoted[1]
    plain = _without_courtesy(line)
    if plain != line and (wanted(plain) or _command(plain)):
        line = plain
    following = lines[number + 1] if number + 1 < len(lines) else ""
    if following and len(line) >= _WRAPPED and wanted(f"{line} {following}") and not wanted(following):
        return f"{line} {following}", 2
    return line, 1


def _without_courtesy(line: str) -> str:
    """Return the line without "please" and "I" before it and thanks after it, as people write to people."""
    return (
        line
        if len(line) > _GREETING
        else _AFTER.sub("", _BEFORE.sub("", line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    )


def _paragraph(lines: Sequence[str], start: int) -> list[str]:
    """Return the lines up to the next empty one."""
    end = next((number for number in range(start, len(lines)) if not lines[number]), len(lines))
    return list(lines[start:end])


def _command(line: str) -> Command | None:
    """Return the command a line is, if it is one and nothing else."""
    word = _LONE.get(line.casefold().rstrip(".!"))
    if word is not None:
        return Command(word)
    if match := _TEXT_COMMAND.fullmatch(line) or _ABSENCE.fullmatch(line):
        return Command(_WITH_TEXT[match[1].casefold()], match[2].strip())
    return None
