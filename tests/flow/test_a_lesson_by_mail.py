"""First games by letters: offered, begun by a yes, answered by replies until they end, in three languages."""

from __future__ import annotations

import re
from email.utils import parseaddr
from itertools import cycle, islice
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.messages import LANGUAGES, Translator
from pbem.store.models import Inbound, Letter, Player
from pbem.study import lessons
from pbem.study.lessons import LESSONS
from tests import untranslated
from tests.factories import PlayerFactory
from tests.flow.test_a_turn_by_mail import Correspondence, body
from tests.web.conftest import Browser

if TYPE_CHECKING:
    from email.message import EmailMessage

    from flask.testing import FlaskClient

    from tests.conftest import Clock

NEW = "newcomer@home.example"
PAIRS = list(
    islice(zip(cycle(LESSONS), islice(cycle(LANGUAGES), 1, None), strict=False), max(len(LESSONS), len(LANGUAGES)))
)
"""Each game and each language once, others than in a browser; tests/web/public/test_learn.py has all of them."""


def offered(
    client: FlaskClient, post: Correspondence, game: str, language: str, address: str = NEW
) -> tuple[Browser, str]:
    """A visitor gives an address; the browser, and the path that the letter's link leads to."""
    browser = Browser(client)
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    browser.send("/learn/letters", page="/learn/", game=game, address=address)
    db.session.rollback()
    (letter,) = post.new()
    found = re.search(r"/learn/letters/\S+", body(letter))
    assert found
    assert letter["To"] == address
    return browser, found[0]


def html(letter: EmailMessage) -> str:
    """The part of a letter that is drawn."""
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def begun(client: FlaskClient, post: Correspondence, game: str, language: str) -> EmailMessage:
    """The first letter, after the yes."""
    browser, path = offered(client, post, game, language)
    assert post.new() == []  # a link that is looked at begins nothing
    browser.send(path, answer="yes")
    db.session.rollback()
    (first,) = post.new()
    return first


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("game", "language"), PAIRS)
def test_a_lesson_is_played_to_its_end_by_replies(client: FlaskClient, clock: Clock, game: str, language: str) -> None:
    """Each letter has one idea, its choices and the board; answered by its first choice it leads on to the farewell."""
    post, lesson, line = Correspondence(clock), LESSONS[game], list[str]()
    say = Translator(language, game=game)
    letter = begun(client, post, game, language)
    while not (step := lessons.step(lesson, tuple(line))).is_last:
        assert step.idea is not None
        said = " ".join(body(letter).split())
        assert " ".join(say(step.idea.title).split()) in str(letter["Subject"])
        assert " ".join(say(step.idea.text).split()) in said
        orders = [say.order(one.text) for one in step.suggestions]
        assert all(order in said for order in orders)
        typed = " ".join(["help", *orders])
        assert language == "en" or untranslated.in_page(language, html(letter)) <= set(re.findall(r"\w+", typed))
        assert f"/rules/{game}/glossary?language={language}" in body(letter)
        assert [part for part in letter.walk() if part.get_content_type() == "image/png"]
        chosen = len(line) % len(orders)
        line.append(step.suggestions[chosen].text)
        clock.move(minutes=20)
        post.reply(letter, orders[chosen], len(line))
        (letter,) = post.new()

    assert len(line) == lesson.length
    assert " ".join(say(lesson.farewell).split()) in " ".join(body(letter).split())


@pytest.mark.usefixtures("db")
def test_an_older_letter_is_answered_another_way(client: FlaskClient, clock: Clock) -> None:
    """Each letter holds what came before it, so that nothing is lost by a try."""
    post = Correspondence(clock)
    first = begun(client, post, "amunre", "en")
    choices = [one.text for one in lessons.step(LESSONS["amunre"], ()).suggestions]
    post.reply(first, choices[0], 1)
    post.new()
    clock.move(minutes=5)
    post.reply(first, choices[1], 2)
    post.new()
    lines = [letter.data["line"] for letter in db.session.scalars(select(Letter).where(Letter.kind == "lesson"))]

    assert lines == [[], [choices[0]], [choices[1]]]


@pytest.mark.usefixtures("db")
def test_what_is_no_order_is_said_with_the_same_choices(client: FlaskClient, clock: Clock) -> None:
    """An order that can't be played, and a mail without one: one sentence, and the decision again."""
    post = Correspondence(clock)
    first = begun(client, post, "amunre", "en")
    post.reply(first, "bid 7 on Memphis", 1)
    (refused,) = post.new()
    post.reply(refused, "What does this mean?", 2)
    (again,) = post.new()
    idea = lessons.step(LESSONS["amunre"], ()).idea

    assert idea is not None
    assert "7" in body(refused)
    example = lessons.step(LESSONS["amunre"], ()).suggestions[0].text
    assert f"Write the order alone on the first line, such as “{example}”, or the word help." in " ".join(
        body(again).split()
    )
    assert str(idea.title) in str(refused["Subject"])
    assert str(idea.title) in str(again["Subject"])


@pytest.mark.usefixtures("db")
def test_a_machine_is_not_answered_for_ever(client: FlaskClient, clock: Clock) -> None:
    """An answering machine hears nothing; a lesson asked for again and again ends with its budget."""
    post = Correspondence(clock)
    first = begun(client, post, "priestsofra", "en")
    post.reply(first, "I am out of the office until 24 December and will answer when I am back.", 1)
    assert post.new() == []

    for number in range(2, 80):
        post.reply(first, "draw", number)
    assert len(post.new()) == 59  # sixty a day, the first among them


@pytest.mark.usefixtures("db")
def test_an_address_is_asked_three_times_a_day_at_most_and_told_nothing_else(client: FlaskClient, clock: Clock) -> None:
    """Nobody learns whether an address is known, and nobody's mailbox is filled by asking for lessons."""
    post = Correspondence(clock)
    known = PlayerFactory(address="member@nile.example", language="it")
    db.session.commit()
    answers = set()
    for address in (known.address, NEW):
        browser = Browser(client)
        for hour in range(5):
            page = browser.send("/learn/letters", page="/learn/", game="amunre", address=address)
            answers.add(re.sub(r'value="[^"]+"', "", page.text))
            db.session.rollback()
            clock.move(hours=1, minutes=hour)
    sent = [parseaddr(letter["To"])[1] for letter in post.new()]

    assert len(answers) == 1
    assert sorted(sent) == [known.address] * 3 + [NEW] * 3
    assert db.session.scalars(select(Player.accepted_at).where(Player.address == NEW)).one() is None


@pytest.mark.usefixtures("db")
def test_a_member_needs_no_address(client: FlaskClient, clock: Clock) -> None:
    """Whose browser has a person's key gets the first letter at once, in their own language; a revoked key none."""
    post = Correspondence(clock)
    member = PlayerFactory(address="member@nile.example", language="fr")
    db.session.commit()
    browser = Browser(client)
    browser.get(f"/l/{links.player_token(tokens(), member.id, member.epoch)}")
    page = browser.send("/learn/letters", page="/learn/", game="egizia")
    db.session.rollback()
    (letter,) = post.new()
    member.epoch += 1
    db.session.commit()
    post.reply(letter, "pass", 1)

    assert page.status_code == 200
    assert parseaddr(letter["To"])[1] == member.address
    assert Translator("fr", game="egizia")(LESSONS["egizia"].ideas["ship"][0].title) in str(letter["Subject"])
    assert post.new() == []
    assert db.session.scalars(select(Inbound.state)).all() == ["ignored"]
