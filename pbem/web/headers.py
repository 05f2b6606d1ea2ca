"""What every answer carries: no foreign resources, no referrer, nothing kept by caches or indexed."""

from __future__ import annotations

from flask import Flask, Response, request
from secure import ContentSecurityPolicy, ReferrerPolicy, Secure, StrictTransportSecurity, XContentTypeOptions

_STRICT = (
    ContentSecurityPolicy()
    .default_src("'none'")
    .script_src("'self'")
    .style_src("'self'")
    .img_src("'self'", "data:")
    .font_src("'self'")
    .connect_src("'self'")
    .manifest_src("'self'")
    .frame_src("'self'")
    .form_action("'self'")
    .base_uri("'none'")
    .frame_ancestors("'none'")
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


def guard(app: Flask) -> None:
    """Set the headers of every answer of `app`."""
    hsts = StrictTransportSecurity().max_age(31_536_000) if app.config["SESSION_COOKIE_SECURE"] else None
    kept = Secure(csp=_STRICT, hsts=hsts, referrer=ReferrerPolicy().no_referrer(), xcto=XContentTypeOptions().nosniff())
    always = {
        **kept.headers,
        "X-Frame-Options": "DENY",  # what frame-ancestors says, for programs that know no policy
        "X-Robots-Tag": "noindex, nofollow",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }

    @app.after_request
    def protect(answer: Response) -> Response:
        """Add what isn't set yet; a view may set a policy of its own."""
        for name, value in always.items():
            answer.headers.setdefault(name, value)
        if request.endpoint not in ("assets.send", "assets.favicon"):
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer
