"""Neighbours: whoever asks about one game, club, season or person learns nothing of another, and changes nothing there.

Every function of the program that takes a session and ids or rows is called alone, and again with a neighbour beside
them: a copy of every row under other ids; the same people in another club; other people and games in the same club; and
what is over. It answers the same, and leaves the neighbour as it was. So a `game_id`, `club_id`, `player_id` or
`left_at` that is missing from a statement shows, whichever statement it is, also where another one hides it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
import sqlite3
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import cache
from importlib import import_module
from itertools import product
from types import GeneratorType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
import pytest
import sqlalchemy
from sqlalchemy import Integer, StaticPool, String, Text, UniqueConstraint, create_engine, select

import pbem
from benchmarks.guards import OVER
from pbem.capabilities import api_keys, browsers
from pbem.clubs.account import personal_data
from pbem.clubs.operation import Operator
from pbem.engine.core.types import Outcome
from pbem.extensions import Base, PagesSession
from pbem.extensions import db as database
from pbem.inbound.receive import WorkedMail
from pbem.letters.context import Outgoing
from pbem.mail import incoming
from pbem.play.admin import action_log
from pbem.play.admin.action_log import AdminAction
from pbem.play.orders import standing_orders
from pbem.play.seats import notes, talk
from pbem.play.views.game_context import table_of
from pbem.store.models import (
    Audit,
    Game,
    GameState,
    Invitation,
    Member,
    Player,
    Seat,
    Sitter,
    StoredOrder,
    StoredStandingOrders,
)
from pbem.store.queries import order_writes
from pbem.store.unit_of_work import Work
from tests import compiled, enqueued
from tests.factories import GameFactory, PlayerFactory, in_a_club, seat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from sqlalchemy import Engine, Table
    from sqlalchemy.orm import Session

    from pbem.store.models import Inbound, Letter

OTHER = 1_000_000
"""What is added to every id in the second world, or taken from it, so that its rows come before ours."""
SEATS = 5
"""How far the seats of those who sit at the same game are from ours."""
WEEKS = timedelta(days=14)
KINDS = {mapper.class_.__name__: mapper.class_ for mapper in Base.registry.mappers}
KINDS |= {"GameContext": Game, "AdminAction": Game, "SubmittingSeatRow": Seat}
"""Whose row a parameter names, by its annotation; the last three are a game or seat as use cases hand it on."""
World: TypeAlias = dict[str, list[tuple[Any, ...]]]
"""By table, rows."""
LEAST = {"capabilities": 20, "clubs": 80, "inbound": 2, "letters": 10, "play": 100, "store": 15}
"""Of each room, how many functions are asked at least."""
ROOMS = tuple(LEAST)
_NEW = re.compile(r"\b(\w*id)=\d+")
"""The number of a row that a call makes: it is the next one, whoever else has rows."""
_PLACE = re.compile(r" at 0x[0-9a-f]+")
"""Where in memory something lies that has no other words: bytes that a statement was given, in how it was refused."""


def _outgoing(session: Session, now: datetime, letter: Letter, game: Game) -> Outgoing:
    return Outgoing(session, now, letter, game)


def _worked_mail(session: Session, now: datetime, row: Inbound) -> WorkedMail:
    return WorkedMail(session, now, row, incoming.NOTHING)


HANDED_ON: dict[str, Callable[..., Any]] = {"Outgoing": _outgoing, "WorkedMail": _worked_mail}
"""In what some functions are handed their session, with the rows they are about."""


def _apart(deed: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, to be given its session and those rows one by one."""
    first, *rest = inspect.signature(deed).parameters.values()
    make = HANDED_ON[first.annotation]
    own = inspect.signature(make).parameters

    def apart(session: Session, **given: Any) -> Any:
        rows = {name: given.pop(name) for name in own if name in given}
        return deed(make(session, **rows), **given)

    apart.__signature__ = inspect.Signature([*own.values(), *rest])  # type: ignore[attr-defined]  # what `calls` reads
    return apart


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Every function of the rooms whose first parameter is a session, or holds one."""
    return dict(_functions())


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if module.name.split(".")[1] not in ROOMS or ".migrations" in module.name:
            continue
        for name, found in inspect.getmembers(import_module(module.name), inspect.isfunction):
            first = next(iter(inspect.signature(found).parameters.values()), None)
            if found.__module__ != module.name or first is None:
                continue
            if first.name == "session":
                yield f"{module.name}:{name}", found
            elif first.annotation in HANDED_ON:
                yield f"{module.name}:{name}", _apart(found)


@cache
def tables() -> list[Table]:
    """All tables, those first that others refer to."""
    return list(database.metadata.sorted_tables)


def is_id(column: Any) -> bool:
    """Whether a column names a row."""
    return isinstance(column.type, Integer) and (column.name == "id" or column.name.endswith("_id"))


def unique(table: Table, neighbour: Neighbour) -> set[str]:
    """Texts of which no two rows may have the same."""
    own = [*own_ids(table, neighbour.same), *(("seat",) if neighbour.seats else ())]
    sets = [rule.columns for rule in table.constraints if isinstance(rule, UniqueConstraint)]
    sets += [index.columns for index in table.indexes if index.unique]
    alone = [list(columns) for columns in sets if not any(column.name in own for column in columns)]
    texts = [[column.name for column in columns if isinstance(column.type, String)] for columns in alone]
    return {names[0] for names in texts if names} | {column.name for column in table.columns if column.unique}


def about(*names: str) -> frozenset[str]:
    """These tables, and all that is about nothing but them."""
    found = set(names)
    for table in tables():
        others = {key.column.table.name for key in table.foreign_keys}
        if others and others <= found:
            found.add(table.name)
    return frozenset(found)


def lasting() -> frozenset[str]:
    """Tables of what is never over, people not among them; nor is a decision beside the one that came after it."""
    return frozenset(table.name for table in tables() if not OVER & set(table.columns.keys())) - {"players"} | {
        "decisions"
    }


def whole() -> frozenset[str]:
    """Tables of what is everybody's who sits at a game: their rows name neither a person nor a seat."""
    own = {"player_id", "seat", "seat_id"}
    return frozenset(table.name for table in tables() if not own & set(table.columns.keys())) - {"players"}


