"""Looking at something hidden as an organiser: with a code and a reason, once, told to all; never where one plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem import clock
from pbem.capabilities import links
from pbem.errors import WrongInput
from pbem.play.admin import action_log
from pbem.play.orders import standing_orders
from pbem.play.seats import sitters, substitutes
from pbem.store.models import Audit, Code, Game, GameState, Letter, Player
from tests.factories import START, PlayerFactory, answer, asked, hours, in_a_club
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session
    from werkzeug.test import TestResponse

    from tests.web.conftest import Table

REASON = "Bob says that his cards are wrong"


class AdminPage:
    """A game whose organiser, Dora, doesn't play, and her browser."""

    def __init__(self, table: Table) -> None:
        """Make Dora and give her the game."""
        self.table, self.session = table, table.db.session()
        self.dora: Player = PlayerFactory.create(name="Dora")
        table.game.organiser_id = self.dora.id
        self.session.commit()
        self.path = f"/organise/{table.game.slug}"
        self.browser = Browser(table.app.test_client())
        self.browser.get(f"/l/{links.player_token(table.tokens, self.dora.id, self.dora.epoch)}")

    def code(self) -> str:
        """Ask for a code; the one in the newest letter."""
        self.browser.send(self.path, act="code")
        letter = self.session.execute(
            select(Letter)
            .where(Letter.kind == "login_code", Letter.player_id == self.dora.id)
            .order_by(Letter.id.desc())
        ).scalars()
        return str(letter.first().data["code"])  # type: ignore[union-attr]  # it was just written

    def look(self, what: str, seat: int, code: str = "", reason: str = REASON) -> TestResponse:
        """Look, with a code of its own if none is given."""
        fields = {"act": "look", "what": what, "seat": seat, "reason": reason, "code": code or self.code()}
        return self.browser.send(self.path, fields)

    def looks(self) -> int:
        """How often somebody has looked."""
        return len(self.session.execute(select(Audit).where(Audit.act.in_(action_log.LOOKS))).all())


@pytest.fixture
def admin(set_table: Callable[..., Table]) -> AdminPage:
    """Amun-Re: every player has money nobody else sees."""
    return AdminPage(set_table(game="amunre", people=2, bots=("random",)))


def _hand(admin: AdminPage, seat: int) -> tuple[str, ...]:
    """What only a seat knows, in words."""
    from pbem.messages import Translator  # noqa: PLC0415 - only here
    from pbem.play.views import seat_view  # noqa: PLC0415 - only here
    from pbem.web.play import boards  # noqa: PLC0415 - only here

    guest = admin.table.alice if admin.table.alice.seat == seat else admin.table.bob
    s = seat_view.situation(admin.session, START, guest.seat_id)
    return boards.draw(s, Translator("en", names=[player.name for player in s.players])).hand


def test_a_view_is_shown_once_and_told_to_all(admin: AdminPage) -> None:
    """The seat's own knowledge is on the page; both players read who looked at what and why; the code is used up."""
    bob = admin.table.bob
    code = admin.code()

    seen = admin.look("view", bob.seat, code)
    again = admin.look("view", bob.seat, code)
    told = [words(guest.opened().get(f"/seat/{guest.seat_id}")) for guest in (admin.table.alice, bob)]

    assert _hand(admin, bob.seat)
    assert all(line in words(seen) for line in _hand(admin, bob.seat))
    assert (seen.status_code, again.status_code, admin.looks()) == (200, 403, 1)
    assert all(f"Dora looked at what only {bob.name} may see. {REASON}" in page for page in told)
    assert "no-store" in seen.headers["Cache-Control"]


def test_the_next_letter_and_the_api_tell_it(admin: AdminPage) -> None:
    """The look leads the next letter of every player, with its reason, and letters after that don't repeat it."""
    admin.look("orders", admin.table.bob.seat)
    session, game = admin.session, admin.table.game
    now = clock.now()

    said = {guest.name: _leads(session, guest.player_id, game) for guest in (admin.table.alice, admin.table.bob)}

    line = f"Dora looked at the order that {admin.table.bob.name} has given."
    assert all(lines == [line, f"The reason given: {REASON}"] for lines in said.values()), said
    for letter in session.execute(select(Letter).where(Letter.game_id == game.id)).scalars():
        letter.state, letter.created_at = "sent", now + hours(1)
    session.flush()
    assert _leads(session, admin.table.alice.player_id, game) == []


def _leads(session: Session, player_id: int, game: Game) -> list[str]:
    """What a letter to a player, written now, would tell of what was done by hand."""
    newest = max(session.execute(select(Letter.id)).scalars(), default=0)
    entries = action_log.news(session, newest + 1, player_id, game.id)
    return [line for entry in entries for line in (str(entry.said), f"The reason given: {entry.reason}")]


