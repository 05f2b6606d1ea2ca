"""Why a webhook's call failed is kept as a code with its values, so that each organiser reads it in their language."""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_SAID = {
    "no-server": "its name leads to no server",
    "not-public": "its name leads to an address that is not public",
    "no-address": "its address can't be called",
    "no-answer": "the call failed ({reason})",
    "refused": "it answered {status}",
    "other": "{words}",
}
"""What was stored before, by the code of now."""
_CALLS = sa.table("hook_calls", sa.column("id"), sa.column("last_error", sa.Text), sa.column("fault", sa.JSON))


def _coded(said: str) -> dict[str, Any]:
    """Return the code and the values of a sentence."""
    if found := re.fullmatch(r"it answered (\d+)", said):
        return {"code": "refused", "status": int(found[1])}
    if found := re.fullmatch(r"the call failed \((\w+)\)", said):
        return {"code": "no-answer", "reason": found[1]}
    known = {text: code for code, text in _SAID.items()}
    return {"code": known[said]} if said in known and "{" not in said else {"code": "other", "words": said}


def upgrade() -> None:
    """A sentence that no program wrote is kept word for word."""
    op.add_column("hook_calls", sa.Column("fault", sa.JSON, nullable=False, server_default=sa.text("'{}'")))
    rows = op.get_bind().execute(sa.select(_CALLS.c.id, _CALLS.c.last_error).where(_CALLS.c.last_error != "")).all()
    for number, said in rows:
        op.execute(_CALLS.update().where(_CALLS.c.id == number).values(fault=_coded(said)))
    op.drop_column("hook_calls", "last_error")


def downgrade() -> None:
    """The English sentences come back."""
    op.add_column("hook_calls", sa.Column("last_error", sa.Text, nullable=False, server_default=""))
    for number, fault in op.get_bind().execute(sa.select(_CALLS.c.id, _CALLS.c.fault)).all():
        if fault:
            said = _SAID[fault["code"]].format(**fault)
            op.execute(_CALLS.update().where(_CALLS.c.id == number).values(last_error=said))
    op.drop_column("hook_calls", "fault")
