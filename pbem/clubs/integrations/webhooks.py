"""Other services told of a club's games: what started, what ended; each thing once, tried again while it may help."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session

from pbem import budgets
from pbem.capabilities.acts import require_proof
from pbem.capabilities.roles import require_organiser
from pbem.clubs import club_views
from pbem.clubs.club_views import GameLine
from pbem.clubs.integrations import webhook_client
from pbem.engine.core.message import Message
from pbem.errors import WrongInput, not_listed
from pbem.play.admin import action_log
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.store.models import OVER, UNDERWAY, Audit, Game, GameState, Hook, HookCall
from pbem.store.queries import common
from pbem.structs import Value, from_attributes

KINDS = ("discord", "slack", "raw")
MOST = 10
"""Hooks one club can have."""
NEWEST = 100
"""Calls of a webhook of which it is told what became of them, and which are made once more."""
TRIED = budgets.Budget(20, timedelta(hours=1))
"""How often an organiser has a club's webhooks called: to try one, or to make all that it had given up once more."""
TRIES = 8
_FIRST_WAIT = timedelta(minutes=1)
_LOOKED_BACK = timedelta(days=2)
"""Older news than this is none: a new hook isn't told the club's whole history."""


def add(session: Session, now: datetime, club_id: int, by: int, kind: str, url: str) -> str:  # noqa: PLR0913, PLR0917 - what, where, for whom
    """Tell another service from now on; gives the secret its calls are signed with. Raises WrongInput, NotAllowed."""
    require_organiser(session, club_id, by)
    require_proof(session, "webhook", by)
    if kind not in KINDS:
        raise WrongInput("{word!r} is no kind of webhook. There are: {names}.", word=kind, names=KINDS)
    budgets.lock(session, f"hooks:{club_id}")
    if len(hooks_of(session, club_id)) >= MOST:
        raise WrongInput("A club has at most {limit} webhooks: end one first.", limit=MOST)
    secret = secrets.token_hex(16)
    session.add(Hook(club_id=club_id, kind=kind, url=webhook_client.checked_url(url), secret=secret, created_at=now))
    action_log.note(session, now, "webhook", by=by, club_id=club_id, kind=kind)
    return secret


class HookState(Value, kw_only=True):
    """A webhook as its organiser sees it: never its whole address, which is a key to the other service."""

    id: int
    kind: str
    host: str
    created_at: datetime
    taken: int
    """Of its newest calls, as those that wait and those that were given up."""
    waiting: int
    failed: int
    fault: Message | None
    """Of the newest call, if it was not taken at once."""
    last_at: datetime | None
    """When the newest call was noted."""


def states(session: Session, club_id: int) -> tuple[HookState, ...]:
    """Return the club's webhooks in force, and what became of their newest calls."""
    return tuple(_state(session, hook) for hook in hooks_of(session, club_id))


def _state(session: Session, hook: Hook) -> HookState:
    newest = session.execute(
        select(HookCall.state, HookCall.fault, HookCall.created_at)
        .where(HookCall.hook_id == hook.id)
        .order_by(HookCall.id.desc())
        .limit(NEWEST)
    ).all()
    counts = Counter(call.state for call in newest)
    last = newest[0] if newest else None
    return from_attributes(
        HookState,
        hook,
        taken=counts["sent"],
        waiting=counts["pending"],
        failed=counts["failed"],
        fault=webhook_client.fault_of(last.fault) if last is not None and last.state != "sent" else None,
        last_at=last.created_at if last is not None else None,
    )


def try_out(session: Session, now: datetime, club_id: int, by: int, hook_id: int) -> None:
    """Tell a service that it is told: what it answers stands on the page a moment later. Raises WrongInput."""
    hook = _hook_to_try(session, now, club_id, by, hook_id)
    told = {"event": "test", "title": "", "game": ""}
    cause = f"{hook.id}:test:{now.isoformat()}"
    session.add(HookCall(hook_id=hook.id, cause=cause, body=told, next_try_at=now, created_at=now))
    session.flush()


def retry(session: Session, now: datetime, club_id: int, by: int, hook_id: int) -> None:
    """Make the calls that were given up once more. Raises WrongInput."""
    call_again(session, now, _hook_to_try(session, now, club_id, by, hook_id).id)


def call_again(session: Session, now: datetime, hook_id: int) -> None:
    """Make those of a webhook's newest calls that were given up once more; who may ask is the caller's matter."""
    newest = select(HookCall.id).where(HookCall.hook_id == hook_id).order_by(HookCall.id.desc()).limit(NEWEST)
    session.execute(
        update(HookCall)
        .where(HookCall.id.in_(newest), HookCall.state == "failed")
        .values(state="pending", attempts=0, next_try_at=now)
    )


