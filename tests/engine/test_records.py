"""Recorded games: every one replays line by line, and every game has one for each ending and player count."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import CorruptState, UnknownVersion
from pbem.engine.core.records import Record, RecordedPly, RecordedResult
from pbem.engine.registry import GAMES, rules_of
from pbem.kit.contract.positions import whole

HERE = Path(__file__).parent
RECORDS = sorted(path for path in HERE.glob("*/records/*.txt") if path.name != "SOURCE.txt")

LONG = "province,site\nMemphis,river\n  indented\n\n| bar"
SMALL = Record(
    "priestsofra",
    1,
    2,
    {"plain": "yes", "empty": "", "board": LONG, "odd": ' "quoted"\t\r\n', "space": " x", "bar": "|x", "blank": "\n"},
    "17",
    (
        RecordedPly(0, {}, ("suns: a b",)),
        RecordedPly(1, {1: "bid 3", 0: "pass"}),
        RecordedPly(2, {}, (), 0),
        RecordedPly(3, {}, (), None, withheld=True),
    ),
    RecordedResult((12, -3), (1, 2), "last-sun", "0" * 64),
    ("A remark.", ""),
)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_recorded_games_replay_line_by_line(path: Path) -> None:
    """Each kept record is borne out by its own chance results and, with a seed, by our generator."""
    assert replay.mismatches(path.read_text("utf-8")) == ()


@pytest.mark.parametrize("game", GAMES)
def test_each_ending_and_player_count_has_a_whole_recorded_game(game: str) -> None:
    """A game without a record for one of its endings or seat counts, or without a source note, fails here."""
    meta = rules_of(game).meta
    kept = [records.parse(path.read_text("utf-8")) for path in RECORDS if path.parent.parent.name == game]

    assert {record.game for record in kept} == {game}
    assert {record.result.ending for record in kept if record.result} == set(meta.endings)
    assert {record.seats for record in kept if record.result} == set(meta.seats)
    assert (HERE / game / "records" / "SOURCE.txt").is_file()


def test_a_record_survives_its_text_form() -> None:
    """Long, odd and empty option values, undo plies, withheld plies and remarks all come back."""
    assert records.parse(records.write(SMALL)) == SMALL
    assert records.parse(records.write(SMALL).replace("\n", "\r\n")) == SMALL


def test_long_values_stay_readable() -> None:
    """A text of several lines is written behind bars as it is, and what doesn't print as JSON."""
    lines = records.write(SMALL).split("\n")

    assert "| Memphis,river" in lines
    assert r'option odd: " \"quoted\"\t\r\n"' in lines


FAULTS = [
    ("seats: 2", "seats: two", "The header 'seats' should hold a whole number, not 'two'."),
    ("game: priestsofra\n", "", "The header 'game' is missing; a record begins with `game: NAME`."),
    ("version: 1", "version: 1\nversion: 2", "Line 5: 'version' is given twice; keep one."),
    ("1 1: bid 3", "1 1: bid 3\n1 1: pass", "Line 26: seat 1 has two orders in ply 1."),
    ("1 1: bid 3", "1 1 bid 3", "Line 25: '1 1 bid 3' is neither a header `key: value` nor a line `ply seat: order`."),
    ("2 undo: to 0", "2 undo: to 2", "Line 26: an undo reads `2 undo: to N` with N below 2, not 'to 2'."),
    ("2 undo: to 0", "5 undo: to 0", "Line 27: ply 3 comes after ply 5; ply numbers never fall."),
    ("2 undo: to 0\n", "", "Ply 2 is missing; plies are numbered without gaps."),
    ("2 undo: to 0", "option late: x", "Line 26: 'option late' belongs before the first ply."),
    ("result: last", "result: best\n3 0: pass\nresult: last", "Line 29: nothing may follow the result."),
    ("seed: 17", 'seed: "17', "Line 22: the value of 'seed' opens with a quotation mark but is no JSON string."),
]


@pytest.mark.parametrize(("old", "new", "sentence"), FAULTS)
def test_each_fault_of_a_record_is_a_sentence_with_its_line(old: str, new: str, sentence: str) -> None:
    """What is wrong with a record is said with the line it stands in."""
    text = records.write(SMALL)
    assert old in text
    with pytest.raises(CorruptState) as refused:
        records.parse(text.replace(old, new, 1))

    assert sentence in [str(fault) for fault in refused.value.faults]


def test_a_record_beyond_all_size_is_refused() -> None:
    """Five million characters are not looked at."""
    with pytest.raises(CorruptState, match="has 5000000 characters; at most 4000000"):
        records.parse("x" * 5_000_000)


