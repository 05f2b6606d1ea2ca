"""Build the image, start the services of docs/deploy/compose.yaml as its page says, and look whether all is as it says.

    python -m tests.deploy.containers            # five processes, PostgreSQL and Redis; --route small: one, on SQLite

Real: the recipe of the image, the compose file, its networks, volumes, secrets and health checks, Caddy and the
certificate it fetches by ACME. Where no registry is reached, the images it begins with are made of Debian's packages.
Needs root, debootstrap, buildah, iptables, podman with netavark, aardvark-dns, pebble, and ports 25, 80 and 443.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import smtplib
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml  # type: ignore[import-untyped]  # it ships no types

from tests.deploy import acme, world
from tests.deploy.blocks import blocks
from tests.deploy.paste import HOST, OPERATOR, letter
from tests.servers import LOOPBACK, until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.mail_servers import Sink

DEPLOY = HOME / "docs/deploy"
BASE = "localhost/pbem-base"
STANDING_IN = {
    "database": "docker.io/library/postgres:16",
    "redis": "docker.io/library/redis:7",
    "caddy": "docker.io/library/caddy:2",
}
NET = "10.97.5.0/24"
AT = "10.97.5.1"
"""This machine in the containers' network, and where their published ports are asked for."""
OUTSIDE = "host.containers.internal"
"""What the containers call this machine."""
NAMES, MAILBOXES = (LOOPBACK, 8053), ("0.0.0.0", 8026)  # noqa: S104 - the containers come from a network of their own
OURS = {"large": ("web", "worker", "mailer", "beat", "smtpd"), "small": ("small",)}
"""Services that run our image."""
ASKED = {"large": "web", "small": "small"}
"""The service that commands are run beside."""


class Run(NamedTuple):
    """One run."""

    folder: Path
    route: str
    sink: Sink
    trust: Path

    def compose(self, *words: str) -> str:
        """What podman-compose prints; raises CalledProcessError with it if it fails."""
        command = (sys.executable, "-m", "uv", "tool", "run", "--quiet", "podman-compose", "--profile", self.route)
        done = subprocess.run((*command, *words), cwd=self.folder, check=False, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout[-4000:], done.stderr[-4000:], flush=True)
        done.check_returncode()
        return done.stdout

    def container(self, service: str) -> str:
        """The container of a service."""
        found = podman("ps", "-aq", "--filter", f"label=com.docker.compose.service={service}").split()
        assert len(found) == 1, (service, found)
        return found[0]


def podman(*words: str | Path) -> str:
    """What podman prints. Raises CalledProcessError if it fails."""
    return subprocess.run(("podman", *words), check=True, capture_output=True, text=True).stdout


def prepare(work: Path) -> None:
    """Build the image by its recipe, on Debian; and those that stand for what a registry would hand out."""
    base = work / "box"
    if not (base / "etc/debian_version").exists():
        subprocess.run(("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", base), check=True)
    if not (work / "ca.key").exists():
        world.authority(work)
    ours = (work / "ca.crt").read_text(encoding="ascii")
    roots = Path("/etc/ssl/certs/ca-certificates.crt").read_text(encoding="utf-8")
    (base / "etc/ssl/certs/ca-certificates.crt").write_text(roots + ours, encoding="utf-8")
    with subprocess.Popen(("tar", "-C", base, "-c", "."), stdout=subprocess.PIPE) as tar:
        subprocess.run(("podman", "import", "--quiet", "-", BASE), check=True, stdin=tar.stdout)
    build = ("buildah", "build", "--quiet", "--layers", "--isolation", "chroot", "--network", "host")
    named = ("--build-arg", f"BASE={BASE}")
    for name, image in STANDING_IN.items():
        folder = HOME / "tests/deploy/images"
        subprocess.run((*build, *named, "-f", folder / name, "-t", image, folder), check=True)
    trusted = (*named, "--build-arg", "PIP_CERT=/etc/ssl/certs/ca-certificates.crt")
    subprocess.run((*build, *trusted, "-f", DEPLOY / "Containerfile", "-t", "pbem", HOME), check=True)


@contextmanager
def started(work: Path, route: str, sink: Sink, directory: str) -> Iterator[Run]:
    """Follow the page up to its `up`, and take everything down in the end."""
    folder = work / "deploy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DEPLOY, folder)
    page = [block.text for block in blocks(DEPLOY / "README.md")]
    settings = next(text for text in page if text.startswith("BASE_URL"))
    (folder / "pbem.env").write_text(settings, encoding="utf-8")
    secrets = next(text for text in page if "mkdir -m 700 secrets" in text)
    relay = secrets.replace("user:password@relay.example.org:587", f"{OUTSIDE}:{MAILBOXES[1]}")
    subprocess.run(("bash", "-e"), input=relay, cwd=folder, check=True, text=True)
    site = (folder / "Caddyfile").read_text(encoding="utf-8")
    site = site.replace("request_buffers 2MB", "buffer_requests")  # as Debian's Caddy, of before 2.7, calls it
    (folder / "Caddyfile").write_text(f"{{\n\tacme_ca {directory}\n}}\n{site}", encoding="utf-8")
    run = Run(folder, route, sink, work / "issued")
    with rules_put_back():
        try:
            with looked_after():
                for wave in waves(folder, route):
                    run.compose("up", "-d", *wave)
                    health(run, wave)
                yield run
        finally:
            print(run.compose("logs", "--tail", "30"), file=(work / "containers.log").open("w"))
            run.compose("down", "--volumes", "--timeout", "5")


