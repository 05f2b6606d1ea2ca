"""Bringing the current app's database to a scheme, and naming the newest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from alembic import command
from alembic.script import ScriptDirectory
from flask import current_app
from flask_migrate import Migrate

from pbem.extensions import db
from pbem.store import migrations
from pbem.store.migrations.before_1_0 import TooOld

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(migrations.__file__).parent


def scripts() -> Config:
    """Where Alembic finds the current app's migrations; commands load it, a server at rest does without its 8 MB."""
    if "migrate" not in current_app.extensions:
        Migrate(current_app, db, directory=str(MIGRATIONS))
    return cast("Config", current_app.extensions["migrate"].migrate.get_config())


def migrate(revision: str = "head") -> None:
    """Bring the current app's database up to a revision. Raises ClickException for one that no way leads on from."""
    try:
        command.upgrade(scripts(), revision)
    except TooOld as fault:
        raise click.ClickException(str(fault)) from fault


def newest() -> str:
    """The scheme this program works with."""
    head = ScriptDirectory.from_config(scripts()).get_current_head()
    assert head is not None
    return head
