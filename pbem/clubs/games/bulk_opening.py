"""Many games opened at once from a CSV table: all lines are checked first, then all games opened or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.capabilities.roles import require_organiser
from pbem.clubs.games import csv_table
from pbem.clubs.members.founding import read_name
from pbem.engine.core.message import N_, sentence
from pbem.engine.core.types import AnyRules, Meta
from pbem.engine.registry import rules_of
from pbem.errors import WrongInput
from pbem.messages import clean, meant, pairs
from pbem.play.deadlines import cadence as deadlines
from pbem.play.seats import opening
from pbem.store.models import Member, Player
from pbem.structs import Value

MOST = 1000
"""Games one table opens."""
BOT = "bot:"
OPEN = "open"
UNUSED = "-"
"""A cell for a seat the game does without: spreadsheets make all lines as long as the longest."""
FILLERS = {OPEN: N_("whoever comes"), UNUSED: N_("nobody"), f"{BOT}heuristic": N_("a bot")}
"""What a seat can be given to but members, and what forms show it as."""
_WITHOUT_SIGNS = re.compile(r"[^a-z]")
"""People write a game's title, as in Amun-Re."""


class TableLine(Value):
    """One game somebody wants to open, in words."""

    title: str
    game: str
    cadence: deadlines.Cadence
    options: Mapping[str, str]
    players: tuple[str, ...]
    """In seat order: a member's name, address or number, `bot:heuristic`, or `open` (or empty) for whoever comes."""


def open_all(session: Session, now: datetime, club_id: int, by: int, text: str) -> tuple[str, ...]:
    """Open a game a line: `title, game, speed, options, player, player, ...`; gives their slugs.

    A cadence may have its own waits, in hours: `club min=24 max=96`. Options are `name=value` pairs parted by spaces.
    Players are members by name, address or number, `bot:heuristic`, `open` or empty for an open seat, `-` for none.
    Raises WrongInput with a sentence for each wrong line; then no game is opened.
    """
    require_organiser(session, club_id, by)
    people = people_of(session, club_id)

    def read(row: Sequence[str]) -> opening.GamePlan:
        planned = plan_of(row, people, club_id, by)
        opening.check(planned)
        return planned

    plans = csv_table.entries(_lines(text), read, most=MOST, none=_NO_GAME, many=_TOO_MANY)
    return tuple(opening.open_game(session, now, planned).slug for planned in plans)


_NO_GAME = sentence("There is no game in the table: write title, game, speed, options and players.")
_TOO_MANY = N_("A table opens at most {limit} games, not {count}.")


def _lines(text: str) -> list[tuple[int, list[str]]]:
    found = csv_table.lines(text)
    return found[1:] if found and found[0][1][0].casefold() == "title" else found


def plan_of(row: Sequence[str], people: Mapping[str, int], club_id: int, by: int) -> opening.GamePlan:
    """Return the plan in one line's cells. Raises WrongInput or an EngineError naming what is wrong."""
    if len(row) <= _PLAYERS:
        raise WrongInput("A line needs title, game, speed, options and at least one player.")
    title, game, cadence, options = row[:_PLAYERS]
    for cell in (cadence, options):
        if cell.casefold() in people or cell.casefold().startswith(BOT):
            raise WrongInput(
                "{word!r} is a player, but stands before the players' cells: write a cell for speed and options.",
                word=cell,
            )
    players = tuple(cell for cell in row[_PLAYERS:] if cell.casefold() in people or meant(cell, FILLERS) != UNUSED)
    given = options_in(options, _rules(game).meta)
    return _plan(TableLine(title, game, deadlines.read(cadence), given, players), people, club_id, by)


def plan(session: Session, club_id: int, by: int, line: TableLine) -> opening.GamePlan:
    """Return the plan of one game of a club, for its organiser `by`.

    Raises NotAllowed, WrongInput or an EngineError.
    """
    require_organiser(session, club_id, by)
    return _plan(line, people_of(session, club_id), club_id, by)


