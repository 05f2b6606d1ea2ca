"""`pbem db`: the migrations of the database, as Flask-Migrate offers them."""

from __future__ import annotations

from flask_migrate.cli import db

__all__ = ["db"]
