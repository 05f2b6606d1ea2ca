"""Acts that nobody can take back: page, call and command say what they do and ask, and no button is left unsorted."""

from __future__ import annotations

import io
import re
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import pytest
from sqlalchemy import inspect, text, update

from pbem.capabilities import links
from pbem.capabilities.acts import ACTS
from pbem.clubs.members import members
from pbem.play.admin import club_box
from pbem.play.seats import proposals
from pbem.store.models import Audit, Capability, Letter, Proposal
from tests.cli.test_every_command import ASK_FIRST, COMMANDS
from tests.factories import START, near_the_end, play_to_the_end, seat_of
from tests.test_house import HOME
from tests.web.club.test_box import altered
from tests.web.club_house import House
from tests.web.conftest import words
from tests.web.play.test_twins import CALL, ROWS, _shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient
    from flask_sqlalchemy import SQLAlchemy

    from pbem.store.models import Game
    from tests.conftest import Clock
    from tests.web.conftest import Browser

Press: TypeAlias = tuple[str, dict[str, Any]]
"""The address of a form and its fields."""
FINAL = {
    "/seat/N/settings": {"propose": "end-game", "agree": "end-game", "resign": "resign"},
    "/player/N/account": {"renew": "revoke-links", "erase": "erase-oneself"},
    "/organise/SLUG": {"fresh": "fresh", "call-off": "call-off"},
    "/operator": {"address": "mend-address", "revoke": "revoke-links", "erase": "erase"},
    "/club/SLUG/box/GAME": {"forget": "forget-box"},
    "/club/SLUG/role": {"take-out": "take-out"},
    "/club/SLUG/leave": {"": "leave"},
    "/club/SLUG/seasons/SLUG": {"drop": "drop", "drop-player": "drop", "start": "start", "finish": "finish"},
}
"""By page and button, what is asked before it."""
ASKED_OTHERWISE = {
    "/club/SLUG/settings": {"close": "the club's name is typed"},
    "/club/SLUG/control": {"": "a page shows what it would do to each game, and has the button that does it"},
    "/organise/SLUG": {"look": "a code that is mailed for this look alone, and a reason"},
    "/links/end/TOKEN": {"": "a page that says what it ends, with this one button"},
    "/player/N/account": {"address": "two addresses are asked by letter"},
    "/address/TOKEN": {"": "yes or no is chosen on a page that says what it does"},
    "/mail/unsubscribe/TOKEN": {"": "a tick; and `again` takes it back"},
}
"""What is final too, or nearly, and how it asks."""
LETTERS = "a letter that one has written or asked for oneself"
TAKEN_BACK = {
    "/links": {"": LETTERS},
    "/invitation/TOKEN": {"accept": "leave", "accept-all": "leave", "decline": "the organiser sends it again"},
    "/seat/N/decide": {
        "preview": "stores nothing",
        "send": "withdraw",
        "draft": "withdraw",
        "withdraw": "send",
        "": "the buttons of the same form",
    },
    "/seat/N/sent/PLY": {"": "send"},
    "/seat/N/ply/PLY/analysis": {"note": "a note is written over"},
    "/seat/N/note": {"": "a note is written over"},
    "/seat/N/talk": {"": LETTERS},
    "/seat/N/standing": dict.fromkeys(("check", "add", "store", "end"), "stored or ended again"),
    "/seat/N/plan": dict.fromkeys(("try", "store", "end"), "stored or ended again"),
    "/seat/N/settings": {
        "take-back": "the order is given again",
        "replace": "a vote that others decide",
        "refuse": "proposed again",
        "ladder": "arranged again",
        "sitter": "end-sitter",
        "end-sitter": "named again",
    },
    "/player/N/settings": {"": "set again"},
    "/player/N/away": {"": "cancel", "cancel": "announced again"},
    "/player/N/account": {
        "revoke": "another key is made",
        "key": "revoke",
        "log-out": "the link of a letter",
        "code": LETTERS,
        "feeds": "the page shows the new address",
        "export": "a copy",
    },
    "/games/SLUG/result": {"rematch": "the organiser calls it off"},
    "/organise/SLUG": {
        "pause": "resume",
        "resume": "pause",
        "take-up": "it is set aside again if it fails again",
        "extend": "for ten minutes, by its button",
        "nudge": LETTERS,
        "code": LETTERS,
        "replace": "the seat is handed back",
    },
    "/operator": {
        "letters": "letters that should have come",
        "hook": "calls that should have come",
        "find": "changes nothing",
        "link": "the links are voided",
    },
    "/club/SLUG/members": {"": "withdraw"},
    "/club/SLUG/invitation": {"resend": "withdraw", "withdraw": "resend, or invited again"},
    "/club/SLUG/settings": {"save": "saved again"},
    "/club/SLUG/box/GAME": {"enter": "entered again", "import": "entered again"},
    "/club/SLUG/announce": {"": LETTERS},
    "/club/SLUG/role": {"": "the other button of the form"},
    "/club/SLUG/watch": {"": "the same form"},
    "/club/SLUG/join": {"": "give-up", "give-up": "join"},
    "/club/SLUG/open": {"preview": "stores nothing", "open": "call-off"},
    "/club/SLUG/control/views": {"": "kept again"},
    "/club/SLUG/seasons": {"": "finish"},
    "/club/SLUG/seasons/SLUG": {"enter": "drop, while it is open", "enter-players": "drop-player"},
    "/club/SLUG/services": {
        "hook": "end",
        "test": "one call",
        "retry": "calls that should have come",
        "end": "added again",
        "revoke": "another key is made",
        "key": "revoke",
    },
    "/mail/unsubscribe/TOKEN": {"again": "unsubscribed again"},
}
"""The other buttons, and what takes them back; a page without named buttons has one, called nothing."""
NO_ACTS = {
    *("/learn/letters", "/learn/letters/TOKEN", "/learn/GAME", "/learn/GAME/LINE", "/practice", "/mailbox", "/mail/in"),
    *("/games/SLUG/ply/PLY/analysis", "/games/SLUG/ply/PLY/analysis/LINE", "/seat/N/ply/PLY/analysis/LINE"),
}
"""Pages whose forms store nothing of a game or a club, or are machines'."""