class Neighbour(NamedTuple):
    """Rows beside ours."""

    same: frozenset[str] = frozenset()
    """The tables whose rows are both's: what only asks about these is told of both."""
    over: bool = False
    """Whether all of it is over: then nobody is told of it, whatever they ask about."""
    seats: int = 0
    """How far their seats are from ours, at the same game: who looks there sees them, but changes nothing of theirs."""
    further: int = 0
    """How much greater their numbers are that name no row: they are plies and rounds ahead, in other seats."""
    turned: bool = False
    """Whether their games are over where ours go on, and go on where ours are over."""
    first: bool = False
    """Whether their rows come before ours: who takes the first row that is found takes theirs."""


NEIGHBOURS = {
    "other people elsewhere": Neighbour(),
    "people who are further on": Neighbour(further=1),
    "people whose games stand otherwise": Neighbour(turned=True),
    "the same people elsewhere": Neighbour(about("players"), first=True),
    "other people here": Neighbour(frozenset({"clubs"})),
    "other seats here": Neighbour(whole(), seats=SEATS, first=True),
    "what is over": Neighbour(lasting(), over=True, first=True),
}
OWNERS = {"by", "club_id", "game_id", "inviter_id", "organiser_id", "player_id", "seat_id"}
"""Parameters that say in whose name or in what a call acts; any other id is of something that is theirs."""
OPEN = {(f"pbem.clubs.seasons.seasons:enter{which}", "season_id") for which in ("", " of one")}
"""What is no one person's: a season is its club's, and whoever isn't of the club is told so."""
NEW = {"pbem.capabilities.browsers:acted", "pbem.play.turns.persist:_store_given"}
"""These give the number of the row that they make."""
NO_END = {("capabilities", "used_at")}
"""Columns called so that say when something was used last, not that it is over."""
WIDER = {
    ("the same people elsewhere", "pbem.clubs.games.substitute_search:candidates"): "how many games they have anywhere",
    ("the same people elsewhere", "pbem.clubs.operation:people of one"): "how many games they have anywhere",
    ("the same people elsewhere", "pbem.clubs.ratings.rating_sweep:history"): "each rated game, without its name",
    ("other people here", "pbem.clubs.club_views:seasons"): "every season of the club, and which are one's own",
    ("other people here", "pbem.clubs.seasons.season_letters:announced"): "every member is told",
    ("other people here", "pbem.play.admin.game_admin:organisers"): "every organiser of its club",
    ("other seats here", "pbem.clubs.account.personal_data:erase"): "the others have a letter",
    ("other seats here", "pbem.clubs.account.personal_data:erase_for_owner"): "the others have a letter",
    ("other seats here", "pbem.clubs.operation:erase"): "the others have a letter",
    ("other seats here", "pbem.play.deadlines.absences:_tell"): "the others have a letter",
    ("other seats here", "pbem.play.deadlines.delivery_clock:bounced"): "the organisers have a letter",
    ("other seats here", "pbem.play.seats.ballots:_tell_refused"): "everybody has a letter",
    ("other seats here", "pbem.play.seats.substitutes:leave_all"): "the others have a letter",
    ("other seats here", "pbem.play.seats.substitutes:resign"): "the others have a letter",
    ("other seats here", "pbem.play.seats.talk:say"): "the others have a letter",
    ("what is over", "pbem.clubs.seasons.season_tables:contestants"): "who dropped out, said so",
    ("what is over", "pbem.clubs.seasons.seasons:_dropped"): "who dropped out",
}
"""What is told of a neighbour too, and why."""


