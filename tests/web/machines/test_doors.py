from __future__ import annotations

import re
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem import __version__
from pbem.capabilities import links
from pbem.letters import unsubscribe
from pbem.mail.incoming import MAX_MAIL
from pbem.mail.maildir import Maildir
from pbem.play.seats import opening
from pbem.store.models import Audit, Inbound, Invitation, Player, Seat
from pbem.web.letter_view import html_of, linked
from pbem.web.machines.mailhook import signature
from tests import factories
from tests.conftest import settings_in
from tests.web.conftest import Browser, words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pbem.config import Config
    from tests.web.conftest import Table


class TestInvitation:
    """A seat offered to somebody who never wrote to us."""

    @pytest.fixture
    def path(self, table: Table) -> str:
        """The invitation's page."""
        session = table.db.session()
        (guest,) = factories.PlayerFactory.create_batch(1, name="Zoe", accepted_at=None, address_state="new")
        plan = opening.GamePlan(
            game="priestsofra",
            title="New game",
            seats=(opening.SeatPlan(player_id=guest.id), opening.SeatPlan(bot="random")),
            organiser_id=table.alice.player_id,
        )
        opening.open_game(session, factories.START, plan)
        session.commit()
        row = session.execute(select(Invitation)).scalar_one()
        return "/invitation/" + links.invitation_token(table.tokens, row.id)

    def test_it_says_who_invites_to_what_until_when(self, table: Table, path: str) -> None:
        """Two buttons; nothing happens by looking."""
        page = table.charlie.browser.get(path)

        assert f"{table.alice.name} invites you to a game of Priests of Ra for 2 players" in words(page)
        assert [value in page.text for value in ('value="accept"', 'value="decline"')] == [True, True]

    def test_accepting_seats_the_person_and_starts_the_full_game(self, table: Table, path: str) -> None:
        """The last seat taken starts the game; the page leads to it with the person's own key."""
        browser = Browser(table.app.test_client())

        page = browser.send(path, act="accept", follow=True)

        table.db.session.rollback()
        zoe = table.db.session.execute(select(Player).where(Player.name == "Zoe")).scalar_one()
        seat = table.db.session.execute(select(Seat).where(Seat.player_id == zoe.id)).scalar_one()
        assert zoe.accepted_at is not None
        assert f'href="/seat/{seat.id}"' in page.text
        assert browser.get(f"/seat/{seat.id}").status_code == 200

    def test_declining_is_remembered_and_a_form_without_a_button_does_nothing(
        self, table: Table, path: str, rows: Callable[[], str]
    ) -> None:
        """A scanner that sends the form without pressing a button changes nothing; "No, thank you" does."""
        browser = Browser(table.app.test_client())
        before = rows()
        browser.send(path)
        untouched = rows() == before

        page = browser.send(path, act="decline", follow=True)

        assert untouched
        assert "You have declined" in words(page)


class TestUnsubscribe:
    """One click, as mail programs do it."""

    def test_get_shows_a_button_and_post_stops_without_cookie(self, table: Table, rows: Callable[[], str]) -> None:
        """RFC 8058: GET stops nothing; one POST without cookie and without redirect does."""
        token = unsubscribe.token(table.tokens, table.alice.player_id, 0, table.alice.seat_id, "phase_report")
        client = table.app.test_client(use_cookies=False)
        before = rows()
        shown = client.get(f"/mail/unsubscribe/{token}")
        untouched = rows() == before

        answer = client.post(f"/mail/unsubscribe/{token}", data={"List-Unsubscribe": "One-Click"})

        assert untouched
        assert "What a phase brought" in words(shown)
        assert answer.status_code == 200
        table.db.session.rollback()
        assert table.db.session.get_one(Seat, table.alice.seat_id).kinds_off == ["phase_report"]

    def test_a_forged_token_stops_nothing(self, table: Table) -> None:
        """It looks like any unknown link."""
        client = table.app.test_client(use_cookies=False)

        assert client.get("/mail/unsubscribe/forged").status_code == 404
        assert client.post("/mail/unsubscribe/forged").status_code == 404


