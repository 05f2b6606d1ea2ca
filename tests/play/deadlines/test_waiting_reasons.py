"""Why a game waits: each reason by what stands in the rows, and what else the same rows tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.messages import Translator
from pbem.play.deadlines import waiting_reasons
from pbem.store.models import GameState
from pbem.store.queries.game_pages import DecisionRow, GameRow, GameWithSeats, SeatRow

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
GAME: dict[str, Any] = dict.fromkeys(GameRow._fields) | {
    "state": GameState.RUNNING,
    "cadence": {},
    "cooling": 0,
    "game": "priestsofra",
    "ply": 3,
    "due_at": NOW + 40 * HOUR,
    "cover_at": NOW + 52 * HOUR,
    "wake_at": NOW + 52 * HOUR,
}
SEAT: dict[str, Any] = dict.fromkeys(SeatRow._fields) | {"bot": "", "ladder": [], "never": [], "address_state": "good"}
ASKED: dict[str, Any] = dict.fromkeys(DecisionRow._fields) | {
    "kind": "turn",
    "opened_at": NOW - 8 * HOUR,
    "secret": False,
    "optional": False,
    "ahead": False,
    "due_at": NOW + 40 * HOUR,
    "nudge_at": NOW + 4 * HOUR,
}
HELD, MORE = NOW + HOUR, NOW + 2 * HOUR


def table(*asked: dict[str, Any], game: dict[str, Any], seat: dict[str, Any]) -> GameWithSeats:
    """A game of three seats, the first of which is as `seat` says, and what is asked of one after the other."""
    seats = [
        SeatRow(**SEAT | {"seat": number, "player_id": number + 1} | (seat if number == 0 else {}))
        for number in range(3)
    ]
    decisions = [DecisionRow(**ASKED | {"seat": number} | row) for number, row in enumerate(asked)]
    return GameWithSeats(GameRow(**GAME | game), seats, decisions)


Case = tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any], str, tuple[int, ...] | None]
CASES: list[Case] = [
    # of each decision, the game, the first seat; what is said, who is awaited
    ([{}], {}, {}, "Waiting for A since Monday 2 March, 04:00 UTC.", (0,)),
    ([{}, {}], {}, {}, "Waiting for A and B since Monday 2 March, 04:00 UTC.", (0, 1)),
    ([{"order_id": 1}, {}], {}, {}, "Waiting for B since Monday 2 March, 04:00 UTC.", (1,)),
    ([{"optional": True}, {}], {}, {}, "Waiting for B since Monday 2 March, 04:00 UTC.", (1,)),
    ([{"optional": True, "secret": True}, {}], {}, {}, "Waiting for B since Monday 2 March, 04:00 UTC.", (1,)),
    ([{"closed_at": NOW}, {}], {}, {}, "Waiting for B since Monday 2 March, 04:00 UTC.", (1,)),
    ([{"ahead": True}, {}], {}, {}, "Waiting for A and B since Monday 2 March, 04:00 UTC.", (0, 1)),
    ([{"secret": True}, {"secret": True, "order_id": 1}], {}, {}, "Choices are still open.", None),
    (
        [{"secret": True, "held_until": HELD}, {"secret": True, "held_until": MORE}],
        *({}, {}, "Choices are still open. Answers wait until Monday 2 March, 14:00 UTC; then all of them count."),
        None,
    ),
    ([{"secret": True, "held_until": NOW}], {}, {}, "Choices are still open.", None),
    (
        [{"held_until": HELD, "order_id": 1}],
        *({}, {}, "Waiting for A since Monday 2 March, 04:00 UTC. An answer counts from Monday 2 March, 13:00 UTC on."),
        (0,),
    ),
    ([{"held_until": NOW}], {}, {}, "Waiting for A since Monday 2 March, 04:00 UTC.", (0,)),
    ([{"order_id": 1}], {}, {}, "All orders are in. The game goes on in a moment.", ()),
    ([{"order_id": 1}], {"cooling": 9, "wake_at": None}, {}, "All orders are in. The game goes on in a moment.", ()),
    ([{"order_id": 1}], {"cooling": 9, "wake_at": NOW}, {}, "All orders are in. The game goes on in a moment.", ()),
    (
        [{"order_id": 1}],
        {"cooling": 9, "wake_at": HELD},
        *({}, "All orders are in. The game goes on at Monday 2 March, 13:00 UTC, unless somebody changes theirs."),
        (),
    ),
    ([{"ahead": True}], {}, {}, "All orders are in. The game goes on in a moment.", (0,)),
    (
        [{}],
        {},
        {"address_state": "bounced"},
        "Mail to A comes back, so the deadline is up to a week later. The organiser has been told.",
        (0,),
    ),
    ([{}], {}, {"address_state": "soft"}, "Waiting for A since Monday 2 March, 04:00 UTC.", (0,)),
    (
        [{}],
        {},
        {"address_state": "bounced", "bot": "random"},
        "Waiting for A since Monday 2 March, 04:00 UTC.",
        (0,),
    ),
    (
        [{"order_id": 1}, {}],
        {},
        {"address_state": "bounced"},
        "Waiting for B since Monday 2 March, 04:00 UTC.",
        (1,),
    ),
]
STILL: list[Case] = [
    ([{}], {"state": GameState(state)}, {}, said, (0,)) for state, said in waiting_reasons.STILL.items()
]


@pytest.mark.parametrize(("asked", "game", "seat", "said", "who"), CASES + STILL)
def test_a_game_says_why_it_waits(
    asked: list[dict[str, Any]], game: dict[str, Any], seat: dict[str, Any], said: str, who: tuple[int, ...] | None
) -> None:
    """Whom it waits for, unless that is a secret or more keeps it than an answer; and since when."""
    found = waiting_reasons.why(NOW, table(*asked, game=game, seat=seat), None)

    assert Translator(names=("A", "B", "C"))(found.said) == said
    assert found.who == who
    assert found.answers_alone is (said.startswith("Waiting for") and "counts from" not in said)
    assert (found.since, found.due_at, found.cover_at) == (NOW - 8 * HOUR, NOW + 40 * HOUR, NOW + 52 * HOUR)
    assert (found.rule is None) is (game.get("state", GameState.RUNNING) != GameState.RUNNING)


COVERED = "If you have not answered by Wednesday 4 March, 16:00 UTC, your draft is played, or else the safe default."
DEFAULT = (
    "Whoever has not answered by Wednesday 4 March, 16:00 UTC is answered for by the server, with the safe default."
)
THEN: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], int | None, str]] = [
    # of the decision, the game, the seat; who asks, and what they are told
    ({}, {"cover_at": None}, {}, 0, "There is no deadline at the moment."),
    ({}, {"state": GameState.PAUSED}, {}, 0, "There is no deadline at the moment."),
    ({"order_id": 1}, {}, {}, 0, "Your order stands until then."),
    ({"order_id": 1}, {}, {}, 1, DEFAULT),
    (
        *({"ahead": True}, {}, {}, 0),
        "It isn't your turn yet. Without an answer you are asked again when it comes, with your full time.",
    ),
    (
        *({"base_at": NOW + HOUR}, {}, {}, 0),
        (
            "Your time for this decision is over at Monday 2 March, 13:00 UTC; then your reserve runs, until"
            " Wednesday 4 March, 04:00 UTC at most."
        ),
    ),
    ({"base_at": NOW + HOUR, "due_at": None}, {}, {}, 0, DEFAULT),
    (
        *({}, {}, {"never": ["turn"], "ladder": ["draft"]}, 0),
        (
            "This decision is never left to the bot: if nothing of yours has answered by Wednesday 4 March, 16:00 UTC,"
            " the game waits for you, and the others may vote for a substitute."
        ),
    ),
    ({}, {}, {"never": ["bid"], "ladder": ["draft", "pass"]}, 0, COVERED),
    ({}, {}, {"ladder": ["draft"]}, None, DEFAULT),
    ({}, {}, {"ladder": []}, 0, DEFAULT),
    ({}, {}, {"ladder": ["cautious"]}, 0, DEFAULT),
]


@pytest.mark.parametrize(("asked", "game", "seat", "reader", "said"), THEN)
def test_everybody_is_told_what_happens_at_the_deadline(
    asked: dict[str, Any], game: dict[str, Any], seat: dict[str, Any], reader: int | None, said: str
) -> None:
    """Who is asked, what becomes of their own seat; others, what becomes of anybody's."""
    found = waiting_reasons.why(NOW, table(asked, game=game, seat=seat), reader)

    assert Translator()(found.then) == said


