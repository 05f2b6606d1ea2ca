"""Doors for browsers and programs: each reads, calls one use case, and answers."""

from __future__ import annotations

from importlib import import_module

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from pbem.capabilities import browsers
from pbem.web import errors, fields, headers, pages
from pbem.web.account import browser_keys
from pbem.web.guards import csrf, csrf_token, limiter
from pbem.web.seat import authorize
from pbem.web.templating import PageEnvironment

BLUEPRINTS = (
    "assets",
    "machines.health",
    "public.home",
    "account.links",
    "public.invitation",
    "account.queue",
    "play.views",
    "play.history",
    "play.analysis",
    "play.score",
    "play.standing_orders",
    "seat.talk",
    "seat.settings",
    "account.settings",
    "public.games",
    "public.results",
    "public.rules",
    "public.learn",
    "account.practice",
    "organiser.game_admin",
    "public.mailbox",
    "machines.mailhook",
    "api",
    "club.views",
    "organiser.opening",
    "organiser.control_room",
    "club.services",
    "club.settings",
    "club.box",
    "club.seasons",
    "account.views",
    "account.operator",
    "club.feeds",
    "play.plans",
)
"""Every module that has a blueprint of its own, called `blueprint`."""


def register(app: Flask) -> None:
    """Give `app` its pages, their errors, headers and templates."""
    app.config.setdefault("SESSION_COOKIE_SECURE", False)
    app.config.update(
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME="pbem",
        PERMANENT_SESSION_LIFETIME=browsers.LIFE,
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,  # pages stay open for days
        WTF_CSRF_SSL_STRICT=False,  # that check wants a Referer, which we ask browsers not to send
    )
    if app.config["SESSION_COOKIE_SECURE"]:
        # https ends at a proxy in front of us, which says whom it speaks for; limits count by that address
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=0)  # type: ignore[method-assign]  # Flask's own way
    app.session_interface = browser_keys.Cookie()
    app.jinja_environment = PageEnvironment
    csrf.init_app(app)
    app.jinja_env.globals["csrf_token"] = csrf_token
    limiter.init_app(app)
    fields.register(app)
    headers.register(app)
    pages.register(app)
    app.before_request(authorize.begin_act)
    errors.register(app)
    for name in BLUEPRINTS:
        app.register_blueprint(import_module(f"pbem.web.{name}").blueprint)
