from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import msgspec
import pytest

from pbem.mail.compose import Envelope, Picture, Rendered, compose, thread_root
from pbem.mail.incoming import read

LETTER = Rendered(
    "[Nile 3] Bid. By Tue 24 Nov, 18:00.", "Così è.\n.\nFrom here\n> quoted\n" + "x" * 2000, "<h1>Così</h1>"
)
ENVELOPE = Envelope(
    kind="your_turn",
    message_id="<abc@play.example.org>",
    date=datetime(2026, 11, 24, 17, tzinfo=UTC),
    sender="play@play.example.org",
    sender_name="Nile Club",
    to="anna@example.org",
    to_name="Anna",
    reply_to="play.abc@play.example.org",
    game="12",
    game_name="Nile 3",
    club="4",
    unsubscribe="https://play.example.org/mail/unsubscribe/t",
)
ONCE = (
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "References",
    "In-Reply-To",
    "List-Id",
    "List-Unsubscribe",
)
HOSTILE = (
    "Anna\r\nBcc: evil@example.org",
    "Anna\nBcc: evil@example.org\n\nbody",
    "Anna\u2028Bcc: evil@example.org",
    "Anna\u0085Bcc: evil@example.org\x0b\x0c\x1c",
    "=?utf-8?q?=0D=0ABcc:_evil@example.org?=",
    'Anna" <evil@example.org>, "',
    "Anna, evil@example.org; <x@y.z> (comment) \\",
    "x" * 10_000,
    "\u202eannA\u202c",
    "é" * 10_000,
    "",
)


def parsed(raw: bytes) -> EmailMessage:
    """The mail as another program reads it."""
    return message_from_bytes(raw, policy=policy.default)


def replaced(**fields: object) -> Envelope:
    """The usual envelope with other fields."""
    return msgspec.structs.replace(ENVELOPE, **fields)


def test_the_parts_come_back_as_they_were() -> None:
    """Text, HTML and picture survive the way, with long lines, dots and "From " at a line's start."""
    mail = parsed(compose(LETTER, ENVELOPE, Picture("board-1", b"\x89PNG" + bytes(range(256)))))
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")

    assert text is not None and html is not None  # noqa: PT018 - for the type checker
    assert text.get_content().replace("\r\n", "\n") == LETTER.text + "\n"
    assert html.get_content().strip() == LETTER.html
    assert picture.get_content() == b"\x89PNG" + bytes(range(256))
    assert picture["Content-ID"] == "<board-1>"
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip


def test_every_line_ends_in_cr_lf_and_none_is_too_long() -> None:
    """RFC 5322 2.1.1: at most 998 characters before CR LF, and no bare CR or LF."""
    raw = compose(LETTER, ENVELOPE, Picture("b", bytes(5000)))

    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\nFrom " not in raw


def test_the_headers_of_a_letter() -> None:
    """Each header rule: one of each, thread, list, one-click, automatic."""
    mail = parsed(compose(LETTER, ENVELOPE))

    assert {name: len(mail.get_all(name, [])) for name in ONCE} == dict.fromkeys(ONCE, 1)
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert mail["List-Id"] == '"Nile 3" <game-12.play.example.org>'
    assert mail["List-Unsubscribe"] == "<https://play.example.org/mail/unsubscribe/t>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Feedback-ID"] == "12:4:your_turn:pbem"
    assert mail["Message-ID"] == "<abc@play.example.org>"


def test_all_letters_of_a_game_are_one_thread() -> None:
    """Whatever the letter, it refers to the same root."""
    one = parsed(compose(LETTER, ENVELOPE))
    other = parsed(compose(LETTER, replaced(kind="reminder", message_id="<def@play.example.org>")))

    assert one["References"] == other["References"] == thread_root("12", "play.example.org")


def test_an_answer_says_so_and_refers_to_the_mail() -> None:
    """RFC 3834: auto-replied, In-Reply-To the mail, References root and mail."""
    mail = parsed(compose(LETTER, replaced(in_reply_to="<their@mail>")))

    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["In-Reply-To"] == "<their@mail>"
    assert mail["References"].split() == ["<game-12.thread@play.example.org>", "<their@mail>"]