SECRET = {"secret": True}
NUDGES: list[tuple[list[dict[str, Any]], int | None, datetime | None]] = [
    # of each decision; who asks, and the next reminder they are told
    ([{}], None, NOW + 4 * HOUR),
    ([{}, {"nudge_at": HELD}], None, HELD),
    ([{"order_id": 1, "held_until": None}], 0, None),
    ([{"nudge_at": None}], 0, None),
    ([SECRET], None, None),
    ([SECRET], 0, NOW + 4 * HOUR),
    ([SECRET, SECRET | {"nudge_at": HELD}], 0, NOW + 4 * HOUR),
    ([SECRET | {"order_id": 1}], 0, None),
    ([{"held_until": MORE}], None, None),
    ([{"held_until": MORE}], 0, NOW + 4 * HOUR),
    ([{}, {"optional": True, "nudge_at": HELD}], 1, HELD),
]


@pytest.mark.parametrize(("asked", "reader", "nudge"), NUDGES)
def test_a_reminder_is_told_where_it_tells_nothing(
    asked: list[dict[str, Any]], reader: int | None, nudge: datetime | None
) -> None:
    """One's own always; another's only of who may be named, and not while an answer of theirs may be held."""
    rows = table(*({"letter_at": NOW - HOUR} | row for row in asked), game={}, seat={})
    found = waiting_reasons.why(NOW, rows, reader)

    assert found.next_nudge_at == nudge
    hidden = all(row.get("secret") or row.get("held_until") or row.get("order_id") for row in asked)
    assert found.letter_at == (None if hidden else NOW - HOUR)


