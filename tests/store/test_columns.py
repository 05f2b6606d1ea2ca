"""What the kinds of column promise, and which of them no view is filled with unasked."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from operator import attrgetter

import msgspec
import pytest
from sqlalchemy import JSON, Enum, LargeBinary, String

from pbem.store.models.columns import TableRow, opaque_name
from pbem.structs import SECRET, from_attributes
from tests.test_house import HOME
from tests.test_structure import OURS, modules, name_of

NAMES_AND_WORDS = {"name", "title", "slug", "zone", "invited_as", "phase", "round", "purpose"}
"""Short texts that somebody is shown by, and words of ours."""
SETTINGS = {"settings", "kinds_off", "options", "cadence", "ladder", "never", "titles", "query"}
"""What somebody has chosen."""
PUBLIC = {"commitment", "outcome", "players"}
TOLD = {"reason", "ended_why"}
"""What everybody at a table is told of an act or an end."""
INNER = {"request", "cause", "body", "fault"}
"""What programs know a thing by."""


class Everything:
    """A row that has every column."""

    def __getattr__(self, name: str) -> str:
        """Give a value for any of them."""
        return f"the row's {name}"


def test_a_name_of_chance_can_be_typed_anywhere() -> None:
    """Of 2,000 names no two are alike, and none holds a sign that means something to a shell, an address or a link."""
    names = [opaque_name() for _ in range(2000)]
    assert len(set(names)) == len(names)
    assert all(len(name) == 12 and name.isascii() and name.isalnum() for name in names)


def test_every_column_that_can_hold_a_secret_is_one_or_is_known_to_be_none() -> None:
    """Whatever holds bytes, a table of values or a long text is marked as secret, or stands above with its reason."""
    columns = [column for table in TableRow.metadata.tables.values() for column in table.columns]
    texts = {
        column.key
        for column in columns
        if isinstance(column.type, LargeBinary | JSON)
        or (isinstance(column.type, String) and not isinstance(column.type, Enum) and (column.type.length or 99) >= 64)
    }

    assert texts - SECRET == (NAMES_AND_WORDS | SETTINGS | PUBLIC | TOLD | INNER)


def views() -> list[type[msgspec.Struct]]:
    """Every value of the program that has a field called like a secret column."""
    kinds = {
        kind
        for path in OURS
        if "engine" not in path.parts and "contract" not in path.parts and path.name != "__main__.py"
        for kind in vars(import_module(name_of(path))).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and SECRET & set(kind.__struct_fields__)
    }
    return sorted(kinds, key=str)


@pytest.mark.parametrize("kind", views(), ids=lambda kind: kind.__name__)
def test_no_view_is_filled_with_a_secret_unseen(kind: type[msgspec.Struct]) -> None:
    """A field called like a secret column is handed in by name, or nothing is made, whatever the row is."""
    named = dict.fromkeys(SECRET & set(kind.__struct_fields__), "given")
    for left_out in named:
        with pytest.raises(TypeError, match=f"secret.*{left_out}"):
            from_attributes(kind, Everything(), **{name: value for name, value in named.items() if name != left_out})

    made = from_attributes(kind, Everything(), **named)

    assert {name: getattr(made, name) for name in named} == named


def test_every_view_names_the_secrets_it_takes() -> None:
    """Where a view is made from a row, each field called like a secret column is handed in; no test has to come by."""
    calls = [
        (name, ast.unparse(node.args[0]), {word.arg for word in node.keywords})
        for name, module in modules().items()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "from_attributes"
    ]
    taken = [(kind, named, attrgetter(kind)(import_module(name)).__struct_fields__) for name, kind, named in calls]
    unnamed = {kind: missing for kind, named, fields in taken if (missing := SECRET & set(fields) - named)}

    assert len(calls) > 15
    assert unnamed == {}


def test_views_are_filled_from_rows_in_one_way() -> None:
    """Nothing else takes fields by name from whatever has them."""
    other = re.compile(r"from_attributes=True|\*\*vars\(|\.__dict__")

    assert [str(path) for path in OURS if other.search((HOME / path).read_text("utf-8"))] == []
