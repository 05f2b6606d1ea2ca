"""What stands before every door: forms only from our own pages, and so many calls from one address."""

from __future__ import annotations

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect

from pbem.extensions import tokens


def _visitor() -> str:
    """Return who calls, as limits count them and their log names them: a keyed digest, so that no address is kept."""
    return tokens().digest(f"visitor:{get_remote_address()}")


csrf = CSRFProtect()
limiter = Limiter(key_func=_visitor)
