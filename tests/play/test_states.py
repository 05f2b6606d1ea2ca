"""What can be done in which state of a game or season: each function that takes one, a seat or a letter about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.clubs.seasons import seasons
from pbem.play.seats.proposals import ProposalPlan
from pbem.store.models import Game, GameState, Member, Season
from tests.security.test_neighbours import OF_ONE, calls, fill, world

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.security.test_neighbours import Call

ROOMS = ("pbem.play.", "pbem.clubs.", "pbem.capabilities.")
WHEN = {
    "+ open running, - paused stuck finished ended withdrawn": ("pbem.play.admin.game_admin:extend",),
    "- open paused stuck finished ended withdrawn, + running": ("pbem.play.admin.game_admin:pause",),
    "- open running stuck finished ended withdrawn, + paused": ("pbem.play.admin.game_admin:resume",),
    "- open running paused finished ended withdrawn, + stuck": (
        "pbem.play.admin.game_admin:retry",
        "pbem.play.turns.stuck:unstick",
    ),
    "+ open running paused stuck withdrawn, - finished ended": (
        "pbem.play.orders.standing_orders:store",
        "pbem.play.orders.standing_orders:trial",
    ),
    "- open paused stuck, + running, - finished ended withdrawn": ("pbem.play.orders.submission:preview",),
    "- open running paused stuck withdrawn, + finished ended": (
        "pbem.play.proof.snapshots:drop",
        "pbem.play.seats.rematch:open_rematch",
        "pbem.play.views.look_back:steps_of",
    ),
    "+ open, - running paused stuck finished ended withdrawn": (
        "pbem.play.seats.opening:take_seat",
        "pbem.play.seats.recruitment:call_off",
        "pbem.play.seats.recruitment:give_up",
        "pbem.play.seats.recruitment:wait_longer",
    ),
    "- open finished ended withdrawn, + running paused stuck": (
        "pbem.play.seats.proposals:propose",
        "pbem.play.seats.substitutes:put_bot",
        "pbem.play.seats.substitutes:resign",
    ),
    "- open, - running paused stuck finished ended withdrawn": (
        "pbem.play.seats.recruitment:fill_up",
        "pbem.play.seats.recruitment:put",
    ),
    "- open finished ended withdrawn, - running paused stuck": (
        "pbem.play.seats.substitutes:replace",
        "pbem.play.seats.substitutes:take_over",
    ),
    "- open running paused stuck, - finished ended withdrawn": ("pbem.play.seats.sitters:appoint",),
    "- open running paused stuck withdrawn, - finished ended": ("pbem.play.turns.rules_migration:migrate",),
}
"""How the states part, + where it is done and - where it is refused, and of which functions.

For all others each state is as good as another. The game has all its players, so that one more is always refused, in
other words.
"""


LEAVES = {
    ("open", "withdrawn"): {"pbem.play.seats.recruitment:call_off"},
    ("running", "paused"): {"pbem.play.admin.game_admin:pause"},
    ("paused", "running"): {"pbem.play.admin.game_admin:resume"},
    ("stuck", "running"): {
        "pbem.play.admin.game_admin:retry",
        "pbem.play.orders.takeback:restore",
        "pbem.play.turns.stuck:unstick",
    },
}
"""What takes a game from one state to another. All else leaves it as it is, so does going back a paused one."""
ASIDE = "pbem.play.turns.stuck:set_aside"
"""Takes a game from any state: whoever calls it knows that it runs."""


SEASONS = {
    "+ open, - running finished": ("pbem.clubs.seasons.seasons:enter", "pbem.clubs.seasons.seasons:start"),
    "+ open running, - finished": ("pbem.clubs.seasons.seasons:finish",),
}
"""The same of a season's states."""
SEASONS_LEAVE = {
    ("open", "running"): {"pbem.clubs.seasons.seasons:start"},
    ("open", "finished"): {"pbem.clubs.seasons.season_end:finish", "pbem.clubs.seasons.seasons:finish"},
    ("running", "finished"): {"pbem.clubs.seasons.season_end:finish", "pbem.clubs.seasons.seasons:finish"},
}


@pytest.mark.parametrize(
    ("kind", "about", "states", "listed", "leaves"),
    [
        (Game, {"games", "seats", "invitations", "proposals"}, tuple(GameState), WHEN, LEAVES),
        (Season, {"seasons"}, ("open", "running", "finished"), SEASONS, SEASONS_LEAVE),
    ],
    ids=["game", "season"],
)
def test_each_state_allows_and_leaves_what_is_listed(
    session: Session,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[Game | Season],
    about: set[str],
    states: tuple[str, ...],
    listed: dict[str, tuple[str, ...]],
    leaves: dict[tuple[str, str], set[str]],
) -> None:
    """A function that minds or changes a state and is not listed fails, as does one that does so with another."""
    known = world(session, now) | {"plan": ProposalPlan(kind="end"), "bot": "random"}
    plan = seasons.SeasonPlan(name="Spring", titles=(seasons.Title("priestsofra", 2),))
    known["season_id"] = seasons.announce(session, now, known["club_id"], known["by"], plan).id
    for player_id in session.scalars(select(Member.player_id).where(Member.club_id == known["club_id"])).all():
        seasons.enter(session, now, known["season_id"], player_id)
    session.commit()
    fill(session, now)
    monkeypatch.setattr(session, "commit", session.flush)  # what a call does is undone
    made = [call for call in calls(session, known) if call.about & about and call.name.startswith(ROOMS)]
    answers: dict[str, dict[str, list[str]]] = {
        call.name: {} for call in made if ":_" not in call.name and OF_ONE not in call.name
    }
    left: dict[tuple[str, str], set[str]] = {}
    for state in states:
        session.execute(update(kind).values(state=state))
        for call in [call for call in made if call.name in answers]:
            answer, after = _answer(session, call, kind)
            answers[call.name].setdefault(answer, []).append(state)
            if after not in {"", state} and call.name != ASIDE:
                left.setdefault((state, after), set()).add(call.name)
    session.rollback()

    parts = {
        name: ", ".join(f"{said[0]} {' '.join(states)}" for said, states in by.items())
        for name, by in answers.items()
        if len(by) > 1
    }
    assert parts == {name: states for states, names in listed.items() for name in names}
    assert left == leaves


def _answer(session: Session, call: Call, kind: type[Game | Season]) -> tuple[str, str]:
    """+ for a call that is done, - and the words for one that refuses, by raising or in what it gives.

    And the state in which a done one leaves the game or season.
    """
    session.expire_all()
    with session.begin_nested() as inner:
        try:
            given = call.deed(session, **{name: make() for name, make in call.given.items()})
            session.flush()
            after = session.scalars(select(kind.state).order_by(kind.id)).first() or ""
        except Exception as error:  # noqa: BLE001 - any refusal is an answer
            return f"-{type(error).__name__}: {error}", ""
        finally:
            if inner.is_active:
                inner.rollback()
    faults = getattr(given, "faults", ())
    return f"-{faults}" if faults else "+", after
