"""Every value of every game's options, played to its end by mail: asked in letters, answered by filled-in forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.engine.amunre.data import PRINTED_BOARD
from pbem.engine.core.errors import EngineError
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import components
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_orders, standing_text
from pbem.engine.text.notation import ELSE, matches_grammar
from pbem.kit.contract.test_forms import filled
from pbem.letters import context as letters
from pbem.letters.writer import preview
from pbem.mail.reply import read as read_reply
from pbem.messages import LANGUAGES
from pbem.play.turns.advance import advance
from pbem.play.views import seat_view
from tests import factories
from tests.factories import START, GameFactory
from tests.inbound.test_receive import address, come_in, mail
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask_sqlalchemy import SQLAlchemy
    from sqlalchemy.orm import Session

    from pbem.engine.core.types import AnyRules, Option
    from pbem.store.models import Game, OpenDecision

OWN_TEXTS = {
    ("amunre", "board"): PRINTED_BOARD.replace("Abu,3,", "Abu,2,", 1),
    ("egizia", "components"): msgspec.json.encode(components.load("")).decode(),
}
"""A text of a club's own for each option that takes one."""
FILLINGS = 60
"""Random fillings of a form tried before a legal order is sent as it is."""
EVERY = 6
"""Of a kind of question the first and then one in so many has its letter written, and is answered by mail."""


@pytest.fixture
def session(db: SQLAlchemy) -> Session:
    """The app's session."""
    return db.session()


def values(game: str, option: Option) -> tuple[str, ...]:
    """What an option can be; a KeyError for one that takes a text which nobody has listed above."""
    return option.choices or (OWN_TEXTS[game, option.name],)


def walked(game: str) -> Iterator[dict[str, str]]:
    """The defaults, then every option at another value than its default, until each value has had its game.

    That options go together in any other way too, the contract finds out with games of bots (`positions.table_of`).
    """
    options = rules_of(game).meta.options
    others = {option.name: [one for one in values(game, option) if one != option.default] for option in options}
    yield {}
    for number in range(max(map(len, others.values()))):
        yield {name: found[number % len(found)] for name, found in others.items()}


WALKED = [
    pytest.param(game, options, id="-".join((game, *(f"{name}={value[:9]}" for name, value in options.items()))))
    for game in GAMES
    for options in walked(game)
]


def said_in_form(rules: AnyRules, state: Any, decision: OpenDecision, lot: Rng) -> str:
    """What filling in the form of a decision at random says, once it is legal; else any legal order."""
    view = rules.view(state, decision.seat)
    form = rules.form(view)
    assert form.kind == decision.kind
    assert form.groups
    assert form.question == rules.question(view)
    for _ in range(FILLINGS):
        try:
            text = rules.order_text(view, filled(form, lot))
            if decision.sealed:
                return str(standing_orders.sealed_list(rules, text)).partition("\n")[2]
            wishes = [rules.read(state, decision.seat, one) for one in standing_text.alternatives(text)]
            if not any(rules.check(state, decision.seat, wish) for wish in wishes):
                return text
        except EngineError:
            continue
    assert not decision.sealed
    return str(rules.sample(state, decision.seat, lot))


def read_its_letter(session: Session, game: Game, decision: OpenDecision) -> None:
    """The seat's letter can be written in every language and puts the question that the page puts."""
    seat = factories.seat_of(session, game, decision.seat)
    seen = seat_view.situation(session, START, seat.id)
    assert seen.asked is not None
    assert (seen.asked.kind, seen.asked.sealed) == (decision.kind, decision.sealed)
    found = [letter for letter in factories.letters(session, "your_turn", game.ply) if letter.seat == decision.seat]
    for letter in found[-1:]:
        data = letters.context(session, START, letter)
        assert data is not None
        for language in LANGUAGES:
            to = msgspec.structs.replace(data.to, language=language)
            text = preview(msgspec.structs.replace(data, to=to), HOUSE)[0].text
            if language == "en":
                literal = max(re.split(r"\{.*?\}|\S*\(s\)\S*", seen.asked.question.text), key=len).strip()
                assert literal in " ".join(text.split())


def reply(session: Session, game: Game, decision: OpenDecision, text: str, number: int) -> None:
    """Answer by mail, above the letter quoted."""
    rows = rules_of(game.game).grammar
    raw = f"Hello,\n\n{text}\n\nOn 1 March 2026 Nile Club wrote:\n> {decision.kind}?"
    wanted = (standing_text.alternatives(text) for text in raw.splitlines())
    shapes = {ELSE.join(orders) for orders in wanted if all(matches_grammar(rows, order) for order in orders)}
    assert "\n".join(read_reply(raw, shapes.__contains__).orders) == text
    come_in(session, mail(raw, number), address(game, factories.seat_of(session, game, decision.seat)))


@pytest.mark.parametrize(("game", "options"), WALKED)
def test_every_option_is_played_to_its_end_by_mail(session: Session, game: str, options: dict[str, str]) -> None:
    """Two people answer, by mail and by form, until the game has a winner; what they are asked can be answered."""
    rules = rules_of(game)
    made: Game = GameFactory(game=game, people=2, bots=("random",), options=options, seed=f"walk {sorted(options)}")
    met: dict[str, int] = {}
    for number in range(3000):
        waiting = factories.asked(session, made)
        if made.state != "running":
            break
        assert waiting, (made.ply, made.state)
        decision = waiting[0]
        kind = f"{decision.kind}{decision.sealed}"
        met[kind] = met.get(kind, 0) + 1
        text = said_in_form(rules, factories.state(session, made), decision, Rng(f"walk {made.ply}", number))
        if met[kind] % EVERY == 1:
            read_its_letter(session, made, decision)
            reply(session, made, decision, text, number)
        else:
            assert factories.answer(session, START, made, decision.seat, text).accepted, text
        session.refresh(decision)
        assert decision.order_id is not None, text
        advance(session, START, made.id)
        session.commit()

    assert made.state == "finished"
    assert ("bidTrue" in met) == ("sealed" in [options.get(o.name, o.default) for o in rules.meta.options])
