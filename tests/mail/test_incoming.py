from __future__ import annotations

import base64
import tracemalloc

import pytest

from pbem.mail.incoming import MAX_MAIL, Bounce, Unreadable, envelope, message_id, read
from tests.mail.samples import FOLDER, raw
from tests.steps import steps

OURS = "play.example.org"
LETTER = "<0123456789abcdef0123456789abcdef@play.example.org>"


@pytest.mark.parametrize(
    "name",
    [
        *("gmail_top", "gmail_html_only", "outlook_it", "outlook_html", "iphone_fr", "flowed_wrapped"),
        *("bottom_posted", "chat"),
    ],
)
def test_people_are_taken_for_people(name: str) -> None:
    """What a person wrote is personal, with sender, thread and subject."""
    mail = read(raw(name), envelope_sender="anna@example.org", own_domain=OURS)

    assert (mail.nature, mail.sender, mail.bounce) == ("personal", "anna@example.org", None)
    assert mail.references[0] == "<abc@play.example.org>"
    assert mail.subject.startswith("Re: [Nile 3]")


@pytest.mark.parametrize("name", ["ooo_de", "ooo_fr", "ooo_it", "ooo_ja", "auto_submitted", "precedence", "exchange"])
def test_automatic_answers_are_told(name: str) -> None:
    """Out-of-office mails are told by header or by subject, in many languages."""
    assert read(raw(name), envelope_sender="anna@example.org", own_domain=OURS).nature == "automatic"


def test_a_subject_without_end_is_read_as_far_as_anybody_would() -> None:
    """Its first 500 signs."""
    assert read(b"Subject: " + b"xy" * 300 + b"\r\n\r\nra\r\n").subject == "xy" * 250


def test_a_null_sender_is_automatic() -> None:
    """RFC 3834: what comes from the null sender is never answered."""
    assert read(raw("chat"), envelope_sender="", own_domain=OURS).nature == "automatic"


def test_our_own_letter_is_told() -> None:
    """A letter of ours that comes back whole starts no loop."""
    assert read(raw("own_letter"), own_domain=OURS).nature == "own"


@pytest.mark.parametrize(
    ("name", "bounce"),
    [
        ("dsn_hard", Bounce(permanent=True, status="5.1.1", message_id=LETTER)),
        ("dsn_full", Bounce(permanent=False, status="5.2.2", message_id=LETTER)),
        ("dsn_delayed", Bounce(permanent=False, status="4.4.1", message_id=LETTER)),
    ],
)
def test_bounces_say_what_they_mean(name: str, bounce: Bounce) -> None:
    """A DSN names our letter, its status, and whether it is for good; a full mailbox may pass."""
    mail = read(raw(name), envelope_sender="", own_domain=OURS)

    assert (mail.nature, mail.bounce) == ("bounce", bounce)


def test_complaints_name_the_letter() -> None:
    """A feedback report (RFC 5965) is a complaint about the letter it encloses."""
    mail = read(raw("arf"), own_domain=OURS)

    assert mail.nature == "complaint"
    assert mail.bounce == Bounce(permanent=True, message_id=LETTER)


def test_enclosed_mails_are_not_the_senders_text() -> None:
    """What a report encloses is never read as its text."""
    assert "Abydos" not in read(raw("arf")).text


def test_html_mail_becomes_lines_and_quotes_are_marked() -> None:
    """HTML is read as text, quoted blocks marked; style sheets are no text."""
    text = read(raw("gmail_html_only")).text

    assert text.splitlines()[0].replace("\N{NO-BREAK SPACE}", " ") == "bid 6 on Memphis"
    assert "> bid 10 on Abydos" in text
    assert "15" not in read(raw("outlook_html")).text


STRUCK = (
    *("<div><s>bid 6</s></div><div>bid 10</div>", "<p><strike>bid 6</strike></p><p>bid 10</p>"),
    *("<del>bid 6</del><br>bid 10", "<p>bid <del>6</del> 10</p>", "<p>bid <span><s>6<b>6</b></s></span>10</p>"),
    "<p><span style='text-decoration: line-through'>bid 6</span></p><p>bid 10</p>",
    '<div style="display: none">bid 6</div><div style="color:red">bid 10</div>',
    '<div style="visibility:hidden">bid 6</div>bid 10',
    "<p style='mso-hide:all'>bid 6</p>bid 10",
)
"""Mails in which one bid is crossed out, or isn't shown at all."""


@pytest.mark.parametrize("html", STRUCK)
def test_what_is_crossed_out_or_hidden_is_not_written(html: str) -> None:
    """What its writer doesn't see any more, or had put right, is no text of theirs."""
    assert read(f"Content-Type: text/html\r\n\r\n{html}".encode()).text == "bid 10"


