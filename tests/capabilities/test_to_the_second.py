"""Browsers, codes, keys and forms to the second: when each begins, what is noted of it, and when it ends."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from pbem.capabilities import api_keys, browsers, codes, forms
from pbem.errors import NotAllowed, NotSeated, WrongInput
from pbem.store.models import Capability, Code, Member, Player
from tests.factories import GameFactory, PlayerFactory, in_a_club, letters, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def player(session: Session) -> Player:
    """Somebody, whose number no other row has."""
    PlayerFactory.create_batch(7)
    made: Player = PlayerFactory.create()
    session.commit()
    return made


@pytest.fixture
def other(session: Session, player: Player) -> Player:
    """Somebody else."""
    return session.scalars(select(Player).where(Player.id < player.id)).first() or player


def test_a_browsers_use_is_noted_once_an_hour(session: Session, now: datetime, player: Player) -> None:
    """With its name of then, and at once after all links were renewed; it is let in for as long again."""
    made = browsers.acted(session, now, "mark", player.id, "Firefox" + "x" * 300)
    assert (made.purpose, made.player_id, made.epoch, made.created_at) == ("browser", player.id, player.epoch, now)
    assert made.name == "Firefox" + "x" * 193
    assert (made.used_at, made.expires_at) == (now, now + browsers.LIFE)
    for later, name, noted in ((HOUR, "Opera", timedelta()), (HOUR + SECOND, "Safari", HOUR + SECOND)):
        row = browsers.acted(session, now + later, "mark", player.id, name)
        assert (row.id, row.used_at, row.expires_at) == (made.id, now + noted, now + noted + browsers.LIFE)
    assert (made.name, made.created_at) == ("Safari", now)
    player.epoch += 1
    again = browsers.acted(session, now + HOUR + 2 * SECOND, "mark", player.id, "Lynx")
    assert (again.id, again.epoch, again.name) == (made.id, player.epoch, "Lynx")


def test_browsers_are_listed_last_used_first(session: Session, now: datetime, player: Player, other: Player) -> None:
    """Until the second their time is over, they are ended, or all links are renewed; each by its own person."""
    uses = (("a", HOUR), ("b", timedelta()), ("c", 2 * HOUR), ("d", 2 * HOUR))
    made = {mark: browsers.acted(session, now + later, mark, player.id, mark).id for mark, later in uses}
    browsers.acted(session, now, "a", other.id, "other's")
    key = api_keys.issue_for_person(session, now, player.id, "bot")
    key_id = api_keys.open_key(session, now, key).id

    def seen(when: datetime) -> str:
        return "".join(row.name for row in browsers.listed(session, when, player.id))

    assert [seen(now + browsers.LIFE + later) for later in (-SECOND, timedelta())] == ["dcab", "dca"]
    for by, number in ((other.id, made["a"]), (player.id, key_id)):
        with pytest.raises(WrongInput, match=rf"^{number} is not in the list"):
            browsers.end(session, now, by, number)
    assert seen(now) == "dcab"
    browsers.end(session, now + HOUR, player.id, made["a"])
    session.expire_all()
    assert (seen(now), session.get_one(Capability, made["a"]).revoked_at) == ("dcb", now + HOUR)
    marks = {mark: browsers.digests(mark, [player.id, other.id]) for mark in "abz"}
    assert [list(known.values()) for known in marks.values()] == [[player.id, other.id]] * 3
    ended = [
        marks["a"][digest] for digest in browsers.ended(session, [one for known in marks.values() for one in known])
    ]
    assert ended == [player.id]
    browsers.log_out(session, now, "b", player.id, "b")
    assert (seen(now), api_keys.open_key(session, now, key).id) == ("dc", key_id)
    player.epoch += 1
    session.flush()
    assert (seen(now), [row.name for row in browsers.listed(session, now, other.id)]) == ("", ["other's"])


def test_a_browser_is_proved_for_an_hour(session: Session, now: datetime, player: Player, other: Player) -> None:
    """That one alone and for that person, until it is ended, logged out, or all links are renewed."""

    def proved(when: datetime = now, mark: str = "here", who: int = player.id) -> bool:
        return browsers.is_proved(session, when, mark, who)

    def prove(when: datetime, mark: str = "here", who: int = player.id) -> None:
        codes.send(session, when, who, browsers.purpose(mark))
        browsers.prove(session, when, mark, who, letters(session, "login_code")[-1].data["code"], "Firefox")

    assert not proved()
    browsers.acted(session, now, "here", player.id, "Firefox")
    browsers.acted(session, now, "there", player.id, "Opera")
    assert not proved()
    prove(now)
    assert [proved(now + later) for later in (timedelta(), HOUR - SECOND, HOUR)] == [True, True, False]
    assert (proved(mark="there"), proved(who=other.id)) == (False, False)
    with pytest.raises(NotAllowed):
        browsers.prove(session, now, "there", player.id, "12345678", "Opera")
    assert not proved(mark="there")
    number = browsers.listed(session, now, player.id)[-1].id
    browsers.end(session, now, player.id, number)
    assert not proved()
    prove(now, "third")
    browsers.log_out(session, now, "third", player.id, "Lynx")
    assert not proved(mark="third")
    prove(now, "fourth")
    player.epoch += 1
    session.flush()
    assert not proved(mark="fourth")
    browsers.acted(session, now, "fourth", player.id, "Lynx")
    session.expire_all()
    assert not proved(mark="fourth"), "who acts again has not proved anything"


def test_a_code_is_good_for_fifteen_minutes(session: Session, now: datetime, player: Player, other: Player) -> None:
    """For its person and purpose, once, to the second, whatever spaces are typed; the newest counts."""
    sent = [sends(session, now, player.id, purpose) for purpose in ("erase", "erase", "renew")]
    sends(session, now, other.id, "erase")
    assert [len(code) for code in sent] == [8, 8, 8]
    assert len(set(sent)) > 1
    ends = now + codes.GOOD_FOR
    assert {letter.data["expires"] for letter in letters(session, "login_code")} == {ends.isoformat()}
    assert [codes.is_on_its_way(session, when, player.id, "erase") for when in (ends - SECOND, ends)] == [True, False]
    assert not codes.is_on_its_way(session, now, player.id, "look")
    for wrong in (("erase", sent[0]), ("erase", sent[2]), ("renew", sent[1])):
        with pytest.raises(NotAllowed, match="not the code of the letter"):
            codes.use(session, now, player.id, *wrong)
    with pytest.raises(NotAllowed, match="too old or was used"):
        codes.use(session, ends, player.id, "erase", sent[1])
    codes.use(session, ends - SECOND, player.id, "erase", f" {sent[1][:4]} {sent[1][4:]}0 ")
    assert not codes.is_on_its_way(session, now, player.id, "erase")
    assert codes.is_on_its_way(session, now, other.id, "erase")
    used = session.scalars(select(Code.used_at).where(Code.player_id == player.id).order_by(Code.id)).all()
    assert used == [now, ends - SECOND, None]
    with pytest.raises(NotAllowed, match="too old or was used"):
        codes.use(session, now, player.id, "erase", sent[1])


def test_a_code_takes_four_wrong_guesses(session: Session, now: datetime, player: Player) -> None:
    """Each is told how many are left; with the fifth it is spent."""
    code = sends(session, now, player.id, "erase")
    for left in (4, 3, 2, 1):
        with pytest.raises(NotAllowed, match=rf"You have {left} \(try\|tries\) left"):
            codes.use(session, now, player.id, "erase", "wrong")
    with session.begin_nested() as inner:
        codes.use(session, now, player.id, "erase", code)
        inner.rollback()
    with pytest.raises(NotAllowed, match=r"You have 0 \(try\|tries\) left"):
        codes.use(session, now, player.id, "erase", "wrong")
    assert not codes.is_on_its_way(session, now, player.id, "erase")
    with pytest.raises(NotAllowed, match="too old or was used"):
        codes.use(session, now, player.id, "erase", code)


def sends(session: Session, now: datetime, player_id: int, purpose: str) -> str:
    """The code that a letter brings."""
    codes.send(session, now, player_id, purpose)
    session.flush()
    return str(letters(session, "login_code")[-1].data["code"])


def test_a_key_is_made_for_what_is_ones_own(session: Session, now: datetime, player: Player, other: Player) -> None:
    """A seat, a club one organises, or all: it opens that, and its owner is told by letter."""
    game = GameFactory.create(people=[other, player])
    in_a_club(session, game, player.id)
    seat = seat_of(session, game, 1)
    with pytest.raises(NotAllowed, match="Only an organiser"):
        api_keys.issue_for_club(session, now, player.id, game.club_id or 0, "clubs")
    session.query(Member).update({"role": "organiser"})
    for number in (seat_of(session, game, 0).id, 10**6):
        with pytest.raises(NotAllowed, match="only for a seat of your own"):
            api_keys.issue_for_seat(session, now, player.id, number, "bot")
    texts = {
        "seat": api_keys.issue_for_seat(session, now, player.id, seat.id, " the\nbot "),
        "club": api_keys.issue_for_club(session, now, player.id, game.club_id or 0, "x" * 60),
        "all": api_keys.issue_for_person(session, now, player.id, "all"),
    }
    keys = api_keys.keys_of(session, now, player.id)
    assert [(key.name, key.seat_id, key.club_id) for key in keys] == [
        *(("the bot", seat.id, None), ("x" * 60, None, game.club_id), ("all", None, None)),
    ]
    assert {(key.player_id, key.epoch, key.created_at, key.expires_at, key.used_at) for key in keys} == {
        (player.id, player.epoch, now, now + api_keys.LIFE, None)
    }
    assert tuple(api_keys.open_key(session, now, text) for text in texts.values()) == keys
    assert [letter.data["said"][0]["params"]["program"] for letter in letters(session, "account")] == [
        *("the bot", "x" * 60, "all"),
    ]


def test_a_key_ends_to_the_second(session: Session, now: datetime, player: Player, other: Player) -> None:
    """With its time, when it is revoked by its owner, once and where it was made, and with all links."""
    game = GameFactory.create(people=[other, player])
    in_a_club(session, game, player.id)
    session.query(Member).update({"role": "organiser"})
    texts = {
        "seat": api_keys.issue_for_seat(session, now, player.id, seat_of(session, game, 1).id, "bot"),
        "club": api_keys.issue_for_club(session, now, player.id, game.club_id or 0, "club"),
        "all": api_keys.issue_for_person(session, now, player.id, "all"),
    }
    keys = api_keys.keys_of(session, now, player.id)
    ends = now + api_keys.LIFE
    assert [len(api_keys.keys_of(session, when, player.id)) for when in (ends - SECOND, ends)] == [3, 0]
    for row, by, club in ((0, other.id, None), (0, player.id, game.club_id), (2, player.id, game.club_id)):
        with pytest.raises(NotAllowed, match="no key of yours"):
            api_keys.revoke(session, now, by, keys[row].id, club)
    with pytest.raises(NotAllowed, match="no key of yours"):
        api_keys.revoke(session, now, player.id, browsers.acted(session, now, "mark", player.id, "Firefox").id)
    api_keys.revoke(session, now, player.id, keys[1].id, game.club_id)
    for when in (now + HOUR, now + 2 * HOUR):
        api_keys.revoke(session, when, player.id, keys[0].id)
    session.flush()
    assert session.get_one(Capability, keys[0].id).revoked_at == now + HOUR
    assert api_keys.keys_of(session, now, player.id) == keys[2:]
    for text in (texts["seat"], texts["club"], texts["all"] + "x", ""):
        with pytest.raises(NotSeated, match="This key opens nothing"):
            api_keys.open_key(session, now, text)
    player.epoch += 1
    session.flush()
    assert api_keys.keys_of(session, now, player.id) == ()


def test_a_keys_use_is_noted_once_an_hour(session: Session, now: datetime, player: Player) -> None:
    """To the second; a note at every call would make each a writer."""
    text = api_keys.issue_for_person(session, now, player.id, "bot")
    for later, noted in ((SECOND, SECOND), (HOUR + SECOND, SECOND), (HOUR + 2 * SECOND, HOUR + 2 * SECOND)):
        api_keys.used(session, now + later, api_keys.open_key(session, now, text))
        session.flush()
        assert api_keys.open_key(session, now, text).used_at == now + noted


def test_a_person_has_twenty_keys(session: Session, now: datetime, player: Player, other: Player) -> None:
    """One more is refused, for that person, until one is revoked; a key wants a name."""
    with pytest.raises(WrongInput, match="The key needs a name"):
        api_keys.issue_for_person(session, now, player.id, " \n")
    for number in range(api_keys.MOST):
        api_keys.issue_for_person(session, now, player.id, f"bot {number}")
    with pytest.raises(WrongInput, match="You have 20 keys already: revoke one first"):
        api_keys.issue_for_person(session, now, player.id, "one more")
    api_keys.issue_for_person(session, now, other.id, "bot")
    api_keys.revoke(session, now, player.id, api_keys.keys_of(session, now, player.id)[0].id)
    session.flush()
    api_keys.issue_for_person(session, now, player.id, "one more")


def test_a_form_that_was_sent_is_known_for_a_day(session: Session, now: datetime, player: Player) -> None:
    """It leads where it led; the same mark twice is refused by the database; what is no form stays."""
    browsers.acted(session, now - 2 * forms.KEPT, "mark", player.id, "Firefox")
    key = api_keys.issue_for_person(session, now - api_keys.LIFE, player.id, "bot")
    for digest, sent in (("old", now), ("new", now + SECOND)):
        forms.note(session, sent, player.id, digest, f"/{digest}")
    session.commit()
    assert [forms.led(session, digest) for digest in ("old", "new", "none", key)] == ["/old", "/new", None, None]
    with pytest.raises(IntegrityError):
        forms.note(session, now, player.id, "old", "/again")
    session.rollback()
    others = select(Capability.id).where(Capability.purpose != forms.FORM)
    known = session.scalars(others).all()
    for later, left in ((timedelta(), "/old"), (SECOND, None)):
        forms.forget_old(session, now + forms.KEPT + later)
        assert [forms.led(session, digest) for digest in ("old", "new")] == [left, "/new"]
    assert (session.scalars(others).all(), len(known)) == (known, 2)
    row = session.scalars(select(Capability).where(Capability.digest == "new")).one()
    assert (row.player_id, row.created_at, row.used_at) == (player.id, now + SECOND, now + SECOND)
