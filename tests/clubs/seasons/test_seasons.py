"""Seasons from sign-up to standings, and the ratings that follow."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.clubs.account import personal_data
from pbem.clubs.members import members
from pbem.clubs.ratings import rating_sweep
from pbem.clubs.ratings.ratings import OVERALL, Skill
from pbem.clubs.seasons import rounds, season_letters, season_tables, seasons
from pbem.clubs.seasons.seasons import SeasonPlan, Title
from pbem.engine.registry import rules_of
from pbem.errors import NotOpen, NotSeated, WrongInput
from pbem.jobs import tasks
from pbem.store.models import Game, Letter, Pairing, Rating, RatingStep, Season, SeasonEntry, Seat
from tests.clubs.conftest import play_out
from tests.factories import ClubFactory

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

RA = Title("priestsofra", 2, {"auctions": "in_turn"})


def season_of(session: Session, now: datetime, circle: Circle, **plan: object) -> Season:
    """A season everybody has entered and that has started."""
    wishes = {"name": "Spring", "titles": (RA,), "rounds": 2, **plan}
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(**wishes))  # type: ignore[arg-type]  # wishes of the tests
    for player in circle.everybody:
        seasons.enter(session, now, season.id, player.id)
    seasons.start(session, now, season.id)
    session.commit()
    return season


def opened(session: Session, now: datetime, season: Season) -> list[Game]:
    """Carry a season on; the games that were opened for it."""
    known = session.execute(select(Game.id)).scalars().all()
    seasons.carry_on(session, now, season.id)
    session.commit()
    return list(session.execute(select(Game).where(Game.id.not_in(known)).order_by(Game.id)).scalars())


def play_round(session: Session, now: datetime, season: Season) -> list[Game]:
    """Open what is due and play it to the end."""
    games = opened(session, now, season)
    for game in games:
        play_out(session, now, game)
    return games


def test_a_season_runs_to_its_standings(session: Session, now: datetime, circle: Circle) -> None:
    """Two Swiss rounds of four tables: eight games, nobody meets twice, a winner, whom a letter names to everybody."""
    season = season_of(session, now, circle)

    games = [*play_round(session, now, season), *play_round(session, now, season)]
    seasons.carry_on(session, now, season.id)

    assert len(games) == 8
    assert season.state == "finished"
    met = [frozenset(players) for players in session.execute(select(Pairing.players)).scalars()]
    assert len(set(met)) == 8
    lines = seasons.table_of(session, season.id)
    assert lines[0].place == 1
    assert sum(line.points for line in lines) == pytest.approx(800)
    everybody = {player.id for player in circle.everybody}
    assert [{letter.player_id for letter in told} for told in _told(session)] == [everybody, everybody]
    assert [len(told) for told in _told(session)] == [8, 8]
    names = {player.id: player.name for player in circle.everybody}
    (says,) = _told(session)[1][0].data["paragraphs"]
    assert says["params"] == {"winners": [names[line.player] for line in lines if line.place == 1], "count": 8}


def test_who_sits_a_round_out_is_counted_once(
    session: Session, now: datetime, circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of seven at a game for two one has no table in each round, and whoever had none before has one in the next."""
    plan = SeasonPlan(name="Spring", titles=(RA,))
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, plan)
    for player in circle.others:
        seasons.enter(session, now, season.id, player.id)
    for_two = SimpleNamespace(meta=SimpleNamespace(seats=(2,)))
    monkeypatch.setattr(seasons, "rules_of", lambda _: for_two)
    seasons.start(session, now, season.id)
    counted = []
    for number in (2, 3):
        counted.append(sorted(session.scalars(select(SeasonEntry.byes))))
        seasons.make_round(session, now, season, number)
    counted.append(sorted(session.scalars(select(SeasonEntry.byes))))

    assert counted == [[0] * (7 - rounds) + [1] * rounds for rounds in (1, 2, 3)]


def test_a_table_of_a_season_with_the_longest_name_tells_which_it_is(
    session: Session, now: datetime, circle: Circle
) -> None:
    """The season's name is cut for it, and the round, the table and the game stand whole."""
    titles = [game.title for game in opened(session, now, season_of(session, now, circle, name="Spring " * 8 + "2026"))]

    assert {len(title) for title in titles} == {60}
    assert {title.rpartition(", ")[2] for title in titles} == {f"1.{number}: Priests of Ra" for number in range(1, 5)}


