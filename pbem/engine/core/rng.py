"""The one module that draws. Every result is logged in plain text, so that a record can be replayed without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from struct import Struct
from typing import Protocol, TypeVar

from pbem.engine.core.errors import CorruptState
from pbem.engine.core.message import Message
from pbem.engine.core.records import WITHHELD

T = TypeVar("T")
_UNPACK = Struct(">8Q").unpack
_ALL = 1 << 64


class Chance(Protocol):
    """A source of chance results, drawn afresh (`Rng`) or read from a record (`Recorded`)."""

    __slots__ = ()
    log: list[str]
    """Every named result so far, in order, as `label: name name ...`."""

    def below(self, n: int) -> int:
        """Return an integer from 0 to n-1, each as likely; not logged."""

    def draw(self, label: str, names: Sequence[str], weights: Sequence[int]) -> int:
        """Return the index of one of `names`, as likely as its weight; logged."""

    def shuffle(self, label: str, names: Sequence[str]) -> list[str]:
        """Return the `names` in a random order; logged."""
        return self.sample(label, names, len(names))

    def sample(self, label: str, names: Sequence[str], k: int) -> list[str]:
        """`k` different ones of `names` in a random order; logged."""


class Rng(Chance):
    """Drawn by BLAKE2b in counter mode from a seed and a ply number, so that anyone can verify a draw.

    Block number i is the 64-byte BLAKE2b digest of `seed:ply:i`; its eight big-endian 64-bit words are used in turn,
    and a word that would favour some results is thrown away.
    """

    __slots__ = ("_block", "_key", "_words", "log")

    def __init__(self, seed: str, ply: int) -> None:
        """Open the source of ply `ply` of the game with this `seed`."""
        self._key = (seed, ply)
        self._block = 0
        self._words: list[int] = []
        self.log: list[str] = []

    def _more(self) -> list[int]:
        """Draw the next block; its words are popped from the end."""
        seed, ply = self._key
        self._words = words = list(_UNPACK(blake2b(f"{seed}:{ply}:{self._block}".encode()).digest()))
        words.reverse()
        self._block += 1
        return words

    def below(self, n: int) -> int:
        """Return an integer from 0 to n-1, each as likely; not logged."""
        word = (self._words or self._more()).pop()
        if word >= _ALL - n:  # above the largest multiple of n, perhaps
            while word >= _ALL - _ALL % n:
                word = (self._words or self._more()).pop()
        return word % n

    def draw(self, label: str, names: Sequence[str], weights: Sequence[int]) -> int:
        """Return the index of one of `names`, as likely as its weight; logged."""
        mark = self.below(sum(weights))
        for index, weight in enumerate(weights):
            mark -= weight
            if mark < 0:
                self.log.append(f"{label}: {names[index]}")
                return index
        raise AssertionError(label)  # pragma: no cover - the mark is below the sum

    def sample(self, label: str, names: Sequence[str], k: int) -> list[str]:
        """`k` different ones of `names` in a random order; logged."""
        pool = list(names)
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        del pool[k:]
        self.log.append(f"{label}: {' '.join(pool)}")
        return pool


class Recorded(Chance):
    """Chance results read from a record's lines instead of drawn."""

    __slots__ = ("_lines", "log")

    def __init__(self, lines: Iterable[str]) -> None:
        """Take the lines `label: name name ...` of one ply, in order."""
        self._lines = list(lines)[::-1]
        self.log: list[str] = []

    def _next(self, label: str) -> list[str]:
        line = self._lines.pop() if self._lines else ""
        found, _, names = line.partition(":")
        if found != label:
            text = "The record has {found!r} where {label!r} is due."
            raise CorruptState(Message(text, {"found": line, "label": label}))
        drawn = names.split()
        if WITHHELD in drawn:
            said = "What was drawn at {label!r} is withheld: the game still ran."
            raise CorruptState(Message(said, {"label": label}))
        self.log.append(line)
        return drawn

    def below(self, n: int) -> int:
        """Refuse: a result without a name is never part of a record."""
        raise CorruptState(Message("A record can't answer an unnamed draw below {n}.", {"n": n}))

    def draw(self, label: str, names: Sequence[str], weights: Sequence[int]) -> int:
        """Return the recorded result's index; raises CorruptState if it could not have been drawn."""
        found = self._next(label)
        if len(found) != 1:
            raise CorruptState(Message("{label!r} has {found} results, not 1.", {"label": label, "found": len(found)}))
        name = found[0]
        if name not in names or not weights[names.index(name)]:
            raise CorruptState(Message("{name!r} can't be drawn at {label!r}.", {"name": name, "label": label}))
        return names.index(name)

    def sample(self, label: str, names: Sequence[str], k: int) -> list[str]:
        """Return the recorded choice; raises CorruptState if it could not have been drawn."""
        found = self._next(label)
        pool = list(names)
        for name in found:
            if name not in pool:
                raise CorruptState(Message("{name!r} can't be drawn at {label!r}.", {"name": name, "label": label}))
            pool.remove(name)
        if len(found) != k:
            text = "{label!r} has {found} results, not {due}."
            raise CorruptState(Message(text, {"label": label, "found": len(found), "due": k}))
        return found

    def left(self) -> tuple[str, ...]:
        """Lines that nothing asked for; a sound record leaves none."""
        return tuple(self._lines[::-1])
