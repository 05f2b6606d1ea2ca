"""What a club's own box prints: kept by game for its new games, entered by its organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.registry import GAMES, box_of
from pbem.errors import NotAllowed, WrongInput
from pbem.play.admin import club_box
from pbem.store.models import Audit, Member
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Club

BOXED = [game for game in GAMES if box_of(game)]


@pytest.fixture
def club(session: Session) -> Club:
    """A club with an organiser, number 1, and other settings."""
    made: Club = ClubFactory.create(settings={"zone": "Europe/Rome"})
    session.add(Member(club_id=made.id, player_id=PlayerFactory.create().id, role="organiser", joined_at=START))
    session.commit()
    return made


def printed(game: str) -> str:
    """A box as it ships, as its file."""
    box = box_of(game)
    assert box is not None
    text: str = box.file("")
    return text


def test_each_game_has_a_box_of_its_own(session: Session, now: datetime, club: Club) -> None:
    """Kept, renewed or given up, it leaves the other game's and the club's other settings as they were."""
    first, second = BOXED[:2]
    texts = {game: printed(game) for game in (first, second)}
    for game, text in texts.items():
        club_box.bring(session, now, club.id, 1, game, text)

    def kept() -> dict[str, str]:
        session.expire_all()
        return {game: found for game in texts if (found := club_box.text_of(session, club.id, game))}

    assert kept() == texts
    assert club.settings["zone"] == "Europe/Rome"
    assert club_box.text_of(session, ClubFactory.create().id, first) == ""
    assert club_box.text_of(session, None, first) == ""
    club_box.keep(session, now, club.id, 1, first, " ")
    assert kept() == {second: texts[second]}
    entries = session.execute(select(Audit.act, Audit.player_id, Audit.club_id, Audit.at, Audit.details)).all()
    assert [tuple(row) for row in entries] == [
        ("box", 1, club.id, now, {"game": game}) for game in (first, second, first)
    ]


def test_only_organisers_keep_a_box_and_only_of_games_with_one(session: Session, now: datetime, club: Club) -> None:
    """An empty file is none; a game that prints nothing has no box."""
    game, text = BOXED[0], printed(BOXED[0])
    with pytest.raises(NotAllowed, match="Only an organiser"):
        club_box.keep(session, now, club.id, PlayerFactory.create().id, game, text)
    with pytest.raises(NotAllowed, match="Only an organiser"):
        club_box.enter(session, now, club.id, PlayerFactory.create().id, game, {}, frozenset(), {})
    with pytest.raises(WrongInput, match="nothing in this file"):
        club_box.bring(session, now, club.id, 1, game, " \n")
    for bare in [name for name in GAMES if name not in BOXED]:
        with pytest.raises(WrongInput, match="has to be entered"):
            club_box.keep(session, now, club.id, 1, bare, text)
    assert club_box.text_of(session, club.id, game) == ""


def test_a_clubs_new_game_is_played_with_its_box(session: Session, now: datetime, club: Club) -> None:
    """Unless it is given another one; whoever knows the game's name and kind may read the printed numbers."""
    game, box = BOXED[0], box_of(BOXED[0])
    assert box is not None
    club_box.keep(session, now, club.id, 1, game, printed(game))
    text = club_box.text_of(session, club.id, game)

    assert club_box.with_box(session, club.id, game, {}) == {box.OPTION: text}
    assert club_box.with_box(session, club.id, game, {box.OPTION: "x", "a": "b"}) == {box.OPTION: "x", "a": "b"}
    assert club_box.with_box(session, None, game, {"a": "b"}) == {"a": "b"}
    made = GameFactory.create(game=game, people=2, bots=("random",), club_id=club.id, organiser_id=1)
    assert club_box.of_game(session, made.slug, game) == text
    assert club_box.of_game(session, made.slug, BOXED[1]) == ""
    assert club_box.of_game(session, "none", game) == ""


@pytest.mark.parametrize("game", BOXED)
def test_what_is_entered_by_hand_is_held_against_its_range_and_its_sums(
    session: Session, now: datetime, club: Club, game: str
) -> None:
    """A number that no box prints, or a sum that doesn't come out, is named, and nothing of it is kept."""
    box = box_of(game)
    assert box is not None
    groups = box.form("")
    entered = {f"{row.name}.{cell.name}": cell.value for group in groups for row in group.rows for cell in row.cells}
    numbers = [name for name, value in entered.items() if value.isdigit()]
    summed = next((group for group in groups if group.sums), None)
    wrong: list[tuple[dict[str, str], dict[str, str]]] = [({**entered, numbers[0]: "9999"}, {})]
    if summed:
        counted = summed.total(summed.sums[0], entered)
        wrong.append((entered, {f"{summed.name}.{summed.sums[0]}": str(counted + 1)}))

    for values, sums in wrong:
        with pytest.raises(IllegalOrder):
            club_box.enter(session, now, club.id, 1, game, values, frozenset(), sums)
        assert club_box.text_of(session, club.id, game) == ""
    club_box.enter(session, now, club.id, 1, game, entered, frozenset({groups[0].rows[0].name}), {})
    assert club_box.text_of(session, club.id, game) != ""
