from __future__ import annotations

import base64
import struct
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pbem.mail import address
from pbem.mail.address import Addresses, BadAddress, BounceAddress, LessonAddress, PlayerAddress, SeatAddress

if TYPE_CHECKING:
    from tests.conftest import Clock

OLD, NEW = ("k1", "an old secret"), ("k2", "a new secret")


@pytest.fixture
def addresses() -> Addresses:
    """Addresses signed by the newer of two keys."""
    return Addresses((OLD, NEW), "Play.Example.org")


def test_a_seat_is_read_from_its_address(addresses: Addresses) -> None:
    """Seat, ply and epoch are in the address, and come back out of it."""
    assert addresses.read(addresses.seat(70_000, 1_234, 3)) == SeatAddress(70_000, 1_234, 3)
    assert addresses.read(addresses.player(9, 1)) == PlayerAddress(9, 1)
    assert addresses.read(addresses.lesson(2**40, 3)) == LessonAddress(2**40, 3)
    assert addresses.read(addresses.bounce(2**40)) == BounceAddress(2**40)


def test_local_parts_stay_within_the_limit() -> None:
    """RFC 5321 4.5.3.1.1 allows 64 characters, even with the longest prefix and the largest numbers."""
    made = Addresses((NEW,), "example.org", "a" * 12).seat(2**32 - 1, 2**32 - 1, 2**16 - 1)
    local = made.partition("@")[0]

    assert len(local) <= 64
    assert local == local.lower()


@pytest.mark.parametrize("spoil", [str.upper, lambda a: a.replace(".", "+", 1), lambda a: f"Play <{a}>"])
def test_what_mail_systems_do_to_an_address_is_borne(addresses: Addresses, spoil: object) -> None:
    """Upper case, a plus in place of the dot, and a display name change nothing."""
    assert addresses.read(spoil(addresses.seat(5, 6, 7))) == SeatAddress(5, 6, 7)  # type: ignore[operator]  # a function


def test_an_old_key_still_reads(addresses: Addresses) -> None:
    """Letters signed before the keys rotated can still be answered; a retired key's can't."""
    old = Addresses((OLD,), "play.example.org").seat(5, 6, 7)

    assert addresses.read(old) == SeatAddress(5, 6, 7)
    with pytest.raises(BadAddress):
        Addresses((NEW,), "play.example.org").read(old)


def test_every_changed_character_is_noticed(addresses: Addresses) -> None:
    """No character of the token can be changed."""
    made = addresses.seat(5, 6, 7)
    start, end = made.index(".") + 1, made.index("@")
    refused = 0
    for place in range(start, end):
        changed = made[:place] + ("a" if made[place] != "a" else "b") + made[place + 1 :]
        try:
            assert addresses.read(changed) == SeatAddress(5, 6, 7)  # the last character holds spare bits
            assert place == end - 1
        except BadAddress:
            refused += 1

    assert refused >= end - start - 1


@pytest.mark.parametrize(
    "wrong",
    [
        "", "@", "play@play.example.org", "play.@play.example.org", f"play.{'a' * 43}@play.example.org",
        f"play.{'a' * 60}@play.example.org", f"play.{'8' * 43}@play.example.org", "play.x@evil.example", "x" * 100_000,
    ],
)  # fmt: skip
def test_foreign_addresses_are_refused(addresses: Addresses, wrong: str) -> None:
    """Whatever isn't ours is refused with one sentence and nothing else."""
    with pytest.raises(BadAddress, match="newest letter"):
        addresses.read(wrong)


def test_kinds_and_prefixes_belong_together(addresses: Addresses) -> None:
    """A reply token is no bounce address, and the other way round."""
    token = addresses.seat(5, 6, 7).partition(".")[2]
    with pytest.raises(BadAddress):
        addresses.read(f"bounce.{token}")
    with pytest.raises(BadAddress):
        addresses.read("play." + addresses.bounce(5).partition(".")[2])


