"""Position notation: a whole state of a game as text that a rules expert reads, and that text as a state again.

What FEN is to chess. A text is lines of `subject: item, item, ...`; a game's notation says which subjects there are
(seats, provinces, the river ...) and what can be said of each. What isn't said is as at the start of a game, or what
is left over: cards in nobody's hand lie in the deck. A fault names its line. Lines may be indented,
one that ends with a comma goes on in the next, empty lines mean nothing, and `#` begins a remark. The page
docs/development/positions.md shows each game's notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from pbem.engine.core.errors import EngineError

R = TypeVar("R")
S = TypeVar("S")
AnyState: TypeAlias = Any
"""A state of any game."""


class PositionError(ValueError):
    """A text that is no position: the line and what is wrong with it."""


@dataclass(frozen=True)
class Item(Generic[S]):
    """One thing that can be said of a subject: how it is spelled, taken into a state, and written."""

    pattern: str
    read: Callable[[S, int, re.Match[str]], None]
    write: Callable[[S, int], Iterable[str]]


@dataclass(frozen=True)
class Subject(Generic[S]):
    """Lines of one kind: the names that they can begin with, each with its number, and what they can hold."""

    names: Callable[[S], Sequence[str]]
    items: Sequence[Item[S]]
    unsaid: Callable[[S, int, str], bool] = field(default=lambda _state, _who, _said: False)
    """Whether a line of these words may be left out, though it says something."""


@dataclass(frozen=True)
class Notation(Generic[S]):
    """A game's notation: the first line says what is played, then come its subjects."""

    opened: Callable[[str], S]
    """The bare state that a first line stands for; raises ValueError."""
    header: Callable[[S], str]
    subjects: Sequence[Subject[S]]
    settle: Callable[[S, set[str]], None]
    """Work out what is left over, given the subjects that were named; raises ValueError."""

    def read(self, text: str) -> S:
        """The state of a text; PositionError with the line that can't be read."""
        lines = list(_lines(text))
        if not lines:
            raise PositionError("line 1: a position begins with the number of players")
        number, first = lines[0]
        state = _blamed(number, self.opened, first)
        named: set[str] = set()
        for at, line in lines[1:]:
            name, _, said = line.partition(":")
            _blamed(at, self._take, state, name.strip(), said.strip(), named)
        _blamed(lines[-1][0], self.settle, state, named)
        return state

    def _take(self, state: S, name: str, said: str, named: set[str]) -> None:
        for subject in self.subjects:
            if name in (names := subject.names(state)):
                if name in named:
                    raise ValueError(f"{name} stands here for the second time")
                named.add(name)
                for item in re.split(r"\s*,\s*", said) if said else []:
                    _item(subject, state, names.index(name), name, item)
                return
        every = [name for subject in self.subjects for name in subject.names(state)]
        raise ValueError(f"{name!r} is no subject; there are: {', '.join(every)}")

    def write(self, state: S) -> str:
        """The text of a state, without what goes without saying."""
        return "\n".join([self.header(state), *(f"{name}: {said}" for name, said in self.lines(state).items())])

    def lines(self, state: S) -> dict[str, str]:
        """What is said of each subject of which something is."""
        found = {}
        for subject in self.subjects:
            for who, name in enumerate(subject.names(state)):
                said = ", ".join(word for item in subject.items for word in item.write(state, who))
                if said and not subject.unsaid(state, who, said):
                    found[name] = said
        return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered; one that ends with a comma goes on in the next."""
    begun = ""
    for number, line in enumerate(text.splitlines(), 1):
        begun += line.partition("#")[0].strip()
        if begun.endswith(","):
            begun += " "
        elif begun:
            yield number, begun
            begun = ""
    if begun:
        raise PositionError(f"line {len(text.splitlines())}: nothing comes after the comma")


def merged(text: str, more: str) -> str:
    """A position and what a case says besides: where both speak of a subject, the later words are added and count."""
    lines: dict[str, list[str]] = {}
    for _, line in (*_lines(text), *_lines(more)):
        name, _, said = line.partition(":")
        lines.setdefault(name.strip(), []).extend([said.strip()] if said.strip() else [])
    return "\n".join(f"{name}: {', '.join(said)}" if said else name for name, said in lines.items())


def _blamed(line: int, step: Callable[..., R], *given: object) -> R:
    """Do a step of reading; what it finds wrong is told with the line's number."""
    try:
        return step(*given)
    except (ValueError, IndexError, KeyError, EngineError) as error:
        raise PositionError(f"line {line}: {error}") from error


def _item(subject: Subject[S], state: S, who: int, name: str, text: str) -> None:
    for item in subject.items:
        if match := re.fullmatch(item.pattern, text):
            item.read(state, who, match)
            return
    raise ValueError(f"{text!r} can't be said of {name}")


