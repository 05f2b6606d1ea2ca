"""Who may call what: one table of every route, tried by every kind of caller. A route that isn't listed fails."""

from __future__ import annotations

import typing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import event
from werkzeug.routing import PathConverter, UnicodeConverter

from pbem.capabilities import api_keys, browsers, links
from pbem.clubs.account import personal_data
from pbem.clubs.members import members
from pbem.clubs.seasons import seasons
from pbem.extensions import db
from pbem.play.seats import sitters, substitutes
from pbem.store.models import Capability, Member
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, seat_of
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy
    from werkzeug.routing import Rule

    from pbem.store.models import Club, Game, Player
    from tests.conftest import Clock

BROWSERS = (
    *("nobody", "alice", "bob", "member", "former", "olga", "demoted", "stranger", "sitter", "dismissed"),
    *("ended", "stale", "renewed", "letter", "forwarded", "replaced", "erased"),
)
"""Alice's and Bob's seats are in Olga's game and club. `stranger` organises another club; `demoted` organised this one,
as did `erased`, who is forgotten; `replaced` had Alice's seat before her, and opened it by a link of a letter, too;
`ended`, `stale` and `renewed` are browsers of Alice's: ended by her, too old, and from before she renewed her links.
`letter` has a link to Alice's seat that names no reader; `forwarded` Olga's own link, without a code from her mail."""
KEYS = (
    *("none", "seat", "bob's seat", "club", "alice", "bob", "member", "former", "olga", "demoted", "stranger"),
    *("sitter", "dismissed", "revoked", "expired", "renewed", "replaced", "erased"),
)
"""Keys of programs; by a person's name one for everything of theirs, the last three of Alice's."""
PEOPLE = ("alice", "bob", "member", "former", "olga", "demoted", "stranger", "sitter", "dismissed", "replaced")
INSIDE = ("alice", "bob", "member", "olga", "demoted", "sitter", "dismissed", "replaced")

ALLOWED: dict[str, tuple[str, ...]] = {
    "anybody": (*BROWSERS, *KEYS),
    "token": (),
    "machine": (),
    "demo": (),
    "seat": ("alice", "sitter", "letter"),
    "own seat": ("alice", "letter"),
    "person": ("alice",),
    "member": (*INSIDE, "forwarded"),
    "organiser": ("olga", "forwarded"),
    "operator": ("olga", "forwarded"),
    "api seat": ("seat", "alice", "sitter"),
    "api own seat": ("seat", "alice"),
    "api person": PEOPLE,
    "api member": (*INSIDE, "club"),
    "somebody": (*PEOPLE, "forwarded"),
    "api any key": (*PEOPLE, "seat", "bob's seat", "club"),
    "api member's own": INSIDE,
    "api organiser": ("club", "olga"),
}
"""By right, the callers that have it. `token`: the right is in the address; `machine`: a secret of the server's."""

