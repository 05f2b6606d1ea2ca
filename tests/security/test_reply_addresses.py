"""Reply addresses attacked: whatever is done to one, it speaks for its own seat, in its own time, or for nobody."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.capabilities import links
from pbem.inbound import receive, working
from pbem.mail.address import BadAddress, SeatAddress
from pbem.play.seats import substitutes
from pbem.store.models import Game, Letter, Player, Seat, StoredOrder
from tests.factories import START, GameFactory, PlayerFactory, answer_all, asked, in_a_club, seat_of, some_order
from tests.inbound.test_receive import ADDRESSES, address, come_in, mail

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from tests.conftest import Clock


class Scene:
    """A game in which one seat is asked, a legal order, and the address of the letter that asks."""

    def __init__(self, session: Session) -> None:
        """Open it."""
        self.session = session
        self.game: Game = GameFactory(seed="one question")
        session.refresh(self.game)
        self.seat = seat_of(session, self.game, asked(session, self.game)[0].seat)
        self.order = some_order(session, self.game, self.seat.seat)
        self.address = address(self.game, self.seat)

    def other(self) -> Seat:
        """The seat of the other person, who is not asked."""
        query = select(Seat).where(Seat.game_id == self.game.id, Seat.bot == "", Seat.id != self.seat.id)
        return self.session.execute(query).scalar_one()

    def orders(self) -> int:
        """How many orders were taken, of anybody; what was refused is kept too."""
        query = select(func.count()).select_from(StoredOrder).where(StoredOrder.kind == "order")
        return self.session.execute(query).scalar_one()


@pytest.fixture
def scene(session: Session, clock: Clock) -> Scene:
    """The scene at the games' beginning."""
    assert clock.now == START
    return Scene(session)


def of_another_seat(scene: Scene, _clock: Clock) -> str:
    """The other player's own address."""
    return address(scene.game, scene.other())


def of_another_game(scene: Scene, _clock: Clock) -> str:
    """A seat of another game, whose question is another one."""
    game: Game = GameFactory(game="amunre", seed="elsewhere")
    scene.session.refresh(game)
    return address(game, seat_of(scene.session, game, 0))


def of_a_letter_before(scene: Scene, _clock: Clock) -> str:
    """The address of a question that is answered and resolved."""
    old = scene.address
    answer_all(scene.session, START, scene.game)
    scene.session.commit()
    return old


def renewed(scene: Scene, _clock: Clock) -> str:
    """The seat's address, after its holder renewed all links."""
    links.renew(scene.session, START, scene.seat.player_id or 0)
    scene.session.commit()
    return scene.address


def taken_over(scene: Scene, _clock: Clock) -> str:
    """The seat's address, after somebody else got the seat."""
    organiser, follower = PlayerFactory(), PlayerFactory()
    in_a_club(scene.session, scene.game, scene.seat.player_id or 0, organiser.id, follower.id)
    scene.game.organiser_id = organiser.id
    scene.session.commit()
    substitutes.replace(scene.session, START, scene.game.id, scene.seat.seat, follower.id, by=organiser.id)
    scene.session.commit()
    return scene.address


def two_years_old(scene: Scene, clock: Clock) -> str:
    """The seat's address, two years later."""
    clock.move(days=730)
    return scene.address


def foretold(scene: Scene, _clock: Clock) -> str:
    """An address of the seat for a ply that nobody was asked for yet."""
    return address(scene.game, scene.seat, ply=scene.game.ply + 9)


ENDED: tuple[Callable[[Scene, Clock], str], ...] = (
    *(of_another_seat, of_another_game, of_a_letter_before, renewed, taken_over, two_years_old, foretold),
)


@pytest.mark.parametrize("attack", ENDED, ids=lambda one: one.__name__)
def test_an_address_speaks_for_its_own_seat_in_its_own_time(
    scene: Scene, clock: Clock, attack: Callable[[Scene, Clock], str]
) -> None:
    """Another seat's, another game's, an answered, a revoked, a given away, an old one: no order, and no ply on."""
    to = attack(scene, clock)
    scene.session.refresh(scene.game)
    before = scene.orders(), scene.game.ply

    come_in(scene.session, mail(scene.order), to)
    scene.session.refresh(scene.game)

    assert (scene.orders(), scene.game.ply) == before


def test_the_present_address_is_heard_once(scene: Scene) -> None:
    """What the attacks try works with the right address, and sent again it is no order of anybody else."""
    for number in range(1, 4):
        come_in(scene.session, mail(scene.order, number), scene.address)

    assert scene.orders() >= 1
    assert {row.seat for row in scene.session.query(StoredOrder)} == {scene.seat.seat}


def test_an_ended_address_tells_nobody_anything(scene: Scene, clock: Clock) -> None:
    """Whoever writes to a revoked address gets no letter: an answer would go to a seat that is not theirs."""
    to, before = taken_over(scene, clock), scene.session.query(Letter).count()
    follower = scene.session.get_one(Seat, scene.seat.id, populate_existing=True).player_id

    come_in(scene.session, mail("status"), to, sender="stranger@evil.example")
    told = scene.session.query(Letter).order_by(Letter.id).all()[before:]

    assert {letter.player_id for letter in told} <= {follower}
    assert "stranger@evil.example" not in {scene.session.get_one(Player, one.player_id).address for one in told}


