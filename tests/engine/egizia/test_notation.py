"""Order text: every spelling that is understood, every refusal with its exact sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from pbem.engine.egizia import RULES
from pbem.engine.errors import AmbiguousOrder, IllegalOrder, InvalidOrder
from pbem.engine.notation import MAX_ORDER, matches_grammar
from tests.engine.egizia.desk import Desk


def sail() -> Desk:
    """Seat 0 of three places its first ship."""
    return Desk(3)


def feed() -> Desk:
    """4 grain are missing; a grain card and feed with stones in hand."""
    desk = Desk(2)
    desk.hand(0, "A22", "A14")
    desk.crews(0, 3, 3, 3, 1)
    desk.feeding()
    return desk


def sphinx() -> Desk:
    """Crews 2, 3, 9, 2 and 9 stones at the Sphinx."""
    desk = Desk(2)
    desk.stones(9, 9)
    desk.crews(0, 2, 3, 9, 2)
    desk.site(0, 0, 1)
    return desk


def keep() -> Desk:
    """S01, S02 and S03 drawn."""
    desk = sphinx()
    desk.next("sphinx", "S01 S02 S03")
    desk.do("0: sphinx 3 with black")
    return desk


def at(site: int, *cards: str) -> Desk:
    """Crews of 5 and 9 stones at a site."""
    desk = Desk(2)
    desk.hand(0, *cards)
    desk.stones(9, 9)
    desk.crews(0, 5, 5, 5, 5)
    desk.site(site, 0, 1)
    return desk


def leftover() -> Desk:
    """The leftover card in hand after sailing."""
    desk = Desk(2)
    desk.hand(0, "B12")
    desk.do("0: pass", "1: pass")
    return desk


def after() -> Desk:
    """A crew improver that wasn't used."""
    desk = Desk(2)
    desk.hand(0, "A12")
    desk.after(1)
    return desk


PLACES: Final[dict[str, Callable[[], Desk]]] = {
    "sail": sail,
    "feed": feed,
    "sphinx": sphinx,
    "keep": keep,
    "obelisk": lambda: at(1),
    "pyramid": lambda: at(2),
    "move": lambda: at(1, "B20"),
    "leftover": leftover,
    "after": after,
}

