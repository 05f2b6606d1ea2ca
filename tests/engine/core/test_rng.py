"""Chance: anyone can verify a draw, results are even, and a record answers in place of the generator."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.core.errors import CorruptState
from pbem.engine.core.rng import Recorded, Rng


def words(seed: str, ply: int, count: int) -> list[int]:
    """The first 64-bit words, computed as docs/records.md tells."""
    blocks = (blake2b(f"{seed}:{ply}:{i}".encode(), digest_size=64).digest() for i in range(count))
    return [int.from_bytes(block[i : i + 8], "big") for block in blocks for i in range(0, 64, 8)][:count]


def test_draws_follow_the_documented_scheme() -> None:
    """A number below n is the next word of the BLAKE2b counter stream modulo n."""
    source = Rng("pyramid", 7)

    assert [source.below(1000) for _ in range(20)] == [word % 1000 for word in words("pyramid", 7, 20)]


def test_known_answers() -> None:
    """Draws recorded once and for all: they change only if the scheme does, and then every seed's games would."""
    source = Rng("demo", 3)

    assert [source.below(6) for _ in range(10)] == [3, 0, 0, 0, 2, 2, 1, 1, 2, 4]
    assert source.log == []


def test_plies_and_seeds_have_streams_of_their_own() -> None:
    """Another ply or another seed draws other numbers; the same ones draw the same."""
    first = [Rng("a", 1).below(1 << 60) for _ in range(2)]

    assert first[0] == first[1]
    assert len({Rng(seed, ply).below(1 << 60) for seed in "abc" for ply in range(5)}) == 15


def test_a_word_that_would_favour_some_results_is_skipped() -> None:
    """With n just above half the range, about half of the words are thrown away and the rest taken as they are."""
    n = (1 << 63) + 1
    due = [word for word in words("skip", 0, 64) if word < n]
    source = Rng("skip", 0)

    assert [source.below(n) for _ in range(len(due))] == due
    assert len(due) < 45


def test_every_result_comes_up_about_as_often() -> None:
    """Over 6,000 throws each of six faces stays within five standard deviations of a thousand."""
    source = Rng("dice", 0)
    counts = [0] * 6
    for _ in range(6000):
        counts[source.below(6)] += 1

    assert all(abs(count - 1000) < 145 for count in counts)


def test_weights_are_chances() -> None:
    """A weight of nought is never drawn, and a weight of three comes up about three times as often as one."""
    source = Rng("weights", 0)
    drawn = [source.draw("tile", ("a", "b", "c"), (1, 0, 3)) for _ in range(4000)]

    assert set(drawn) == {0, 2}
    assert abs(drawn.count(0) - 1000) < 140
    assert source.log[0] == f"tile: {'abc'[drawn[0]]}"


@given(st.text(max_size=8), st.integers(0, 10**6), st.integers(1, 12))
def test_a_shuffle_keeps_all_and_a_sample_takes_some(seed: str, ply: int, k: int) -> None:
    """Nothing is lost or doubled, and the log says what came out."""
    names = [f"n{i}" for i in range(12)]
    source = Rng(seed, ply)
    every, some = source.shuffle("all", names), source.sample("some", names, k)

    assert sorted(every) == sorted(names)
    assert len(set(some)) == k
    assert source.log == [f"all: {' '.join(every)}", f"some: {' '.join(some)}"]


def test_a_record_answers_in_place_of_the_generator() -> None:
    """The log of one source, fed to `Recorded`, gives the same results and the same log."""
    drawn = Rng("x", 1)
    names = ("a", "b", "c")
    first = (drawn.draw("one", names, (1, 1, 1)), drawn.shuffle("two", names), drawn.sample("three", names, 2))
    read = Recorded(drawn.log)

    assert (read.draw("one", names, (1, 1, 1)), read.shuffle("two", names), read.sample("three", names, 2)) == first
    assert read.log == drawn.log
    assert read.left() == ()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("two: a", "The record has 'two: a' where 'one' is due."),
        ("one: z", "'z' can't be drawn at 'one'."),
        ("one: b", "'b' can't be drawn at 'one'."),
        ("one: ?", "What was drawn at 'one' is withheld: the game still ran."),
        ("one: a a", "'one' has 2 results, not 1."),
        ("one:", "'one' has 0 results, not 1."),
    ],
)
def test_a_recorded_draw_that_could_not_be_is_refused(line: str, sentence: str) -> None:
    """A wrong label, a name that isn't there, one of weight nought, and too many or too few names."""
    with pytest.raises(CorruptState) as refused:
        Recorded([line]).draw("one", ("a", "b"), (1, 0))

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("deal: a a", "'a' can't be drawn at 'deal'."),
        ("deal: a", "'deal' has 1 results, not 2."),
        ("deal: a b c", "'deal' has 3 results, not 2."),
    ],
)
def test_a_recorded_sample_that_could_not_be_is_refused(line: str, sentence: str) -> None:
    """A name drawn twice, and too few or too many."""
    with pytest.raises(CorruptState) as refused:
        Recorded([line]).sample("deal", ("a", "b", "c"), 2)

    assert str(refused.value) == sentence


def test_a_record_has_no_unnamed_draws() -> None:
    """`below` is for bots; a record can't answer it."""
    with pytest.raises(CorruptState, match="can't answer an unnamed draw below 6"):
        Recorded([]).below(6)
    assert Recorded(["x: y"]).left() == ("x: y",)