@pytest.mark.parametrize(
    ("what", "reason", "sentence"),
    [
        ("view", "why not", "Give a reason of at least 10 characters"),
        ("drafts", REASON, "Choose what to look at"),
    ],
)
def test_without_a_reason_nothing_is_shown(admin: AdminPage, what: str, reason: str, sentence: str) -> None:
    """The refusal is a sentence, nothing is entered, and the code is good for another try."""
    code = admin.code()

    refused = admin.look(what, admin.table.bob.seat, code, reason)
    mended = admin.look("view", admin.table.bob.seat, code)

    assert (refused.status_code, mended.status_code, admin.looks()) == (422, 200, 1)
    assert sentence in words(refused)


def test_a_wrong_code_shows_nothing(admin: AdminPage) -> None:
    """Guesses are counted, and after five not even the right code opens anything."""
    code = admin.code()

    wrong = [admin.look("view", admin.table.bob.seat, "00000000").status_code for _ in range(5)]
    late = admin.look("view", admin.table.bob.seat, code)

    assert wrong == [403] * 5
    assert late.status_code == 403
    assert admin.looks() == 0
    assert not any(line in words(late) for line in _hand(admin, admin.table.bob.seat))


def test_who_plays_there_never_looks(admin: AdminPage) -> None:
    """No form for an organiser who plays or sits in, no code, and no look even with a code that fits."""
    table = admin.table
    code = admin.code()
    table.game.organiser_id = table.alice.player_id
    admin.session.commit()
    alice = table.alice.at_home()
    page = alice.get(admin.path)
    asked_for = alice.send(admin.path, act="code")
    looked = alice.send(
        admin.path, {"act": "look", "what": "view", "seat": table.bob.seat, "reason": REASON, "code": code}
    )

    assert 'name="what"' not in page.text
    assert "You play here yourself" in words(page)
    assert (asked_for.status_code, looked.status_code) == (403, 403)
    assert "You play in this game, so nothing hidden of it is shown to you" in words(looked)
    assert admin.session.execute(select(Code).where(Code.player_id == table.alice.player_id)).first() is None
    assert admin.looks() == 0

    table.game.organiser_id = admin.dora.id
    in_a_club(admin.session, table.game, admin.dora.id)
    sitters.appoint(admin.session, START, table.alice.seat_id, admin.dora.id, START, START + hours(48))
    admin.session.commit()
    assert admin.look("view", table.bob.seat, code).status_code == 403
    assert admin.looks() == 0


def test_a_browser_with_a_players_key_looks_at_nothing(admin: AdminPage) -> None:
    """An organiser whose browser also answers for a player of the game is refused like that player."""
    code = admin.code()
    admin.browser.get(admin.table.alice.own_link)

    assert admin.look("view", admin.table.bob.seat, code).status_code == 403
    assert admin.looks() == 0


def test_an_order_and_standing_orders_are_shown_alone(admin: AdminPage) -> None:
    """A look at the order shows that and no hand; one at the standing orders shows these and no order."""
    table = admin.table
    seat = asked(admin.session, table.game)[0].seat
    guest = table.alice if table.alice.seat == seat else table.bob
    text = table.order()
    secret = "when my_gold >= 1000: pass"
    stored = standing_orders.store(admin.session, START, guest.seat_id, secret)
    receipt = answer(admin.session, START, table.game, seat, text)

    orders = words(admin.look("orders", seat))
    kept = words(admin.look("standing", seat))

    assert receipt.accepted
    assert not stored.faults
    assert receipt.canonical in orders
    assert secret not in orders
    assert secret in kept
    assert not any(line in orders + kept for line in _hand(admin, seat))


def test_who_has_looked_plays_no_more(admin: AdminPage) -> None:
    """Neither a seat nor sitting in is open to an organiser who has seen something hidden of the game."""
    admin.look("view", admin.table.bob.seat)
    session, game = admin.session, admin.table.game

    with pytest.raises(WrongInput, match="has looked at something hidden"):
        substitutes.replace(session, START, game.id, admin.table.bob.seat, admin.dora.id, admin.dora.id)
    in_a_club(session, game, admin.dora.id)
    with pytest.raises(WrongInput, match="has looked at something hidden"):
        sitters.appoint(session, START, admin.table.bob.seat_id, admin.dora.id, START, START + hours(48))


def test_a_finished_game_hides_nothing(admin: AdminPage) -> None:
    """There is nothing to look at in secret once everything is shown."""
    code = admin.code()
    admin.table.game.state = GameState.ENDED
    admin.session.commit()

    refused = admin.look("view", admin.table.bob.seat, code)

    assert refused.status_code == 403
    assert "Nothing of this game is hidden" in words(refused)


@pytest.mark.parametrize("state", GameState)
def test_a_game_that_is_over_asks_for_nothing(admin: AdminPage, state: GameState) -> None:
    """Nobody there waits for anything, and no form asks why nothing is done."""
    admin.table.game.state = state
    admin.session.commit()

    shown = words(admin.browser.get(admin.path))

    assert ("What you can do" in shown) == (state == GameState.OPEN or state.is_underway)
    assert ("to move" in shown) == state.is_underway