ACCEPTED: Final = (
    ("sail", "ship to Edfu", "ship to Edfu"),
    ("sail", "SHIP TO EDFU.", "ship to Edfu"),
    ("sail", "Edfu", "ship to Edfu"),
    ("sail", "nave a Tebe", "ship to Thebae"),
    ("sail", "battello a Beni Hasan", "ship to Beni Hasan"),
    ("sail", "bateau vers Thèbes", "ship to Thebae"),
    ("sail", "sail to heliop, ring left", "ship to Heliopolis, ring left"),
    ("sail", "bateau au Héliopolis, anneau gauche", "ship to Heliopolis, ring left"),
    ("sail", "nave a Passalon, anello destra", "ship to Passalon, ring right"),
    ("sail", "ship to Passalon, ring stay", "ship to Passalon"),
    ("sail", "ship to Alyl, crew nero", "ship to Alyl, crew black"),
    ("sail", "Alyl, crew jolly", "ship to Alyl, crew joker"),
    ("sail", "ship to alyl, crew jaune", "ship to Alyl, crew yellow"),
    ("sail", "ship to card 3", "ship to A13"),
    ("sail", "ship to Ombos", "ship to A05"),
    ("sail", "ship to carta 2", "ship to A06"),
    ("sail", "a5", "ship to A05"),
    ("sail", "ship to A05", "ship to A05"),
    ("sail", "ship to sphinx", "ship to Sphinx, slot 1"),
    ("sail", "sphinx", "ship to Sphinx, slot 1"),
    ("sail", "ship to Sfinge slot 2", "ship to Sphinx, slot 2"),
    ("sail", "ship to graves, slot 2", "ship to Obelisk, slot 2"),
    ("sail", "ship to Tempio", "ship to Pyramid, slot 1"),
    ("sail", "ship to obelisk, queue", "ship to Obelisk, queue"),
    ("sail", "ship to Edfu using a monte and due battelli", "ship to Edfu using upstream and two ships"),
    ("sail", "ship to Edfu, double", "ship to Edfu using double"),
    ("sail", "ship to Edfu, sell 4 stones, improve yellow", "ship to Edfu, improve yellow, sell 4"),
    ("sail", "ship to Edfu, 2 stones for black, improve field a5", "ship to Edfu, two stones black, field A05"),
    ("sail", "ship to Edfu, move sphinx to slot 2", "ship to Edfu, move Sphinx 2"),
    ("sail", "pass", "pass"),
    ("sail", "passo", "pass"),
    ("sail", "passe, vendi 3", "pass, sell 3"),
    ("feed", "feed", "feed"),
    ("feed", "feed with 4 grain", "feed with 4 grain"),
    ("feed", "nutro con 4 cereali e 2 pietre", "feed with 4 grain and stones 2"),
    ("feed", "nourrir avec pierres 2", "feed with stones 2"),
    ("sphinx", "sphinx 3 with yellow", "sphinx 3 with yellow"),
    ("sphinx", "draw 2 cards with joker and blue", "sphinx 2 with blue + joker"),
    ("sphinx", "sfinge 1 con blu + jolly using +3 and combine", "sphinx 1 with blue + joker using +3 and combine"),
    ("sphinx", "rinuncio", "renounce"),
    ("keep", "keep S02", "keep S02"),
    ("keep", "tengo s2, ordine s3 s1", "keep S02, order S03 S01"),
    ("keep", "garde rien", "keep none"),
    ("keep", "keep S03 S01 using keep two", "keep S01 S03 using keep two"),
    ("keep", "keep S03 S01 using keep 2, order S02", "keep S01 S03 using keep two"),
    (
        "obelisk",
        "build obelisk 1-2, grave with blue + joker using +3, stone market",
        "build obelisk 1-2, grave with blue + joker using +3, stone market",
    ),
    (
        "obelisk",
        "build obelisk 1+2, 2 graves with black, grain market",
        "build obelisk 1-2, graves 2 with black, grain market",
    ),
    ("obelisk", "build obelisk x3 with yellow, cava", "build obelisk 1-3 with yellow, stone market"),
    (
        "obelisk",
        "costruisco obelisco, tomba con nero, mercato cereali",
        "build obelisk 1, grave with black, grain market",
    ),
    ("obelisk", "construire 2 tombes avec noir", "build graves 2 with black"),
    ("obelisk", "dig 2", "dig graves 2"),
    ("obelisk", "dig 1, obelisk 3, stone market", "dig obelisk 3, grave, stone market"),
    ("obelisk", "stop", "stop"),
    ("pyramid", "build pyramid 2 with black", "build pyramid 2 with black"),
    ("pyramid", "build pyramid 2+1+1, left pylon x2 with black", "build pyramid 1+1+2, left pylon x2 with black"),
    (
        "pyramid",
        "build piramide 1 x2, colonna destra, trabeazione 3+1 with joker + yellow",
        "build pyramid 1+1, right column, entablature 1+3 with yellow + joker",
    ),
    ("pyramid", "build temple lp x2, rp with blue", "build left pylon x2, right pylon with blue"),
    ("pyramid", "renonce", "renounce"),
    ("move", "move to slot 2", "move to slot 2"),
    ("move", "sposta a 2", "move to slot 2"),
    ("move", "resto", "stay"),
    ("leftover", "leftover a9", "leftover A09"),
    ("leftover", "leftover nessuna", "leftover none"),
    ("leftover", "leftover B22, crews blue twice", "leftover B22, crew blue, crew blue"),
    ("after", "done, improve blue", "done, improve blue"),
    ("after", "improve bleu", "done, improve blue"),
    ("after", "fatto", "done"),
)

