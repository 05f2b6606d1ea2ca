"""What every game promises, played out on all of them; forms and secrecy have files of their own."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from time import process_time
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import REFUSALS
from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of
from pbem.engine.text.notation import matches_grammar
from pbem.kit.contract.positions import SEEDS, SamplePosition, decisions, play_through, positions, table_of, wholes

FEW, MANY = 25, 1500


def first_legal(game: str, position: SamplePosition, seat: int, count: int) -> list[Any]:
    """Some legal orders of `seat`."""
    return list(islice(rules_of(game).legal(position.state, seat), count))


def test_no_invariant_breaks_in_random_play(game: str) -> None:
    """Fifty random games over all seat counts and options: `problems` finds nothing after any ply."""
    found = [text for whole in wholes(game) for text in whole.problems]

    assert found == []
    assert {whole.table.seats for whole in wholes(game)} == set(rules_of(game).meta.seats)


def test_the_traits_are_what_play_shows(game: str) -> None:
    """Meta.traits says of a game what can be seen of it in fifty games, no more and no less."""
    rules, traits = rules_of(game), rules_of(game).meta.traits
    drawn = any(ply.chance for whole in wholes(game) for ply in whole.record.plies)
    together = any(len(rules.asked(position.state)) > 1 for position in positions(game))
    plies = [[set(ply.orders) for ply in whole.record.plies] for whole in wholes(game)]
    again = any(one & other for whole in plies for one, other in pairwise(whole))
    shared = all(len(set(whole.outcome.places)) < whole.table.seats for whole in wholes(game))

    assert drawn == traits.chance, f"{game}: set Meta.traits.chance to {drawn}"
    assert together == traits.simultaneous, f"{game}: set Meta.traits.simultaneous to {together}"
    assert again == traits.chains, f"{game}: set Meta.traits.chains to {again}"
    assert shared or not traits.teams, f"{game}: in a game of teams those of a team share their place"


def test_every_option_choice_comes_up(game: str) -> None:
    """The fifty games cover each choice of each option, so what holds for them holds for the options."""
    due = {(option.name, choice) for option in rules_of(game).meta.options for choice in option.choices}

    assert {pair for whole in wholes(game) for pair in whole.table.options.items()} == due


def test_an_ended_game_awaits_nobody_and_a_running_one_has_no_outcome(game: str, rules: AnyRules) -> None:
    """`outcome` exists exactly when nobody is awaited, and its places follow from the table size."""
    for whole in wholes(game):
        assert not rules.awaited(whole.last)
        assert rules.outcome(whole.last) == whole.outcome
        assert whole.outcome.ending in rules.meta.endings
        assert len(whole.outcome.scores) == len(whole.outcome.places) == whole.table.seats
        assert min(whole.outcome.places) == 1
        for position in whole.positions:
            assert rules.outcome(position.state) is None
            assert set(rules.awaited(position.state)) != set()


def test_states_go_to_json_and_back(game: str, rules: AnyRules) -> None:
    """A state read back from its JSON is equal and has the same bytes."""
    for position in positions(game):
        text = msgspec.json.encode(position.state)
        back = msgspec.json.decode(text, type=rules.state_type)

        assert back == position.state
        assert msgspec.json.encode(back) == text


def test_a_copy_is_equal_and_shares_nothing_that_changes(game: str, rules: AnyRules) -> None:
    """Playing on with a copy leaves the original as it was."""
    for position in positions(game):
        before = msgspec.json.encode(position.state)
        copied = rules.copy(position.state)
        assert msgspec.json.encode(copied) == before
        for ply in range(6):
            chance = Rng(position.seed, ply)
            asked = rules.awaited(copied)
            if asked:
                rules.apply(copied, {seat: rules.sample(copied, seat, chance) for seat in asked}, chance)

        assert msgspec.json.encode(position.state) == before


def test_resolve_is_apply_on_a_copy(game: str, rules: AnyRules) -> None:
    """`resolve` leaves its argument untouched and gives the state and events that `apply` gives in place."""
    for position in positions(game):
        state, chance = position.state, Rng("choices", position.ply)
        orders = {seat: rules.sample(state, seat, chance) for seat in rules.awaited(state)}
        before = msgspec.json.encode(state)
        made = rules.resolve(state, orders, Rng("ply", position.ply))
        own = rules.copy(state)
        events = rules.apply(own, orders, Rng("ply", position.ply))

        assert msgspec.json.encode(state) == before
        assert made.state == own
        assert list(made.events) == list(events)


def test_legal_orders_are_read_back_from_their_text(game: str, rules: AnyRules) -> None:
    """`read(str(o)) == o`, also in capitals; the text is one clean line that matches the grammar of its decision."""
    for position, seat, decision in decisions(game):
        rows = [row for row in rules.grammar if row.kind == decision.kind]
        for order in first_legal(game, position, seat, FEW):
            text = str(order)
            assert rules.read(position.state, seat, text) == order
            assert rules.read(position.state, seat, f"  {text.upper()}. ") == order
            assert matches_grammar(rows, text), (decision.kind, text)
            assert text == " ".join(text.split())
            assert ";" not in text
            assert not re.match(r"(when|if|for|this|until|ask|then|else|otherwise)\b", text), text


def test_orders_go_to_json_and_back(game: str, rules: AnyRules) -> None:
    """An order read back from its JSON is the same order."""
    for position, seat, _ in decisions(game):
        for order in first_legal(game, position, seat, FEW):
            assert msgspec.json.decode(msgspec.json.encode(order), type=rules.order_type) == order


def meanings(rules: Any, state: Any, seat: int, text: str) -> tuple[str, ...]:
    """Return the candidates that an ambiguous text is answered with; none for one that is read or refused otherwise."""
    try:
        rules.read(state, seat, text)
    except REFUSALS as doubt:
        return getattr(doubt, "candidates", ())
    return ()


def test_what_an_ambiguous_text_could_mean_is_legal(game: str, rules: AnyRules) -> None:
    """Orders with words or the last part cut off are answered with whole orders at most, each legal as it stands."""
    offered = 0
    for position, seat, _ in decisions(game, 3):
        for order in first_legal(game, position, seat, FEW)[::6]:
            first, *words = str(order).split()
            texts = (" ".join([first, *(word[:3] for word in words)]), str(order).rpartition(",")[0])
            for candidate in [one for text in texts for one in meanings(rules, position.state, seat, text)]:
                meant = rules.read(position.state, seat, candidate)
                assert str(meant) == candidate
                assert rules.check(position.state, seat, meant) == [], (str(order), candidate)
                offered += 1

    beginnings = [name[:3] for name in rules.meta.names if name.isalpha()]
    assert offered or len(set(beginnings)) == len(beginnings)  # where two words begin alike, a beginning is ambiguous


def test_check_agrees_with_legal(game: str, rules: AnyRules) -> None:
    """What `legal` yields has no fault, once each; what it doesn't yield has one; whatever other positions offer."""
    pool: dict[str, dict[Any, None]] = {}
    for position, seat, decision in decisions(game):
        legal = first_legal(game, position, seat, MANY)
        assert legal
        assert len(set(legal)) == len(legal)
        others = list(pool.setdefault(decision.kind, {}))[:150]
        for order in (*legal[:FEW], *legal[-3:]):
            assert rules.check(position.state, seat, order) == [], str(order)
            pool[decision.kind][order] = None
        if len(legal) < MANY:
            for order in set(others) - set(legal):
                assert rules.check(position.state, seat, order), (position.seed, position.ply, str(order))


