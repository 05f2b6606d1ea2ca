"""The components as data: a club's own set is read, every fault of one listed; a game keeps the set it began with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.bots.basic import RandomBot
from pbem.bots.selfplay import SelfplayTable, play
from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.rng import Rng
from pbem.engine.egizia import RULES, data
from pbem.engine.egizia.components import MAX_TEXT, Components, load, parse, shipped
from pbem.engine.egizia.tables import tables_of

FINGERPRINTS = {1: "3e8d0fac2c2b00d1"}
"""Rules version by digest of the components that ship with it: other values need another version."""


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """The shipped set with one change."""
    raw = json.loads(shipped())
    change(raw)
    return json.dumps(raw)


def card(raw: dict[str, Any], name: str) -> dict[str, Any]:
    """A Nile or Sphinx card by its id."""
    cards = [card for deck in raw["nile"].values() for card in deck] + raw["sphinx"]
    return next(card for card in cards if card["id"] == name)


def put(*path: str | int, value: Any) -> Callable[[dict[str, Any]], object]:
    """A change that sets one value."""

    def change(raw: dict[str, Any]) -> None:
        place: Any = raw
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def on_card(name: str, **values: Any) -> Callable[[dict[str, Any]], object]:
    """A change of one card."""
    return lambda raw: card(raw, name).update(values)


FAULTS: tuple[tuple[Callable[[dict[str, Any]], object], str], ...] = (
    (lambda raw: raw["nile"]["1/2"].__delitem__(slice(0, 3)), "nile 1/2: 19 cards; there must be at least 20"),
    (lambda raw: raw["nile"]["3/4"].__delitem__(slice(0, 3)), "nile 3/4: 19 cards; there must be at least 20"),
    (lambda raw: raw["nile"]["5"].__delitem__(slice(0, 3)), "nile 5: 9 cards; there must be at least 10"),
    (lambda raw: raw["nile"].update({"6": []}), "nile: '6' is no deck; there are 1/2, 3/4, 5"),
    (put("river", 0, "kind", value="round"), "river: 9 card spaces; there must be 10"),
    (put("river", 0, "kind", value="harbour"), "river: 'harbour' is no kind of space; there are card, round and site"),
    (
        put("river", 5, "id", value="SITE_OBELISK_GRAVES"),
        "river: the sites must be SITE_SPHINX, SITE_OBELISK_GRAVES, SITE_PYRAMID_TEMPLE in this order",
    ),
    (put("river", 3, "i", value=9), "river: the spaces must be numbered 1 to 20 in order"),
    (put("river", 2, "id", value="C1"), "river: the id C1 stands 2 times; ids are unique"),
    (put("river", 2, "id", value="X"), "river 3: a card space is called C1 to C10, not 'X'"),
    (
        put("river", 1, "id", value="MEMPHIS"),
        "river 2: 'MEMPHIS' is no round space; there are EDFU, THEBAE, BENI_HASAN, SELINON, PASSALON, HELIOPOLIS, ALYL",
    ),
    (put("river", 1, "name", value="Idfu"), "river 2: EDFU is called 'Edfu', not 'Idfu'"),
    (put("river", 3, "crews", value=[]), "river 4: THEBAE needs crews"),
    (put("river", 1, "crews", value=["blue"]), "river 2: EDFU can have no crews"),
    (put("river", 3, "crews", value=["blue", "red"]), "river 4: crews 'red' is none of blue, black, yellow, joker"),
    (on_card("A02", id="A01"), "nile: the id A01 stands 2 times; ids are unique"),
    (on_card("A02", id="a-2"), "nile 'a-2': an id is a capital letter, then capitals and digits"),
    (
        on_card("A02", type="meadow"),
        "nile A02: 'meadow' is no type; there are field, quarry, permanent, anytime, immediate",
    ),
    (on_card("A12", effect="fly"), "nile A12: 'fly' is no permanent effect; there are " + ", ".join(data.PERMANENT)),
    (
        on_card("A21", effect="crew_improver"),
        "nile A21: 'crew_improver' is no anytime effect; there are " + ", ".join(data.ANYTIME),
    ),
    (on_card("A02", value=0), "nile A02: value is missing"),
    (on_card("A02", value=-1), "nile A02: value is below 0"),
    (on_card("A02", colour="red"), "nile A02: colour 'red' is none of green, yellow, brown"),
    (on_card("A22", value=0), "nile A22: value is missing"),
    (on_card("C09", crews=[]), "nile C09: crews is missing"),
    (
        on_card("C11", buildings=["obelisk", "tower"]),
        "nile C11: buildings 'tower' is none of obelisk, graves, pyramid, temple",
    ),
    (lambda raw: raw["sphinx"].__delitem__(slice(3, 29)), "sphinx: 3 cards; there must be at least 4"),
    (on_card("S02", id="S01"), "sphinx: the id S01 stands 2 times; ids are unique"),
    (on_card("S02", id="?"), "sphinx '?': an id is a capital letter, then capitals and digits"),
    (on_card("S06", cond="luck"), "sphinx S06: 'luck' is no condition; there are obelisk_space_filled"),
    (on_card("S06", vp=0), "sphinx S06: vp is missing"),
    (on_card("S03", n=11), "sphinx S03: the Obelisk has 10 spaces, not 11"),
    (on_card("S08", vp_by_count=[0, 3]), "sphinx S08: vp_by_count needs points for 0 to 4 players"),
    (on_card("S10", track="gold"), "sphinx S10: track 'gold' is none of stone, grain"),
    (on_card("S24", what="blue"), "sphinx S24: what 'blue' is none of green, yellow, brown, quarry"),
    (put("graves", value=[2] * 11), "graves: 11 tiles for 12 spaces; there must be at least 12"),
    (put("graves", 0, value=0), "graves: a tile is worth 1 to 99"),
    (
        put("grave_final", value=[[1, 10, 2], [12, 20, 5]]),
        "grave_final: each line must begin where the one before ends",
    ),
    (put("grave_final", value=[[10, 1, 2]]), "grave_final: each line is lowest sum, highest sum, points"),
    (put("obelisk", value=[]), "obelisk: there must be spaces of at least 1"),
    (
        put("pyramid_rows_bottom_up", value=[[1, 1, 1], [2]]),
        "pyramid_rows_bottom_up: each row must be one space shorter than the one below",
    ),
    (put("pyramid_rows_bottom_up", value=[[0]]), "pyramid_rows_bottom_up: each row must have spaces of at least 1"),
    (
        lambda raw: raw["temple"].pop("left_column"),
        "temple: its parts are left_pylon, right_pylon, left_column, right_column, entablature",
    ),
    (put("temple", "left_pylon", value=[]), "temple: each part must have spaces of at least 1"),
    (lambda raw: raw["crew_start"].pop("joker"), "crew_start: the crews are blue, black, yellow, joker"),
    (put("crew_start", "blue", value=10), "crew_start: blue starts at 10; it must be 1 to 9"),
    (put("crew_max", value=0), "crew_max: must be 1 to 99"),
    (put("start_stones_by_order", value=[1, 2, 3]), "start_stones_by_order: four numbers from 0 to stone_cap (25)"),
    (put("start_stones_by_order", value=[1, 2, 3, 26]), "start_stones_by_order: four numbers from 0 to stone_cap (25)"),
    *(
        (
            put("start_field", "colour", value=word),
            f"start_field: it must be green, not {word!r}: no order could improve it",
        )
        for word in ("red", "yellow")
    ),
    (put("start_quarry", value=-1), "start_quarry and start_field: no value is below 0"),
    (put("site_slots", value={"2": 2, "3": 2}), "site_slots: at least one slot for each of 2, 3 and 4 players"),
    (put("participation", value=[0, 1, 3]), "participation: points for 0, 1, 2 and 3 sites"),
    (put("max_sphinx_draw", value=0), "max_sphinx_draw: must be 1 to 10"),
    (put("grain_market_cost", value=[]), "grain_market_cost: the market has no space"),
    (put("stone_market_sell", value=[]), "stone_market_sell: the market has no space"),
    (put("grain_last_vp", value=-1), "markets: no cost and no bonus is below 0"),
    (put("ring", "positions", value=["green", "all"]), "ring: the circles are green, green+yellow, all"),
    (put("ring", "start", value=3), "ring: start 3 is not among the three circles 0 to 2"),
    *(
        (put(*path, value=value), fault)
        for path, value, fault in (
            (("crew_max",), 100, "crew_max: must be 1 to 99"),
            (("crew_start", "blue"), 0, "crew_start: blue starts at 0; it must be 1 to 9"),
            (("start_stones_by_order", 0), -1, "start_stones_by_order: four numbers from 0 to stone_cap (25)"),
            (("start_field", "value"), -1, "start_quarry and start_field: no value is below 0"),
            (("site_slots", "2"), 0, "site_slots: at least one slot for each of 2, 3 and 4 players"),
            (("max_sphinx_draw",), 11, "max_sphinx_draw: must be 1 to 10"),
            (("grain_market_cost", 0), -1, "markets: no cost and no bonus is below 0"),
            (("stone_last_stones",), -1, "markets: no cost and no bonus is below 0"),
            (("ring", "start"), -1, "ring: start -1 is not among the three circles 0 to 2"),
            (("graves", 0), 100, "graves: a tile is worth 1 to 99"),
            (("obelisk", 0), 0, "obelisk: there must be spaces of at least 1"),
            (("temple", "left_pylon", 0), 0, "temple: each part must have spaces of at least 1"),
        )
    ),
    (lambda raw: raw.pop("graves"), "graves is missing"),
    (put("extra", value=1), "'extra' is not a part of the components"),
    (put("crew_max", value="nine"), "crew_max: Expected `int`, got `str`"),
    (put("river", 4, "i", value="five"), "river 5: Expected `int`, got `str` - at `$.i`"),
    (on_card("S04", colour="green"), "sphinx 4: Object contains unknown field `colour`"),
)


@pytest.mark.parametrize(("change", "fault"), FAULTS, ids=[fault[:40] for _, fault in FAULTS])
def test_each_fault_is_named(change: Callable[[dict[str, Any]], object], fault: str) -> None:
    """One sentence says what is wrong and what there should be."""
    found, faults = parse(changed(change))

    assert found is None
    assert any(one.startswith(fault) for one in faults), faults


EDGES: tuple[Callable[[dict[str, Any]], object], ...] = (
    put("crew_max", value=99),
    put("crew_start", "blue", value=9),
    put("crew_start", "blue", value=1),
    put("start_stones_by_order", value=[0, 0, 0, 25]),
    put("start_quarry", value=0),
    put("start_field", "value", value=0),
    put("site_slots", value={"2": 1, "3": 1, "4": 1}),
    put("max_sphinx_draw", value=1),
    put("max_sphinx_draw", value=10),
    put("grain_market_cost", 0, value=0),
    put("grain_last_vp", value=0),
    put("stone_last_stones", value=0),
    put("ring", "start", value=0),
    put("ring", "start", value=2),
    put("graves", 0, value=1),
    put("graves", 0, value=99),
    put("obelisk", 0, value=1),
    put("pyramid_rows_bottom_up", 0, 0, value=1),
    put("temple", "left_pylon", 0, value=1),
    on_card("A02", value=1),
    on_card("S06", vp=1),
    on_card("S03", n=10),
)
"""Each limit that a set must keep, at its edge."""


@pytest.mark.parametrize("change", EDGES)
def test_what_keeps_a_limit_is_taken(change: Callable[[dict[str, Any]], object]) -> None:
    """A value at the edge is no fault."""
    assert parse(changed(change))[1] == []


def test_all_faults_are_listed_at_once() -> None:
    """Three wrong things: three sentences in one refusal of the set-up, beside a wrong other option."""

    def change(raw: dict[str, Any]) -> None:
        put("ring", "start", value=7)(raw)
        put("obelisk", value=[])(raw)
        on_card("A02", colour="red")(raw)

    with pytest.raises(IllegalOrder) as refusal:
        RULES.setup(5, {"components": changed(change), "first_sphinx": "maybe", "tempo": "1"}, Rng("x", 0))

    text = str(refusal.value)
    for part in ("ring: start 7", "obelisk: there must", "colour 'red'", "2, 3, 4 players", "'maybe'", "tempo"):
        assert part in text


@pytest.mark.parametrize(
    ("text", "fault"),
    [("{", "this is not JSON"), ("[1]", "must be an object"), (" " * (MAX_TEXT + 1), "characters long")],
)
def test_what_is_no_set_at_all_is_refused(text: str, fault: str) -> None:
    """Broken JSON, another shape, endless text."""
    assert fault in parse(text)[1][0]


def test_the_shipped_set_is_sound_and_pinned_to_the_rules_version() -> None:
    """Whoever changes a shipped value raises the rules version, so that running games keep theirs."""
    assert parse(shipped())[1] == []
    assert FINGERPRINTS[data.VERSION] == hashlib.sha256(shipped().encode()).hexdigest()[:16]


def test_unconfirmed_values_are_marked() -> None:
    """Each card says whether the sources confirm it; RULES.md marks those that aren't."""
    parts = load("")
    doubtful = {card.id for deck in parts.nile.values() for card in deck if not card.confirmed}
    doubtful |= {card.id for card in parts.sphinx if not card.confirmed}
    text = (Path(__file__).parents[3] / "pbem/engine/egizia/RULES.md").read_text("utf-8")

    assert {line.split(" ?")[0].split("| ")[-1] for line in text.splitlines() if " ? |" in line} == doubtful


def test_a_game_is_played_with_a_clubs_own_set_and_keeps_it() -> None:
    """Crews up to 4, graves all of 3, other card values: the state carries the set, and the game ends soundly."""

    def change(raw: dict[str, Any]) -> None:
        raw["crew_max"] = 4
        raw["graves"] = [3] * 14
        card(raw, "A20")["value"] = 9
        raw["nile"]["5"].append(
            {"id": "C13", "type": "anytime", "effect": "crew_plus_3", "value": 5, "confirmed": True}
        )

    text = changed(change)
    played = play(SelfplayTable(RULES, (RandomBot(),) * 3, {"components": text}), "own")
    t = tables_of(played.state.components)

    assert (t.crew_max, t.value[t.index["A20"]], len(t.cards)) == (4, 9, 57)
    assert max(played.state.crews) <= 4
    assert RULES.problems(played.state) == ()
    assert isinstance(load(played.state.components), Components)