ROUTES: dict[str, str] = {
    **dict.fromkeys(
        (
            *("home.index", "links.mail_me", "links.send_me", "player.queue"),
            *("rules.show", "rules.reference", "rules.glossary", "rules.picture"),
            *("assets.favicon", "assets.send", "health.alive", "health.ready", "health.metrics"),
            *("api.watchable", "api.description", "learn.index", "learn.show", "learn.order", "learn.ask"),
            "health.security_contact",
        ),
        "anybody",
    ),
    **dict.fromkeys(
        (
            *(
                "learn.confirm",
                "learn.begin",
                "links.open",
                "invitation.show",
                "invitation.answer",
                "account.new_address",
                "links.ask_end",
                "links.end",
                "account.answer_address",
            ),
            *("mailhook.ask", "mailhook.stop", "feeds.calendar", "feeds.results_of"),
        ),
        "token",
    ),
    **dict.fromkeys(("practice.choose", "practice.begin"), "somebody"),
    **dict.fromkeys(("operator.show", "operator.act"), "operator"),
    "api.key_scope": "api any key",
    "mailhook.incoming": "machine",
    **dict.fromkeys(
        ("mailbox.index", "mailbox.read", "mailbox.reply", "mailbox.html", "mailbox.raw"),
        "demo",
    ),
    **dict.fromkeys(("public.watch", "public.position", "score.of_watched"), "member"),
    **dict.fromkeys(("public.keepsake", "public.record", "public.verify", "analysis.of_finished"), "token"),
    **dict.fromkeys(("results.show", "results.again", "results.picture", "results.pixels"), "token"),
    **dict.fromkeys(("api.game", "api.past", "api.record", "api.verify"), "token"),
    **dict.fromkeys(
        (
            "play.game",
            "play.decide",
            "play.answer",
            "play.sent",
            "play.now",
            "history.ply",
            "analysis.of_seat",
            "score.of_seat",
        ),
        "seat",
    ),
    **dict.fromkeys(
        (
            *("seat_settings.show", "seat_settings.act", "standing.edit", "standing.change"),
            *("talk.talk", "talk.speak", "talk.note", "plans.show", "plans.change"),
        ),
        "own seat",
    ),
    **dict.fromkeys(
        ("account.show", "account.act", "settings.edit", "settings.change", "settings.away"),
        "person",
    ),
    **dict.fromkeys(
        (
            *("club.home", "club.people", "club.results", "club.results_table", "club.join", "club.leave"),
            *("season.all", "season.one", "season.act", "season.rating"),
        ),
        "member",
    ),
    **dict.fromkeys(
        (
            *("club.invite", "club.role", "club.watch", "control.room", "control.act", "control.keep_view"),
            *("opening.new", "opening.opened", "services.show", "services.act", "season.announce"),
            *("organiser.game", "organiser.act", "club.invitation", "club_settings.edit", "club_settings.save"),
            *("club_settings.write", "club_settings.send", "club_settings.load"),
            *("box.show", "box.act", "box.export", "box.picture"),
        ),
        "organiser",
    ),
    **dict.fromkeys(
        (
            *("api.seat", "api.events", "api.order", "api.withdraw", "api.sent", "api.position", "api.preview"),
            *("api.by_hand",),
        ),
        "api seat",
    ),
    **dict.fromkeys(
        (
            *("api.ladder", "api.set_ladder", "api.notes", "api.write_notes", "api.open_proposals", "api.propose"),
            *("api.vote", "api.who_sits", "api.end_sitter", "api.standing_orders"),
            *("api.store_standing", "api.end_standing", "api.try_standing", "api.look_back", "api.take_back"),
            *("api.heard", "api.say_word"),
        ),
        "api own seat",
    ),
    **dict.fromkeys(
        (
            *("api.who", "api.away", "api.announce_away", "api.back", "api.invited"),
            *("api.answer_invitation", "api.my_keys", "api.revoke_key", "api.queue"),
            *("api.read_settings", "api.change_settings"),
        ),
        "api person",
    ),
    **dict.fromkeys(
        (
            *("api.club", "api.club_members", "api.ranking", "api.rating", "api.results"),
            *("api.all_seasons", "api.one_season", "api.this_week"),
        ),
        "api member",
    ),
    **dict.fromkeys(("api.join", "api.give_up", "api.enter", "api.drop_out"), "api member's own"),
    **dict.fromkeys(
        (
            *("api.act", "api.undo", "api.control_room", "api.open_game", "api.game_admin_view", "api.administer_game"),
            *("api.open_games", "api.preview_deadlines", "api.webhooks"),
            *("api.end_hook", "api.club_keys", "api.revoke_club_key", "api.invite", "api.take_out_of_club"),
            *("api.announce", "api.take_out", "api.finish", "api.start", "api.views"),
            *("api.keep_view", "api.drop_view", "api.club_settings_now", "api.settle_club", "api.write_to_members"),
            *("api.members_workload", "api.club_invitations", "api.invite_again", "api.withdraw_invitation"),
            *("api.put_in", "api.test_hook", "api.retry_hook"),
        ),
        "api organiser",
    ),
}
"""What right each route asks for."""
ENDS_SOMETHING = frozenset({"club.leave", "api.take_out_of_club"})
"""Routes that without any field change who the callers are: those who may are not sent there."""
OF_THE_GAME = frozenset({"api.administer_game", "api.propose"})
"""Routes that refuse what is sent here for a reason of the game's, in the same way: who may is not sent there."""
INNER = frozenset({"ply", "number", "audit_id", "hook_id", "key_id", "absence_id", "invitation_id", "proposal_id"}) | {
    *("sitter_id", "standing_id", "first", "last", "name", "path", "code")
}
"""Parts of an address that name something inside: for who may call it there may be no such thing."""
REFUSED = frozenset({401, 403, 404})
CODED = frozenset({"organiser", "operator"})
"""Rights whose forms ask for a code from the holder's mail, once what they send would go through; pages don't."""


