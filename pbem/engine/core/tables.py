"""Tables that lie beside a game's rules as files: each has a shape, by which it is read and checked."""

from __future__ import annotations

from importlib.resources import files
from typing import ClassVar, Self

import msgspec

from pbem.structs import Value


class GameTable(Value, forbid_unknown_fields=True):
    """What such a file holds; its sentences are message ids."""

    FILE: ClassVar[str]
    """What it is called in every game."""

    @classmethod
    def of(cls, package: str) -> Self:
        """Return the table of the game in `package`. Raises msgspec.ValidationError naming what is wrong in it."""
        return msgspec.toml.decode(files(package).joinpath(cls.FILE).read_bytes(), type=cls)