@contextmanager
def looked_after() -> Iterator[None]:
    """Run the containers' health checks, which podman leaves to systemd's timers: where there is none, nobody does."""
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(1):
            for container in podman("ps", "-q").split():
                subprocess.run(("podman", "healthcheck", "run", container), check=False, capture_output=True)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def rules_put_back() -> Iterator[None]:
    """Take away what podman leaves in this machine's packet filter: it does where a container's process was killed."""
    before = _filter_rules()
    try:
        yield
    finally:
        left = [line for line in _filter_rules() if line not in before and ("NETAVARK" in line[1] or NET in line[1])]
        for act in ("-A", ":"):  # rules first: a chain goes once nothing leads to it
            for table, line in left:
                if line.startswith(act):
                    _forget(table, line)


def _filter_rules() -> list[tuple[str, str]]:
    """Every rule and chain, each with its table."""
    tables = ("filter", "nat")
    saved = [
        subprocess.run(("iptables-save", "-t", table), check=True, capture_output=True, text=True) for table in tables
    ]
    return [(table, line) for table, done in zip(tables, saved, strict=True) for line in done.stdout.splitlines()]


def _forget(table: str, line: str) -> None:
    """Delete one rule, or one chain."""
    words = ["-D", *shlex.split(line)[1:]] if line.startswith("-A") else ["-X", line[1:].split(maxsplit=1)[0]]
    subprocess.run(("iptables", "-t", table, *words), check=True)


def waves(folder: Path, route: str) -> list[list[str]]:
    """A route's services in the order in which one waits for another, as compose.yaml says, which is kept by the test.

    Podman before 4.6 cannot wait for a container's health: podman-compose says so, and starts all at once.
    """
    file = folder / "compose.yaml"
    known = yaml.safe_load(file.read_text(encoding="utf-8"))
    services = {name: held for name, held in known["services"].items() if route in held["profiles"]}
    after = {name: set(held.pop("depends_on", ())) for name, held in services.items()}
    known["networks"] = {"default": {"ipam": {"config": [{"subnet": NET, "gateway": AT}]}}}
    file.write_text(yaml.safe_dump(known), encoding="utf-8")
    found: list[list[str]] = []
    while after:
        found.append(sorted(name for name, others in after.items() if not others & set(after)))
        after = {name: others for name, others in after.items() if name not in found[-1]}
    return found


def health(run: Run, services: Sequence[str]) -> None:
    """Each service that has a health check passes it, and what was to end has ended well."""
    for service in services:
        until(partial(_is_well, run, service), f"{service} is well", 180, pause=1)


def _is_well(run: Run, service: str) -> bool:
    state = _inspected(run, service)["State"]
    checked = state.get("Health", {}).get("Status") or "healthy"
    return state["ExitCode"] == 0 and not state["Running"] if service == "migrate" else checked == "healthy"