def _buttons(row: str) -> set[str]:
    """The named buttons of a page, as its line of the manual has them."""
    parts = (re.match(r"([a-z, -]+):", part.strip()) for part in row.split(";"))
    return {word.strip() for part in parts if part for word in part[1].split(",")} - {"none"}


def test_every_button_of_every_page_is_sorted(app: Flask) -> None:
    """Final, asked in another way, or with what takes it back: each button of a form is one of them."""
    posted = {
        _shape(rule.rule)
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and not rule.rule.startswith(("/api/", "/mailbox/"))
    }
    wanted = {
        (page, word) for page, row in ROWS.items() for word in _buttons(row) or {""} if _shape(page) in posted
    } - {(page, "") for page in NO_ACTS}
    sorts = [
        {(page, word) for page, by in sort.items() for word in by} for sort in (FINAL, ASKED_OTHERWISE, TAKEN_BACK)
    ]

    known = {button for sort in sorts for button in sort}
    assert wanted - known == set()
    assert {(page, word) for page, word in known - wanted if word} == set()  # none that no page has
    final = {name for name, act in ACTS.items() if act.does}
    assert {act for by in FINAL.values() for act in by.values()} | {"fill"} == final  # which has no button


AT_A_TERMINAL = {"pbem club announce"}
"""Commands that ask though their call doesn't: page and program hold the very letter, a file may be the wrong one."""


def _asking_calls(app: Flask) -> set[tuple[str, str]]:
    paths = app.test_client().get("/api/v1/openapi.json").get_json()["paths"]
    return {
        (method.upper(), _shape(path.removeprefix("/api/v1")))
        for path, operations in paths.items()
        for method, operation in operations.items()
        if any(one["name"] == "sure" for one in operation.get("parameters", ()))
    }


