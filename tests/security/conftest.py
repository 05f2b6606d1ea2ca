"""The doors' own table and fingerprint of the database, and the pages with forms."""

from tests.security.scenes import build
from tests.web.conftest import rows, set_table, table

__all__ = ["build", "rows", "set_table", "table"]