def _inspected(run: Run, service: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(podman("inspect", run.container(service)))[0]
    return found


def unprivileged(run: Run) -> None:
    """Nobody of ours is root, has a capability, may gain one, or may write outside of /data and /tmp."""
    for service in OURS[run.route]:
        container = run.container(service)
        status = podman("exec", container, "cat", "/proc/1/status")
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert facts["Uid"].split()[0] == "10001", (service, facts["Uid"])
        assert int(facts["CapEff"], 16) == int(facts["CapBnd"], 16) == 0, (service, facts["CapBnd"])
        assert facts["NoNewPrivs"] == "1", service
        for path in ("/opt/pbem/x", "/usr/x"):
            tried = subprocess.run(("podman", "exec", container, "touch", path), check=False, capture_output=True)
            assert tried.returncode, (service, path)


def secrets_stay_in_files(run: Run) -> None:
    """No secret stands in what podman shows of a container, nor in what any process of ours printed."""
    kept = [path.read_text(encoding="utf-8") for path in (run.folder / "secrets").iterdir() if path.name != "smtp_url"]
    for service in OURS[run.route]:
        shown = json.dumps(_inspected(run, service)) + podman("logs", run.container(service))
        assert not [secret for secret in kept if secret in shown], service


def tls(run: Run) -> None:
    """Caddy has fetched a certificate; the pages answer by it, and the plain address leads there."""
    until(lambda: _ready(run), "the pages answer by TLS", 120, pause=1)
    status, headers, _ = world.fetch(run.trust, HOST, "/", secure=False, at=AT)
    assert (status, headers["Location"]) == (308, f"https://{HOST}/")


def _ready(run: Run) -> bool:
    try:
        return world.fetch(run.trust, HOST, "/readyz", at=AT)[0] == 200
    except OSError:
        return False


def founding(run: Run) -> None:
    """A club is founded by the page's own words; its first letter arrives, and the link in it opens."""
    page = [line.strip() for block in blocks(DEPLOY / "README.md") for line in block.text.splitlines()]
    words = shlex.split(next(line for line in page if " club new " in line))
    run.compose(*_beside(run, words))
    _, text = letter(run.sink, f"https://{HOST}/l/")
    path = next(word for word in text.split() if f"{HOST}/l/" in word).partition(HOST)[2]
    status, headers, _ = world.fetch(run.trust, HOST, path, at=AT)
    assert status in {200, 302, 303}, status
    assert "Set-Cookie" in headers


def _beside(run: Run, words: list[str]) -> list[str]:
    """A line of the page from `run` on, for the service of this route."""
    line = words[words.index("run") :]
    return [ASKED[run.route] if word == "web" else word for word in line]


def mail_in(run: Run) -> None:
    """A reply is taken in at port 25 and answered; what is no address of ours is refused."""
    mail, _ = letter(run.sink, f"https://{HOST}/l/")
    reply_to, before = str(mail.parsed["Reply-To"]).strip("<>"), len(run.sink.mails)
    with smtplib.SMTP(AT, 25, local_hostname="mx.example.org", timeout=60) as line:
        line.sendmail(OPERATOR, [reply_to], f"From: {OPERATOR}\r\nTo: {reply_to}\r\nSubject: Re: hello\r\n\r\nhelp\r\n")
        line.mail(OPERATOR)
        code, said = line.rcpt(f"nobody@{HOST}")
        assert code == 550, (code, said)
    until(lambda: len(run.sink.mails) > before, "an answer to the reply", 120, pause=0.2)


def commands(run: Run) -> None:
    """Backup and audit run in a container of their own, and their files are kept."""
    run.compose("run", "--rm", ASKED[run.route], "backup")
    assert "pbem-" in podman("exec", run.container(ASKED[run.route]), "ls", "/data/backups")
    assert "difference" in run.compose("run", "--rm", ASKED[run.route], "audit")


def again(run: Run) -> None:
    """A service whose process dies is started again, and all is there."""
    os.kill(_inspected(run, ASKED[run.route])["State"]["Pid"], signal.SIGKILL)  # `podman kill` would count as wanted
    until(lambda: _ready(run), "the pages answer again", 120, pause=1)


CHECKS: tuple[Callable[[Run], None], ...] = (
    *(unprivileged, tls, founding, mail_in, commands, secrets_stay_in_files, again),
)


def main() -> int:
    """Build, start, check; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.deploy.containers", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("/var/tmp/pbem-paste"))  # noqa: S108 - made by root for root
    parser.add_argument("--route", choices=sorted(OURS), default="large")
    parser.add_argument("--built", action="store_true", help="use the images of the last run")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    _as_this_machine_allows(asked.work)
    if not asked.built:
        prepare(asked.work)
    wrong: list[str] = []
    with ExitStack() as stack:
        names = stack.enter_context(world.name_server(NAMES))
        names.publish(f"{HOST}. A {AT}\n")
        directory = stack.enter_context(acme.authority(asked.work, OUTSIDE, ":".join(map(str, NAMES))))
        sink = stack.enter_context(world.mailboxes(MAILBOXES))
        run = stack.enter_context(started(asked.work, asked.route, sink, directory))
        for check in CHECKS:
            began = time.monotonic()
            try:
                check(run)
            except Exception as fault:  # noqa: BLE001 - every check is told of, whatever it stumbled over
                wrong.append(f"{check.__name__}: {type(fault).__name__}: {fault}")
            print(f"{check.__name__}: {time.monotonic() - began:.1f} s {wrong[-1:]}", flush=True)
    print("\n".join(("not as the page says:", *wrong)) if wrong else "All as the page says.")
    return 1 if wrong else 0


def _as_this_machine_allows(work: Path) -> None:
    """Have podman do without what a machine that is a container itself does not have: limits to raise, cgroups."""
    limits = subprocess.run(
        ("prlimit", "--nofile", "--raw", "--noheadings", "-o", "HARD"), check=True, capture_output=True
    )
    files = limits.stdout.decode().strip()
    (work / "containers.conf").write_text(
        f'[containers]\ndefault_ulimits = ["nofile={files}:{files}", "nproc=32768:32768"]\ncgroups = "disabled"\n'
        '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n[network]\nnetwork_backend = "netavark"\n',
        encoding="ascii",
    )
    os.environ["CONTAINERS_CONF"] = str(work / "containers.conf")


if __name__ == "__main__":
    sys.exit(main())