def test_carrying_on_twice_does_it_once(session: Session, now: datetime, circle: Circle) -> None:
    """A second sweep over the same moment opens no second game and makes no second round."""
    season = season_of(session, now, circle)

    first = opened(session, now, season)
    second = opened(session, now, season)

    assert (len(first), len(second)) == (4, 0)
    assert len(session.execute(select(Pairing)).all()) == 4


def test_the_workload_holds_games_back(session: Session, now: datetime, circle: Circle) -> None:
    """With two titles and one game at a time, the second title's tables open as the first are finished."""
    season = season_of(session, now, circle, titles=(RA, RA), workload=1, rounds=1)

    first, meanwhile = opened(session, now, season), opened(session, now, season)
    for game in first:
        play_out(session, now, game)
    second = opened(session, now, season)

    assert (len(first), len(meanwhile), len(second)) == (4, 0, 4)


def test_who_drops_out_gets_no_further_table(session: Session, now: datetime, circle: Circle) -> None:
    """Of eight players one leaves: the other seven play at three tables, one of them of three."""
    season = season_of(session, now, circle)
    play_round(session, now, season)
    seasons.drop_out(session, now + timedelta(hours=1), season.id, circle.alice.id)

    games = play_round(session, now + timedelta(hours=2), season)

    assert sorted(game.seats for game in games) == [2, 2, 3]
    took_part = seasons.entries(session, season)
    assert [(one.player, one.left) for one in took_part if not one.was_in(2)] == [(circle.alice.id, 1)]


def test_a_table_not_opened_yet_does_without_who_dropped_out(session: Session, now: datetime, circle: Circle) -> None:
    """It shrinks where the game lets it; else a bot stands in; a table that nobody is left of is no table."""
    three = season_of(session, now, circle, titles=(Title("priestsofra", 4),), rounds=1)
    pairing = _drawn(session, three)[0]
    gone, *left = pairing.players
    seasons.drop_out(session, now, three.id, gone)
    two = season_of(session, now, circle, rounds=1)
    first, second, *_ = _drawn(session, two)
    alone = first.players[1]
    for player in (first.players[0], *second.players):
        seasons.drop_out(session, now, two.id, player)

    for season in (three, two):
        seasons.carry_on(session, now, season.id)
    session.commit()

    assert pairing.players == left
    assert _seated(session, pairing) == [(player, "") for player in left]
    assert _seated(session, first) == [(None, "heuristic"), (alone, "")]
    assert session.get(Pairing, second.id) is None


def test_a_seasons_table_tells_what_plays_for_whom(session: Session, now: datetime, circle: Circle) -> None:
    """A bot that stood in from the beginning, and a substitute who came later; another season's tables aren't told."""
    season_of(session, now, circle, name="Winter", rounds=1)
    season = season_of(session, now, circle, rounds=1)
    first, second, *_ = _drawn(session, season)
    seasons.drop_out(session, now, season.id, first.players[0])
    names = {one.player_id: one.name for one in season_tables.contestants(session, season.id)}
    assert {table.stand_ins for table in season_tables.tables(session, season, names)} == {()}  # nothing is opened yet
    seasons.carry_on(session, now, season.id)
    substitute = first.players[1]
    session.execute(update(Seat).where(Seat.game_id == second.game_id, Seat.seat == 1).values(player_id=substitute))

    shown = season_tables.tables(session, season, names)

    assert len(shown) == len(_drawn(session, season))
    assert [table.players for table in shown[:2]] == [
        tuple(names[one] for one in drawn.players) for drawn in (first, second)
    ]
    colour = rules_of("priestsofra").meta.colours[0]
    assert [table.stand_ins for table in shown[:2]] == [(f"{colour} bot", ""), ("", names[substitute])]


def _drawn(session: Session, season: Season) -> list[Pairing]:
    """The tables of a season, in order."""
    query = select(Pairing).where(Pairing.season_id == season.id).order_by(Pairing.id)
    return list(session.execute(query).scalars())


def _told(session: Session) -> tuple[list[Letter], list[Letter]]:
    """The letters about seasons: those that announced one, and those at its end."""
    letters = session.scalars(select(Letter).where(Letter.kind == "season")).all()
    announced = [letter for letter in letters if ":announced:" in letter.cause]
    return announced, [letter for letter in letters if letter not in announced]


