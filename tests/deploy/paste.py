"""From an empty Debian to a club with TLS, DKIM and inbound mail, by pasting the manual's blocks and nothing else.

    python -m tests.deploy.paste [--work FOLDER] [--route large|small|sources]

The program is the wheel built from this checkout, or a clone of it. What stands for the world outside: a name server
with the records of dns.txt, mailboxes for the operator and the organiser, an authority that gives certificates by
ACME, of which certbot and Caddy are told where they would ask a public one. Needs root and pebble; what was fetched is
kept in FOLDER, so that a second run needs no network. Leaves with 1 if anything is not as the manual says.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import re
import shutil
import smtplib
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import dkim

from tests.deploy import acme, world
from tests.deploy.blocks import Block, blocks
from tests.deploy.debian import INSIDE, WORLD, booted, prepare
from tests.servers import until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.deploy.debian import Machine
    from tests.mail_servers import Mail, Sink

HOST, OPERATOR = "play.example.org", "you@example.org"
AUTHORITY = "acme.example.org"
DIRECTORY = f"https://{AUTHORITY}:{acme.PORT}/dir"
PAGES = ("operating.md", "organisers.md")
SIX, KEEP, SOURCES = "By six questions", "Backup, restore, upgrade", "From its sources"


class Route(NamedTuple):
    """One way through the pages."""

    answers: str
    """To the six questions."""
    left_out: str
    """Of the programs, what the page says need not be installed."""
    instead: str
    """What is installed for it."""
    to_a_club: tuple[str, ...]
    """The blocks up to a club, as `heading number`; a club is looked for after them."""
    and_then: tuple[str, ...]
    """The blocks pasted with the club there."""


def _numbered(heading: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{heading} {number}" for number in numbers)


ROUTES = {
    "large": Route(
        f"{HOST}\n{INSIDE}\n{OPERATOR}\nlarge\nlocal\nnginx\n",
        "",
        "",
        _numbered(SIX, 1, 2, 3, 4, 5, 6),
        (*_numbered("Open a game", 1), *_numbered("Look after games", 1), *_numbered(KEEP, 1, 2, 6)),
    ),
    "small": Route(
        f"{HOST}\n{INSIDE}\n{OPERATOR}\nsmall\nlocal\ncaddy\n",
        " nginx certbot python3-certbot-nginx postgresql redis-server",
        " caddy",
        _numbered(SIX, 1, 2, 3, 4, 6),  # Caddy fetches the certificate by itself
        _numbered(KEEP, 1, 3, 4, 5),
    ),
    "sources": Route(
        f"{HOST}\n{INSIDE}\n{OPERATOR}\nsmall\nlocal\nnginx\n",
        " postgresql redis-server",
        "",
        (*_numbered(SIX, 1), *_numbered(SOURCES, 1, 2), *_numbered(SIX, 3, 4, 5, 6)),
        _numbered(KEEP, 6),
    ),
}
ALONE = ("git", "postgresql")
"""What single blocks install by themselves."""
NOT_PASTED = {
    "operating.md: Several machines 1": "lines of three other programs' files; benchmarks.hosts sets them",
    "operating.md: Several machines 2": "settings for other machines; benchmarks.hosts sets them",
    "operating.md: How far it goes, on paper 1": "for a pgbouncer, which few have",
    "operating.md: Watching 1": "for a Prometheus elsewhere",
    "organisers.md: Found a club 1": "a line of operating.md, pasted there",
    "organisers.md: Many games at once 1": "a line for a page's form",
}
"""Blocks that nobody pastes into a shell, and why."""


class Run(NamedTuple):
    """One run."""

    machine: Machine
    sink: Sink
    names: world.Names
    authority: Path
    """The folder with the root that browsers trust."""
    route: Route


def pages() -> dict[str, Block]:
    """Every block of the pages, by heading and number."""
    return {f"{one.heading} {one.number}": one for name in PAGES for one in blocks(HOME / "docs" / name)}


def packages(route: Route) -> str:
    """What the page's apt-get installs on a route."""
    named = re.findall(r"apt-get install -y (.*)", pages()[f"{SIX} 1"].text)[0]
    assert route.left_out in named, "the page no longer installs what is left out here"
    return str(named.replace(route.left_out, "") + route.instead)


def paste(run: Run, names: tuple[str, ...]) -> Iterator[str]:
    """Paste blocks one by one; gives each command that did not succeed."""
    known = pages()
    for name in names:
        block = _as_here(run, known[name])
        began = time.monotonic()
        done = run.machine.paste(block)
        print(f"--- {time.monotonic() - began:.0f} s\n{block}{done.said[-4000:]}", flush=True)
        yield from done.failed
        _meanwhile(run, block)


def _as_here(run: Run, block: Block) -> str:
    """A block with one's own names and addresses, as its page asks for, and the answers to what it asks."""
    text = re.sub(r"(apt-get install -y).*postfix.*", rf"\1 {packages(run.route)}", block.text)
    text = text.replace("ADDRESS-OF-THIS-PROJECT", "/wheels/pbem.git")
    if block.page == "organisers.md":  # the page of people who sit at a terminal of their own
        text = "set -a; . /etc/pbem.env; set +a\n" + re.sub("(?m)^pbem", "runuser -u pbem -- pbem", text)
        text = text.replace("GAME", _game(run)) if "GAME" in text else text
    return text + (run.route.answers if "pbem setup" in text else "")


