"""What was done outside the rules stands in the log under the name it is called by: one spelling of each act."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_RENAMED = (
    ("go on", "resume"),
    ("fresh link", "fresh"),
    ("take up", "take-up"),
    ("call off", "call-off"),
    ("not filled", "not-filled"),
    ("put_bot", "put-bot"),
    ("vote_out", "vote-out"),
    ("look view", "look-view"),
    ("look orders", "look-orders"),
    ("look standing", "look-standing"),
)
"""Acts of a table; the row of an organiser's act on several games had the new name all along."""
_OF_NO_TABLE = (
    ("take out", "take-out"),
    ("operator: address", "operator-address"),
    ("operator: erase", "operator-erase"),
    ("operator: link", "operator-link"),
    ("operator: retry letters", "operator-retry-letters"),
    ("operator: retry webhook", "operator-retry-webhook"),
    ("operator: revoke", "operator-revoke"),
)


def _rename(*pairs: tuple[str, str], of_games: bool) -> None:
    log = sa.table("audit_log", sa.column("act"), sa.column("game_id"))
    which = log.c.game_id.is_not(None) if of_games else log.c.game_id.is_(None)
    for was, becomes in pairs:
        op.execute(log.update().where(log.c.act == was, which).values(act=becomes))


def upgrade() -> None:
    """Rows stay, with their reasons and what they undo."""
    _rename(*_RENAMED, of_games=True)
    _rename(*_OF_NO_TABLE, of_games=False)


def downgrade() -> None:
    """A program before this one words only the names of old."""
    _rename(*((new, old) for old, new in _RENAMED), of_games=True)
    _rename(*((new, old) for old, new in _OF_NO_TABLE), of_games=False)
