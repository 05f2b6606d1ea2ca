"""What a club's own box prints, kept for its new games. A game under way keeps what it began with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.capabilities.acts import require_as_opened, require_proof, require_yes
from pbem.capabilities.roles import require_organiser
from pbem.engine.core.box import PrintedBox, checked
from pbem.engine.core.rng import Rng
from pbem.engine.registry import box_of, rules_of, title_of
from pbem.errors import WrongInput
from pbem.play.admin import action_log
from pbem.store.models import Club, Game
from pbem.store.queries import common

_BOXES = "boxes"
"""What a club's settings call them: by game, the text of its option."""


def entered_box(game: str) -> PrintedBox:
    """Return the box of a game that can be entered. Raises WrongInput for a game without one."""
    box = box_of(game)
    if box is None:
        raise WrongInput("Nothing that {game} prints has to be entered.", game=title_of(game))
    return box


def text_of(session: Session, club_id: int | None, game: str) -> str:
    """Return what the club's box of a game prints; empty where it entered none."""
    if club_id is None:
        return ""
    return str(session.get_one(Club, club_id).settings.get(_BOXES, {}).get(game, ""))


def with_box(session: Session, club_id: int | None, game: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a club's new game: its own box, unless the game is given another one."""
    box = box_of(game)
    text = text_of(session, club_id, game) if box else ""
    return {**({box.OPTION: text} if box and text else {}), **options}


def forget(session: Session, now: datetime, club_id: int, by: int, game: str) -> None:
    """Go back to what ships. Raises NotAllowed, NeedsYes or NeedsCode."""
    require_proof(session, "forget-box", by)
    keep(session, now, club_id, by, game, "")
    require_yes(session, "forget-box")


def enter(  # noqa: PLR0913, PLR0917 - who, where, when, and the three parts of the form
    session: Session,
    now: datetime,
    club_id: int,
    by: int,
    game: str,
    entered: Mapping[str, str],
    seen: frozenset[str],
    sums: Mapping[str, str],
) -> None:
    """Keep what was entered by hand. Raises NotAllowed, WrongInput, Overtaken, or IllegalOrder naming every fault."""
    require_organiser(session, club_id, by)
    box, before = entered_box(game), text_of(session, club_id, game)
    checked(box.form(before), entered, sums)
    keep(session, now, club_id, by, game, box.filled_in(before, entered, seen))


def keep(session: Session, now: datetime, club_id: int, by: int, game: str, text: str) -> None:  # noqa: PLR0913, PLR0917 - as above
    """Keep a file's text, or with none what ships. Raises NotAllowed, WrongInput, Overtaken or IllegalOrder."""
    require_organiser(session, club_id, by)
    box, rules = entered_box(game), rules_of(game)
    if text.strip():
        rules.setup(rules.meta.seats[0], {box.OPTION: text}, Rng("box", 0))
    club = common.lock_club(session, club_id)
    require_as_opened(session, text_of(session, club_id, game), text)
    boxes = {name: kept for name, kept in club.settings.get(_BOXES, {}).items() if name != game}
    club.settings = {**club.settings, _BOXES: {**boxes, **({game: text} if text.strip() else {})}}
    action_log.note(session, now, "box", by=by, club_id=club_id, game=game)


def bring(session: Session, now: datetime, club_id: int, by: int, game: str, text: str) -> None:  # noqa: PLR0913, PLR0917 - as above
    """Keep the numbers of a file, in the ranges of the form. Raises as `keep` does, and for an empty file."""
    require_organiser(session, club_id, by)
    if not text.strip():
        raise WrongInput("There is nothing in this file: send the one that another club exported.")
    groups = entered_box(game).form(text)
    rows = (row for group in groups for row in group.rows)
    checked(groups, {f"{row.name}.{cell.name}": cell.value for row in rows for cell in row.cells}, {})
    keep(session, now, club_id, by, game, text)


def of_game(session: Session, slug: str, game: str) -> str:
    """Return what the box of a game of this public name prints; empty for what ships, or if there is no such game.

    Printed numbers are no secret: whoever knows the name of a game may read them.
    """
    box = box_of(game)
    options = session.scalar(select(Game.options).where(Game.slug == slug, Game.game == game))
    return str(options.get(box.OPTION, "")) if box and options else ""
