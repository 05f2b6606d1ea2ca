"""Doors for machines that watch over the server: alive, ready, figures."""

from __future__ import annotations

import hmac
from datetime import timedelta

from flask import Blueprint, Response, abort, current_app, jsonify, request
from sqlalchemy import exc, func, select

from pbem import __version__, clock
from pbem.extensions import begin_reading, current, db, redis_client, settings
from pbem.store.models import Pulse
from pbem.store.queries.figures import figures

blueprint = Blueprint("health", __name__)

SLOW = timedelta(minutes=5)
"""A server whose sweeps stood still for longer isn't ready: turns would stall."""
_PATIENCE = 1.0
"""Seconds that Redis may take to answer."""
_LOCAL = ("127.0.0.1", "::1")


@blueprint.get("/healthz")
def alive() -> Response:
    """Say that the process answers; asks nothing of anybody else."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/.well-known/security.txt")
def security_contact() -> Response:
    """Say who is told of holes (RFC 9116); good for half a year from now, since it asks for less than one."""
    operator = settings().operator
    if not operator:
        abort(404)
    expires = f"{clock.now() + timedelta(days=180):%Y-%m-%dT%H:%M:%SZ}"
    return Response(
        f"Contact: mailto:{operator}\nExpires: {expires}\nPreferred-Languages: en, it, fr\n", mimetype="text/plain"
    )


@blueprint.get("/readyz")
def ready() -> tuple[Response, int]:
    """Say whether the database answers and can grow, and the sweeps run. Redis is told of: orders do without it."""
    try:
        begin_reading(db.session())
        newest = db.session.execute(select(func.max(Pulse.at))).scalar()
    except exc.SQLAlchemyError:
        db.session.rollback()
        return jsonify(version=__version__, database="unreachable"), 503
    age = None if newest is None else (clock.now() - newest).total_seconds()
    late = age is not None and age > SLOW.total_seconds()
    disk = settings().room
    stuck = late or (disk == "full" and db.engine.dialect.name == "sqlite")
    found = jsonify(version=__version__, database="ok", disk=disk, last_sweep_s=age, redis=_redis())
    return found, 503 if stuck else 200


def _redis() -> str | None:
    """Return whether Redis answers; None where one process does all and needs none."""
    if settings().embedded:
        return None
    import redis  # noqa: PLC0415 - a small club has none

    try:
        with redis_client(settings(), _PATIENCE) as client:
            client.ping()
    except redis.RedisError:
        return "unreachable"
    return "ok"


@blueprint.get("/metrics")
def metrics() -> Response:
    """Give the figures to whoever knows the token; without one, to this machine only, and never through a proxy."""
    token = settings().metrics_token
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    local = request.remote_addr in _LOCAL and not current_app.config["SESSION_COOKIE_SECURE"]
    allowed = hmac.compare_digest(sent.encode(), token.encode()) if token else local
    if not allowed:
        abort(404)
    from pbem.web.machines.metrics import CONTENT_TYPE, exposition, measured  # noqa: PLC0415 - a MB few servers need

    begin_reading(db.session())
    figures_now = exposition(figures(*current()), redis=_redis(), free=settings().free)
    return Response(measured() + figures_now, content_type=CONTENT_TYPE)