def test_the_same_letter_is_the_same_bytes() -> None:
    """A retry is the same mail to the last byte, so that it folds in the mailbox."""
    assert compose(LETTER, ENVELOPE) == compose(LETTER, ENVELOPE)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_out_of_its_header(name: str) -> None:
    """Hostile names in every place give exactly one header each and no new recipient."""
    envelope = replaced(sender_name=name, to_name=name, game_name=name, club=name, kind=f"k{name}", in_reply_to=name)
    mail = parsed(compose(Rendered(name or "x", "t", "<p>h</p>"), envelope))

    assert {header: len(mail.get_all(header, [])) for header in ONCE} == dict.fromkeys(ONCE, 1)
    assert mail["Bcc"] is None
    assert [address.addr_spec for address in mail["To"].addresses] == ["anna@example.org"]
    assert [address.addr_spec for address in mail["From"].addresses] == ["play@play.example.org"]
    assert not mail.defects


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "anna", "anna@", "@example.org", "a b@example.org", "a@b\r\nBcc: c@d.e", "a@b@c.d", "ä@example.org"),
        *("a..b@example.org", "<a@b.c>", "a,b@c.d", "x" * 65 + "@example.org"),
    ],
)
def test_wrong_addresses_are_refused(wrong: str) -> None:
    """What is no plain mail address never reaches a header."""
    with pytest.raises(ValueError, match="no mail address"):
        compose(LETTER, replaced(to=wrong))


LEFT_OUT = {("game", ""): {"References", "In-Reply-To"}, ("unsubscribe", ""): {"List-Unsubscribe"}}
"""Headers that a letter does without, by field and what it holds."""
REFUSED = {"message_id", "reply_to", "sender", "to", "unsubscribe"}


@pytest.mark.parametrize("field", sorted(set(Envelope.__struct_fields__) - {"date"}))
def test_no_field_of_an_envelope_breaks_out_of_its_header(field: str) -> None:
    """Whatever stands in it: what must be an address or a number of its own is refused, all else is only words."""
    for wrong in HOSTILE:
        if field in REFUSED and (field, wrong) not in LEFT_OUT:
            with pytest.raises(ValueError, match=r"is no|is none") as refused:
                compose(LETTER, replaced(**{field: wrong}))
            assert not wrong or wrong not in str(refused.value)
            continue
        mail = parsed(compose(LETTER, replaced(**{field: wrong})))
        assert mail["Bcc"] is None
        assert {name for name in ONCE if mail.get_all(name)} == set(ONCE) - LEFT_OUT.get((field, wrong), set())
        assert all(len(mail.get_all(name, [])) <= 1 for name in ONCE)
        assert not mail.defects


def test_an_unsubscribe_link_must_be_one() -> None:
    """A link with a line end or another scheme is refused."""
    with pytest.raises(ValueError, match="no web address"):
        compose(LETTER, replaced(unsubscribe="https://x.y/\r\nBcc: z@z.z"))


def test_a_server_for_this_machine_alone_can_write_letters() -> None:
    """A domain without a dot reaches nobody else, but letters can be sent and answered there."""
    mail = parsed(compose(LETTER, replaced(sender="play@localhost", reply_to="play.abc@localhost")))

    assert mail["From"].addresses[0].addr_spec == "play@localhost"


def test_two_servers_of_ours_dont_answer_each_other() -> None:
    """Whatever letter of ours comes in anywhere is known for what it is: at home as our own, elsewhere as automatic."""
    for envelope in (ENVELOPE, replaced(in_reply_to="<their@mail>"), replaced(game="", unsubscribe="")):
        raw = compose(LETTER, envelope)

        assert read(raw, envelope_sender="x@y.z", own_domain="play.example.org").nature == "own"
        assert read(raw, envelope_sender="x@y.z", own_domain="elsewhere.example").nature == "automatic"


def test_every_letter_belongs_to_a_list() -> None:
    """A letter about no game has a List-Id of the club or the server."""
    for changed, name in (({"game": ""}, "club-"), ({"game": "", "club": ""}, "letters."), ({}, "game-")):
        found = message_from_bytes(compose(LETTER, msgspec.structs.replace(ENVELOPE, **changed)), policy=policy.default)
        assert f"<{name}" in found["List-Id"]


def test_a_long_subject_of_plain_letters_is_folded_and_not_encoded() -> None:
    """Whoever reads the raw mail, or searches it, finds the words."""
    subject = "[Nile 3] Place your bid on one of the provinces that lie open on the table. By Thu 08:00."
    raw = compose(msgspec.structs.replace(LETTER, subject=subject), ENVELOPE)
    line = raw.partition(b"Subject:")[2].partition(b"\r\nDate")[0]

    assert b"=?" not in line
    assert max(map(len, line.split(b"\r\n"))) <= 76
    assert message_from_bytes(raw, policy=policy.default)["Subject"] == subject


@pytest.mark.parametrize("width", range(50, 80))
def test_a_folded_subject_is_read_as_it_was_written(width: int) -> None:
    """Wherever the fold falls: a hyphen or a word longer than a line is no place for it."""
    for subject in (f"[Nile 3] {'x' * (width - 30)} by-half-an-hour and on", f"[Nile 3] {'x' * (width + 20)} and on"):
        raw = compose(msgspec.structs.replace(LETTER, subject=subject), ENVELOPE)

        assert message_from_bytes(raw, policy=policy.default)["Subject"] == subject
