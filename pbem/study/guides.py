"""The rules for people: a game's guide, the positions of its pictures, and which of its things a sentence names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from pbem import packages
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.guide import Entry
from pbem.engine.core.message import Message
from pbem.engine.core.records import Record
from pbem.engine.registry import guide_of, rules_of
from pbem.messages import Translator

RECORD = "guide.txt"
"""The record, beside a game's rules, from which the pictures of its guide are drawn."""


@functools.cache
def record(game: str) -> Record:
    """Return the record of a game that has a guide."""
    return records.parse(packages.text(game, RECORD))


@functools.cache
def positions(game: str) -> tuple[Any, ...]:
    """Return what everybody may see at each scene of the guide of `game`, in their order; none without a guide."""
    guide, rules = guide_of(game), rules_of(game)
    if guide is None:
        return ()
    wanted = {scene.ply for scene in guide.scenes}
    seen = {
        done.ply.number: rules.view(done.state, None) for done in replay.play(record(game)) if done.ply.number in wanted
    }
    return tuple(seen[scene.ply] for scene in guide.scenes)


def translator(game: str, language: str) -> Translator:
    """Return who speaks in a guide: its seats are called by their colours."""
    say = Translator(language, game=game)
    return Translator(language, names=[say(colour) for colour in rules_of(game).meta.colours], game=game)


@functools.lru_cache(maxsize=64)
def _words(game: str, language: str) -> tuple[re.Pattern[str], Mapping[str, Entry]] | None:
    """A pattern of all that the things of `game` are called, in small letters, and the things by their names.

    It begins with the sign before a name, which few signs are; None without a guide.
    """
    guide, say = guide_of(game), Translator(language, game=game)
    if guide is None:
        return None
    found: dict[str, Entry] = {}
    for entry in guide.entries:
        for word in entry.words:
            found.setdefault(_small(say(Message(word))), entry)
    first = "".join(re.escape(letter) for letter in sorted({word[0] for word in found}))  # most words begin with none
    longest = sorted(found, key=lambda word: (word[0], -len(word), word))
    names = "|".join(
        f"{re.escape(letter)}(?:{'|'.join(re.escape(word[1:]) for word in words)})"  # and of a hundred few begin alike
        for letter, words in groupby(longest, key=itemgetter(0))
    )
    return re.compile(rf"\W(?=[{first}])({names})(?!\w)"), found


def split(say: Translator, text: str) -> Iterator[tuple[str, Entry | None]]:
    """Yield a sentence said by `say` in pieces: plain ones, and names with the thing that is meant, each thing once."""
    end = 0
    for start, name, entry in _mentioned(say, text):
        yield text[end:start], None
        end = start + len(name)
        yield text[start:end], entry
    yield text[end:], None


def _mentioned(say: Translator, text: str) -> Iterator[tuple[int, str, Entry]]:
    """Yield where a sentence names which thing, each thing once.

    What begins a player's name is no thing: "Blue (you)" is no crew.
    """
    known = _words(say.game, say.language) if say.game else None
    if known is None:
        return
    pattern, entries = known
    told: set[str] = set()
    for found in pattern.finditer(f" {_small(text)}"):
        name, start = found[1], found.start()
        entry = entries[name]
        if entry.key not in told and not _is_named(say.names, text, start):
            told.add(entry.key)
            yield start, name, entry


def _small(text: str) -> str:
    """Return a text in small letters, each where it stood: only that of "İ" would be two."""
    return text.replace("İ", "i").lower()


def _is_named(names: tuple[str, ...], text: str, at: int) -> bool:
    """Return whether a player's whole name stands there."""
    if not text.startswith(names, at):
        return False
    return any(name and text.startswith(name, at) and not text[at + len(name) :][:1].isalnum() for name in names)


def named(say: Translator, *texts: str) -> tuple[Entry, ...]:
    """Return the things that these sentences name, in the order of the glossary."""
    guide = guide_of(say.game) if say.game else None
    if guide is None:
        return ()
    keys = {entry.key for _, _, entry in _mentioned(say, "\n".join(texts))}
    return tuple(entry for entry in guide.entries if entry.key in keys)


def way(game: str, kind: str) -> Entry | None:
    """Return what the glossary of `game` says of being asked for an order of this kind."""
    guide = guide_of(game)
    entries = guide.entries if guide else ()
    return next((entry for entry in entries if entry.key == f"order-{kind}"), None)
