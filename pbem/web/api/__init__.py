"""The door for programs: everything the pages can, as JSON under `/api/v1`, described by `openapi.json`."""

from pbem.web.api import clubs, games, me, organiser, seasons, seat_settings, seats, services, table_talk
from pbem.web.api.core import blueprint, spec

__all__ = [
    "blueprint",
    "clubs",
    "games",
    "me",
    "organiser",
    "seasons",
    "seat_settings",
    "seats",
    "services",
    "spec",
    "table_talk",
]
