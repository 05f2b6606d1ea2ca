"""Which lines of a mail are orders: all that the games read, in three languages, and near misses, but no talk."""

from __future__ import annotations

import pytest

from pbem.engine.registry import GAMES, rules_of
from pbem.inbound import line_kinds
from pbem.inbound.line_kinds import MailQuestion
from pbem.kit.contract.positions import decisions
from pbem.mail import reply
from pbem.messages import LANGUAGES, Translator
from pbem.play.orders import interpretation
from tests.engine.amunre import test_notation as amunre
from tests.engine.egizia import test_notation as egizia
from tests.engine.priestsofra import test_notation as priestsofra

KINDS = {"sail": "ship", "obelisk": "build", "pyramid": "build"}
"""What places of Egizia's tests ask for, where it has another name."""
SHORTENED = "sail to heliop, ring left"
"""A name cut off is understood on the page; a mail is asked back."""
READ = [
    *(("amunre", kind, text) for kind, text, _ in amunre.ACCEPTED),
    *(("egizia", KINDS.get(place, place), text) for place, text, _ in egizia.ACCEPTED if text != SHORTENED),
    *(("priestsofra", kind, text) for kind, table in priestsofra.ACCEPTED.items() for text in table),
]
OWN_WORDS = [
    ("amunre", "bid", "Offro 10 per Menfi, grazie!"),
    ("amunre", "bid", "je mise 6 sur Memphis"),
    ("amunre", "bid", "punto 6 a Menfi"),
    ("amunre", "buy", "j'achète 2 cartes"),
    ("amunre", "buy", "compro due carte"),
    ("amunre", "offer", "Offro 3 ad Amun-Re"),
    ("amunre", "offer", "5"),
    ("amunre", "take", "je prends une carte"),
    ("priestsofra", "turn", "pesco una tessera"),
    ("priestsofra", "turn", "I draw a tile, please"),
    ("priestsofra", "turn", "j'appelle Ra"),
    ("priestsofra", "bid", "je passe"),
    ("egizia", "ship", "Send my ship to Edfu"),
    ("egizia", "ship", "carta 3"),
]


def found(game: str, kind: str, text: str) -> tuple[str, ...]:
    """The orders in a mail of this text that answers this decision."""
    return reply.read(text, line_kinds.wanted(rules_of(game).grammar, kind)).orders


@pytest.mark.parametrize(("game", "kind", "text"), [*READ, *OWN_WORDS])
def test_what_a_game_reads_is_found_in_a_mail(game: str, kind: str, text: str) -> None:
    """Nothing that the page would take as an order is passed over in silence by mail."""
    assert len(found(game, kind, text)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_short_answer_counts_only_where_it_is_asked(game: str) -> None:
    """A number or a place alone is an order for the decision that asks for it, and chance anywhere else."""
    bare = {
        "amunre": ("5", "offer", "draft"),
        "egizia": ("Edfu", "ship", "feed"),
        "priestsofra": ("none", "flip", "turn"),
    }
    text, asked, other = bare[game]
    assert found(game, asked, text) == (text,)
    assert found(game, other, text) == ()


@pytest.mark.parametrize(
    ("game", "kind", "text", "is_near"),
    [
        ("amunre", "bid", "bidd 6 on Memphis", True),
        ("amunre", "offer", "bidd 6 on Memphis", False),
        ("egizia", "ship", "Obelsk", True),
        ("priestsofra", "turn", "drwa", True),
        ("priestsofra", "bid", "drwa", False),
        ("amunre", "sell", "well played", False),
        ("amunre", "bid", "bidd 6 on Memphis " + "and so on " * 8, False),
    ],
)
def test_a_slip_is_near_where_its_order_is_asked(game: str, kind: str, text: str, *, is_near: bool) -> None:
    """What would answer the question but for a slip is worth asking back; anything else is talk."""
    assert line_kinds.nearly(rules_of(game).grammar, kind)(text) is is_near


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_begins_as_an_order_does_is_told_what_is_wrong_with_it(game: str, language: str) -> None:
    """An order with a place that doesn't exist is refused as one in each language, and not as a mail without any."""
    grammar, say = rules_of(game).grammar, Translator(language, game=game)
    for row in grammar:
        verb = say.order(row.example).partition(" ")[0]
        assert line_kinds.read(f"{verb} xyzzy 99", MailQuestion(rules_of(game), row.kind)).orders == (
            f"{verb} xyzzy 99",
        ), row


def test_no_order_is_suggested_that_breaks_off() -> None:
    """`nave a` is the beginning of one: who writes `nave a luna` isn't asked whether they meant that."""
    position, seat, _ = next(found for found in decisions("egizia") if found[2].kind == "ship")
    rules = rules_of("egizia")
    asked = MailQuestion(rules, "ship", interpretation.reader(rules, position.state, seat))

    assert line_kinds.in_other_words("nave a luna 99", asked) == ("", ())
    assert line_kinds.in_other_words("bene, nave a Edfu grazie mille", asked)[1] == ("ship to Edfu",)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("absense: 3 may", ("absense: 3 may", "absence: 3 may")),
        ("stauts", ("stauts", "status")),
        ("Hlep!", ("Hlep!", "help")),
        ("Aiut", ("Aiut", "aiuto")),
        ("aiu", None),
        ("Great game.\n\nAnna", None),
        ("Anna", None),
        ("Thanks!", None),
        ("To do: buy milk", None),
    ],
)
def test_a_mistyped_command_is_asked_back(text: str, meant: tuple[str, str] | None) -> None:
    """Only where it is the whole mail, since below other words a name is likelier than a slip."""
    assert line_kinds.command_meant(text) == meant


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("Hi all,", "Thanks,", "Paolo"), False),
        (("More time?",), True),
        (("Sorry for the delay, I was ill.",), True),
        (("Ship happens",), True),
        ((), False),
    ],
)
def test_words_beside_an_order_are_remarked_on_if_they_say_something(lines: tuple[str, ...], *, says: bool) -> None:
    """A greeting and a name are no message; a question and a sentence are."""
    assert line_kinds.asides(lines, MailQuestion(rules_of("egizia"), "ship")) is says


@pytest.mark.parametrize(
    ("asked", "resembles"),
    [("turn", True), ("", True), ("bid", False)],
)
def test_a_note_resembles_the_orders_that_are_asked_for(asked: str, *, resembles: bool) -> None:
    """Words of an order that nobody asks for are gossip; where nothing is known of the question, any may be meant."""
    question = MailQuestion(rules_of("priestsofra"), asked)

    assert line_kinds.resembles("I think I draw a tile now", question) is resembles
