"""The control room and what an organiser does to many games at once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import delete, select, update

from pbem.clubs.games import actions, control_room, undo
from pbem.clubs.members import members
from pbem.errors import NotAllowed, NotSeated, StalePhase, TooLate, WrongInput
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders
from pbem.play.seats import opening
from pbem.play.turns.advance import advance
from pbem.store.models import Absence, Audit, Game, GameState, Letter, Member, OpenDecision, Player
from pbem.store.unit_of_work import Work
from tests.clubs.conftest import club_game
from tests.factories import (
    ClubFactory,
    GameFactory,
    answer,
    answer_all,
    asked,
    newly_due,
    seat_of,
    until_lists_are_owed,
)

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle

HOUR = timedelta(hours=1)


@pytest.fixture
def game(circle: Circle) -> Game:
    """A game of the club that waits for one player."""
    return club_game(circle)


def test_a_row_names_who_blocks(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """The row names the one awaited, since when, and that no letter got through yet."""
    (decision,) = asked(session, game)

    (row,) = control_room.rows(session, now + 3 * HOUR, circle.club.id)

    assert row.blockers is not None
    (blocker,) = row.blockers
    assert (blocker.seat, blocker.name) == (decision.seat, circle.others[decision.seat].name)
    assert blocker.letter == "pending"
    assert row.hours(now + 3 * HOUR) == 3
    assert row.heading is not None
    assert "Old Kingdom" in str(row.heading)
    assert row.seats == (circle.others[0].name, circle.others[1].name)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (control_room.Filter(state="waiting"), 1),
        (control_room.Filter(state="paused"), 0),
        (control_room.Filter(text="RIVER"), 1),
        (control_room.Filter(text="desert"), 0),
        (control_room.Filter(game="amunre"), 0),
        (control_room.Filter(state="late"), 0),
    ],
)
@pytest.mark.usefixtures("game")
def test_rows_are_filtered(
    session: Session, now: datetime, circle: Circle, wanted: control_room.Filter, shown: int
) -> None:
    """By state, game, words of a title or name, and the player who blocks."""
    assert len(control_room.rows(session, now, circle.club.id, wanted)) == shown


def test_a_game_has_waited_since_its_longest_open_question(session: Session, now: datetime, circle: Circle) -> None:
    """Whichever seat it is asked of: a substitute's is newer; one that has its answer holds nobody up."""
    game = GameFactory.create(people=circle.others[:2], bots=(), club_id=circle.club.id, seed="sealed-cover")
    until_lists_are_owed(session, now, game)
    older, newer = asked(session, game)
    older.opened_at, newer.opened_at = now - 3 * HOUR, now - HOUR
    found = []
    for order in (None, older, newer):
        if order is not None:
            answer(session, now, game, order.seat)
        (row,) = control_room.rows(session, now, circle.club.id)
        found.append((row.since, row.hours(now)))

    assert found == [(now - 3 * HOUR, 3), (now - HOUR, 1), (None, 0)]


def test_secret_choices_stay_secret(session: Session, now: datetime, circle: Circle) -> None:
    """While choices are made in secret the control room shows nobody; after the deadline it names who missed it."""
    game = GameFactory.create(
        game="amunre", people=circle.others[:3], bots=(), club_id=circle.club.id, organiser_id=circle.alice.id
    )
    for _ in range(200):
        if any(decision.secret for decision in asked(session, game)):
            break
        answer_all(session, now, game)
    assert all(decision.secret for decision in asked(session, game))

    (row,) = control_room.rows(session, now, circle.club.id)
    (late,) = control_room.rows(session, (game.due_at or now) + HOUR, circle.club.id)

    assert row.blockers is None
    assert len(late.blockers or ()) == len(asked(session, game))


