"""Every refusal of an order names what was sent and what may be done, in each language; none goes unprovoked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.engine.registry import rules_of
from pbem.messages import LANGUAGES, Translator, holes
from pbem.play.orders import submission
from tests import untranslated
from tests.factories import GameFactory, seat_of
from tests.play.orders.refusals import questions, refused, sentences, walk

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

GAMES = ("amunre", "egizia", "priestsofra")
UNPROVOKED = {
    "You haven't said to keep a bonus card that you have: there is nothing to take back.": (
        "only a program can send it: `keep nothing` is read as saying nothing where nothing was kept"
    ),
    "The lot is full: {seat} must call Ra.": "an event",
}
"""Sentences beside the refusals that no case brings, each with its reason."""
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-ZÀ-Ý«“])")
MACHINE = re.compile(r"\b(?:None(?! of)|True|False|Struct|\w+=\w*|\w+_\w+|0x[0-9a-f]+)\b|[\[\]<>]|\(\)|\{\w+")
"""What only a program would say: values, field names, brackets of code, a hole left open."""
QUOTED = re.compile(r"“[^”]*”|«[^»]*»|`[^`]*`")
HELPS = re.compile(
    r"[:;,] |\b(?:write|name|say|choose|must|at most|at least|only|did you mean|you have|there (?:are|is))\b"
    r"|\{(?:most|limit|reach|left|best|lowest)\}",
    re.IGNORECASE,
)
"""What a refusal says besides the input: what to do, a limit, a list or an example."""
HELPLESS = {
    "You are not asked for an order now.": "nothing can be done",
    "You aren't asked for anything now.": "nothing can be done",
    "{place} is no space of the river.": "only a program can send it: text is answered with all spaces",
}
"""Refusals that say no more than what is so, each with its reason."""
NAMELESS = {
    "'bid' wants a sun: bid 9, or bid lowest.",
    "'flip' wants the tiles to flip: flip farmer, library. To flip nothing: flip none.",
    "'show' wants a face: show farmer.",
    "0 gold is no offering: offer at least 1 gold, or play theft.",
    "0 times is nothing: name how many you build, or leave it out.",
    "A market marker moves once an action, and only for an Obelisk stone: leave it out.",
    "A rebid card can be played only after you were outbid: leave it out.",
    "After this ship you could place no second one: leave `two ships` out.",
    "An Obelisk stone moves a market marker: add `stone market` or `grain market`.",
    "An Obelisk stone moves a market marker: say `stone market` or `grain market`.",
    "An action builds at least one stone; `renounce` gives the place away.",
    "An action uses a basic crew: blue, black or yellow. The joker never works alone.",
    "An auction is on: bid a sun, or pass.",
    "Each province must be named once, with at least 1.",
    "Farmers and stones can be sent along only with: buy no cards. Who buys cards sees them first.",
    "Farmers and stones can come along only if you buy no card.",
    "It is your turn: draw, or call Ra.",
    "Name at most one face of each two-faced tile, in the order of scoring.",
    "Name two-faced tiles only, in the order of scoring.",
    "Obelisk and graves are one site, Pyramid and Temple another: build at one of them.",
    "Say how many Sphinx cards you pay for: `sphinx 3 with yellow`.",
    "Say how many cards, as in: buy 2 cards, or: buy no cards.",
    "Say where to: `ship to Edfu`.",
    "Say which card you keep: `keep S07`, or `keep none`.",
    "Say which card you take: `leftover B03`, or `leftover none`.",
    "Say which crews work: `with blue` or `with blue + joker`.",
    "The Obelisk is built in sequence: name the spaces from the first to the last, as in `obelisk 1-3`.",
    "The Obelisk is complete: leave it out.",
    "The bonus cards kept must be named once each.",
    "The cards discarded must be named in the order of their kinds.",
    "The entablature needs both pylons full first: build at one of them.",
    "The game is over: no order is read any more.",
    "The game is over: nothing is left to decide.",
    "There is no auction now: a bid must wait for one.",
    "There is no passing: everybody gets one province a round. Bid 0 on a free one.",
    "This can be ordered only when the site is asked for.",
    "You are not asked for an order now.",
    "You aren't asked for anything now.",
    "You called Ra and nobody has bid: you must bid a sun.",
    "You have drawn a tile: choose the face it shows.",
    "You have neither gold nor cards: buy nothing is all there is.",
    "You have won priests: name the tiles you flip, or none.",
}
"""Refusals for what is missing, of a whole kind of order or for the phase: there is no word to name."""
MOST = 2
"""Sentences that one refusal has at most."""


@pytest.fixture(scope="module")
def provoked() -> set[str]:
    """The message ids of all refusals that the walk brings."""
    return {text for game in GAMES for text in walk(game)}


def test_every_refusal_is_provoked(provoked: set[str]) -> None:
    """A new refusal of a game needs a case that brings it, or a reason here why none can."""
    known = sentences()
    assert sorted(known.keys() - provoked - UNPROVOKED.keys()) == []
    assert sorted(UNPROVOKED.keys() - (known.keys() - provoked)) == []
    assert len(provoked) > 150


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_a_sentence_or_two_in_the_readers_language(language: str, game: str) -> None:
    """Nothing that only a program says, every hole filled, and no English word left for an Italian or French reader."""
    say = Translator(language, names=("Anna", "Bruno", "Carla", "Dora", "Emil"), game=game)
    wrong: set[str] = set()
    for refusals in walk(game).values():
        for typed, message in refusals[:: len(refusals) // 12 + 1]:
            said = say(message)
            own = QUOTED.sub("“”", said)
            if MACHINE.search(own) or len(SENTENCE_END.split(own)) > MOST or own[-1] not in ".?":
                wrong.add(f"{typed[:60]}: {said}")
            typed_words = set(re.findall(r"\w+", f"{typed} {typed.upper()}"))
            if language != LANGUAGES[0] and (left := untranslated.in_text(language, own) - typed_words):
                wrong.add(f"{typed[:60]}: {said} {sorted(left)}")
    assert sorted(wrong) == []


def test_a_refusal_says_what_may_be_done(provoked: set[str]) -> None:
    """It tells the rule, the limit, the list or an example, beside what was sent."""
    assert {text for text in provoked if not HELPS.search(text)} == HELPLESS.keys()


def test_a_refusal_names_what_was_sent(provoked: set[str]) -> None:
    """By a hole for it; a sentence without one tells the rule and what to write, and stands in the list."""
    assert {text for text in provoked if not holes(text)} == NAMELESS


OF_THE_PHASE = {
    "{word!r} is no answer to what you are asked now. Write for example: {example}.",
    "{order!r} is no answer to what you are asked now. Write for example: {example}.",
    "There is no passing: everybody gets one province a round. Bid 0 on a free one.",
    "It is your turn: draw, or call Ra.",
    "There is no auction now: a bid must wait for one.",
    "An auction is on: bid a sun, or pass.",
    "You called Ra and nobody has bid: you must bid a sun.",
    "You have drawn a tile: choose the face it shows.",
    "You have won priests: name the tiles you flip, or none.",
    "This can be ordered only when the site is asked for.",
    "Items to take as farmers or stones: {items}; you placed {placed}.",
    "You named {found} {card} card(s), but have {held}.",
    "{province} is not yours; you own: {provinces}.",
}
"""What is said to an answer that fits another question: how this one may be answered.