def _game(run: Run) -> str:
    """The short name of the game that was played."""
    return run.machine.pbem("game", "list", "--state", "finished").split()[0]


def _meanwhile(run: Run, block: str) -> None:
    """What the world does between two blocks: it publishes records; and stands where a public authority would."""
    if "apt-get install" in block and " certbot" in block:
        with (run.machine.root / "etc/letsencrypt/cli.ini").open("a") as settings:
            settings.write(f"server = {DIRECTORY}\n")
    if "pbem setup" in block:
        run.names.publish(run.machine.run("sh", "-c", "cat ~/pbem-setup/dns.txt"))
        run.names.name_back(INSIDE, HOST)
        file = run.machine.root / "root/pbem-setup/Caddyfile"
        if file.exists():
            file.write_text(f"{{\n\tacme_ca {DIRECTORY}\n}}\n{file.read_text()}", encoding="utf-8")


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
    until(lambda: _answers(run), "the pages answer by TLS", 120, pause=1)
    status, _, text = world.fetch(run.authority, HOST, "/readyz")
    assert (status, '"database":"ok"' in text.replace(" ", "")) == (200, True), (status, text)
    status, headers, _ = world.fetch(run.authority, HOST, "/", secure=False)
    assert status in {301, 308}, status
    assert headers["Location"].startswith(f"https://{HOST}"), headers
    for port in (8000, 8025, 5432, 6379):
        assert not _is_open(port), port


def _answers(run: Run) -> bool:
    try:
        return world.fetch(run.authority, HOST, "/readyz")[0] == 200
    except OSError:
        return False


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


def plays(run: Run) -> None:
    """Bots play a game to its end by the services' own work."""
    bots = ("--seat", "bot:random") * 2
    run.machine.pbem("game", "new", "egizia", "--club", "the-nile-club", *bots)
    until(lambda: "finished" in run.machine.pbem("game", "list"), "the bots' game is over", 300, pause=3)


def backup(run: Run) -> None:
    """The nightly backup runs as its unit."""
    run.machine.run("systemctl", "start", "pbem-backup.service")
    assert run.machine.run("sh", "-c", "ls /srv/pbem/backups").strip().endswith(".tar.gz")


def _survives(run: Run) -> None:
    """Everything is there after the blocks that back up, restore, move and upgrade: the game, no difference, pages."""
    assert "finished" in run.machine.pbem("game", "list")
    assert run.machine.pbem("audit").strip().endswith(" differences 0")
    run.machine.run("systemctl", "restart", "pbem.target")
    until(lambda: _answers(run), "the pages answer again", 120, pause=0.5)
    theirs = run.machine.run("find", "/srv/pbem", "-not", "-user", "pbem", "-not", "-path", "/srv/pbem/venv*")
    assert not [line for line in theirs.splitlines() if "/sources" not in line], theirs


CHECKS: tuple[Callable[[Run], None], ...] = (tls, signed, link, mail_in, postmaster, plays, backup)


def main() -> int:
    """Prepare, paste, check; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.paste", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/pbem-paste"))  # noqa: S108 - made by root for root
    parser.add_argument("--route", choices=sorted(ROUTES), default="large")
    asked = parser.parse_args()
    prepare(asked.work, (*(packages(route) for route in ROUTES.values()), *ALONE))
    world.authority(asked.work)
    _bare_clone(asked.work / "wheels/pbem.git")
    route, wrong = ROUTES[asked.route], []
    with ExitStack() as stack:
        machine = stack.enter_context(booted(asked.work))
        names = stack.enter_context(world.name_server())
        names.publish(f"{AUTHORITY}. A {WORLD}\n")
        stack.enter_context(acme.authority(asked.work, AUTHORITY, f"{WORLD}:53"))
        run = Run(machine, stack.enter_context(world.mailboxes()), names, asked.work / "issued", route)
        _trust(machine, asked.work)
        wrong += [*paste(run, route.to_a_club), *_checked(run, CHECKS)]
        wrong += [*paste(run, route.and_then), *_checked(run, (_survives,))]
        if wrong:
            (asked.work / "journal.log").write_text(machine.run("journalctl", "--no-pager", "-n", "400"))
    print("\n".join(("not as the manual says:", *wrong)) if wrong else "All as the manual says.")
    return 1 if wrong else 0


def _bare_clone(target: Path) -> None:
    """What stands for the project's public address."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(("git", "clone", "--quiet", "--bare", HOME, target), check=True)


def _trust(machine: Machine, work: Path) -> None:
    """The machine trusts the test's authority, as it does a public one: its own door, and what it signs."""
    for name, file in (("door", work / "ca.crt"), ("issued", work / "issued/ca.crt")):
        shutil.copy(file, machine.root / f"usr/local/share/ca-certificates/{name}.crt")
    machine.run("update-ca-certificates")


def _checked(run: Run, checks: tuple[Callable[[Run], None], ...]) -> Iterator[str]:
    for check in checks:
        began = time.monotonic()
        try:
            check(run)
        except Exception as fault:  # noqa: BLE001 - every check is told of, whatever it stumbled over
            yield f"{check.__name__}: {type(fault).__name__}: {fault}"
        else:
            print(f"{check.__name__}: as it says ({time.monotonic() - began:.1f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
