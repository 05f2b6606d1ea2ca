"""What the tests of use cases share: a session of the app's own, and the moment the games begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import START

if TYPE_CHECKING:
    from datetime import datetime

    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session


@pytest.fixture
def session(db: SQLAlchemy) -> Session:
    """The app's session."""
    return db.session()


@pytest.fixture
def now() -> datetime:
    """When the tests' games begin."""
    return START
