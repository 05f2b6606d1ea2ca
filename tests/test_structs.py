from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest

from pbem import structs


class Seen(msgspec.Struct, frozen=True):
    """What somebody is shown of a row."""

    name: str
    ply: int
    title: str = "none"


ROW = SimpleNamespace(name="Nile", ply=3, hidden="x")


def test_fields_are_taken_by_their_names() -> None:
    """Of what the row has; what it lacks keeps its default, and what is handed in comes before."""
    assert structs.from_attributes(Seen, ROW) == Seen("Nile", 3, "none")
    assert structs.from_attributes(Seen, ROW, ply=4, title="t") == Seen("Nile", 4, "t")
    assert structs.from_attributes(Seen, SimpleNamespace(name="Nile"), ply=1) == Seen("Nile", 1)
    with pytest.raises(TypeError, match="ply"):
        structs.from_attributes(Seen, SimpleNamespace(name="Nile"))


def test_nothing_secret_is_taken_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field called like a secret column is handed in by name, or the whole is refused."""
    monkeypatch.setattr(structs, "SECRET", {"ply", "seed"})

    assert structs.from_attributes(Seen, ROW, ply=5) == Seen("Nile", 5)
    with pytest.raises(TypeError, match=r"Seen would be filled with what is secret: \['ply'\]"):
        structs.from_attributes(Seen, ROW)
