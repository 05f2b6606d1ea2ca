from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities import links
from pbem.errors import NotAllowed, NotSeated, TooLate
from pbem.letters import context
from pbem.letters.writer import preview
from pbem.messages import Translator
from pbem.play.deadlines import fallback, reminders
from pbem.play.seats import proposals, substitutes
from pbem.play.seats.ballots import REPLACE, ProposalOutcome, _decided, open_proposals
from pbem.play.seats.proposals import ProposalPlan
from pbem.play.turns.advance import advance
from pbem.play.views import decision_queue, seat_view
from pbem.play.views.game_context import table_of
from pbem.store.models import OVER, Audit, GameState, Letter, Player, Proposal, StoredPly
from tests.factories import GameFactory, PlayerFactory, answer, asked, seat_of
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from pbem.store.models import Game, Seat

IN_TURN = {"auctions": "in_turn"}


@pytest.fixture
def organiser() -> Player:
    """Somebody who doesn't play."""
    made: Player = PlayerFactory()
    return made


@pytest.fixture
def game(now: datetime, organiser: Player) -> Game:
    """Four persons at a table."""
    made: Game = GameFactory(now=now, people=4, bots=(), options=IN_TURN, seed="votes", organiser_id=organiser.id)
    return made


def wait_for(session: Session, now: datetime, game: Game, seat: int) -> datetime:
    """Let the others answer until `seat` is asked; gives when it will be answered for."""
    while (here := asked(session, game)) and [one.seat for one in here] != [seat]:
        for one in here:
            assert answer(session, now, game, one.seat).accepted
        advance(session, now, game.id)
        session.commit()
    assert game.cover_at is not None
    return game.cover_at


def miss(session: Session, now: datetime, game: Game, seat: int, times: int = 1) -> datetime:
    """Let `seat` miss so many deadlines in a row; gives the time after."""
    for _ in range(times):
        now = wait_for(session, now, game, seat)
        advance(session, now, game.id)
        session.commit()
        session.refresh(game)
    return now


def told(session: Session, kind: str) -> Sequence[Letter]:
    """The letters of a kind, oldest first."""
    return session.execute(select(Letter).where(Letter.kind == kind).order_by(Letter.id)).scalars().all()


def replaced(session: Session, now: datetime, game: Game, by: int, seat: int) -> ProposalOutcome:
    """A proposal of the player in seat `by`."""
    player = seat_of(session, game, by).player_id or 0
    return proposals.propose(session, now, game.id, player, ProposalPlan(kind="replace", seat=seat, reason="We wait."))


def vote(session: Session, now: datetime, game: Game, number: int, seat: int, *, yes: bool) -> ProposalOutcome:
    """A vote of a seat."""
    done = proposals.vote(session, now, number, seat_of(session, game, seat).id, yes=yes)
    session.commit()
    return done


def test_more_than_half_of_the_others_replace_who_stalls(session: Session, now: datetime, game: Game) -> None:
    """Two of three agree: the cautious bot plays on, the old link is dead, the log says so, and everybody is told."""
    now = miss(session, now, game, 0, times=2)
    seat = seat_of(session, game, 0)
    epoch, gone = seat.epoch, seat.player_id
    proposed = replaced(session, now, game, by=1, seat=0)
    assert proposed.state == "open"
    done = vote(session, now, game, proposed.proposal_id, 2, yes=True)

    assert (done.state, game.wake_at) == ("agreed", now)
    assert (seat.player_id, seat.bot, seat.resigned_at) == (None, "cautious", now)
    with pytest.raises(NotSeated):
        links.enter_seat(session, now, seat.id, epoch=epoch)
    entry = session.execute(select(Audit).where(Audit.act == "vote-out")).scalar_one()
    assert (entry.public, entry.details["seat"], entry.player_id) == (True, 0, None)
    everybody = {gone, *(seat_of(session, game, number).player_id for number in (1, 2, 3)), game.organiser_id}
    assert {letter.player_id for letter in told(session, "replaced")} == everybody
    with pytest.raises(TooLate, match="decided already"):
        vote(session, now, game, proposed.proposal_id, 3, yes=False)


def test_the_letter_of_a_vote_leads_to_it_and_whose_seat_it_is_to_their_question(
    session: Session, now: datetime, game: Game
) -> None:
    """Only an answer ends the vote, so the button of who is asked for one opens the seat, not its settings."""
    now = miss(session, now, game, 0, times=2)
    before = {letter.id for letter in told(session, "talk")}
    replaced(session, now, game, by=1, seat=0)
    session.commit()
    opened = {}
    for letter in told(session, "talk"):
        data = context.context(session, now, letter)
        if letter.id not in before and data is not None:
            rendered, _ = preview(data, HOUSE)
            opened[letter.seat] = "?to=settings" in rendered.text

    assert opened == {0: False, 2: True, 3: True}


