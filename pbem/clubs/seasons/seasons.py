"""Seasons: sign-up, rounds of tables, their games, drop-outs, final standings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.capabilities.roles import is_member, organisers, require_organiser
from pbem.clubs.ratings.ratings import OVERALL, Skill
from pbem.clubs.seasons import rounds, season_end, season_letters, season_tables
from pbem.clubs.seasons.standings import StandingLine, TableResult
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of, title_of
from pbem.errors import NotOpen, fitting, raise_for, refusals
from pbem.messages import LONGEST_NAME, clean
from pbem.play.deadlines import cadence as deadlines
from pbem.play.seats import opening
from pbem.play.views.game_context import outcome_of
from pbem.store import models
from pbem.store.models import LIVE, OVER, Game, Pairing, Season, SeasonEntry, Seat
from pbem.structs import Value

SYSTEMS = {
    "swiss": N_("Swiss: equal scores meet"),
    "round_robin": N_("Round robin: those meet who have met least"),
    "ladder": N_("Ladder: winners climb"),
    "knock_out": N_("Knock-out: the better half goes on"),
}
"""How the tables of a round can be drawn, and what pages call that."""
_LONGEST = 40
_LEAST = 2
MOST_APART = 14 * 24
"""Hours between the starts of two titles of a round."""


class Title(Value):
    """One game played in a season."""

    game: str
    seats: int
    """The table size wanted; others the game allows are used where the field doesn't divide."""
    options: Mapping[str, str] = {}


def titles_of(season: Season) -> tuple[Title, ...]:
    """Return what is played in a season."""
    return msgspec.convert(season.titles, tuple[Title, ...])


class SeasonPlan(Value, kw_only=True):
    """What is chosen when a season is announced."""

    name: str
    titles: tuple[Title, ...]
    system: str = "swiss"
    rounds: int = 3
    """A knock-out goes on until its final, however many those are."""
    cadence: deadlines.Cadence = deadlines.CADENCES["club"]
    workload: int = 4
    """Games of the season one player has at a time at most."""
    stagger_hours: int = 0
    """Hours between the starts of one round's titles."""


def announce(session: Session, now: datetime, club_id: int, by: int, plan: SeasonPlan) -> Season:
    """Open a season for sign-up. Raises NotAllowed, or WrongInput naming every wrong choice."""
    require_organiser(session, club_id, by)
    raise_for(_faults(plan))
    season = Season(
        club_id=club_id,
        name=clean(plan.name),
        system=plan.system,
        rounds=plan.rounds,
        titles=msgspec.to_builtins(plan.titles),
        cadence=msgspec.to_builtins(plan.cadence),
        workload=plan.workload,
        stagger_hours=plan.stagger_hours,
        created_at=now,
    )
    session.add(season)
    session.flush()
    season_letters.announced(session, now, season)
    return season


def _faults(plan: SeasonPlan) -> Iterator[Message]:
    yield from refusals(fitting, plan.name, LONGEST_NAME)
    if not clean(plan.name):
        yield sentence("The season needs a name.")
    if plan.system not in SYSTEMS:
        yield sentence("{word!r} is no system. There are: {names}.", word=plan.system, names=tuple(SYSTEMS))
    if not 1 <= plan.rounds <= _LONGEST:
        yield sentence("A season has 1 to {limit} rounds, not {rounds}.", limit=_LONGEST, rounds=plan.rounds)
    if not 1 <= plan.workload <= _LONGEST:
        yield sentence(
            "A player can have 1 to {limit} games at a time, not {rounds}.", limit=_LONGEST, rounds=plan.workload
        )
    if not 0 <= plan.stagger_hours <= MOST_APART:
        yield sentence(
            "The games of a round start 0 to {limit} hours apart, not {hours}.",
            limit=MOST_APART,
            hours=plan.stagger_hours,
        )
    if not plan.titles:
        yield sentence("A season needs at least one game.")
    for title in plan.titles:
        allowed = rules_of(title.game).meta.seats
        if title.seats not in allowed:
            yield sentence(
                "{game} has no tables of {count}; there are: {counts}.",
                game=title_of(title.game),
                count=title.seats,
                counts=tuple(map(str, allowed)),
            )
        yield from _wrong_options(title)


