"""The box on a club's table: its printed numbers entered by hand or from a file, for the club's new games."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, abort, request

from pbem import pictures
from pbem.clubs.club_views import ClubSummary
from pbem.engine.core.box import PrintedBox
from pbem.engine.core.errors import EngineError
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of, title_of
from pbem.errors import PlayError
from pbem.extensions import current, db
from pbem.pictures import blocks
from pbem.pictures.blocks import Block
from pbem.play.admin import club_box
from pbem.web import pages
from pbem.web.club import views as club_pages

blueprint = Blueprint("box", __name__, url_prefix="/club/<slug>/box/<game>")


def _enter(slug: str, game: str) -> tuple[ClubSummary, PrintedBox, str]:
    """Return the club, the game's box and what the club's own prints.

    A page of a game that has no box to enter doesn't exist.
    """
    club = club_pages.organised(slug)
    try:
        box = club_box.entered_box(game)
    except (PlayError, EngineError):
        abort(404)
    return club, box, club_box.text_of(db.session(), club.id, game)


@blueprint.get("")
def show(slug: str, game: str) -> Response:
    """Show every printed number, those in doubt first, each on a picture of what prints it."""
    club, box, text = _enter(slug, game)
    groups = box.form(text)
    return pages.show(
        "pages/box.html",
        club=club,
        meta=rules_of(game).meta,
        groups=groups,
        doubtful=sum(not row.confirmed for group in groups for row in group.rows),
        text=text,
        kept=sha256(text.encode()).hexdigest()[:8],
        drawn={block.name: block.size for block in _drawn(game, box, text)},
        doubts=box.doubts(text),
    )


def _drawn(game: str, box: PrintedBox, text: str) -> tuple[Block, ...]:
    """Return what the box prints as the kept numbers draw it, by the form's rows and groups."""
    say = pages.speak(pages.translator().language, game=game)
    return pictures.printed(game, _view(game, box, text), say)


def _view(game: str, box: PrintedBox, text: str) -> Any:
    """Return a game just set up with these numbers, as everybody sees it."""
    rules = rules_of(game)
    state = rules.setup(rules.meta.seats[-1], {box.OPTION: text} if text else {}, Rng("box", 0)).state
    return rules.view(state, None)


@blueprint.post("")
@pages.form_of(show)
def act(slug: str, game: str) -> Response:
    """Keep what was typed or sent, or forget it; what was typed stays where it can't be kept."""
    club, _, _ = _enter(slug, game)
    _keep(club, game)
    return pages.go("box.show", slug=slug, game=game, saved=1)


def _keep(club: ClubSummary, game: str) -> None:
    session, now, form = *current(), request.form
    wanted = pages.button({name: name for name in ("enter", "import", "forget")})
    if wanted == "enter":
        seen = frozenset(form.getlist("seen"))
        entered = {name[2:]: " ".join(form.getlist(name)).strip() for name in form if name.startswith("v.")}
        sums = {name[2:]: form[name] for name in form if name.startswith("s.")}
        club_box.enter(session, now, club.id, club.player_id, game, entered, seen, sums)
    elif wanted == "import":
        club_box.bring(session, now, club.id, club.player_id, game, pages.text_or_file("numbers"))
    else:
        club_box.forget(session, now, club.id, club.player_id, game)


@blueprint.get("/file")
def export(slug: str, game: str) -> Response:
    """Return the numbers as a file that another club, or the form that opens a game, takes."""
    _, box, text = _enter(slug, game)
    answer = Response(box.file(text), mimetype="text/plain")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}-{box.OPTION}.txt"'
    return answer


@blueprint.get("/printed.svg")
def picture(slug: str, game: str) -> Response:
    """Return every thing of the box as the kept numbers draw it, in one file; each is shown by its name: `#NAME`."""
    _, box, text = _enter(slug, game)
    return Response(blocks.gathered(game, title_of(game), _drawn(game, box, text)), mimetype="image/svg+xml")
