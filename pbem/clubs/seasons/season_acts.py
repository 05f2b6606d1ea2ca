"""What ends or begins something in a season for good: one table for pages, calls and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_proof, require_yes
from pbem.capabilities.roles import require_organiser
from pbem.clubs.seasons import seasons
from pbem.store.models import Season


def _start(session: Session, now: datetime, season: Season, _player_id: int) -> None:
    """Close the sign-up and open the first round's games."""
    seasons.start(session, now, season.id)
    seasons.carry_on(session, now, season.id)


ACTS: Mapping[str, Callable[[Session, datetime, Season, int], None]] = {
    "start": _start,
    "finish": lambda session, now, season, _player_id: seasons.finish(session, now, season.id),
    "drop": lambda session, now, season, player_id: seasons.drop_out(session, now, season.id, player_id),
}
"""Each by its name among the final acts; `drop` is of the player whose number is given."""


def carry_out(  # noqa: PLR0913, PLR0917 - what is done to which season, by whom
    session: Session, now: datetime, season: Season, act: str, by: int, player_id: int = 0
) -> None:
    """Do one of `ACTS`; each but dropping out oneself is an organiser's.

    Raises NotAllowed, NeedsYes, but for who drops out while they can come in again, NeedsCode or NotOpen.
    """
    is_final = act != "drop" or season.state != "open"
    if act != "drop" or player_id != by:
        require_organiser(session, season.club_id, by)
        require_proof(session, "organise", by)
    require_proof(session, act, by)
    ACTS[act](session, now, season, player_id)
    if is_final:
        require_yes(session, act, season=season.name)
