"""What is written for whoever makes a game, in this process: a game to start from, tables, records, catalogues."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest

from pbem import packages
from pbem.bots.selfplay import SelfplayGame, SelfplayTable, record
from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import tables
from pbem.kit import catalogue, workshop
from pbem.kit.contract import positions
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

GAME = "priestsofra"
RULES = rules_of(GAME)
CODE = '''"""What is no sentence: N_ of nothing."""
text = N_("One")
more = other(3, say("Two"), N_(text), N_())
raise errors.WrongInput(
    "Three", sentence("Four {name}", name="no sentence")
)
'''
TABLE = """
goal = ["Five"]
key = "none"
[entries.first]
text = "Six"
words = ["none either"]
[entries.second]
text = \"\"\"
Seven,
on two lines\"\"\"
"""


@pytest.mark.parametrize("name", ["abc", "a" * 30, "go2"])
def test_a_new_game_is_written_with_its_name_in_it(tmp_path: Path, name: str) -> None:
    """Every file in its place, no hole left open; another of that name is not written over it."""
    home = workshop.new_game(name, tmp_path / "into")

    assert home == tmp_path / "into" / name
    found = {str(path.relative_to(home)): path.read_text("utf-8") for path in home.rglob("*") if path.is_file()}
    inside = {"game.py": "__init__.py"}
    assert set(found) == {
        "pyproject.toml",
        *(f"{name}/{inside.get(file, file)}" for file in workshop.FILES if file != "pyproject.toml"),
    }
    assert f'{name} = "{name}"' in found["pyproject.toml"]
    assert name.capitalize() in found[f"{name}/RULES.md"]
    assert f"{name[:2].upper()}-1" in found[f"{name}/RULES.md"]
    assert [place for place, text in found.items() if "${" in text] == []
    with pytest.raises(FileExistsError):
        workshop.new_game(name, tmp_path / "into")


@pytest.mark.parametrize("name", ["ab", "a" * 31, "2go", "Go", "my-game", "spät", "abc\n", ""])
def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    """With what one is; nothing is written."""
    with pytest.raises(ValueError, match="is no name for a game: write 3 to 30 small letters and figures"):
        workshop.new_game(name, tmp_path / "into")
    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_brought_up_to_the_code(tmp_path: Path, game: str) -> None:
    """Where they stood, whatever they said; what stands around them stays; without a file all of them come in one."""
    rules = rules_of(game)
    both = [table(rules) for _, _, table in workshop._SECTIONS]
    head, last = (heading for _, heading, _ in workshop._SECTIONS)
    (tmp_path / "RULES.md").write_text(
        f"# Before\n\n{last}| old | row |\n\nBetween\n\n{head}| older |\nAfter\n", "utf-8"
    )
    workshop.write_tables(rules, tmp_path)
    assert (tmp_path / "RULES.md").read_text("utf-8") == f"# Before\n\n{both[1]}\nBetween\n\n{both[0]}After\n"

    (tmp_path / "RULES.md").unlink()
    workshop.write_tables(rules, tmp_path)
    whole = (tmp_path / "RULES.md").read_text("utf-8")
    assert whole.startswith(f"# {rules.meta.title}\n\n## Orders\n\n{tables.orders(rules)}")
    assert whole.endswith(f"\n\n## Facts for standing orders\n\n{tables.facts(rules)}")
    workshop.write_tables(rules, tmp_path)
    assert (tmp_path / "RULES.md").read_text("utf-8") == whole


def kept(folder: Path) -> dict[str, records.Record]:
    """The records there, by name."""
    found = sorted((folder / "records").glob("[0-9]*.txt"))
    return {path.name: records.parse(path.read_text("utf-8")) for path in found}


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_kept_for_each_number_of_seats_and_each_ending(tmp_path: Path, game: str) -> None:
    """Named after both, and it holds; what is there already isn't played again, what is of old rules doesn't count."""
    rules = rules_of(game)
    missing = list(workshop.write_records(rules, tmp_path))
    found = kept(tmp_path)

    assert {one.seats for one in found.values()} == set(rules.meta.seats)
    endings = {one.result.ending for one in found.values() if one.result}
    assert missing == sorted(set(rules.meta.endings) - endings)
    assert [replay.mismatches(records.write(one)) for one in found.values()] == [()] * len(found)
    assert all(name.startswith(f"{one.seats}-{one.result.ending}-") for name, one in found.items() if one.result)
    said = (tmp_path / "records" / "SOURCE.txt").read_text("utf-8")
    assert "`pbem check-game`" in said

    (tmp_path / "records" / "SOURCE.txt").write_text("Mine.", "utf-8")
    assert list(workshop.write_records(rules, tmp_path)) == missing
    assert kept(tmp_path) == found
    for name, one in found.items():
        (tmp_path / "records" / name).unlink()
        old = records.write(msgspec.structs.replace(one, version=one.version + 1))
        (tmp_path / "records" / f"0-old-{name}").write_text(old, "utf-8")
    assert list(workshop.write_records(rules, tmp_path)) == missing
    assert {name for name in kept(tmp_path) if not name.startswith("0-old")} == set(found)
    assert (tmp_path / "records" / "SOURCE.txt").read_text("utf-8") == "Mine."


@pytest.mark.parametrize("game", GAMES)
def test_games_are_played_in_turn_until_nothing_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Each number once from 0 on; for an ending that doesn't come as many as are said, and as many the next time."""
    tried = list[str]()

    def played(table: SelfplayTable, seed: str) -> tuple[SelfplayGame, records.Record]:
        tried.append(seed)
        return record(table, seed)

    monkeypatch.setattr(workshop, "record", played)
    missing = list(workshop.write_records(rules_of(game), tmp_path))
    found = [int(name.removesuffix(".txt").rpartition("-")[2]) for name in kept(tmp_path)]

    assert tried == [f"record-{number}" for number in range(workshop.TRIES if missing else max(found) + 1)]
    tried.clear()
    assert list(workshop.write_records(rules_of(game), tmp_path)) == missing
    assert len(tried) == (workshop.TRIES if missing else 0)