@pytest.mark.parametrize("kind", proposals._SAID)
def test_every_letter_of_a_vote_says_until_when_it_runs(session: Session, now: datetime, game: Game, kind: str) -> None:
    """To who may vote, and to whose seat it is about; in its subject, too."""
    now = miss(session, now, game, 0, times=2)
    plan = ProposalPlan(kind=kind, seat=0, to_ply=0)
    number = proposals.propose(session, now, game.id, seat_of(session, game, 1).player_id or 0, plan).proposal_id
    session.commit()
    letters = [letter for letter in told(session, "talk") if f"proposal.{number}" in letter.cause]
    expires = session.get_one(Proposal, number).expires_at
    ends, short = Translator().when(expires), Translator().short(expires)

    assert {letter.seat for letter in letters} == {0, 2, 3}
    assert all(ends in said(session, now, letter) for letter in letters)
    told_of = (context.context(session, now, letter) for letter in letters)
    assert all(data and preview(data, HOUSE)[0].subject.endswith(f"to the vote: by {short}") for data in told_of)


def test_a_vote_is_owed_by_who_may_and_has_not_voted(session: Session, now: datetime, game: Game) -> None:
    """By none but them: not by whom it is about or who proposed it, and by the same people at no other table."""
    people = [session.get_one(Player, seat_of(session, game, number).player_id) for number in range(4)]
    elsewhere: Game = GameFactory(now=now, people=people, bots=(), options=IN_TURN, seed="votes-elsewhere")

    def owing() -> list[tuple[str, int]]:
        seats = [(one, seat_of(session, one, number)) for one in (game, elsewhere) for number in range(4)]
        return [(one.seed, seat.seat) for one, seat in seats if decision_queue.lacks_vote(session, now, seat.id)]

    assert owing() == []
    now = miss(session, now, game, 0, times=2)
    number = replaced(session, now, game, by=1, seat=0).proposal_id
    assert owing() == [("votes", 2), ("votes", 3)]
    vote(session, now, game, number, 2, yes=False)
    assert owing() == [("votes", 3)]


def test_half_is_not_enough_to_refuse_or_to_agree(session: Session, now: datetime, game: Game) -> None:
    """One of three refuses: still open. A second refusal ends it, and nobody has lost a seat."""
    now = miss(session, now, game, 0, times=2)
    number = replaced(session, now, game, by=1, seat=0).proposal_id

    assert vote(session, now, game, number, 2, yes=False).state == "open"
    assert vote(session, now, game, number, 3, yes=False).state == "refused"
    assert seat_of(session, game, 0).player_id is not None
    over = [letter for letter in told(session, "talk") if f"refused.{number}" in letter.cause]
    assert [letter.seat for letter in over] == [0, 1, 2, 3]


def test_nobody_is_voted_on_who_did_not_stall(session: Session, now: datetime, game: Game) -> None:
    """Neither after one missed deadline, nor for having nothing to answer, nor when the last answer was their own."""
    now = miss(session, now, game, 0)
    for seat in (0, 1, 9):
        with pytest.raises(NotAllowed, match="2 times in a row"):
            replaced(session, now, game, by=2, seat=seat)
    now = miss(session, now, game, 0)
    assert reminders.stalled(session, now, table_of(session, game)) == {0: 2}
    wait_for(session, now, game, 0)
    assert answer(session, now, game, 0).accepted
    advance(session, now, game.id)
    session.commit()

    assert reminders.stalled(session, now, table_of(session, game)) == {}


def test_nobody_is_voted_on_where_nobody_could_vote(session: Session, now: datetime, game: Game) -> None:
    """Neither in a game that is over, nor where bots alone play the others' seats."""
    now = miss(session, now, game, 0, times=2)
    assert reminders.stalled(session, now, table_of(session, game)) == {0: 2}
    game.state, game.version = GameState.FINISHED, game.version + 1
    assert reminders.stalled(session, now, table_of(session, game)) == {}
    game.state = GameState.RUNNING
    for number in (1, 2, 3):
        seat = seat_of(session, game, number)
        seat.player_id, seat.bot = None, "random"
    assert reminders.stalled(session, now, table_of(session, game)) == {}