def test_extending_is_previewed_done_and_undone(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """A preview changes nothing; the act moves the deadline; undoing brings it back, for ten minutes."""
    due, club, by = game.due_at, circle.club.id, circle.alice.id
    assert due is not None
    wish = actions.ActionRequest(act="extend", by=circle.alice.id, games=(game.id,), hours=6)

    (effect,) = actions.preview(session, now, club, wish).effects
    session.refresh(game)
    assert (effect.title, game.due_at) == ("On the river", due)

    done = actions.carry_out(session, now, club, wish)
    session.refresh(game)
    assert game.due_at == due + 6 * HOUR
    assert {decision.due_at for decision in asked(session, game)} == {due + 6 * HOUR}

    assert done.audit_id is not None
    (kept,) = undo.recent(session, now + timedelta(minutes=9), club)
    assert (kept.audit_id, kept.act, kept.games, kept.undo_until) == (
        done.audit_id,
        "extend",
        (game.id,),
        done.undo_until,
    )
    undo.undo(session, now + timedelta(minutes=9), club, by, done.audit_id)
    session.refresh(game)
    assert game.due_at == due
    assert undo.recent(session, now + timedelta(minutes=9), club) == ()
    with pytest.raises(TooLate):
        undo.undo(session, now + timedelta(minutes=9), club, by, done.audit_id)


def test_after_ten_minutes_it_stands(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Undoing comes too late after ten minutes."""
    done = actions.carry_out(
        session,
        now,
        circle.club.id,
        actions.ActionRequest(act="pause", by=circle.alice.id, games=(game.id,), reason="holiday"),
    )
    assert done.audit_id is not None

    with pytest.raises(TooLate, match="ten minutes"):
        undo.undo(session, now + timedelta(minutes=11), circle.club.id, circle.alice.id, done.audit_id)

    row = session.get_one(Audit, done.audit_id)
    assert (row.reason, row.player_id, row.public) == ("holiday", circle.alice.id, True)


WHY = {
    "nudge": {
        "Choices are made in secret, so nobody is reminded by hand.",
        "Only a game that runs waits for somebody.",
        "Whoever it waits for was reminded within the hour, or wants no reminders.",
    },
    "extend": {"Only a game that runs has a deadline to move.", "This game has no deadline at the moment."},
    "merge": {"Only a game that runs has a deadline to move.", "Its deadline is the latest of them."},
    "pause": {"Only a game that runs can be paused."},
    "resume": {"Only a paused game can be taken up again."},
    "seek": {
        "Every seat has somebody who answers.",
        "Nobody of the club can be asked.",
        "Only a game under way needs a substitute.",
    },
    "fill": {"Nobody has a seat there: call it off, or wait.", "This goes only for a game that has not begun."},
    "call-off": {"This goes only for a game that has not begun."},
    "take-up": {"This game is not stuck, so there is nothing to take up again."},
}
"""Why an act leaves games out, by act."""


def of_each_state(session: Session, now: datetime, circle: Circle) -> list[Game]:
    """A game in each state, and those that acts leave out besides."""
    held = {"club_id": circle.club.id, "organiser_id": circle.alice.id, "bots": ()}
    begun = [state for state in GameState if state != GameState.OPEN]
    games = [GameFactory.create(people=circle.others[:2], title=state, **held) for state in begun]
    for game, state in zip(games, begun, strict=True):
        game.state = state
    still, late = (GameFactory.create(people=circle.others[:2], title=title, **held) for title in ("Still", "Late"))
    still.due_at, late.due_at = None, now - HOUR
    still.version, late.version = still.version + 1, late.version + 1
    secret, told, full = (
        GameFactory.create(people=people, title=title, **held)
        for people, title in (
            (circle.others[:2], "Secret"),
            (circle.others[:2], "Told"),
            (circle.everybody[:5], "Full"),
        )
    )
    full.due_at = now - HOUR
    for moved in (secret, full):
        moved.version += 1
    for player in circle.others[4:]:
        player.address_state = "bounced"
    session.execute(update(OpenDecision).where(OpenDecision.game_id == secret.id).values(secret=True))
    nudge = actions.ActionRequest(act="nudge", games=(told.id,), by=circle.alice.id)
    actions.carry_out(session, now, circle.club.id, nudge)
    seats = (opening.SeatPlan(), opening.SeatPlan())
    free = opening.GamePlan(game="priestsofra", seats=seats, club_id=circle.club.id, organiser_id=circle.alice.id)
    wanted = msgspec.structs.replace(free, seats=(opening.SeatPlan(player_id=circle.alice.id), *seats[1:]))
    opened = [opening.open_game(session, now, plan) for plan in (free, wanted)]
    session.flush()
    return [*games, still, late, secret, told, full, *opened]


def test_an_act_says_of_each_game_it_leaves_out_why(session: Session, now: datetime, circle: Circle) -> None:
    """Whatever is ticked is reached or named with a reason, which is the act's own refusal of that game alone.

    Only a game that waits for players waits longer alone, and has no deadline among others.
    """
    games = of_each_state(session, now, circle)
    why: dict[str, set[str]] = {}
    longer = set()
    for act, action in actions.ACTIONS.items():
        wish = actions.ActionRequest(act=act, games=tuple(game.id for game in games), by=circle.alice.id, hours=6)
        if not action.many:
            continue
        found = actions.preview(session, now, circle.club.id, wish)
        reached, left = {one.game_id for one in found.effects}, {one.game_id: one.says for one in found.left_out}
        assert reached | left.keys() == {game.id for game in games}, act
        assert reached, act
        assert not reached & left.keys(), act
        why[act] = {str(says) for says in left.values()}
        for number, says in left.items():
            alone = msgspec.structs.replace(wish, games=(number,))
            try:
                same = [one.says for one in actions.preview(session, now, circle.club.id, alone).left_out]
            except NotAllowed as refusal:
                same = list(refusal.faults)
            if not same:
                longer.add((act, number))
            assert same in ([says], []), (act, number)

    assert why == WHY
    assert longer == {("extend", game.id) for game in games if game.state == GameState.OPEN}


def test_pause_and_resume(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """A paused game has no deadline; resumed it gives the full time from then on."""
    club = circle.club.id
    before = game.due_at
    actions.carry_out(session, now, club, actions.ActionRequest(act="pause", by=circle.alice.id, games=(game.id,)))
    session.refresh(game)
    assert (game.state, game.due_at) == ("paused", None)

    actions.carry_out(
        session, now + 48 * HOUR, club, actions.ActionRequest(act="resume", by=circle.alice.id, games=(game.id,))
    )

    session.refresh(game)
    assert game.state == "running"
    assert before is not None
    assert game.due_at is not None
    assert game.due_at >= before + 40 * HOUR


def test_a_nudge_is_one_letter_an_hour(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Nudging twice within an hour writes one reminder, and the second time names nobody; nor who wants none."""
    wish = actions.ActionRequest(act="nudge", by=circle.alice.id, games=(game.id,))

    outcomes = [
        actions.carry_out(session, now + timedelta(minutes=minutes), circle.club.id, wish) for minutes in (0, 5)
    ]
    session.query(Player).update({"kinds_off": ["reminder"]})
    session.expire_all()
    outcomes.append(actions.carry_out(session, now + timedelta(hours=2), circle.club.id, wish))

    assert [len(outcome.effects) for outcome in outcomes] == [1, 0, 0]
    assert [one.title for one in outcomes[1].left_out] == [game.title]
    assert len(session.execute(select(Letter).where(Letter.kind == "reminder")).all()) == 1


def test_merged_deadlines_are_one(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Several games get the latest of their deadlines."""
    other = GameFactory.create(
        people=circle.others[2:4],
        bots=(),
        now=now + 5 * HOUR,
        club_id=circle.club.id,
        organiser_id=circle.alice.id,
    )

    actions.carry_out(
        session,
        now + 5 * HOUR,
        circle.club.id,
        actions.ActionRequest(act="merge", by=circle.alice.id, games=(game.id, other.id)),
    )

    session.refresh(game)
    session.refresh(other)
    assert game.due_at == other.due_at


@pytest.mark.parametrize(
    ("act", "hours", "sentence"),
    [
        ("explode", 0, "nothing that can be done here"),
        ("extend", 0, "moves by 1 to 336 hours, not by 0"),
        ("extend", 1000, "moves by 1 to 336 hours, not by 1000"),
    ],
)
def test_wrong_wishes(
    session: Session, now: datetime, circle: Circle, game: Game, act: str, hours: int, sentence: str
) -> None:
    """What can't be done is refused in one sentence before anything is done."""
    with pytest.raises(WrongInput, match=sentence):
        actions.carry_out(
            session,
            now,
            circle.club.id,
            actions.ActionRequest(act=act, by=circle.alice.id, games=(game.id,), hours=hours),
        )


def test_only_ones_own_club(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Players can't act, and organisers only on games of their club."""
    with pytest.raises(NotAllowed):
        actions.carry_out(
            session, now, circle.club.id, actions.ActionRequest(act="pause", by=circle.others[0].id, games=(game.id,))
        )

    foreign = GameFactory.create(people=2, bots=())
    with pytest.raises(NotAllowed, match="Only games of this club"):
        actions.carry_out(
            session, now, circle.club.id, actions.ActionRequest(act="pause", by=circle.alice.id, games=(foreign.id,))
        )
    with pytest.raises(NotSeated):
        actions.carry_out(
            session, now, None, actions.ActionRequest(act="pause", by=circle.alice.id, games=(foreign.id,))
        )


def test_undoing_leaves_games_alone_that_have_moved_on(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """The next question keeps its own deadline: the one of the question before is nothing it could go back to."""
    other = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id, organiser_id=circle.alice.id)
    due = other.due_at
    done = actions.carry_out(
        *(session, now, circle.club.id),
        actions.ActionRequest(act="extend", by=circle.alice.id, games=(game.id, other.id), hours=6),
    )
    answer_all(session, now + timedelta(minutes=1), game)
    session.refresh(game)
    moved = game.due_at
    assert done.audit_id is not None

    undone = undo.undo(session, now + timedelta(minutes=5), circle.club.id, circle.alice.id, done.audit_id)

    session.refresh(game)
    session.refresh(other)
    assert (undone.back, undone.left) == (1, 1)
    assert Work.GAMES in newly_due(session)
    assert (game.due_at, other.due_at) == (moved, due)


@pytest.mark.parametrize(("act", "came"), [("pause", "replace"), ("pause", "ahead"), ("extend", "order")])
def test_undoing_puts_off_no_answer_that_came_meanwhile(
    session: Session, now: datetime, circle: Circle, game: Game, act: str, came: str
) -> None:
    """The game is due when the bot, the order given ahead or the last order makes it so, not at the old deadline."""
    (asked_one,) = asked(session, game)
    club, by = circle.club.id, circle.alice.id
    game.cooling = 600
    wish = actions.ActionRequest(act=act, by=by, games=(game.id,), hours=6)
    done = actions.carry_out(session, now, club, wish)
    due = now
    if came == "replace":
        put = msgspec.structs.replace(wish, act=came, seat=asked_one.seat, who="bot:heuristic")
        actions.carry_out(session, now, club, put)
    elif came == "ahead":
        standing_orders.store(session, now, seat_of(session, game, asked_one.seat).id, "draw")
    else:
        assert answer(session, now, game, asked_one.seat, "draw").accepted
        due += timedelta(seconds=game.cooling)
    assert done.audit_id is not None

    assert undo.undo(session, now, club, by, done.audit_id).back == 1

    session.refresh(game)
    assert (game.state, game.wake_at) == (GameState.RUNNING, due)


def test_two_organisers_do_not_undo_each_other(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """What a second organiser did to a game stands when the first takes their own act back."""
    bob = circle.others[0]
    session.execute(update(Member).where(Member.player_id == bob.id).values(role="organiser"))
    first, _ = (
        actions.carry_out(
            session, now, circle.club.id, actions.ActionRequest(act="extend", by=by, games=(game.id,), hours=6)
        )
        for by in (circle.alice.id, bob.id)
    )
    session.refresh(game)
    due = game.due_at
    assert first.audit_id is not None

    undone = undo.undo(session, now, circle.club.id, circle.alice.id, first.audit_id)

    session.refresh(game)
    assert (undone.back, undone.left) == (0, 1)
    assert game.due_at == due


@pytest.mark.parametrize("act", ["extend", "nudge", "pause"])
def test_an_act_is_what_its_preview_said(session: Session, now: datetime, circle: Circle, game: Game, act: str) -> None:
    """With a preview's mark it is done only if the games are as they were then; the passing of time changes nothing."""
    wish = actions.ActionRequest(act=act, by=circle.alice.id, games=(game.id,), hours=6)
    before = (game.due_at or now) - HOUR
    seen = actions.preview(session, before, circle.club.id, wish).seen
    assert actions.preview(session, before + 2 * HOUR, circle.club.id, wish).seen == seen

    answer_all(session, before, game)

    with pytest.raises(StalePhase, match="moved on since you looked"):
        actions.carry_out(session, before, circle.club.id, msgspec.structs.replace(wish, seen=seen))
    session.rollback()
    again = actions.preview(session, before, circle.club.id, wish).seen
    done = actions.carry_out(session, before, circle.club.id, msgspec.structs.replace(wish, seen=again))
    assert [effect.game_id for effect in done.effects] == [game.id]


def test_what_others_did_since_a_preview_is_told(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """Each once, however many games; not what was done before it, nor what the organiser did."""
    club, bob = circle.club.id, circle.others[2]
    wish = actions.ActionRequest(act="extend", by=circle.alice.id, games=(game.id,), hours=6)
    members.set_role(session, now, club, by=circle.alice.id, player_id=bob.id, role="organiser")
    theirs = msgspec.structs.replace(wish, by=bob.id)
    session.execute(delete(Audit))  # what comes next is the first entry of all
    actions.carry_out(session, now, club, msgspec.structs.replace(theirs, act="pause"))
    actions.carry_out(session, now, club, msgspec.structs.replace(theirs, act="resume"))
    seen = actions.preview(session, now, club, wish).seen
    for one in (theirs, theirs, wish):
        actions.carry_out(session, now, club, one)

    before = ["paused the game", "took the game up again"]
    for mark, since in ((seen, []), ("nonsense", before), (f"{'9' * 30}:", before)):
        with pytest.raises(StalePhase) as moved:
            actions.carry_out(session, now, club, msgspec.structs.replace(wish, seen=mark))
        assert list(map(str, moved.value.faults)) == [
            *(f"{bob.name} {told}." for told in (*since, "moved the deadline")),
            "The games have moved on since you looked, so nothing was done. This is what it would do now.",
        ]


_STATE_FOR = {"resume": "paused", "fill": "open", "call-off": "open", "take-up": "stuck"}


@pytest.mark.parametrize("act", [act for act, action in actions.ACTIONS.items() if not action.logs])
def test_every_act_is_entered_once_at_its_table_and_once_to_be_undone(
    session: Session, now: datetime, circle: Circle, game: Game, act: str
) -> None:
    """Whatever is done, everybody at the table reads one sentence of it, with its reason; a preview enters nothing."""
    games = [game.id]
    if _STATE_FOR.get(act) == "open":
        seats = (opening.SeatPlan(player_id=circle.alice.id), opening.SeatPlan())
        plan = opening.GamePlan(
            game="priestsofra", seats=seats, club_id=circle.club.id, organiser_id=circle.alice.id, title="Wanted"
        )
        games = [opening.open_game(session, now, plan).id]
    elif act in _STATE_FOR:
        game.state = GameState(_STATE_FOR[act])
    elif act == "seek":
        now = (game.due_at or now) + HOUR
    elif act == "merge":
        people = {"people": circle.others[2:4], "bots": (), "organiser_id": circle.alice.id}
        later: Game = GameFactory.create(club_id=circle.club.id, **people)
        later.due_at = (game.due_at or now) + HOUR
        games.append(later.id)
    session.flush()
    wish = actions.ActionRequest(act=act, by=circle.alice.id, games=tuple(games), hours=6, seat=0, reason="Rain")

    actions.preview(session, now, circle.club.id, wish)
    assert session.execute(select(Audit)).first() is None
    done = actions.carry_out(session, now, circle.club.id, wish)

    entry, *more = action_log.entries(session, games[0])
    assert not more
    assert (entry.act, entry.reason, entry.at) == (act, "Rain", now)
    assert entry.said.text != entry.act  # a sentence, not the bare word
    rows = session.execute(select(Audit.id).where(Audit.game_id.is_(None))).scalars().all()
    assert rows == [done.audit_id]


def test_games_that_wait_for_players_are_filled_or_called_off_together(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """The room names who has yet to answer; one press fills or closes them all, and no game that runs."""
    alice, bob = circle.alice, circle.others[0]
    seats = (opening.SeatPlan(player_id=alice.id), opening.SeatPlan(player_id=bob.id), opening.SeatPlan())
    plan = opening.GamePlan(
        game="priestsofra", seats=seats, club_id=circle.club.id, organiser_id=alice.id, title="Wanted"
    )
    first, second = (opening.open_game(session, now, plan) for _ in range(2))
    rows = control_room.rows(session, now, circle.club.id, control_room.Filter(state="open", text=bob.name))
    assert [row.invited for row in rows] == [(bob.name,), (bob.name,)]
    over = now + timedelta(days=opening.INVITED_FOR)
    others = ((now, ClubFactory.create().id), (over, circle.club.id))
    assert [control_room._invited(session, *one) for one in others] == [{}, {}]

    def do(act: str, *games: Game) -> actions.ActionOutcome:
        wish = actions.ActionRequest(act=act, by=alice.id, games=tuple(one.id for one in games))
        newly_due(session)
        actions.preview(session, now, circle.club.id, wish)
        assert newly_due(session) == frozenset()
        return actions.carry_out(session, now, circle.club.id, wish)

    filled = do("fill", first, game)
    assert Work.GAMES in newly_due(session)
    called_off = do("call-off", first, second, game)

    session.expire_all()
    assert [effect.game_id for effect in filled.effects] == [first.id]
    assert filled.undo_until is None
    assert [effect.game_id for effect in called_off.effects] == [second.id]
    assert (first.state, second.state, game.state) == ("running", "withdrawn", "running")


def test_deadlines_move_together_where_there_are_any(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """A game whose clock stands still is left out of many, and refuses alone; others get their hours from its own."""
    still = GameFactory.create(
        people=circle.others[2:4], bots=(), club_id=circle.club.id, organiser_id=circle.alice.id, title="No clock"
    )
    still.due_at, still.version, due = None, still.version + 1, game.due_at
    session.commit()
    assert due is not None

    def extend(*games: Game) -> actions.ActionOutcome:
        wish = actions.ActionRequest(act="extend", by=circle.alice.id, games=tuple(one.id for one in games), hours=6)
        return actions.carry_out(session, now, circle.club.id, wish)

    done = extend(game, still)
    assert ([effect.game_id for effect in done.effects], [one.title for one in done.left_out]) == (
        [game.id],
        ["No clock"],
    )
    assert [effect.says.params["moment"] for effect in done.effects] == [due + 6 * HOUR]
    session.expire_all()
    assert (game.due_at, still.due_at) == (due + 6 * HOUR, None)
    with pytest.raises(NotAllowed, match="no deadline at the moment"):
        extend(still)


@pytest.mark.parametrize("act", ["resume", "pause", "extend"])
def test_what_is_taken_back_stands_as_before(
    session: Session, now: datetime, circle: Circle, game: Game, act: str
) -> None:
    """State, deadline, its questions' deadlines, the moment to wake; the table reads of it; once."""
    if act == "resume":
        actions.carry_out(
            session, now, circle.club.id, actions.ActionRequest(act="pause", by=circle.alice.id, games=(game.id,))
        )

    def stands() -> tuple[object, ...]:
        session.expire_all()
        clocks = [(decision.due_at, decision.nudge_at is None) for decision in asked(session, game)]
        return game.state, game.due_at, game.cover_at, game.wake_at, clocks

    before = stands()
    wish = actions.ActionRequest(act=act, by=circle.alice.id, games=(game.id,), hours=6)
    done = actions.carry_out(session, now, circle.club.id, wish)
    assert stands() != before
    assert (done.undo_until, done.audit_id is None) == (now + timedelta(minutes=10), False)

    undone = undo.undo(session, now + timedelta(minutes=10), circle.club.id, circle.alice.id, done.audit_id or 0)

    assert undone == undo.Undone(1, 0)
    advance(session, now + timedelta(minutes=10), game.id)  # a game that rested is looked at once
    assert stands() == before
    assert action_log.entries(session, game.id)[0].act == "undo"
    with pytest.raises(TooLate):
        undo.undo(session, now, circle.club.id, circle.alice.id, done.audit_id or 0)


def test_an_act_is_taken_back_in_its_own_club_by_its_organisers(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Neither under another club's name nor by a player, nor by who organised the club once."""
    wish = actions.ActionRequest(act="pause", by=circle.alice.id, games=(game.id,))
    number = actions.carry_out(session, now, circle.club.id, wish).audit_id or 0
    other, bob, carl = ClubFactory.create(), *circle.others[:2]
    session.add(Member(club_id=other.id, player_id=bob.id, role="organiser", joined_at=now))
    session.execute(update(Member).where(Member.player_id == carl.id).values(role="organiser", left_at=now))
    session.commit()

    with pytest.raises(TooLate):
        undo.undo(session, now, other.id, bob.id, number)
    for person in (bob, carl):
        with pytest.raises(NotAllowed):
            undo.undo(session, now, circle.club.id, person.id, number)
    assert session.get_one(Game, game.id).state is GameState.PAUSED
    assert undo.recent(session, now, other.id) == ()
    assert [one.audit_id for one in undo.recent(session, now + timedelta(minutes=10), circle.club.id)] == [number]
    assert undo.recent(session, now + timedelta(minutes=10, seconds=1), circle.club.id) == ()


def test_a_row_tells_what_became_of_its_own_letters(
    session: Session, now: datetime, circle: Circle, game: Game
) -> None:
    """Not of another game's, of another question's or of another kind; unreachable and away, to be filtered by."""
    other = GameFactory.create(people=circle.others[2:4], bots=(), club_id=circle.club.id, organiser_id=circle.alice.id)

    def blockers(club_id: int = circle.club.id, **wanted: str) -> dict[int, tuple[str, bool]]:
        session.flush()
        rows = control_room.rows(session, now, club_id, control_room.Filter(**wanted))
        return {row.game_id: (one.letter, one.away) for row in rows for one in row.blockers or ()}

    asks = {
        letter.game_id: letter for letter in session.execute(select(Letter).where(Letter.kind == "your_turn")).scalars()
    }
    said = {}
    for state in ("pending", "claimed", "sent", "failed"):
        asks[game.id].state = state
        said[state] = blockers()[game.id]
        assert blockers()[other.id] == ("pending", False)
    assert [word for word, _ in said.values()] == ["pending", "pending", "accepted", "failed"]
    assert list(blockers(state="unreachable")) == [game.id]
    asks[game.id].state = "pending"
    (decision,) = asked(session, game)
    decision.letter_at = now
    assert blockers()[game.id] == ("accepted", False)
    awaited = circle.others[decision.seat]
    awaited.address_state = "bounced"
    assert blockers()[game.id] == ("bounced", False)
    absences = [(awaited, now + HOUR, now + 2 * HOUR), (awaited, now - HOUR, now)]
    for player, starts, ends in absences:
        session.add(Absence(player_id=player.id, starts=starts, ends=ends, note="", created_at=now))
    assert blockers(state="away") == {}
    session.add(Absence(player_id=awaited.id, starts=now, ends=now + HOUR, note="", created_at=now))
    assert blockers(state="away") == {game.id: ("bounced", True)}
    assert blockers(ClubFactory.create().id) == {}


def test_rows_come_in_the_order_asked_for(session: Session, now: datetime, circle: Circle, game: Game) -> None:
    """What no answer carries on first, longest wait, next deadline, title, game; an unknown order is the first one."""
    second = GameFactory.create(
        people=circle.others[2:4],
        bots=(),
        now=now - HOUR,
        club_id=circle.club.id,
        organiser_id=circle.alice.id,
        title="a boat",
    )
    third = GameFactory.create(
        game="amunre", people=circle.others[:3], bots=(), now=now + HOUR, club_id=circle.club.id, title="Zebra"
    )
    third.due_at = None
    third.state = GameState.STUCK
    game.due_at = now - 9 * HOUR
    third.version, game.version = third.version + 1, game.version + 1
    circle.others[2].address_state = circle.others[3].address_state = "bounced"
    session.commit()
    orders = {
        order: [
            row.game_id for row in control_room.rows(session, now, circle.club.id, control_room.Filter(order=order))
        ]
        for order in (*control_room.ORDERS, "unheard-of")
    }

    assert orders["needs"] == orders["unheard-of"] == [third.id, second.id, game.id]
    assert orders["waiting"] == [second.id, game.id, third.id]
    assert orders["deadline"] == [game.id, second.id, third.id]
    assert orders["title"] == [second.id, game.id, third.id]
    assert orders["game"] == [third.id, second.id, game.id]
    late = control_room.rows(session, now, circle.club.id, control_room.Filter(state="late"))
    assert [row.game_id for row in late] == [game.id]


def test_views_are_kept_for_their_organiser_and_club(session: Session, now: datetime, circle: Circle) -> None:
    """By name, replaced under the same one, twenty at most, dropped by name."""
    bob, other = circle.others[0], ClubFactory.create()
    where = [(circle.club.id, circle.alice.id), (circle.club.id, bob.id), (other.id, circle.alice.id)]
    for club, player in where:
        control_room.save_view(session, now, club, player, control_room.View("Mine", control_room.Filter(text="a")))
    changed = control_room.View(" Mine ", control_room.Filter(text="b", order="title"))
    control_room.save_view(session, now, *where[0], changed)

    assert control_room.views(session, *where[0]) == (control_room.View("Mine", changed.wanted),)
    assert [view.wanted.text for place in where[1:] for view in control_room.views(session, *place)] == ["a", "a"]
    control_room.drop_view(session, *where[0], "Mine")
    assert [len(control_room.views(session, *place)) for place in where] == [0, 1, 1]
    with pytest.raises(WrongInput, match="needs a name"):
        control_room.save_view(session, now, *where[0], control_room.View(" ", changed.wanted))
    for number in range(control_room.MOST_VIEWS):
        view = control_room.View(f"{number:02}" + "x" * 38, changed.wanted)
        control_room.save_view(session, now, *where[0], view)
    names = [view.name for view in control_room.views(session, *where[0])]
    assert (len(names), names == sorted(names), {len(name) for name in names}) == (20, True, {40})
    control_room.save_view(session, now, *where[0], control_room.View(names[3], control_room.Filter()))
    with pytest.raises(WrongInput, match="You have 20 saved views already"):
        control_room.save_view(session, now, *where[0], control_room.View("one more", changed.wanted))
