"""Calls about other services of a club: webhooks told of its games, keys of the organiser who calls."""

from __future__ import annotations

from typing import Any

from pbem import clock
from pbem.capabilities import api_keys
from pbem.clubs.integrations import webhooks as hooks
from pbem.extensions import db
from pbem.web.api.club_shapes import HookIn, HookOut, SecretOut
from pbem.web.api.core import answers, blueprint, keep, key, my_club, spec
from pbem.web.api.me import key_out
from pbem.web.api.person_shapes import KeyOut, StateOut


@blueprint.get("/clubs/<int:club_id>/hooks")
@spec.validate(resp=answers(list[HookOut]), tags=["services"])
def webhooks(club_id: int) -> Any:
    """The club's webhooks in force."""
    return [
        HookOut(hook.id, hook.kind, hook.host, hook.created_at, hook.taken, hook.waiting, hook.failed, hook.last_error)
        for hook in hooks.states(db.session(), my_club(club_id))
    ]


@blueprint.post("/clubs/<int:club_id>/hooks")
@spec.validate(json=HookIn, resp=answers(SecretOut), tags=["services"])
def add_hook(club_id: int, json: HookIn) -> Any:
    """Tell another service from now on; gives the secret its calls are signed with, this once."""
    number = my_club(club_id)
    secret = hooks.add(db.session(), clock.now(), number, key().player_id, json.kind, json.url)
    keep()
    return SecretOut(secret)


@blueprint.post("/clubs/<int:club_id>/hooks/<int:hook_id>/test")
@spec.validate(resp=answers(StateOut), tags=["services"])
def test_hook(club_id: int, hook_id: int) -> Any:
    """Tell a service that it is told: what became of it stands in the list a moment later."""
    hooks.try_out(db.session(), clock.now(), my_club(club_id), key().player_id, hook_id)
    keep()
    return StateOut("waiting")


@blueprint.post("/clubs/<int:club_id>/hooks/<int:hook_id>/retry")
@spec.validate(resp=answers(StateOut), tags=["services"])
def retry_hook(club_id: int, hook_id: int) -> Any:
    """Make the calls that were given up once more."""
    hooks.retry(db.session(), clock.now(), my_club(club_id), key().player_id, hook_id)
    keep()
    return StateOut("waiting")


@blueprint.delete("/clubs/<int:club_id>/hooks/<int:hook_id>")
@spec.validate(resp=answers(list[HookOut]), tags=["services"])
def end_hook(club_id: int, hook_id: int) -> Any:
    """Tell a service no more; gives those left."""
    hooks.end(db.session(), clock.now(), my_club(club_id), key().player_id, hook_id)
    keep()
    return webhooks(club_id)


@blueprint.get("/clubs/<int:club_id>/keys")
@spec.validate(resp=answers(list[KeyOut]), tags=["services"])
def club_keys(club_id: int) -> Any:
    """One's keys for this club, without their texts."""
    number = my_club(club_id)
    return [
        key_out(one) for one in api_keys.keys_of(db.session(), clock.now(), key().player_id) if one.club_id == number
    ]


@blueprint.delete("/clubs/<int:club_id>/keys/<int:key_id>")
@spec.validate(resp=answers(StateOut), tags=["services"])
def revoke_club_key(club_id: int, key_id: int) -> Any:
    """Make one of one's keys for this club worthless at once."""
    number = my_club(club_id)
    api_keys.revoke(db.session(), clock.now(), key().player_id, key_id, club_id=number)
    keep()
    return StateOut("revoked")