def example(model: type[Any]) -> dict[str, Any]:
    """A body of a shape, with the least that fits each field."""
    fields = msgspec.inspect.type_info(model).fields  # type: ignore[attr-defined]  # bodies are Structs
    return {field.encode_name: _least(field.type) for field in fields if field.required}


def _least(kind: msgspec.inspect.Type) -> Any:
    """The least value of a field's type."""
    plain: dict[type[Any], Any] = {
        msgspec.inspect.StrType: "x",
        msgspec.inspect.IntType: 1,
        msgspec.inspect.FloatType: 1.0,
        msgspec.inspect.BoolType: False,
        msgspec.inspect.DateTimeType: "2026-03-03T12:00:00Z",
        msgspec.inspect.DictType: {},
        msgspec.inspect.NoneType: None,
    }
    if isinstance(kind, msgspec.inspect.Metadata):
        return (kind.extra_json_schema or {}).get("enum", [None])[0] or _least(kind.type)
    if isinstance(kind, (msgspec.inspect.ListType, msgspec.inspect.VarTupleType)):
        return [_least(kind.item_type)] * (kind.min_length or 0)
    if isinstance(kind, msgspec.inspect.UnionType):
        return _least(kind.types[0])
    if isinstance(kind, (msgspec.inspect.LiteralType, msgspec.inspect.EnumType)):
        return kind.values[0] if isinstance(kind, msgspec.inspect.LiteralType) else next(iter(kind.cls)).value
    return example(kind.cls) if isinstance(kind, msgspec.inspect.StructType) else plain[type(kind)]