def fill(session: Session, now: datetime) -> None:
    """One row in every table that has none, about the people and games there are: nothing can be left out of a copy."""
    for table in tables():
        if session.execute(select(table).limit(1)).first() is None:
            row = {column.name: _some(session, column, now) for column in table.columns if column.name != "id"}
            session.execute(table.insert().values({name: value for name, value in row.items() if value is not None}))
    session.flush()


def furnish(session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the world made so far, with a row in every table; what a call does from now on is undone."""
    session.commit()
    fill(session, now)
    monkeypatch.setattr(session, "commit", session.flush)


def _some(session: Session, column: Any, now: datetime) -> Any:
    """A value that a column can hold; None where there is no need of one."""
    for key in column.foreign_keys:
        return session.execute(select(key.column).limit(1)).scalar_one_or_none()
    if column.nullable or column.default is not None or column.server_default is not None:
        return None
    kinds = {bool: False, int: 1, str: "mine", bytes: b"x", dict: {}, list: [], float: 1.0}
    enum = getattr(column.type, "enums", None)
    try:
        return enum[0] if enum else kinds.get(column.type.python_type, now)
    except RuntimeError:  # a type that stands for no class of Python
        return {}


def is_text(column: Any) -> bool:
    """Whether a column holds words, and not one of a few that the program knows."""
    return type(column.type) in {String, Text}


def counted(table: Table) -> list[str]:
    """The columns whose numbers name no row."""
    return [column.name for column in table.columns if type(column.type) is Integer and not is_id(column)]


@cache
def own_ids(table: Table, same: frozenset[str]) -> list[str]:
    """The columns that name rows which a neighbour has of its own."""
    return [
        column.name
        for column in table.columns
        if is_id(column) and not any(key.column.table.name in same for key in column.foreign_keys)
    ]


def owners(table: Table, same: frozenset[str]) -> list[str]:
    """The columns that say whose a row is; none where it has nothing but a number of its own."""
    return [name for name in own_ids(table, same) if name != "id"]


def add_neighbours(session: Session, now: datetime, neighbour: Neighbour) -> None:
    """Copy every row there is, under other ids, but for the tables that are the same; what is over ended `now`."""
    same = neighbour.same
    for table in [one for one in tables() if one.name not in same]:
        other, ids = unique(table, neighbour), own_ids(table, same)
        for row in session.execute(select(table)).mappings().all():
            copy = dict(row)
            for name, value in row.items():
                if value is not None and name in ids:
                    copy[name] = value + (-OTHER if neighbour.first else OTHER)
                elif value is not None and name in other:
                    copy[name] = value + b"-" if isinstance(value, bytes) else f"{value}-"
            if copy.get("seat") is not None:
                copy["seat"] += neighbour.seats
            copy |= {name: copy[name] + neighbour.further for name in counted(table) if copy[name] is not None}
            if neighbour.turned and table.name == "games":
                copy["state"] = GameState.RUNNING if row["state"].is_over else GameState.FINISHED
            if neighbour.over:
                copy |= dict.fromkeys(OVER & set(copy), now)
            session.execute(table.insert().values(copy))
    session.flush()


def second_world(session: Session, same: frozenset[str] = frozenset()) -> World:
    """All rows under the other ids."""
    session.flush()
    driver: Any = session.connection().connection.driver_connection
    return {
        table.name: driver.execute(_of_others(table, same)).fetchall() for table in tables() if table.name not in same
    }


@cache
def _of_others(table: Table, same: frozenset[str]) -> str:
    """The statement for a table's rows that name rows of theirs alone, and at least one."""
    ids = owners(table, same) or own_ids(table, same)  # a new row of the first has the next id
    other = f"NOT BETWEEN 0 AND {OTHER - 1}"
    told = [f"({table.name}.{name} IS NULL OR {table.name}.{name} {other})" for name in ids]
    named = " OR ".join(f"{table.name}.{name} IS NOT NULL" for name in ids)
    return f"SELECT * FROM {table.name} WHERE {' AND '.join(told)} AND ({named})"  # noqa: S608 - our own names


def plain(value: Any) -> Any:
    """An answer that can be compared: rows as their columns, everything else as it is written."""
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset | GeneratorType) or hasattr(value, "_mapping"):
        return [plain(one) for one in value]
    if sqlalchemy.inspect(value, raiseerr=False) is not None and hasattr(value, "__table__"):
        return {column.name: getattr(value, column.name) for column in value.__table__.columns}
    return _PLACE.sub("", _NEW.sub(r"\1=", repr(value)))


