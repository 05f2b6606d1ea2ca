"""What is answered at present, without Flask's proxies: each thing asked of one takes as long as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask.globals import _cv_app, _cv_request

if TYPE_CHECKING:
    from flask import Request
    from flask.ctx import RequestContext, _AppCtxGlobals


def answered() -> RequestContext:
    """Return the request with its session and routes. Raises LookupError where none is answered."""
    return _cv_request.get()


def asked() -> Request:
    """Return the request alone."""
    return _cv_request.get().request


def kept() -> _AppCtxGlobals:
    """Return what is kept while it is answered: Flask's `g`."""
    return _cv_app.get().g
