"""The rules of each game as a page, in our own words, every rule with its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort

from pbem.engine.registry import GAMES, rules_of
from pbem.web import pages
from pbem.web.public import rulebook

if TYPE_CHECKING:
    from flask import Response

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules/<game>")
def show(game: str) -> Response:
    """Show the rules of `game`, its forms of order and its facts."""
    if game not in GAMES:
        abort(404)
    return pages.show("pages/rules.html", rules=rules_of(game), text=rulebook.page(game))