def _seated(session: Session, pairing: Pairing) -> list[tuple[int | None, str]]:
    """Who sits at the table's game: person or bot."""
    query = select(Seat.player_id, Seat.bot).where(Seat.game_id == pairing.game_id).order_by(Seat.seat)
    return [(player, bot) for player, bot in session.execute(query)]


def test_only_members_enter_and_only_in_time(session: Session, now: datetime, circle: Circle) -> None:
    """Strangers are refused, and members once it has begun."""
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(name="Summer", titles=(RA,)))
    with pytest.raises(NotOpen, match="Only members"):
        seasons.enter(session, now, season.id, 10_000)
    session.add(Rating(player_id=circle.others[3].id, game=OVERALL, mu=40, sigma=1, shown=1900))
    seeds = [seasons.enter(session, now, season.id, player.id).seed for player in circle.everybody[:2]]
    assert seeds == [Skill().shown] * 2
    elsewhere = ClubFactory.create()
    with pytest.raises(NotSeated):
        season_tables.find(session, elsewhere.id, season.slug)
    assert season_tables.find(session, circle.club.id, season.slug) == season
    seasons.start(session, now, season.id)

    with pytest.raises(NotOpen, match="has begun"):
        seasons.enter(session, now, season.id, circle.others[3].id)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ({"name": " "}, "needs a name"),
        ({"system": "lottery"}, "'lottery' is no system"),
        ({"rounds": 0}, "1 to 40 rounds, not 0"),
        ({"stagger_hours": -1}, "start 0 to 336 hours apart, not -1"),
        ({"stagger_hours": 10**8}, "start 0 to 336 hours apart, not 100000000"),  # no date is so far away
        ({"titles": ()}, "at least one game"),
        ({"titles": (Title("amunre", 2),)}, "has no tables of 2; there are: 3, 4, 5"),
    ],
)
def test_wrong_plans(session: Session, now: datetime, circle: Circle, plan: dict[str, object], sentence: str) -> None:
    """Every wrong choice is named."""
    wishes = {"name": "Spring", "titles": (RA,), **plan}

    with pytest.raises(WrongInput, match=sentence):
        seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(**wishes))  # type: ignore[arg-type]  # wishes of the tests


def test_ratings_follow_from_finished_games(session: Session, now: datetime, circle: Circle) -> None:
    """Each finished game counts once, in both pools; who opted out appears nowhere."""
    shy = circle.others[-1]
    shy.rated = False
    season = season_of(session, now, circle, rounds=1)
    games = play_round(session, now, season)

    assert rating_sweep.rate_finished(session) == len(games) == 4
    assert rating_sweep.rate_finished(session) == 0

    steps = session.execute(select(RatingStep)).scalars().all()
    assert len(steps) == 3 * 2 * 2
    lines = rating_sweep.ranking(session, circle.club.id, OVERALL)
    assert [line.shown for line in lines] == sorted((line.shown for line in lines), reverse=True)
    assert shy.id not in {line.player_id for line in lines}
    winner = lines[0].player_id
    assert [point.place for point in rating_sweep.history(session, winner, circle.club.id, "priestsofra")] == [1]


def test_options_that_no_table_has_are_refused_when_announced(session: Session, now: datetime, circle: Circle) -> None:
    """A slip in an option would else be found when the first game opens, and hold up the sweep of all seasons."""
    wrong = Title("amunre", 4, {"gold": "stolen"})

    with pytest.raises(WrongInput, match="stolen"):
        seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(name="Spring", titles=(RA, wrong)))


def test_a_season_needs_a_table_of_each_game(session: Session, now: datetime, circle: Circle) -> None:
    """Two players can't fill a table of Amun-Re: the season waits for more, and isn't over before it began."""
    season = seasons.announce(
        session, now, circle.club.id, circle.alice.id, SeasonPlan(name="Spring", titles=(RA, Title("amunre", 4)))
    )
    for count, says in ((1, "A season needs at least 2 players"), (2, "Amun-Re has no table for 2 players")):
        seasons.enter(session, now, season.id, circle.everybody[count].id)
        with pytest.raises(NotOpen, match=says):
            seasons.start(session, now, season.id)


