"""Notes belong to who wrote them, not to whoever has the seat now; games are seen by members unless opened."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Give each notebook to who has its seat at present."""
    with op.batch_alter_table("notes") as notes:
        notes.add_column(sa.Column("player_id", _NUMBER, nullable=True))
        notes.create_foreign_key("fk_notes_player_id", "players", ["player_id"], ["id"])
        notes.drop_constraint("uq_notes_game_id_seat", type_="unique")
        notes.create_unique_constraint("uq_notes_game_id_seat_player_id", ["game_id", "seat", "player_id"])
        notes.create_index("ix_notes_player_id", ["player_id"])
    op.execute(
        sa.text(
            "UPDATE notes SET player_id = (SELECT seats.player_id FROM seats"
            " WHERE seats.game_id = notes.game_id AND seats.seat = notes.seat)"
        )
    )


def downgrade() -> None:
    """One notebook a seat again: the newest."""
    op.execute(sa.text("DELETE FROM notes WHERE id NOT IN (SELECT max(id) FROM notes GROUP BY game_id, seat)"))
    with op.batch_alter_table("notes") as notes:
        notes.drop_index("ix_notes_player_id")
        notes.drop_constraint("uq_notes_game_id_seat_player_id", type_="unique")
        notes.create_unique_constraint("uq_notes_game_id_seat", ["game_id", "seat"])
        notes.drop_constraint("fk_notes_player_id", type_="foreignkey")
        notes.drop_column("player_id")
