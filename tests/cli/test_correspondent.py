"""The demo's players fill in whatever a form has, in every way it can be filled in, and go on until it is taken."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import httpx
import pytest

from pbem.cli.demo.correspondent import (
    DECIDE,
    TRIES,
    TURN,
    Correspondent,
    Page,
    PageForm,
    ReceivedLetter,
    UnexpectedPage,
    fill_in,
)
from pbem.engine.core.rng import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLAYER = "http://club.example/decide"
LETTER = ReceivedLetter("ada@nile.example", "[Nile 3] Pay 2 gold", f"{TURN} noon.\n{DECIDE}:\n{PLAYER}\n")
PREVIEW = "<button name=do value=preview></button>"
SEND = "<button name=do value=send></button>"
MANY = 300
"""Fillings after which each thing that can be chosen has been."""
EARLY = 6
"""Tries in which a set of buttons is never left alone."""


def form(inside: str) -> PageForm:
    """A form with these fields."""
    (found,) = Page(f"<form action=/go>{inside}</form>").forms
    return found


def amount(name: str, most: int) -> str:
    """A field of a number from 0 on."""
    return f"<select name={name}>{''.join(f'<option value={n}>' for n in range(most + 1))}</select>"


def radio(name: str, *values: str) -> str:
    """A set of buttons."""
    return "".join(f"<input type=radio name={name} value={value}>" for value in values)


def fillings(inside: str, hint: int | None = None) -> list[dict[str, list[str]]]:
    """A form filled in many times, each as after so many refusals."""
    held = form(inside)
    return [fill_in(held, Rng("seed", n), n, hint) for n in range(MANY)]


def test_every_choice_is_made_by_someone() -> None:
    """Each button and each tick is chosen once and not another time; buttons that are refused are left alone, too."""
    ticks = "".join(f"<input type=checkbox name=f-any value={value}>" for value in "xyz")
    found = fillings(radio("f-one", "a", "b", "c") + ticks)

    assert {value for one in found for value in one.get("f-one", ())} == {"a", "b", "c"}
    assert {len(one.get("f-one", ())) for one in found[:EARLY]} == {1}
    assert {len(one.get("f-one", ())) for one in found} == {0, 1}
    times = Counter(value for one in found for value in one.get("f-any", ()))
    assert all(0 < times[value] < MANY / 2 for value in "xyz")
    assert {len(one.get("f-any", ())) for one in found} >= {0, 1, 2}


def test_small_numbers_are_chosen_more_often() -> None:
    """Whoever pays most each time soon has nothing; words are all alike."""
    numbers = Counter(one["f-pay"][0] for one in fillings(radio("f-pay", "1", "2", "3")) if "f-pay" in one)
    words = Counter(one["f-say"][0] for one in fillings(radio("f-say", "a", "b", "c")) if "f-say" in one)

    assert numbers["1"] > numbers["2"] > numbers["3"] > 0
    assert max(words.values()) < 1.5 * min(words.values())


def test_amounts_come_to_what_the_question_names() -> None:
    """At every other try, as far as there is room for it; else to a few, which differ."""
    found = fillings(amount("f-a", 3) + amount("f-b", 4), hint=4)
    totals = [sum(int(one[name][0]) for name in ("f-a", "f-b")) for one in found]

    assert set(totals[1::2]) == {4}
    assert set(totals[::2]) == {0, 1, 2, 3, 4, 5}
    assert {one["f-a"][0] for one in found} == {"0", "1", "2", "3"}
    assert {one["f-b"][0] for one in found} == {"0", "1", "2", "3", "4"}
    assert totals[0] < 2


def test_nothing_has_a_tick_of_its_own() -> None:
    """It is given where all amounts are none, and never else; it is no choice among others."""
    found = fillings(amount("f-a", 2) + "<input type=checkbox name=f-nothing value=yes>")

    assert {tuple(one) for one in found} == {("f-a",), ("f-nothing",)}
    assert {one["f-a"][0] for one in found if "f-a" in one} == {"1", "2"}
    assert {"0"} < {one["f-a"][0] for one in fillings(amount("f-a", 2))}


def test_what_is_no_games_field_is_left_alone() -> None:
    """A page's own fields are not the game's."""
    assert fillings(radio("language", "en") + amount("hours", 3)) == [{}] * MANY


def test_the_number_of_a_question_stands_in_the_subject() -> None:
    """Behind the club's name, which may have a number, too; a question without one has none."""
    assert ReceivedLetter("", "[Nile 3] Pay 12 gold", "").number() == 12
    assert ReceivedLetter("", "[Nile 3] Choose", "").number() is None
    assert LETTER.is_turn()
    assert not LETTER._replace(text=f"{DECIDE}:\n{PLAYER}\n").is_turn()
    assert not LETTER._replace(text=f"{TURN} noon.").is_turn()