class Call(NamedTuple):
    """A function, and what makes what it is given: rows are read anew for each call."""

    name: str
    deed: Callable[..., Any]
    given: dict[str, Callable[[], Any]]
    about: frozenset[str]
    """The tables whose rows it asks about."""


def calls(session: Session, known: dict[str, Any], only: str = "") -> Iterator[Call]:
    """Every function (or `only` one) that can be given all it asks for, and that asks about somebody or something.

    One that may be asked about more or less is asked both ways.
    """
    for name, deed in {only: functions()[only]}.items() if only else functions().items():
        if name in NEW:
            continue
        parameters = list(inspect.signature(deed).parameters.values())[1:]
        wanted = [one for one in parameters if one.default is one.empty]
        narrower = [one for one in parameters if one in wanted or one.name in OWNERS & set(known)]
        for which, asked in {name: wanted, f"{name}{OF_ONE}": narrower}.items():
            given = {one.name: _giver(session, known, one.name, one.annotation) for one in asked}
            found = {name: giver for name, giver in given.items() if giver is not None}
            subjects = frozenset(_subject(one.name, one.annotation) for one in asked) - {""}
            if subjects and len(found) == len(given) and (which == name or asked != wanted):
                yield Call(which, deed, found, subjects)


def _subject(name: str, kind: str) -> str:
    """The table of whose rows a parameter names one; "" for a parameter that names none."""
    if kind in KINDS:
        return str(KINDS[kind].__tablename__)
    if not name.endswith("_id"):
        return ""
    to = {key.column.table.name for table in tables() for key in table.foreign_keys if key.parent.name == name}
    return min(to, default=name)


