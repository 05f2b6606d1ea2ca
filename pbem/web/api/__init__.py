"""The door for programs: everything the pages can, as JSON under `/api/v1`, described by `openapi.json`."""

from pbem.web.api import chair, clubs, games, me, room, seasons, seats, services, table
from pbem.web.api.door import blueprint, spec

__all__ = [
    "blueprint",
    "chair",
    "clubs",
    "games",
    "me",
    "room",
    "seasons",
    "seats",
    "services",
    "spec",
    "table",
]