@pytest.fixture
def ada() -> Iterator[Callable[..., tuple[Correspondent, list[dict[str, str]]]]]:
    """Somebody whose calls are answered by these pages in turn; and what was sent."""
    opened = []

    def player(*pages: str | tuple[int, str]) -> tuple[Correspondent, list[dict[str, str]]]:
        left, sent = iter(pages), list[dict[str, str]]()

        def answer(request: httpx.Request) -> httpx.Response:
            if request.method == "POST":
                sent.append(dict(httpx.QueryParams(request.content.decode())) | {"to": request.url.path})
            page = next(left)
            status, text = (200, page) if isinstance(page, str) else page
            return httpx.Response(status, text=text)

        browser = httpx.Client(transport=httpx.MockTransport(answer))
        opened.append(browser)
        return Correspondent("Ada", "seed", browser), sent

    yield player
    for browser in opened:
        browser.close()


def asked(*buttons: str, alert: str = "") -> str:
    """A page with one form, and what was refused."""
    hidden = "<input type=hidden name=token value=t>"
    return f"<p role=alert>{alert}</p></div><form action=/go>{hidden}{radio('f-one', 'a')}{''.join(buttons)}</form>"


def test_an_answer_is_looked_at_and_sent(ada: Callable[..., tuple[Correspondent, list[dict[str, str]]]]) -> None:
    """The same choice, with what the form carries along; what is sent at once isn't looked at first."""
    player, sent = ada(asked(PREVIEW), asked(SEND), "<p>Thank you</p>")
    whole = {"token": "t", "f-one": "a", "to": "/go"}

    assert player.answer(LETTER)
    assert sent == [whole | {"do": "preview"}, whole | {"do": "send"}]
    assert (player.orders, player.refused) == (1, 0)


def test_an_answer_that_is_refused_is_given_anew(
    ada: Callable[..., tuple[Correspondent, list[dict[str, str]]]],
) -> None:
    """When it is looked at, or when it is sent, also with a code; at last the player says what the page said."""
    no = (422, asked(PREVIEW, alert="Too late"))
    player, sent = ada(asked(PREVIEW), no, asked(SEND), no, asked(SEND), "<p>Thank you</p>")

    assert player.answer(LETTER)
    assert [one["do"] for one in sent] == ["preview", "preview", "send", "preview", "send"]
    assert (player.orders, player.refused) == (1, 2)

    player, sent = ada(asked(PREVIEW), *([no] * TRIES))
    with pytest.raises(UnexpectedPage, match=f"Ada had {TRIES} answers to '.*Pay 2 gold' refused; at last: Too late"):
        player.answer(LETTER)
    assert len(sent) == TRIES


@pytest.mark.parametrize("page", ["<p>Nothing</p>", asked(PREVIEW) + asked("<button name=do value=withdraw></button>")])
def test_a_letter_that_was_answered_is_let_alone(
    ada: Callable[..., tuple[Correspondent, list[dict[str, str]]]], page: str
) -> None:
    """Its page asks nothing, or offers to take the answer back."""
    player, sent = ada(page)

    assert not player.answer(LETTER)
    assert (sent, player.orders) == ([], 0)


def test_two_answers_are_chosen_apart(ada: Callable[..., tuple[Correspondent, list[dict[str, str]]]]) -> None:
    """Each by how many went before, so that whoever begins with the same seed answers the same."""
    many = f"<form action=/go>{radio('f-one', *'abcdefgh')}{PREVIEW}</form>"
    turns = 12
    found = []
    for _ in range(2):
        player, sent = ada(*[many, asked(SEND), ""] * turns)
        assert all(player.answer(LETTER) for _ in range(turns))
        found.append([one["f-one"] for one in sent[::2]])

    assert found[0] == found[1]
    assert len(set(found[0])) > 2
