"""Playing on privately from a position: some seats by hand, the others by a bot. Nothing is stored.

A line of play is its starting state and the order texts given by hand; whoever has both has the position. Bots and
chance are drawn from the sandbox's own seed, so that the same line always leads to the same place.
"""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache
from typing import Any

import msgspec

from pbem.bots.players import bot_of
from pbem.engine.core.errors import IllegalOrder, invalid
from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import Outcome
from pbem.structs import Value

MOST_ORDERS = 200
"""Orders in one line; a page address holds no more."""
_LONGEST_CODE = 6_000
"""Characters of a line as it stands in an address."""
_LARGEST_LINE = 60_000
"""Bytes of a line unpacked: a code may not blow up."""
_MOST_PLIES = 500
"""Plies that bots may play in a row, against rules that never ask anybody."""
BOT = "heuristic"
"""Who answers for the seats that nobody plays by hand."""


class Sandbox(Value, kw_only=True):
    """Where a line of play begins, and who plays by hand."""

    rules: Any
    start: bytes
    """The state as JSON: a set-up, or one imagined from what a seat may see."""
    seed: str
    """Of the chances and bots from here on; never a real game's."""
    own: tuple[int, ...]
    """The seats whose orders are given by hand."""
    ply: int = 0


class SandboxPosition(Value, kw_only=True):
    """Where a line of play has come to: somebody is to be asked by hand, or it is over."""

    state: Any
    ply: int
    seat: int | None
    """Who is asked; None once the game is over."""
    given: tuple[tuple[int, str], ...] = ()
    """Orders of this ply that wait for those of other seats played by hand."""
    events: tuple[Event, ...] = ()
    """What has happened since the order before."""
    outcome: Outcome | None = None


def setup(rules: Any, seats: int, seed: str, own: tuple[int, ...]) -> Sandbox:
    """Return a new game of `seats` with the default options."""
    state = rules.setup(seats, {}, Rng(seed, 0)).state
    return Sandbox(rules=rules, start=msgspec.json.encode(state), seed=seed, own=own)


def imagined(rules: Any, view: Any, seats: int, seed: str, ply: int) -> Sandbox:
    """A game as it may stand for whoever sees `view`, to be played on for all seats; hidden parts are drawn anew.

    It follows from the view alone, so it tells nothing that the view doesn't.
    """
    state = rules.imagine(view, Rng(seed, ply))
    return Sandbox(rules=rules, start=msgspec.json.encode(state), seed=seed, own=tuple(range(seats)), ply=ply)


@lru_cache(maxsize=256)
def play(sandbox: Sandbox, line: tuple[str, ...] = ()) -> SandboxPosition:
    """Follow `line` from the start. Raises InvalidOrder, AmbiguousOrder or IllegalOrder for an order that can't be."""
    if not line:
        state = msgspec.json.decode(sandbox.start, type=sandbox.rules.state_type)
        return _carry_on(sandbox, SandboxPosition(state=state, ply=sandbox.ply, seat=None))
    before = play(sandbox, line[:-1])
    if before.seat is None:
        raise invalid("The game is over: there is nothing more to order.")
    order = read(sandbox, before, line[-1])
    given = (*before.given, (before.seat, str(order)))
    return _carry_on(sandbox, msgspec.structs.replace(before, given=given, events=()))


def read(sandbox: Sandbox, at: SandboxPosition, text: str) -> Any:
    """Return the legal order that `text` means for the seat asked. Raises as `play` does."""
    order = sandbox.rules.read(at.state, at.seat, text)
    faults = sandbox.rules.check(at.state, at.seat, order)
    if faults:
        raise IllegalOrder(*faults)
    return order


def _carry_on(sandbox: Sandbox, at: SandboxPosition) -> SandboxPosition:
    """Let bots answer and plies resolve until a seat played by hand is asked."""
    rules, bot = sandbox.rules, bot_of(sandbox.rules.meta.name, BOT)
    for _ in range(_MOST_PLIES):
        asked, given = rules.awaited(at.state), dict(at.given)
        by_hand = [seat for seat in asked if seat in sandbox.own and seat not in given]
        if by_hand:
            return msgspec.structs.replace(at, seat=by_hand[0])
        if not asked:
            return msgspec.structs.replace(at, seat=None, outcome=rules.outcome(at.state))
        chance = Rng(f"{sandbox.seed}/bots", at.ply + 1)
        orders = {
            seat: rules.read(at.state, seat, given[seat])
            if seat in given
            else bot.choose(rules, rules.view(at.state, seat), chance)
            for seat in asked
        }
        done = rules.resolve(at.state, orders, Rng(sandbox.seed, at.ply + 1))
        at = SandboxPosition(state=done.state, ply=at.ply + 1, seat=None, events=(*at.events, *done.events))
    return at


def seen_by(at: SandboxPosition, seat: int | None) -> tuple[Event, ...]:
    """Return what has happened since the order before, as far as `seat` may know."""
    return tuple(event for event in at.events if event.is_known_to(seat))


def orders_of(sandbox: Sandbox, line: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """Return the orders of `line` that were given for `seat`. Raises as `play` does."""
    return tuple(text for at, text in enumerate(line) if play(sandbox, line[:at]).seat == seat)


def pack(line: tuple[str, ...]) -> str:
    """Return a line as it stands in an address."""
    packed = zlib.compress(msgspec.json.encode(line), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode("ascii") if line else ""


def unpack(code: str) -> tuple[str, ...]:
    """Return the line that an address holds. Raises InvalidOrder for what is none, or too long."""
    if not code:
        return ()
    try:
        reader = zlib.decompressobj()
        packed = base64.urlsafe_b64decode(code[:_LONGEST_CODE] + "=" * (-len(code[:_LONGEST_CODE]) % 4))
        line = msgspec.json.decode(reader.decompress(packed, _LARGEST_LINE), type=tuple[str, ...])
    except (ValueError, zlib.error) as fault:
        raise invalid("This address holds no line of play: begin again from the first position.") from fault
    if len(line) > MOST_ORDERS:
        raise invalid("A line of play has at most {limit} orders.", limit=MOST_ORDERS)
    return line