def test_an_answer_ends_the_vote(session: Session, now: datetime, game: Game) -> None:
    """Whoever comes back in time keeps the seat, and at once nobody is asked to vote any more."""
    now = miss(session, now, game, 0, times=2)
    number = replaced(session, now, game, by=1, seat=0).proposal_id
    wait_for(session, now, game, 0)
    assert decision_queue.lacks_vote(session, now, seat_of(session, game, 2).id)
    now += timedelta(minutes=1)
    answer(session, now, game, 0)
    assert open_proposals(session, now, table_of(session, game)) == ()
    assert not decision_queue.lacks_vote(session, now, seat_of(session, game, 2).id)
    with pytest.raises(TooLate, match="has answered since"):  # and the answer isn't played yet
        vote(session, now, game, number, 2, yes=True)
    advance(session, now, game.id)
    session.commit()

    with pytest.raises(TooLate, match="has answered since") as refused:
        vote(session, now, game, number, 2, yes=True)
    assert refused.value.faults[0].params == {"seat": 0}
    assert seat_of(session, game, 0).player_id is not None


@pytest.mark.parametrize("state", OVER)
@pytest.mark.parametrize("kind", proposals._SAID)
def test_nothing_is_decided_in_a_game_that_is_over(
    session: Session, now: datetime, game: Game, kind: str, state: GameState
) -> None:
    """Whatever was put to the vote before: nobody is asked for a vote any more, and a late one changes nothing."""
    now = miss(session, now, game, 0, times=2)
    plan = ProposalPlan(kind=kind, seat=0, to_ply=0)
    number = proposals.propose(session, now, game.id, seat_of(session, game, 1).player_id or 0, plan).proposal_id
    game.state = state
    session.commit()
    assert open_proposals(session, now, table_of(session, game)) == ()
    assert not decision_queue.lacks_vote(session, now, seat_of(session, game, 2).id)
    for voter in (0, 2, 3) if kind != REPLACE else (2,):
        with pytest.raises(NotAllowed, match="is not being played"):
            vote(session, now, game, number, voter, yes=True)

    assert (game.state, session.get_one(Proposal, number).state) == (state, "open")
    assert seat_of(session, game, 0).player_id is not None


def test_who_keeps_everybody_waiting_can_be_voted_on_too(session: Session, now: datetime, game: Game) -> None:
    """The bot may never take the decision, so the game stands still past the deadline: one is enough."""
    seat = seat_of(session, game, 0)
    fallback.set_ladder(session, seat.id, [], never=["turn", "bid", "flip", "face"])
    late = wait_for(session, now, game, 0)
    assert reminders.stalled(session, now, table_of(session, game)) == {}
    advance(session, late, game.id)
    session.commit()

    assert reminders.stalled(session, late, table_of(session, game)) == {0: 1}
    assert replaced(session, late, game, by=1, seat=0).state == "open"


def test_whose_seat_it_is_has_no_vote(session: Session, now: datetime, game: Game, organiser: Player) -> None:
    """Nor have those who don't play; the organiser has other means."""
    now = miss(session, now, game, 0, times=2)
    with pytest.raises(NotAllowed, match="other players"):
        replaced(session, now, game, by=0, seat=0)
    with pytest.raises(NotAllowed, match="other players"):
        proposals.propose(session, now, game.id, organiser.id, ProposalPlan(kind="replace", seat=0))
    number = replaced(session, now, game, by=1, seat=0).proposal_id
    with pytest.raises(NotAllowed, match="other players"):
        vote(session, now, game, number, 0, yes=False)
    with pytest.raises(NotAllowed, match="already"):
        replaced(session, now, game, by=2, seat=0)
    going_back = proposals.propose(
        session, now, game.id, seat_of(session, game, 1).player_id or 0, ProposalPlan(kind="end")
    )
    assert going_back.state == "open"


def said(session: Session, now: datetime, letter: Letter) -> str:
    """A letter's text as one line."""
    data = context.context(session, now, letter)
    assert data is not None
    return " ".join(preview(data, HOUSE)[0].text.split())


