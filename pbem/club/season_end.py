"""The letter that ends a season: who came first, and the whole table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.types import N_, Said
from pbem.play.post import Post
from pbem.store.tables import Player

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.club.standings import Line
    from pbem.store.tables import Season


def tell(session: Session, now: datetime, season: Season, lines: Sequence[Line]) -> None:
    """Write everybody who took part the final standings."""
    players = {line.player: session.get_one(Player, line.player) for line in lines}
    story = msgspec.to_builtins(_story(season, lines, {number: player.name for number, player in players.items()}))
    post = Post(now)
    for number, player in players.items():
        post.person("season", player, f"season:{season.id}:{number}", club_id=season.club_id, **story)
    session.flush()
    post.send(session)


def _story(season: Season, lines: Sequence[Line], names: Mapping[int, str]) -> dict[str, Any]:
    first = tuple(names[line.player] for line in lines if line.place == 1)
    head = [Said(N_("Player")), Said(N_("Place")), Said(N_("Points")), Said(N_("Games"))]
    rows = [[names[line.player], line.place, round(line.points), line.games] for line in lines]
    return {
        "title": Said(N_("{season} is over"), {"season": season.name}),
        "paragraphs": [Said(N_("{winners} came first of {count}."), {"winners": first, "count": len(lines)})],
        "tables": [{"caption": Said(N_("Final standings")), "head": head, "rows": rows}],
    }