UNREADABLE: Final = (
    (
        "sail",
        "fly to the moon",
        (
            "I can't read 'fly to the moon' as an order. Here one can write: ship to SPACE [, crew CREW "
            "...] [, ring left or right] [, slot N] [using CARDS] / ship to SITE , queue / pass."
        ),
    ),
    ("sail", "ship", "Say where to: `ship to Edfu`."),
    (
        "sail",
        "ship to Memphis",
        (
            "'memphis' is no river space. There are: Edfu, Thebae, Passalon, Alyl, Beni Hasan, Selinon, "
            "Heliopolis, Sphinx, Obelisk, Pyramid."
        ),
    ),
    ("sail", "ship to card 11", "11 is no card space: there are 1 to 10."),
    (
        "sail",
        "ship to sphinx, build",
        (
            "I can't read 'build'. Here one can write: ship to SPACE [, crew CREW ...] [, ring left or "
            "right] [, slot N] [using CARDS] / ship to SITE , queue / pass."
        ),
    ),
    ("sail", "ship to Edfu, obelisk 1", "`obelisk` has no place in a `ship` order."),
    ("sail", "ship to Alyl, crew red", "'red' is no crew. There are: blue, black, yellow, joker."),
    (
        "sail",
        "ship to Edfu using magic",
        (
            "'magic' is no card to use. There are: reuse, upstream, two ships, double, extra ship, +3, "
            "combine, +2, keep two."
        ),
    ),
    ("sail", "pass now", "`now` has no place in a `pass` order."),
    (
        "sail",
        "ship to A99",
        (
            "'a99' is no river space. There are: Edfu, Thebae, Passalon, Alyl, Beni Hasan, Selinon, "
            "Heliopolis, Sphinx, Obelisk, Pyramid."
        ),
    ),
    (
        "sail",
        "ship to Passalon, ring up",
        (
            "I can't read 'ring up'. Here one can write: ship to SPACE [, crew CREW ...] [, ring left or "
            "right] [, slot N] [using CARDS] / ship to SITE , queue / pass."
        ),
    ),
    (
        "sail",
        "",
        (
            "I can't read '' as an order. Here one can write: ship to SPACE [, crew CREW ...] [, ring left "
            "or right] [, slot N] [using CARDS] / ship to SITE , queue / pass."
        ),
    ),
    ("feed", "feed with bread", "'bread' is no way to feed: `feed with 4 grain and stones 2`."),
    ("feed", "feed everybody", "`everybody` has no place in a `feed` order."),
    ("sphinx", "sphinx with blue", "Say how many Sphinx cards you pay for: `sphinx 3 with yellow`."),
    ("sphinx", "sphinx 3", "Say which crews work: `with blue` or `with blue + joker`."),
    ("obelisk", "build", "Say which crews work: `with blue` or `with blue + joker`."),
    ("obelisk", "build grave", "Say which crews work: `with blue` or `with blue + joker`."),
    (
        "obelisk",
        "build grave, pyramid 1 with blue",
        "Obelisk and graves are one site, Pyramid and Temple another: build at one of them.",
    ),
    ("obelisk", "build grave with blue + blau", "'blau' is no crew. There are: blue, black, yellow, joker."),
    (
        "obelisk",
        "build tower with blue",
        (
            "I can't read 'tower'. Here one can write: build obelisk N-N, graves N with CREWS [using CARDS] "
            ", stone or grain market / build pyramid ROW+ROW, PART x N, entablature N with CREWS [using "
            "CARDS] / renounce."
        ),
    ),
    (
        "obelisk",
        "build obelisk one with blue",
        (
            "I can't read 'obelisk one'. Here one can write: build obelisk N-N, graves N with CREWS [using "
            "CARDS] , stone or grain market / build pyramid ROW+ROW, PART x N, entablature N with CREWS "
            "[using CARDS] / renounce."
        ),
    ),
    (
        "pyramid",
        "build left tower with blue",
        (
            "I can't read 'left tower'. Here one can write: build obelisk N-N, graves N with CREWS [using "
            "CARDS] , stone or grain market / build pyramid ROW+ROW, PART x N, entablature N with CREWS "
            "[using CARDS] / renounce."
        ),
    ),
    ("pyramid", "build pyramid 1+x with blue", "'x' is not a whole number: a Pyramid row wants one."),
    ("move", "move", "I can't read 'move' as an order. Here one can write: move to slot N / stay."),
    ("leftover", "leftover", "Say which card you take: `leftover B03`, or `leftover none`."),
    ("after", "done, improve red", "'red' is no crew. There are: blue, black, yellow, joker."),
    (
        "after",
        "sell",
        (
            "I can't read 'sell'. Here one can write: done / ORDER [, improve CREW] [, two stones CREW] [, "
            "field CARD] [, sell N] [, move SITE N]."
        ),
    ),
    ("sail", "ship to the, queue", "'the' could be Sphinx, Thebae: please write one of them out."),
)

