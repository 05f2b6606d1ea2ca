"""Who holds a seat, who sits in for them, and what answers when nobody does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec import convert
from sqlalchemy import select, update

from pbem.capabilities import links
from pbem.clubs.account import personal_data
from pbem.clubs.members import members
from pbem.engine.core.message import Message
from pbem.errors import GameOver, NotSeated, WrongInput
from pbem.letters import context
from pbem.letters.writer import preview
from pbem.messages import Translator
from pbem.play.admin import action_log, game_admin
from pbem.play.deadlines import fallback, reminders
from pbem.play.orders import standing_orders
from pbem.play.seats import sitters, substitutes
from pbem.play.turns.advance import advance
from pbem.play.views import decision_queue, seat_view
from pbem.play.views.game_context import table_of
from pbem.store.models import Audit, GameState, Letter, Member, Player, StoredPly
from pbem.store.queries import common, requests
from pbem.store.unit_of_work import Work
from tests.factories import (
    GameFactory,
    PlayerFactory,
    answer,
    asked,
    in_a_club,
    letters,
    near_the_end,
    newly_due,
    play_to_the_end,
    seat_of,
    until_lists_are_owed,
)
from tests.letters.test_writer import HOUSE
from tests.steps import calls

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game, Seat, Sitter

IN_TURN = {"auctions": "in_turn"}
DAY = timedelta(days=1)
UNSEATED = {act for act, one in action_log.ACTS.items() if one.in_letters or not one.said} | {
    *("nudge", "fresh", "call-off", "fill", "filled", "not-filled", "seat-bot", "seat-invited")
}
"""What is done by hand and takes no seat from anybody."""


@pytest.fixture
def game(session: Session, now: datetime) -> Game:
    """Two persons and a bot; a person is asked."""
    made: Game = GameFactory(now=now, options=IN_TURN, seed="seats-1")
    assert asked(session, made)
    return made


def kinds(session: Session, kind: str) -> list[int | None]:
    """Who is written a letter of a kind."""
    return sorted(session.execute(select(Letter.player_id).where(Letter.kind == kind)).scalars(), key=str)


def test_who_leaves_everywhere_keeps_no_other_game_waiting(session: Session, now: datetime, game: Game) -> None:
    """Only their own games are locked; the others, at this table too, stay where they sit."""
    elsewhere, mine = GameFactory(now=now), seat_of(session, game, 0)
    theirs = [seat_of(session, one, seat) for one, seat in ((game, 1), (elsewhere, 0), (elsewhere, 1))]
    held, left = [seat.player_id for seat in theirs], list[tuple[str, ...]]()
    player = mine.player_id
    assert player is not None
    locked = calls(lambda: left.append(substitutes.leave_all(session, now, player)))["locked_seat"]

    assert left == [(game.title,)]
    assert locked == 1
    assert [seat_of(session, game, 0).player_id, *(seat.player_id for seat in theirs)] == [None, *held]


def test_who_resigns_leaves_a_cautious_bot(session: Session, now: datetime, game: Game) -> None:
    """The bot answers what was open, the old link is dead, everybody is told, and the log shows it to all."""
    seat = seat_of(session, game, asked(session, game)[0].seat)
    epoch, ply = seat.epoch, game.ply + 1
    standing_orders.store(session, now, seat.id, "until changed\nfor turn:\nra")
    newly_due(session)
    substitutes.resign(session, now, seat.id, "No time")
    due = newly_due(session)
    session.commit()
    advance(session, now, game.id)
    session.commit()
    hands = session.execute(select(StoredPly.hands).where(StoredPly.ply == ply)).scalar_one()

    assert due == {Work.GAMES, Work.LETTERS}
    assert hands == {str(seat.seat): "bot"}
    assert (seat.player_id, seat.bot, seat.resigned_at) == (None, "cautious", now)
    with pytest.raises(NotSeated):
        links.enter_seat(session, now, seat.id, epoch=epoch)
    assert len(kinds(session, "replaced")) == 2
    entry = session.execute(select(Audit)).scalar_one()
    assert (entry.act, entry.public, entry.details["seat"]) == ("resign", True, seat.seat)


def test_a_substitute_gets_the_open_question_and_the_full_time(session: Session, now: datetime, game: Game) -> None:
    """Their own letter, a deadline counted from now, and of the orders given ahead none by the one before."""
    number = asked(session, game)[0].seat
    seat, beside = seat_of(session, game, number), seat_of(session, game, 1 - number)
    for one in (seat, beside):
        standing_orders.store(session, now, one.id, "ask me")
    newcomer = PlayerFactory()
    later = now + timedelta(hours=30)
    substitutes.replace(session, later, game.id, seat.seat, newcomer.id, by=game.organiser_id or 0)
    session.commit()
    session.refresh(game)

    assert game.due_at is not None
    assert game.due_at >= later + timedelta(hours=48)
    (question,) = session.scalars(select(Letter).where(Letter.player_id == newcomer.id))
    assert (question.kind, question.data["by"]) == ("your_turn", newcomer.name)
    assert newcomer.id not in kinds(session, "replaced")
    assert [len(standing_orders.listed(session, one.id)) for one in (seat, beside)] == [0, 1]
    assert answer(session, later, game, seat.seat, "draw").accepted


def test_a_substitute_who_is_not_asked_now_is_told_whose_seat_they_have(
    session: Session, now: datetime, game: Game
) -> None:
    """By the letter that all at the table get: no question comes that could say it."""
    waiting = next(seat for seat in range(2) if seat != asked(session, game)[0].seat)
    newcomer = PlayerFactory()
    substitutes.replace(session, now, game.id, waiting, newcomer.id, by=game.organiser_id or 0)
    session.commit()

    assert session.scalars(select(Letter.kind).where(Letter.player_id == newcomer.id)).all() == ["replaced"]


@pytest.mark.parametrize(
    ("act", "holder"),
    [
        *((act, "a person") for act in action_log.ACTS if act not in UNSEATED),
        *((act, "a bot") for act in action_log.ACTS if act not in UNSEATED | {"resign", "vote-out"}),
    ],
)
def test_letters_and_journal_name_who_had_the_seat(
    session: Session, now: datetime, game: Game, act: str, holder: str
) -> None:
    """Not who has it now; how it was taken is told to all, also to who had it. A bot for a bot is no letter."""
    lead, number = game.organiser_id or 0, 0 if holder == "a person" else 2
    table = table_of(session, game)
    before, lead_name = seat_view.name_of(table, number), session.get_one(Player, lead).name
    ways = {
        "resign": lambda: substitutes.resign(session, now, seat_of(session, game, number).id, "no time"),
        "vote-out": lambda: substitutes.vote_out(session, now, table, number),
        "put-bot": lambda: substitutes.put_bot(session, now, game.id, number, "random", lead, "no time"),
        "replace": lambda: substitutes.replace(
            session, now, game.id, number, PlayerFactory(name="Nora").id, lead, "no time"
        ),
    }
    ways[act]()
    session.flush()
    (entry,) = action_log.entries(session, game.id)
    letters = session.execute(select(Letter).where(Letter.kind == "replaced")).scalars().all()

    assert entry.said.params == ({"who": before} if act == "resign" else {"who": entry.by, "seat": before}) | (
        {"seat": number} if act == "resign" else {}
    )
    assert entry.by == ("" if act == "vote-out" else before if act == "resign" else lead_name)
    came, went = "Nora" if act == "replace" else "", before if holder == "a person" else ""
    assert bool(letters) is bool(came or went)
    assert {(letter.data["who"], letter.data["by"]) for letter in letters} <= {(went, came)}
    told = [Translator("en")(convert(line, Message)) for line in (letters[0].data["said"] if letters else ())]
    if act == "resign" or not went:
        assert told == []
    else:
        assert before in told[0]
        assert told[1:] == ([] if act == "vote-out" else ["The reason given: no time"])


def test_a_seat_that_nobody_has_is_neither_left_nor_lent(session: Session, now: datetime, game: Game) -> None:
    """Where a bot sits, as where there is no seat."""
    seat, friend = seat_of(session, game, 0), PlayerFactory()
    in_a_club(session, game, friend.id)
    substitutes.resign(session, now, seat.id)
    with pytest.raises(NotSeated):
        substitutes.resign(session, now, seat.id)
    with pytest.raises(NotSeated):
        sitters.appoint(session, now, seat.id, friend.id, now, now + DAY)


def test_a_seat_that_changes_hands_ends_its_own_sitter_alone(session: Session, now: datetime, game: Game) -> None:
    """Who sits in for another seat, or sat in here, is on nobody's list but their own, and at no other table."""
    gone, stays, elsewhere = PlayerFactory(), PlayerFactory(), GameFactory(now=now)
    in_a_club(session, game, gone.id, stays.id)
    seats = [seat_of(session, game, number) for number in (0, 1)]
    rows = [
        sitters.appoint(session, now, seat.id, friend.id, now, now + DAY, "Sheet.")
        for seat, friend in zip(seats, (gone, stays), strict=True)
    ]
    seat_of(session, elsewhere, 1).sat_until = now + DAY
    sitters.end_of_seat(session, now, game.id, 0)

    def sat_for(at: Game) -> list[tuple[int, int]]:
        here = [seat_of(session, at, number) for number in (0, 1)]
        return [(seat, player.id) for seat, player in common.sitters_of(session, at.id, here, now)]

    def may_sit(at: Game, number: int, who: Player) -> bool:
        return requests.sat(session, now, seat_of(session, at, number).id, {who.id: who.epoch}) is not None

    tried = ((game, 0, gone), (game, 1, stays), (game, 0, stays), (elsewhere, 1, stays))
    assert [may_sit(*one) for one in tried] == [False, True, False, False]
    assert [(row.ended_at, row.handover) for row in rows] == [(now, ""), (None, "Sheet.")]
    assert [len(sitters.of_person(session, now, seat.player_id or 0)) for seat in seats] == [0, 1]
    queues = [decision_queue.queue(session, now, who.id) for who in (gone, stays, PlayerFactory())]
    assert [[item.seat_id for item in queue] for queue in queues] == [[], [seats[1].id], []]
    assert [sat_for(at) for at in (game, elsewhere)] == [[(1, stays.id)], []]