def test_the_call_of_a_final_act_asks_too(app: Flask) -> None:
    """What a final button's line of the manual names as its call takes `sure`, and no other call but acts on many."""
    twins = set()
    for page, by in FINAL.items():
        for part in ROWS[page].split(";"):
            found = re.match(r"([a-z, -]+):", part.strip())
            named = {word.strip() for word in found[1].split(",")} if found else {""}
            if named & set(by) and ": none" not in part:
                twins |= {(method, _shape(path)) for method, path in CALL.findall(part) if method != "GET"}

    assert twins ^ _asking_calls(app) == {("POST", "/clubs/*/acts")}
    asking = {
        (method, _shape(path)) for name in ASK_FIRST - AT_A_TERMINAL for method, path in CALL.findall(COMMANDS[name])
    }
    assert asking <= _asking_calls(app)


def _everything(db: SQLAlchemy) -> dict[str, list[str]]:
    """Every row of every table, but those that a browser's visit writes."""
    session = db.session()
    session.rollback()
    names = set(inspect(db.engine).get_table_names()) - {"capabilities", "codes"}
    return {name: sorted(map(str, session.execute(text(f'SELECT * FROM "{name}"')))) for name in names}  # noqa: S608 - names of our own tables


@pytest.fixture
def house(app: Flask, db: SQLAlchemy, client: FlaskClient, clock: Clock) -> House:  # noqa: ARG001 - the client sets requests apart, the clock stands still
    """A club whose organiser runs the server too; forms need no mark."""
    app.config["WTF_CSRF_ENABLED"] = False
    found = House(app, db)
    app.extensions["pbem.settings"] = msgspec.structs.replace(
        app.extensions["pbem.settings"], operator=found.people["Alice"].address or ""
    )
    return found


def _season(house: House, *, begun: bool) -> str:
    return f"{house.path}/seasons/{house.season(begun=begun).slug}"


def _seat(house: House, game: Game | None = None) -> str:
    return f"/seat/{seat_of(house.session, game or house.game(), 0).id}/settings"


def _ballot(house: House) -> Press:
    game = house.game()
    plan = proposals.ProposalPlan(kind="end", reason="Late")
    proposals.propose(house.session, START, game.id, house.people["Bob"].id, plan)
    number = house.session.query(Proposal.id).order_by(Proposal.id.desc()).limit(1).scalar()
    return _seat(house, game), {"proposal": number}


def _box(house: House) -> Press:
    club_box.keep(house.session, START, house.club.id, house.people["Alice"].id, "amunre", altered("amunre"))
    return f"{house.path}/box/amunre", {}


def _operated(house: House, **more: str) -> Press:
    return "/operator", {"person": house.people["Charlie"].id, **more}


PRESSES: dict[tuple[str, str], Callable[[House], Press]] = {
    ("/seat/N/settings", "propose"): lambda house: (_seat(house), {"kind": "end"}),
    ("/seat/N/settings", "agree"): _ballot,
    ("/seat/N/settings", "resign"): lambda house: (_seat(house), {}),
    ("/organise/SLUG", "fresh"): lambda house: (f"/organise/{house.game().slug}", {"seat": 1}),
    ("/organise/SLUG", "call-off"): lambda house: (f"/organise/{house.open_game().slug}", {}),
    ("/operator", "address"): lambda house: _operated(house, address="new@nile.example"),
    ("/operator", "revoke"): _operated,
    ("/operator", "erase"): _operated,
    ("/club/SLUG/box/GAME", "forget"): _box,
    ("/club/SLUG/seasons/SLUG", "start"): lambda house: (_season(house, begun=False), {}),
    ("/club/SLUG/seasons/SLUG", "drop"): lambda house: (_season(house, begun=True), {}),
    ("/club/SLUG/seasons/SLUG", "drop-player"): lambda house: (
        _season(house, begun=True),
        {"player": house.people["Bob"].id},
    ),
    ("/club/SLUG/seasons/SLUG", "finish"): lambda house: (_season(house, begun=True), {}),
    ("/club/SLUG/role", "take-out"): lambda house: (f"{house.path}/role", {"player": house.people["Bob"].id}),
    ("/club/SLUG/leave", ""): lambda house: (f"{house.path}/leave", {}),
    ("/player/N/account", "erase"): lambda house: (f"/player/{house.people['Alice'].id}/account", {}),
    ("/player/N/account", "renew"): lambda house: (f"/player/{house.people['Alice'].id}/account", {}),
}
"""By page and button, where it stands in a club made for it and what else its form sends."""