def test_sentences_are_found_where_they_stand(tmp_path: Path) -> None:
    """In code what is marked, in tables what isn't a name; each with the place where it stands first."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "game.py").write_text(CODE, "utf-8")
    (tmp_path / "inner" / "plain.py").write_text('"""No mark."""\nother("Seven")\n', "utf-8")
    (tmp_path / "inner" / "again.py").write_text('fault("One")\nfault("")\n', "utf-8")
    (tmp_path / "guide.toml").write_text(TABLE, "utf-8")
    (tmp_path / "notes.toml").write_text('text = "Eight"', "utf-8")
    found = catalogue.of_game(RULES, tmp_path)
    meta = set(catalogue.in_meta(RULES))

    assert {text: place for text, place in found.items() if text not in meta} == {
        "One": "game.py:2",
        "Two": "game.py:3",
        "Three": "game.py:4",
        "Four {name}": "game.py:5",
        "Five": "guide.toml:2",
        "Six": "guide.toml:5",
        "Seven,\non two lines": "guide.toml:1",
    }
    assert {found[text] for text in meta} == {"options and facts"}


def test_each_mark_is_one(tmp_path: Path) -> None:
    """Also in a module that has all of them."""
    (tmp_path / "game.py").write_text("\n".join(f'{mark}("said by {mark}")' for mark in catalogue.MARKS), "utf-8")

    assert [text for _, _, text in catalogue.in_game(tmp_path)] == [f"said by {mark}" for mark in catalogue.MARKS]


@pytest.mark.parametrize("game", GAMES)
def test_what_pages_say_of_any_game_is_for_translators(game: str) -> None:
    """Its options with their choices, its facts and colours and the bots of each; no bare number."""
    meta, found = rules_of(game).meta, set(catalogue.in_meta(rules_of(game)))

    assert found >= {*meta.colours, *meta.order_things}
    assert found >= {option.name.replace("_", " ") for option in meta.options}
    assert found >= {name.replace("_", " ") for name in rules_of(game).facts_help}
    assert not [word for word in found if word.isdigit() or "_" in word]


def test_a_catalogue_is_renewed(tmp_path: Path) -> None:
    """What is translated stays, also where the program knows it; what is new comes in empty; what is gone goes."""
    path = tmp_path / "it.po"
    assert catalogue.renew(path, "it", ["One", "Two", "Known"], ["Known"]) == ["One", "Two"]
    text = path.read_text("utf-8")
    assert "Known" not in text
    path.write_text(text.replace('msgid "One"\nmsgstr ""', 'msgid "One"\nmsgstr "Uno"'), "utf-8")

    assert catalogue.renew(path, "it", ["Three", "One"], ["One"]) == ["Three"]
    text = path.read_text("utf-8")
    assert 'msgid "One"\nmsgstr "Uno"' in text
    assert "Two" not in text
    assert text.index("One") < text.index("Three")
    assert '"Language: it\\n"' in text
    assert "fuzzy" not in text


def test_each_language_has_a_catalogue(tmp_path: Path) -> None:
    """But for the one that all is written in; what is left is said of each."""
    shutil.copy(packages.folder(GAME) / "guide.toml", tmp_path)
    left = workshop.write_words(RULES, tmp_path)

    assert list(left) == list(LANGUAGES[1:])
    assert {path.stem for path in tmp_path.glob("*.po")} == set(LANGUAGES[1:])
    (tmp_path / "game.py").write_text(CODE, "utf-8")
    assert {"One", "Two", "Three", "Four {name}"} <= set(workshop.write_words(RULES, tmp_path)["fr"])


@pytest.mark.parametrize("game", GAMES)
def test_the_contracts_positions_are_spread_over_whole_games(game: str) -> None:
    """Games of every size that replay as they were kept; of each some positions, the same as a replay comes to.

    They are spread evenly; one more is the first that asks for its kind of decision, so that none is missing.
    """
    rules = rules_of(game)
    whole = positions.wholes(game)
    kinds = {decision.kind for _, _, decision in positions.decisions(game)}

    assert {one.table.seats for one in whole} == set(rules.meta.seats)
    assert len(whole) == positions.SEEDS
    for number, one in list(enumerate(whole))[::10]:
        states = {done.ply.number: rules.copy(done.state) for done in replay.play(one.record)}
        plies = [position.ply for position in one.positions]
        last = len(states) - 2
        assert replay.mismatches(records.write(one.record)) == one.problems == ()
        asked = [{decision.kind for decision in rules.asked(states[ply]).values()} for ply in range(last + 1)]
        firsts = {next(ply for ply in range(last + 1) if kind in asked[ply]) for kind in set().union(*asked)}
        spread = {(number + last * i // positions.KEPT) % (last + 1) for i in range(positions.KEPT)}
        assert plies == sorted(set(plies))
        assert spread <= set(plies)
        assert len(set(plies) - spread) <= len(set(plies) & firsts) >= 1
        assert set().union(*asked) <= kinds
        assert all(rules.awaited(position.state) for position in one.positions)
        assert all(position.state == states[position.ply] for position in one.positions)
        assert one.last == states[last + 1]
    assert len(list(positions.decisions(game, 5))) < len(list(positions.decisions(game)))


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_kept_of_a_kind_that_is_asked_but_once_before_the_end(game: str) -> None:
    """Whatever number of seats it's the kind's turn at: games are cut short here after the kind that comes last."""
    rules, whole = rules_of(game), positions.wholes(game)[0]
    states = [rules.copy(done.state) for done in replay.play(whole.record)]
    asked = [{decision.kind for decision in rules.asked(state).values()} for state in states]
    first = {kind: next(ply for ply, kinds in enumerate(asked) if kind in kinds) for kind in set().union(*asked)}
    last, kind = max((ply, kind) for kind, ply in first.items())
    turn = sorted(first).index(kind) * len(rules.meta.seats)

    kept = [positions.chosen(rules, states[: last + 2], turn + one) for one in range(len(rules.meta.seats))]

    assert [last in plies for plies in kept] == [True] * len(kept)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_broken_in_a_game_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Of each ply, with the game's number, so that it can be played again."""
    rules = rules_of(game)
    monkeypatch.setattr(type(rules), "problems", lambda _rules, _state: ["too many stones"])
    whole = positions.play_through(rules, 3)

    assert whole.problems == tuple(f"contract-3, ply {one.number}: too many stones" for one in whole.record.plies)
