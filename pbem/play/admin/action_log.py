"""What was done at a table outside the rules, by whom and why: one list, read by everybody who plays there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import StalePhase, fitting
from pbem.messages import clean, person_name
from pbem.store.models import Audit, Game, Letter, Player
from pbem.store.queries import common
from pbem.structs import Value

LISTED = 50
"""Entries shown, the newest."""
REASON = 500
"""Characters of a reason that are kept."""


class Act(NamedTuple):
    """Something done outside the rules."""

    said: str = ""
    """How everybody at the table reads it; "" for what is no table's matter."""
    in_letters: bool = False
    """Whether a letter about the game tells it; a change of players has letters of its own."""


ACTS: Mapping[str, Act] = {
    "pause": Act(N_("{who} paused the game."), in_letters=True),
    "resume": Act(N_("{who} took the game up again."), in_letters=True),
    "extend": Act(N_("{who} moved the deadline."), in_letters=True),
    "merge": Act(N_("{who} moved the deadline to that of other games."), in_letters=True),
    "nudge": Act(N_("{who} reminded those who are awaited.")),
    "take-up": Act(N_("{who} set the game going again after a fault."), in_letters=True),
    "fresh": Act(N_("{who} sent a player a fresh link.")),
    "call-off": Act(N_("{who} called the game off before it began.")),
    "seat-bot": Act(N_("{who} gave a free seat to a bot.")),
    "seat-invited": Act(N_("{who} invited somebody to a free seat.")),
    "fill": Act(N_("{who} gave the free seats to bots.")),
    "filled": Act(N_("The wait for players was over: bots took the free seats.")),
    "not-filled": Act(N_("The wait for players was over: the game was called off.")),
    "undo": Act(N_("{who} took back what had just been done."), in_letters=True),
    "resign": Act(N_("{who} left the game.")),
    "put-bot": Act(N_("{who} gave the seat of {seat} to a bot.")),
    "replace": Act(N_("{who} gave the seat of {seat} to another player.")),
    "vote-out": Act(N_("The other players voted to give the seat of {seat} to a substitute.")),
    "seek": Act(N_("{who} is looking for somebody to take over {seat}."), in_letters=True),
    "look-view": Act(N_("{who} looked at what only {seat} may see."), in_letters=True),
    "look-orders": Act(N_("{who} looked at the order that {seat} has given."), in_letters=True),
    "look-standing": Act(N_("{who} looked at the standing orders of {seat}."), in_letters=True),
    **dict.fromkeys(("announce", "box", "close", "role", "settings", "take-out", "try-webhook", "webhook"), Act()),
    **{f"operator-{act}": Act() for act in ("address", "erase", "link", "retry-letters", "retry-webhook", "revoke")},
}
"""Every act by the name it is called, logged, read and taken back under: of a game, of a club, of the operator."""
LOOKS = tuple(act for act in ACTS if act.startswith("look-"))
_CHANGES = ("resign", "put-bot", "replace", "vote-out")
"""By which a seat changes hands: who had it then is who resigned, or whom the entry names (`was`)."""
_IN_LETTERS = tuple(name for name, act in ACTS.items() if act.in_letters)


class AdminAction(Value, kw_only=True):
    """Something an organiser does by hand: when, to which game, who, and why."""

    now: datetime
    game: Game
    by: Player
    reason: str = ""


class LogEntry(Value, kw_only=True):
    """One thing that was done."""

    at: datetime
    by: str
    act: str
    said: Message
    reason: str


def note(  # noqa: PLR0913 - who did what to whom, and why
    session: Session,
    now: datetime,
    act: str,
    *,
    by: int | None,
    club_id: int | None = None,
    game_id: int | None = None,
    reason: str = "",
    undo_until: datetime | None = None,
    **details: Any,
) -> Audit:
    """Enter one of `ACTS` and return its row; `by` None: the server did it by itself."""
    row = Audit(
        at=now,
        player_id=by,
        club_id=club_id,
        game_id=game_id,
        act=act,
        reason=fitting(reason.strip(), REASON),
        details=details,
        public=bool(ACTS[act].said),
        undo_until=undo_until,
    )
    session.add(row)
    session.flush()
    return row


def write(  # noqa: PLR0913 - who did what where, and why
    session: Session, now: datetime, game: Game, act: str, *, by: int | None, reason: str = "", **details: Any
) -> Audit:
    """Enter one of `ACTS` into a table's journal, and return its row."""
    return note(session, now, act, by=by, club_id=game.club_id, game_id=game.id, reason=reason, **details)


def entries(session: Session, game_id: int, limit: int = LISTED) -> tuple[LogEntry, ...]:
    """Return what was done at a table, the newest first."""
    return _read(session, Audit.game_id == game_id, limit=limit)


