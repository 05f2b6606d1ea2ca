"""What opens a door has at least 128 bits that nobody can know: counted in what is really sent."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from itsdangerous.encoding import base64_decode

from pbem.capabilities import api_keys, links
from pbem.capabilities.tokens import tokens
from pbem.extensions import settings
from pbem.letters import delivery
from pbem.play.seats import opening
from tests.factories import START

if TYPE_CHECKING:
    from tests.web.conftest import Table

BITS = 128


def test_a_link_is_signed_with_enough(table: Table) -> None:
    """The signature at a link's end has 256 bits, whatever the link is for; two seats' differ."""
    signed = [links.seat_token(tokens(), seat, 0, 1) for seat in (table.alice.seat_id, table.bob.seat_id)]
    ends = {base64_decode(token.rpartition(".")[2]) for token in signed}

    assert len(ends) == 2
    assert all(len(end) * 8 >= BITS for end in ends)


def test_a_reply_address_is_signed_with_enough(table: Table) -> None:
    """Of a reply address all but the seat's number, epoch and ply is signature; changing any character voids it."""
    addresses = delivery.addresses_of(settings())
    written = {addresses.seat(table.alice.seat_id, ply, 1) for ply in range(1, 9)}
    tokens_ = [one.partition("@")[0].partition(".")[2].upper() for one in written]
    raw = [base64.b32decode(token + "=" * (-len(token) % 8)) for token in tokens_]
    same = sum(len({text[place] for text in raw}) == 1 for place in range(min(map(len, raw))))

    assert len(written) == 8
    assert (min(map(len, raw)) - same) * 8 >= BITS


def test_a_programs_key_has_enough(table: Table) -> None:
    """What a key is made of comes from the system's own source: 32 bytes."""
    session = table.db.session()
    made = {
        api_keys.issue_for_seat(session, START, table.alice.player_id, table.alice.seat_id, "bot") for _ in range(3)
    }

    assert len(made) == 3
    assert all(len(base64.urlsafe_b64decode(key.removeprefix("pbem_") + "==")) * 8 >= BITS for key in made)


def test_a_games_seed_has_enough(table: Table) -> None:
    """Nobody can try all seeds against the commitment that the table is shown."""
    plan = opening.GamePlan(game="egizia", seats=(opening.SeatPlan(bot="random"),) * 3)
    seeds = {opening.open_game(table.db.session(), START, plan).seed for _ in range(3)}

    assert len(seeds) == 3
    assert all(len(seed) * 4 >= BITS for seed in seeds)
