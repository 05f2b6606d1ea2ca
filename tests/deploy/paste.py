"""From an empty Debian to a club with TLS, DKIM and inbound mail, by pasting the manual's blocks and nothing else.

    python -m tests.deploy.paste [--work FOLDER] [--route large|small]

The program is the wheel built from this checkout. What stands for the world outside: a name server with the records of
dns.txt, mailboxes for the operator and the organiser, an authority that signs certificates. Needs root; what was
fetched is kept in FOLDER, so that a second run needs no network. Leaves with 1 if anything is not as the manual says.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import shutil
import smtplib
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import dkim

from tests.deploy import world
from tests.deploy.blocks import blocks
from tests.deploy.debian import INSIDE, booted, prepare
from tests.servers import until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.deploy.debian import Machine
    from tests.mail_servers import Mail, Sink

HOST, OPERATOR = "play.example.org", "you@example.org"
HEADING = "By six questions"
ROUTES = {
    "large": f"{HOST}\n{INSIDE}\n{OPERATOR}\nlarge\nlocal\nnginx\n",
    "small": f"{HOST}\n{INSIDE}\n{OPERATOR}\nsmall\nlocal\ncaddy\n",
}
"""What is answered to the six questions."""
LEFT_OUT = {"large": (), "small": (" nginx certbot python3-certbot-nginx postgresql redis-server",)}
"""What the page says need not be installed."""


class Run(NamedTuple):
    """One run."""

    machine: Machine
    sink: Sink
    names: world.Names
    authority: Path
    route: str


def packages(route: str) -> str:
    """What the page's apt-get installs on a route."""
    line = next(
        line for block in _blocks() for line in block.splitlines() if "apt-get install" in line and "postfix" in line
    )
    named = line.partition("install -y ")[2]
    for word in LEFT_OUT[route]:
        named = named.replace(word, "")
    return named + (" caddy" if route == "small" else "")


def _blocks() -> list[str]:
    page = HOME / "docs/operating.md"
    return [block.text for block in blocks(page) if block.heading == HEADING]


def paste(run: Run) -> Iterator[str]:
    """Paste the page block by block; gives each command that did not succeed."""
    for text in _blocks():
        block = text
        if "apt-get install" in block:
            block = block.replace(packages("large"), packages(run.route))
        if "pbem setup" in block:
            block += ROUTES[run.route]
        if "certbot" in block and run.route == "small" and "apt-get" not in block:
            run.machine.run("certbot", HOST)  # Caddy would ask a public authority by itself
            continue
        began = time.monotonic()
        done = run.machine.paste(block)
        print(f"--- {time.monotonic() - began:.0f} s\n{block}{done.said[-4000:]}", flush=True)
        yield from done.failed
        if "pbem setup" in block:
            run.names.publish(run.machine.run("sh", "-c", "cat ~/pbem-setup/dns.txt"))
            run.names.name_back(INSIDE, HOST)


def letter(sink: Sink, words: str) -> tuple[Mail, str]:
    """The letter whose text holds `words`, and that text."""

    def found() -> list[tuple[Mail, str]]:
        mails = [(mail, _text(mail)) for mail in list(sink.mails)]
        return [(mail, text) for mail, text in mails if words in text]

    until(found, f"a letter with {words!r}", 120, pause=0.2)
    return found()[0]


def _text(mail: Mail) -> str:
    body = email.message_from_bytes(mail.raw, policy=email.policy.default).get_body(("plain",))
    return "" if body is None else str(body.get_content())


def tls(run: Run) -> None:
    """Pages answer by TLS, the plain address leads there, nothing stands beside it open to the world."""
    status, _, text = world.fetch(run.authority, HOST, "/readyz")
    assert (status, '"database":"ok"' in text.replace(" ", "")) == (200, True), (status, text)
    status, headers, _ = world.fetch(run.authority, HOST, "/", secure=False)
    assert status in {301, 308}, status
    assert headers["Location"].startswith(f"https://{HOST}"), headers
    for port in (8000, 8025, 5432, 6379):
        assert not _is_open(port), port


def _is_open(port: int) -> bool:
    from socket import create_connection  # noqa: PLC0415 - of this function alone

    try:
        create_connection((INSIDE, port), 2).close()
    except OSError:
        return False
    return True


def signed(run: Run) -> None:
    """The letters' signature agrees with the key published."""
    mail, _ = letter(run.sink, f"https://{HOST}/l/")

    def published(name: bytes, **_more: object) -> bytes:
        texts = run.names.records[name.decode().rstrip(".") + ".", "TXT"]
        return "".join(texts[0].split('" "')).strip('"').encode()

    assert dkim.verify(mail.raw, dnsfunc=published), "the signature does not hold"


