"""One table of what lets somebody act, requests for another address, and what revokes feeds and invitations."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

from pbem.extensions import Moment

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _held_by() -> tuple[sa.Column[int], ...]:
    return (
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("player_id", _NUMBER, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
    )


_SAME = ("id", "player_id", "club_id", "seat_id", "name", "digest", "created_at", "used_at", "revoked_at")
_LIFE = timedelta(days=400)


def _carry_keys() -> None:
    """Keys as capabilities, each derived from its owner's present links."""
    connection, known = op.get_bind(), sa.MetaData()
    tables = [sa.Table(name, known, autoload_with=connection) for name in ("api_tokens", "players", "capabilities")]
    keys, players, capabilities = tables
    found = sa.select(*(keys.c[name] for name in _SAME), players.c.epoch).join(players)
    for row in connection.execute(found).mappings().all():
        more = {"purpose": "key", "expires_at": row["created_at"] + _LIFE}
        connection.execute(capabilities.insert().values({**row, **more}))


def _carry_back() -> None:
    """Only keys: the scheme before knows no browsers."""
    connection, known = op.get_bind(), sa.MetaData()
    keys, capabilities = (sa.Table(name, known, autoload_with=connection) for name in ("api_tokens", "capabilities"))
    found = sa.select(*(capabilities.c[name] for name in _SAME)).where(capabilities.c.purpose == "key")
    for row in connection.execute(found).mappings().all():
        connection.execute(keys.insert().values(dict(row)))


def upgrade() -> None:
    """Make the tables; keys made before get an end, 400 days after they were made."""
    op.create_table(
        "capabilities",
        *_held_by(),
        sa.Column("purpose", sa.String(40), nullable=False),
        sa.Column("club_id", _NUMBER, sa.ForeignKey("clubs.id")),
        sa.Column("seat_id", _NUMBER, sa.ForeignKey("seats.id")),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("used_at", Moment()),
        sa.Column("proved_until", Moment()),
        sa.Column("revoked_at", Moment()),
    )
    op.create_index("ix_capabilities_player_id", "capabilities", ["player_id"])
    _carry_keys()
    op.drop_table("api_tokens")
    op.create_table(
        "address_changes",
        *_held_by(),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("asked_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("takes_effect_at", Moment()),
    )
    op.create_index("ix_address_changes_player_id", "address_changes", ["player_id"])
    op.create_index("ix_address_changes_address", "address_changes", ["address"])
    with op.batch_alter_table("players") as players:
        players.add_column(sa.Column("feeds", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("invitations") as invitations:
        invitations.add_column(sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Bring the keys' own table back."""
    with op.batch_alter_table("invitations") as invitations:
        invitations.drop_column("epoch")
    with op.batch_alter_table("players") as players:
        players.drop_column("feeds")
    op.drop_table("address_changes")
    op.create_table(
        "api_tokens",
        sa.Column("id", _NUMBER, primary_key=True),
        sa.Column("player_id", _NUMBER, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("club_id", _NUMBER, sa.ForeignKey("clubs.id")),
        sa.Column("seat_id", _NUMBER, sa.ForeignKey("seats.id")),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("used_at", Moment()),
        sa.Column("revoked_at", Moment()),
    )
    op.create_index("ix_api_tokens_player_id", "api_tokens", ["player_id"])
    _carry_back()
    op.drop_table("capabilities")
