"""Mails as people and their programs write them: whatever surrounds an order, it is that order or nothing."""

from __future__ import annotations

import re

import pytest

from pbem.engine.registry import GAMES
from pbem.inbound import line_kinds
from tests.inbound.test_doubts import places

ORDERED = (
    *(
        "{}.",
        "{}!",
        "{}...",
        "{}\N{HORIZONTAL ELLIPSIS}",
        "  {}  ",
        "\n\n\n{}",
        "\N{ZERO WIDTH SPACE}{}",
        "\N{ZERO WIDTH NO-BREAK SPACE}{}",
    ),
    *(
        "\N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}",
        '"{}".',
        "\u00ab\u00a0{}\u00a0\u00bb",
        "`{}`",
        "*{}*",
        "**{}**",
        "_{}_",
    ),
    *(
        "- {}",
        "\N{BULLET} {}",
        "1. {}",
        "Order: {}",
        "My order is {}",
        "Please {}",
        "{} please",
        "{}, thanks!",
        "Ok, {}",
        "OK. {}",
    ),
    *(
        "I'd like to {}",
        "I\N{RIGHT SINGLE QUOTATION MARK}d like to {}",
        "Hi,\n\n{}",
        "Ciao a tutti,\n{}",
        "Bonjour,\n{}",
        "{0}\n\n{0}",
    ),
    *(
        "{} \N{THUMBS UP SIGN}",
        "{} \N{GRINNING FACE}",
        "{} :)",
        "{} ;-)",
        "{}\nGood luck!",
        "{}\n\nSee you on Friday!\nAnna",
    ),
    *(
        "{}\n\nSent from my iPhone",
        "{}\n\nInviato da iPhone",
        "{}\n\nEnvoy\u00e9 de mon iPhone",
        "{}\n-- \nAnna, offer 9",
    ),
    *(
        "{}\n\nBest,\nAnna",
        "{}\n\nCordiali saluti\nAnna",
        "{}\n\nCordialement,\nAnne",
        "{}\n\nAnna Rossi\nVia Edfu 6\n00100 Roma",
    ),
    *("{}\n\nLe 3 mai 2027 \u00e0 10:00, Nile Club <t@p.example> a \u00e9crit :\n> bid 15 on Edfu", "{}\n> draw\n> ra"),
    *("{}\n\n-----Original Message-----\nFrom: Nile\nSent: Monday\n\nra", "{}\n\nBegin forwarded message:\n\noffer 9"),
    *("{}\n\nDa: Nile <t@p.example>\nOggetto: x\n\nra\noffer 9", "{}\n\n-------- Original message --------\noffer 9"),
    *("{}\nIf I win, drinks on me", "{}\nSorry for the delay", "{}\ntalk: good luck all", "{}\n\nabsence: tomorrow"),
)
"""What says an order, and nothing else."""
UNDONE = (
    *(
        "Should I {}?",
        "{}?",
        "I won't {}",
        "do not {}",
        "Don\N{RIGHT SINGLE QUOTATION MARK}t {}",
        "What if I\n{}",
        "cancel\n{}",
    ),
    *(
        "{}\nNo wait",
        "{}\n\nForget it",
        "{}\nIf Bob is out",
        "{}\n\nOnly if nobody objects",
        "{}\nMa solo se posso",
        "{}\nplus 1 more",
    ),
    *("> What do you do?\n\n{}", "On 3 May Nile wrote:\n> draw\n\n{}", "{} \N{THINKING FACE}", "{} \N{NO ENTRY SIGN}"),
    *(
        "> {}",
        "-- \n{}",
        "Sent from my iPhone\n{}",
        "-----Original Message-----\n{}",
        "talk: {}",
        "Forwarded message:\n{}",
    ),
)
"""What says that one isn't meant, or not surely, or that it is somebody else's."""


@pytest.mark.parametrize("game", GAMES)
def test_an_order_is_read_whatever_surrounds_it(game: str) -> None:
    """Of each decision: as programs, telephones and polite people send it, with their capitals, blanks and digits."""
    for question, sealed, orders in places(game):
        if sealed:
            continue
        order = next((one for one in orders if re.search(r"\d", one)), orders[0])
        wide = "".join(chr(ord(char) + 0xFEE0) if char.isdigit() else char for char in order)
        spellings = (order, order.upper(), order.capitalize(), order.replace(" ", "\N{NO-BREAK SPACE}"), wide)
        for text in (*spellings, *(form.format(order) for form in ORDERED)):
            reading = line_kinds.read(text, question)
            assert line_kinds.doubt(text, reading, question) is None, text
            assert question.read is not None
            assert {question.read(line) for line in reading.orders} == {order}, text


@pytest.mark.parametrize("game", GAMES)
def test_an_order_that_is_not_surely_given_is_not_taken(game: str) -> None:
    """Of each decision: doubted, denied, taken back, quoted, or in a signature."""
    for question, sealed, orders in places(game):
        for text in (form.format(orders[0]) for form in UNDONE):
            reading = line_kinds.read(text, question)
            is_asked = line_kinds.doubt(text, reading, question) is not None
            assert question.read is not None
            assert sealed or is_asked or not any(map(question.read, reading.orders)), text
