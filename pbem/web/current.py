"""The request being answered, without Flask's proxies: each attribute asked of one takes as long as a sentence.

All of these raise RuntimeError where none is answered.
"""

# ruff: noqa: SLF001 - Werkzeug's documented way past a proxy begins with an underscore
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import g, request
from flask.globals import request_ctx

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Request
    from flask.ctx import RequestContext, _AppCtxGlobals

_context: Any = request_ctx
_request: Any = request
_g: Any = g

current_context: Callable[[], RequestContext] = _context._get_current_object
"""Return the request with its session and routes."""
current_request: Callable[[], Request] = _request._get_current_object
"""Return the request alone."""
current_g: Callable[[], _AppCtxGlobals] = _g._get_current_object
"""Return what is kept while it is answered."""


def only_looks() -> bool:
    """Return whether the request asks to see something and changes nothing."""
    return current_request().method in ("GET", "HEAD")