def _wrong_options(title: Title) -> tuple[Message, ...]:
    """What is wrong with the options of a title at any table it may come to have; better now than in a later round."""
    rules = rules_of(title.game)
    for seats in rules.meta.seats:
        try:
            rules.setup(seats, title.options, Rng("check", 0))
        except EngineError as wrong:
            return wrong.faults
    return ()


def enter(session: Session, now: datetime, season_id: int, player_id: int, *, by: int | None = None) -> SeasonEntry:
    """Sign a member up; one whom an organiser `by` enters is told by letter.

    Raises NotOpen once the season runs, or for who isn't in the club; NotAllowed if `by` is no organiser of it.
    """
    season = _locked(session, season_id)
    if by is not None:
        require_organiser(session, season.club_id, by)
    if season.state != "open":
        raise NotOpen("This season has begun; ask the organiser about the next one.")
    if not is_member(session, season.club_id, player_id):
        raise NotOpen("Only members of the club can enter its seasons. Ask an organiser for an invitation.")
    found = _entry(session, season_id, player_id)
    if found is not None:
        if by is not None and found.dropped_at is not None:
            season_letters.entered(session, now, season, player_id, again=True)
        found.dropped_at = None
        return found
    seed = session.scalar(
        select(models.Rating.shown).where(models.Rating.player_id == player_id, models.Rating.game == OVERALL)
    )
    entry = SeasonEntry(
        season_id=season_id,
        player_id=player_id,
        seed=float(Skill().shown if seed is None else seed),
        joined_at=now,
    )
    session.add(entry)
    session.flush()
    if by is not None:
        season_letters.entered(session, now, season, player_id, again=False)
    return entry


def _locked(session: Session, season_id: int) -> Season:
    """Return a season as nobody else enters, begins or ends it until the transaction ends."""
    query = select(Season).where(Season.id == season_id).with_for_update()
    return session.scalars(query, execution_options={"populate_existing": True}).one()


def drop_out(session: Session, now: datetime, season_id: int, player_id: int) -> None:
    """Leave a season: tables not opened yet do without the player; games under way stay theirs to finish or resign."""
    entry = _entry(session, season_id, player_id)
    if entry is None or entry.dropped_at is not None:
        raise NotOpen("You are not in this season.")
    entry.dropped_at = now


def _entry(session: Session, season_id: int, player_id: int) -> SeasonEntry | None:
    return session.scalar(
        select(SeasonEntry).where(SeasonEntry.season_id == season_id, SeasonEntry.player_id == player_id)
    )


def start(session: Session, now: datetime, season_id: int) -> None:
    """Close the sign-up and make the first round's tables. Raises NotOpen for a field too small for any table."""
    season = _locked(session, season_id)
    if season.state != "open":
        raise NotOpen("This season has begun already.")
    field = entries(session, season)
    if len(field) < _LEAST:
        raise NotOpen("A season needs at least {least} players.", least=_LEAST)
    for title in titles_of(season):
        if not season_tables.fits(title.game, len(field)):
            raise NotOpen(
                "{game} has no table for {count} players: wait for more to enter.",
                game=title_of(title.game),
                count=len(field),
            )
    season.state, season.started_at = "running", now
    make_round(session, now, season, 1)


def finish(session: Session, now: datetime, season_id: int) -> None:
    """End a season before its last round, or before its first. Raises NotOpen for one that is over."""
    season = _locked(session, season_id)
    if season.state == "finished":
        raise NotOpen("This season is over already.")
    season_end.finish(session, now, season, table_of(session, season_id))