def test_plain_text_that_cant_tell_what_is_crossed_out_is_not_read() -> None:
    """Mail programs leave the mark out of it: where the HTML beside it has one above its quotes, that is read."""
    plain = "--b\r\nContent-Type: text/plain\r\n\r\nbid 6\r\nbid 10\r\n"
    head = "Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    mail = f"{head}{plain}--b\r\nContent-Type: text/html\r\n\r\n{{}}\r\n--b--\r\n"

    for html in STRUCK:
        assert read(mail.format(html).encode()).text == "bid 10", html
    quoted = "<p>bid 10</p><blockquote><s>bid 8</s></blockquote><style>p {}</style>"
    assert read(mail.format(quoted).encode()).text.split() == ["bid", "6", "bid", "10"]
    assert read(mail.format("<p>bid 6</p><p>bid 10</p>").encode()).text.split() == ["bid", "6", "bid", "10"]


@pytest.mark.parametrize(
    ("head", "nature"),
    [
        ("multipart/report; report-type=disposition-notification; boundary=b", "automatic"),
        ("text/calendar; method=REPLY", "automatic"),
        ("text/calendar; method=COUNTER", "automatic"),
        ("text/calendar; method=REQUEST", "personal"),
        ("text/plain; method=REPLY", "personal"),
    ],
)
def test_what_programs_send_for_people_is_automatic(head: str, nature: str) -> None:
    """A receipt that a mail was shown (RFC 8098), and a calendar's answer to an invitation; an invitation isn't one."""
    assert read(f"Content-Type: {head}\r\n\r\n--b\r\n\r\nbid 6\r\n--b--\r\n".encode()).nature == nature


def test_flowed_lines_are_joined() -> None:
    """RFC 3676: a line that ends in a space goes on in the next."""
    assert read(raw("flowed_wrapped")).text.splitlines()[0].endswith("stones 3 Memphis, architect Memphis")


def test_a_mail_without_an_id_has_the_same_one_again() -> None:
    """A mail without Message-ID gets one from its bytes, so that it is known when it comes again."""
    bare = b"From: a@b.c\r\n\r\nhello\r\n"

    assert message_id(bare) == message_id(bare) != message_id(bare + b"x")
    assert message_id(raw("chat")) == "<chat-1@mail.example.org>"


ODD = (
    b"",
    b"\r\n",
    b"\0\xff\xfe",
    b"Subject: x",
    b"From: =?x-unknown?q?a?= <a@b.c>\r\nSubject: =?utf-8?b?!!!?=\r\n\r\nx",
    b"Content-Type: text/plain; charset=no-such\r\n\r\nbid\xff",
    b"Content-Type: multipart/mixed\r\n\r\n--a\r\n\r\nx",
    b'Content-Type: multipart/mixed; boundary="a"\r\n\r\nno part',
    b"Content-Transfer-Encoding: base64\r\n\r\n%%%not base64 at all%%%=",
    b"Content-Transfer-Encoding: uuencode\r\n\r\nbegin 644 x\r\nzzz\r\n",
    b"Content-Type: text/html\r\n\r\n<p" + b"<" * 5000,
    b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000 + b"bid",
    b"Content-Type: message/rfc822\r\n\r\n",
    b"Content-Type: /\r\nContent-Disposition: =?x\r\n\r\nx",
    b"From: \r\n\r\n",
    b"Date: no\r\nFrom: <<>>@@\r\n\r\nx",
    b"Return-Path: <>\r\nStatus: 9.9.9\r\n\r\n999 x",
)


@pytest.mark.parametrize("spoilt", ODD, ids=range(len(ODD)))
def test_odd_mails_are_read_around(spoilt: bytes) -> None:
    """Whatever is wrong with a mail, it is read or passed over, never a fault."""
    assert read(spoilt, own_domain=OURS).message_id.startswith("<")
    assert isinstance(envelope(spoilt).sender, str)


def _nested(depth: int) -> bytes:
    heads = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(depth))
    return heads + b"Content-Type: text/plain\r\n\r\nbid 10 on Abydos\r\n"


