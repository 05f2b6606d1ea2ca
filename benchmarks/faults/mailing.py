"""Faults of mail on its way out: killed senders, lost answers, relays that are down, slow or refuse."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from benchmarks.faults.checker import Allowed, check, told
from benchmarks.faults.fault import Outcome
from benchmarks.faults.players import Club
from pbem.extensions import db
from pbem.store.tables import Game, Player, Seat
from tests.servers import until

if TYPE_CHECKING:
    from benchmarks.faults.stage import Stage


def killed_senders(stage: Stage, rounds: int) -> Outcome:
    """F4: the sender is killed between the relay's 250 and its own note of it: one more copy, the same Message-ID."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(2 + rounds // 20)
    for _ in range(rounds):
        stage.arm("mailer-after-250")
        until(lambda: _played(stage, club) and stage.has_struck("mailer-after-250"), "a sender is killed", 60)
    stage.settle()
    extra = _extra(stage)
    faults = check(club, Allowed(copies=2))
    if extra > rounds:
        faults.append(f"{extra} letters arrived more than once, {rounds} senders were killed.")
    return Outcome(faults, {"doubled": extra, "mails": len(stage.sink.mails), **told(club.history)})


def _played(stage: Stage, club: Club) -> bool:
    club.answer_all()
    stage.sweep()
    return True


def _extra(stage: Stage) -> int:
    return sum(times - 1 for times in stage.sink.copies().values())


def lost_answers(stage: Stage, rounds: int) -> Outcome:
    """F5: the relay takes one mail in ten and is cut off before it can say so."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(3)
    stage.sink.lose = 0.1
    until(lambda: _played(stage, club) and len(stage.sink.mails) >= 10 * rounds, "enough mails", 60 + 10 * rounds)
    stage.sink.lose = 0.0
    stage.settle()
    faults = check(club, Allowed(copies=3))
    if _extra(stage) > stage.sink.lost:
        faults.append(f"{_extra(stage)} extra copies after {stage.sink.lost} lost answers.")
    return Outcome(faults, {"mails": len(stage.sink.mails), "lost": stage.sink.lost, "extra": _extra(stage)})


def bad_relay(stage: Stage, rounds: int) -> Outcome:
    """F6: the relay is down for 30 minutes, says 451, takes its time, and refuses one player for good."""
    stage.cast("worker", "mailer", "web")
    club = Club(stage)
    club.open(3)
    stage.sink.down()
    _half_an_hour(stage, club)
    stage.sink.up()
    stage.settle()
    stage.sink.refusal = "451 4.3.0 try again later"
    club.play(4)
    stage.sink.refusal = ""
    stage.settle()
    stage.sink.slow = 30.0 if rounds > 1 else 3.0
    start = time.monotonic()
    club.play(4)
    slow = time.monotonic() - start
    stage.sink.slow = 0.0
    stage.settle()
    faults = check(club, Allowed(copies=2)) + _refused_for_good(stage, club)
    if slow > 5 * stage.sink.slow + 20:
        faults.append(f"Four plies took {slow:.0f} s while the relay was slow.")
    return Outcome(faults, {"slow_s": round(slow, 1), "mails": len(stage.sink.mails), **told(club.history)})


def _half_an_hour(stage: Stage, club: Club) -> None:
    """Ten steps of three minutes, with people playing."""
    for _ in range(10):
        stage.move(180)
        stage.sweep()
        club.play(1)


def _refused_for_good(stage: Stage, club: Club) -> list[str]:
    """One player's address is refused: it is marked, their game's clock stands still, all others get their mail."""
    victim = club.open(1)[0]
    with stage.app.app_context():
        query = select(Player.address).join(Seat, Seat.player_id == Player.id).where(Seat.game_id == victim)
        addresses = [address or "" for address in db.session.execute(query).scalars()]
        asked = {one.seat for one in club.questions([victim])}
        address = addresses[min(asked)]
    stage.sink.refused[address] = "550 5.1.1 no such user"
    stage.sweep()

    def is_marked() -> bool:
        stage.sweep()
        with stage.app.app_context():
            found = db.session.execute(select(Player.address_state).where(Player.address == address))
            return found.scalar_one() == "bounced"

    until(is_marked, "the refused address is marked", 60)
    before = len(stage.sink.mails)
    club.play(2, club.games[:-1])
    stage.settle()
    with stage.app.app_context():
        due = db.session.get_one(Game, victim).due_at
    found = [f"The clock of game {victim} runs for a player who can't be reached."] if due is not None else []
    return found + (["Nobody else got mail."] if len(stage.sink.mails) <= before else [])