def news(session: Session, letter: int, player_id: int, game_id: int) -> tuple[LogEntry, ...]:
    """Return what was done since the last letter about the game that reached a person before `letter`, oldest first."""
    before = select(func.max(Letter.created_at)).where(
        Letter.player_id == player_id, Letter.game_id == game_id, Letter.id < letter, Letter.state == "sent"
    )
    since = session.execute(before).scalar_one()
    fresh = (Audit.at > since,) if since is not None else ()
    return _read(session, Audit.game_id == game_id, Audit.act.in_(_IN_LETTERS), *fresh)[::-1]


def newest(session: Session, *games: int) -> int:
    """Return the number of what was done last at these tables, which a page shows that is opened now; 0 for nothing."""
    return session.execute(select(func.max(Audit.id)).where(Audit.game_id.in_(games))).scalar_one() or 0


def done_since(session: Session, seen: int, by: int, *games: int) -> tuple[Message, ...]:
    """Return what others than `by` did at these tables since `seen`, the newest entry that was shown; oldest first."""
    unseen = Audit.player_id.is_distinct_from(by)
    found = _read(session, Audit.game_id.in_(games), Audit.id > seen, unseen)
    return tuple({str(entry.said): entry.said for entry in found[::-1]}.values())


def require_seen(session: Session, action: AdminAction, seen: int) -> None:
    """Lock a game; raise StalePhase with what others did there since `seen`, the newest entry that was shown."""
    common.lock_game(session, action.game.id)
    since = done_since(session, seen, action.by.id, action.game.id)
    if since:
        raise StalePhase(*since, Message(_UNSEEN))


_UNSEEN = N_("You hadn't seen that yet, so nothing was done now. Press the button again if it is still meant.")


def told(entry: LogEntry) -> tuple[Message, ...]:
    """Return an entry as letters tell it: what was done, and the reason where one was given."""
    reason = clean(entry.reason, REASON)
    return (entry.said, *((sentence("The reason given: {reason}", reason=reason),) if reason else ()))


def _read(session: Session, *which: Any, limit: int = LISTED) -> tuple[LogEntry, ...]:
    rows = session.execute(
        select(Audit, Player.name).outerjoin(Player).where(Audit.public, *which).order_by(Audit.id.desc()).limit(limit)
    )
    found = rows.all()
    names = _names(session, [row.details["was"] for row, _ in found if "was" in row.details])
    return tuple(entry_of(row, name or "", names) for row, name in found)


def _names(session: Session, held: Sequence[int | str]) -> dict[int | str, str]:
    """Return what those who had seats are called: persons by their numbers, bots by their names."""
    people = [one for one in held if isinstance(one, int)]
    rows = session.execute(select(Player.id, Player.name).where(Player.id.in_(people))).all() if people else ()
    return {one: one for one in held if isinstance(one, str)} | {row.id: person_name(row.name) for row in rows}


def entry_of(row: Audit, name: str, names: Mapping[int | str, str]) -> LogEntry:
    """Return a row for its readers: `name` did it, and `names` are what those who had a seat are called."""
    details: Mapping[str, Any] = row.details
    holes: dict[str, Any] = {"who": name} | ({"seat": details["seat"]} if "seat" in details else {})
    if "was" in details:  # who has the seat now is somebody else
        holes["seat"] = names[details["was"]]
    return LogEntry(
        at=row.at, by=name, act=row.act, said=Message(ACTS.get(row.act, Act(row.act)).said, holes), reason=row.reason
    )


class Handover(Value):
    """Somebody had a seat up to a ply, and somebody else after it."""

    ply: int
    seat: int
    who: int | str
    """A person's number, or what a bot is called."""
    name: str


def handovers(session: Session, game_id: int) -> tuple[Handover, ...]:
    """Return who had seats of a game that others have since, oldest first."""
    wanted = (Audit.game_id == game_id, Audit.act.in_(_CHANGES))
    rows = session.scalars(select(Audit).where(*wanted).order_by(Audit.id)).all()
    held = [(row.details, (row.player_id if row.act == "resign" else row.details.get("was")) or "") for row in rows]
    names = _names(session, [was for _, was in held])
    return tuple(Handover(one["ply"], one["seat"], was, names[was]) for one, was in held if names.get(was))


def held_before(session: Session, game_id: int, seat: int) -> dict[int, int]:
    """Return the persons who left a seat of a game under way or lost it, and the ply after which they last did."""
    held = (one for one in handovers(session, game_id) if one.seat == seat)
    return {one.who: one.ply for one in held if isinstance(one.who, int)}


def has_looked(session: Session, game_id: int, player_id: int) -> bool:
    """Return whether a person has looked at something hidden of a game: they can't play in it any more."""
    return common.is_any(session, Audit.game_id == game_id, Audit.player_id == player_id, Audit.act.in_(LOOKS))
