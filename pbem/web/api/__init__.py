"""The door for programs: everything the pages can, as JSON under `/api/v1`, described by `openapi.json`."""

from pbem.web.api import clubs, games, seats
from pbem.web.api.door import blueprint, spec

__all__ = ["blueprint", "clubs", "games", "seats", "spec"]
