"""Who or what isn't there: every function that takes an id is given one of nobody, and says so in words."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError, NoResultFound

from pbem.engine.core.errors import EngineError
from pbem.errors import PlayError
from tests.security.test_neighbours import calls, furnish, world

if TYPE_CHECKING:
    from datetime import datetime

    import pytest
    from sqlalchemy.orm import Session

    from tests.security.test_neighbours import Call

UNKNOWN = 999_999
IN_WORDS = (PlayError, EngineError)
IDS = ("_id", "by", "seat")
"""How parameters end that name somebody or something."""
BY_THE_DATABASE = (NoResultFound, IntegrityError)
"""Raised where callers know that there is a row."""
CALLERS_KNOW = {("pbem.play.seats.substitutes:vote_out", "seat")}
"""By function the parameter that only the program itself gives."""


def test_an_id_of_nobody_is_refused_in_words(session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never by a fault of the program's; each id of each call in turn."""
    known = world(session, now)
    furnish(session, now, monkeypatch)
    faults, refused = {}, 0
    for call in calls(session, known):
        if _is_fault(_refusal(session, call)):
            continue  # it asks for more than can be made up here
        kinds = inspect.signature(call.deed).parameters
        for name in [name for name in call.given if name.endswith(IDS) and kinds[name].annotation.startswith("int")]:
            said = _refusal(session, call, name)
            refused += isinstance(said, IN_WORDS)
            if _is_fault(said):
                faults[call.name, name] = repr(said)
    session.rollback()

    assert faults.keys() == CALLERS_KNOW, faults
    assert refused > 100


def _is_fault(said: Exception | None) -> bool:
    return said is not None and not isinstance(said, IN_WORDS + BY_THE_DATABASE)


def _refusal(session: Session, call: Call, name: str = "") -> Exception | None:
    """What the call raises if `name` is the id of nobody; what it does is undone."""
    session.expire_all()
    with session.begin_nested() as inner:
        try:
            call.deed(session, **{one: UNKNOWN if one == name else make() for one, make in call.given.items()})
            session.flush()
        except Exception as error:  # noqa: BLE001 - faults are what is looked for
            return error
        finally:
            if inner.is_active:
                inner.rollback()
    return None