class TestMailIn:
    """Mail handed in by a provider."""

    @pytest.fixture
    def settings(self, tmp_path: Path, _sqlite: Path) -> Config:
        """A server that knows its provider's secret."""
        import shutil  # noqa: PLC0415 - here only

        shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
        return settings_in(tmp_path, WEBHOOK_SECRET="between-us-two")

    def test_signed_mail_is_stored_first_and_unsigned_refused(self, table: Table) -> None:
        """What is signed right is kept, once; a wrong signature or another recipient is refused with 403."""
        raw = b"From: a@nile.example\r\nSubject: ra\r\nMessage-ID: <1@nile.example>\r\n\r\nra\r\n"
        to = "play.abc@club.example"
        signed = {"X-Recipient": to, "X-Signature": signature("between-us-two", to, raw)}
        client = table.app.test_client(use_cookies=False)

        answers = [
            client.post("/mail/in", data=raw, headers=headers).status_code
            for headers in (signed, signed, {**signed, "X-Recipient": "play.xyz@club.example"}, {"X-Recipient": to})
        ]

        assert answers == [204, 204, 403, 403]
        table.db.session.rollback()
        assert table.db.session.query(Inbound).count() == 1

    def test_mail_of_any_size_that_smtp_takes_is_kept_and_read_at_once(self, table: Table) -> None:
        """One limit for all doors of mail, far above that of a form; and what is due is the mail, not a letter."""
        to, client = "play.abc@club.example", table.app.test_client(use_cookies=False)
        recorder, answers = table.app.extensions["tests.enqueued"], []
        recorder.enqueued.clear()
        for size in (MAX_MAIL, MAX_MAIL + 1):
            raw = b"Message-ID: <1@nile.example>\r\n\r\nra\r\n".ljust(size, b"x")
            headers = {"X-Recipient": to, "X-Signature": signature("between-us-two", to, raw)}
            answers.append(client.post("/mail/in", data=raw, headers=headers).status_code)

        assert answers == [204, 413]
        assert recorder.enqueued == ["read_mail"]


def test_without_a_secret_no_mail_is_taken(table: Table) -> None:
    """A server without a provider answers like for any page that isn't there."""
    assert table.app.test_client().post("/mail/in", data=b"x").status_code == 404


class TestOrganiser:
    """A game's administration page."""

    def test_only_organisers_see_it(self, table: Table) -> None:
        """Bob plays but doesn't organise; to him it doesn't exist."""
        path = f"/organise/{table.game.slug}"

        assert table.bob.at_home().get(path).status_code == 404
        assert table.alice.opened().get(path).status_code == 404
        page = table.alice.at_home().get(path)
        assert page.status_code == 200
        assert "You play here yourself" in words(page)
        assert "@" not in words(page)

    def test_acts_are_done_logged_and_shown(self, table: Table) -> None:
        """Pausing stops the clock, going on gives the full time again; both stand in the log with their reason."""
        path = f"/organise/{table.game.slug}"
        browser = table.alice.at_home()
        browser.send(path, act="pause", reason="Flood in the club house")
        table.db.session.rollback()
        paused, due = table.game.state, table.game.due_at

        page = browser.send(path, act="resume", reason="Dry again", follow=True)

        table.db.session.rollback()
        assert (paused, due) == ("paused", None)
        assert table.game.state == "running"
        assert table.game.due_at is not None
        assert "Flood in the club house" in words(page)
        journal = table.db.session.query(Audit).filter_by(game_id=table.game.id).order_by(Audit.id)
        assert [row.act for row in journal] == ["pause", "resume"]

    def test_what_was_done_at_the_desk_is_taken_back(self, table: Table) -> None:
        """For ten minutes the page offers to take back what was done to this game; then it stands as before."""
        path, due = f"/organise/{table.game.slug}", table.game.due_at
        browser = table.alice.at_home()
        page = browser.send(path, act="pause", reason="A slip", follow=True)
        (offered,) = re.findall(r'name="undo" value="(\d+)"', page.text)

        page = browser.send(path, undo=offered, follow=True)

        table.db.session.rollback()
        assert (table.game.state, table.game.due_at) == ("running", due)
        assert 'name="undo"' not in page.text

    def test_a_deadline_moves_by_whole_hours_within_limits(self, table: Table) -> None:
        """24 hours more are 24 hours more; 10,000 are refused with the limit named."""
        path, before = f"/organise/{table.game.slug}", table.game.due_at
        browser = table.alice.at_home()
        browser.send(path, act="extend", hours=24)
        refused = browser.send(path, act="extend", hours=10_000)

        table.db.session.rollback()
        assert before is not None
        assert table.game.due_at is not None
        assert (table.game.due_at - before).total_seconds() == 24 * 3600
        assert refused.status_code == 422
        assert "by 1 to 336 hours" in words(refused)