def test_nobody_plays_two_seats_of_a_game(session: Session, now: datetime, game: Game) -> None:
    """Neither as a substitute nor by sitting in."""
    one, two = seat_of(session, game, 0), seat_of(session, game, 1)
    with pytest.raises(WrongInput, match="seat in the game already"):
        substitutes.replace(session, now, game.id, 0, two.player_id or 0, by=game.organiser_id or 0)
    in_a_club(session, game, one.player_id, two.player_id)
    with pytest.raises(WrongInput, match="already; ask somebody else"):
        sitters.appoint(session, now, one.id, two.player_id or 0, now, now + DAY)
    elsewhere, friend = GameFactory(now=now), PlayerFactory()
    in_a_club(session, elsewhere, friend.id)
    with pytest.raises(WrongInput, match="Only a member of the game's club"):
        sitters.appoint(session, now, one.id, friend.id, now, now + DAY)
    in_a_club(session, game, friend.id)
    for table in (elsewhere, game):
        assert sitters.appoint(session, now, seat_of(session, table, 0).id, friend.id, now, now + DAY)


def test_a_finished_game_changes_no_seats(session: Session, now: datetime) -> None:
    """There is nothing to leave any more, and nothing to sit in for."""
    game = GameFactory(now=now, here=near_the_end("priestsofra", 3))
    play_to_the_end(session, now, game)
    seat, friend = seat_of(session, game, 0), PlayerFactory()
    in_a_club(session, game, friend.id)
    with pytest.raises(GameOver):
        substitutes.resign(session, now, seat.id)
    with pytest.raises(GameOver, match="nobody needs to sit in"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + DAY)


