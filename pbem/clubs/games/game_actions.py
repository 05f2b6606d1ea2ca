"""What an organiser does to one game at its desk, by the word for it; every door offers the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.clubs.games import bulk_opening
from pbem.clubs.members import members
from pbem.engine.core.types import N_, Message
from pbem.errors import NotAllowed, WrongInput
from pbem.play.admin import game_admin
from pbem.play.seats import recruitment, substitutes
from pbem.play.views.game_context import table_of
from pbem.store.models import GameState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from pbem.play.admin.game_admin import AdminAction


class GameAction(msgspec.Struct, frozen=True, kw_only=True):
    """One act, with what it needs."""

    act: str
    """pause, go-on, take-up, extend, replace, fresh; before the game begins: extend, replace, call-off."""
    hours: int = 0
    """For `extend`."""
    seat: int = -1
    """For `replace` and `fresh`."""
    who: str = ""
    """For `replace`: a member's number, or a bot as `bot:heuristic`. Before the game begins members are invited."""


def carry_out(session: Session, deed: AdminAction, wish: GameAction) -> None:
    """Do it and log it. Raises WrongInput for an unknown act, and what the act raises."""
    act = _ACTS.get(wish.act)
    if act is None:
        raise WrongInput(Message(N_("Press one of the buttons of this page.")))
    act(session, deed, wish)


def successors(session: Session, deed: AdminAction) -> tuple[members.MemberSummary, ...]:
    """Who can take over a seat: the members of the game's club."""
    return members.members(session, deed.game.club_id) if deed.game.club_id is not None else ()


def _replace(session: Session, deed: AdminAction, wish: GameAction) -> None:
    """Give a seat to a bot, or to the member of the club with this number. Raises NotAllowed for who plays there."""
    waits = deed.game.state == GameState.OPEN
    if not waits and any(player.id == deed.by.id for player in table_of(session, deed.game).players.values()):
        raise NotAllowed(
            Message(N_("You play in this game: another organiser gives a seat away, or the players' vote does."))
        )
    if wish.who.startswith(bulk_opening.BOT):
        bot = wish.who.removeprefix(bulk_opening.BOT)
        if waits:
            recruitment.put(session, deed, wish.seat, bot=bot)
        else:
            substitutes.put_bot(session, deed.now, deed.game.id, wish.seat, bot, deed.by.id, deed.reason)
        return
    if wish.who not in {str(member.player_id) for member in successors(session, deed)}:
        raise WrongInput(Message(N_("Pick somebody of the list to take over the seat.")))
    if waits:
        recruitment.put(session, deed, wish.seat, player_id=int(wish.who))
    else:
        substitutes.replace(session, deed.now, deed.game.id, wish.seat, int(wish.who), deed.by.id, deed.reason)


_ACTS: Mapping[str, Callable[[Any, Any, GameAction], None]] = {
    "pause": lambda session, deed, _: game_admin.pause(session, deed),
    "go-on": lambda session, deed, _: game_admin.go_on(session, deed),
    "take-up": lambda session, deed, _: game_admin.take_up(session, deed),
    "extend": lambda session, deed, wish: game_admin.extend(session, deed, wish.hours),
    "replace": _replace,
    "call-off": lambda session, deed, _: recruitment.call_off(session, deed),
    "fresh": lambda session, deed, wish: game_admin.fresh_link(session, deed, wish.seat),
}
