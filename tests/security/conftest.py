"""The doors' own table and fingerprint of the database."""

from tests.web.conftest import rows, set_table, table

__all__ = ["rows", "set_table", "table"]