HOSTILE = {
    "fifty megabytes": lambda: b"From: a@b.c\r\n\r\n" + b"x" * 50_000_000,
    "ten thousand parts": lambda: b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nx\r\n" * 10_000,
    "a thousand deep": lambda: _nested(1_000),
    "mails in mails": lambda: b"Content-Type: message/rfc822\r\n\r\n" * 1_000 + b"x",
    "a million headers": lambda: b"X: y\r\n" * 150_000 + b"\r\nx",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mails_are_refused_quickly(name: str) -> None:
    """Too big, too deep, too many: refused in one sentence, in few steps and little memory."""
    hostile = HOSTILE[name]()

    def refuse() -> None:
        with pytest.raises(Unreadable, match="Please send the text alone"):
            read(hostile)

    tracemalloc.start()
    took = steps(refuse)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert took < 5_000
    assert most < 200_000_000


def test_a_big_attachment_is_no_hindrance() -> None:
    """Just under the limit the text before the attachment is read, and the attachment isn't taken apart."""
    attachment = base64.encodebytes(bytes(7_000_000))
    mixed = (
        b'From: a@b.c\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nbid 6 on Memphis\r\n--b\r\n'
        b"Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + attachment + b"\r\n--b--\r\n"
    )

    assert len(mixed) < MAX_MAIL
    assert read(mixed).text.strip() == "bid 6 on Memphis"
    assert steps(lambda: read(mixed)) < 20_000


def test_every_sample_is_read_with_other_line_ends() -> None:
    """Bare LF and bare CR make no difference to what is read."""
    for path in sorted(FOLDER.glob("*.eml")):
        whole = path.read_bytes()
        natures = {read(whole.replace(b"\r\n", end)).nature for end in (b"\r\n", b"\n", b"\r")}
        assert len(natures) == 1, path.name


def test_the_text_below_a_big_picture_is_read() -> None:
    """Some programs put the picture first: what it holds is left out before anything is cut."""
    picture = base64.encodebytes(bytes(1_500_000))
    mixed = (
        b'From: a@b.c\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: image/png\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n" + picture + b"\r\n--b\r\n\r\nbid 6 on Memphis\r\n--b--\r\n"
    )

    assert read(mixed).text.strip() == "bid 6 on Memphis"


def test_a_deleted_space_is_one() -> None:
    """RFC 3676, DelSp=yes: the space that marks the line goes, those of the sentence stay."""
    head = b"From: a@b.c\r\nContent-Type: text/plain; format=flowed; delsp=yes\r\n\r\n"

    assert read(head + b"bid 6  \r\non Mem \r\nphis\r\n").text == "bid 6 on Memphis\n"


@pytest.mark.parametrize(
    ("text", "permanent"),
    [
        ("Warning: message delayed 4 hours. The server will keep trying.", False),
        ("Your message to p could not be delivered: no such user.", True),
        ("Delivery failed: user unknown", True),
        ("We could not deliver your mail: the mailbox is full.", False),
        ("550 5.1.1 unknown", True),
    ],
)
def test_a_report_in_no_known_form_is_known_by_its_address(text: str, permanent: bool) -> None:  # noqa: FBT001 - the case's expectation
    """At the bounce address of a letter whatever tells of a failure is a report, and delays are no refusals."""
    raw_mail = b"From: x@y.z\r\nSubject: Your message\r\n\r\n" + text.encode()
    mail = read(raw_mail, is_report_address=True)

    assert (mail.nature, mail.bounce and mail.bounce.permanent) == ("bounce", permanent)
    assert read(raw_mail).nature == "personal"


def _report(status: str, answer: str) -> bytes:
    """A report of RFC 3464 with that status and that answer of the other server."""
    return (
        b"From: MAILER-DAEMON@relay.example\r\nSubject: Returned\r\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        b"--b\r\n\r\nYour mail came back. We will not try again later.\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; relay.example\r\n\r\n"
        b"Final-Recipient: rfc822; anna@nile.example\r\nAction: failed\r\nStatus: "
        + f"{status}\r\nDiagnostic-Code: smtp; {answer}\r\n\r\n".encode()
        + b"--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Bid\r\n\r\nYour mailbox is full. 4.2.2\r\n--b--\r\n"
    )


@pytest.mark.parametrize(
    ("status", "answer", "known", "permanent"),
    [
        ("5.0.0", "550 5.1.1 no Anna here", "5.1.1", True),
        ("5.0.0", "550 5.2.2 Anna's box takes\r\n no more", "5.2.2", False),
        ("5.0.0", "554 refused", "5.0.0", True),
        ("5.0.0", "550 sending rate limit reached", "5.0.0", False),
        ("5.2.0", "552 anna is over quota", "5.2.0", False),
        ("5.3.0", "553 no such user", "5.3.0", True),
        ("5.1.1", "552 the quota of anna is exceeded", "5.1.1", False),
        ("5.1.1", "550 unknown user; try again later", "5.1.1", True),
        ("5.7.1", "554 Service unavailable; Client host blocked", "5.7.1", True),
        ("5.0.0", "554 Service unavailable; Client host blocked", "5.0.0", True),
        ("5.4.7", "the time for it ran out", "5.4.7", False),
        ("4.4.1", "no answer", "4.4.1", False),
    ],
)
def test_a_reports_words_count_where_its_code_is_vague(status: str, answer: str, known: str, permanent: bool) -> None:  # noqa: FBT001 - the case's expectation
    """RFC 3463: x.y.0 is "other or undefined": the server's answer tells more, what surrounds it never counts."""
    assert read(_report(status, answer)).bounce == Bounce(permanent=permanent, status=known)


@pytest.mark.parametrize(
    ("text", "permanent"),
    [
        ("You are not a member of this list.", True),
        ("You are not allowed to post to the list; your message was automatically rejected.", True),
        ("Each of these recipients was rejected. Delivery failed.", True),
        ("Unable to deliver to anna. Please check the address and try again.", True),
        ("Error: no valid recipients.", True),
        ("Undeliverable: the group you wrote to may not exist.", True),
        ("Undeliverable: ディレクトリのリストにありません", True),
        ("Loop detected: this Message-ID was seen before.", False),
        ("Not delivered: the service is temporarily unavailable.", False),
        ("Nicht zugestellt, delivery failed: das Postfach ist voll.", False),
        ("Mail could not be delivered: mailfolder is full. This is a permanent error.", False),
        ("Undeliverable.\n\n--- Original message ---\nReceived: by x\n\n550 5.1.1 user unknown", False),
    ],
)
def test_a_report_without_a_code_is_judged_by_its_own_words(text: str, permanent: bool) -> None:  # noqa: FBT001 - the case's expectation
    """What a list's program, a filter or an old server says itself, not what stands in the letter it returns."""
    mail = read(
        b"From: x@y.z\r\nSubject: Bid\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode(),
        is_report_address=True,
    )

    assert (mail.nature, mail.bounce and mail.bounce.permanent) == ("bounce", permanent)


@pytest.mark.parametrize(("sender", "nature"), [("MAILER-DAEMON@y.z", "bounce"), ("anna@y.z", "automatic")])
def test_a_mail_servers_automatic_answer_is_a_report(sender: str, nature: str) -> None:
    """Some servers mark their reports as answering machines mark theirs: only their sender tells them apart."""
    text = (
        b"\r\nSubject: An error\r\nAuto-Submitted: auto-replied\r\n\r\nDo not reply to this: [550 5.1.1 unknown user]"
    )

    assert read(b"From: " + sender.encode() + text, is_report_address=True).nature == nature


def test_an_answering_machine_at_the_bounce_address_is_no_bounce() -> None:
    """Vacation programs answer to the envelope's sender."""
    away = (
        b"From: x@y.z\r\nSubject: Re: Bid\r\n\r\nI am out of the office. Your mail was not delivered to anybody else."
    )

    assert read(away, is_report_address=True).nature == "personal"


@pytest.mark.parametrize("head", [b"X-Auto-Response-Suppress: OOF", b"From: postmaster@club.example"])
def test_people_behind_odd_headers_are_people(head: bytes) -> None:
    """Outlook's wish for no automatic answers, and an address that people use too, are no signs."""
    assert read(b"From: a@b.c\r\n" * (b"From" not in head) + head + b"\r\n\r\nbid 6 on Memphis").nature == "personal"


def multipart(label: str, part: str) -> bytes:
    """A mail of one part, of these types."""
    head = f"From: a@b.c\r\nSubject: x\r\nContent-Type: multipart/{label}; boundary=p\r\n\r\n"
    return f"{head}--p\r\nContent-Type: {part}\r\n\r\nx: y\r\n\r\n--p--\r\n".encode()


@pytest.mark.parametrize(("report", "nature"), [("feedback-report", "complaint"), ("delivery-status", "bounce")])
def test_a_report_is_known_by_its_label_or_by_its_part_alone(report: str, nature: str) -> None:
    """RFC 6522 wants both; some servers send one of them. Without either it's what a person wrote."""
    assert read(multipart(f"report; report-type={report.upper()}", "text/plain")).nature == nature
    assert read(multipart("mixed", f"message/{report}")).nature == nature
    assert read(multipart("report", "text/plain")).nature == "personal"


@pytest.mark.parametrize(("part", "permanent"), [("text/plain", True), ("image/png", False), ("x/y", False)])
def test_why_a_letter_came_back_is_told_by_words_alone(part: str, permanent: bool) -> None:  # noqa: FBT001 - the case's expectation
    """What a file holds that a report brings along says nothing of the letter."""
    said = multipart("mixed", part).replace(b"a@b.c", b"MAILER-DAEMON@b.c").replace(b"x: y", b"User unknown.")
    mail = read(said, is_report_address=True)

    assert (mail.nature, mail.bounce and mail.bounce.permanent) == ("bounce", permanent)