def make_round(session: Session, now: datetime, season: Season, number: int) -> int:
    """Write the tables of a round for every title; how many. None left: the season is over before its last round."""
    field = _field(session, season)
    made = 0
    for index, title in enumerate(titles_of(season)):
        allowed = rules_of(title.game).meta.seats
        drawn = rounds.draw(field, index, title.seats, allowed)
        opens = now + _stagger(season, index)
        for place, players in enumerate(drawn.tables):
            session.add(
                Pairing(
                    season_id=season.id, round=number, title=index, number=place, players=list(players), opens_at=opens
                )
            )
        made += len(drawn.tables)
        if drawn.tables:
            season_letters.drawn(session, now, season, number, index, drawn)
        for player in drawn.byes:
            entry = _entry(session, season.id, player)
            if entry is not None:
                entry.byes += 1
    return made


def _field(session: Session, season: Season) -> rounds.Entrants:
    """Return who took part when the season began, or is signed up, and what has been played."""
    return rounds.Entrants(season.system, entries(session, season), results_by_title(session, season.id))


def entries(session: Session, season: Season) -> tuple[rounds.Entered, ...]:
    """Return who is signed up, or took part when the season began, the strongest first."""
    drawn = _drawn(session, season)
    columns = (SeasonEntry.player_id, SeasonEntry.seed, SeasonEntry.byes, SeasonEntry.dropped_at)
    query = select(*columns).join(Season).where(Season.id == season.id, SeasonEntry.counts())
    rows = session.execute(query.order_by(SeasonEntry.seed.desc(), SeasonEntry.player_id))
    return tuple(
        rounds.Entered(
            *(player, seed, byes),
            None if dropped is None else max((number for number, at in drawn if at <= dropped), default=0),
        )
        for player, seed, byes, dropped in rows
    )


def _drawn(session: Session, season: Season) -> list[tuple[int, datetime]]:
    """Return the rounds so far, and when each was drawn."""
    tables = select(Pairing.round, Pairing.title, Pairing.opens_at).where(Pairing.season_id == season.id).distinct()
    return [(number, opens - _stagger(season, title)) for number, title, opens in session.execute(tables)]


def _stagger(season: Season, title: int) -> timedelta:
    """Return how long after a round is drawn a title's tables open."""
    return timedelta(hours=season.stagger_hours * title)


def results_by_title(session: Session, season_id: int) -> dict[int, tuple[rounds.PlayedTable, ...]]:
    """Every table so far by title, in order; without a result while its game goes on or if it outlasts the season."""
    found: dict[int, list[rounds.PlayedTable]] = {}
    rows = session.execute(
        select(Pairing, Game.id, Game.outcome)
        .join(Season)
        .outerjoin(
            Game,
            (Game.id == Pairing.game_id) & Game.state.in_(OVER) & Season.counts_game(),
        )
        .where(Pairing.season_id == season_id)
        .order_by(Pairing.round, Pairing.number)
    )
    for pairing, over, stored in rows:
        players, outcome = tuple(pairing.players), outcome_of(stored)
        result = TableResult(players, outcome.places, outcome.scores) if outcome else None
        played = rounds.PlayedTable(pairing.round, players, result, over is None)
        found.setdefault(pairing.title, []).append(played)
    return {title: tuple(tables) for title, tables in found.items()}


def table_of(session: Session, season_id: int) -> tuple[StandingLine, ...]:
    """Return the standings over all titles, by everybody who took part when the season began, or is signed up."""
    return rounds.ranked(_field(session, session.get_one(Season, season_id)))


class Aside(Value, kw_only=True):
    """Who is not where the places of a title's last round would have put them."""

    game: str
    resting: tuple[int, ...]
    moved_up: tuple[int, ...]


def asides(session: Session, season: Season) -> Mapping[int, Sequence[Aside]]:
    """Return by round, for each title that has tables in it, who of those that play on sat it out, or moved up."""
    field = _field(session, season)
    found: dict[int, list[Aside]] = {}
    for index, title in enumerate(titles_of(season)):
        seated: dict[int, set[int]] = {}
        for table in field.played.get(index, ()):
            seated.setdefault(table.round, set()).update(table.players)
        for number, players in seated.items():
            idle, up = rounds.resting(field, index, number), rounds.moved_up(field, index, number, players)
            rest = tuple(player for player in idle if player in field.inside)
            found.setdefault(number, []).append(Aside(game=title_of(title.game), resting=rest, moved_up=up))
    return found