def test_letters_lead_up_to_it(session: Session, now: datetime, game: Game) -> None:
    """The reminder after one miss warns, the next letter says what may come now, the others are told it once."""
    miss(session, now, game, 0)
    wait_for(session, now, game, 0)
    assert game.due_at is not None
    assert reminders.remind(session, game.due_at - timedelta(minutes=1)) == 1
    session.commit()
    last_call = told(session, "last_call")[-1]
    assert "the others may vote to give your seat away" in said(session, now, last_call)
    assert reminders.remind(session, game.due_at) == 1
    session.commit()
    assert "Bob missed a deadline, not for the first time" in said(session, now, told(session, "organiser_alert")[-1])

    now = miss(session, now, game, 0, times=2)
    assert "has answered for you 3 times in a row, so the others may vote" in said(
        session, now, told(session, "covered")[-1]
    )
    others = told(session, "talk")
    assert [letter.seat for letter in others] == [1, 2, 3]
    word = said(session, now, others[0])
    assert "Bob let the server answer 2 times in a row" in word
    assert "?to=settings" in word
    replaced(session, now, game, by=1, seat=0)
    session.commit()
    about = {letter.seat: said(session, now, letter) for letter in told(session, "talk")[3:]}
    assert about.keys() == {0, 2, 3}
    assert "give your seat to a substitute, because the game waits for you" in about[0]
    assert "Charlie puts something to the vote" in about[2]
    assert "the seat of Bob to a substitute" in about[2]


def test_who_plays_with_bots_alone_is_told_of_no_vote(session: Session, now: datetime) -> None:
    """Neither by a letter after as many missed deadlines as one likes, nor where the bot may never decide."""
    GameFactory(now=now, people=3, bots=())
    game: Game = GameFactory(now=now, people=1, bots=("cautious",) * 2, options=IN_TURN, seed="votes")
    for _ in range(reminders.PATIENCE):
        wait_for(session, now, game, 0)
        assert game.due_at is not None
        reminders.remind(session, game.due_at - timedelta(minutes=1))
        reminders.remind(session, game.due_at)
        now = miss(session, now, game, 0)
    fallback.set_ladder(session, seat_of(session, game, 0).id, [], never=["turn", "bid", "flip", "face"])
    session.commit()
    wait_for(session, now, game, 0)
    written = [said(session, now, letter) for letter in told(session, "covered")]
    stored = [str(letter.data.get("said")) for letter in session.scalars(select(Letter))]
    seen = seat_view.situation(session, now, seat_of(session, game, 0).id)
    assert seen.waiting is not None

    assert len(written) == reminders.PATIENCE
    assert "never left to the bot" in str(seen.waiting.then)
    assert not [text for text in (*written, *stored, str(seen.waiting.then)) if "vote" in text]


def test_secret_decisions_never_show_in_it(session: Session, now: datetime) -> None:
    """Who misses a choice that hides who is asked is not counted: the count itself would tell."""
    game: Game = GameFactory(game="amunre", now=now, people=3, bots=(), seed="secret-votes")
    while not asked(session, game)[0].secret:
        for one in asked(session, game):
            answer(session, now, game, one.seat)
        advance(session, now, game.id)
        session.commit()
    for _ in range(2):
        session.refresh(game)
        if not asked(session, game) or not asked(session, game)[0].secret:
            break
        now = game.cover_at or now
        assert reminders.stalled(session, now, table_of(session, game)) == {}
        advance(session, now, game.id)
        session.commit()

    assert session.execute(select(Letter).where(Letter.kind == "covered")).first() is not None
    assert [reminders.missed(session, seat_of(session, game, number)) for number in range(3)] == [0, 0, 0]
    assert session.execute(select(Proposal)).first() is None


# of so many voters how many agree and refuse, and what a vote of all comes to, and one for a substitute
COUNTED = [
    *((2, 1, 0, "open", "open"), (2, 2, 0, "agreed", "agreed"), (2, 0, 1, "refused", "refused")),
    *((3, 1, 0, "open", "open"), (3, 2, 0, "open", "agreed"), (3, 3, 0, "agreed", "agreed")),
    *((3, 0, 1, "refused", "open"), (3, 1, 1, "refused", "open"), (3, 1, 2, "refused", "refused")),
    *((4, 2, 0, "open", "open"), (4, 3, 1, "refused", "agreed"), (4, 2, 1, "refused", "open")),
    *((4, 2, 2, "refused", "refused"), (1, 1, 0, "agreed", "agreed"), (1, 0, 1, "refused", "refused")),
]


@pytest.mark.parametrize(("voters", "yes", "no", "of_all", "of_most"), COUNTED)
def test_a_vote_comes_to_an_end_as_soon_as_it_can(voters: int, yes: int, no: int, of_all: str, of_most: str) -> None:
    """Agreed by everybody, or for a substitute by more than half; refused once that can't be any more."""
    votes = dict(enumerate([True] * yes + [False] * no))
    found = [_decided(votes, tuple(range(voters)), kind) for kind in ("end", REPLACE)]

    assert found == [of_all, of_most]
    # who votes and is no voter any more counts for nothing
    assert _decided({**votes, 9: True, 8: False}, tuple(range(voters)), "end") == of_all


