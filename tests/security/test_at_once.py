"""Two at once, on a real PostgreSQL, at everything that is counted before it is spent, and at what both write anew."""

from __future__ import annotations

import re
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import func, select, text

import pbem
from benchmarks.unasked import Unasked
from pbem.budgets import Budget
from pbem.capabilities import acts, api_keys, forms, links
from pbem.capabilities.tokens import tokens
from pbem.clubs.games import control_room
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import club_settings, members
from pbem.errors import Overtaken, PlayError
from pbem.extensions import db
from pbem.letter_kinds import KINDS
from pbem.letters import unsubscribe
from pbem.play.admin import club_box
from pbem.play.deadlines import absences, fallback
from pbem.play.orders import standing_orders
from pbem.play.seats import notes, practice, preferences, proposals, substitutes
from pbem.play.views import spectator
from pbem.store import unit_of_work
from pbem.store.models import (
    Absence,
    Capability,
    Club,
    Game,
    Hook,
    Member,
    Note,
    Player,
    Proposal,
    SavedView,
    Seat,
    StoredStandingOrders,
)
from pbem.structs import mark_of
from pbem.web import guards
from tests import enqueued
from tests.factories import PlayerFactory
from tests.security.test_budgets import PRESSES, REGISTRY, Scene, budgets, lift, pressed
from tests.servers import connect, lock_waiters, until
from tests.web.club.test_box import altered
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest
    from flask import Flask
    from sqlalchemy.orm import Session

    from pbem.extensions import Base
    from tests.conftest import Clock

RESENT = "pbem.clubs.members.members.RESENT"
"""The one budget of what has to be sent first."""


class Twin(Scene):
    """The same scene as somebody else's transaction sees it, a second later."""

    def __init__(self, scene: Scene) -> None:
        """Note what it is about, in the first one's thread."""
        self.now, self.number = scene.now + timedelta(seconds=1), scene.number + 1
        self._ids = scene.game.id, scene.seat.id, scene.player.id, scene.club.id

    def look(self) -> None:
        """Read all of it, in a thread of its own."""
        self.session = db.session()
        game, seat, player, club = self._ids
        self.game, self.seat = self.session.get_one(Game, game), self.session.get_one(Seat, seat)
        self.player, self.club = self.session.get_one(Player, player), self.session.get_one(Club, club)


def at_once(app: Flask, scene: Scene, first: Callable[[Scene], object], second: Callable[[Scene], object]) -> int:
    """Do `first`, and `second` by somebody else until it waits for the first one's commit or is done.

    Returns how many letters there were after the first alone.
    """
    twin = Twin(scene)

    def other() -> None:
        with app.app_context():
            twin.look()
            try:
                second(twin)
                twin.session.commit()
            except PlayError:
                twin.session.rollback()

    with suppress(PlayError):
        first(scene)
    scene.session.flush()
    written = scene.written()
    url = db.engine.url.render_as_string(hide_password=False)
    with ThreadPoolExecutor(1) as pool, connect(url) as onlooker:
        try:
            done = pool.submit(other)
            until(lambda: done.done() or lock_waiters(onlooker), "the other one to wait or to be done")
        finally:
            # the other one goes on at once: what it made due isn't missing here
            scene.session.info[enqueued.ASKED] = set(unit_of_work.Work)
            scene.session.commit()
        done.result()
    return written


