"""Acts that ask before they are done: for a yes where nobody can take them back, for a mailed code, for no program.

A door says once by what its requests act (`begin`); each use case of `ACTS` asks that itself: for proof before all
else, for a yes at its end. So page, call and command can't differ, and a door that forgets it does no act at all.
A door that asks people for their proof may let the act go on first, so that nobody is asked for what is then refused:
until the proof is there, that transaction can't be committed (`defer`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec
from sqlalchemy import event, select
from sqlalchemy.orm import Session, SessionTransaction

from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.errors import NeedsCode, Overtaken
from pbem.store.models import Seat
from pbem.structs import mark_of


class Proof(Enum):
    """What an act asks of who wants it done."""

    LINK = "whatever lets its holder act, be it the link of a forwarded letter"
    KEY = "a code mailed within the hour, or a program's key, which was made with one"
    CODE = "a code mailed within the hour; no key, for it gives or takes what outlives the key"
    NEW_CODE = "a code mailed for this act alone"


class GuardedAct(NamedTuple):
    """An act that asks."""

    proof: Proof
    does: str = ""
    """What it does and nothing undoes, which is told before; empty for what can be taken back."""
    tells: bool = False
    """Whether what it refuses tells of other people, so that it isn't tried before the proof is there."""


_LEAVES = N_(
    "{person} leaves {club}, its seasons and its games that have not begun; only an invitation brings them back."
)
_FORGETS = N_("{person} is forgotten for good: no backup of this server brings them back here.")
ACTS: Mapping[str, GuardedAct] = {
    "organise": GuardedAct(Proof.KEY),
    "start": GuardedAct(
        Proof.KEY, N_("The sign-up of {season} closes for good, and its first tables get their letters.")
    ),
    "finish": GuardedAct(
        Proof.KEY,
        N_("No table of {season} opens any more, and its standings are final. Games under way go on, but don't count."),
    ),
    "drop": GuardedAct(
        Proof.LINK,
        N_("{season} has begun: who drops out now is out of it for good. Games under way stay theirs to finish."),
    ),
    "fill": GuardedAct(Proof.KEY, N_("Bots take the free seats of {title}, and it begins.")),
    "call-off": GuardedAct(Proof.KEY, N_("{title} is closed for good, and whoever has a seat is told so.")),
    "fresh": GuardedAct(
        Proof.KEY, N_("Whoever has that seat of {title} is shut out until they follow the link of a new letter.")
    ),
    "take-out": GuardedAct(Proof.KEY, _LEAVES),
    "appoint": GuardedAct(Proof.CODE),
    "webhook": GuardedAct(Proof.CODE),
    "close": GuardedAct(Proof.CODE),
    "forget-box": GuardedAct(
        Proof.CODE, N_("The numbers that were entered for this club are forgotten: save them as a file before.")
    ),
    "leave": GuardedAct(Proof.CODE, _LEAVES),
    "resign": GuardedAct(
        Proof.CODE,
        N_("You leave {title} for good. The cautious bot plays on until the organiser has found a substitute."),
    ),
    "sitter": GuardedAct(Proof.CODE),
    "end-game": GuardedAct(Proof.LINK, N_("{title} ends here for good, once everybody has agreed.")),
    "key": GuardedAct(Proof.CODE),
    "address": GuardedAct(Proof.CODE),
    "export": GuardedAct(Proof.CODE),
    "revoke-links": GuardedAct(
        Proof.CODE,
        N_("Every browser, link and key of {person} is shut out until they follow the link of a new letter."),
    ),
    "mend-address": GuardedAct(
        Proof.CODE, N_("All mail of {person} goes to {address} from now on, and its reader acts for them.")
    ),
    "erase": GuardedAct(Proof.CODE, _FORGETS),
    "erase-oneself": GuardedAct(Proof.NEW_CODE, _FORGETS),
    "operate": GuardedAct(Proof.CODE, tells=True),
}
"""By name, what each asks. Closing a club asks for its name instead of a yes, a look at secrets for its own code."""
_CREDENTIAL = "credential"
"""The key in `session.info`: by what this unit of work acts."""
_OPENED = "opened"
"""The key in `session.info`: the marks of what was shown to whom that acts."""
_LACKING = "lacking"
"""The key in `session.info`: whose proof this transaction lacks."""