def test_a_sitter_may_answer_for_the_time_named_and_no_longer(session: Session, now: datetime, game: Game) -> None:
    """Before, after, and once the player is back, their link opens nothing; the order shows who gave it."""
    seat = seat_of(session, game, asked(session, game)[0].seat)
    friend = PlayerFactory()
    with pytest.raises(WrongInput, match="Only a member of the game's club"):
        sitters.appoint(session, now, seat.id, friend.id, now, now + DAY)
    in_a_club(session, game, friend.id)
    starts, ends = now + DAY, now + 3 * DAY
    row = sitters.appoint(session, now, seat.id, friend.id, starts, ends, "Save the nine.")
    session.commit()
    key = {friend.id: friend.epoch}
    owner = seat.player_id or 0
    for moment, listed in ((now, [row]), (ends - timedelta(seconds=1), [row]), (ends, [])):
        assert sitters.of_seat(session, moment, seat.id) == [(one, friend.name) for one in listed]
        assert sitters.of_person(session, moment, owner) == [(one, friend.name, game.title) for one in listed]
        assert sitters.of_person(session, moment, friend.id) == []
    for moment in (now, ends):
        with pytest.raises(NotSeated):
            links.enter_seat(session, moment, seat.id, players=key)
    opened = links.enter_seat(session, starts, seat.id, players=key)
    assert (opened.sitting, opened.language) == (friend.id, friend.language)
    assert kinds(session, "sitter") == [friend.id]

    ply = game.ply + 1
    answer(session, starts, game, seat.seat, "draw", source="sitter", player_id=friend.id)
    advance(session, starts, game.id)
    session.commit()
    hands = session.execute(select(StoredPly.hands).where(StoredPly.ply == ply)).scalar_one()
    assert hands == {str(seat.seat): "sitter"}
    sitters.end(session, starts, row.id, seat.id)
    with pytest.raises(NotSeated):
        links.enter_seat(session, starts, seat.id, players=key)
    assert kinds(session, "talk") == [friend.id]


