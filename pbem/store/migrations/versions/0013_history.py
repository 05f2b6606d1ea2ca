"""What is over costs no sweep anything: indexes over what is not, and snapshots that may be dropped."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pbem.extensions import Moment

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_LIVE = sa.text("state IN ('open', 'running', 'paused', 'stuck')")
_UNRATED = "state = 'finished' AND NOT rated"
_WHOLE = sa.text("state IN ('finished', 'ended') AND NOT compact")


def upgrade() -> None:
    """Every game has its snapshots still."""
    op.add_column("games", sa.Column("compact", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("page_at", Moment(), nullable=True))
    op.create_index("ix_games_live", "games", ["state"], postgresql_where=_LIVE, sqlite_where=_LIVE)
    op.create_index("ix_games_whole", "games", ["finished_at"], postgresql_where=_WHOLE, sqlite_where=_WHOLE)
    op.create_index("ix_games_club_id_finished_at", "games", ["club_id", "finished_at"])
    op.drop_index("ix_games_unrated", "games")
    _unrated(f"{_UNRATED} AND NOT practice")


def downgrade() -> None:
    """A program before this one knows no dropped snapshots: rebuild them first, by `pbem game rebuild`."""
    op.drop_index("ix_games_unrated", "games")
    _unrated(_UNRATED)
    for name in ("ix_games_club_id_finished_at", "ix_games_whole", "ix_games_live"):
        op.drop_index(name, "games")
    op.drop_column("seats", "page_at")
    op.drop_column("games", "compact")


def _unrated(where: str) -> None:
    found = sa.text(where)
    op.create_index("ix_games_unrated", "games", ["finished_at"], postgresql_where=found, sqlite_where=found)