def test_every_final_button_is_pressed() -> None:
    """No final button is without its press below."""
    assert set(PRESSES) == {(page, word) for page, by in FINAL.items() for word in by}


ASKED_OF_THE_LAST = {("/club/SLUG/leave", ""), ("/player/N/account", "erase")}
"""What a club's last organiser can't do."""


@pytest.mark.parametrize(("page", "word"), sorted(PRESSES))
def test_a_final_button_changes_nothing_until_yes_is_said(house: House, db: SQLAlchemy, page: str, word: str) -> None:
    """Pressed, it says what it does, and every row stays as it was; the form of that page, sent with its yes, does it.

    Only erasing oneself wants a mailed code on top.
    """
    path, fields = PRESSES[page, word](house)
    house.people["Bob"].accepted_at = START
    if (page, word) in ASKED_OF_THE_LAST:
        _name_bob(house)
    house.session.commit()
    sent = {"act": word, **fields} if word else fields
    before, client = _everything(db), house.browsers["Alice"].client

    for pressed in ({**sent, "sure": "1"}, sent):
        asked = client.post(path, data=pressed)
        assert "This can't be taken back" in words(asked)
        assert _everything(db) == before

    kept = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', asked.text))
    kept.pop("csrf_token", None)
    assert kept == {name: str(value) for name, value in sent.items()}
    done = client.post(path, data={**kept, "sure": "yes"})
    if (page, word) == ("/player/N/account", "erase"):
        assert "The code of the letter" in words(done)
    else:
        assert _everything(db) != before, words(done)


REFUSED: dict[tuple[str, str], Callable[[House], Press]] = {
    **{press: PRESSES[press] for press in ASKED_OF_THE_LAST},
    ("/club/SLUG/role", "take-out"): lambda house: (f"{house.path}/role", {"player": house.people["Alice"].id}),
    ("/operator", "erase"): lambda house: ("/operator", {"person": house.people["Alice"].id}),
    ("/operator", "address"): lambda house: _operated(house, address=house.people["Bob"].address or ""),
    ("/club/SLUG/seasons/SLUG", "start"): lambda house: (_season(house, begun=True), {}),
}
"""By page and button, where it asks for what can't be done."""


def _unproved(house: House) -> Browser:
    """Alice's browser, in which no mailed code was given within the hour."""
    house.session.execute(update(Capability).values(proved_until=None))
    house.session.commit()
    return house.browsers["Alice"]


def _name_bob(house: House) -> None:
    """Make Bob an organiser too, so that Alice isn't the last one."""
    alice, bob = house.people["Alice"].id, house.people["Bob"].id
    members.set_role(house.session, START, house.club.id, by=alice, player_id=bob, role="organiser")


@pytest.mark.parametrize(("page", "word"), sorted(key for key in REFUSED if key[0] != "/operator"))
def test_nobody_is_asked_for_a_code_for_what_is_refused(house: House, page: str, word: str) -> None:
    """A yes is said already and no code was given: it is refused, and no letter with a code leaves.

    The operator's page is none of them: what it refuses tells of other people.
    """
    path, fields = REFUSED[page, word](house)

    refused = _unproved(house).client.post(path, data={"act": word, **fields, "sure": "yes"})

    assert refused.status_code >= HTTPStatus.BAD_REQUEST
    assert "The code of the letter" not in words(refused)
    assert house.session.query(Letter).filter_by(kind="login_code").count() == 0


@pytest.mark.parametrize(("page", "word"), sorted(REFUSED))
def test_nobody_is_asked_whether_they_mean_what_is_refused(house: House, page: str, word: str) -> None:
    """What can't be done is refused at the first press: nobody says yes to it, or waits for a code, in vain."""
    path, fields = REFUSED[page, word](house)
    house.session.commit()

    refused = house.browsers["Alice"].client.post(path, data={"act": word, **fields})

    assert refused.status_code >= HTTPStatus.BAD_REQUEST
    assert "This can't be taken back" not in words(refused)