def link(run: Run) -> None:
    """The first organiser's link opens their page."""
    _, text = letter(run.sink, f"https://{HOST}/l/")
    path = next(word for word in text.split() if f"{HOST}/l/" in word).partition(HOST)[2]
    status, headers, _ = world.fetch(run.authority, HOST, path)
    assert status in {200, 302, 303}, status
    assert "Set-Cookie" in headers or status == 200, headers


def mail_in(run: Run) -> None:
    """A reply to a letter is taken in and answered, within the relay's own talk; what nothing asked for is refused."""
    mail, _ = letter(run.sink, f"https://{HOST}/l/")
    reply_to = str(mail.parsed["Reply-To"]).strip("<>")
    before = len(run.sink.mails)
    with smtplib.SMTP(INSIDE, 25, local_hostname="mx.example.org", timeout=60) as line:
        line.sendmail(OPERATOR, [reply_to], f"From: {OPERATOR}\r\nTo: {reply_to}\r\nSubject: Re: hello\r\n\r\nhelp\r\n")
        line.mail(OPERATOR)
        code, said = line.rcpt(f"nobody@{HOST}")
        assert code == 550, (code, said)
        code, said = line.rcpt("somebody@elsewhere.example")
        assert code in {550, 554}, (code, said)
    until(lambda: len(run.sink.mails) > before, "an answer to the reply", 180, pause=0.2)


def postmaster(run: Run) -> None:
    """Mail to postmaster and abuse reaches the operator."""
    for name in ("postmaster", "abuse"):
        words = f"a word to {name}"
        with smtplib.SMTP(INSIDE, 25, local_hostname="mx.example.org", timeout=60) as line:
            line.sendmail("w@example.org", [f"{name}@{HOST}"], f"From: w@example.org\r\nSubject: x\r\n\r\n{words}\r\n")
        found, _ = letter(run.sink, words)
        assert found.recipients == (OPERATOR,)


def backup(run: Run) -> None:
    """The nightly backup runs as its unit, and audit finds no difference."""
    run.machine.run("systemctl", "start", "pbem-backup.service")
    assert run.machine.run("sh", "-c", "ls /srv/pbem/backups").strip().endswith(".tar.gz")


def survives(run: Run) -> None:
    """Everything is there again after a restart of the machine's services."""
    run.machine.run("systemctl", "restart", "pbem.target")
    until(lambda: world.fetch(run.authority, HOST, "/readyz")[0] == 200, "the pages answer again", 120, pause=0.5)


CHECKS: tuple[Callable[[Run], None], ...] = (tls, signed, link, mail_in, postmaster, backup, survives)


def main() -> int:
    """Prepare, paste, check; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.paste", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/pbem-paste"))  # noqa: S108 - made by root for root
    parser.add_argument("--route", choices=sorted(ROUTES), default="large")
    asked = parser.parse_args()
    prepare(asked.work, tuple(packages(route) for route in ROUTES))
    world.authority(asked.work)
    wrong: list[str] = []
    with ExitStack() as stack:
        machine = stack.enter_context(booted(asked.work))
        names = stack.enter_context(world.name_server())
        run = Run(machine, stack.enter_context(world.mailboxes()), names, asked.work, asked.route)
        _trust(run)
        wrong += paste(run)
        wrong += _checked(run)
        if wrong:
            journal = machine.run("journalctl", "--no-pager", "-n", "200", "-p", "warning")
            (asked.work / "journal.log").write_text(journal)
    print("\n".join(("not as the manual says:", *wrong)) if wrong else "All as the manual says.")
    return 1 if wrong else 0


def _trust(run: Run) -> None:
    """The machine trusts the test's authority, and its certbot asks that one instead of a public one."""
    home = run.machine.root
    shutil.copytree(run.authority, home / "etc/authority", ignore=lambda _, all_: [n for n in all_ if n[:3] != "ca."])
    shutil.copy(run.authority / "ca.crt", home / "usr/local/share/ca-certificates/test.crt")
    run.machine.run("update-ca-certificates")
    shutil.copy(HOME / "tests/deploy/certbot.sh", home / "usr/local/sbin/certbot")
    (home / "usr/local/sbin/certbot").chmod(0o755)


def _checked(run: Run) -> Iterator[str]:
    for check in CHECKS:
        began = time.monotonic()
        try:
            check(run)
        except Exception as fault:  # noqa: BLE001 - every check is told of, whatever it stumbled over
            yield f"{check.__name__}: {type(fault).__name__}: {fault}"
        else:
            print(f"{check.__name__}: as it says ({time.monotonic() - began:.1f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
