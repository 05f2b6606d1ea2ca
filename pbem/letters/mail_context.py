"""What all letters of one server have in common: its addresses, and the links and reply addresses it signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.capabilities import links
from pbem.letter_kinds import KINDS, AnsweredBy
from pbem.letters import unsubscribe
from pbem.structs import Value

if TYPE_CHECKING:
    from pbem.capabilities.tokens import Tokens
    from pbem.letters.context import LetterData
    from pbem.mail.address import Addresses
    from pbem.mail.dkim import Signer
    from pbem.play.views.decision_queue import QueueItem


class MailContext(Value, kw_only=True):
    """What all letters of one server have in common."""

    addresses: Addresses
    tokens: Tokens
    base_url: str
    name: str
    """The server's own name, for letters no club sends."""
    signer: Signer | None = None
    """A DKIM signer, where there is a key."""
    pictured: bool = True
    hold: bool = True
    """Whether a question waits while its reader sits at the page."""

    def seat_url(self, letter: LetterData, to: str = "") -> str:
        """Return the signed link to a page of the seat, by default its decision; without a seat to the queue.

        It authorises the reader for their other games too, so that the page can lead to the next decision.
        """
        if letter.seat_key is None:
            return self.player_url(letter)
        seat_id, epoch = letter.seat_key
        token = links.seat_token(self.tokens, seat_id, epoch, _ply(letter), *letter.to.key)
        return self._opened(token, to)

    def player_url(self, letter: LetterData, to: str = "") -> str:
        """Return the signed link to all of a person's games, or to another page of theirs.

        To an address that hasn't answered yet, the page where anybody asks for their own links.
        """
        if not letter.to.confirmed:
            return f"{self.base_url}/links"
        return self._opened(links.player_token(self.tokens, *letter.to.key), to)

    def _opened(self, token: str, to: str = "") -> str:
        return f"{self.base_url}/l/{token}" + (f"?to={to}" if to else "")

    def item_url(self, letter: LetterData, item: QueueItem) -> str:
        """Return the signed link to one seat of the reader's queue."""
        if not letter.to.confirmed:
            return self.player_url(letter)
        return self._opened(links.seat_token(self.tokens, item.seat_id, item.epoch, item.ply + 1, *letter.to.key))

    def unsubscribe_url(self, letter: LetterData) -> str:
        """Return where letters of this kind are stopped; empty where they can't be."""
        if not KINDS[letter.kind].stoppable or not letter.to.confirmed:
            return ""
        token = unsubscribe.token(self.tokens, *letter.to.key, letter.seat_id, letter.kind)
        return f"{self.base_url}/mail/unsubscribe/{token}"

    def reply_to(self, letter: LetterData) -> str:
        """Return where an answer goes: to the seat's question, the person's commands, the contact; else to nobody."""
        if not letter.to.confirmed:
            return f"{self.addresses.prefix}@{self.addresses.domain}"
        answered_by = KINDS[letter.kind].answered_by
        if answered_by is AnsweredBy.LESSON:
            return self.addresses.lesson(letter.letter_id, letter.to.epoch)
        if answered_by is AnsweredBy.CONTACT and letter.contact:
            return letter.contact
        if letter.seat_key is None:
            return self.addresses.player(*letter.to.key)
        seat_id, epoch = letter.seat_key
        return self.addresses.seat(seat_id, _ply(letter), epoch)


def _ply(letter: LetterData) -> int:
    """Return the ply that is asked for at present: what an answer to this letter is about."""
    return letter.situation.game.ply + 1 if letter.situation else (letter.ply or 0) + 1
