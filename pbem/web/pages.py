"""What every page is rendered with: the reader's language, our assets, the parts shared by all templates."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any

from flask import Flask, g, make_response, redirect, render_template, request, url_for
from jinja2 import FileSystemLoader
from markupsafe import Markup, escape

from pbem.engine.registry import GAMES, box_of, rules_of
from pbem.extensions import begin_reading, db, settings
from pbem.mail.render import folder
from pbem.messages import LANGUAGES, Translator
from pbem.play.orders.spoken import spoken
from pbem.study import guides
from pbem.web.account import browser_keys
from pbem.web.assets import asset
from pbem.web.play import decision_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flask import Response

    from pbem.engine.core.guide import Entry
    from pbem.engine.core.types import Outcome
    from pbem.play.views.seat_view import SeatSummary, Situation

_STILL = ("assets.", "health.", "styleguide.")
"""Endpoints that never ask the database."""
_SPELLED = re.compile(r"`([^`]+)`")


def speak(language: str = "", zone: str = "UTC", names: Sequence[str] = (), game: str = "") -> Translator:
    """Set the voice this answer speaks with; without a language the browser's best fit, with a `game` in its words."""
    chosen = language or request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
    g.say = Translator(chosen, zone, names, game)
    return voice()


def own_box(s: Situation) -> None:
    """Let what the answer links to in the glossary be told by the box that the game is played with, if a club's own."""
    box = box_of(s.game.game)
    g.own = s.game.slug if box and box.of(s.view) else None


def voice() -> Translator:
    """The voice of this answer."""
    said: Translator | None = g.get("say")
    return speak() if said is None else said


def show(template: str, status: int = 200, **context: Any) -> Response:
    """Render a page."""
    return make_response(render_template(template, **context), status)


def form_mark() -> str:
    """What a form is known by when it is sent: a double click or a resend is one order."""
    return secrets.token_hex(8)


def spelled(words: str) -> Markup:
    """A sentence with what is to be typed, between backticks in letters and programs, set apart as code."""
    return Markup(_SPELLED.sub(r"<code>\1</code>", str(escape(words))))  # noqa: S704 - escaped before the tags are added


def in_words(order: str) -> str:
    """An order of the game at hand as the reader's language writes it."""
    return spoken(order, voice())


def linked(text: str) -> Markup:
    """A sentence about the game at hand, each card and space it names a link to what the glossary says of it."""
    say = voice()
    return Markup("").join(
        piece if entry is None else _link(say.game, say.language, piece, entry)
        for piece, entry in guides.split(say, text)
    )


def _link(game: str, language: str, name: str, entry: Entry) -> Markup:
    url = url_for("rules.glossary", game=game, language=language, of=g.get("own"), _anchor=entry.key)
    return Markup('<a class="term" href="{}">{}</a>').format(url, escape(name))


def glossary_url(keys: Iterable[str]) -> str:
    """The page that explains these things of the game at hand, and nothing else."""
    say = voice()
    return url_for("rules.glossary", game=say.game, here=" ".join(keys), language=say.language, of=g.get("own"))


def by_place(players: Sequence[SeatSummary], outcome: Outcome) -> list[SeatSummary]:
    """Those at the table as they came in, the winner first."""
    return sorted(players, key=lambda player: (outcome.places[player.seat], player.seat))


def go(endpoint: str, **values: Any) -> Response:
    """Lead on to another page by GET, so that loading again never sends anything twice."""
    return make_response(redirect(url_for(endpoint, **values), 303))


def is_partial(target: str) -> bool:
    """Whether the script asks for one part of the page only, by the id of the part."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Target", "").endswith(f"#{target}")


def _shared() -> dict[str, Any]:
    """What all templates use."""
    return {
        "say": voice(),
        "club_name": g.get("club_name") or settings().mail_name,
        "demo": settings().demo,
        "keys": bool(browser_keys.held("seats") or browser_keys.held("players")),
    }


def _is_reading() -> bool:
    """Whether this request only looks."""
    return request.method in ("GET", "HEAD") and not (request.endpoint or "assets.").startswith(_STILL)


def _begin_reading() -> None:
    """GET and HEAD change nothing: the database itself refuses to let them."""
    if _is_reading():
        begin_reading(db.session())


def register(app: Flask) -> None:
    """Give the templates of `app` what they use."""
    app.jinja_loader = FileSystemLoader(folder())
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    games = [(name, rules_of(name).meta.title) for name in GAMES]
    shared = (
        asset,
        form_mark,
        spelled,
        in_words,
        linked,
        glossary_url,
        by_place,
        decision_form.as_chips,
        decision_form.numbers,
        decision_form.families,
    )
    app.jinja_env.globals.update({share.__name__: share for share in shared}, games=games)
    app.context_processor(_shared)
    app.before_request(_begin_reading)
