"""`pbem mail`: see every letter before a player does, listen for mail, and take in one from the shell."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from html import escape
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click
import structlog
from flask.cli import with_appcontext

from pbem import clock
from pbem.capabilities.tokens import tokens
from pbem.cli import explained, make_app, output
from pbem.cli import session as cmd
from pbem.extensions import current, settings
from pbem.extensions import mail as flask_mail
from pbem.messages import LANGUAGES

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.letters.context import LetterData
    from pbem.letters.mail_context import MailContext


@click.group()
def mail() -> None:
    """Letters and replies: preview, listen, receive."""


@mail.command()
@click.argument("letter", required=False)
@click.option("--all", "everything", is_flag=True, help="Every letter of every game in every language.")
@click.option("--game", "games", multiple=True, help="Only this game; may be given several times.")
@click.option("--language", "languages", multiple=True, help="Only this language: en, it, fr.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder to write to.")
@output.as_json
def preview(
    letter: str | None, games: tuple[str, ...], languages: tuple[str, ...], out: Path, *, everything: bool
) -> None:
    """Write LETTER, or all letters, as .eml, .html and .txt, with an index page, about games that bots play."""
    from pbem.engine.registry import GAMES  # noqa: PLC0415 - loading one command leaves the others alone
    from pbem.letter_kinds import KINDS  # noqa: PLC0415 - as above

    if (letter is None) == (not everything):
        raise click.UsageError("Name one letter, or ask for '--all'")
    if letter is not None and letter not in KINDS:
        raise click.UsageError(f"{letter!r} is no letter: write one of {', '.join(sorted(KINDS))}")
    _refuse_unknown("game", games, tuple(GAMES))
    _refuse_unknown("language", languages, LANGUAGES)
    written = [
        name
        for game in games or tuple(GAMES)
        for language in languages or LANGUAGES
        for name in _write(out / game / language, game, language, letter)
    ]
    (out / "index.html").write_text(_index(out, written), encoding="utf-8")
    output.tell(f"Letters in {out / 'index.html'}: {len(written)}", letters=len(written), index=str(out / "index.html"))


def _refuse_unknown(what: str, given: tuple[str, ...], known: tuple[str, ...]) -> None:
    for one in given:
        if one not in known:
            raise click.UsageError(f"{one!r} is no {what} of ours: write one of {', '.join(known)}")


def _write(folder: Path, game: str, language: str, only: str | None) -> list[Path]:
    """The letters of one game in one language; where each of them is, without its ending."""
    from pbem.letters.samples import samples  # noqa: PLC0415 - loading one command leaves the others alone

    folder.mkdir(parents=True, exist_ok=True)
    now = clock.now()
    house = _house()
    written = []
    for name, data in samples(game, language, now):
        if only is None or data.kind == only:
            _write_one(folder / name, data, house, now)
            written.append(folder / name)
    return written


def _house() -> MailContext:
    """A house whose links lead nowhere."""
    from pbem.capabilities.tokens import Tokens  # noqa: PLC0415 - as above
    from pbem.letters.mail_context import MailContext  # noqa: PLC0415 - as above
    from pbem.mail.address import Addresses  # noqa: PLC0415 - loading one command leaves the others alone

    keys = (("preview", "letters that are only looked at"),)
    return MailContext(
        addresses=Addresses(keys, "play.example.org"),
        tokens=Tokens(keys),
        base_url="https://play.example.org",
        name="Nile Club",
    )


def _write_one(path: Path, data: LetterData, house: MailContext, now: datetime) -> None:
    from pbem.letters.writer import compose_mail  # noqa: PLC0415 - as above
    from pbem.letters.writer import preview as say_it  # noqa: PLC0415 - loading one command leaves the others alone

    rendered, picture = say_it(data, house)
    html = rendered.html
    if picture is not None:
        path.with_suffix(".png").write_bytes(picture.png)
        html = html.replace(f"cid:{picture.cid}", path.with_suffix(".png").name)
    path.with_suffix(".html").write_text(html, encoding="utf-8")
    path.with_suffix(".txt").write_text(f"{rendered.subject}\n\n{rendered.text}", encoding="utf-8")
    path.with_suffix(".eml").write_bytes(compose_mail(data, house, now).raw)


def _index(out: Path, written: list[Path]) -> str:
    """One page that links every letter written."""
    lines = []
    for path in written:
        name = escape(str(path.relative_to(out)))
        endings = " ".join(f'<a href="{name}{ending}">{ending[1:]}</a>' for ending in (".html", ".txt", ".eml"))
        lines.append(f"<li>{name}: {endings}</li>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>All letters</title>'
        f"<h1>All letters</h1><ul>{''.join(lines)}</ul></html>\n"
    )


@mail.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8025, show_default=True)
@click.option("--lmtp", is_flag=True, help="Speak LMTP, as a mail server delivers to a program behind it.")
def listen(host: str, port: int, *, lmtp: bool) -> None:
    """Take in mail by SMTP or LMTP until stopped."""
    from pbem.smtpd import listen  # noqa: PLC0415 - loading one command leaves the others alone

    app = make_app()
    try:
        door = listen(app, host, port, lmtp=lmtp)
    except OSError as fault:
        raise click.UsageError(
            f"Port {port} of {host} can't be listened at ({fault.strerror}): choose another one with '--port'"
        ) from fault
    stop = Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    click.echo(f"Listening for {'LMTP' if lmtp else 'SMTP'} at {host}, port {port}.")
    log = structlog.get_logger()
    log.info("listening for mail", host=host, port=port, lmtp=lmtp)
    stop.wait()
    door.stop()
    log.info("no longer listening for mail")


@mail.command()
@click.option("--recipient", required=True, help="The reply address the mail came to.")
@click.option("--sender", default=None, help="The envelope's sender; '' for the null sender.")
@output.as_json
def receive(recipient: str, sender: str | None) -> None:
    """Take in one raw mail from standard input, as a mail server's pipe delivers it.

    Leaves with 75 where it can't be kept now: the mail server then keeps it, and tries again.
    """
    from pbem.cli import migrating  # noqa: PLC0415 - as above
    from pbem.extensions import db  # noqa: PLC0415 - as above
    from pbem.inbound import receive as from_mail  # noqa: PLC0415 - as above
    from pbem.mail.incoming import Unreadable  # noqa: PLC0415 - as above

    raw = sys.stdin.buffer.read()
    if not raw.strip():
        raise click.UsageError("Standard input is empty: pipe one raw mail into this command")
    try:
        with explained(os.EX_TEMPFAIL), make_app().app_context():
            migrating.refuse_misfit()
            kept = from_mail.receive(db.session(), raw, recipient, clock.now(), sender=sender, source="cli")
            db.session.commit()
    except Unreadable as refusal:
        raise click.UsageError(str(refusal)) from refusal
    output.tell("Kept; it is read within a minute." if kept else "This mail is here already.", kept=bool(kept))


@mail.command()
@click.argument("address")
@output.as_json
@with_appcontext
def test(*, address: str) -> None:
    """Send a short letter to ADDRESS by the relay, now, and say what the relay answered."""
    from pbem.letters import delivery  # noqa: PLC0415 - loading one command leaves the others alone
    from pbem.mail.compose import Envelope, Rendered, compose  # noqa: PLC0415 - as above
    from pbem.mail.smtp import DeliveryError, OutgoingMail  # noqa: PLC0415 - as above

    config, moment = settings(), clock.now()
    if not config.smtp_url:
        raise click.ClickException("SMTP_URL is not set: no letter leaves this machine")
    sender = f"{config.mail_prefix}@{config.mail_domain}"
    text = f"This letter left {config.base_url} at {moment:%Y-%m-%d %H:%M} UTC. It needs no answer."
    envelope = Envelope(
        kind="test",
        message_id=f"<{secrets.token_hex(16)}@{config.mail_domain}>",
        date=moment,
        sender=sender,
        sender_name=config.mail_name,
        to=address,
        to_name="",
        reply_to=config.operator or sender,
    )
    try:
        raw = compose(Rendered("A test letter of pbem", text, f"<p>{escape(text)}</p>"), envelope)
    except ValueError as fault:
        raise click.UsageError(f"{address!r} is no mail address: write one, as in you@example.org") from fault
    carrier = delivery.delivery_worker("mail test", config, tokens(), flask_mail.get_connection())
    signer = carrier.house.signer
    try:
        carrier.transport.send(
            OutgoingMail(number=0, return_path=sender, to=address, raw=signer.sign(raw) if signer else raw)
        )
    except DeliveryError as fault:
        raise click.ClickException(f"The relay did not take it: {fault}") from fault
    finally:
        carrier.transport.close()
    signed = "signed" if signer else "unsigned"
    output.tell(
        f"The relay took it, {signed}: look for it at {address}, also among the spam.", to=address, signed=bool(signer)
    )


@cmd.command(mail)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
def failed(limit: int) -> None:
    """List letters that could not be delivered, the newest first, and why."""
    from pbem.clubs import operation  # noqa: PLC0415 - as above

    rows = operation.failed_letters(cmd.session(), operation.AT_THE_MACHINE, limit)
    output.show(
        rows,
        "{id}  {created_at:%Y-%m-%d %H:%M} UTC  {kind} to {name} <{address}>: {last_error}",
        empty="Every letter was delivered, or is still being tried.",
    )


@cmd.command(mail)
@click.argument("numbers", metavar="LETTER...", nargs=-1, required=True, type=int)
def retry(numbers: tuple[int, ...]) -> None:
    """Try the failed LETTERs with these numbers once more; all of them, or none if one didn't fail."""
    from pbem.clubs import operation  # noqa: PLC0415 - as above

    tried = operation.retry_letters(*current(), operation.AT_THE_MACHINE, numbers)
    if others := sorted({*numbers} - tried):
        said = ", ".join(map(str, others))
        raise click.UsageError(f"No letter that failed has the number {said}: 'pbem mail failed' names those that did")
    cmd.done(f"Letters tried again: {len(tried)}.", letters=len(tried))
