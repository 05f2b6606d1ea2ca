"""Three lanes in the outbox, where there were two."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Answers keep their lane; of the others nothing tells what caused them, so they share the middle one."""
    _replace(
        "urgent", sa.Column("lane", sa.SmallInteger(), nullable=False, server_default="1"), "SET lane = 0 WHERE urgent"
    )


def downgrade() -> None:
    """Whatever is no answer is alike again."""
    _replace(
        "lane",
        sa.Column("urgent", sa.Boolean(), nullable=False, server_default=sa.false()),
        "SET urgent = true WHERE lane = 0",
    )


def _replace(old: str, new: sa.Column[int] | sa.Column[bool], move: str) -> None:
    """Put a column in the place of another, `move` being what one says of the other, and its index with it."""
    op.drop_index("ix_letters_pending", "letters")
    op.add_column("letters", new)
    op.execute(f"UPDATE letters {move}")
    with op.batch_alter_table("letters") as batch:
        batch.drop_column(old)
        batch.alter_column(new.name, server_default=None)
    pending = sa.text("state = 'pending'")
    op.create_index(
        "ix_letters_pending", "letters", [new.name, "next_try_at"], postgresql_where=pending, sqlite_where=pending
    )
