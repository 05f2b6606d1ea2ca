"""Every budget, one by one: with all others lifted it holds, and with it lifted too nothing does; and mail's sizes."""

from __future__ import annotations

import importlib
import re
import smtplib
import socket
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pytest
from sqlalchemy import func, select

import pbem
from pbem import smtpd
from pbem.budgets import Budget
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.clubs.account import address_change, personal_data
from pbem.clubs.integrations import webhooks
from pbem.clubs.members import announcements, members
from pbem.errors import WrongInput
from pbem.extensions import settings
from pbem.inbound import receive, working
from pbem.letter_kinds import KINDS
from pbem.letter_queue import LetterQueue
from pbem.letters import delivery, unsubscribe
from pbem.mail.incoming import MAX_MAIL, MAX_RECIPIENTS
from pbem.play import lesson_letters
from pbem.play.seats import talk
from pbem.store.models import Club, Game, HookCall, Invitation, Letter, Member, Player
from pbem.web.guards import limiter
from tests.conftest import make_app, set_up, settings_in
from tests.factories import START, GameFactory, PlayerFactory, in_a_club, seat_of
from tests.servers import PATIENCE, free_port, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask_limiter import Limit
    from sqlalchemy.orm import Session

    from tests.conftest import Clock

LIFTED = Budget(10**9, timedelta(microseconds=1))
MORE = 3
"""Presses beyond what the budget allows."""
REGISTRY = "pbem.letter_kinds.KINDS."


LOOKS_BACK = {
    "clubs/club_views.py: > now - LOOKED_BACK": "what a page shows",
    "clubs/games/substitute_search.py: > now - club_views.LOOKED_BACK": "who answers offers of a seat",
    "clubs/games/undo.py: >= now - actions.UNDO": "what can be undone still",
    "clubs/members/members.py: > now - LISTED_FOR": "what a page shows",
    "inbound/receive.py: > now - _SHOWN_FOR": "what a page shows",
}
"""Where rows since a moment are asked for without a budget, and what for."""
VISITORS = {
    "analysis.of_finished": "600 per hour",
    "analysis.of_seat": "600 per hour",
    "api.verify": "60 per hour",
    "api.watchable": "120 per hour",
    "learn.ask": "5 per hour; 20 per day",
    "learn.order": "600 per hour",
    "learn.show": "600 per hour",
    "links.send_me": "10 per minute; 60 per hour",
    "practice.begin": "20 per hour",
    "public.keepsake": "60 per hour",
    "public.record": "60 per hour",
    "public.verify": "60 per hour",
    "results.again": "20 per hour",
    "results.picture": "120 per hour",
    "results.pixels": "120 per hour",
    "rules.picture": "600 per hour",
}
"""Routes whose calls by one visitor are counted, and how many they get."""


@cache
def makers() -> list[str]:
    """The modules that make a budget, by name."""
    root = Path(pbem.__path__[0])
    paths = [path for path in root.rglob("*.py") if "Budget(" in path.read_text(encoding="utf-8")]
    return [".".join(("pbem", *path.relative_to(root).with_suffix("").parts)) for path in paths]


def budgets() -> dict[str, Budget]:
    """Every budget of the program, by where it stands."""
    found = {f"{REGISTRY}{name}": kind.budget for name, kind in KINDS.items() if kind.budget is not None}
    for name in makers():
        here = vars(importlib.import_module(name)).items()
        found |= {f"{name}.{word}": value for word, value in here if isinstance(value, Budget)}
    return found