WAYS: Mapping[str, tuple[Callable[[Session, datetime, Game, Seat, Sitter], object], str, str]] = {
    "its player is back": (
        lambda session, now, _, seat, row: sitters.end(session, now, row.id, seat.id),
        "its player answers again",
        "",
    ),
    "its player is back, by their settings": (
        lambda session, now, _, seat, row: sitters.end_by_person(session, now, row.id, seat.player_id or 0),
        "its player answers again",
        "",
    ),
    "a bot has it": (
        lambda session, now, game, seat, _: substitutes.put_bot(session, now, game.id, seat.seat, "random", 1),
        "the seat has changed hands",
        "",
    ),
    "a substitute has it": (
        lambda session, now, game, seat, _: substitutes.replace(
            session, now, game.id, seat.seat, PlayerFactory().id, 1
        ),
        "the seat has changed hands",
        "",
    ),
    "who sits in leaves the club": (
        lambda session, now, game, _, row: members.leave(session, now, game.club_id or 0, row.player_id),
        "only members of its club can",
        "they have left the club",
    ),
    "who sits in is taken out": (
        lambda session, now, game, _, row: members.take_out(
            session, now, game.club_id or 0, game.organiser_id or 0, player_id=row.player_id
        ),
        "only members of its club can",
        "they have left the club",
    ),
    "who sits in is forgotten": (
        lambda session, now, _, __, row: personal_data.erase(session, now, row.player_id),
        "",
        "they have left the club",
    ),
    "the days are over": (
        lambda session, now, *_: sitters.end_overdue(session, now + 2 * DAY),
        "the days you were asked for are over",
        "the days you chose are over",
    ),
}
"""How sitting in ends, and what who sat in and the seat's player read of it; who ends it reads nothing."""


def words_of(session: Session, now: datetime, letter: Letter) -> str:
    """What a letter says without pictures."""
    data = context.context(session, now, letter)
    assert data is not None
    return preview(data, HOUSE)[0].text


def ended(session: Session) -> dict[int | None, str]:
    """Who is written that sitting in has ended, and in which words."""
    told = [one for one in letters(session, "talk") if "sitter:" in one.cause and one.state == "pending"]
    words = {one.player_id: Translator("en")(convert(one.data["said"], Message)) for one in told}
    assert len(words) == len(told)
    return words


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("begins", [0, 2])
def test_the_end_of_sitting_in_is_told_once(session: Session, now: datetime, game: Game, way: str, begins: int) -> None:
    """To each of the two who doesn't know, whether it had begun or not; nobody sits in on a seat any more after it."""
    end, to_sitter, to_owner = WAYS[way]
    seat, friend = seat_of(session, game, asked(session, game)[0].seat), PlayerFactory()
    lead, owner = session.get_one(Player, game.organiser_id), session.get_one(Player, seat.player_id)
    in_a_club(session, game, *{lead.id, owner.id, friend.id})
    session.execute(update(Member).where(Member.player_id == lead.id).values(role="organiser"))
    row = sitters.appoint(session, now, seat.id, friend.id, now + begins * DAY, now + 3 * DAY, "Save the nine.")

    for late in (False, True):
        if late:
            sitters.end_overdue(session, now + 4 * DAY)
        else:
            end(session, now + DAY, game, seat, row)
        session.commit()
        found = ended(session)
        assert found.keys() == {who.id for who, words in ((friend, to_sitter), (owner, to_owner)) if words}
        assert to_sitter in found.get(friend.id, "")
        assert to_owner in found.get(owner.id, "")
        assert sitters.of_seat(session, now + DAY, seat.id) == []
    for letter in (one for one in letters(session, "talk") if one.state == "pending"):
        text = words_of(session, now, letter)
        assert ("talk:" in text) == (letter.player_id == owner.id)  # who sat in says nothing there any more


