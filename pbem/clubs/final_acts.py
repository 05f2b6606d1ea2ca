"""Acts that nobody can take back: what each one does, which page, call and command tell before it is done."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.clubs.games.actions import ACTIONS
from pbem.engine.core.types import N_, Message, Value
from pbem.errors import NeedsYes

FINAL_ACTS: Mapping[str, str] = {
    "start": N_("The sign-up of {season} closes for good, and its first tables get their letters."),
    "finish": N_(
        "No table of {season} opens any more, and its standings are final. Games under way go on, but don't count."
    ),
    "drop": N_("{season} has begun: who drops out now is out of it for good. Games under way stay theirs to finish."),
    "leave": N_(
        "{person} leaves {club}, its seasons and its games that have not begun; only an invitation brings them back."
    ),
    **{name: action.final for name, action in ACTIONS.items() if action.final},
    "resign": N_("You leave {title} for good. The cautious bot plays on until the organiser has found a substitute."),
    "end-game": N_("{title} ends here for good, once everybody has agreed."),
    "forget-box": N_("The numbers that were entered for this club are forgotten: save them as a file before."),
    "revoke-links": N_(
        "Every browser, link and key of {person} is shut out until they follow the link of a new letter."
    ),
    "mend-address": N_("All mail of {person} goes to {address} from now on, and its reader acts for them."),
    "erase": N_("{person} is forgotten for good: no backup of this server brings them back here."),
}
"""By act, what it does and nothing undoes. Closing a club asks for its name instead, a look at secrets for a code."""


def sentence(act: str, **holes: Value) -> Message:
    """Return what the act does, with the names of what it reaches."""
    return Message(FINAL_ACTS[act], holes)


def require_yes(act: str, *, said: bool, **holes: Value) -> None:
    """Go on only for who has said yes to what the act does. Raises NeedsYes, which undoes all of the request and asks.

    So it comes after the act: nobody is asked whether they mean what is refused then.
    """
    if not said:
        raise NeedsYes(sentence(act, **holes))