def _hook_to_try(session: Session, now: datetime, club_id: int, by: int, hook_id: int) -> Hook:
    """Return a webhook that an organiser has called, and note that. Raises WrongInput, also beyond the budget."""
    require_organiser(session, club_id, by)
    found = _hook(session, club_id, hook_id, Hook.in_force())
    budgets.lock(session, f"webhooks tried:{club_id}")
    tried = (Audit.act == "try-webhook", Audit.at > TRIED.since(now))
    if common.count(session, Audit.club_id == club_id, *tried) >= TRIED.most:
        raise WrongInput(
            "This club's webhooks were tried {most} times within an hour, the most there can be. Try again later.",
            most=TRIED.most,
        )
    action_log.note(session, now, "try-webhook", by=by, club_id=club_id, hook=hook_id)
    return found


def hooks_of(session: Session, club_id: int) -> tuple[Hook, ...]:
    """Return the club's webhooks in force."""
    return tuple(session.scalars(select(Hook).where(Hook.club_id == club_id, Hook.in_force()).order_by(Hook.id)))


def end(session: Session, now: datetime, club_id: int, by: int, hook_id: int) -> None:
    """Tell a service no more. Raises WrongInput for none of the club's."""
    require_organiser(session, club_id, by)
    hook = _hook(session, club_id, hook_id)
    hook.ended_at = hook.ended_at or now


def _hook(session: Session, club_id: int, hook_id: int, *more: ColumnElement[bool]) -> Hook:
    found = session.scalar(select(Hook).where(Hook.id == hook_id, Hook.club_id == club_id, *more))
    if found is None:
        raise not_listed(hook_id)
    return found


def collect(session: Session, now: datetime) -> None:
    """Note what has happened since, one call a hook and thing."""
    hooks = session.scalars(select(Hook).where(Hook.in_force()).order_by(Hook.id)).all()
    rows = [row for hook in hooks for row in _news(session, now, hook)]
    if rows:
        session.execute(common.insert_new(session, HookCall, "cause"), rows)


def _news(session: Session, now: datetime, hook: Hook) -> list[dict[str, Any]]:
    since = max(now - _LOOKED_BACK, hook.created_at)
    games = session.scalars(
        select(Game)
        .where(
            Game.club_id == hook.club_id,
            or_(
                Game.state.in_(OVER) & (Game.finished_at > since),
                Game.state.in_(UNDERWAY) & (Game.started_at > since),
            ),
        )
        .order_by(func.coalesce(Game.finished_at, Game.started_at), Game.id)
    ).all()
    return [
        _call(now, hook, game.id, line) for game, line in zip(games, club_views.lines_of(session, games), strict=True)
    ]


def _call(now: datetime, hook: Hook, game_id: int, line: GameLine) -> dict[str, Any]:
    """Return the call that tells of a game: how it ended, or that it has begun."""
    event = line.state.value if line.state.is_over else "started"
    told = {"event": event, "title": line.title, "game": line.game}
    return {
        "hook_id": hook.id,
        "cause": f"{hook.id}:{game_id}:{event}",
        "body": told | _result(line) if line.state.is_over else told,
        "next_try_at": now,
        "created_at": now,
    }


def _result(line: GameLine) -> dict[str, Any]:
    """Return who played and what they came to; no scores and places where they agreed to end it."""
    return {"slug": line.slug, "players": line.players, "scores": list(line.scores), "places": list(line.places)}


def call_one(session: Session, now: datetime, post: Callable[[str, bytes, str], None] = webhook_client.post) -> bool:
    """Make one call that is due and store its result; return whether one was due. Commit after each.

    A failed call waits twice as long each time; after eight tries, or one that can't be mended, it is given up.
    """
    row = session.execute(
        select(HookCall, Hook)
        .join(Hook)
        .where(HookCall.state == "pending", HookCall.next_try_at <= now)
        .order_by(HookCall.next_try_at, HookCall.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=HookCall)
    ).one_or_none()
    if row is None:
        return False
    call, hook = row
    if hook.ended_at is not None:
        call.state = "failed"
        return True
    call.attempts += 1
    told = call.body | {"id": call.id, "at": call.created_at.isoformat()}  # the same whenever it is tried again
    try:
        post(hook.url, webhook_client.body_for(hook.kind, _text(call.body), told), hook.secret)
    except webhook_client.HookFailed as failed:
        call.fault = failed.stored
        call.next_try_at = now + _FIRST_WAIT * 2 ** (call.attempts - 1)
        call.state = "failed" if failed.permanent or call.attempts >= TRIES else "pending"
    else:
        call.state = "sent"
    session.flush()
    return True


def _text(body: dict[str, Any]) -> str:
    """One line for a chat, in English as all such services read it."""
    if body["event"] == "test":
        return "This is a test of pbem: the club's games will be told of here."
    if body["event"] == "started":
        return f"{body['title']} has begun."
    if body["event"] == GameState.ENDED:
        return f"{body['title']}: {STILL[GameState.ENDED]}"
    lines = sorted(zip(body["places"], body["players"], body["scores"], strict=True))
    return f"{body['title']} is over: " + ", ".join(f"{place}. {name} {score}" for place, name, score in lines)