def test_who_sat_in_may_be_asked_again(session: Session, now: datetime, game: Game) -> None:
    """Once the days asked for are over; and what ran out where a game has ended is nobody's news."""
    seat, friend = seat_of(session, game, 0), PlayerFactory()
    in_a_club(session, game, friend.id)
    sitters.appoint(session, now, seat.id, friend.id, now, now + DAY)
    sitters.end_overdue(session, now + DAY)
    row = sitters.appoint(session, now + DAY, seat.id, friend.id, now + DAY, now + 2 * DAY)
    assert len(ended(session)) == 2
    game.state = GameState.WITHDRAWN

    sitters.end_overdue(session, now + 2 * DAY)
    assert row.ended_at == now + 2 * DAY
    assert len(ended(session)) == 2


def test_a_seat_that_nobody_has_keeps_no_sitter(session: Session, now: datetime, game: Game) -> None:
    """Who sits in is forgotten, and the seat they had is nobody's: the right ends, and there is nobody to tell."""
    seat, friend = seat_of(session, game, 0), PlayerFactory()
    in_a_club(session, game, friend.id)
    row = sitters.appoint(session, now, seat.id, friend.id, now, now + DAY)
    seat.player_id = None

    personal_data.erase(session, now, friend.id)
    assert row.ended_at == now
    assert ended(session) == {}


@pytest.mark.parametrize(
    ("days", "sentence"),
    [((0, 0), "over before it begins"), ((0, 40), "40 days of sitting in is too long: at most 35")],
)
def test_times_of_sitting_in_are_checked(
    session: Session, now: datetime, game: Game, days: tuple[int, int], sentence: str
) -> None:
    """One sentence with the value and the limit."""
    with pytest.raises(WrongInput, match=sentence):
        sitters.appoint(
            session, now, seat_of(session, game, 0).id, PlayerFactory().id, now + days[0] * DAY, now + days[1] * DAY
        )


def test_the_ladder_is_the_players_own(session: Session, now: datetime, game: Game) -> None:
    """`pass` first: where it isn't legal, the next rung answers; unknown words are refused with those there are."""
    decision = asked(session, game)[0]
    seat = seat_of(session, game, decision.seat)
    assert fallback.ladder_of(session, seat.id).rungs == ("draft", "cautious")
    fallback.set_ladder(session, seat.id, ["pass", "cautious"])
    session.commit()
    advance(session, game.cover_at or now, game.id)
    session.commit()
    letter = session.execute(select(Letter).where(Letter.kind == "covered")).scalar_one()

    assert letter.data == {"by": "cautious", "answered": 2}
    with pytest.raises(WrongInput, match="'dice' can't be chosen here"):
        fallback.set_ladder(session, seat.id, ["dice"])
    with pytest.raises(WrongInput, match="'dance' can't be chosen here"):
        fallback.set_ladder(session, seat.id, ["draft"], never=["dance"])


def test_the_question_goes_to_the_sitter_too(session: Session, now: datetime, game: Game) -> None:
    """With the seat's board, but with no key to the seat: their own link opens it as long as they sit in."""
    first = asked(session, game)[0].seat
    friend = PlayerFactory()
    for number in (0, 1):
        if number != first:
            other = seat_of(session, game, number)
    in_a_club(session, game, friend.id)
    sitters.appoint(session, now, other.id, friend.id, now, now + 3 * DAY)
    session.commit()
    while not (here := asked(session, game)) or here[0].seat != other.seat:
        for one in here:
            answer(session, now, game, one.seat)
        advance(session, now, game.id)
        session.commit()
    letter = (
        session.execute(
            select(Letter).where(Letter.kind == "your_turn", Letter.player_id == friend.id).order_by(Letter.id.desc())
        )
        .scalars()
        .first()
    )
    assert letter is not None
    data = context.context(session, now, letter)
    assert data is not None
    assert data.situation is not None

    assert (data.seat_id, data.seat_epoch, data.situation.seat) == (None, None, other.seat)
    assert data.situation.asked is not None
    assert other.player_id in kinds(session, "your_turn")


