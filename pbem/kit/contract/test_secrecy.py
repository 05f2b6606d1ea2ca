"""What a seat may not see never reaches it, in any game: no view, fact, form, question or drawing tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from pbem import pictures
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.text import standing_orders, standing_text
from pbem.kit.contract import demand
from pbem.kit.contract.positions import positions, wholes
from pbem.messages import Translator


def seen(rules: AnyRules, state: Any, seat: int) -> dict[str, Any]:
    """Return everything that `seat` is told of `state`, as bytes or plain data."""
    view = rules.view(state, seat)
    told: dict[str, Any] = {
        "view": msgspec.json.encode(view),
        "public": msgspec.json.encode(rules.view(state, None)),
        "facts": rules.facts(view),
        "heading": rules.heading(view),
        "scope": rules.scope(state),
    }
    asked = rules.asked(state)
    if seat in asked:
        told |= {
            "decision": asked[seat],
            "form": msgspec.json.encode(rules.form(view)),
            "question": rules.question(view),
            "topics": rules.topics(view),
            "cautious": rules.cautious(view),
            "legal": list(islice(rules.legal(state, seat), 60)),
        }
    told["candidates"] = {decision.candidates for decision in asked.values() if decision.secret}
    return told


def imagined(game: str, rules: AnyRules, step: int = 1) -> Iterator[tuple[Any, Any, int]]:
    """Yield the state of each `step`-th position, another that a seat takes for it, and the seat."""
    for position in list(positions(game))[::step]:
        for seat in range(rules.meta.seats[0]):
            view = rules.view(position.state, seat)
            yield position.state, rules.imagine(view, Rng("imagined", position.ply)), seat


def test_states_that_differ_in_hidden_parts_look_alike(game: str, rules: AnyRules) -> None:
    """A whole state imagined from a seat's view shows that seat exactly what the true one shows, and is sound."""
    different = 0
    for state, other, seat in imagined(game, rules):
        assert seen(rules, other, seat) == seen(rules, state, seat)
        assert rules.problems(other) == ()
        different += replay.digest(other) != replay.digest(state)

    assert bool(different) == rules.meta.traits.hidden, (
        f"{game}: `imagine` {'fills in' if different else 'never fills in'} something else than there is,"
        f" but Meta.traits says hidden={rules.meta.traits.hidden}"
    )


def answered(rules: AnyRules, state: Any, seat: int, texts: list[str]) -> list[Any]:
    """What `seat` is told of each text: as an order read and checked, and as a standing order with its reasons."""
    told: list[Any] = []
    for text in texts:
        try:
            order = rules.read(state, seat, text)
        except EngineError as refusal:
            told.append((refusal.faults, getattr(refusal, "candidates", ())))
        else:
            told.append((order, rules.check(state, seat, order)))
        told.append(
            standing_orders.answer(
                rules, state, seat, standing_text.StandingOrders((standing_text.StandingClause((text,)),))
            )
        )
    return told


@demand("hidden")
def test_refusals_and_standing_orders_know_no_more_than_the_view(game: str, rules: AnyRules) -> None:
    """An order, legal or not, is refused, candidates and all, or used as it would be were hidden things otherwise."""
    examples = [row.example for row in rules.grammar]
    told, earlier = 0, list[str]()
    for position in list(positions(game))[::3]:
        state = position.state
        for seat in rules.asked(state):
            other = rules.imagine(rules.view(state, seat), Rng("answered", position.ply))
            chance = Rng("orders", position.ply)
            texts = [*examples, *earlier[-8:], *(str(rules.sample(state, seat, chance)) for _ in range(2))]
            earlier += texts[-2:]

            assert answered(rules, other, seat, texts) == answered(rules, state, seat, texts)
            told += replay.digest(other) != replay.digest(state)

    assert told


def test_a_decision_that_is_not_secret_is_known_to_all(game: str, rules: AnyRules) -> None:
    """Unless a decision is secret, every seat's imagination awaits the same seats for the same things."""
    for state, other, _ in imagined(game, rules):
        awaited = rules.awaited(state)
        assert rules.awaited(other) == awaited or any(decision.secret for decision in awaited.values())


