"""Calls about other services of a club: webhooks told of its games, keys of the organiser who calls."""

from __future__ import annotations

from typing import Any

from pbem.capabilities import api_keys
from pbem.clubs.integrations import webhooks as hooks
from pbem.extensions import db
from pbem.web.api.answers import shape
from pbem.web.api.core import calls, my_club, organising
from pbem.web.api.me import KeyOut
from pbem.web.api.shapes import StateOut

call = calls("services")

HookOut = shape(
    "HookOut",
    "A webhook in force and what became of its calls; its address and secret are told to nobody.",
    hooks.HookState,
    "id kind host created_at taken waiting failed last_error=fault",
)


@call("GET", "/clubs/<int:club_id>/hooks", [HookOut])
def webhooks(club_id: int) -> Any:
    """The club's webhooks in force."""
    return hooks.states(db.session(), my_club(club_id))


@call("POST", "/clubs/<int:club_id>/hooks/<int:hook_id>/test", StateOut, marked=True)
def test_hook(club_id: int, hook_id: int) -> Any:
    """Tell a service that it is told: what became of it stands in the list a moment later."""
    hooks.try_out(*organising(club_id), hook_id)
    return StateOut("waiting")


@call("POST", "/clubs/<int:club_id>/hooks/<int:hook_id>/retry", StateOut, marked=True)
def retry_hook(club_id: int, hook_id: int) -> Any:
    """Make the calls that were given up once more."""
    hooks.retry(*organising(club_id), hook_id)
    return StateOut("waiting")


@call("DELETE", "/clubs/<int:club_id>/hooks/<int:hook_id>", [HookOut])
def end_hook(club_id: int, hook_id: int) -> Any:
    """Tell a service no more; gives those left."""
    hooks.end(*organising(club_id), hook_id)
    return webhooks(club_id)


@call("GET", "/clubs/<int:club_id>/keys", [KeyOut])
def club_keys(club_id: int) -> Any:
    """One's keys for this club, without their texts."""
    session, now, number, owner = organising(club_id)
    return tuple(one for one in api_keys.keys_of(session, now, owner) if one.club_id == number)


@call("DELETE", "/clubs/<int:club_id>/keys/<int:key_id>", StateOut)
def revoke_club_key(club_id: int, key_id: int) -> Any:
    """Make one of one's keys for this club worthless at once."""
    session, now, number, owner = organising(club_id)
    api_keys.revoke(session, now, owner, key_id, club_id=number)
    return StateOut("revoked")
