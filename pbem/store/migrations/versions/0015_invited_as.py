"""An invitation keeps what its inviter called the person, so that the list of who was asked tells them apart."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What was typed for invitations sent before is not known any more."""
    op.add_column("invitations", sa.Column("invited_as", sa.String(200), nullable=False, server_default=""))


def downgrade() -> None:
    """People who play elsewhere are all shown alike again."""
    op.drop_column("invitations", "invited_as")