def test_views_do_not_depend_on_who_is_secretly_asked(game: str, rules: AnyRules) -> None:
    """While a decision is secret, all its candidates could be asked by public knowledge and nobody else is."""
    for position in positions(game):
        for seat, decision in rules.awaited(position.state).items():
            if decision.secret:
                assert seat in decision.candidates
                assert {one.candidates for one in rules.awaited(position.state).values()} == {decision.candidates}


def test_exports_of_running_games_withhold_what_is_hidden(game: str, rules: AnyRules) -> None:
    """An unfinished record is shown without seed and digest, and hidden chance results and orders read `?`."""
    for whole in wholes(game)[:6]:
        half = msgspec.structs.replace(
            whole.record, plies=whole.record.plies[: len(whole.record.plies) // 2], result=None
        )
        shown = replay.redact(half)

        assert shown.seed is None
        assert shown.result is None
        assert len(shown.plies) == len(half.plies)
        for ply in shown.plies:
            for line in ply.chance:
                label, _, names = line.partition(": ")
                hidden = label.replace("-", " ").split(" ")[0] in rules.meta.hidden_chance
                assert (names == records.WITHHELD) == hidden
        assert records.parse(records.write(shown)) == shown
        assert replay.redact(whole.record) == whole.record


def told(event: Event) -> str:
    """Return all that an event names, in words; seats, whose numbers could be anything's, are left out."""
    things = (value for name, value in event.params.items() if not name.startswith("seat"))
    values = (value if isinstance(value, tuple) else (value,) for value in things)
    return f" {' '.join(str(one) for many in values for one in many)} "


def drawn(line: str) -> set[str]:
    """Return the things named by a chance result."""
    return {name.replace("-", " ") for name in line.partition(": ")[2].split()}


def is_hidden(rules: AnyRules, line: str) -> bool:
    """Return whether the game declares this chance result as not public."""
    return line.partition(":")[0].replace("-", " ").split(" ")[0] in rules.meta.hidden_chance


def test_public_events_do_not_name_what_was_drawn_in_secret(game: str, rules: AnyRules) -> None:
    """Within a round no event for all eyes names a hidden chance result of its ply that no order named.

    A round's end is left out: there cards of the same name may come to light by a scoring.
    """
    for whole in wholes(game)[:25]:
        last = ""
        for step in islice(replay.play(whole.record), len(whole.record.plies) - 1):
            before, last = last, rules.scope(step.state).round
            if before != last:
                continue
            secret = {name for line in step.ply.chance if is_hidden(rules, line) for name in drawn(line)}
            named = " ".join(step.ply.orders.values())
            for event in step.events:
                if event.seen_by is None:
                    leaks = {name for name in secret if f" {name} " in told(event) and name not in named}
                    assert leaks == set(), (whole.record.seed, step.ply.number, event)


def test_what_is_told_in_private_only_is_declared_hidden(game: str, rules: AnyRules) -> None:
    """A chance result that events name to some seats, but to nobody publicly, is withheld from exports."""
    for whole in wholes(game)[:25]:
        for step in islice(replay.play(whole.record), len(whole.record.plies) - 1):
            public = "".join(told(event) for event in step.events if event.seen_by is None)
            private = "".join(told(event) for event in step.events if event.seen_by is not None)
            for line in step.ply.chance:
                whispered = {name for name in drawn(line) if f" {name} " in private and f" {name} " not in public}
                assert not whispered or is_hidden(rules, line), (whole.record.seed, step.ply.number, line)


SAY = Translator("it", "UTC", ("Ada", "Bo", "Cy", "Di", "Ed"))


def pictured(rules: AnyRules, state: Any, seat: int | None) -> tuple[str, str, str, tuple[str, ...]]:
    """Return every drawing of `state` for one reader: picture, text board, sentences, hand."""
    view, drawing = rules.view(state, seat), pictures.of(rules.meta.name)
    return drawing.svg(view, SAY), drawing.text(view, SAY), drawing.alt(view, SAY), drawing.hand(view, SAY)


@demand("hidden")
def test_drawings_of_states_that_differ_in_hidden_parts_are_the_same(game: str, rules: AnyRules) -> None:
    """A state imagined from a seat's view is drawn for it, and for a spectator, byte by byte as the true one is."""
    different = 0
    for state, other, seat in imagined(game, rules, 6):
        different += replay.digest(other) != replay.digest(state)

        assert pictured(rules, other, seat) == pictured(rules, state, seat)
        assert pictured(rules, other, None) == pictured(rules, state, None)

    assert different
