"""What the kinds of column promise."""

from __future__ import annotations

from pbem.store.models.columns import opaque_name


def test_a_name_of_chance_can_be_typed_anywhere() -> None:
    """Of 2,000 names no two are alike, and none holds a sign that means something to a shell, an address or a link."""
    names = [opaque_name() for _ in range(2000)]
    assert len(set(names)) == len(names)
    assert all(len(name) == 12 and name.isascii() and name.isalnum() for name in names)