@pytest.mark.parametrize("comes", ["a person", "a bot", ""])
def test_who_takes_a_seat_takes_no_vote_with_it(session: Session, now: datetime, game: Game, comes: str) -> None:
    """A vote about its old player is over, and what they said to another one binds nobody; else both stand.

    Who holds the same seat of another game changes nothing.
    """
    GameFactory(now=now, people=1, bots=("random",), seed="elsewhere")
    now = miss(session, now, game, 0, times=2)
    about = replaced(session, now, game, by=1, seat=0)
    player = seat_of(session, game, 1).player_id or 0
    other = proposals.propose(session, now, game.id, player, ProposalPlan(kind="rewind", to_ply=0))
    vote(session, now, game, other.proposal_id, 0, yes=True)
    later = now + timedelta(hours=1)
    by = game.organiser_id or 0
    if comes == "a person":
        substitutes.replace(session, later, game.id, 0, PlayerFactory().id, by)
    elif comes:
        substitutes.put_bot(session, later, game.id, 0, "random", by)
    session.commit()
    table = table_of(session, game)
    ballots = {one.proposal.id: one for one in open_proposals(session, later, table)}

    assert (about.proposal_id in ballots) is not bool(comes)
    assert (proposals.against(session, later, table, 0) is None) is bool(comes)
    assert (0 in ballots[other.proposal_id].votes) is not bool(comes)
    if comes:
        with pytest.raises(TooLate, match="or the seat has changed hands: nobody is voted out"):
            vote(session, later, game, about.proposal_id, 2, yes=True)
    if comes == "a person":
        assert decision_queue.lacks_vote(session, later, seat_of(session, game, 0).id)
        for seat in (2, 3):
            assert vote(session, later, game, other.proposal_id, seat, yes=True).state == "open"
        assert vote(session, later, game, other.proposal_id, 0, yes=True).state == "agreed"


LEAVES: dict[str, Callable[[Session, datetime, Game, Seat], object]] = {
    "resign": lambda session, now, _game, seat: substitutes.resign(session, now, seat.id),
    "leave_all": lambda session, now, _game, seat: substitutes.leave_all(session, now, seat.player_id or 0),
    "vote_out": lambda session, now, game, seat: substitutes.vote_out(session, now, table_of(session, game), seat.seat),
    "put_bot": lambda session, now, game, seat: substitutes.put_bot(
        session, now, game.id, seat.seat, "random", game.organiser_id or 0
    ),
}
"""By every way in which a bot comes to play for a voter."""


@pytest.mark.parametrize("kind", [kind for kind in proposals._SAID if kind != REPLACE])
@pytest.mark.parametrize("way", LEAVES)
def test_who_leaves_is_missing_in_no_vote(session: Session, now: datetime, game: Game, way: str, kind: str) -> None:
    """What all others have agreed to is done at once."""
    now = miss(session, now, game, 0, times=2)
    about = replaced(session, now, game, by=1, seat=0).proposal_id
    player = seat_of(session, game, 1).player_id or 0
    number = proposals.propose(session, now, game.id, player, ProposalPlan(kind=kind, to_ply=0)).proposal_id
    for seat in (0, 2):
        assert vote(session, now, game, number, seat, yes=True).state == "open"
    LEAVES[way](session, now, game, seat_of(session, game, 3))
    states = [session.get_one(Proposal, one).state for one in (number, about)]

    assert states == ["agreed", "open"]
    assert (game.state is GameState.ENDED) is (kind == "end")
    done = session.scalars(select(StoredPly.kind).where(StoredPly.game_id == game.id, StoredPly.ply == game.ply)).one()
    assert (done == "undo") is (kind == "rewind")


def test_who_leaves_may_be_all_that_one_vote_waits_for_and_another_too(
    session: Session, now: datetime, game: Game
) -> None:
    """One of three others, or of two, gives no seat away; the only one left does, and decides the other vote alone."""
    now = miss(session, now, game, 0, times=2)
    about = replaced(session, now, game, by=1, seat=0).proposal_id
    player = seat_of(session, game, 1).player_id or 0
    number = proposals.propose(session, now, game.id, player, ProposalPlan(kind="end")).proposal_id
    for leaving, states in ((2, ["open", "open"]), (3, ["agreed", "agreed"])):
        substitutes.resign(session, now, seat_of(session, game, leaving).id)
        assert [session.get_one(Proposal, one).state for one in (about, number)] == states

    assert seat_of(session, game, 0).player_id is None
    assert game.state is GameState.ENDED