ADDRESS = ("/player/N/account", "address")
WITHOUT_A_NUMBER = {
    ("/seat/N/settings", "propose"): "the others vote on it",
    ("/seat/N/settings", "agree"): "it is one vote",
    ("/club/SLUG/seasons/SLUG", "drop"): "one can enter the next season",
}
"""Final acts that a letter's link alone is enough for, and why."""


@pytest.mark.parametrize(("page", "word"), sorted({*PRESSES, ADDRESS}))
def test_a_letters_link_alone_is_not_enough_for_what_is_final(
    house: House, db: SQLAlchemy, page: str, word: str
) -> None:
    """A browser that gave no mailed code within the hour is asked for one, and no row but that letter's is new.

    Those that are named as doing without one do.
    """
    alice = f"/player/{house.people['Alice'].id}/account"
    path, fields = (alice, {"address": "new@nile.example"}) if (page, word) == ADDRESS else PRESSES[page, word](house)
    if (page, word) in ASKED_OF_THE_LAST:
        _name_bob(house)
    client = _unproved(house).client
    before = _everything(db)

    asked = client.post(path, data={"act": word, **fields, "sure": "yes"})

    after = _everything(db)
    if (page, word) in WITHOUT_A_NUMBER:
        assert asked.status_code == 303
        return
    assert asked.status_code == 403
    assert {name for name, rows in after.items() if rows != before[name]} <= {"letters"}
    assert len(after["letters"]) - len(before["letters"]) == 1
    with client.session_transaction() as cookie:
        assert str(house.people["Alice"].id) in cookie["players"]  # nothing that was done is left in the browser either
    _is_sent_by_the_browser(asked.text)


def test_nothing_is_done_to_a_game_from_its_organisers_page_without_a_number(house: House, db: SQLAlchemy) -> None:
    """Neither what can be taken back: a forwarded letter of theirs opens the page."""
    path, client = f"/organise/{house.game().slug}", _unproved(house).client
    acts = sorted({*TAKEN_BACK["/organise/SLUG"], *FINAL["/organise/SLUG"]} - {"code"})
    asked, before = set(), _everything(db)
    for sent in [*({"act": act, "seat": "1", "hours": "5", "sure": "yes"} for act in acts), {"undo": "1"}]:
        answer = client.post(path, data=sent)
        assert answer.status_code >= HTTPStatus.BAD_REQUEST, sent
        asked |= {sent["act"]} if "The code of the letter" in words(answer) else set()

    assert {name for name, rows in _everything(db).items() if rows != before[name]} == {"letters"}
    assert asked == {"extend", "fresh", "nudge", "pause"}  # the others don't fit a game under way


def _is_sent_by_the_browser(page: str) -> None:
    """A form that goes on where another one stopped may bring a file, which a script would write into the page."""
    forms = re.findall(r'<form method="post"[^>]*>', page)
    assert forms
    assert [form for form in forms if 'data-hx-boost="false"' not in form] == []


def test_a_file_asked_for_with_a_code_is_sent_by_the_browser(house: House) -> None:
    """Neither the button nor the page that asks for the code is sent by a script."""
    account, browser = f"/player/{house.people['Alice'].id}/account", _unproved(house).client
    (button,) = re.findall(r'<form [^>]*>(?=(?:(?!</form>).)*value="export")', browser.get(account).text, re.DOTALL)

    assert 'data-hx-boost="false"' in button
    _is_sent_by_the_browser(browser.post(account, data={"act": "export"}).text)