class World:
    """Two clubs, a game, and everybody who might call."""

    def __init__(self, app: Flask, database: SQLAlchemy, clock: Clock) -> None:
        """Set the clubs up, open links, make keys, and take away again what former callers had."""
        self.app, self.session = app, database.session()
        session = self.session
        self.people: dict[str, Player] = {name: PlayerFactory.create(name=name) for name in (*PEOPLE, "erased")}
        self.club: Club = ClubFactory.create()
        elsewhere = ClubFactory.create()
        for name, player in self.people.items():
            role = "organiser" if name in {"olga", "demoted", "former", "stranger", "erased"} else "player"
            club = elsewhere if name == "stranger" else self.club
            session.add(Member(club_id=club.id, player_id=player.id, role=role, joined_at=START))
        alice = self.people["alice"]
        self.game: Game = GameFactory.create(
            people=[self.people["replaced"], self.people["bob"]],
            bots=(),
            club_id=self.club.id,
            organiser_id=self.people["demoted"].id,
            watch_delay=-1,
        )
        plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),), rounds=1)
        self.holes: dict[str, Any] = dict.fromkeys(INNER, 1)
        self.holes |= {"club_id": self.club.id, "game": "amunre", "token": "t~none", "season": ""}
        self.holes |= {"seat_id": seat_of(session, self.game, 0).id, "player_id": alice.id, "path": "none.css"}
        self.season = seasons.announce(session, START, self.club.id, self.people["olga"].id, plan).slug
        self.slugs: tuple[str, str] = (self.club.slug, self.game.slug)
        session.commit()
        held = self._browser("replaced")
        substitutes.replace(session, clock.now, self.game.id, 0, alice.id, by=self.people["olga"].id)
        for sits in ("sitter", "dismissed"):
            self._sit(sits)
        for row, name in sitters.of_seat(session, START, self.holes["seat_id"]):
            if name == "dismissed":
                sitters.end(session, START, row.id, self.holes["seat_id"])
        session.commit()
        self.browsers = {name: held if name == "replaced" else self._browser(name) for name in BROWSERS}
        self.keys = {name: self._key(name) for name in KEYS}
        named = msgspec.structs.replace(app.extensions["pbem.settings"], operator=f" {self.people['olga'].address} ")
        app.extensions["pbem.settings"] = named
        self._take_away(clock)

    def _sit(self, name: str) -> None:
        seat, player = self.holes["seat_id"], self.people[name]
        sitters.appoint(self.session, START, seat, player.id, START, START + timedelta(days=30))

    def _browser(self, name: str) -> FlaskClient:
        browser = Browser(self.app.test_client())
        owner = self.people.get(name if name not in {"ended", "stale", "renewed"} else "stranger")
        if name in {"ended", "stale", "renewed"}:
            owner = self.people["alice"]
        tokens = self.app.extensions["pbem.capabilities.tokens"]
        if name in {"letter", "replaced"}:
            seat = seat_of(self.session, self.game, 0)
            browser.get(f"/l/{links.seat_token(tokens, seat.id, seat.epoch, 0)}")
        if name == "forwarded":
            browser.get(f"/l/{links.player_token(tokens, self.people['olga'].id, self.people['olga'].epoch)}")
        if owner is not None:
            browser.get(f"/l/{links.player_token(tokens, owner.id, owner.epoch)}")
            browser.prove(owner.id)
        return browser.client

    def _key(self, name: str) -> str:
        session, alice = self.session, self.people["alice"]
        seats = {"seat": 0, "bob's seat": 1}
        if name == "none":
            return ""
        if name in seats:
            owner = alice if name == "seat" else self.people["bob"]
            return api_keys.issue_for_seat(session, START, owner.id, seat_of(session, self.game, seats[name]).id, name)
        if name == "club":
            return api_keys.issue_for_club(session, START, self.people["olga"].id, self.club.id, name)
        return api_keys.issue_for_person(session, START, self.people.get(name, alice).id, name)

    def _take_away(self, clock: Clock) -> None:
        """What the former callers had; each is refused for another reason."""
        session, olga = self.session, self.people["olga"].id
        members.take_out(session, clock.now, self.club.id, by=olga, player_id=self.people["former"].id)
        members.set_role(session, clock.now, self.club.id, by=olga, player_id=self.people["demoted"].id, role="player")
        personal_data.erase(session, clock.now, self.people["erased"].id)
        by_name = {row.name: row for row in session.query(Capability).filter_by(purpose=api_keys.KEY)}
        by_name["revoked"].revoked_at = clock.now
        by_name["expired"].expires_at = clock.now - timedelta(seconds=1)
        by_name["renewed"].epoch -= 1
        session.commit()
        with self.browsers["ended"].session_transaction() as cookie:
            mark = cookie["mark"]
        browsers.log_out(session, clock.now, mark, self.people["alice"].id, "")
        for name, change in (("stale", (0, -91)), ("renewed", (-1, 0))):
            with self.browsers[name].session_transaction() as cookie:
                held = cookie["players"]
                cookie["players"] = {key: [epoch + change[0], day + change[1]] for key, (epoch, day) in held.items()}
        session.commit()

    def slug_of(self, rule: Rule) -> str:
        """What the word in an address stands for there."""
        if "/seasons/" in rule.rule and rule.endpoint.startswith("api."):
            return self.season
        return self.slugs[not rule.rule.startswith("/club/")]

    def call(self, rule: Rule, caller: str) -> int:
        """The status that a caller gets who sends nothing but what the address says."""
        holes = {**self.holes, "slug": self.slug_of(rule), "season": self.season}
        holes |= {"game": "amunre"} if rule.endpoint.startswith("box.") else {}  # the other game has no box to enter
        _, path = rule.build({name: holes[name] for name in rule.arguments}) or ("", "")
        method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
        if rule.endpoint.startswith("api."):
            model = typing.get_type_hints(self.app.view_functions[rule.endpoint]).get("json")
            body: dict[str, Any] = {} if method == "GET" else {"json": {} if model is None else example(model)}
            key = {"Authorization": f"Bearer {self.keys[caller]}"} if self.keys[caller] else {}
            return self.app.test_client().open(path, method=method, headers=key, **body).status_code
        return self.browsers[caller].open(path, method=method).status_code


