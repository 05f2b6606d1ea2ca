"""A server of pages within the process of a test; what it serves, it writes down nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from flask import Flask


class Silent(WSGIRequestHandler):
    """Logs no request: its address may be somebody's personal link, and what a failed test prints is kept."""

    def log_request(self, *_: Any) -> None:
        """Say nothing."""


def web_server(app: Flask, port: int = 0) -> BaseWSGIServer:
    """Return a server of the app's pages on a loopback port, by default any that is free; serve with it in a thread."""
    return make_server(LOOPBACK, port, app, threaded=True, request_handler=Silent)