def sealed(session: Session, now: datetime) -> Game:
    """Two persons before the lists of a sealed auction."""
    made: Game = GameFactory(now=now, people=2, bots=(), seed="sealed-cover")
    until_lists_are_owed(session, now, made)
    return made


@pytest.mark.parametrize("late", [False, True])
def test_nobody_waits_for_a_bot_that_is_asked_with_others(session: Session, now: datetime, *, late: bool) -> None:
    """Its seat was taken over while others choose, too: it answers once they have, or as their time is over."""
    game = sealed(session, now)
    first, second = (seat_of(session, game, one.seat) for one in asked(session, game))
    ply, cover = game.ply, game.cover_at or now
    substitutes.resign(session, now, first.id)
    session.commit()
    if late:
        now = cover
    else:
        advance(session, now, game.id)
        session.commit()
        assert [one.seat for one in asked(session, game)] == [second.seat]
        assert answer(session, now, game, second.seat, "bid lowest").accepted
    advance(session, now, game.id)
    session.commit()
    session.refresh(game)

    assert game.ply > ply
    assert kinds(session, "covered") == [second.player_id] * late


@pytest.mark.parametrize("rests", [False, True])
def test_who_takes_over_from_a_bot_is_asked_with_the_others(session: Session, now: datetime, *, rests: bool) -> None:
    """With their own letter and the full time, as soon as the game goes on; it waits for them, and answers for them."""
    game = sealed(session, now)
    first, second = (seat_of(session, game, one.seat) for one in asked(session, game))
    substitutes.resign(session, now, first.id)
    advance(session, now, game.id)
    session.commit()
    organiser, newcomer, later = session.get_one(Player, game.organiser_id), PlayerFactory(), now + timedelta(hours=30)
    act = action_log.AdminAction(now=later, game=game, by=organiser, reason="")
    if rests:
        game_admin.pause(session, act)
    substitutes.replace(session, later, game.id, first.seat, newcomer.id, by=organiser.id)
    if rests:
        game_admin.resume(session, act)
    session.commit()
    assert answer(session, later, game, second.seat, "bid lowest").accepted
    advance(session, later, game.id)
    session.commit()
    ply = game.ply

    assert [(one.seat, one.sealed, one.due_at) for one in asked(session, game)] == [(first.seat, True, game.due_at)]
    assert game.due_at is not None
    assert game.due_at >= later + timedelta(hours=48)
    assert kinds(session, "your_turn").count(newcomer.id) == 1
    assert game.cover_at is not None
    advance(session, game.cover_at, game.id)
    session.commit()
    session.refresh(game)
    assert game.ply > ply


def test_a_drafted_list_is_played_at_the_deadline(session: Session, now: datetime) -> None:
    """Sealed auctions know the ladder too: the draft bids, and who has none passes where that is legal."""
    game = sealed(session, now)
    first = asked(session, game)[0].seat
    answer(session, now, game, first, "bid highest\npass", draft=True)
    ply = game.ply
    advance(session, game.cover_at or now, game.id)
    session.commit()
    orders = (
        session.execute(select(StoredPly.orders).where(StoredPly.ply > ply).order_by(StoredPly.ply)).scalars().all()
    )
    letter = session.execute(select(Letter).where(Letter.kind == "covered", Letter.seat == first)).scalar_one()

    assert any(order.get(str(first), "").startswith("bid") for order in orders)
    assert letter.data == {"by": "draft", "answered": 2}


def test_what_the_bot_may_never_do_waits_for_its_player(session: Session, now: datetime) -> None:
    """A list that is missing isn't made up either: the others are answered for, the game waits and says so."""
    game = sealed(session, now)
    first, second = (one.seat for one in asked(session, game))
    seat = seat_of(session, game, first)
    fallback.set_ladder(session, seat.id, [], never=["bid"])
    session.commit()
    seen = seat_view.situation(session, now, seat.id)
    assert seen.waiting is not None
    assert str(seen.waiting.then).startswith("This decision is never left to the bot")
    late, ply = game.cover_at or now, game.ply
    advance(session, late, game.id)
    session.commit()
    session.refresh(game)

    assert game.ply == ply
    assert kinds(session, "covered") == [seat_of(session, game, second).player_id]
    assert reminders.stalled(session, late, table_of(session, game)) == {first: 1}
    assert answer(session, late, game, first, "bid lowest").accepted
    advance(session, late, game.id)
    session.commit()
    session.refresh(game)
    assert game.ply > ply
