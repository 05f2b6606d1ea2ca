"""Who sat in and which addresses were changed costs the sweeps nothing any more, however much of it there is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_SHORT = (
    ("ix_sitters_in_force", "sitters", "ends", sa.text("ended_at IS NULL")),
    ("ix_address_changes_confirmed", "address_changes", "takes_effect_at", sa.text("state = 'confirmed'")),
)


def upgrade() -> None:
    """Two indexes of what is still to end."""
    for name, table, column, where in _SHORT:
        op.create_index(name, table, [column], postgresql_where=where, sqlite_where=where)


def downgrade() -> None:
    """A program before this one walks through the tables."""
    for name, table, _, _ in _SHORT:
        op.drop_index(name, table)