def test_a_file_goes_with_the_code_that_is_asked_for(house: House) -> None:
    """Every form that takes a file: the page of the code carries its text as what it is typed as, to be sent again."""
    files = {
        f"{house.path}/members": ({}, "people", "address,name\nnew@nile.example,New\n"),
        f"{house.path}/open": ({}, "table", "title,game,cadence,options,players\nNile,priestsofra,club,,Alice,Bob\n"),
        f"{house.path}/box/amunre": ({"act": "import"}, "numbers", altered("amunre")),
    }
    for path, (fields, name, table) in files.items():
        client = _unproved(house).client
        asked = client.post(path, data={**fields, "file": (io.BytesIO(table.encode()), "sent.csv"), name: ""})
        assert asked.status_code == HTTPStatus.FORBIDDEN, words(asked)
        kept = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', asked.text))
        code = house.session.query(Letter).filter_by(kind="login_code").order_by(Letter.id.desc()).limit(1).one()
        done = client.post(path, data={**kept, name: unescape(kept[name]), "mailed_code": code.data["code"]})
        assert done.status_code < HTTPStatus.BAD_REQUEST, words(done)


def test_a_link_to_a_file_is_followed_by_the_browser(house: House) -> None:
    """Every link that an organiser's pages have to a file, feed or picture: a script would write it into the page.

    Addresses that differ by a number alone, as those of positions do, give the same: one of them is opened.
    """
    account = f"/player/{house.people['Alice'].id}/account"
    play_to_the_end(house.session, START, house.game(here=near_the_end("priestsofra", 2)))
    house.session.commit()
    browser, files, seen = house.browsers["Alice"].client, dict[str, str](), set()
    waiting = ["/queue", house.path, account]
    while waiting:
        for tag, path in re.findall(
            r'(<a [^>]*href="(?:http://[^/"]*)?(/[^"#?]*)[^>]*>)', browser.get(waiting.pop()).text
        ):
            kind = re.sub(r"\b\d+\b", "0", path)
            assert kind not in files or 'data-hx-boost="false"' in tag, tag
            if kind in seen or path.startswith(("/rules", "/learn", "/l/", "/static")):
                continue
            seen.add(kind)
            found = browser.get(path)
            if found.status_code != 200:
                continue
            if found.mimetype == "text/html" and "Content-Disposition" not in found.headers:
                waiting.append(path)
            else:
                files[kind] = path
                assert 'data-hx-boost="false"' in tag, tag
    ends = {path.rpartition(".")[2] for path in files.values()}
    assert ends >= {"atom", "csv", "html", "png", "svg", "txt"}


def test_only_yes_is_a_yes(house: House) -> None:
    """The control room's preview comes again for any other word, as every page asks again; and no form sends one."""
    path, game = f"{house.path}/control", house.game()
    house.session.commit()
    for word in ("1", "on", "YES"):
        shown = house.browsers["Alice"].client.post(path, data={"act": "pause", "games": game.id, "sure": word})
        assert 'name="sure" value="yes"' in shown.text
        assert house.session.query(Audit).count() == 0
    texts = [file.read_text(encoding="utf-8") for file in (HOME / "templates").rglob("*.html")]
    assert {value for one in texts for value in re.findall(r'name="sure"\s+value="([^"]*)"', one)} == {"yes"}


def test_who_is_refused_is_asked_for_no_code(app: Flask, db: SQLAlchemy, client: FlaskClient) -> None:  # noqa: ARG001 - the client sets requests apart
    """A browser that has proved nothing presses no button that there is, on each page of organisers' forms."""
    house = House(app, db)
    alice = type(house.browsers["Alice"])(app.test_client())
    token = app.extensions["pbem.capabilities.tokens"]
    alice.follow(f"/l/{links.player_token(token, house.people['Alice'].id, house.people['Alice'].epoch)}")
    known = {"slug": house.club.slug, "game": "amunre"}
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/club/<slug>")]
    read = {rule.rule for rule in rules if "GET" in (rule.methods or ())}
    pages = [rule.rule for rule in rules if rule.rule in read and "POST" in (rule.methods or ())]
    asked = [re.sub(r"<(\w+)>", lambda hole: known[hole[1]], page) for page in pages if "<slug>/seasons/" not in page]
    answers = {path: alice.send(path, page=f"{house.path}/settings", act="nothing") for path in asked}

    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(asked, 422)
    assert len(asked) > 3