def _giver(session: Session, known: dict[str, Any], name: str, kind: str) -> Callable[[], Any] | None:
    """What makes the value of a parameter by its name, else by what it is annotated as; None if nothing does."""
    plain = {"int": 1, "str": "mine", "bool": True, "datetime": known["now"], "timedelta": timedelta(hours=1)}
    handed: dict[str, Callable[[], Any]] = {
        "AdminAction": lambda: _about(session, known, kind),
        "GameContext": lambda: _about(session, known, kind),
        "Operator": lambda: Operator(known["by"]),
        "SubmittingSeatRow": lambda: getattr(order_writes.question(session, known["seat_id"]), "at", None),
    }
    if kind in handed:
        return handed[kind]
    if name in known or kind in plain:
        return lambda: known[name] if name in known else plain[kind]
    if kind.startswith(LISTS):
        return tuple
    if kind in KINDS:
        model = KINDS[kind]
        return lambda: session.scalars(select(model).where(model.id >= 0).order_by(model.id).limit(1)).one()
    return None


def _about(session: Session, known: dict[str, Any], kind: str) -> object:
    """The game as use cases hand it on."""
    game = session.get_one(Game, known["game_id"])
    if kind == "GameContext":
        return table_of(session, game)
    return AdminAction(now=known["now"], game=game, by=session.get_one(Player, known["by"]))


OF_ONE = " of one"
"""How the name of a call ends that says about whom, where it need not."""
GIVEN = (
    *("browser_id", "by", "club_id", "current", "epoch", "first", "game_id", "last", "letter", "letter_id", "limit"),
    *("now", "numbers", "organiser_id", "player_id", "players", "ply", "request", "season_id", "seat", "seat_id"),
    *("seats", "since", "slug", "text"),
)
"""What a world has to give to calls."""
LISTS = ("Collection[", "Iterable[", "Sequence[")
"""How parameters are annotated that take nothing as well as much."""
CHANGED = "changed another's"
"""How the answer of a call begins that did."""


def answer(
    session: Session,
    deed: Callable[..., Any],
    given: dict[str, Callable[[], Any]],
    beside: World | None = None,
    same: frozenset[str] = frozenset(),
) -> Any:
    """What a call gives, or how it refuses, or what it changes `beside`; what it does is undone."""
    session.expire_all()
    driver: Any = session.connection().connection.driver_connection
    with session.begin_nested() as inner:
        written = driver.total_changes
        try:
            said = plain(deed(session, **{name: make() for name, make in given.items()}))
            session.flush()
        except Exception as error:  # noqa: BLE001 - any refusal is an answer
            said = _PLACE.sub("", f"{type(error).__name__}: {error}")
            if not inner.is_active:
                return said
        after = second_world(session, same) if beside is not None and driver.total_changes > written else beside
        inner.rollback()
    if after is None or beside is None:
        return said
    changed = [table.name for table in tables() if _differs(table, beside, after, same)]
    return f"{CHANGED} {changed}" if changed else said


def _differs(table: Table, beside: World, after: World, same: frozenset[str]) -> bool:
    """Whether a table's rows beside are others; a new one that doesn't say whose it is, is ours."""
    before, rows = beside.get(table.name, []), after.get(table.name, [])
    return rows != before if owners(table, same) else rows[: len(before)] != before


