"""The application: settings in, a Flask app with its database, doors and tasks out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
from flask import Flask, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import configure_mappers

from pbem import config, logs
from pbem.capabilities.tokens import Tokens
from pbem.config import Config
from pbem.extensions import READING, db, mail
from pbem.jobs import celery_app
from pbem.store import models  # noqa: F401 - the migrations compare the database with these

_DEADLOCK = "40P01"
"""PostgreSQL's code where two wait for each other, and one is given up so that the other goes on."""


class Application(Flask):
    """Flask, each of whose requests is one transaction."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return it as it is: none of ours is a coroutine, which Flask asks of a dozen functions for each request."""
        return func

    def dispatch_request(self) -> ResponseReturnValue:
        """Return what the handler answers, and commit what it did; what it raises is rolled back where it is answered.

        No handler commits by itself, and none can forget to. Where somebody else wrote the same row at this very
        moment, as a second tap does, or wants the same rows in another order, as two who write to many do, the handler
        is asked once more: it now sees what that one wrote.
        """
        try:
            return self._dispatched()
        except (IntegrityError, OperationalError) as fault:
            if isinstance(fault, OperationalError) and getattr(fault.orig, "sqlstate", "") != _DEADLOCK:
                raise
            db.session.rollback()
            for file in request.files.values():
                file.seek(0)
            return self._dispatched()

    def _dispatched(self) -> ResponseReturnValue:
        answer = super().dispatch_request()
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            db.session.commit()
        return answer


def create_app(settings: Config | None = None, *, doors: bool = True) -> Flask:
    """Return the app for `settings`, by default those of the environment; raises ConfigError naming a wrong one.

    `doors`: with its pages and the API, a fifth of its memory that a worker has no use for.
    """
    settings = settings or config.from_environ()
    logs.configure(json=settings.log_json)
    app = Application("pbem", static_folder=None, template_folder=None)
    app.config.from_mapping(_flask_settings(settings))
    app.extensions["pbem.settings"] = settings
    app.extensions["pbem.capabilities.tokens"] = Tokens(settings.secret_keys)
    for extension in (db, mail):
        extension.init_app(app)
    celery_app.init_app(app, settings)
    if doors:
        from pbem import web  # noqa: PLC0415 - what a worker doesn't load takes no memory

        web.register(app)
    configure_mappers()  # what forks has it in common; else each process does so for its first page
    return app


def _flask_settings(settings: Config) -> dict[str, Any]:
    return {
        "SECRET_KEY": settings.secret_keys[-1][1],
        "SECRET_KEY_FALLBACKS": [secret for _, secret in settings.secret_keys[:-1]],
        "SESSION_COOKIE_SECURE": settings.base_url.startswith("https:"),
        "TRUSTED_HOSTS": _hosts(settings),
        "MAX_CONTENT_LENGTH": 2_000_000,
        "SQLALCHEMY_DATABASE_URI": settings.database_url,
        "SQLALCHEMY_ENGINE_OPTIONS": _engine_options(settings),
        "SQLALCHEMY_BINDS": _reading(settings),
        "RATELIMIT_ENABLED": settings.rate_limits,
        "RATELIMIT_STORAGE_URI": settings.redis_url.replace("redis+socket:", "redis+unix:") or "memory://",
        "RATELIMIT_STORAGE_OPTIONS": _bounded() if settings.redis_url else {},
        "RATELIMIT_IN_MEMORY_FALLBACK_ENABLED": True,  # a Redis that is down stops nobody
        "RATELIMIT_HEADERS_ENABLED": True,
        **_mail_settings(settings),
    }


def _hosts(settings: Config) -> list[str] | None:
    """The names a demo answers to, whose mailbox anybody who reaches it reads; another server stands behind a proxy."""
    named = urlsplit(settings.base_url).hostname
    return ["127.0.0.1", "localhost", "[::1]", *([named] if named else [])] if settings.demo else None


def _bounded() -> dict[str, float]:
    return {"socket_timeout": 1.0, "socket_connect_timeout": 1.0}


_OPTIONS = {
    "plan_cache_mode": "force_generic_plan",  # every statement is planned once: the page's place in the queue never was
    "random_page_cost": 1.1,  # it lies in memory: for one game all questions of a small club were read
    "timezone": "UTC",  # moments read in the machine's zone, and then turned, take a third longer
    "lock_timeout": 5_000,  # whoever waits behind somebody who waits may wait twice so long
    "statement_timeout": 60_000,
    "idle_in_transaction_session_timeout": 15_000,  # a worker that was frozen has lost its lock when it wakes
}
"""How PostgreSQL plans and tells times for us, and how long it waits, or lets us wait, in milliseconds."""


def _reading(settings: Config) -> dict[str, dict[str, Any]]:
    """Return the connections that only look; on SQLite the one file's own transactions are as cheap."""
    if not settings.database_url.startswith("postgresql"):
        return {}
    options = _engine_options(settings)
    said = f"{options['connect_args']['options']} -c default_transaction_read_only=on"
    arguments = {**options["connect_args"], "options": said}
    only_look = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True, "connect_args": arguments}
    return {READING: {**options, "url": settings.database_url, **only_look}}


def _engine_options(settings: Config) -> dict[str, Any]:
    options: dict[str, Any] = {
        "json_serializer": lambda value: msgspec.json.encode(value).decode(),
        "json_deserializer": msgspec.json.decode,
        "query_cache_size": 2000,
        "hide_parameters": True,  # an error's text goes to the log, and orders, hands and addresses never do
    }
    if settings.database_url.startswith("postgresql"):
        options |= {
            "pool_size": 10,
            "max_overflow": 20,
            "pool_timeout": 5,
            "pool_use_lifo": True,  # a few warm connections do the work, of which many stay for the rush
            "pool_pre_ping": False,  # a cut connection gives one clear 503; asking first costs every request
            "connect_args": {
                "connect_timeout": 5,
                "client_encoding": "utf8",  # a cluster made without a locale would give bytes for texts
                "options": " ".join(f"-c {name}={value}" for name, value in _OPTIONS.items()),
            },
        }
    return options


def _mail_settings(settings: Config) -> dict[str, Any]:
    if not settings.smtp_url:
        return {"MAIL_BACKEND": "dummy"}
    url = urlsplit(settings.smtp_url)
    return {
        "MAIL_BACKEND": "pbem.mail.verified",
        "MAIL_SERVER": url.hostname,
        "MAIL_PORT": url.port or (465 if url.scheme == "smtps" else 25),
        "MAIL_USERNAME": unquote(url.username) if url.username else None,
        "MAIL_PASSWORD": unquote(url.password) if url.password else None,
        "MAIL_USE_SSL": url.scheme == "smtps",
        "MAIL_USE_TLS": url.scheme == "smtp" and bool(url.username),
        "MAIL_TIMEOUT": 45,  # a relay that needs half a minute is slow, not dead; less than half of outbox.STALE
    }