def number(name: str, words: str, normal: int = 0) -> Item[Any]:
    """A number for each subject, such as `20 gold`: `#` in `words` stands for it, `(s)` for what more than one adds."""
    pattern = re.escape(words).replace(r"\#", r"(-?\d+)").replace(r"\(s\)", "s?")

    def read(state: AnyState, who: int, match: re.Match[str]) -> None:
        getattr(state, name)[who] = int(match[1])

    def write(state: AnyState, who: int) -> Iterable[str]:
        value = getattr(state, name)[who]
        if value != normal:
            yield words.replace("#", str(value)).replace("(s)", "" if value == 1 else "s")

    return Item(pattern, read, write)


def figure(name: str, words: str, normal: int = 0) -> Item[Any]:
    """A number of the whole game, such as `temple 2`: `#` in `words` stands for it."""

    def read(state: AnyState, _who: int, match: re.Match[str]) -> None:
        setattr(state, name, int(match[1]))

    def write(state: AnyState, _who: int) -> Iterable[str]:
        if (value := getattr(state, name)) != normal:
            yield words.replace("#", str(value))

    return Item(re.escape(words).replace(r"\#", r"(-?\d+)"), read, write)


def flag(name: str, words: str, *, listed: bool = False) -> Item[Any]:
    """Something that is so or isn't: for the whole game, or (`listed`) 1 or 0 for each subject."""

    def read(state: AnyState, who: int, _match: re.Match[str]) -> None:
        if listed:
            getattr(state, name)[who] = 1
        else:
            setattr(state, name, True)

    def write(state: AnyState, who: int) -> Iterable[str]:
        if getattr(state, name)[who] if listed else getattr(state, name):
            yield words

    return Item(re.escape(words), read, write)


def choice(name: str, names: Sequence[str], words: str = "#", normal: int = -1, *, listed: bool = True) -> Item[Any]:
    """One of some names, kept as its number: for each subject, or (not `listed`) for the whole game."""
    pattern = re.escape(words).replace(r"\#", "(" + "|".join(map(re.escape, names)) + ")")

    def read(state: AnyState, who: int, match: re.Match[str]) -> None:
        if listed:
            getattr(state, name)[who] = names.index(match[1])
        else:
            setattr(state, name, names.index(match[1]))

    def write(state: AnyState, who: int) -> Iterable[str]:
        value = getattr(state, name)[who] if listed else getattr(state, name)
        if value != normal:
            yield words.replace("#", names[value])

    return Item(pattern, read, write)


def several(name: str, words: str, read_one: Callable[[str], int], write_one: Callable[[int], str]) -> Item[Any]:
    """A list for each subject, such as `fields A01 A05`: `#` in `words` stands for its members."""
    pattern = re.escape(words).replace(r"\#", r"(\S+(?: \S+)*)")

    def read(state: AnyState, who: int, match: re.Match[str]) -> None:
        getattr(state, name)[who] = [read_one(word) for word in match[1].split(" ")]

    def write(state: AnyState, who: int) -> Iterable[str]:
        if values := getattr(state, name)[who]:
            yield words.replace("#", " ".join(map(write_one, values)))

    return Item(pattern, read, write)


def row(name: str, read_one: Callable[[str], int], write_one: Callable[[int], str]) -> Item[Any]:
    """A list of the whole game, one item for each member: `up: Abydos, Sawu`."""

    def read(state: AnyState, _who: int, match: re.Match[str]) -> None:
        getattr(state, name).append(read_one(match[0]))

    def write(state: AnyState, _who: int) -> Iterable[str]:
        return map(write_one, getattr(state, name))

    return Item(".+", read, write)


def counted(names: Sequence[str], count: Callable[[Any, int], list[int]], many: Sequence[str] = ()) -> Item[Any]:
    """How many there are of some kinds: `architect, 2 block`; `many` are the words for more than one."""
    kinds = {**dict(zip(many, range(len(many)), strict=True)), **{name: kind for kind, name in enumerate(names)}}
    words = "|".join(map(re.escape, sorted(kinds, key=len, reverse=True)))

    def read(state: AnyState, who: int, match: re.Match[str]) -> None:
        count(state, who)[kinds[match[2]]] += int(match[1] or 1)

    def write(state: AnyState, who: int) -> Iterable[str]:
        for kind, n in enumerate(count(state, who)):
            if n:
                yield names[kind] if n == 1 else f"{n} {(many or names)[kind]}"

    return Item(f"(?:(\\d+) )?({words})", read, write)


def only(name: str) -> Callable[[object], Sequence[str]]:
    """A subject of which there is one."""
    return lambda _state: (name,)