def _add_rows(session: Session, now: datetime, game: Game, people: list[Player]) -> None:
    """Invitations that are open and over, a chain's rest, an order that names its request, and a seat handed over."""
    offer = {"club_id": game.club_id, "game_id": game.id, "seat": 1, "inviter_id": people[0].id}
    for invited, asked, until in ((1, now, now + WEEKS), (1, now - WEEKS, now), (0, now - WEEKS, now)):
        session.add(Invitation(**offer, player_id=people[invited].id, created_at=asked, expires_at=until))
    ahead = {"game_id": game.id, "seat": 0, "phase": "mine", "round": "mine", "uses": 1, "created_at": now}
    session.add(StoredStandingOrders(**ahead, kind="then", text="pass", ended_why=""))
    given = session.scalars(select(StoredOrder).where(StoredOrder.seat == 0).limit(1)).one()
    given.request = "mine"
    action_log.write(session, now, game, "resign", by=people[0].id, seat=0, ply=1)


def world(session: Session, now: datetime) -> dict[str, Any]:
    """A game of two people in a club, and what calls are given to ask about them."""
    people = PlayerFactory.create_batch(2)
    game = GameFactory.create(people=people, plays=3)
    in_a_club(session, game, people[1].id)
    session.add(Member(club_id=game.club_id, player_id=people[0].id, role="organiser", joined_at=now))
    session.execute(sqlalchemy.update(Member).values(role="organiser"))
    seat = seat_of(session, game, 0)
    notes.keep(session, now, seat.id, "mine")
    talk.say(session, now, seat.id, "hello")
    standing_orders.store(session, now, seat.id, "pass")
    api_keys.issue_for_person(session, now, people[0].id, "mine")
    action_log.write(session, now, game, "look-view", by=people[0].id, seat=1)
    browser = browsers.acted(session, now, "mine", people[0].id, "mine")
    _add_rows(session, now, game, people)
    found = {
        "now": now,
        "since": now - WEEKS,
        "game_id": game.id,
        "club_id": game.club_id,
        **dict.fromkeys(("player_id", "by", "organiser_id"), people[0].id),
        "seat_id": seat.id,
        "seat": 0,
        "epoch": seat.epoch,
        "seats": {seat.id: seat.epoch},
        "players": {},
        **dict.fromkeys(("ply", "current", "last"), game.ply),
        "first": 1,
        "limit": 500,
        "letter": 10**5,
        "letter_id": 1,
        "season_id": 1,
        "browser_id": browser.id,
        "slug": game.slug,
        "text": "draw",
        "request": "mine",
        "numbers": (game.id,),
    }
    assert sorted(found) == sorted(GIVEN)
    return found


class Undone(PagesSession):
    """A session in a world that is made once for many tests: nothing that is done there is kept."""

    def __init__(self, engine: Engine) -> None:
        """Begin in the world that `engine` holds."""
        super().__init__(database)
        self.engine = engine

    def get_bind(self, *_what: Any, **_more: Any) -> Engine:
        """Return the world's own engine, whatever the app's is."""
        return self.engine

    def commit(self) -> None:
        """Let later statements see it."""
        self.flush()


class Scene(NamedTuple):
    """A world with a neighbour, or without one."""

    session: Undone
    there: World
    """What the neighbour has."""


class Scenes:
    """Our world alone and beside each neighbour, underway and over, each made when it is first asked for."""

    def __init__(self) -> None:
        """Begin with none."""
        self.known: dict[str, Any] = {}
        """What calls are given."""
        self._made: dict[tuple[bool, str], Scene] = {}

    def of(self, session: Session, now: datetime, *, over: bool) -> dict[str, Scene]:
        """By neighbour the world with it, "" without any; `session` is that of an empty club."""
        if not self._made:
            self.known = world(session, now)
            commit(session)
            fill(session, now)
            commit(session)
            for key in product((False, True), ("", *NEIGHBOURS)):
                self._made[key] = _scene(_copy(session), now, *key)
        return {which: scene for (ended, which), scene in self._made.items() if ended == over}

    def close(self) -> None:
        """Forget them."""
        for scene in self._made.values():
            scene.session.close()
            scene.session.engine.dispose()