ILLEGAL: Final = (
    ("sail", "ship to B01", "EG-3.3: B01 doesn't lie on the river."),
    ("sail", "keep S01", "EG-2.1: The question now is `ship`; this order answers another one."),
    ("sail", "ship to Edfu using upstream", 'EG-4.4: You have no card "upstream" that can be used now.'),
    ("sail", "ship to Edfu, sell 3", 'EG-4.3: You have no card "sell stones" that can be used now.'),
    ("sail", "ship to Edfu, slot 1", "EG-3.3: Edfu is no site: it has no slots."),
    ("sail", "ship to Edfu, move Sphinx 2", 'EG-4.3: You have no card "move ship" that can be used now.'),
    ("sail", "ship to Edfu, improve blue", 'EG-4.4: You have no card "crew improver" that can be used now.'),
    (
        "sail",
        "ship to Edfu using +3",
        "EG-4.3: +3 has no use here; cards for this order: reuse, upstream, two ships, double, extra ship.",
    ),
    ("sail", "ship to Sphinx, slot 3", "EG-3.3: Free slots at Sphinx: 1, 2. Name one of them."),
    ("sail", "ship to Edfu, crew blue", "EG-3.5: Edfu raises no crew of your choice: leave `crew` out."),
    ("feed", "feed with 3 grain", "EG-4.3: Your grain cards can give 0, 4 grain, not 3."),
    ("feed", "feed with stones 9", "EG-4.4: 4 grain is missing then, so 9 stones are too many."),
    (
        "sphinx",
        "sphinx 3 with blue",
        "EG-7.1: You may pay for 1 to 2 cards here, not 3: strength 2, 9 stones, 29 in the deck.",
    ),
    (
        "sphinx",
        "sphinx 1 with joker",
        "EG-6.2: An action uses a basic crew: blue, black or yellow. The joker never works alone.",
    ),
    (
        "sphinx",
        "sphinx 2 with blue using keep two",
        "EG-4.3: keep two has no use here; cards for this order: +3, combine, +2.",
    ),
    ("keep", "keep S09", "EG-7.1: S09 is none of the cards you drew: S01, S02, S03."),
    ("keep", "keep S01 S02", "EG-7.1: You may keep 1; you named 2."),
    (
        "keep",
        "keep none, order S01 S02",
        "EG-7.1: An order names each card that goes under the deck once: S01, S02, S03.",
    ),
    (
        "obelisk",
        "build obelisk 2 with blue, stone market",
        "EG-6.4: The Obelisk is built in sequence: the next space is 1, you named 2 to 2.",
    ),
    (
        "obelisk",
        "build obelisk 1 with blue",
        "EG-6.4: An Obelisk stone moves a market marker: say `stone market` or `grain market`.",
    ),
    ("obelisk", "build graves 5 with blue + joker", "EG-6.4: 4 graves lie open; you named 5."),
    ("obelisk", "build obelisk 1-4 with blue + joker, grain market", "EG-6.2: That costs 10 stones; you have 9."),
    ("pyramid", "build pyramid 2 with blue", "EG-6.5: Row 2 of the Pyramid is full or has no two stones to stand on."),
    ("pyramid", "build entablature 1 with blue", "EG-6.6: The entablature needs both pylons full first."),
    ("pyramid", "build pyramid 9 with blue", "EG-6.5: 9 is no row of the Pyramid: rows are 1 to 6 from the bottom."),
    ("move", "move to slot 3", "EG-4.3: Obelisk has slots 1 to 2; yours is 1. Slot 3 is no other one."),
    ("leftover", "leftover A99", "EG-4.4: A99 doesn't lie on the river."),
    ("sail", "ship to obel, ring left", "EG-3.6: The water ring moves only at Passalon and Heliopolis."),
)


@pytest.mark.parametrize(("place", "text", "canonical"), ACCEPTED)
def test_accepted_spellings(place: str, text: str, canonical: str) -> None:
    """Any case, accents, Italian and French words; each has one canonical form, which is read back alike."""
    state = PLACES[place]().state
    order = RULES.read(state, 0, text)

    assert str(order) == canonical
    assert RULES.read(state, 0, canonical) == order
    assert matches_grammar(RULES.grammar, canonical)


@pytest.mark.parametrize(("place", "text", "sentence"), UNREADABLE)
def test_unreadable_orders_get_one_clear_sentence(place: str, text: str, sentence: str) -> None:
    """The sentence names the input and what can be written."""
    with pytest.raises((InvalidOrder, AmbiguousOrder)) as refusal:
        RULES.read(PLACES[place]().state, 0, text)

    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("place", "text", "fault"), ILLEGAL)
def test_illegal_orders_name_the_rule(place: str, text: str, fault: str) -> None:
    """The first fault, with its rule id and what there is instead."""
    assert PLACES[place]().faults(0, text)[0] == fault


def test_endless_text_is_refused_before_it_is_read() -> None:
    """One character too many."""
    with pytest.raises(InvalidOrder, match="at most 2000 are read"):
        RULES.read(sail().state, 0, "ship to " + "x" * MAX_ORDER)


def test_an_empty_card_space_can_not_be_named_by_number() -> None:
    """`card 1` after its card is taken."""
    desk = sail()
    desk.do("0: ship to A05")

    with pytest.raises(IllegalOrder, match="No card lies on card space 1 any more"):
        RULES.read(desk.state, 1, "ship to card 1")


def test_the_queue_is_found_by_itself_at_a_full_site() -> None:
    """`ship to Sphinx` means the nearest free slot, then the queue."""
    desk = sail()
    found = []
    for seat in range(3):
        found.append(str(RULES.read(desk.state, seat, "ship to Sphinx")))
        desk.do(f"{seat}: ship to Sphinx")

    assert found == ["ship to Sphinx, slot 1", "ship to Sphinx, slot 2", "ship to Sphinx, queue"]


def test_every_example_of_the_grammar_is_read_and_matches() -> None:
    """The table's examples are orders of their own kind."""
    for row in RULES.grammar:
        state = {"ship": sail, "feed": feed, "sphinx": sphinx, "keep": keep}.get(row.kind, after)().state
        order = RULES.read(state, 0, row.example)
        assert matches_grammar((row,), row.example)
        assert matches_grammar(RULES.grammar, str(order))