def taken_apart(made: str) -> tuple[str, str, str]:
    """The prefix, the token and the domain of an address."""
    local, _, domain = made.partition("@")
    return (*local.split(".", 1), domain)  # type: ignore[return-value]  # an address of ours has its dot


def wrapped(made: str, other: str) -> dict[str, str]:
    """What is written around an address on its way, or by somebody who has two of them."""
    prefix, token, domain = taken_apart(made)
    local = f"{prefix}.{token}"
    return {
        "as it was": made,
        "upper case": made.upper(),
        "a plus for the dot": made.replace(".", "+", 1),
        "in brackets": f"Somebody <{made}>",
        "plus detail": f"{local}+x@{domain}",
        "dash detail": f"{local}-x@{domain}",
        "VERP": f"bounces-{local}={domain}@evil.example",
        "VERP of ours": f"{local}={domain}@{domain}",
        "percent route": f"{local}%{domain}@{domain}",
        "source route": f"@evil.example:{made}",
        "two addresses": f"{made}, {other}",
        "quoted": f'"{local}"@{domain}',
        "comment": f"{local}(x)@{domain}",
        "domain with a dot": f"{made}.",
        "below our domain": f"{local}@x.{domain}",
        "our domain below": f"{local}@{domain}.evil.example",
        "bounce": f"bounce.{token}@{domain}",
        "another prefix": f"admin.{token}@{domain}",
        "no prefix": f"{token}@{domain}",
    }


def spliced(made: str, other: str) -> dict[str, str]:
    """What is done to a token, alone or with another one's parts."""
    (prefix, token, domain), strange = taken_apart(made), taken_apart(other)[1]
    raw, foreign = base64_of(made), base64_of(other)
    bodies = {
        "one's body, the other's signature": raw[:-16] + foreign[-16:],
        "one's head, the other's rest": raw[:6] + foreign[6:],
        "no signature": raw[:-16],
        "a signature of zeros": raw[:-16] + bytes(16),
        "shorter": raw[:-1],
        "longer": raw + b"\0",
        "next row": raw[:5] + bytes([raw[5] ^ 1]) + raw[6:],
    }
    tokens = {name: base64.b32encode(body).decode().rstrip("=").lower() for name, body in bodies.items()} | {
        "half of each": token[: len(token) // 2] + strange[len(strange) // 2 :],
        "twice": token * 2,
        "padded": f"{token}======",
        "fullwidth": chr(0xFF41) + token[1:],
        "soft hyphen": f"{token[:9]}\u00ad{token[9:]}",
        "line end": f"{token}\r\nBcc: {other}",
        "NUL": f"{token}\0",
        "zero for o": token.replace("o", "0"),
    }
    return {name: f"{prefix}.{changed}@{domain}" for name, changed in tokens.items()}


def spoilt(made: str, other: str) -> dict[str, str]:
    """Everything that is tried on an address."""
    return wrapped(made, other) | spliced(made, other)


def base64_of(made: str) -> bytes:
    """The bytes of an address's token: spare bits of its last letter, and what pads it, are none."""
    token = made.partition("@")[0].partition(".")[2].rstrip("=").upper()
    return base64.b32decode(token + "=" * (-len(token) % 8))


HARMLESS = {"as it was", "upper case", "a plus for the dot", "in brackets", "quoted", "comment", "two addresses"}
"""What mail programs and servers do by themselves: may be read, and then as the very same."""
WAYS = tuple(spoilt(ADDRESSES.seat(5, 6, 7), ADDRESSES.seat(8, 9, 1)))


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_address_is_the_same_or_none(way: str) -> None:
    """No change makes an address of another seat, ply or epoch; only what mail systems do by themselves is read."""
    right, other = SeatAddress(1000, 6, 7), ADDRESSES.seat(1001, 6, 7)
    for ply in range(6, 16):
        changed = spoilt(ADDRESSES.seat(1000, ply, 7), other)[way]
        same = SeatAddress(right.seat, ply, right.epoch)
        try:
            assert ADDRESSES.read(changed) == same, way
            assert way in HARMLESS or base64_of(changed) == base64_of(ADDRESSES.seat(1000, ply, 7)), way
        except BadAddress:
            assert way not in {"as it was", "upper case", "a plus for the dot", "in brackets"}


def test_a_mail_to_a_changed_address_plays_for_nobody_else(scene: Scene) -> None:
    """Taken in as it comes, it is an order of the very seat or of none."""
    for way, changed in spoilt(scene.address, address(scene.game, scene.other())).items():
        if way not in HARMLESS:
            raw = mail(scene.order, sum(map(ord, way)))
            receive.receive(scene.session, raw, changed, START, sender="x@evil.example")
            scene.session.commit()
    working.work_through(scene.session, START + timedelta(seconds=1), ADDRESSES, 100)

    assert {row.seat for row in scene.session.query(StoredOrder)} <= {scene.seat.seat}
