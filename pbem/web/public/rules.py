"""The rules of each game in our own words: for people first, then every rule with its number; and a glossary."""

from __future__ import annotations

import functools
import re

from flask import Blueprint, Response, abort, g, request

from pbem import pictures
from pbem.engine.core.guide import Guide
from pbem.engine.registry import GAMES, entries_of, guide_of, rules_of
from pbem.extensions import db
from pbem.messages import LANGUAGES
from pbem.play.admin import club_box
from pbem.study import guides
from pbem.web import pages
from pbem.web.guards import limiter
from pbem.web.public import rulebook

blueprint = Blueprint("rules", __name__, url_prefix="/rules")

WIDTH = 600
"""Pixels of a picture, as in letters."""
_DAY = 86_400


@blueprint.get("/<game>")
def show(game: str) -> Response:
    """Show `game` to people who don't know it; the numbered rules where nobody wrote that."""
    guide = _guide(game)
    if guide is None:
        return reference(game)
    drawn = [pictures.of(game).alt(view, pages.translator()) for view in guides.positions(game)]
    scenes = list(zip(guide.scenes, drawn, _heights(game), strict=True))
    return pages.show("pages/guide.html", rules=rules_of(game), guide=guide, scenes=scenes)


@functools.cache
def _heights(game: str) -> tuple[int, ...]:
    """Return how high each picture of a game's guide is, so that a page keeps its place while they come."""
    say = guides.translator(game, LANGUAGES[0])
    drawn = (pictures.of(game).svg(view, say) for view in guides.positions(game))
    sizes = (re.findall(r"[\d.]+", svg.partition('viewBox="')[2].partition('"')[0]) for svg in drawn)
    return tuple(round(WIDTH * float(size[3]) / float(size[2])) for size in sizes)


@blueprint.get("/<game>/reference")
def reference(game: str) -> Response:
    """Show the numbered rules, the forms of order and the facts of `game`."""
    guide, say = _guide(game), pages.translator()
    box, told_in = _own(game), rulebook.language_of(game, say.language)
    return pages.show(
        "pages/rules.html",
        rules=rules_of(game),
        guide=guide,
        told_in=told_in,
        own=rulebook.own_page(game, say, box) if box else "",
        text=rulebook.page(game, told_in),
    )


@blueprint.get("/<game>/glossary")
def glossary(game: str) -> Response:
    """Show what each card and space of `game` does, or only those named by `?here=KEY KEY`.

    With `?of=SLUG` as the box of that game prints them.
    """
    guide = _guide(game)
    if guide is None:
        abort(404)
    here = request.args.get("here", "").split()[:200]
    box = _own(game)
    entries = [entry for entry in entries_of(game, box) if not here or entry.key in here]
    groups = {entry.group: [one for one in entries if one.group == entry.group] for entry in entries}
    return pages.show(
        "pages/glossary.html", rules=rules_of(game), guide=guide, groups=groups, some=bool(here), own=bool(box)
    )


@blueprint.get("/<game>/picture/<int:number>/<language>/<light>.png")
@limiter.limit("600 per hour")
def picture(game: str, number: int, language: str, light: str) -> Response:
    """One picture of the guide's round, counted from 1, by day or by night."""
    from pbem.pictures import png  # noqa: PLC0415 - loads 5 MB of renderer, which other pages never need

    views = guides.positions(game) if game in GAMES else ()
    if not 0 < number <= len(views) or language not in LANGUAGES or light not in ("day", "night"):
        abort(404)
    svg = pictures.of(game).svg(views[number - 1], guides.translator(game, language))
    answer = Response(png.png(svg, WIDTH, night=light == "night"), mimetype="image/png")
    answer.headers["Cache-Control"] = f"public, max-age={_DAY}"
    return answer


def _own(game: str) -> str:
    """What the box of the game named by `?of=SLUG` prints, which all links of the page go on to name; else empty."""
    slug = request.args.get("of", "")
    box = club_box.of_game(db.session(), slug, game) if slug else ""
    g.own = slug if box else None
    return box


def _guide(game: str) -> Guide | None:
    """Return the guide of a game that is played here, told in the language asked for or else the browser's."""
    if game not in GAMES:
        abort(404)
    language = request.args.get("language", "")
    told = guides.translator(game, pages.speak(language if language in LANGUAGES else "").language)
    pages.speak(told.language, names=told.names, game=game)
    return guide_of(game)
