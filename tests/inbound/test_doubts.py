"""A mail that holds an order beside the one it gives is asked which is meant, whatever is decided, in every game."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.bots.selfplay import play
from pbem.engine.core.errors import REFUSALS, InvalidOrder
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders
from pbem.engine.text.notation import fold, matches_grammar
from pbem.inbound import line_kinds
from pbem.inbound.line_kinds import MailQuestion
from pbem.kit.contract.positions import decisions, table_of
from pbem.play.orders import interpretation
from pbem.store.models import Game, Inbound, Seat, StoredOrder
from tests.factories import asked, seat_of
from tests.inbound.test_receive import address, answers, come_in, mail, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy.orm import Session

    from pbem.engine.core.rng import Chance

BESIDE = (
    "Thanks for the reminder. {}",
    "I think I {} this time",
    "sorry, I meant {}",
    "no wait, {}",
    "{}, please, if that still counts",
)
"""How an order stands in a sentence."""
TAILS = ("{}, good luck all", "{} and then we will see", "OK then, {}", "=> {}")
"""What people write around an order on its own line."""
CALM = (
    "Thanks for the reminder, Bob.",
    "Sorry for the delay, I was ill.",
    "See you on Tuesday at 8.",
    "Will you call?",
)
TALK = (
    *("Theft is a crime.", "I'd raise a glass to that!", "Raise your glasses", "we could flip a coin", "take my time"),
    *("draw a deep breath", "sell my soul", "lower your voice", "offer my condolences", "build a house"),
    *("draw your own conclusions", "turn a blind eye", "buy me a beer", "keep a stiff upper lip"),
)
"""Sentences with the verb of an order and nothing else of one."""
QUALIFIED = (
    *(
        "{}+",
        "+{}",
        "{} ?",
        "?{}",
        ">{}",
        "> {}",
        "<{}",
        ">={}",
        "~{}",
        "~ {}",
        "\N{ALMOST EQUAL TO}{}",
        "\N{PLUS-MINUS SIGN}{}",
    ),
    *(
        "{}-",
        "{}~",
        "{}%",
        "{}.5",
        "{},5",
        "{}1/2+",
        "not {}",
        "{}ish",
        "{} ish",
        "{} or so",
        "{} or more",
        "{} or less",
    ),
    *("about {}", "around {}", "approx. {}", "roughly {}", "nearly {}", "at least {}", "more than {}", "less than {}"),
    *("{} or 6", "either {} or 6", "maybe {}", "{} and a half", "over {}", "under {}", "min {}"),
    *(
        "circa {}",
        "almeno {}",
        "quasi {}",
        "forse {}",
        "{} o 6",
        "{} o pi\u00f9",
        "{} e mezzo",
        "pi\u00f9 di {}",
        "meno di {}",
    ),
    *(
        "environ {}",
        "au moins {}",
        "presque {}",
        "peut-\u00eatre {}",
        "{} ou 6",
        "{} ou plus",
        "{} et demi",
        "plus de {}",
    ),
)
"""A number that isn't meant as it stands, or not surely; `up to` is a limit where one can be given."""
RARE = {"dig"}
"""Decisions that no game of the contract tests comes to."""
SELDOM = {("take", "build")}
"""What comes after another decision, and in no game of these tests: placing what a reward brings that took no card."""
ORDERS = 12
"""Orders of one position that are tried."""
GAMES_PLAYED = 24
"""Of each title, to see what is asked again within a phase."""
POSITIONS = 2
"""Positions for each kind of decision."""


def places(game: str) -> Iterator[tuple[MailQuestion, bool, list[str]]]:
    """Decisions of every kind, whether they are sealed, with legal orders of each."""
    rules = rules_of(game)
    tried: dict[tuple[str, bool], int] = {(row.kind, False): 0 for row in rules.grammar}
    for position, seat, decision in decisions(game):
        name = (decision.kind, decision.sealed)
        if tried.get(name, 0) < POSITIONS:
            orders = [str(order) for order in islice(rules.legal(position.state, seat), ORDERS)]
            if len(orders) > 1:
                tried[name] = tried.get(name, 0) + 1
                read = interpretation.reader(rules, position.state, seat, sealed=decision.sealed)
                yield MailQuestion(rules, decision.kind, read, decision.sealed), decision.sealed, orders
    assert {kind for (kind, _), count in tried.items() if not count} <= RARE