def test_sampled_and_cautious_orders_are_legal(game: str, rules: AnyRules) -> None:
    """Random players and the safe default never break a rule."""
    for position, seat, _ in decisions(game):
        orders = [rules.sample(position.state, seat, Rng(position.seed, n)) for n in range(5)]
        for order in (*orders, rules.cautious(rules.view(position.state, seat))):
            assert rules.check(position.state, seat, order) == [], str(order)


def test_every_legal_order_can_be_sampled(game: str, rules: AnyRules) -> None:
    """Where there are few legal orders, sampling finds all of them, and no others."""
    seen = 0
    for position, seat, _ in decisions(game):
        legal = first_legal(game, position, seat, 5)
        if 1 < len(legal) < 5 and seen < 40:
            seen += 1
            chance = Rng(f"{position.seed}/{position.ply}", seat)
            assert {rules.sample(position.state, seat, chance) for _ in range(250)} == set(legal)

    assert seen, f"{game}: no position offers two to four orders, so it can't be seen whether all can be drawn"


def test_the_same_seed_gives_the_same_game(game: str) -> None:
    """Played again, a game has the same orders, chance results and final digest; most other seeds give others."""
    first = wholes(game)[3]

    assert play_through(rules_of(game), 3).record == first.record
    assert len({whole.record.result for whole in wholes(game)}) > SEEDS // 2


