"""What ends or begins something in a season for good: one table for pages, calls and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from pbem.clubs import final_acts
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


def is_final(act: str, season: Season) -> bool:
    """Return whether nobody can take the act back: who drops out while the sign-up is open can come in again."""
    return act != "drop" or season.state != "open"


def carry_out(  # noqa: PLR0913 - what is done to which season, by whose word
    session: Session, now: datetime, season: Season, act: str, player_id: int = 0, *, sure: bool
) -> None:
    """Do one of `ACTS`. Raises NotOpen; NeedsYes where it is final and nobody has said that it is meant."""
    final = is_final(act, season)
    ACTS[act](session, now, season, player_id)  # what can't be done is refused before anybody is asked
    if final:
        final_acts.require_yes(act, said=sure, season=season.name)
