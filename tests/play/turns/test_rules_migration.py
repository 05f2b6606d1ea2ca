from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select

from pbem.engine import priestsofra, registry, replay
from pbem.engine.core import records
from pbem.engine.core.errors import UnknownVersion
from pbem.engine.priestsofra import PriestsOfRa
from pbem.errors import GameOver, NotAllowed
from pbem.play.proof import record_export, replay_audit
from pbem.play.turns import rules_migration, stuck
from pbem.play.turns.advance import advance
from pbem.play.views import decision_queue, seat_view, spectator
from pbem.store.models import Letter, Player, StoredPly
from tests.factories import GameFactory, answer, answer_all, asked, hours, play_to_the_end, seat_of, state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.engine.core.message import Event
    from pbem.engine.core.rng import Chance
    from pbem.engine.core.types import AnyRules
    from pbem.store.models import Game

FIRST = priestsofra.RULES


class Second(PriestsOfRa):
    """The next version of the rules: whoever calls Ra of their own will has a point for it."""

    meta = msgspec.structs.replace(FIRST.meta, version=2)

    def apply(self, state: Any, orders: Mapping[int, Any], chance: Chance) -> list[Event]:
        """Do as before, and give the point."""
        seat = state.actor
        state.points[seat] += str(orders[seat]) == "ra"
        return FIRST.apply(state, orders, chance)


class Tidied(PriestsOfRa):
    """A version that changes nothing of what these games have met so far."""

    meta = msgspec.structs.replace(FIRST.meta, version=2)


@pytest.fixture
def program() -> Iterator[Program]:
    """The program, to be installed with other rules; the real ones again afterwards."""
    yield Program()
    Program()(FIRST)


class Program:
    """Which rules of Priests of Ra are installed."""

    def __call__(self, newest: AnyRules, *earlier: AnyRules) -> None:
        """Install a program that opens games by `newest` and goes on with those of `earlier` versions."""
        vars(priestsofra).update(RULES=newest, EARLIER=earlier)
        registry.versions.cache_clear()


def called_ra(session: Session, game: Game) -> int:
    """How often somebody called Ra in a game."""
    plies = session.execute(select(StoredPly.orders).where(StoredPly.game_id == game.id)).scalars()
    return sum("ra" in orders.values() for orders in plies)


def sound(session: Session, game: Game) -> bool:
    """Whether the audit finds nothing, and the export plays again to the same result."""
    text = record_export.record(session, game.id)
    return replay_audit.audit(session, game.id).faults == () and replay.mismatches(text) == ()


def test_running_games_keep_their_rules_through_an_upgrade(session: Session, now: datetime, program: Program) -> None:
    """Games begun before it are played to their end by version 1, later ones by version 2; all replay for ever."""
    before = GameFactory(now=now, seed="old-1", plays=5)
    program(Second(), FIRST)
    after = GameFactory(now=now, seed="old-1")
    games = (before, after)
    for game in games:
        play_to_the_end(session, now, game)

    assert [game.rules_version for game in games] == [1, 2]
    assert {game.state for game in games} == {"finished"}
    assert called_ra(session, after)
    assert all(sound(session, game) for game in games)
    for game, version in zip(games, (1, 2), strict=True):
        record = records.parse(record_export.record(session, game.id))
        other = msgspec.structs.replace(record, version=3 - version)
        assert record.version == version
        assert replay.finish(other)[1] != replay.finish(record)[1]  # the versions do differ


def test_one_version_after_another(program: Program) -> None:
    """The newest is what new games get; each older one is found by its number, an unknown one names those there are."""
    newest = Second()
    program(newest, FIRST)

    assert registry.rules_of("priestsofra") is newest
    assert registry.rules_of("priestsofra", 1) is FIRST
    with pytest.raises(UnknownVersion, match="Priests of Ra by rules version 3; this program plays version 1, 2"):
        registry.rules_of("priestsofra", 3)


def test_a_game_without_its_rules_waits_for_them(session: Session, now: datetime, program: Program) -> None:
    """A program without them sets it aside at once, tells the organiser and keeps the rest; with them it goes on."""
    program(Second(), FIRST)
    game = GameFactory(now=now, seed="waits")
    seat = asked(session, game)[0].seat
    cover, ply = game.cover_at, game.ply
    program(FIRST)
    stuck.set_aside_unknown(session, now)
    session.commit()
    letters = session.execute(select(Letter.player_id).where(Letter.kind == "stuck")).scalars().all()

    assert (game.state, game.ply, letters) == ("stuck", ply, [game.organiser_id])
    assert game.trace.startswith("This is a game of Priests of Ra by rules version 2; this program plays version 1.")
    assert answer(session, now, game, seat, "draw").reason == "PhaseClosed"
    with pytest.raises(UnknownVersion):
        stuck.unstick(session, now, game.id)

    program(Second(), FIRST)
    assert cover is not None
    later = cover + hours(30)
    stuck.unstick(session, later, game.id)
    assert advance(session, later, game.id).plies == 0  # nobody's time is over: it was given back
    assert game.cover_at == cover + (later - now)
    assert answer(session, later, game, seat).accepted
    play_to_the_end(session, later, game)
    assert (game.state, game.rules_version, sound(session, game)) == ("finished", 2, True)