@pytest.fixture
def world(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> World:  # noqa: ARG001 - the client sets requests apart
    """Everybody, without the marks of forms: who has no right is refused whatever the form says."""
    app.config["WTF_CSRF_ENABLED"] = False
    return World(app, db, clock)


def rules(app: Flask) -> list[Rule]:
    """Every route there is."""
    return list(app.url_map.iter_rules())


def test_every_route_is_listed(app: Flask) -> None:
    """A new route says here who may call it; one that is gone stands here no more."""
    assert {rule.endpoint for rule in rules(app)} == set(ROUTES)
    assert set(ROUTES.values()) <= set(ALLOWED)


def test_nobody_calls_what_isnt_theirs(world: World, rows: Callable[[], str]) -> None:
    """Each route by each caller: who has no right is refused, and nothing changes; who has is not."""
    wrong, held_back = [], []
    for rule in rules(world.app):
        right = ROUTES[rule.endpoint]
        for caller in KEYS if rule.endpoint.startswith("api.") else BROWSERS:
            if caller == "forwarded" and right in CODED and "POST" in (rule.methods or ()):
                held_back.append(rule)
                continue
            may = caller in ALLOWED[right]
            if may and (rule.endpoint in ENDS_SOMETHING | OF_THE_GAME or INNER & rule.arguments):
                continue
            status = world.call(rule, caller)
            if (status in REFUSED) == may or status >= 500:
                wrong.append(f"{rule.endpoint} {caller} {status}")

    assert sorted({(line.split()[0], line.split()[-1]) for line in wrong}) == [], wrong
    assert len(rules(world.app)) * 10 < sum(len(KEYS if e.startswith("api.") else BROWSERS) for e in ROUTES)
    world.session.commit()
    before = rows()
    for rule in held_back:
        refused = world.call(rule, "forwarded")
        assert refused >= 400 or (rule.endpoint == "control.act" and refused == 200), rule.endpoint
        assert rows() == before or refused == 403, rule.endpoint
        before = rows()
    assert len(held_back) > 12


def test_no_address_with_a_nul_asks_the_database(world: World) -> None:
    """PostgreSQL refuses such a text with an error: each route with a word in its address is 404 before."""
    asked: list[str] = []
    tried = 0
    with world.app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", lambda _c, _cursor, _sql, given, *_: asked.append(repr(given)))
    for rule in rules(world.app):
        texts = [name for name, kind in rule._converters.items() if isinstance(kind, UnicodeConverter | PathConverter)]
        for name in texts:
            holes = {**world.holes, "slug": world.slug_of(rule), "season": world.season, name: "a\0b"}
            _, path = rule.build({one: holes.get(one, "en") for one in rule.arguments}) or ("", "")
            method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
            key = {"Authorization": f"Bearer {world.keys['olga']}"} if rule.endpoint.startswith("api.") else {}
            assert world.browsers["olga"].open(path, method=method, headers=key).status_code == 404, path
            tried += 1

    assert tried > 60
    assert [given for given in asked if "\\x00" in given] == []