@pytest.mark.parametrize("step", ["leave", "erase"])
def test_who_leaves_the_club_leaves_its_seasons(session: Session, now: datetime, circle: Circle, step: str) -> None:
    """Whoever is gone gets no table in the next round, nor the letter of its end; their line of the standings stays."""
    season = season_of(session, now, circle)
    play_round(session, now, season)
    gone = circle.others[2]

    if step == "leave":
        members.leave(session, now, circle.club.id, gone.id)
    else:
        personal_data.erase(session, now, gone.id)
    session.commit()
    seasons.carry_on(session, now, season.id)

    second = [pairing for pairing in _drawn(session, season) if pairing.round == 2]
    assert second
    assert gone.id not in {player for pairing in second for player in pairing.players}
    assert gone.id in {line.player for line in seasons.table_of(session, season.id)}
    seasons.finish(session, now, season.id)
    assert {letter.player_id for letter in _told(session)[-1]} == {
        one.id for one in circle.everybody if one is not gone
    }


def test_a_season_that_is_stuck_holds_up_no_other(session: Session, now: datetime, circle: Circle) -> None:
    """A season whose games can't be opened is passed over; the next one goes on."""
    broken = season_of(session, now, circle, name="Broken")
    broken.titles = [{"game": "priestsofra", "seats": 2, "options": {"auctions": "by telephone"}}]
    whole = season_of(session, now, circle, name="Whole")
    session.commit()

    tasks.carry_seasons()

    session.expire_all()
    assert {pairing.game_id is None for pairing in _drawn(session, broken)} == {True}
    assert {pairing.game_id is None for pairing in _drawn(session, whole)} == {False}


def test_a_season_is_ended_before_its_last_round(session: Session, now: datetime, circle: Circle) -> None:
    """No table opens any more, everybody gets the standings once, and games under way change nothing."""
    season = season_of(session, now, circle, stagger_hours=48, titles=(RA, RA))
    games = opened(session, now, season)

    play_out(session, now, games[0])
    seasons.finish(session, now, season.id)
    session.commit()
    seasons.carry_on(session, now + timedelta(days=3), season.id)
    for game in games[1:]:
        play_out(session, now + timedelta(days=3), game)

    assert season.state == "finished"
    assert {pairing.game_id for pairing in _drawn(session, season)} == {game.id for game in games}
    assert [len(told) for told in _told(session)] == [len(circle.everybody)] * 2
    assert sum(line.games for line in seasons.table_of(session, season.id)) == games[0].seats
    assert [table.counts for table in season_tables.tables(session, season, {})] == [True] + [False] * (len(games) - 1)
    first, going_on = _told(session)[1][0].data["paragraphs"]
    assert "came first of" in first["text"]
    assert "were) not over" in going_on["text"]
    assert going_on["params"] == {"count": len(games) - 1}
    with pytest.raises(NotOpen, match="over already"):
        seasons.finish(session, now, season.id)


def test_the_end_of_a_season_leaves_the_tables_of_another(session: Session, now: datetime, circle: Circle) -> None:
    """Those drawn and not opened go with their own season only; games of the other don't go on for this one."""
    first, second = (season_of(session, now, circle, name=name) for name in ("Spring", "Autumn"))
    drawn = len(_drawn(session, second))
    opened(session, now, second)

    seasons.finish(session, now, first.id)

    assert [len(_drawn(session, one)) for one in (first, second)] == [0, drawn]
    assert len(_told(session)[1][0].data["paragraphs"]) == 1
    assert drawn


def test_a_season_is_called_off_before_it_begins(session: Session, now: datetime, circle: Circle) -> None:
    """Who had entered is told so, without standings."""
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(name="Summer", titles=(RA,)))
    seasons.enter(session, now, season.id, circle.alice.id)

    seasons.finish(session, now, season.id)

    announced, (letter,) = _told(session)
    assert len(announced) == len(circle.everybody)
    assert (letter.player_id, letter.data["tables"]) == (circle.alice.id, [])
    assert "called off" in letter.data["title"]["text"]
    with pytest.raises(NotOpen, match="has begun"):
        seasons.enter(session, now, season.id, circle.others[0].id)