@pytest.mark.parametrize(
    ("asked", "needed", "known", "told"),
    [
        ({}, True, True, True),
        ({"optional": True}, False, False, False),
        ({"ahead": True}, False, True, True),
        ({"closed_at": NOW}, False, False, False),
        ({"order_id": 1}, False, False, False),
        ({"order_id": 1, "held_until": HELD}, False, True, False),
    ],
)
def test_a_seat_is_waited_for_as_far_as_may_be_known(
    asked: dict[str, Any], *, needed: bool, known: bool, told: bool
) -> None:
    """An answer that is held still shows as open, but to organisers past the deadline."""
    rows = table(asked, game={}, seat={}).decisions

    assert waiting_reasons.needed_seats(rows) == (0,) * needed
    assert waiting_reasons.open_seats(rows) == (0,) * known
    assert waiting_reasons.open_seats(rows, told=True) == (0,) * told
    assert [waiting_reasons.is_told(due, NOW) for due in (None, NOW, NOW + HOUR)] == [False, True, False]


@pytest.mark.parametrize("holder", [{}, {"bot": "random", "player_id": None}, {"bot": "random"}, {"player_id": None}])
def test_only_persons_are_written_to(holder: dict[str, Any]) -> None:
    """Who took a seat over that was asked by letter had none, and gets no reminder, if it is a bot."""
    asked = [{"letter_at": NOW, "nudge_at": HELD}, {"letter_at": NOW - HOUR, "nudge_at": MORE}]
    both, alone = (waiting_reasons.why(NOW, table(*rows, game={}, seat=holder), None) for rows in (asked, asked[:1]))

    assert (both.letter_at, both.next_nudge_at) == ((NOW - HOUR, MORE) if holder else (NOW, HELD))
    assert (alone.letter_at, alone.next_nudge_at) == ((None, None) if holder else (NOW, HELD))
    assert (both.who, alone.who) == ((0, 1), (0,))
