"""Faults of mail on its way out: killed senders, lost answers, relays that are down, slow or refuse."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from benchmarks.faults.targets import patiently
from pbem import clock
from pbem.extensions import db
from pbem.play.deadlines import delivery_clock
from pbem.store.models import Game, Letter, Player, Seat

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage
    from benchmarks.faults.targets import Process


def killed_senders(stage: Stage, rounds: int) -> Outcome:
    """F4: the sender is killed between the relay's 250 and its own note of it: one more copy, the same Message-ID."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2 + rounds // 20)
    for _ in range(rounds):
        stage.arm("mailer-after-250")
        patiently(lambda: club.go_on() and stage.has_struck("mailer-after-250"), "a sender is killed")
    stage.finish()
    extra = _extra(stage)
    faults = check(club, Allowed(copies=1 + rounds))  # where a round takes as long as a claim, one letter kills several
    if extra > rounds:
        faults.append(f"{extra} letters arrived more than once, {rounds} senders were killed.")
    return Outcome(faults, {"doubled": extra, "mails": len(stage.sink.mails), **told(club.history)})


def _extra(stage: Stage) -> int:
    return sum(times - 1 for times in stage.sink.copies().values())


def lost_answers(stage: Stage, rounds: int) -> Outcome:
    """F5: the relay takes one mail in ten and is cut off before it can say so."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(3)
    stage.sink.lose = 0.1
    patiently(lambda: club.go_on() and len(stage.sink.mails) >= 10 * rounds, "enough mails")
    stage.sink.lose = 0.0
    stage.finish()
    faults = check(club, Allowed(copies=3))
    if _extra(stage) > stage.sink.lost:
        faults.append(f"{_extra(stage)} extra copies after {stage.sink.lost} lost answers.")
    return Outcome(faults, {"mails": len(stage.sink.mails), "lost": stage.sink.lost, "extra": _extra(stage)})


SLOW = 30.0
"""Seconds that a relay takes for each letter, where anything is timed."""


def bad_relay(stage: Stage, rounds: int) -> Outcome:
    """F6: the relay is down for 30 minutes, says 451, takes 30 s a letter, and refuses one player for good."""
    _, mailer, _ = stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(3)
    faults, figures = _down(stage, club)
    faults += _try_later(stage, club)
    seconds = _slow(stage, club, SLOW if rounds > 1 else 3.0)
    if rounds > 1 and seconds > SLOW:  # a ply that waited for a letter would take at least so long
        faults.append(f"Four plies took {seconds:.0f} s while the relay was slow.")
    faults += _refused_for_good(stage, club, mailer)
    stage.finish()
    figures |= {"slow_s": round(seconds, 1), "mails": len(stage.sink.mails)}
    return Outcome(faults + check(club), {**figures, **told(club.history)})


MOST_TRIES = 6
"""Tries of a letter in half an hour: at once, and after 1, 3, 7, 15 and 31 minutes, its claim's age counted."""


def _down(stage: Stage, club: Club) -> tuple[list[str], dict[str, float]]:
    """Nobody answers for half an hour, in ten steps, with people playing; afterwards everything leaves."""
    stage.sink.down()
    for _ in range(10):
        stage.move(180)
        stage.settle()
        club.play(1)
    with stage.app.app_context():
        tries = db.session.execute(select(func.max(Letter.attempts))).scalar_one()
    waiting = stage.count(Letter, Letter.state == "pending")
    stage.sink.up()
    stage.finish()
    found = [] if 2 < tries <= MOST_TRIES else [f"I7 a letter was tried {tries} times in 30 minutes."]
    lost = stage.count(Letter, Letter.state.not_in(("sent", "dropped")))  # dropped: what it asked is answered
    if lost or not stage.sink.mails:
        found.append(f"I3 of {waiting} letters that waited for the relay {lost} did not leave.")
    return found, {"tries": tries, "waited": waiting}


def _try_later(stage: Stage, club: Club) -> list[str]:
    """Every mail is answered with 451: no letter is lost, and none is tried again at once."""
    stage.sink.refusal = "451 4.3.0 try again later"
    stage.sink.tries.clear()
    club.play(4)
    stage.settle()
    with stage.app.app_context():
        waiting = select(func.count(), func.max(Letter.attempts)).where(Letter.state == "pending", Letter.attempts > 0)
        count, tries = db.session.execute(waiting).one()
    refused = stage.sink.tries.total()
    stage.sink.refusal = ""
    stage.finish()
    return [] if 0 < refused <= count * tries else [f"I7 {count} letters were tried {refused} times under 451."]


def _slow(stage: Stage, club: Club, seconds: float) -> float:
    """The relay needs so long for every letter: games go on, and each letter comes once; how long four plies took."""
    stage.sink.slow = seconds
    before, start = len(stage.sink.mails), time.monotonic()
    club.play(4)
    taken = time.monotonic() - start
    patiently(lambda: _arrived(stage) >= before + 2, "slow letters arrive")
    stage.sink.slow = 0.0
    # else the one that the relay is still at would count as a dead sender's, for whose end the clock is moved
    patiently(lambda: not stage.count(Letter, Letter.state == "claimed"), "the relay has taken its last slow letter")
    stage.finish()
    return taken


def _arrived(stage: Stage) -> int:
    """How many mails came; messages go out for what is due."""
    stage.sweep()
    return len(stage.sink.mails)


def _refused_for_good(stage: Stage, club: Club, mailer: Process) -> list[str]:
    """One player's address is refused: it is marked, their game's clock rests, all others get their mail."""
    mailer.hold(signal.SIGSTOP)  # no letter of the new game leaves before it is known who is refused
    victim = club.open(1)[0]
    with stage.app.app_context():
        query = select(Player.address).join(Seat, Seat.player_id == Player.id).where(Seat.game_id == victim)
        addresses = [address or "" for address in db.session.execute(query.order_by(Seat.seat)).scalars()]
        asked = {one.seat for one in club.questions([victim])}
        address = addresses[min(asked)]
    stage.sink.refused[address] = "550 5.1.1 no such user"
    since = clock.now()
    mailer.hold(signal.SIGCONT)

    def is_marked() -> bool:
        stage.sweep()
        with stage.app.app_context():
            found = db.session.execute(select(Player.address_state).where(Player.address == address))
            return found.scalar_one() == "bounced"

    patiently(is_marked, "the refused address is marked")
    before = len(stage.sink.mails)
    club.play(2, club.games[:-1])
    stage.settle()
    with stage.app.app_context():
        due = db.session.get_one(Game, victim).due_at
    runs = due is None or due < since + delivery_clock.MOST_STILL
    found = [f"The clock of game {victim} runs for a player who can't be reached."] if runs else []
    return found + (["Nobody else got mail."] if len(stage.sink.mails) <= before else [])
