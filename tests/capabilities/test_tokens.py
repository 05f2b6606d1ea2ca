from __future__ import annotations

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from pbem.capabilities import tokens
from pbem.capabilities.tokens import BadToken, Tokens

OLD, NEW = ("k1", "one secret of at least 32 characters"), ("k2", "two secrets of at least 32 characters")
TOKENS = Tokens([OLD, NEW])


@given(st.lists(st.integers() | st.text(), max_size=5))
def test_what_is_signed_can_be_read(parts: list[int | str]) -> None:
    """Any numbers and texts come back as they were."""
    assert TOKENS.read("seat", TOKENS.sign("seat", *parts)) == parts


def test_keys_rotate() -> None:
    """The newest key signs, older ones still read; a key that was taken away revokes all it signed."""
    old, new = Tokens([OLD]).sign("seat", 1), TOKENS.sign("seat", 1)

    assert TOKENS.read("seat", old) == TOKENS.read("seat", new) == [1]
    with pytest.raises(BadToken):
        Tokens([NEW]).read("seat", old)
    with pytest.raises(BadToken):
        Tokens([("k2", OLD[1])]).read("seat", new)


def test_a_number_outside_tells_nothing_of_the_rows_between() -> None:
    """It is the same each time, fits a database's column, and neither grows nor lies beside the next row's."""
    numbers = [TOKENS.number(f"standing:{row}") for row in range(20)]

    assert numbers == [TOKENS.number(f"standing:{row}") for row in range(20)]
    assert max(numbers) < 2**31
    assert len(set(numbers)) == 20
    assert numbers not in (sorted(numbers), sorted(numbers, reverse=True))
    assert numbers != [Tokens([OLD]).number(f"standing:{row}") for row in range(20)]


def test_a_token_is_good_for_its_purpose_only() -> None:
    """A seat's token is no player's."""
    with pytest.raises(BadToken):
        TOKENS.read("player", TOKENS.sign("seat", 1))


@pytest.mark.parametrize("purpose", tokens.LIVES)
def test_every_token_has_an_end(purpose: str) -> None:
    """On the last day of its purpose's life it is read, and a day later it is refused."""
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        token = TOKENS.sign(purpose, 1)
        clock.shift(tokens.LIVES[purpose])
        assert TOKENS.read(purpose, token) == [1]
        clock.shift(86_400)
        with pytest.raises(BadToken):
            TOKENS.read(purpose, token)


def test_a_purpose_without_a_life_is_a_fault() -> None:
    """Nobody signs for something that never ends."""
    with pytest.raises(KeyError):
        TOKENS.read("for ever", TOKENS.sign("for ever", 1))


@given(st.text(max_size=80))
def test_nonsense_is_refused(text: str) -> None:
    """Whatever somebody types after /l/."""
    with pytest.raises(BadToken):
        TOKENS.read("seat", text)


def test_every_changed_character_is_noticed() -> None:
    """Of one token, each character replaced by another: all refused."""
    token = TOKENS.sign("seat", 123, 4, 56)
    for place, found in enumerate(token):
        other = "A" if found != "A" else "B"
        changed = token[:place] + other + token[place + 1 :]
        if place == len(token) - 1:
            continue  # its last bits are padding
        with pytest.raises(BadToken):
            TOKENS.read("seat", changed)