class Credential(Protocol):
    """By what somebody acts, as a door knows it."""

    def prove(self, player_id: int, asks: GuardedAct) -> None:
        """Go on only where this is proof enough, or may be given after (`defer`). Raises NeedsCode or NotAllowed."""

    def agree(self, *does: Message) -> None:
        """Go on only where somebody has said yes to all that an act does. Raises NeedsYes, or asks by itself."""


def begin(session: Session, credential: Credential, opened: Collection[str] = ()) -> None:
    """Say by what this unit of work acts; of one that saves all it was shown, the marks of what that may have been."""
    session.info.update({_CREDENTIAL: credential, _OPENED: opened})


def require_as_opened(session: Session, before: object, after: object) -> None:
    """Let a request change what it saves only if that was as it was shown; one that says nothing of it may.

    A use case ends with it, and has locked what it read. Raises Overtaken; the caller rolls back.
    """
    opened = session.info.get(_OPENED)
    if opened and before != after and mark_of(before) not in opened:
        values = msgspec.to_builtins(before)
        words = values.values() if isinstance(values, dict) else (values,)
        now = tuple(word for word in words if isinstance(word, str) and word)
        raise Overtaken(SAVED_ANEW, *((sentence("Saved now: {new}.", new=now),) if now else ()))


SAVED_ANEW = N_(
    "This was saved anew since you opened it, so nothing is changed now. Send yours again to put it in its place."
)


def defer(session: Session, player_id: int) -> None:
    """Go on without the person's proof: what the transaction does can be refused or rolled back, but not committed."""
    session.info[_LACKING] = player_id


def lacking(session: Session) -> int | None:
    """Return whose proof the transaction at hand lacks; None where it lacks none."""
    player_id: int | None = session.info.get(_LACKING)
    return player_id


@event.listens_for(Session, "before_commit")
def _withhold(session: Session) -> None:
    """Commit nothing that lacks its proof. Raises NeedsCode."""
    if lacking(session) is not None and not session.in_nested_transaction():
        raise NeedsCode


@event.listens_for(Session, "after_transaction_end")
def _forget(session: Session, transaction: SessionTransaction) -> None:
    """What was rolled back needs no proof."""
    if transaction.parent is None:
        session.info.pop(_LACKING, None)


def _credential(session: Session) -> Credential:
    """By what this unit of work acts. Raises RuntimeError where nothing is said: a job or a mail does none of these."""
    found: Credential | None = session.info.get(_CREDENTIAL)
    if found is None:
        raise RuntimeError("No door has said by what it acts, so nothing is done: it calls acts.begin before.")
    return found


def require_proof(session: Session, act: str, player_id: int) -> None:
    """Go on only if the person may have the act done by what they act by. Raises NeedsCode, or NotAllowed for a key.

    A use case begins with it, before it locks anything: a code that was given is committed.
    """
    asks, credential = ACTS[act], _credential(session)
    if asks.proof is not Proof.LINK:
        credential.prove(player_id, asks)


def require_proof_of_owner(session: Session, act: str, seat_id: int) -> None:
    """Go on only if whoever has the seat may have the act done. Raises as `require_proof`."""
    require_proof(session, act, session.scalar(select(Seat.player_id).where(Seat.id == seat_id)) or 0)


def require_yes(session: Session, act: str, *besides: Message, **holes: Param) -> None:
    """Go on only if somebody has said yes to what the act does, and does `besides`, to what fills its holes.

    A use case ends with it, so that what can't be done is refused before anybody is asked. Raises NeedsYes; the caller
    rolls back.
    """
    _credential(session).agree(Message(ACTS[act].does, holes), *besides)
