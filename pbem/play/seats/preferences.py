"""What a person decides about their letters and hours: language, zone, waking hours, digest, kinds of letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_as_opened
from pbem.clock import zone_names
from pbem.engine.core.message import Message, sentence
from pbem.errors import fitting, raise_for, refusals
from pbem.letter_kinds import stoppable
from pbem.messages import BOT_NAME, LANGUAGES, LONGEST_NAME, clean, is_bot_name
from pbem.store.models import Player
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

_DAY = 24 * 60
_HOURS = 24
_LEAST = 60
"""Minutes a day somebody must be awake for deadlines to mean anything."""


Minutes = Annotated[int, Meta(ge=0, le=_DAY)]
Word = Annotated[str, Meta(max_length=64)]


class Settings(Value, kw_only=True, forbid_unknown_fields=True):
    """A person's own settings, as programs send them too. Times of day are minutes after local midnight."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    language: Word
    zone: Word
    wakes: Minutes
    sleeps: Minutes
    weekends: bool
    quiet: bool
    """Letters in waking hours only."""
    digest_hour: Annotated[int, Meta(ge=0, le=23)] | None
    """The local hour of one letter a day instead of single ones."""
    rated: bool
    """Whether the games count for the ratings, and the person is listed there."""
    kinds_off: Annotated[tuple[Word, ...], Meta(max_length=50)] = ()
    """Kinds of letter not wanted."""


def settings_of(player: Player) -> Settings:
    """Return what a stored player has chosen; times of day in minutes after local midnight."""
    return from_attributes(Settings, player, kinds_off=tuple(player.kinds_off))


def read_settings(session: Session, player_id: int) -> Settings:
    """Return the settings of the player with this number, who must be known."""
    return settings_of(session.get_one(Player, player_id))


def faults_of(wanted: Settings) -> Iterator[Message]:
    """Yield every value that can't be used, each in a sentence."""
    yield from refusals(fitting, wanted.name, LONGEST_NAME)
    if not clean(wanted.name):
        yield sentence("The name is empty: write what the others shall call you.")
    if is_bot_name(wanted.name):
        yield sentence(BOT_NAME, name=wanted.name)
    if wanted.language not in LANGUAGES:
        yield sentence("{word!r} is no language of ours: pick one of the list.", word=wanted.language)
    if wanted.zone not in zone_names():
        yield sentence("{word!r} is no time zone: write it like Europe/Rome or America/New_York.", word=wanted.zone)
    if not (0 <= wanted.wakes < _DAY and 0 < wanted.sleeps <= _DAY):
        yield sentence("The waking hours must be times of day between 00:00 and 24:00.")
    elif (wanted.sleeps - wanted.wakes) % _DAY < _LEAST and (wanted.sleeps - wanted.wakes) % _DAY != 0:
        yield sentence("The waking hours are too short: leave at least one hour a day.")
    if wanted.digest_hour is not None and not 0 <= wanted.digest_hour < _HOURS:
        yield sentence("The hour of the daily letter must be between 0 and 23.")
    unknown = sorted(set(wanted.kinds_off) - {kind.name for kind in stoppable()})
    if unknown:
        yield sentence("There is no kind of letter called {word!r} to turn off.", word=unknown[0])


def change_settings(session: Session, player_id: int, wanted: Settings) -> Settings:
    """Store new settings. Raises Overtaken, or WrongInput naming every value that can't be used."""
    raise_for(faults_of(wanted))
    player = common.lock_player(session, player_id)
    assert player is not None  # whoever acts is somebody
    before = settings_of(player)
    for name, value in msgspec.structs.asdict(wanted).items():
        setattr(player, name, value)
    player.name = clean(wanted.name)
    player.kinds_off = list(wanted.kinds_off)
    session.flush()
    require_as_opened(session, before, after := settings_of(player))
    return after
