"""What is offered of a game that is over: every link leads somewhere, however it came to its end, then and later."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from html import unescape
from itertools import product
from typing import TYPE_CHECKING

import pytest
from msgspec import json
from sqlalchemy import delete, select

from pbem import clock as time
from pbem.capabilities.links import KEPT_AFTER
from pbem.capabilities.tokens import tokens
from pbem.engine.core.types import Outcome
from pbem.engine.registry import GAMES
from pbem.extensions import db, settings
from pbem.letters.context import context
from pbem.letters.delivery import mail_context
from pbem.letters.writer import compose_mail
from pbem.play.admin.action_log import AdminAction
from pbem.play.seats import opening, proposals, recruitment
from pbem.store.models import LIVE, Club, GameState, Letter, Member, Player
from tests import factories
from tests.factories import near_the_end, play_to_the_end
from tests.web.conftest import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Clock
    from tests.web.conftest import Browser, Table


def _played(table: Table) -> None:
    """To its last question."""
    play_to_the_end(table.db.session(), time.now(), table.game)


def _agreed(table: Table) -> None:
    """By a vote of both."""
    session, at = table.db.session(), time.now()
    asked = proposals.propose(session, at, table.game.id, table.alice.player_id, proposals.ProposalPlan(kind="end"))
    proposals.vote(session, at, asked.proposal_id, table.bob.seat_id, yes=True)


def _called_off(table: Table) -> None:
    """Not the table's game, which is played: one that waits for its players is called off."""
    session, at = table.db.session(), time.now()
    alice, bob = (session.get_one(Player, one.player_id) for one in (table.alice, table.bob))
    seats = (opening.SeatPlan(player_id=alice.id, seated=True), opening.SeatPlan(player_id=bob.id, seated=True))
    plan = opening.GamePlan(
        game="priestsofra",
        title="Never",
        seats=(*seats, opening.SeatPlan()),
        organiser_id=alice.id,
        club_id=table.game.club_id,
    )
    table.game = opening.open_game(session, at, plan)
    recruitment.call_off(session, AdminAction(now=at, game=table.game, by=bob))


ENDS = {GameState.FINISHED: _played, GameState.ENDED: _agreed, GameState.WITHDRAWN: _called_off}
"""By state of what is not live, how a game comes to it."""
LATER = {"at once": timedelta(), "once its letters' links are closed": KEPT_AFTER + timedelta(days=1)}
CASES = [(game, state, list(LATER)[at % 2]) for at, (game, state) in enumerate(product(GAMES, ENDS))]
"""Each game with each end, every other one later: so each game and each end is met at once and later."""
_LINK = re.compile(r'(?:href|src)="([^"#]+)|https?://example\.org(?=(/[^\s"<>\]]+))|<id>(http[^<]+)')


def test_every_end_is_walked() -> None:
    """Who adds a state in which a game is over says here how one comes to it; each is met at once and later."""
    assert set(ENDS) == {state for state in GameState if state not in LIVE}
    assert {(state, later) for _, state, later in CASES} == set(product(ENDS, LATER))
    assert {(game, later) for game, _, later in CASES} == set(product(GAMES, LATER))


@pytest.fixture
def club_table(set_table: Callable[..., Table]) -> Callable[..., Table]:
    """Give a function that sets a table in a club which Alice organises, anybody may watch."""

    def made(game: str, *, ends: bool = False) -> Table:
        table = set_table(game=game, **({"here": near_the_end(game, 3)} if ends and game != "egizia" else {"plays": 2}))
        session = table.db.session()
        factories.in_a_club(session, table.game, table.bob.player_id)
        session.add(
            Member(
                club_id=table.game.club_id, player_id=table.alice.player_id, role="organiser", joined_at=factories.START
            )
        )
        session.execute(delete(Letter))
        session.commit()
        return table

    return made


def _letter(letter: Letter) -> str:
    """What a letter says, with its links; nothing of what is dropped, as a call to vote is by now."""
    data = context(db.session(), time.now(), letter)
    if data is None:
        return ""
    raw = compose_mail(data, mail_context(settings(), tokens()), time.now()).raw
    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def _offered(text: str) -> set[str]:
    """The addresses here that a page, a feed or a letter offers."""
    found = {next(filter(None, match)) for match in _LINK.findall(unescape(text))}
    return {re.sub(r"^https?://[^/]+", "", address) for address in found}


