"""What other servers report about our letters: bounces and complaints mark the address and stop the clock."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.mail import outbox
from pbem.play.deadlines import delivery_clock
from pbem.store.models import UNREACHABLE, Letter, Player

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.mail.incoming import Mail


LATEST = timedelta(days=30)
"""How long after a letter left a report about it is believed."""


def note(session: Session, now: datetime, mail: Mail, number: int) -> None:
    """Note a report that came to the bounce address of letter `number`; automatic chatter is nothing.

    No other address counts, whatever letter a report names: anybody can write one.
    """
    letter = session.get(Letter, number)
    if letter is None or mail.bounce is None or letter.created_at < now - LATEST:
        return
    if mail.nature == "complaint":
        outbox.note(session, now, letter.id, "complained")
        _stop(session, now, letter, "complained")
    elif mail.bounce.permanent:
        outbox.note(session, now, letter.id, "bounced", mail.bounce.status)
        _stop(session, now, letter, "bounced")
    else:
        outbox.note(session, now, letter.id, "deferred", mail.bounce.status)
        if letter.player_id is not None and letter.address is None:
            outbox.mark_address(session, letter.player_id, "soft")


def _stop(session: Session, now: datetime, letter: Letter, state: str) -> None:
    """Send no more there, and let no clock run; the first report does it, the next thousand change nothing."""
    if letter.player_id is None or letter.address is not None:
        return
    player = session.get(Player, letter.player_id)
    if player is None or player.address_state in UNREACHABLE:
        return
    delivery_clock.bounced(session, now, player.id)
    outbox.mark_address(session, player.id, state)