def test_a_game_whose_package_is_gone_waits_for_it(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken out, a package leaves its games set aside and the lists in order; installed again, they go on."""
    game = GameFactory(now=now, seed="gone")
    seat = asked(session, game)[0].seat
    player = seat_of(session, game, seat).player_id
    with monkeypatch.context() as gone:
        for module in (registry, stuck):
            gone.setattr(module, "GAMES", ("amunre", "egizia"))
        stuck.set_aside_unknown(session, now)
        session.commit()

        assert game.trace.startswith("The package with the rules of 'priestsofra' is not installed here.")
        assert registry.title_of(game.game) == "priestsofra"
        assert decision_queue.queue(session, now, player or 0)[0].heading.text.startswith("Set aside")
        with pytest.raises(UnknownVersion):
            stuck.unstick(session, now, game.id)

    stuck.unstick(session, now, game.id)
    assert answer(session, now, game, seat).accepted


def test_lists_go_on_without_a_game_of_unknown_rules(session: Session, now: datetime, program: Program) -> None:
    """A person's queue, the public list and the stuck game's page: the others are shown, this one says what it is."""
    program(Second(), FIRST)
    lost = GameFactory(now=now, seed="lost")
    person = session.get_one(Player, seat_of(session, lost, 0).player_id)
    program(FIRST)
    kept = GameFactory(people=[person], bots=("random", "random"), now=now, seed="kept")
    items = {item.slug: item for item in decision_queue.queue(session, now, person.id)}

    assert items[lost.slug].heading.text.startswith("Set aside")
    assert (items[lost.slug].question, items[kept.slug].heading.text.startswith("Set aside")) == (None, False)
    headings = {one.slug: one.heading.text.startswith("Set aside") for one in spectator.watchable(session)}
    assert headings == {lost.slug: True, kept.slug: False}
    with pytest.raises(UnknownVersion):
        seat_view.situation(session, now, seat_of(session, lost, 0).id)


def test_a_game_moves_to_rules_that_would_have_played_it_the_same(
    session: Session, now: datetime, program: Program
) -> None:
    """After the move it is played on, audited and exported by the new version, which its whole record bears out."""
    game = GameFactory(now=now, seed="moves", plays=9)
    program(Tidied(), FIRST)

    assert rules_migration.migrate(session, game.id) == 2
    session.commit()
    with pytest.raises(NotAllowed, match="by rules version 2 already"):
        rules_migration.migrate(session, game.id)
    play_to_the_end(session, now, game)
    assert (game.rules_version, sound(session, game)) == (2, True)
    with pytest.raises(GameOver):
        rules_migration.migrate(session, game.id, 1)


def test_a_game_does_not_move_to_rules_that_would_have_played_it_otherwise(
    session: Session, now: datetime, program: Program
) -> None:
    """Its record would be false: refused with the first ply that differs, and the game stays as it was."""
    game = GameFactory(now=now, seed="stays")
    while not called_ra(session, game):
        answer_all(session, now, game)
    program(Second(), FIRST)
    with pytest.raises(NotAllowed, match=r"would have gone otherwise.*Ply \d+: replayed, the state differs"):
        rules_migration.migrate(session, game.id)

    assert game.rules_version == 1
    play_to_the_end(session, now, game)
    assert sound(session, game)


class Stricter(Tidied):
    """A version by which nobody may draw."""

    def check(self, state: Any, seat: int, order: Any) -> list[Any]:
        """Refuse every draw."""
        return ["no"] if str(order) == "draw" else FIRST.check(state, seat, order)


def test_an_answer_that_waits_must_be_legal_by_the_new_rules_too(
    session: Session, now: datetime, program: Program
) -> None:
    """Otherwise the game would be stuck at its next ply; the player is not surprised either."""
    game = GameFactory(now=now, seed="answered")
    decision = asked(session, game)[0]
    assert (
        FIRST.check(state(session, game), decision.seat, FIRST.read(state(session, game), decision.seat, "draw")) == []
    )
    assert answer(session, now, game, decision.seat, "draw").accepted
    program(Stricter(), FIRST)

    with pytest.raises(NotAllowed, match=f"The answer of seat {decision.seat} would not be legal"):
        rules_migration.migrate(session, game.id)