def test_a_reply_address_is_good_for_half_a_year(addresses: Addresses, clock: Clock) -> None:
    """Each day of two years: it opens for 180 days at least, for 210 at most; a bounce's has its letter's own end."""
    seat, player, bounce = addresses.seat(5, 6, 7), addresses.player(9, 1), addresses.bounce(3)
    over: list[bool] = []
    for _ in range(2 * 365):
        found = addresses.read(seat)
        assert isinstance(found, SeatAddress)
        assert found == SeatAddress(5, 6, 7, over=found.over)
        assert addresses.read(player) == PlayerAddress(9, 1, over=found.over)
        over.append(found.over)
        clock.move(days=1)

    assert over == sorted(over)
    assert 180 <= over.index(True) <= 210
    assert addresses.read(bounce) == BounceAddress(3)


def test_an_address_in_an_old_letter_keeps_its_day(addresses: Addresses, clock: Clock) -> None:
    """Periods of 30 days are counted from 1970: another start would end addresses in letters on their way sooner."""
    clock.set(datetime(2026, 12, 2, 23, 59, tzinfo=UTC))  # the last minute of a period
    old = addresses.player(9, 1)
    clock.move(days=180)
    assert addresses.read(old) == PlayerAddress(9, 1)
    clock.move(minutes=1)

    assert addresses.read(old) == PlayerAddress(9, 1, over=True)


def test_an_address_without_a_date_is_over(addresses: Addresses) -> None:
    """Letters of versions that wrote no date are known and too old, whoever answers them; both forms they had."""
    for form in (">III", ">IIH"):
        assert addresses.read(signed(addresses, b"s", form, 5, 6, 7)) == SeatAddress(5, 6, 7, over=True)
    for form in (">II", ">IH"):
        assert addresses.read(signed(addresses, b"p", form, 9, 1)) == PlayerAddress(9, 1, over=True)


def test_nobody_reads_how_many_letters_there_are(addresses: Addresses) -> None:
    """A letter's number stands in no address, nor what two numbers differ by; letters before 1.0 are read as well."""
    for make, form in ((addresses.bounce, ">Q"), (lambda number: addresses.lesson(number, 3), ">QI")):
        shown = [hidden(make(number)) for number in range(1, 4)]
        plain = [struct.pack(form, number, *[3] * (form == ">QI")) for number in range(1, 4)]
        veils = [bytes(a ^ b for a, b in zip(one, two, strict=False)) for one, two in zip(shown, plain, strict=True)]
        assert len(set(veils)) == 3
        assert bytes(8) not in {one[:8] for one in veils}

    assert addresses.read(signed(addresses, b"b", ">Q", 7).replace("play.", "bounce.", 1)) == BounceAddress(7)
    assert addresses.read(signed(addresses, b"l", ">QIB", 7, 3, address._period())) == LessonAddress(7, 3)


def hidden(made: str) -> bytes:
    """What a token holds between its head and its signature."""
    token = made.partition("@")[0].partition(".")[2].upper()
    return base64.b32decode(token + "=" * (-len(token) % 8))[2:-16]


@pytest.mark.parametrize(("tag", "form"), [(b"s", ">I"), (b"t", ">IIIH"), (b"z", ">III")])
def test_an_address_of_a_form_that_nobody_knows_is_refused(addresses: Addresses, tag: bytes, form: str) -> None:
    """Signed by another program with our key: what it says can't be read, and breaks no reader."""
    with pytest.raises(BadAddress):
        addresses.read(signed(addresses, tag, form, *[1] * (len(form) - 1)))


def signed(addresses: Addresses, tag: bytes, form: str, *numbers: int) -> str:
    """An address that holds these numbers in another form than we write."""
    body = tag + bytes([addresses._newest]) + struct.pack(form, *numbers)
    token = base64.b32encode(body + address._mac(addresses._keys[addresses._newest], body)).decode().rstrip("=")
    return f"play.{token.lower()}@{addresses.domain}"
