"""The server operator's page: what could not be delivered, and people who need a hand; for nobody else."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request, url_for

from pbem.capabilities import browsers
from pbem.capabilities.acts import require_proof
from pbem.capabilities.tokens import tokens
from pbem.clubs import operation
from pbem.clubs.operation import Operator
from pbem.extensions import current, db, settings
from pbem.letter_kinds import KINDS
from pbem.web import guards, pages
from pbem.web.account import browser_keys
from pbem.web.seat import authorize

blueprint = Blueprint("operator", __name__, url_prefix="/operator")


def _enter() -> tuple[Operator, int]:
    """Return the operator's right, and who has it. Raises NotSeated, alike for all others."""
    by = operation.operator(db.session(), browser_keys.held("players"), settings().operator)
    player_id = by.player_id or 0
    authorize.authorize_person(player_id)
    return by, player_id


@blueprint.get("")
def show() -> Response:
    """Show the page; what it tells of people only within an hour of a mailed code."""
    return _page()


def _page(link: str = "") -> Response:
    by, player_id = _enter()
    proved = browsers.is_proved(*current(), browser_keys.mark(), player_id)
    text = pages.typed("text").strip()[:120]
    session = db.session()
    return pages.show(
        "pages/operator.html",
        proved=proved,
        disk=settings().room if proved else "ok",
        kinds=KINDS,
        letters=operation.failed_letters(session, by) if proved else (),
        hooks=operation.failed_hooks(session, by) if proved else (),
        people=operation.people(session, by, text=text, limit=operation.LISTED) if proved and text else (),
        limit=operation.LISTED,
        text=text,
        chosen=pages.number("person"),
        address=pages.typed("address"),
        link=link,
    )


@blueprint.post("")
@guards.once()
@pages.form_of(show)
def act() -> Response:
    """Do what the pressed button says, for whoever gives a mailed code."""
    by, player_id = _enter()
    require_proof(db.session(), "operate", player_id)
    wish = pages.typed("act")
    if wish == "find":
        return _page()
    link = pages.button(_ACTIONS)(by)
    return _page(link) if link else pages.go("operator.show", done=wish)


def _letters(by: Operator) -> None:
    operation.retry_letters(*current(), by, request.form.getlist("letter", type=int))


def _link(by: Operator) -> str:
    token = operation.link(*current(), by, tokens(), pages.number("person"))
    return url_for("links.open", token=token, _external=True)


_ACTIONS: dict[str, Callable[[Operator], str | None]] = {
    "letters": _letters,
    "hook": lambda by: operation.retry_hook(*current(), by, pages.number("hook")),
    "link": _link,
    "address": lambda by: operation.mend_address(*current(), by, pages.number("person"), pages.typed("address")),
    "revoke": lambda by: operation.revoke(*current(), by, pages.number("person")),
    "erase": lambda by: operation.erase(*current(), by, pages.number("person")),
}
