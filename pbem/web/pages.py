"""What every page is rendered with: the reader's language, our assets, the parts shared by all templates."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask, current_app, g, make_response, redirect, render_template, request, session, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import FileSystemLoader
from jinja2.utils import LRUCache
from markupsafe import Markup, escape

from pbem.engine.registry import GAMES, rules_of
from pbem.extensions import begin_reading, db, settings
from pbem.mail.render import folder
from pbem.messages import LANGUAGES, Translator
from pbem.study import guides
from pbem.web.account import browser_keys
from pbem.web.assets import asset
from pbem.web.play import decision_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flask import Response

    from pbem.engine.core.guide import Entry
    from pbem.engine.core.types import Outcome
    from pbem.play.views.seat_view import SeatSummary

_STILL = ("assets.", "health.", "styleguide.")
"""Endpoints that never ask the database."""
_KEPT: LRUCache = LRUCache(1000)
"""Rendered parts, a few kB each."""
_SPELLED = re.compile(r"`([^`]+)`")
_PAGES: LRUCache = LRUCache(300)
"""Whole pages, some 40 kB each."""
_TOKENS: LRUCache = LRUCache(5000)
"""Form tokens by what the cookie says."""
_TOKEN, _MARK = (secrets.token_hex(16).encode() for _ in range(2))
"""What stands in a page until it goes out, where its forms' token and their mark come. Nobody knows these words."""


def _key(*given: Any) -> tuple[object, ...]:
    """All that goes into what is kept, and who hears it. Drawings, which are long, stand in it as they are."""
    say, drawn = voice(), list[Markup]()

    def place(value: object) -> int:
        """Which drawing it is; what isn't plain data has no business in what is kept."""
        if not isinstance(value, Markup):
            raise TypeError(f"{type(value)} is given to a page that is kept.")
        drawn.append(value)
        return len(drawn)

    return (say.language, say.zone.key, say.names, say.game, msgspec.json.encode(given, enc_hook=place), *drawn)


def speak(language: str = "", zone: str = "UTC", names: Sequence[str] = (), game: str = "") -> Translator:
    """Set the voice this answer speaks with; without a language the browser's best fit, with a `game` in its words."""
    chosen = language or request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
    g.say = Translator(chosen, zone, names, game)
    return voice()


def voice() -> Translator:
    """The voice of this answer."""
    said: Translator | None = g.get("say")
    return speak() if said is None else said


def show(template: str, status: int = 200, **context: Any) -> Response:
    """Render a page."""
    return _sent(render_template(template, **context).encode(), status)


def show_again(template: str, status: int = 200, **context: Any) -> Response:
    """Render a page that its reader is likely to load again as it was: kept for as long as nothing in it changes.

    The key is all that goes in, as with a kept part.
    """
    key = _key(template, _shared(), context)
    page: bytes | None = _PAGES.get(key)
    if page is None:
        page = _PAGES[key] = render_template(template, **context).encode()
    return _sent(page, status)


def _sent(page: bytes, status: int) -> Response:
    """A page on its way to one browser: what belongs to this request alone is put in."""
    if _TOKEN in page:
        page = page.replace(_TOKEN, _form_token())
    return make_response(page.replace(_MARK, secrets.token_hex(8).encode()), status)


def kept(part: str, macro: str, *given: Any) -> Markup:
    """What `macro` of `parts/<part>.html` makes of `given`: rendered once for each reader's voice, then kept.

    The key is all that goes in, so nobody is ever shown what was rendered from another's view.
    """
    key = _key(part, macro, given)
    found: Markup | None = _KEPT.get(key)
    if found is None:
        room = current_app.jinja_env.get_template(f"parts/{part}.html").make_module({"say": voice()})
        found = _KEPT[key] = getattr(room, macro)(*given)
    return found


def spelled(words: str) -> Markup:
    """A sentence with what is to be typed, between backticks in letters and programs, set apart as code."""
    return Markup(_SPELLED.sub(r"<code>\1</code>", str(escape(words))))  # noqa: S704 - escaped before the tags are added


def linked(text: str) -> Markup:
    """A sentence about the game at hand, each card and space it names a link to what the glossary says of it."""
    say = voice()
    return Markup("").join(
        piece if entry is None else _link(say.game, say.language, piece, entry)
        for piece, entry in guides.split(say, text)
    )


def _link(game: str, language: str, name: str, entry: Entry) -> Markup:
    url = url_for("rules.glossary", game=game, language=language, _anchor=entry.key)
    return Markup('<a class="term" href="{}">{}</a>').format(url, escape(name))


def glossary_url(keys: Iterable[str]) -> str:
    """The page that explains these things of the game at hand, and nothing else."""
    say = voice()
    return url_for("rules.glossary", game=say.game, here=" ".join(keys), language=say.language)


def _form_token() -> bytes:
    """The token of this browser's forms; it holds for as long as the cookie does, so it is signed once for each."""
    key = (current_app.secret_key, session.get("csrf_token"))
    known: bytes | None = _TOKENS.get(key)
    if known is not None:
        return known
    made: bytes = generate_csrf().encode()
    if key[1]:  # a browser that comes for the first time is given its cookie only now
        _TOKENS[key] = made
    return made


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
    """What all templates use, but for the voice."""
    return {
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
        kept,
        spelled,
        linked,
        glossary_url,
        by_place,
        decision_form.as_chips,
        decision_form.numbers,
        decision_form.families,
    )
    app.jinja_env.globals.update({share.__name__: share for share in shared}, games=games)
    app.jinja_env.globals |= {"form_token": _TOKEN.decode(), "form_mark": _MARK.decode()}
    app.context_processor(lambda: {"say": voice(), **_shared()})
    app.before_request(_begin_reading)
