"""Moving a running game to another version of its rules: only if those would have played it the same so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy.orm import Session

from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import Message, Param, sentence
from pbem.engine.core.types import AnyRules
from pbem.engine.registry import rules_of
from pbem.errors import GameOver, NotAllowed
from pbem.play.proof.replay_audit import audit
from pbem.play.views.game_context import locked_game, state_of
from pbem.store.models import Game, OpenDecision
from pbem.store.queries import common


def migrate(session: Session, game_id: int, version: int | None = None) -> int:
    """Play a game by rules `version` (None: the newest) from now on; return the version.

    The game is replayed by those rules, so that its whole record stays true. Raises NotSeated, UnknownVersion,
    GameOver, or NotAllowed naming the first thing that would differ.
    """
    game = locked_game(session, game_id)
    if game.state.is_over:
        raise GameOver("This game is over; it stays on the rules it was played by.")
    rules = rules_of(game.game, version)
    wanted = rules.meta.version
    if wanted == game.rules_version:
        raise NotAllowed("This game is played by rules version {version} already.", version=wanted)
    fault = next(_differences(session, game, rules), None)
    if fault is not None:
        said = sentence(
            "By rules version {version} this game would have gone otherwise, so it keeps its own:", version=wanted
        )
        raise NotAllowed(said, fault)
    game.rules_version = wanted
    game.version += 1  # an order on its way was read by the rules before
    return wanted


def _differences(session: Session, game: Game, rules: AnyRules) -> Iterator[Message]:
    """What the rules make differently of the plies played, the questions asked and the answers that wait for others."""
    for fault in audit(session, game.id, rules.meta.version).faults:
        yield Message("{fault}", {"fault": fault})
    for snapshot, decision, text in common.answers(session, game.id, game.ply):
        if decision is not None:
            yield from _asked_otherwise(rules, state_of(rules, snapshot), decision, text or "")


def _asked_otherwise(rules: AnyRules, state: Any, decision: OpenDecision, text: str) -> Iterator[Message]:
    asked = rules.asked(state)
    names: dict[str, Param] = {"number": decision.seat, "kind": decision.kind}
    if decision.seat not in asked or asked[decision.seat].kind != decision.kind:
        yield sentence("Seat {number} would not be asked for {kind}.", **names)
    elif text and not decision.sealed and not _is_legal(rules, state, decision.seat, text):
        yield sentence("The answer of seat {number} would not be legal.", **names)


def _is_legal(rules: AnyRules, state: Any, seat: int, text: str) -> bool:
    try:
        return not rules.check(state, seat, rules.read(state, seat, text))
    except EngineError:
        return False