def test_two_at_once_keep_each_budget(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for one press, and two press at the same moment: one has letters sent. Each budget by itself."""
    found = {}
    with pg_app.app_context():
        scene = Scene(db.session())
        for name, budget in budgets().items():
            with monkeypatch.context() as patch:
                lift(patch, *(other for other in budgets() if other != name))
                press = pressed(name)
                allow(patch, name, msgspec.structs.replace(budget, most=press.spends))
                if name in PRESSES:
                    scene = Scene(db.session())
                if name == RESENT:
                    scene.takes(press.act)
                scene.number += 2
                before = scene.written()
                first = at_once(pg_app, scene, press.act, press.act)
                found[name] = (first > before, scene.written() - first)

    assert found == {name: (name != RESENT, 0) for name in found}


def allow(patch: pytest.MonkeyPatch, name: str, budget: Budget) -> None:
    """Put another budget in one's place."""
    if name.startswith(REGISTRY):
        kind = KINDS[name.removeprefix(REGISTRY)]
        patch.setitem(KINDS, kind.name, msgspec.structs.replace(kind, budget=budget))
    else:
        patch.setattr(name, budget)


class Limit(NamedTuple):
    """How many of something there may be at a time."""

    most: str
    """Where that stands."""
    act: Callable[[Scene], object]
    """Makes one more."""
    table: type[Base]


def make_key(scene: Scene) -> object:
    """A key for a program."""
    return api_keys.issue_for_person(scene.session, scene.now, scene.player.id, f"program {scene.number}")


def add_hook(scene: Scene) -> object:
    """A webhook of the club."""
    return webhooks.add(
        scene.session, scene.now, scene.club.id, scene.player.id, "raw", f"https://198.51.100.7/{scene.number}"
    )


def save_view(scene: Scene) -> None:
    """A view of the control room."""
    view = control_room.View(f"view {scene.number}", control_room.Filter())
    control_room.save_view(scene.session, scene.now, scene.club.id, scene.player.id, view)


def begin_practice(scene: Scene) -> object:
    """A game against bots."""
    return practice.open_practice(scene.session, scene.now, scene.player.id, "amunre", "easy")


def go_away(scene: Scene) -> object:
    """Thirty-five days away; the year's allowance has no room for the same twice."""
    starts = scene.now + timedelta(days=40 * scene.number)
    return absences.announce(scene.session, scene.now, scene.player.id, starts, starts + absences.LONGEST)


def give_ahead(scene: Scene) -> object:
    """A standing order, another one each time: the same would take its own place."""
    return standing_orders.store(scene.session, scene.now, scene.seat.id, "\n".join(["pass"] * (scene.number + 1)))


LIMITS = {
    "capabilities/api_keys.py: >= MOST": Limit("pbem.capabilities.api_keys.MOST", make_key, Capability),
    "clubs/games/control_room.py: >= MOST_VIEWS": Limit(
        "pbem.clubs.games.control_room.MOST_VIEWS", save_view, SavedView
    ),
    "clubs/integrations/webhooks.py: >= MOST": Limit("pbem.clubs.integrations.webhooks.MOST", add_hook, Hook),
    "play/deadlines/absences.py: > ALLOWED": Limit("", go_away, Absence),
    "play/orders/standing_orders.py: >= MOST": Limit(
        "pbem.play.orders.standing_orders.MOST", give_ahead, StoredStandingOrders
    ),
    "play/seats/practice.py: >= MOST": Limit("pbem.play.seats.practice.MOST", begin_practice, Game),
}
"""Each limit of what the database holds, by the line that asks for it."""
NOT_COUNTED = {
    "clubs/games/csv_table.py: >= MOST_FAULTS": "lines of one list",
    "study/sandbox.py: > MOST_ORDERS": "orders of one line",
    "web/fields.py: > MOST": "a number that was typed",
}


def test_every_limit_is_tried() -> None:
    """Of what the database holds, or it says what else it is about."""
    root, found = Path(pbem.__path__[0]), set()
    for path in root.rglob("*.py"):
        here = path.relative_to(root).as_posix()
        if not here.startswith(("engine/", "kit/")):
            lines = re.findall(r">=? *(?:\w+\.)?(?:MOST(?:_\w+)?|ALLOWED)\b", path.read_text(encoding="utf-8"))
            found |= {f"{here}: {line}" for line in lines}

    assert found == LIMITS.keys() | NOT_COUNTED.keys()


def test_two_at_once_keep_each_limit(pg_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for one more, and two make one each at the same moment: one is refused."""
    found = {}
    with pg_app.app_context():
        scene = Scene(db.session())
        for name, limit in LIMITS.items():
            count = select(func.count()).select_from(limit.table)
            before = scene.session.execute(count).scalar_one()
            with monkeypatch.context() as patch:
                if limit.most:
                    patch.setattr(limit.most, 1)
                at_once(pg_app, scene, limit.act, limit.act)
            found[name] = scene.session.execute(count).scalar_one() - before

    assert found == dict.fromkeys(LIMITS, 1)


def test_two_at_once_lose_nothing_of_each_other(pg_app: Flask) -> None:
    """Two kinds of letters stopped, two settings of a club changed, two renewals, one and a seat left: all count."""

    def stop(kind: str) -> Callable[[Scene], object]:
        return lambda one: unsubscribe.stop(
            one.session, one.now, tokens(), unsubscribe.token(tokens(), one.player.id, one.player.epoch, None, kind)
        )

    def settle(one: Scene) -> None:
        wanted = club_settings.ClubSettings(name="Nile", language="fr", zone="Europe/Paris", contact="a@nile.example")
        club_settings.change(one.session, one.now, one.club.id, one.player.id, wanted)

    with pg_app.app_context():
        scene = Scene(db.session())
        at_once(pg_app, scene, stop("gazette"), stop("talk"))
        assert sorted(scene.player.kinds_off) == ["gazette", "talk"]

        at_once(
            pg_app,
            scene,
            lambda one: club_settings.open_to(one.session, one.now, one.club.id, one.player.id, 7),
            settle,
        )
        assert spectator.behind(scene.session, scene.club.id) == 7
        assert scene.club.settings["zone"] == "Europe/Paris"

        epoch = scene.player.epoch
        renew = lambda one: links.renew(one.session, one.now, one.player.id)  # noqa: E731 - pressed twice
        at_once(pg_app, scene, renew, renew)
        assert scene.player.epoch == epoch + 2
        epoch = scene.seat.epoch
        at_once(pg_app, scene, renew, lambda one: substitutes.resign(one.session, one.now, one.seat.id))
        assert scene.seat.epoch == epoch + 2


class Saved(NamedTuple):
    """What is saved whole."""

    shown: Callable[[Scene], object]
    """As its form shows it, or GET gives it."""
    save: Callable[[Scene, int], object]
    """Saves another one for each number."""


def of_club(one: Scene) -> tuple[Session, datetime, int, int]:
    """What a use case of organisers begins with."""
    return one.session, one.now, one.club.id, one.player.id


def kept_box(one: Scene, number: int) -> None:
    """The numbers of a box, or what ships."""
    club_box.keep(*of_club(one), "amunre", altered("amunre") if number == 1 else "")


def renamed(shown: Any, number: int) -> Any:
    """The same under another name."""
    return msgspec.structs.replace(shown, name=f"{shown.name} {number}")


SAVED = {
    "clubs/games/control_room.py: save_view": Saved(
        lambda one: control_room.views(one.session, one.club.id, one.player.id),
        lambda one, number: control_room.save_view(
            *of_club(one), control_room.View("mine", control_room.Filter(text=f"{number}"))
        ),
    ),
    "clubs/members/club_settings.py: change": Saved(
        lambda one: club_settings.read(one.session, one.club.id),
        lambda one, number: club_settings.change(
            *of_club(one), renamed(club_settings.read(one.session, one.club.id), number)
        ),
    ),
    "clubs/members/club_settings.py: open_to": Saved(
        lambda one: spectator.behind(one.session, one.club.id),
        lambda one, number: club_settings.open_to(*of_club(one), number),
    ),
    "play/admin/club_box.py: keep": Saved(
        lambda one: club_box.text_of(one.session, one.club.id, "amunre"),
        kept_box,
    ),
    "play/deadlines/fallback.py: set_ladder": Saved(
        lambda one: fallback.ladder_of(one.session, one.seat.id),
        lambda one, number: fallback.set_ladder(one.session, one.seat.id, fallback.RUNGS[:number]),
    ),
    "play/seats/notes.py: _keep": Saved(
        lambda one: {"text": notes.note_of(one.session, one.seat.id)},
        lambda one, number: notes.keep(one.session, one.now, one.seat.id, f"note {number}"),
    ),
    "play/seats/preferences.py: change_settings": Saved(
        lambda one: preferences.read_settings(one.session, one.player.id),
        lambda one, number: preferences.change_settings(
            one.session, one.player.id, renamed(preferences.read_settings(one.session, one.player.id), number)
        ),
    ),
}
"""By the use case that ends with `require_as_opened`."""


def test_everything_that_is_saved_whole_is_tried() -> None:
    """Whatever asks whether it is as it was shown."""
    root = Path(pbem.__path__[0])
    asking = re.compile(r"^def (\w+)\((?:(?!^def ).)*?^ +require_as_opened\(", re.MULTILINE | re.DOTALL)
    found = {
        f"{path.relative_to(root).as_posix()}: {name}"
        for path in root.rglob("*.py")
        for name in asking.findall(path.read_text(encoding="utf-8"))
    }

    assert found == SAVED.keys()


def saving(name: str, number: int, mark: str, overtaken: list[tuple[str, int]]) -> Callable[[Scene], None]:
    """What saves something whole as it was shown with this mark, and notes if that came too late."""

    def save(one: Scene) -> None:
        acts.begin(one.session, Unasked(), {mark})
        try:
            SAVED[name].save(one, number)
        except Overtaken:
            overtaken.append((name, number))
            raise

    return save


def test_of_two_who_save_the_same_at_once_one_is_told(pg_app: Flask) -> None:
    """Both were shown the same: who comes second waits, reads what the first one saved, and changes nothing."""
    overtaken: list[tuple[str, int]] = []
    with pg_app.app_context():
        scene = Scene(db.session())
        for name, saved in SAVED.items():
            mark = mark_of(saved.shown(scene))
            at_once(pg_app, scene, *(saving(name, number, mark, overtaken) for number in (1, 2)))

    assert overtaken == [(name, 2) for name in SAVED]


def test_a_row_that_somebody_writes_at_this_moment_is_no_error(pg_app: Flask) -> None:
    """The first notes of a seat are saved by two tabs at once: the one that came second is asked again, and counts."""
    with pg_app.app_context():
        scene = Scene(db.session())
        player, path = scene.player, f"/seat/{scene.seat.id}/note"
        browser = Browser(pg_app.test_client())
        browser.get(f"/l/{links.player_token(tokens(), player.id, player.epoch)}")
        token = browser.token(f"/seat/{scene.seat.id}")
        scene.session.rollback()  # the page's, which reads only
        row = {"game_id": scene.game.id, "seat": scene.seat.seat, "player_id": player.id, "updated_at": scene.now}
        at_once(
            pg_app,
            scene,
            lambda one: one.session.add(Note(**row, text="first")),
            lambda _: browser.client.post(path, data={"csrf_token": token, "text": "second"}),
        )
        assert scene.session.scalars(select(Note.text)).all() == ["second"]


def test_one_form_sent_twice_at_once_counts_once(pg_app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tap that comes second is led where the first one led, and not refused for what that one did."""
    monkeypatch.setattr(guards, "_sent", lambda: "a" * 64)
    with pg_app.app_context():
        scene = Scene(db.session())
        player, path = scene.player, f"/seat/{scene.seat.id}/settings"
        browser = Browser(pg_app.test_client())
        browser.get(f"/l/{links.player_token(tokens(), player.id, player.epoch)}")
        form = {"csrf_token": browser.token(path), "act": "propose", "kind": "end", "sure": "yes"}
        scene.session.rollback()  # the page's, which reads only
        answers = []

        def propose(one: Scene) -> None:
            assert forms.led(one.session, "a" * 64) is None
            proposals.propose(one.session, clock.now, one.game.id, player.id, proposals.ProposalPlan(kind="end"))
            forms.note(one.session, clock.now, player.id, "a" * 64, "/where/the/first/led")

        at_once(pg_app, scene, propose, lambda _: answers.append(browser.client.post(path, data=form)))
        assert [answer.location for answer in answers] == ["/where/the/first/led"]
        assert scene.session.scalars(select(func.count()).select_from(Proposal)).one() == 1


def rename(session: Session, player: int) -> None:
    """Write one row."""
    session.execute(text("UPDATE players SET name = name || '!' WHERE id = :id"), {"id": player})


def rename_backwards(app: Flask, players: Sequence[int]) -> None:
    """Rename the last of these players first, and wait as long as it takes."""
    with app.app_context():
        session = db.session()
        session.execute(text("SET LOCAL deadlock_timeout = '1h'"))
        for player in reversed(players):
            rename(session, player)
        session.commit()


def test_two_who_want_the_same_rows_in_another_order_both_have_their_way(
    pg_app: Flask, pg_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL gives up one of two that wait for each other: a request is asked once more, and nobody sees a 503."""
    tries: list[int] = []
    jobs: list[Future[None]] = []

    def requested() -> str:
        if jobs:
            jobs[0].result()  # else the second try may take the first row before the one that waits for it wakes
        session = db.session()
        session.execute(text("SET LOCAL deadlock_timeout = '50ms'"))  # who looks first is given up
        rename(session, ids[0])
        tries.append(len(tries))
        if not jobs:
            jobs.append(pool.submit(rename_backwards, pg_app, ids))
            until(lambda: lock_waiters(onlooker), "the other one to wait")
        rename(session, ids[1])
        return "done"

    with pg_app.app_context(), ThreadPoolExecutor(2) as pool, connect(pg_url) as onlooker:
        scene = Scene(db.session())
        ids = [scene.player.id, PlayerFactory().id]
        scene.session.commit()
        names = [scene.session.get_one(Player, one).name for one in ids]
        monkeypatch.setitem(pg_app.view_functions, "links.send_me", requested)
        answer = pool.submit(Browser(pg_app.test_client()).send, "/links").result()
        assert jobs, answer.text
        jobs[0].result()
        scene.session.expire_all()

        assert (answer.status_code, answer.text, tries) == (200, "done", [0, 1])
        assert [scene.session.get_one(Player, one).name for one in ids] == [f"{name}!!" for name in names]


def test_two_organisers_who_take_each_other_out_leave_one(pg_app: Flask) -> None:
    """Who comes second sees that nobody would be left, and is told that a club needs an organiser."""

    def take_out(whom: int) -> Callable[[Scene], object]:
        return lambda one: members.take_out(one.session, one.now, one.club.id, by=sum(both) - whom, player_id=whom)

    with pg_app.app_context():
        scene = Scene(db.session())
        other = PlayerFactory()
        scene.session.add(Member(club_id=scene.club.id, player_id=other.id, role="organiser", joined_at=scene.now))
        for row in scene.session.scalars(select(Member).where(Member.player_id.not_in((scene.player.id, other.id)))):
            row.role = "player"
        scene.session.commit()
        both = (scene.player.id, other.id)
        at_once(pg_app, scene, take_out(both[0]), take_out(both[1]))
        left = select(Member.player_id).where(Member.at_present(club_id=scene.club.id, role="organiser"))
        assert scene.session.scalars(left).all() == [other.id]