def lift(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Take budgets out."""
    for name in names:
        if name.startswith(REGISTRY):
            kind = name.removeprefix(REGISTRY)
            monkeypatch.setitem(KINDS, kind, msgspec.structs.replace(KINDS[kind], budget=None))
        else:
            module, _, word = name.rpartition(".")
            monkeypatch.setattr(importlib.import_module(module), word, LIFTED)


class Scene:
    """A club with a game, and somebody who presses one button again and again, a second between two presses."""

    def __init__(self, session: Session) -> None:
        """Set the club and the game up."""
        self.session, self.now, self.number = session, START, 0
        self.game: Game = GameFactory(bots=("random",))
        self.seat = seat_of(session, self.game, 0)
        self.player = session.get_one(Player, self.seat.player_id)
        in_a_club(session, self.game, self.player.id)
        self.club = session.get_one(Club, self.game.club_id)
        self.club.settings = {"contact": "club@nile.example"}
        session.query(Member).update({"role": "organiser"})
        session.commit()
        self.before = self.written()

    def written(self) -> int:
        """How many letters there are that go out, and calls of webhooks."""
        letters = select(func.count()).select_from(Letter).where(Letter.state != "dropped")
        calls = select(func.count()).select_from(HookCall)
        return sum(self.session.execute(query).scalar_one() for query in (letters, calls))

    def takes(self, press: Callable[[Scene], None]) -> bool:
        """Whether a press has a letter sent."""
        before = self.before
        self.number, self.now = self.number + 1, self.now + timedelta(seconds=1)
        try:
            press(self)
            self.session.commit()
        except WrongInput:
            self.session.rollback()
        self.before = self.written()
        return self.before > before

    def invite(self, *addresses: str) -> None:
        """Invite people into the club."""
        guests = [members.Guest(address) for address in addresses]
        members.invite(self.session, self.now, self.club.id, self.player.id, guests)


def say(scene: Scene) -> None:
    """Say something at the table."""
    talk.say(scene.session, scene.now, scene.seat.id, f"Hello {scene.number}")


def announce(scene: Scene) -> None:
    """Write to the whole club."""
    announcements.announce(
        scene.session, scene.now, scene.club.id, scene.player.id, title=f"News {scene.number}", text="Hello"
    )


def ask_for_many_addresses(scene: Scene) -> None:
    """Ask for another address, each time another one."""
    address_change.ask(scene.session, scene.now, scene.player.id, f"new{scene.number}@nile.example")


def ask_for_one_address(scene: Scene) -> None:
    """Ask for the same address, each time as somebody else."""
    address_change.ask(scene.session, scene.now, PlayerFactory().id, "target@nile.example")


def invite_a_hundred(scene: Scene) -> None:
    """Invite a hundred people nobody has invited before."""
    scene.invite(*(f"guest{scene.number}-{place}@nile.example" for place in range(100)))


def invite_again(scene: Scene) -> None:
    """Invite somebody who has said no."""
    scene.session.query(Invitation).update({"state": "declined"})
    scene.invite("guest@nile.example")


def send_again(scene: Scene) -> None:
    """Send one invitation once more."""
    if scene.number == 1:
        scene.invite("guest@nile.example")
        scene.session.query(Letter).filter_by(kind="invitation").delete()
    row = scene.session.query(Invitation).order_by(Invitation.id.desc()).first()
    assert row is not None
    members.resend_invitation(scene.session, scene.now, scene.club.id, scene.player.id, row.id)


def mail(scene: Scene) -> None:
    """Send a mail to the seat."""
    addresses = delivery.addresses_of(settings())
    to = addresses.seat(scene.seat.id, scene.game.ply + 1, scene.seat.epoch)
    raw = f"From: a@b.org\nMessage-ID: <{scene.number}@b.org>\nSubject: x\n\nhelp\n".encode()
    number = receive.receive(scene.session, raw, to, scene.now, sender="a@b.org")
    assert number is not None
    working.work(scene.session, scene.now, addresses, number)


def stop_a_kind(scene: Scene) -> None:
    """Stop a kind of letter, which was taken up again."""
    text = unsubscribe.token(tokens(), scene.player.id, scene.player.epoch, None, "gazette")
    unsubscribe.resume(scene.session, tokens(), text)
    unsubscribe.stop(scene.session, scene.now, tokens(), text)


def ask_for_links(scene: Scene) -> None:
    """Type somebody's address."""
    links.mail_my_links(scene.session, scene.now, scene.player.address or "")


def offer_a_lesson(scene: Scene) -> None:
    """Type somebody's address below a first game."""
    lesson_letters.offer(scene.session, scene.now, scene.player, "amunre")


def begin_a_lesson(scene: Scene) -> None:
    """Say yes to one offer."""
    lesson_letters.begin(scene.session, scene.now, scene.player, "amunre")


def export(scene: Scene) -> None:
    """Take a file with everything stored."""
    personal_data.export_for_owner(scene.session, scene.now, scene.player.id)


def try_a_webhook(scene: Scene) -> None:
    """Try one of two that the club has, in turn."""
    hooks = webhooks.hooks_of(scene.session, scene.club.id)
    for _ in () if hooks else "ab":
        webhooks.add(scene.session, scene.now, scene.club.id, scene.player.id, "raw", "https://198.51.100.7/hook")
    hooks = webhooks.hooks_of(scene.session, scene.club.id)
    webhooks.try_out(scene.session, scene.now, scene.club.id, scene.player.id, hooks[scene.number % 2].id)


class Press(NamedTuple):
    """What is pressed, and how many each press spends."""

    act: Callable[[Scene], None]
    spends: int = 1


PRESSES: dict[str, Press] = {
    "pbem.capabilities.links.MAILED": Press(ask_for_links),
    "pbem.clubs.account.address_change.ASKED": Press(ask_for_many_addresses),
    "pbem.clubs.account.address_change.AT_ONE_ADDRESS": Press(ask_for_one_address),
    "pbem.clubs.account.personal_data.TOLD": Press(export),
    "pbem.clubs.integrations.webhooks.TRIED": Press(try_a_webhook),
    "pbem.clubs.members.announcements.ANNOUNCED": Press(announce),
    "pbem.clubs.members.members.GUESTS": Press(invite_a_hundred, spends=100),
    "pbem.clubs.members.members.INVITED": Press(invite_again),
    "pbem.clubs.members.members.RESENT": Press(send_again),
    "pbem.inbound.seat_mail.ANSWERS": Press(mail),
    "pbem.letters.unsubscribe.TOLD": Press(stop_a_kind),
    "pbem.play.lesson_letters.BEGUN": Press(begin_a_lesson),
    "pbem.play.lesson_letters.OFFERED": Press(offer_a_lesson),
    "pbem.play.seats.talk.SAID": Press(say),
}
"""What each budget holds that isn't one of a kind of letter."""


def pressed(name: str) -> Press:
    """What a budget holds; for a kind's, one letter of it for each press, all to one person."""
    if name in PRESSES:
        return PRESSES[name]

    def write(scene: Scene) -> None:
        post = LetterQueue(scene.now)
        post.person(name.removeprefix(REGISTRY), scene.player, f"press:{scene.number}")
        post.send(scene.session)

    return Press(write)


def test_every_budget_is_pressed() -> None:
    """A new one says here by what it is reached; one that is gone stands here no more."""
    assert {name for name in budgets() if not name.startswith(REGISTRY)} == set(PRESSES)


def test_what_counts_since_a_moment_is_a_budget() -> None:
    """A limit that isn't written as one isn't walked here: whatever looks back in time is a budget or says why not."""
    root, found = Path(pbem.__path__[0]), set()
    for path in root.rglob("*.py"):
        lines = re.findall(r">=? *(?:self\.)?now - [\w.]+(?:\([^)]*\))?", path.read_text(encoding="utf-8"))
        found |= {f"{path.relative_to(root).as_posix()}: {line}" for line in lines}

    assert found == set(LOOKS_BACK)


@pytest.mark.parametrize("name", budgets())
def test_a_budget_holds_by_itself(session: Session, clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """All others lifted, so many presses have a letter sent and no more; this one lifted too, every press has."""
    assert clock.now == START
    scene, press, most = Scene(session), pressed(name), budgets()[name].most
    lift(monkeypatch, *(other for other in budgets() if other != name))
    taken = [scene.takes(press.act) for _ in range(most // press.spends + MORE)]
    assert taken == [True] * (most // press.spends) + [False] * MORE

    lift(monkeypatch, name)
    assert [scene.takes(press.act) for _ in range(MORE)] == [True] * MORE


def limited(app: Flask) -> dict[str, Limit]:
    """The routes with a limit of their own, by endpoint."""
    by_name = {f"{view.__module__}.{view.__name__}.{view.__name__}": name for name, view in app.view_functions.items()}
    return {by_name[name]: one for name, found in limiter.limit_manager._decorated_limits.items() for one in found}


def test_a_visitor_gets_what_each_route_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that counts as all it allows is answered, the next is refused; a route with another limit is listed."""
    app = make_app(settings_in(tmp_path, RATE_LIMITS="yes"))
    set_up(app)
    app.config["WTF_CSRF_ENABLED"] = False
    found = limited(app)
    assert {name: one.limit_provider for name, one in found.items()} == VISITORS
    for rule in app.url_map.iter_rules():
        if rule.endpoint not in found:
            continue
        monkeypatch.setattr(found[rule.endpoint], "cost", int(VISITORS[rule.endpoint].split()[0]))
        _, path = rule.build(dict.fromkeys(rule.arguments, 1)) or ("", "")
        method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
        visitor = {"REMOTE_ADDR": f"192.0.2.{len(rule.rule)}"}
        tried = [app.test_client().open(path, method=method, environ_overrides=visitor).status_code for _ in "ab"]
        assert (tried[0] != 429, tried[1]) == (True, 429), rule


class Sockets:
    """The door for mail, and connections to it."""

    def __init__(self, app: Flask) -> None:
        """Open it."""
        self.port = free_port()
        self.addresses = delivery.addresses_of(app.extensions["pbem.settings"])
        self._door = smtpd.listen(app, "127.0.0.1", self.port, lmtp=False)
        self._open: list[smtplib.SMTP] = []

    def connect(self) -> smtplib.SMTP:
        """One more connection, greeted."""
        self._open.append(smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE))
        self._open[-1].ehlo()
        return self._open[-1]

    def is_open(self) -> bool:
        """Whether there is room for one more."""
        try:
            return self.connect().noop()[0] == 250
        except smtplib.SMTPConnectError as refused:
            return refused.smtp_code != 421

    def close(self) -> None:
        """End them all, and the door."""
        for one in self._open:
            one.close()
        self._door.stop()


def size(sockets: Sockets, beyond: int) -> bool:
    """Whether a mail of so many bytes beyond the limit is refused as it is announced."""
    return sockets.connect().docmd("MAIL", f"FROM:<a@b.org> SIZE={MAX_MAIL + beyond}")[0] == 552


def recipients(sockets: Sockets, beyond: int) -> bool:
    """Whether the last of so many recipients is put off."""
    server = sockets.connect()
    server.mail("a@b.org")
    codes = [server.rcpt(sockets.addresses.seat(one, 2, 0))[0] for one in range(MAX_RECIPIENTS + beyond)]
    return codes[-1] == 452


def line(sockets: Sockets, beyond: int) -> bool:
    """Whether a mail with a line of so many bytes beyond the limit, its end counted, is refused."""
    mail = b"From: a@b.org\r\n\r\n" + b"x" * (smtpd._LINE - 2 + beyond) + b"\r\n"
    try:
        sockets.connect().sendmail("a@b.org", [sockets.addresses.seat(1, 2, 0)], mail)
    except smtplib.SMTPException:
        return True
    return False


def connections(sockets: Sockets, beyond: int) -> bool:
    """Whether the last of so many connections is told to come again; one that ends makes room for it."""
    held = [sockets.connect() for _ in range(smtpd._CONNECTIONS + beyond - 1)]
    if sockets.is_open():
        return False
    held[0].quit()
    until(sockets.is_open, "room for one")
    return True


HELD: dict[str, Callable[[Sockets, int], bool]] = {
    "MAX_MAIL": size,
    "_CONNECTIONS": connections,
    "_LINE": line,
    "MAX_RECIPIENTS": recipients,
}
"""The door's numbers, and what is held to each."""


def test_every_number_of_the_mail_door_is_tried() -> None:
    """A new one says here how it is reached."""
    assert {name for name, value in vars(smtpd).items() if name.isupper() and type(value) is int} == set(HELD)


@pytest.mark.parametrize("name", HELD)
def test_the_mail_door_holds_each_of_its_numbers(app: Flask, name: str) -> None:
    """As many as it says are taken, one more is refused."""
    refused = []
    for beyond in (0, 1):
        sockets = Sockets(app)
        try:
            refused.append(HELD[name](sockets, beyond))
        finally:
            sockets.close()

    assert refused == [False, True]


def test_a_connection_that_says_nothing_is_closed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its place is free again, without anybody ending it."""
    monkeypatch.setattr(smtpd, "_IDLE", 0.05)
    sockets = Sockets(app)
    try:
        with socket.create_connection(("127.0.0.1", sockets.port), timeout=PATIENCE) as silent:
            heard = b"".join(iter(lambda: silent.recv(1000), b""))
        assert heard.startswith(b"220 ")
    finally:
        sockets.close()