def carry_on(session: Session, now: datetime, season_id: int) -> None:
    """Open the games that are due, and the next round once one is over.

    Doing it twice does it once: a pairing has one game, a round one set of tables.
    """
    season = _locked(session, season_id)
    if season.state != "running":
        return
    _open_due(session, now, season)
    last, waiting = _round_of(session, season_id)
    if waiting:
        return
    is_last = last >= season.rounds and season.system != "knock_out"
    if is_last or not make_round(session, now, season, last + 1):
        season_end.finish(session, now, season, table_of(session, season.id))
    else:
        _open_due(session, now, season)


def _round_of(session: Session, season_id: int) -> tuple[int, bool]:
    """Return the number of the last round made, and whether any of its games is still to be finished."""
    last = session.execute(select(func.max(Pairing.round)).where(Pairing.season_id == season_id)).scalar_one() or 0
    going = session.execute(
        select(Pairing.id)
        .outerjoin(Game)
        .where(
            Pairing.season_id == season_id,
            Pairing.round == last,
            Pairing.game_id.is_(None) | Game.state.in_(LIVE),
        )
    ).first()
    return last, going is not None


def _open_due(session: Session, now: datetime, season: Season) -> None:
    """Open the games whose time has come, as far as the players' workload allows."""
    titles = titles_of(season)
    load = _load(session, season.id)
    due = session.scalars(
        select(Pairing)
        .where(Pairing.season_id == season.id, Pairing.game_id.is_(None), Pairing.opens_at <= now)
        .order_by(Pairing.round, Pairing.title, Pairing.number)
    )
    dropped = _dropped(session, season.id)
    for pairing in due:
        title = titles[pairing.title]
        seats = season_tables.seats_at(pairing.players, dropped, rules_of(title.game).meta.seats)
        people = [player for player in seats if player is not None]
        if not people:
            session.delete(pairing)
        elif all(load.get(player, 0) < season.workload for player in people):
            if None not in seats:
                pairing.players = people
            _open(session, now, season, pairing, title, seats)
            load |= {player: load.get(player, 0) + 1 for player in people}
    session.flush()


def _open(  # noqa: PLR0913, PLR0917 - a table of a season, and who sits there
    session: Session, now: datetime, season: Season, pairing: Pairing, title: Title, seats: Sequence[int | None]
) -> None:
    """Open the game of a table, called as its season is: of a long name the beginning."""
    which = f", {pairing.round}.{pairing.number + 1}: {title_of(title.game)}"
    plan = opening.GamePlan(
        game=title.game,
        seats=tuple(map(season_tables.plan_of, seats)),
        options=title.options,
        club_id=season.club_id,
        organiser_id=next(iter(organisers(session, season.club_id)), None),
        cadence=msgspec.convert(season.cadence, deadlines.Cadence),
        title=clean(season.name, LONGEST_NAME - len(which)) + which,
    )
    pairing.game_id = opening.open_game(session, now, plan).id


def _dropped(session: Session, season_id: int) -> frozenset[int]:
    """Return who has left the season."""
    query = select(SeasonEntry.player_id).where(SeasonEntry.season_id == season_id, SeasonEntry.dropped_at.is_not(None))
    return frozenset(session.scalars(query))


def _load(session: Session, season_id: int) -> dict[int, int]:
    """Return how many of the season's games each player has under way."""
    rows = session.execute(
        select(Seat.player_id, func.count())
        .join(Game)
        .join(Pairing)
        .where(Pairing.season_id == season_id, Game.state.in_(LIVE))
        .group_by(Seat.player_id)
    )
    return {player: count for player, count in rows if player is not None}


def to_carry_on(session: Session) -> Sequence[int]:
    """Seasons under way: what the sweep goes through."""
    return session.scalars(select(Season.id).where(Season.state == "running").order_by(Season.id)).all()