def commit(session: Session) -> None:
    """Commit rows that no worker is to hear of."""
    session.info[enqueued.ASKED] = set(Work)
    session.commit()


def _copy(session: Session) -> Undone:
    """A session in a copy of the database as it was committed."""
    session.rollback()
    copied = sqlite3.connect(":memory:", check_same_thread=False)
    whole: Any = session.connection().connection.driver_connection
    session.rollback()
    whole.backup(copied)
    engine = create_engine("sqlite://", creator=lambda: copied, poolclass=StaticPool)
    return Undone(compiled.share("neighbours", engine))


def _scene(session: Undone, now: datetime, over: bool, which: str) -> Scene:  # noqa: FBT001 - a key
    """The world, over or underway, with that neighbour."""
    if over:
        outcome = msgspec.json.encode(Outcome(scores=(7, 5, 3), places=(1, 2, 3), ending="last round"))
        ended = {"state": GameState.FINISHED, "finished_at": now - timedelta(hours=1), "outcome": outcome}
        session.execute(sqlalchemy.update(Game).values(ended))
    neighbour = NEIGHBOURS.get(which)
    if neighbour:
        add_neighbours(session, now, neighbour)
    PagesSession.commit(session)
    return Scene(session, second_world(session, neighbour.same) if neighbour else {})


@pytest.fixture(scope="session")
def scenes() -> Iterator[Scenes]:
    """The worlds that each function is asked in."""
    found = Scenes()
    yield found
    found.close()


ASKED = sorted(
    {call.name.removesuffix(OF_ONE) for call in calls(Undone(create_engine("sqlite://")), dict.fromkeys(GIVEN))}
)
"""The functions that can be given all they ask for."""


def test_most_functions_are_asked() -> None:
    """Of each room."""
    found = Counter(name.split(".")[1] for name in ASKED)

    assert {room for room, least in LEAST.items() if found[room] < least} == set()


@pytest.mark.parametrize("name", ASKED)
def test_nobody_learns_of_a_neighbour_or_changes_it(scenes: Scenes, session: Session, now: datetime, name: str) -> None:
    """Each function answers as if it were alone, whatever the neighbour is: another world, or part of the same."""
    changed: dict[tuple[str, str], tuple[Any, Any]] = {}
    for over in (False, True):
        made = scenes.of(session, now, over=over)
        ours = list(calls(made[""].session, scenes.known, name))
        alone = {call.name: answer(made[""].session, call.deed, call.given) for call in ours}
        for which, neighbour in NEIGHBOURS.items():
            beside, there = made[which]
            for call, again in zip(calls(beside, scenes.known, name), ours, strict=True):
                if not neighbour.over and not call.about - neighbour.same:
                    continue
                said = answer(beside, call.deed, call.given, there, neighbour.same)
                if neighbour.seats and not str(said).startswith((CHANGED, "MultipleResultsFound")):
                    continue
                if said != alone[call.name] == answer(made[""].session, again.deed, again.given):
                    changed[which, call.name] = alone[call.name], said

    assert {one: said for one, said in changed.items() if one not in WIDER} == {}
    assert {one for one in WIDER if one[1].removesuffix(OF_ONE) == name} <= set(changed)