def test_own_records_replay_without_and_with_the_generator(game: str) -> None:
    """A game's record survives its text form, and playing it bears out every line."""
    for whole in wholes(game)[:12]:
        text = records.write(whole.record)

        assert records.parse(text) == whole.record
        assert replay.mismatches(text) == ()


def test_facts_are_those_documented_and_keep_their_kind(game: str, rules: AnyRules) -> None:
    """At any moment every seat has every fact of `facts_help`, always a number, a word or a set of words."""
    kinds: dict[str, type] = {}
    for position in positions(game):
        for seat in range(len(wholes(game)[0].table.bots)):
            if seat >= rules.meta.seats[0]:
                continue
            facts = rules.facts(rules.view(position.state, seat))
            assert set(facts) == set(rules.facts_help)
            for name, value in facts.items():
                assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
                assert isinstance(value, kinds.setdefault(name, type(value))), name
                assert kinds[name] in {int, str, frozenset}, name


def test_facts_that_bids_change_are_declared(rules: AnyRules) -> None:
    """`bid_facts` are those, and those only, that a bidder in a sealed auction may see changed when their turn comes.

    Standing orders are made lists when it begins: a condition over any other fact is decided then.
    """
    moved = set[str]()
    for number in range(FEW):
        table, lot = table_of(rules, number), Rng("bids", number)
        state, begun = rules.setup(table.seats, table.options, lot).state, dict[tuple[str, str, int], dict[str, Any]]()
        while asked := rules.awaited(state):
            for seat, decision in rules.asked(state).items():
                key = (rules.scope(state).phase, decision.kind, seat)
                if decision.sealed or (key in begun and seat in asked):
                    now = rules.facts(rules.view(state, seat))
                    before = begun.setdefault(key, now)
                    moved.update(name for name, value in now.items() if value != before[name])
            rules.apply(state, {seat: rules.sample(state, seat, lot) for seat in asked}, lot)

    assert moved == set(rules.bid_facts) <= set(rules.facts_help)


def test_names_cover_every_word_a_fact_holds(game: str, rules: AnyRules) -> None:
    """A standing order's words can be checked when it is stored, because the game lists all words its facts use."""
    assert rules.meta.names, f"{game}: put every word that its facts hold into Meta.names, with its spellings"
    for position in positions(game):
        for value in rules.facts(rules.view(position.state, 0)).values():
            words = {value} - {""} if isinstance(value, str) else value if isinstance(value, frozenset) else set()
            assert words <= set(rules.meta.names)