def rivals(text: str, question: MailQuestion) -> set[str]:
    """What the writer of a mail is asked to choose from."""
    return {fold(order) for order in line_kinds.rivals(line_kinds.read(text, question), question)}


@pytest.mark.parametrize("game", GAMES)
def test_another_order_beside_the_one_given_is_asked_back(game: str) -> None:
    """Above it or below, in a sentence that begins or ends with it or not: both are named, and nothing is taken."""
    for question, _, orders in places(game):
        for one, other in zip(orders, orders[1:] + orders[:1], strict=True):
            for said in (form.format(other) for form in BESIDE):
                for text in (f"{said}\n{one}", f"{one}\n\n{said}"):
                    assert {fold(one), fold(other)} <= rivals(text, question), text


@pytest.mark.parametrize("game", GAMES)
def test_what_is_asked_but_once_in_a_phase_is_listed(game: str) -> None:
    """Of each kind of decision that games come to: whether a seat is asked for it again before the phase is over.

    And what else it is asked in that phase: whoever answers that ahead writes a chain. What may be left is no question.
    """
    rules, met, again = rules_of(game), set[str](), set[str]()
    after: dict[str, set[str]] = {}
    for number in range(GAMES_PLAYED):
        asked_before: Counter[tuple[str, int, str]] = Counter()
        order_of: dict[tuple[str, int], list[str]] = {}
        states: list[Any] = []

        def keep(state: Any, orders: Mapping[int, Any], _chance: Chance) -> None:
            for before in states:  # the one that the orders answered  # noqa: B023 - used up within its round
                scope = rules.scope(before).phase
                kinds = {seat: decision.kind for seat, decision in rules.asked(before).items() if seat in orders}
                asked_before.update((scope, seat, kind) for seat, kind in kinds.items())  # noqa: B023 - likewise
                for seat, kind in kinds.items():
                    if rules.asked(before)[seat].needed:
                        order_of.setdefault((scope, seat), []).append(kind)  # noqa: B023 - likewise
            states[:] = [rules.copy(state)]  # noqa: B023 - likewise

        play(table_of(rules, number), f"once-{number}", keep)
        met |= {kind for _, _, kind in asked_before}
        again |= {kind for (_, _, kind), count in asked_before.items() if count > 1}
        for kinds_asked in order_of.values():
            for place, kind in enumerate(kinds_asked):
                after.setdefault(kind, set()).update(kinds_asked[place + 1 :])

    assert set(rules.meta.once) == met - again
    said = {(kind, later) for kind, all_later in rules.meta.once.items() for later in all_later}
    found = {(kind, later) for kind in rules.meta.once for later in after.get(kind, ())}
    assert found <= said
    assert said - found <= SELDOM


@pytest.mark.parametrize("game", GAMES)
def test_two_answers_to_one_question_are_asked_back(game: str) -> None:
    """Line below line or as a chain, where it is asked but once; else they are a chain. One said twice is one."""
    for question, sealed, orders in places(game):
        is_once = question.kind in question.rules.meta.once and not sealed
        others = [row for row in question.rules.grammar if row.kind in question.rules.meta.once.get(question.kind, ())]
        for one, other in zip(orders, orders[1:] + orders[:1], strict=True):
            is_doubtful = is_once and not matches_grammar(others, other)
            for text in (f"{one}\n{other}", f"{one}; then {other}"):
                assert rivals(text, question) == ({fold(one), fold(other)} if is_doubtful else set()), text
            assert rivals(f"{one}\n\n{one}", question) == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_lines_of_a_sealed_list_are_no_rivals(game: str) -> None:
    """Each may say when it is meant, or begin with `else`: they were asked back, though a page takes them."""
    fact = {"amunre": "round", "priestsofra": "my_suns", "egizia": "round"}[game]
    for question, sealed, orders in places(game):
        for one, other in pairwise(orders):
            for text in (
                f"when {fact} > 0: {one}\n{other}",
                f"{one}\nelse {other}",
                f"unless {fact} > 9: {one}\n{other}",
            ):
                if sealed:
                    reading = line_kinds.read(text, question)
                    assert line_kinds.doubt(text, reading, question) is None, text
                    assert str(standing_orders.sealed_list(question.rules, "\n".join(reading.orders))), text


