"""Who or what isn't there: every function that takes an id is given one of nobody, and says so in words."""

from __future__ import annotations

import ast
import inspect
import re
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError, NoResultFound

from pbem.engine.core.errors import EngineError
from pbem.errors import PlayError
from tests.security.test_neighbours import calls, furnish, world
from tests.test_house import HOME, functions, tree

if TYPE_CHECKING:
    from datetime import datetime

    import pytest
    from sqlalchemy.orm import Session

    from tests.security.test_neighbours import Call

UNKNOWN = 999_999
NOBODY = {"int": UNKNOWN, "str": "nobody's"}
IN_WORDS = (PlayError, EngineError)
IDS = ("_id", "by", "seat")
"""How parameters end that name somebody or something."""
BY_THE_DATABASE = (NoResultFound, IntegrityError)
"""Raised where callers know that there is a row."""
CALLERS_KNOW = {("pbem.play.seats.substitutes:vote_out", "seat")}
"""By function the parameter that only the program itself gives."""

_ENDS = (
    *("call_off", "cancel", "clear", "decline", "delete", "drop", "end", "erase", "forget", "give_up", "leave"),
    *("remove", "resign", "revoke", "stop", "take_out", "withdraw"),
)
ENDS = re.compile(rf"(?:.*:)?(?:{'|'.join(_ENDS)})(?:_(?!all\b)\w+)?")
"""How functions are called that end or take away one thing, named by its number or its name."""
ALL_OF_THEM = {
    "pbem.clubs.members.members:end_membership",
    "pbem.clubs.seasons.season_tables:withdraw",
    "pbem.play.seats.sitters:end_of_seat",
    "pbem.store.queries.ply_writes:drop_receipts",
}
"""These end whatever somebody has, be it nothing."""
OTHERWISE = {"drop_out": "_step", "take_out": "_step"}
"""By call of a season's the name under which it asks for an act of the table of them."""


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


def test_what_is_not_there_is_ended_by_nobody_in_silence(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ends one thing refuses one that isn't there or isn't theirs, at every door alike; so each DELETE."""
    known = world(session, now)
    furnish(session, now, monkeypatch)
    silent, ending = set(), set()
    for call in calls(session, known):
        name, kinds = call.name.partition(" ")[0], inspect.signature(call.deed).parameters
        if ENDS.fullmatch(name):
            ending.add(name.partition(":")[2])
            ids = [one for one in call.given if str(kinds[one].annotation) in NOBODY]
            silent |= {name for one in ids if _refusal(session, call, one) is None}
    session.rollback()
    deleting = {
        handler.name: {
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for node in ast.walk(handler)
            if isinstance(node, ast.Call)
        }
        for path in sorted((HOME / "pbem/web/api").glob("*.py"))
        for handler in functions(tree(path.relative_to(HOME)))
        if any("'DELETE'" in ast.unparse(one) for one in handler.decorator_list)
    }

    ending -= {name.partition(":")[2] for name in silent}
    assert silent == ALL_OF_THEM
    assert len(deleting) > 10
    others = [name for name, used in deleting.items() if not used & {*ending, OTHERWISE.get(name)}]
    assert others == ["withdraw"]  # an order: its question goes on


def _is_fault(said: Exception | None) -> bool:
    return said is not None and not isinstance(said, IN_WORDS + BY_THE_DATABASE)


def _refusal(session: Session, call: Call, name: str = "") -> Exception | None:
    """What the call raises if `name` is the id of nobody; what it does is undone."""
    session.expire_all()
    nobody = NOBODY.get(str(inspect.signature(call.deed).parameters[name].annotation), UNKNOWN) if name else None
    with session.begin_nested() as inner:
        try:
            call.deed(session, **{one: nobody if one == name else make() for one, make in call.given.items()})
            session.flush()
        except Exception as error:  # noqa: BLE001 - faults are what is looked for
            return error
        finally:
            if inner.is_active:
                inner.rollback()
    return None