def test_events_views_and_sentences_are_whole(game: str, rules: AnyRules) -> None:
    """Events and views go to JSON and back; every sentence fills its holes."""
    for position in positions(game):
        state, chance = position.state, Rng("events", position.ply)
        orders = {seat: rules.sample(state, seat, chance) for seat in rules.awaited(state)}
        events = rules.resolve(state, orders, chance).events
        assert msgspec.json.decode(msgspec.json.encode(events), type=tuple[Event, ...]) == events
        for event in events:
            assert event.text.format(**event.params)
        for seat in (None, *orders):
            view = rules.view(state, seat)
            assert view.seat == seat
            assert msgspec.json.decode(msgspec.json.encode(view), type=rules.view_type) == view
            assert str(rules.heading(view))
            if seat is not None:
                assert str(rules.question(view))
                assert str(rules.describe(view, orders[seat]))


def test_scope_moves_with_the_game(game: str, rules: AnyRules) -> None:
    """Phase and round keys are words, and a key that is gone never comes back in the same game."""
    for whole in wholes(game)[:10]:
        phases, rounds = [], []
        for step in replay.play(whole.record):
            scope = rules.scope(step.state)
            phases.append((scope.round, scope.phase))
            rounds.append(scope.round)
        for keys in (phases, rounds):
            changes = [key for at, key in enumerate(keys) if at == 0 or keys[at - 1] != key]
            assert len(set(changes)) == len(changes)
            assert all(keys)


def test_one_notion_says_who_is_asked_what(game: str, rules: AnyRules) -> None:
    """View, form, question, default, reading and checking all speak of the decision that `asked` names, to nobody else.

    Each seat is asked one thing at most; those whose order is needed come first, and somebody's is.
    """
    kinds = {row.kind for row in rules.grammar}
    for position in positions(game):
        state, asked = position.state, rules.asked(position.state)
        needed = [decision.needed for decision in asked.values()]
        assert needed == sorted(needed, reverse=True)
        assert any(needed)
        early = {seat for seat, decision in asked.items() if decision.ahead}
        assert not early & rules.awaited(state).keys()
        assert (
            rules.awaited(state).keys() | rules.optional(state).keys() | {*rules.sealed(state)} | early == asked.keys()
        )
        for seat in range(position.seats):
            view, legal = rules.view(state, seat), next(rules.legal(state, seat), None)
            assert (legal is None) == (seat not in asked), (position.seed, position.ply, seat)
            if seat in asked:
                decision = asked[seat]
                assert decision.kind in kinds
                assert not decision.secret or seat in decision.candidates
                assert not decision.sealed or any(asked[other].sealed for other in asked if asked[other].needed)
                assert rules.form(view).kind == decision.kind
                assert rules.form(view).question == rules.question(view)
                assert rules.topics(view)
                for order in (legal, rules.cautious(view)):
                    assert rules.check(state, seat, order) == []
                    assert rules.read(state, seat, str(order)) == order


def test_the_grammar_documents_itself(game: str) -> None:
    """Every row has an example that its own pattern matches."""
    for row in rules_of(game).grammar:
        assert row.pattern
        assert matches_grammar([row], row.example), row


def test_endless_text_is_refused_in_no_time(rules: AnyRules) -> None:
    """Grammar patterns never run away on long lines made of their own words."""
    examples = " ".join(row.example for row in rules.grammar)
    start = process_time()
    for filler in (examples, "a ", "1 ", "1-", ", ", "with ", " and a", *(row.example + " " for row in rules.grammar)):
        matches_grammar(rules.grammar, (filler * 500)[:500] + "!?")

    assert process_time() - start < 10


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_text_is_read_or_refused(game: str, data: st.DataObject) -> None:
    """Reading garbage, or orders with pieces cut out and put in, raises nothing but the three refusals."""
    rules = rules_of(game)
    position = data.draw(st.sampled_from(list(positions(game))[::5]))
    seat = next(iter(rules.awaited(position.state)))
    words = " ".join(str(order) for order in first_legal(game, position, seat, 4)).split()
    text = data.draw(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(words), max_size=12).map(" ".join)))
    refusal = ""
    try:
        order = rules.read(position.state, seat, text)
    except REFUSALS as error:
        refusal = str(error)
    assert refusal or rules.read(position.state, seat, str(order)) == order
