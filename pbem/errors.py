"""Why a player's or an organiser's wish can't be done now: a closed set, each with the sentences the person reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pbem.engine.core.message import Message, sentence


class PlayError(Exception):
    """A refusal with one or more sentences, made the same way as the engine's refusals."""

    def __init__(self, *faults: Message | str, **holes: Any) -> None:
        """Keep `faults`, all of them, in the order they were found; what is only a text is filled with `holes`."""
        self.faults = tuple(sentence(fault, **holes) if isinstance(fault, str) else fault for fault in faults)
        super().__init__(" ".join(str(fault) for fault in self.faults))


class NotSeated(PlayError):
    """The link or person has no such seat: unknown, expired, revoked and foreign look the same."""


class NotAllowed(PlayError):
    """The person is known but hasn't the right to this act."""


class NeedsAnswer(PlayError):
    """Something is asked before the act is done; the same form goes on with the answer."""


class NeedsYes(NeedsAnswer):
    """The act can't be taken back, and nobody has said yet that it is meant; the fault says what it does."""


class NeedsCode(NeedsAnswer):
    """The act needs a mailed code first; the faults say what was wrong with one that was given."""


class NotAwaited(PlayError):
    """The seat isn't asked anything now."""


class StalePhase(PlayError):
    """The order answers a question of an earlier ply."""


class Overtaken(PlayError):
    """What a form shows whole was saved anew since it was opened; the faults say what it is now."""


class PhaseClosed(PlayError):
    """The ply was resolved while the order was on its way, or the game is paused or stuck."""


class GameOver(PlayError):
    """The game has ended, so nothing that would go into it counts."""


class Repeated(PlayError):
    """A program's call with the same mark was carried out before."""


class NotOpen(PlayError):
    """The game takes no more players, or hasn't started yet."""


class TooLate(PlayError):
    """What was done can't be taken back any more."""


class WrongInput(PlayError):
    """A value given for opening a game, a setting or an absence can't be used."""


def nobody() -> NotSeated:
    """Return the one refusal for every link that leads to no seat."""
    return NotSeated("This link leads to no seat of yours. Ask for a fresh one.")


def not_listed(called: int | str) -> WrongInput:
    """Return the one refusal for what is to be ended or taken away, but never was there or is somebody else's.

    What has ended already stays as it ended, so that who asks twice is answered as before.
    """
    return WrongInput("{word!r} is not in the list, or not any more. Pick one that is.", word=called)


def fitting(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters. Raises WrongInput for a longer one: what was typed is never cut."""
    if len(text) > limit:
        raise WrongInput(
            "{word!r} has {length} characters; at most {limit} fit here: shorten it.",
            word=text,
            length=len(text),
            limit=limit,
        )
    return text


def refusals(read: Callable[..., object], *what: object) -> tuple[Message, ...]:
    """Return why `read` refuses a value; empty where it doesn't."""
    try:
        read(*what)
    except PlayError as refusal:
        return refusal.faults
    return ()


def raise_for(faults: Iterable[Message]) -> None:
    """Raise WrongInput with all of these faults; nothing if there is none."""
    found = tuple(faults)
    if found:
        raise WrongInput(*found)
