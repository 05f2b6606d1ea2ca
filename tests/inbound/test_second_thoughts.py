"""Words around an order that take it back, or make it depend on something, are asked about; talk is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.engine.registry import GAMES
from pbem.engine.text.notation import fold
from pbem.inbound import line_kinds, second_thoughts
from pbem.store.models import Absence, StoredStandingOrders, Talk
from tests.inbound.test_doubts import places
from tests.inbound.test_receive import address, answers, come_in, inbound, mail, words_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.store.models import Game, Seat

UNDER = {
    "_TAKEN_BACK": (
        *("Never mind, I'll decide tomorrow.", "please disregard", "just kidding :)", "jk!", "Scratch that."),
        *("Ignore my last line... I mean ignore that", "This was only a test.", "I have changed my mind"),
        *("kidding! On second thought, later", "please don't play it yet", "Didn't mean to send this"),
        *("I take that back", "I need more time to think", "Let me think about it", "I haven't decided"),
        *(
            "undecided",
            "Lascia stare!",
            "Come non detto.",
            "ignoratela",
            "Scherzo!",
            "ripensandoci aspetto",
            "Ho cambiato idea",
        ),
        *("non giocarla", "Mi correggo.", "volevo dire altro", "era una prova", "dimenticalo", "non ho ancora deciso"),
        *("tempo per pensare", "Laisse tomber.", "oublie ça", "je plaisante", "ignore ça", "j'ai changé d'avis"),
        *("réflexion faite, j'attends", "ne joue pas ça", "je voulais dire autre chose", "c'était un test"),
        *("je n'ai pas encore décidé", "il me faut du temps de réflexion, le temps de réfléchir"),
    ),
    "_THINKS_AGAIN": (
        *(
            "No!",
            "no, no",
            "no wait",
            "WAIT!! don't",
            "I meant the other one",
            "Actually no",
            "actually 12 if Bob bids",
            "anzi, aspetto",
        ),
        *("En fait non", "scusa, no"),
    ),
    "_DEPENDS": (
        *("But only if Bob is out.", "Only if free", "Unless it's a trap :)", "Provided I'm in time."),
        *("Assuming it's my turn", "As long as it's legal", "Except if Bob was there", "Ma solo se c'è tempo"),
        *("Solo se posso", "A meno che Bob sia lì", "Purché sia libero", "Sempre che si possa", "A patto che valga"),
        *("Tranne se c'è Bob", "Mais seulement ce tour", "Seulement si c'est libre", "Sauf si Bob y est"),
        *("À moins que Bob y soit", "Pourvu que ça marche", "À condition que ce soit libre"),
    ),
    "_GOES_ON": (
        *("if free", "but I have no gold", "when Bob is done", "once it's legal", "is what I'd have done"),
        *("was my first idea", "would be silly", "or not?", "before Bob does", "until then", "se libero", "ma vedi tu"),
        *("quando tocca a me", "finché posso", "prima di Bob", "era la mia idea", "sarebbe un errore", "oppure no?"),
        *("si c'est libre", "mais je ne sais pas", "quand je peux", "ou pas ?", "avant Bob", "est un piège"),
        *("était mon idée", "serait bête", "sauf erreur"),
    ),
}
"""By the table that tells them: what a writer may add below an order."""
ABOVE = (
    *("What happens if I", "Bob told me to", "Please do NOT", "I would never", "Please don't", "I do not", "I won't"),
    *("I wouldn't", "I didn't", "The letter says I can", "I can't", "I cannot", "I could", "I couldn't", "I may"),
    *("I might", "I think I should", "I shouldn't", "I would", "Tell me if", "Not unless", "He wants me", "Shall you"),
    *("I wonder whether", "Instead of", "rather than", "Before", "Meglio non", "Cosa succede se", "Ho pensato di"),
    *("Non posso", "Potrei", "Dovrei", "Vorrei", "Non voglio", "Devo", "Avrei", "piuttosto che", "invece di"),
    *("Surtout pas", "Je ne", "Qu'arrive-t-il si", "Il faut que", "J'ai envie de", "Je veux", "Je peux", "Je dois"),
    *("Je devrais", "Je voudrais", "J'aurais", "Jamais", "plutôt que", "au lieu de"),
)
"""How a sentence begins that a line with an order goes on."""
TALK_UNDER = (
    *("No rush, everyone.", "No hurry!", "Thanks for waiting.", "Good luck all", "Sorry!"),
    *("See you on Tuesday", "If you like, come on Friday.", "Non vedo l'ora!", "Grazie, a domani", "Merci à tous"),
    *("Not bad, Bob.", "Good luck everybody!", "sorry for the delay", "see you Friday"),
)
LIKE_TALK = (
    *("If I win, drinks on me", "If we lose I'll cry!", "Se vinco, pago io!", "Si je gagne, je paie ma tourn\u00e9e"),
    *("Was away for the weekend", "Would you like to meet on Friday?", "Before I forget: see you", "I mean business!"),
    *("When is the next session?", "Quando ci vediamo?", "Quand est la prochaine partie ?", "Is Bob back?"),
    *("But thanks for waiting!", "But no hurry.", "Ma che bella partita!", "Mais quelle partie !", "Until tomorrow"),
    *(
        "Once more: great game!",
        "Wait for me on Friday, please",
        "Wait till you see my next move",
        "Oops, almost forgot!",
    ),
    *(
        "I meant to write earlier",
        "Aspetta e vedrai!",
        "Attends un peu et tu verras !",
        "I'm testing a new mail program",
    ),
)
"""Talk that begins as what takes an order back does."""
TALK_ABOVE = ("Why not!", "See you in May", "Of course not.", "I'm away 3 May to 5 May", "Hi Bob,", "That's it:")


def alternatives(name: str) -> list[str]:
    """The forms of one table of the reader."""
    return re.split(r"\n\s*| \| ", getattr(second_thoughts, name).strip())


@pytest.mark.parametrize("name", [*UNDER, "_TALK", "_LEADS_ON"])
def test_every_form_is_met_by_a_sample(name: str) -> None:
    """A form that is added to a table has a line here that shows what it is for."""
    samples = (UNDER | {"_TALK": LIKE_TALK}).get(name) or ABOVE
    for form in alternatives(name):
        if name == "_LEADS_ON":
            assert any(re.search(rf"(?<!\w){form}$", line, re.IGNORECASE) for line in samples), form
        else:
            anywhere = "" if name == "_TAKEN_BACK" else r"^\W*"
            assert any(re.search(rf"{anywhere}(?:{form})", fold(line)) for line in samples), form


@pytest.mark.parametrize("game", GAMES)
def test_an_order_that_its_writer_takes_back_is_asked_about(game: str) -> None:
    """Whatever is decided: in the line below, in a paragraph below, or as part of a sentence that began above."""
    below = [line for lines in UNDER.values() for line in lines]
    paragraphs = [line for line in below if line not in UNDER["_GOES_ON"] or line[:1].islower()]
    for question, _, orders in places(game):
        order = orders[0]
        texts = [f"{order}\n{line}" for line in below] + [f"{order}\n\n{line}" for line in paragraphs]
        for text in [*texts, *(f"{line}\n{order}" for line in ABOVE), *(f"{line}\n\n{order}" for line in ABOVE)]:
            assert line_kinds.doubt(text, line_kinds.read(text, question), question), text


@pytest.mark.parametrize("game", GAMES)
def test_talk_around_an_order_takes_nothing_back(game: str) -> None:
    """Whatever is decided: greetings, thanks and news stand above an order and below it."""
    for question, _, orders in places(game):
        for text in (
            *(f"{orders[0]}\n\n{line}" for line in TALK_UNDER),
            *(f"{orders[0]}\n{line}" for line in LIKE_TALK),
            *(f"{line}\n{orders[0]}" for line in TALK_ABOVE),
        ):
            assert line_kinds.doubt(text, line_kinds.read(text, question), question) is None, text


@pytest.mark.parametrize("game", GAMES)
def test_an_order_beside_a_cancel_or_in_words_to_the_table_is_asked_about(game: str) -> None:
    """It may be meant or not; and it isn't told to the table before its writer says so."""
    for question, _, orders in places(game):
        order = orders[0]
        for text in (f"{order}\ncancel", f"cancel\n{order}", f"talk: hi all\n{order}"):
            assert line_kinds.doubt(text, line_kinds.read(text, question), question), text
        for text in (f"{order}\ntalk: never mind the bag", f"talk: I {order} next", f"{order}\n\nhelp"):
            assert line_kinds.doubt(text, line_kinds.read(text, question), question) is None, text