@pytest.mark.parametrize("ended", ["open", "running", "called off"])
def test_who_dropped_out_before_it_began_took_no_part(
    session: Session, now: datetime, circle: Circle, ended: str
) -> None:
    """They are on no list and in no letter; who drops out later keeps their line of the standings."""
    season = seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(name="Spring", titles=(RA,)))
    early, late, *others = (player.id for player in circle.everybody)
    for number in (early, late, *others):
        seasons.enter(session, now, season.id, number)
    seasons.drop_out(session, now, season.id, early)
    if ended == "running":
        seasons.start(session, now + timedelta(hours=1), season.id)
        seasons.drop_out(session, now + timedelta(hours=2), season.id, late)
        seasons.finish(session, now + timedelta(hours=3), season.id)
    elif ended == "called off":
        seasons.finish(session, now + timedelta(hours=1), season.id)
    session.commit()

    assert {line.player for line in seasons.table_of(session, season.id)} == {late, *others}
    assert {letter.player_id for letter in _told(session)[1]} == (set() if ended == "open" else {late, *others})


def test_every_letter_about_a_season_leads_to_it(session: Session, now: datetime, circle: Circle) -> None:
    """Announced, entered by an organiser, entered again after dropping out, over, called off: its page has the rest."""
    bob = circle.others[0]
    causes = []
    for ended, said in (
        ("over", "No game was finished."),
        ("called off", "The organiser has ended the season before it began."),
    ):
        season = seasons.announce(session, now, circle.club.id, circle.alice.id, SeasonPlan(name=ended, titles=(RA,)))
        for hour in (0, 1):
            if hour:
                seasons.drop_out(session, now, season.id, bob.id)
            for _ in ("entered", "pressed again"):
                seasons.enter(session, now + timedelta(hours=hour), season.id, bob.id, by=circle.alice.id)
        seasons.enter(session, now, season.id, circle.alice.id)
        if ended == "over":
            seasons.start(session, now, season.id)
        seasons.finish(session, now, season.id)
        letters = [one for one in session.scalars(select(Letter)) if one.cause.startswith(f"season:{season.id}:")]
        last = {one.data["paragraphs"][0]["text"] for one in letters if one.cause.count(":") == 2}
        assert last == {said}
        assert {one.data["to"] for one in letters} == {f"club/{circle.club.slug}/seasons/{season.slug}"}
        causes.append(sorted(one.cause.split(":")[2] for one in letters if one.player_id == bob.id))

    assert causes == [[str(bob.id), "announced", "entered", "entered"]] * 2


def test_a_knock_out_tells_whom_it_goes_on_without(session: Session, now: datetime, circle: Circle) -> None:
    """Half of each table is out, the next one moves up for who left; it goes on to its final, however many rounds."""
    four = Title("priestsofra", 4, {"auctions": "in_turn"})
    season = season_of(session, now, circle, system="knock_out", titles=(four,), rounds=1)
    games = play_round(session, now, season)
    won = next(line.player for line in seasons.table_of(session, season.id) if line.place == 1)
    seasons.drop_out(session, now, season.id, won)
    play_round(session, now, season)

    first, second = ({who for one in _drawn(session, season) if one.round == n for who in one.players} for n in (1, 2))
    words = {"{season}: you are out": first - second - {won}, "{season}: you move up": None}
    for subject, people in words.items():
        told = [one for one in session.scalars(select(Letter)) if one.data.get("title", {}).get("text") == subject]
        if people is None:
            (moved,) = told
            assert moved.player_id in second
            assert seasons.asides(session, season)[2][0].moved_up == (moved.player_id,)
        else:
            assert {one.player_id for one in told} == people
    assert (len(games), len(second)) == (2, 4)
    opened(session, now, season)
    assert season.state == "finished"


def test_who_sits_a_round_out_is_told(session: Session, now: datetime, circle: Circle) -> None:
    """One letter for a round of a title, and their name below the round's tables."""
    season = season_of(session, now, circle)
    rest = circle.others[0]
    for pairing in [one for one in _drawn(session, season) if rest.id in one.players]:
        session.delete(pairing)
    session.execute(update(SeasonEntry).where(SeasonEntry.player_id == rest.id).values(byes=1))
    for _ in range(2):
        season_letters.drawn(session, now, season, 1, 0, rounds.DrawnRound((), byes=(rest.id,)))

    (letter,) = [one for one in session.scalars(select(Letter)) if ":drawn:" in one.cause]
    assert (letter.player_id, letter.data["title"]["text"]) == (rest.id, "{season}: you sit out round {number}")
    assert seasons.asides(session, season)[1][0].resting == (rest.id,)