@pytest.mark.parametrize("game", GAMES)
def test_another_order_below_the_quoted_letter_is_asked_back(game: str) -> None:
    """It isn't read there, but compared: what is taken is never what its writer had put right."""
    for question, _, orders in places(game):
        for one, other in zip(orders, orders[1:] + orders[:1], strict=True):
            text = f"{one}\n\nOn Monday Ann wrote:\n> Decide now.\n>\n\n{{}}\n"
            assert {fold(one), fold(other)} <= rivals(text.format(other), question), text
            assert rivals(text.format(one), question) == set()


@pytest.mark.parametrize("game", GAMES)
def test_talk_that_begins_as_an_order_is_no_link_of_a_chain(game: str) -> None:
    """The order stands alone, not with a link that fails, and its writer is told that nobody reads the talk."""
    for question, _, orders in places(game):
        verbs = {row.example.partition(" ")[0] for row in question.rules.grammar if row.kind == question.kind}
        for talk in (f"{verb} up the good work" for verb in verbs if verb.isalpha()):
            reading = line_kinds.read(f"{orders[0]}\n\n{talk}", question)
            assert reading.orders == (orders[0],), talk
            assert reading.rest == (talk,)
            assert line_kinds.asides(reading.rest, question)


@pytest.mark.parametrize("game", GAMES)
def test_the_rest_of_an_order_below_it_is_asked_back(game: str) -> None:
    """With a word that joins them or without: "plus farmers 1 Kharga" was kept as a later order, or left out."""
    for question, sealed, orders in places(game):
        for order in orders[1:]:
            verb, _, rest = order.partition(" ")
            is_whole = matches_grammar(question.rules.grammar, rest, question.kind)
            if sealed or not verb.isalpha() or not re.search(r"\d", rest):
                continue
            for lead in (
                *([] if is_whole else [""]),
                "and ",
                "also ",
                "plus ",
                "not ",
                "e anche ",
                "et aussi ",
                "+ ",
                "with ",
            ):
                text = f"{orders[0]}\n{lead}{rest}"
                assert line_kinds.doubt(text, line_kinds.read(text, question), question), text


@pytest.mark.parametrize("game", GAMES)
def test_talk_with_the_verb_of_an_order_is_no_doubt(game: str) -> None:
    """Whatever is decided: the order counts, and nobody is asked whether they meant the talk."""
    for question, _, orders in places(game):
        for talk in TALK:
            for text in (f"{orders[0]}\n\n{talk}", f"{talk}\n{orders[0]}"):
                assert rivals(text, question) == set(), text


@pytest.mark.parametrize("game", GAMES)
def test_the_same_order_in_other_words_is_no_doubt(game: str) -> None:
    """Who says what they order and then orders it, or only greets, is understood."""
    for question, _, orders in places(game):
        for order in orders:
            for beside in (f"I think I {order} this time", *CALM):
                assert rivals(f"{order}\n\n{beside}", question) == set(), (order, beside)


@pytest.mark.parametrize("game", GAMES)
def test_words_around_an_order_never_make_it_another_one(game: str) -> None:
    """A line with an order and a tail is taken as that order or asked back with it."""
    for question, sealed, orders in places(game):
        for order in orders:
            for text in (form.format(order) for form in TAILS):
                reading = line_kinds.read(text, question)
                assert question.read is not None
                if not reading.orders:
                    meant = line_kinds.in_other_words(text, question)[1]
                    assert fold(order) in map(fold, meant), text
                elif not sealed and (found := question.read(reading.orders[0])):
                    assert found == order, text


@pytest.mark.parametrize("game", [game for game in GAMES if game != "egizia"])
def test_a_number_with_a_sign_stands_in_no_sealed_list(game: str) -> None:
    """When it is sent, as any other question refuses it: "bid +10 on Buto" was kept, and could never be played."""
    asked = [(question, orders) for question, sealed, orders in places(game) if sealed]
    numbers = [(question, order) for question, orders in asked for order in orders if re.search(r"\d", order)]
    assert numbers
    for question, order in numbers:
        for sign in ("+{}", "~{}", "{}+", "<{}", "{}?", "{} -", "{} +", "{} &", "{} /", "- {}", "+ {}"):
            number = re.findall(r"\d+", order)[0]
            text = order.replace(number, sign.format(number), 1)
            with pytest.raises(InvalidOrder, match=re.escape(text)):
                standing_orders.sealed_list(question.rules, f"{text}\n{order}")