The last three are of what may stand in several answers: nothing, cards that are sold, and farmers.
"""
MEANT = "{word!r} is no order here. Did you mean {order!r}?"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_to_another_question_is_told_what_is_asked(language: str, game: str) -> None:
    """Each verb of other questions, alone and in a whole order, in each position: taken, or led to what is asked.

    Nobody is told to complete or to mend an order which isn't asked for.
    """
    say, rules = Translator(language, game=game), rules_of(game)
    misleading: set[str] = set()
    asked: set[str] = set()
    for state, seat, kind in questions(game):
        asked.add(kind)
        own = {row.example.partition(" ")[0] for row in rules.grammar if row.kind == kind}
        for row in rules.grammar:
            verb = row.example.partition(" ")[0].rstrip(",")
            for text in map(say.order, (verb, row.example) if verb not in own else ()):
                first = next((one.text for one in refused(rules, state, seat, text)), MEANT)
                if first not in OF_THE_PHASE | {MEANT}:
                    misleading.add(f"{kind}: {text}: {first}")
    assert sorted(misleading) == []
    assert asked >= {row.kind for row in rules.grammar} - {"dig"}, "no position here holds the card that digs graves"


@pytest.mark.parametrize(
    ("game", "text", "word"),
    [
        ("amunre", "bid 6 on Ürgüp", "Ürgüp"),
        ("egizia", "ship to مَرْحَبًا", "مَرْحَبًا"),
        ("priestsofra", "draw  Élan.", "Élan"),
    ],
)
def test_a_refusal_quotes_a_word_as_it_was_written(session: Session, game: str, text: str, word: str) -> None:
    """With its accents, marks and capitals, which reading leaves out."""
    seat = seat_of(session, GameFactory(game=game, people=3, bots=()), 0)

    told = submission.preview(session, seat.id, text).faults

    assert word in Translator()(told[0])