class TestMailbox:
    """The demo's page with everybody's letters."""

    @pytest.fixture
    def settings(self, tmp_path: Path, _sqlite: Path) -> Config:
        """A demo server."""
        import shutil  # noqa: PLC0415 - here only

        shutil.copy(_sqlite, tmp_path / "pbem.sqlite")
        return settings_in(tmp_path, DEMO="yes")

    def test_letters_are_listed_shown_and_framed_without_scripts(self, table: Table, settings: Config) -> None:
        """Newest first, of all or of one reader; text with links; HTML as it is, sandboxed, its picture in place."""
        maildir = Maildir(settings.pbem_home / "mailbox")
        for number, subject, reader in ((1, "First", "bob"), (2, "Second <b>", "alice")):
            made = letter(subject)
            made.replace_header("To", f"{reader}@nile.example")
            maildir.put(number, made.as_bytes())
        browser = Browser(table.app.test_client())

        listed = browser.get("/mailbox/")
        shown = browser.get("/mailbox/2")
        framed = browser.get("/mailbox/2/html")
        of_bob = browser.get("/mailbox/?to=bob@nile.example")

        assert listed.text.index("Second &lt;b&gt;") < listed.text.index("First")
        assert '<a href="http://club.example/l/abc">' in shown.text
        assert "sandbox=" in shown.text
        assert "sandbox" in framed.headers["Content-Security-Policy"]
        assert 'src="data:image/png;base64,' in framed.text
        assert shown.text.index("letter-body") < shown.text.index('class="letters"')  # on a phone: before the list
        assert re.findall(r'href="(/mailbox/\d.*?)"', of_bob.text) == ["/mailbox/1?to=bob@nile.example"]
        assert browser.get("/mailbox/9").status_code == 404

    def test_a_letter_can_be_answered_there_as_by_mail(self, table: Table, settings: Config) -> None:
        """The answer comes in as a mail to the letter's reply address, from its reader, through the usual door."""
        made = letter("Your turn")
        made["Reply-To"], made["Message-ID"] = "play.token@club.example", "<1@club.example>"
        Maildir(settings.pbem_home / "mailbox").put(1, made.as_bytes())
        browser = Browser(table.app.test_client())

        page = browser.send("/mailbox/1", text="draw", follow=True)

        table.db.session.rollback()
        row = table.db.session.query(Inbound).one()
        assert (row.recipient, row.raw.endswith(b"\r\n\r\ndraw\r\n")) == ("play.token@club.example", True)
        assert b"From: Alice <a@nile.example>" in row.raw
        assert "Your answer is on its way" in words(page)


def letter(subject: str) -> EmailMessage:
    """A letter with text, HTML and a picture."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Club <play@club.example>", "Alice <a@nile.example>", subject
    made.set_content("Decide now: http://club.example/l/abc\n")
    made.add_alternative('<html><head></head><body><img src="cid:board"></body></html>', subtype="html")
    html = made.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.add_related(b"\x89PNG", "image", "png", cid="<board>")
    return made


def test_a_letters_html_leads_out_of_its_frame() -> None:
    """Links open in the page around the frame."""
    assert '<base target="_top">' in html_of(letter("x"))


def test_a_letters_text_is_escaped_around_its_links() -> None:
    """Only web addresses become links; HTML stays text."""
    assert linked('<i>see</i> https://a.example/x?a=1&b="2"') == (
        '&lt;i&gt;see&lt;/i&gt; <a href="https://a.example/x?a=1&amp;b=">https://a.example/x?a=1&amp;b=</a>&quot;2&quot;'
    )


def test_health_and_readiness(table: Table) -> None:
    """Alive without asking anybody; ready once the database answers and no sweep is overdue."""
    client = table.app.test_client()

    assert client.get("/healthz").data == b"ok\n"
    assert client.get("/readyz").json == {
        "version": __version__,
        "database": "ok",
        "disk": "ok",
        "redis": None,
        "last_sweep_s": None,
    }
    assert b"pbem_games" in client.get("/metrics").data
    assert client.get("/metrics", environ_base={"REMOTE_ADDR": "203.0.113.9"}).status_code == 404
