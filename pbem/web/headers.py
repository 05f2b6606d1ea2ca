"""What every answer carries: no foreign resources, no referrer, nothing kept by caches or indexed."""

from __future__ import annotations

from flask import Flask, Response

from pbem.store import outages
from pbem.web.current import current_request

_STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
LETTER_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
)
"""An HTML letter in the demo's mailbox: its inline styles, no scripts, links that open in the page around it."""
KEEPSAKE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A keepsake is one file that must also work when it is saved; nothing a person wrote stands in it unescaped."""

_FILES = ("assets.send", "assets.favicon")
"""Endpoints whose answers caches may keep."""
_UNAVAILABLE = 503
"""Whatever answers it, at whichever door, says after how many seconds to come again (RFC 9110, 10.2.3)."""


def register(app: Flask) -> None:
    """Set the headers of every answer of `app`."""
    secure = {"Strict-Transport-Security": "max-age=31536000"} if app.config["SESSION_COOKIE_SECURE"] else {}
    always = {
        "Content-Security-Policy": _STRICT,
        **secure,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",  # what frame-ancestors says, for programs that know no policy
        "X-Robots-Tag": "noindex, nofollow",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cache-Control": "no-store",
    }
    wanted = [(name.lower(), name, value) for name, value in always.items()]
    cached = [header for header in wanted if header[1] != "Cache-Control"]
    later = [*wanted, ("retry-after", "Retry-After", f"{outages.FIRST:.0f}")]

    @app.after_request
    def protect(answer: Response) -> Response:
        """Add what isn't set yet; a view may set a policy of its own."""
        present = {name.lower() for name, _ in answer.headers}
        lasting = cached if current_request().endpoint in _FILES else wanted
        for low, name, value in later if answer.status_code == _UNAVAILABLE else lasting:
            if low not in present:
                answer.headers.add(name, value)
        return answer
