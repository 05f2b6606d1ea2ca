"""Gunicorn's own lines in the form of all others: it sets its loggers up by itself, before there is an app."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]  # it ships no types

from pbem import config, logs


class ServerLogger(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """Hands gunicorn's lines to the root logger; named by `--logger-class` in the Procfile."""

    def setup(self, cfg: Any) -> None:
        """Take away gunicorn's own handlers once it has made them."""
        super().setup(cfg)
        logs.configure(json=config.from_environ().log_json)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