def test_a_changed_order_is_named_by_its_line() -> None:
    """An order that isn't canonical, or not legal, or by the wrong seat, is reported where it stands."""
    record = whole("priestsofra", 0).record
    text = records.write(record)
    line = next(line for line in text.split("\n") if line.endswith(": draw"))
    spot = text.split("\n").index(line) + 1
    ply, seat = line.split(":")[0].split(" ")

    shouted = replay.mismatches(text.replace(line, line.upper(), 1))
    assert shouted[0] == (
        f"Line {spot}: the record has {line.upper()!r}; played by its own chance results, it is {line!r}."
    )
    foreign = replay.mismatches(text.replace(line, f"{ply} {(int(seat) + 1) % record.seats}: draw", 1))
    assert foreign[0].startswith(f"Ply {ply}: orders of seats {seat} are due")
    wrong = replay.mismatches(text.replace(line, f"{ply} {seat}: pass", 1))
    assert wrong[0].startswith(f"Ply {ply}: seat {seat}: 'pass' is not legal.")


def test_a_changed_chance_result_is_found_by_the_generator() -> None:
    """Two results exchanged may well be playable, but our generator would not have drawn them from that seed."""
    text = records.write(whole("priestsofra", 0).record)
    first, second = [line for line in text.split("\n") if " *: " in line][1:3]
    swapped = text.replace(first, f"{first.split(': ')[0]}: tile: {second.split(': ')[-1]}", 1)

    found = replay.mismatches(swapped)

    assert "drawn from its seed" in found[-1]


def test_missing_and_left_over_chance_results_are_named() -> None:
    """A chance result that nothing asks for, and one that is missing, are faults of their ply."""
    record = whole("priestsofra", 1).record
    more = msgspec.structs.replace(record.plies[1], chance=(*record.plies[1].chance, "tile: nothing"))
    with pytest.raises(CorruptState, match=r"Ply 1: nothing asks for the chance result 'tile: nothing'\."):
        replay.finish(msgspec.structs.replace(record, plies=(record.plies[0], more)))
    none = msgspec.structs.replace(record.plies[0], chance=())
    with pytest.raises(CorruptState, match="Ply 0: The record has '' where 'suns' is due"):
        replay.finish(msgspec.structs.replace(record, plies=(none,)))


def test_an_undo_ply_restores_an_earlier_state() -> None:
    """After `4 undo: to 1` the state is that of ply 1, and the game goes on from there under new numbers."""
    record = whole("priestsofra", 2).record
    again = tuple(msgspec.structs.replace(ply, number=ply.number + 3) for ply in record.plies[2:])
    undone = msgspec.structs.replace(record, plies=(*record.plies[:4], RecordedPly(4, undo=1), *again))

    assert replay.digest(replay.at(undone, 4)) == replay.digest(replay.at(record, 1))
    assert replay.finish(undone)[1] == replay.finish(record)[1]
    assert replay.finish(records.parse(records.write(undone)))[0].result == record.result


def test_a_record_opens_at_any_ply() -> None:
    """`at` gives the state after that ply; a ply that isn't there is named."""
    record = whole("priestsofra", 0).record

    assert replay.digest(replay.at(record, -1)) == replay.finish(record)[1]
    with pytest.raises(CorruptState, match="The record has no ply 9999; its last is"):
        replay.at(record, 9999)


def test_rewriting_fills_in_what_follows_from_the_rest() -> None:
    """A sketch with loose orders and no result becomes the sound record."""
    text = records.write(whole("priestsofra", 4).record)
    sketch = "\n".join(line.upper() if line.endswith(": draw") else line for line in text.split("\n")[:-2])

    assert replay.rewrite(sketch + "\nresult: open\n") == text


def test_a_record_of_another_rules_version_is_refused() -> None:
    """Old games are never played by new rules unawares."""
    old = msgspec.structs.replace(whole("priestsofra", 0).record, version=99)
    with pytest.raises(UnknownVersion, match=r"rules version 99; this program plays version \d"):
        replay.finish(old)


def test_without_a_seed_nothing_is_drawn_again() -> None:
    """A record without its seed is played by its chance results alone."""
    record = msgspec.structs.replace(whole("priestsofra", 0).record, seed=None)

    assert replay.mismatches(records.write(record)) == ()
    with pytest.raises(CorruptState, match="carries no seed"):
        replay.finish(record, drawn=True)


def test_withheld_orders_cannot_be_replayed() -> None:
    """The export of a running game says so instead of guessing."""
    record = whole("priestsofra", 0).record
    hidden = msgspec.structs.replace(record, plies=(record.plies[0], RecordedPly(1, withheld=True)), result=None)
    with pytest.raises(CorruptState, match="Ply 1: its orders are withheld"):
        replay.finish(hidden)
