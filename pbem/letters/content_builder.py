"""One letter being written: its facts in the reader's words, and what stands under every letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.message import Message
from pbem.letter_kinds import KINDS, LetterKind
from pbem.letters.sections import place_of
from pbem.mail import families
from pbem.messages import clean
from pbem.structs import Value

if TYPE_CHECKING:
    from pbem.letters.context import LetterData
    from pbem.letters.mail_context import MailContext
    from pbem.messages import Translator

_PLAIN_NAME = re.compile(r"(?!.*(?:[/@:]|www|\.\w{2}))[\w .,'&()-]{1,40}")
"""A name without an address in it, no longer than names are."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
"""A moment as JSON keeps it."""


def plain_name(name: str) -> str:
    """Return the name, as far as it may stand in a letter to somebody who never asked for one; else nothing."""
    found = clean(name)
    return found if _PLAIN_NAME.fullmatch(found) else ""


class ContentBuilder(Value):
    """One letter being written."""

    letter: LetterData
    house: MailContext
    say: Translator

    @property
    def kind(self) -> LetterKind:
        """Its entry in the registry."""
        return KINDS[self.letter.kind]

    @property
    def data(self) -> Mapping[str, Any]:
        """The letter's own facts."""
        return self.letter.data

    def foot(self) -> families.Foot:
        """Return what stands under it."""
        seated = self.letter.seat_key is not None
        return families.Foot(
            server=self.named(self.letter.club) or clean(self.house.name),
            queue=self.house.player_url(self.letter) if self.letter.to.confirmed else "",
            unsubscribe=self.house.unsubscribe_url(self.letter),
            seated=seated,
            opens=self.say("Open the game") if seated else self.say("Open my games"),
        )

    def named(self, name: str) -> str:
        """Return a bot's name, or one that a person gave; to strangers none that reads like an advertisement."""
        called = self.say.called(name)
        return called if self.letter.to.confirmed else plain_name(called)

    def place(self) -> families.DigestPlace | None:
        """Return the game it is about, from the situation, or from its facts before the game has begun."""
        if self.letter.situation is not None:
            return place_of(self.letter.situation, self.say, self.house.seat_url(self.letter))
        if "game" in self.data:
            return families.DigestPlace(name=self.named(self.data.get("title", "")), title=self.data["game"])
        return None

    def moment(self, name: str) -> datetime | None:
        """Return a moment, at hand or as JSON keeps it."""
        found = self.data.get(name)
        return datetime.fromisoformat(found) if isinstance(found, str) else found

    def words(self, name: str) -> tuple[str, ...]:
        """Return the sentences stored under `name`: one Said, several, or plain text."""
        found = self.data.get(name) or ()
        several = found if isinstance(found, (list, tuple)) else (found,)
        return tuple(self.say(one) for one in map(said, several))


def said(value: Any) -> Any:
    """A sentence as it is stored in JSON, or at hand; moments are moments again, to be told in the reader's zone."""
    found = msgspec.convert(value, Message) if isinstance(value, dict) else value
    if not isinstance(found, Message) or not any(map(_is_moment, found.params.values())):
        return found
    params: dict[str, Any] = {
        name: datetime.fromisoformat(str(filling)) if _is_moment(filling) else filling
        for name, filling in found.params.items()
    }
    return msgspec.structs.replace(found, params=params)


def _is_moment(filling: Any) -> bool:
    return isinstance(filling, str) and _MOMENT.fullmatch(filling) is not None