def _plan(line: TableLine, people: Mapping[str, int], club_id: int, by: int) -> opening.GamePlan:
    return opening.GamePlan(
        game=_rules(line.game).meta.name,
        seats=_seats(line.players, people),
        options=line.options,
        club_id=club_id,
        organiser_id=by,
        cadence=line.cadence,
        title=read_name(line.title, N_("game")) if clean(line.title) else "",
    )


def _rules(game: str) -> AnyRules:
    """Return the rules of a game by its name or title. Raises InvalidOrder for one there isn't."""
    return rules_of(_WITHOUT_SIGNS.sub("", game.casefold()) or game)


_PLAYERS = 4
"""Cells before the players."""
_SHARED = 0
"""Stands for a name that several members have; nobody has this number."""


def _seats(cells: Sequence[str], people: Mapping[str, int]) -> tuple[opening.SeatPlan, ...]:
    """Return who is meant by each cell of a line. Raises WrongInput, also naming the cell of who stands there twice."""
    seats: list[opening.SeatPlan] = []
    for cell in cells:
        seat = seat_of(cell.strip(), people)
        if seat.player_id and seat in seats:
            raise WrongInput("{word!r} stands in the line twice: a person has one seat in a game.", word=cell)
        seats.append(seat)
    return tuple(seats)


def _member(cell: str, people: Mapping[str, int]) -> int | None:
    """Return the number of the member whose name, address or number it is, or the only one with that word in the name.

    None for nobody, `_SHARED` for several.
    """
    called = cell.casefold()
    if called in people:
        return people[called]
    found = {number for name, number in people.items() if called in name.split()}
    return next(iter(found), None) if len(found) < 2 else _SHARED  # noqa: PLR2004 - one, none or several


def seat_of(cell: str, people: Mapping[str, int]) -> opening.SeatPlan:
    """Return who is meant by one cell: a bot, a member, or whoever comes."""
    found = _member(cell, people)
    filler = meant(cell, FILLERS).casefold() if found is None else ""
    if not cell or filler == OPEN:
        return opening.SeatPlan()
    if filler.startswith(BOT):
        return opening.SeatPlan(bot=filler.removeprefix(BOT))
    if found == _SHARED:
        raise WrongInput(
            "Several members are called {word!r}: write the address or the number of the one you mean.",
            word=cell,
        )
    if found is None:
        raise WrongInput("{word!r} is no member of this club: invite them first.", word=cell)
    return opening.SeatPlan(player_id=found)


def options_in(text: str, meta: Meta) -> dict[str, str]:
    """Return a game's choices as a table has them: `name=value` parted by spaces. Raises WrongInput.

    Options and what they can be may be written as pages show them, in any language.
    """
    wrong, given = pairs(text, {option.name: _shown(option.name) for option in meta.options}, meta.name)
    if wrong:
        raise WrongInput("{word!r} is no option: write name=value.", word=wrong)
    choices = {option.name: {choice: _shown(choice) for choice in option.choices} for option in meta.options}
    return {name: meant(value, choices.get(name, {}), meta.name) for name, value in given.items()}


def _shown(name: str) -> str:
    return name.replace("_", " ")


def people_of(session: Session, club_id: int) -> dict[str, int]:
    """Return the members by number, folded name and address.

    A name that two of them have stands for neither (`_SHARED`); one that is a member's number stands for that member.
    """
    rows = session.execute(
        select(Player.id, Player.name, Player.address).join(Member).where(Member.at_present(club_id=club_id))
    ).all()
    counted = Counter(name.casefold() for _, name, _ in rows)
    found = {name.casefold(): player if counted[name.casefold()] == 1 else _SHARED for player, name, _ in rows}
    found |= {address: player for player, _, address in rows if address is not None}
    return found | {str(player): player for player, _, _ in rows}