def _about(table: Table, address: str) -> bool:
    """Whether an address is the game's own, one position standing for all."""
    numbers = (table.alice.seat_id, table.bob.seat_id)
    own = table.game.slug in address or any(re.search(rf"/seat/{number}\b", address) for number in numbers)
    return own and not re.search(r"/ply/(?!0\b)\d", address)


def _opened(browser: Browser, table: Table, starts: set[str]) -> dict[str, int]:
    """What each address gives that is offered on the way from `starts`, as long as it is about the game."""
    found: dict[str, int] = {}
    rest = sorted(starts)
    while rest:
        address = rest.pop()
        answer = browser.get(address)
        found[address] = answer.status_code
        if answer.mimetype in {"text/html", "application/atom+xml"}:
            rest += sorted(one for one in _offered(answer.text) - set(found) - set(rest) if _about(table, one))
    return found


@pytest.mark.parametrize(("game", "state", "later"), CASES)
def test_no_link_that_is_offered_opens_nothing(
    club_table: Callable[..., Table], clock: Clock, game: str, state: GameState, later: str
) -> None:
    """On every page, in the feed and in the letters: each leads to a page, for who played and who organises."""
    table = club_table(game, ends=state is GameState.FINISHED)
    session = table.db.session()
    ENDS[state](table)
    session.commit()
    assert table.game.state is state
    letters = {
        one.player_id: _letter(one) for one in session.scalars(select(Letter)) if one.kind in {"game_over", "talk"}
    }
    clock.move(days=LATER[later].days)
    club = session.get_one(Club, table.game.club_id).slug
    for guest, pages in ((table.alice, [f"/organise/{table.game.slug}"]), (table.bob, [])):
        browser = guest.at_home()
        feeds = {one for one in _offered(browser.get(f"/club/{club}").text) if one.endswith(".atom")}
        starts = {"/", "/queue", "/queue?all=1", f"/club/{club}", f"/club/{club}/results.atom", *feeds, *pages}
        if guest.player_id in letters and not LATER[later]:
            starts |= _offered(letters[guest.player_id])

        found = _opened(browser, table, starts)

        assert {address: status for address, status in found.items() if status != 200} == {}
        own = {f"/games/{table.game.slug}/{page}" for page in ("result", "keepsake.html", "record.txt")}
        assert own <= set(found) or state is GameState.WITHDRAWN


@pytest.mark.parametrize("game", GAMES)
def test_a_game_ended_by_agreement_says_so_everywhere(club_table: Callable[..., Table], game: str) -> None:
    """Where a result stands of others; its points are told as they stood, and nobody is said to have won."""
    table = club_table(game)
    session = table.db.session()
    _agreed(table)
    session.commit()
    slug, club = table.game.slug, session.get_one(Club, table.game.club_id).slug
    alice = table.alice.at_home()
    said = "The game was ended by agreement."

    pages = [f"/seat/{table.alice.seat_id}", f"/games/{slug}", f"/games/{slug}/result", f"/games/{slug}/keepsake.html"]
    pages += ["/queue", "/", f"/club/{club}/results.atom", f"/api/v1/games/{slug}"]

    assert [page for page in pages if said not in alice.get(page).text] == []
    result = words(alice.get(f"/games/{slug}/result"))
    assert "Points if all had counted then" in result
    assert "picture to share" not in result
    assert "nobody: ended by agreement" in words(alice.get(f"/club/{club}"))
    assert alice.get(f"/games/{slug}/result.png").status_code == 404


def test_where_nothing_is_asked_any_more_nothing_is_promised(club_table: Callable[..., Table]) -> None:
    """What answers ahead leads to the game; the confirmation of the last order says that it is over, and who won."""
    table = club_table("amunre", ends=True)
    _played(table)
    seat, alice = f"/seat/{table.alice.seat_id}", table.alice.at_home()

    assert {alice.get(f"{seat}/{page}").request.path for page in ("standing", "plan")} == {seat}
    sent = words(alice.get(f"{seat}/sent/{table.game.ply}"))
    assert "The game is over." in sent
    assert "You get a letter" not in sent
    outcome = json.decode(table.game.outcome or b"", type=Outcome)
    assert all(f" {points} " in sent for points in outcome.scores)