@pytest.mark.parametrize("game", GAMES)
def test_a_line_with_a_tail_is_refused_with_the_order_it_may_hold(game: str) -> None:
    """What the reader can't take whole is answered by what it would take, also in a sealed list."""
    for question, sealed, orders in places(game):
        if not sealed:
            continue
        for text in (TAILS[0].format(order) for order in orders):
            with pytest.raises(REFUSALS, match="Did you mean"):
                standing_orders.sealed_list(question.rules, text)


@pytest.mark.parametrize("game", GAMES)
def test_a_number_with_a_qualifier_is_not_that_number(game: str) -> None:
    """In no argument of any order: `offer 5+` offered 5, `bid min 10` bid 0."""
    for question, _, orders in places(game):
        assert question.read is not None
        for order in orders:
            for number in re.finditer(r"(?<![\w+])\d+", order):
                for form in QUALIFIED:
                    said = f"{order[: number.start()]}{form.format(number[0])}{order[number.end() :]}"
                    assert question.read(said) == "", said


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Thanks for the reminder. ra\ndraw", ("draw", "ra")),
        ("draw\nSorry, I meant ra!", ("draw", "ra")),
        ("draw\nra instead, if I still can", ("draw", "ra")),
        ("I can't decide whether to draw or ra", ("draw", "ra")),
    ],
)
def test_nothing_of_a_doubtful_mail_is_taken_and_its_words_are_kept(
    session: Session, game: Game, seat: Seat, text: str, meant: tuple[str, str]
) -> None:
    """One letter asks which is meant; the mail is shown to its writer as unread."""
    come_in(session, mail(text), address(game, seat))
    (letter,) = answers(session)
    row = session.execute(select(Inbound)).scalar_one()

    assert session.execute(select(StoredOrder).where(StoredOrder.source == "mail")).all() == []
    assert (row.kind, row.note) == ("unread", text)
    assert f"Did you mean “{meant[0]}” or “{meant[1]}”?" in " ".join(words_of(session, letter).split())


@pytest.mark.parametrize("text", ["draw?", "> Draw or call?\n\ndraw"])
def test_a_mail_of_which_nothing_is_done_is_kept_as_unread(session: Session, game: Game, seat: Seat, text: str) -> None:
    """A question, and an order below the quote: neither order nor command, and its writer sees it again."""
    come_in(session, mail(text), address(game, seat))
    row = session.execute(select(Inbound)).scalar_one()

    assert (row.state, row.kind) == ("done", "unread")
    assert row.note.endswith(text.rpartition("\n")[2])


def test_a_doubt_about_a_question_that_is_settled_is_no_doubt(session: Session, game: Game, seat: Seat) -> None:
    """Where the game has moved on, its writer is told so, and not asked what they meant."""
    come_in(session, mail("I draw or ra\ndraw"), address(game, seat, ply=game.ply))
    (letter,) = answers(session)

    assert "Did you mean" not in words_of(session, letter)
    assert asked(session, game)[0].seat == seat_of(session, game, seat.seat).seat


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("build", "farmers 1 Kharga\nplus nothing"),
        ("harvest", "farmers 1 Kharga\nplus nothing"),
        ("keep", "keep farmers bonus\nand nothing"),
    ],
)
def test_what_names_nothing_belongs_to_no_order(kind: str, text: str) -> None:
    """A line below an order that has the shape of one is its rest only if it names a thing or a number."""
    question = MailQuestion(rules_of("amunre"), kind, str)

    assert line_kinds.doubt(text, line_kinds.read(text, question), question) is None or kind == "harvest"
    assert line_kinds._apart(line_kinds.read(text, question), question) is None


LONG = "farmers 1 Kharga, " + "farmers 1 Memphis, " * 5 + "stones 2 Thebes"
"""An order of more than a line."""


@pytest.mark.parametrize(
    "beside", ["no wait, that is wrong " * 5, "plus farmers 1 Dakhla " + "and farmers 2 Thebes " * 5]
)
def test_what_is_asked_back_fits_a_line(beside: str) -> None:
    """Of the words beside a long order as much is repeated as fits; the order is told whole."""
    text, question = f"{LONG}\n{beside}", MailQuestion(rules_of("amunre"), "build", str)
    found = line_kinds.doubt(text, line_kinds.read(text, question), question)

    assert found is not None
    assert found.params == {"word": f"{beside[:79]}…", "order": LONG}
