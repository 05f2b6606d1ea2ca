"""Bringing the current app's database to a scheme, and naming the newest."""

from __future__ import annotations

import click
from alembic import command
from alembic.script import ScriptDirectory
from flask import current_app

from pbem.store.migrations.before_1_0 import TooOld


def migrate(revision: str = "head") -> None:
    """Bring the current app's database up to a revision. Raises ClickException for one that no way leads on from."""
    try:
        command.upgrade(current_app.extensions["migrate"].migrate.get_config(), revision)
    except TooOld as fault:
        raise click.ClickException(str(fault)) from fault


def newest() -> str:
    """The scheme this program works with."""
    head = ScriptDirectory.from_config(current_app.extensions["migrate"].migrate.get_config()).get_current_head()
    assert head is not None
    return head
