"""Playing on privately: the same line leads to the same place, and an address is never more than a line of play."""

from __future__ import annotations

import base64
import zlib

import msgspec
import pytest

from pbem.bots.players import bot_of
from pbem.engine.core.errors import EngineError, InvalidOrder
from pbem.engine.core.message import Event
from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.study import sandbox


def a_line(root: sandbox.Sandbox, length: int) -> tuple[str, ...]:
    """Random legal orders of the seats played by hand."""
    line: tuple[str, ...] = ()
    chance = Rng("line", 0)
    while len(line) < length and (at := sandbox.play(root, line)).seat is not None:
        line = (*line, str(root.rules.sample(at.state, at.seat, chance)))
    return line


@pytest.mark.parametrize("game", GAMES)
def test_the_same_line_leads_to_the_same_place(game: str) -> None:
    """Bots and chance follow from the line, also when nothing of it is remembered."""
    root = sandbox.setup(rules_of(game), 3, "same", (0,))
    line = a_line(root, 8)
    first = msgspec.json.encode(sandbox.play(root, line).state)
    sandbox.play.cache_clear()

    assert msgspec.json.encode(sandbox.play(root, line).state) == first
    assert len(line) == 8


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("own", [(), (0,), (0, 1, 2)])
def test_a_line_is_what_the_game_itself_makes_of_the_orders(game: str, own: tuple[int, ...]) -> None:
    """Asked in turn, the seats by hand give their orders and the others' bots theirs; each ply has its own chances."""
    rules, bot = rules_of(game), bot_of(game, sandbox.BOT)
    root = sandbox.setup(rules, 3, "same", own)
    line = a_line(root, 8)
    at, left = sandbox.play(root, line), list(line)
    state, ply = rules.setup(3, {}, Rng("same", 0)).state, 0
    events: list[Event] = []
    by_seat: dict[int, list[str]] = {seat: [] for seat in range(3)}
    while asked := rules.awaited(state):
        chance, orders = Rng("same/bots", ply + 1), {}
        if len(left) < len(set(asked) & set(own)):
            break
        for seat in asked:
            if seat in own:
                by_seat[seat].append(left.pop(0))
                orders[seat] = rules.read(state, seat, by_seat[seat][-1])
                events = []
            else:
                orders[seat] = bot.choose(rules, rules.view(state, seat), chance)
        done = rules.resolve(state, orders, Rng("same", ply + 1))
        state, ply, events = done.state, ply + 1, [*events, *done.events]

    assert (at.ply, msgspec.json.encode(at.state)) == (ply, msgspec.json.encode(state))
    assert at.seat == next((seat for seat in asked if seat in own and seat not in dict(at.given)), None)
    assert at.outcome == rules.outcome(state)
    assert at.events == (() if at.given else tuple(events))
    played = line[: len(line) - len(left)]
    assert {seat: list(sandbox.orders_of(root, played, seat)) for seat in by_seat} == by_seat


def test_each_seat_is_told_what_it_may_know() -> None:
    """What is everybody's, and its own; who plays no seat, the former alone."""
    told = [Event("all"), Event("first", seen_by=(0,)), Event("second", seen_by=(1,))]
    at = sandbox.SandboxPosition(state=None, ply=0, seat=0, events=tuple(told))

    assert [[event.text for event in sandbox.seen_by(at, seat)] for seat in (0, 1, None)] == [
        ["all", "first"],
        ["all", "second"],
        ["all"],
    ]


@pytest.mark.parametrize("game", GAMES)
def test_all_seats_can_be_played_to_the_end(game: str) -> None:
    """From a seat's own view, with every seat by hand, a game comes to its outcome."""
    rules = rules_of(game)
    seats = rules.meta.seats[0]
    view = rules.view(rules.setup(seats, {}, Rng("end", 0)).state, 0)
    root = sandbox.imagined(rules, view, seats, "end", 0)

    assert sandbox.play(root, a_line(root, 900)).outcome is not None


@pytest.mark.parametrize("game", GAMES)
def test_what_is_imagined_follows_from_the_view_alone(game: str) -> None:
    """Two states that a seat can't tell apart give it the same root to play on."""
    rules = rules_of(game)
    seats = rules.meta.seats[0]
    for ply in range(1, 4):
        state = rules.setup(seats, {}, Rng(f"alike{ply}", 0)).state
        view = rules.view(state, 0)
        other = rules.imagine(view, Rng("other", ply))

        assert rules.view(other, 0) == view
        assert sandbox.imagined(rules, rules.view(other, 0), seats, "s", ply) == sandbox.imagined(
            rules, view, seats, "s", ply
        )


def test_a_line_goes_through_an_address() -> None:
    """What is packed is unpacked as it was; no order is an empty address."""
    line = ("draw", "bid 9", "farmers 2 Thèbes")

    assert sandbox.unpack(sandbox.pack(line)) == line
    assert sandbox.pack(()) == ""
    assert sandbox.unpack("") == ()


@pytest.mark.parametrize(
    "code",
    [
        "nonsense",
        "é",
        "A" * 100_000,
        base64.urlsafe_b64encode(zlib.compress(b"[" * 10_000_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b'{"a": 1}')).decode(),
        sandbox.pack(("draw",) * (sandbox.MOST_ORDERS + 1)),
    ],
    ids=["nonsense", "accents", "long", "bomb", "other-json", "too-many"],
)
def test_an_address_that_holds_no_line_is_refused(code: str) -> None:
    """Whatever stands in an address, the answer is one sentence."""
    with pytest.raises(InvalidOrder) as refused:
        sandbox.unpack(code)
    assert len(refused.value.faults) == 1


def test_an_order_that_cant_be_played_is_refused() -> None:
    """A line with such an order leads nowhere."""
    root = sandbox.setup(rules_of("priestsofra"), 3, "same", (0,))
    with pytest.raises(EngineError):
        sandbox.play(root, ("flip none",))


def test_what_is_no_line_of_play_is_refused() -> None:
    """An address that holds none, one that is too long, and an order after the end."""
    with pytest.raises(InvalidOrder, match="This address holds no line of play: begin again from the first position"):
        sandbox.unpack("no line")
    with pytest.raises(InvalidOrder, match="A line of play has at most "):
        sandbox.unpack(sandbox.pack(("pass",) * (sandbox.MOST_ORDERS + 1)))
    rules = rules_of("priestsofra")
    root = sandbox.imagined(rules, rules.view(rules.setup(2, {}, Rng("end", 0)).state, 0), 2, "end", 0)
    with pytest.raises(InvalidOrder, match="The game is over: there is nothing more to order"):
        sandbox.play(root, (*a_line(root, 900), "pass"))