def test_what_is_erased_and_exported_is_the_persons_own(session: Session, now: datetime) -> None:
    """Once their games are over: then erasing goes through, to the last table, and the second world stays as it was."""
    known = world(session, now)
    session.execute(sqlalchemy.update(Game).values(state=GameState.FINISHED))
    session.execute(sqlalchemy.update(Member).values(role="organiser"))
    session.flush()
    fill(session, now)
    session.execute(sqlalchemy.update(Sitter).values(seat=0))
    for table in tables():
        for column in filter(is_text, table.columns):
            session.execute(table.update().where(column == "").values({column.name: "mine"}))
    given = {"player_id": lambda: known["player_id"]}
    exported = answer(session, personal_data.export_person, given)
    assert all(exported.values()), {name for name, rows in exported.items() if not rows}
    for neighbour in (Neighbour(), NEIGHBOURS["other seats here"]):
        with session.begin_nested() as inner:
            add_neighbours(session, now, neighbour)
            others = sqlalchemy.update(Member).where(~Member.club_id.between(0, OTHER - 1))
            session.execute(others.values(role="player"))  # nobody organises their club: nothing is asked of it
            there = second_world(session, neighbour.same)

            assert answer(session, personal_data.export_person, given) == exported
            assert answer(session, personal_data.erase, {"now": lambda: now, **given}, there, neighbour.same) == []
            inner.rollback()
    session.rollback()


def test_a_row_of_a_neighbour_is_as_one_of_nobody(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever acts in their own name on what is another's is told what they are told of what isn't there."""
    known = world(session, now)
    furnish(session, now, monkeypatch)
    add_neighbours(session, now, Neighbour())
    there = second_world(session)
    told, asked = {}, 0
    for call in calls(session, known):
        rows = [name for name in call.given if name.endswith("_id") and name not in OWNERS]
        for name in rows if OWNERS & set(call.given) else ():
            another, nobody = (  # a refusal may name what it was given
                str(answer(session, call.deed, call.given | {name: lambda row=row: row}, there)).replace(str(row), "it")
                for row in (known.get(name, 1) + OTHER, OTHER)
            )
            asked += 1
            if another != nobody and (call.name, name) not in OPEN:
                told[call.name, name] = another, nobody
    session.rollback()

    assert told == {}
    assert asked >= len(OWNERS)


def test_what_is_over_keeps_the_moment_it_ended(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is done then to what ended a week ago: it doesn't end again."""
    known = world(session, now)
    furnish(session, now, monkeypatch)
    ending = [(table, table.c[name]) for table in tables() for name in sorted(OVER & set(table.columns.keys()))]
    ending = [(table, column) for table, column in ending if (table.name, column.name) not in NO_END]
    for table, column in ending:
        session.execute(table.update().values({column.name: now - WEEKS}))

    again, made = set(), list(calls(session, known))
    for call in made:
        session.expire_all()
        with session.begin_nested() as inner:
            with suppress(Exception):  # whatever stops it
                call.deed(session, **{name: make() for name, make in call.given.items()})
            session.flush()
            for table, column in ending:
                moved = session.execute(select(table.c.id).where(column != now - WEEKS)).all()
                again |= {(call.name, f"{table.name}.{column.name}")} if moved else set()
            inner.rollback()
    session.rollback()

    assert again == set()
    assert len(made) >= sum(LEAST.values())


def test_who_organises_nothing_acts_for_no_club(session: Session, now: datetime) -> None:
    """Every deed in a club that is told who does it refuses a member who is no organiser, and a former organiser."""
    known = world(session, now)
    fill(session, now)
    member, former = PlayerFactory.create_batch(2)
    session.add(Member(club_id=known["club_id"], player_id=member.id, role="player", joined_at=now))
    session.add(Member(club_id=known["club_id"], player_id=former.id, role="organiser", joined_at=now, left_at=now))
    done = {"games": [{"id": known["game_id"]}]}
    session.execute(sqlalchemy.update(Audit).values(club_id=known["club_id"], undo_until=now, details=done))
    session.flush()
    said = {
        (call.name, by.name): str(answer(session, call.deed, call.given))
        for by in (member, former)
        for call in calls(session, known | {"by": by.id})
        if {"by", "club_id"} <= set(call.given)
    }
    session.rollback()

    assert {call: words for call, words in said.items() if not words.startswith(("NotAllowed", "NotSeated"))} == {}
    assert len(said) >= 10