@pytest.mark.parametrize("command", ["standing: draw", "absence: 3-5 May", "talk: hi all"])
def test_a_command_that_its_writer_takes_back_is_asked_about(
    session: Session, game: Game, seat: Seat, command: str
) -> None:
    """Likewise; one that only asks for a letter is answered."""
    come_in(session, mail(f"{command}\n\nNo wait, forget it."), address(game, seat))
    come_in(session, mail("help\n\nNo wait, I see.", 2), address(game, seat))
    letters = answers(session)

    assert [letter.kind for letter in letters] == ["refused", "help"]
    assert f"What you wrote beside “{command}” may take it back" in " ".join(words_of(session, letters[0]).split())
    for table in (Absence, Talk, StoredStandingOrders):
        assert session.scalars(select(table)).all() == []


def test_the_question_names_the_order_and_the_words(session: Session, game: Game, seat: Seat) -> None:
    """One letter, nothing played, and the mail is shown to its writer."""
    come_in(session, mail("draw\n\nNever mind, tomorrow."), address(game, seat))
    (letter,) = answers(session)
    words = " ".join(words_of(session, letter).split())

    assert "What you wrote beside “draw” may take it back or make it depend on something" in words
    assert "“Never mind, tomorrow.”" in words
    assert (inbound(session).kind, inbound(session).note) == ("unread", "draw\n\nNever mind, tomorrow.")
