"""An empty Debian with its own systemd in a root of its own, and a terminal in it to paste into.

Needs root, debootstrap, systemd-container and iproute2. Packages are fetched once and kept: the root itself has no way
out, only to `WORLD`, this machine's end of its one cable.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import termios
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.servers import until
from tests.test_house import HOME

if TYPE_CHECKING:
    from collections.abc import Iterator

INSIDE, WORLD = "198.51.100.7", "198.51.100.1"
MACHINE = "pbem-paste"
CABLE = "ve-pbem-paste"
EMPTY = "systemd,systemd-sysv,dbus,ca-certificates,iproute2,adduser"
"""What Debian's installer leaves on a machine without any task chosen, as far as it matters here."""
_SEVERAL = "set -eu; export DEBIAN_FRONTEND=noninteractive; apt-get update -q; "
_FAILED = "FAILED "
_STILL = 1.5
"""Seconds without a word after which a shell that does nothing waits for more."""
_QUIET = b"trap 'echo \"FAILED $?: $BASH_COMMAND\"' ERR\n"


class Pasted(NamedTuple):
    """What a block printed, and the commands in it that did not succeed."""

    said: str
    failed: tuple[str, ...]


def prepare(work: Path, packages: tuple[str, ...]) -> None:
    """Make the empty root, the archive of Debian's packages and the wheels, each unless it is there already."""
    base, wheels = work / "base", work / "wheels"
    work.mkdir(parents=True, exist_ok=True)
    if not (base / "etc/debian_version").exists():
        subprocess.run(("debootstrap", "--variant=minbase", f"--include={EMPTY}", "bookworm", base), check=True)
    stamp = work / "fetched"
    if not stamp.exists() or stamp.read_text() != " ".join(packages):
        shutil.copy("/etc/resolv.conf", base / "etc/resolv.conf")
        for several in packages:  # what is installed together is fetched together: some replace others
            fetch = f"{_SEVERAL} apt-get install -q -y --download-only {several}"
            subprocess.run(("chroot", base, "sh", "-c", fetch), check=True)
        stamp.write_text(" ".join(packages))
    shutil.rmtree(wheels, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels)
    lock = work / "wheels.lock"  # Debian's Python is another one than this: what only some need is fetched as well
    lock.write_text(re.sub(r" ; python_full_version < '3[^\\]*", " ", (HOME / "requirements.lock").read_text()))
    subprocess.run((*pip, "--require-hashes", "-r", lock), cwd=HOME, check=True)
    subprocess.run((*pip, "--no-build-isolation", "--no-index", "."), cwd=HOME, check=True)


class Machine:
    """A Debian that runs."""

    def __init__(self, root: Path, leader: int) -> None:
        """`leader` is its systemd, as this machine counts processes."""
        self.root, self.leader = root, leader

    def command(self, *words: str) -> list[str]:
        """What runs `words` in it, as root, from root's folder."""
        enter = ["nsenter", "-t", str(self.leader), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w"]
        bare = "HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8"
        return [*enter, "env", "-i", *bare.split(), *words]

    def run(self, *words: str) -> str:
        """What a command printed. Raises CalledProcessError if it did not succeed."""
        return subprocess.run(self.command(*words), check=True, capture_output=True, text=True).stdout

    def pbem(self, *words: str) -> str:
        """What a command of pbem printed, called as the manual says."""
        return self.run("sh", "-c", 'set -a; . /etc/pbem.env; set +a; cd /; runuser -u pbem -- pbem "$@"', "sh", *words)

    def paste(self, text: str, patience: float = 900) -> Pasted:
        """Paste `text` into a shell's terminal at once: a command that asks something gets the next line as its answer.

        That is how it goes for people too, and why nothing may follow a command that asks in its block, nor apt-get,
        which hands all that is typed on to what it installs.
        """
        log = self.root / "pasted.log"
        master, slave = pty.openpty()
        quiet = termios.tcgetattr(slave)
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, quiet)
        with log.open("w+") as out:
            shell = subprocess.Popen(
                self.command("bash", "--norc", "-s"),
                cwd="/",
                stdin=slave,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
            os.write(master, _QUIET + b"cd\n" + text.encode())
            try:
                until(lambda: _is_idle(shell.pid, log), "the pasted block is through", patience, pause=0.3)
                os.write(master, b"exit\n")
                shell.wait(60)
            finally:
                shell.kill()
                os.close(slave)
                os.close(master)
        said = log.read_text()
        failed = tuple(line.removeprefix(_FAILED) for line in said.splitlines() if line.startswith(_FAILED))
        return Pasted(said, failed)


def _is_idle(entering: int, log: Path) -> bool:
    """Whether the shell that nsenter began has no command under way and nothing was printed for a while."""
    shell = _children(entering)
    return bool(shell) and not _children(shell[0]) and time.time() - log.stat().st_mtime > _STILL


def _children(process: int) -> list[int]:
    """The processes that a process has begun."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


CONTROL_GROUPS = {"systemd": ("cgroup", "none,name=systemd"), "unified": ("cgroup2", "rw")}
"""What systemd-nspawn wants mounted below /sys/fs/cgroup, by kind and options."""


@contextmanager
def control_groups() -> Iterator[None]:
    """Mount them where this machine has no systemd that did, and take them away: containers don't start beside them."""
    ours = []
    try:
        for name, (kind, options) in CONTROL_GROUPS.items() if Path("/sys/fs/cgroup/cpu").is_dir() else ():
            place = Path("/sys/fs/cgroup") / name
            if not place.is_mount():
                place.mkdir(exist_ok=True)
                subprocess.run(("mount", "-t", kind, "-o", options, "cgroup", place), check=True)
                ours.append(place)
        yield
    finally:
        for place in ours:
            for inside in ("payload", "supervisor"):
                with suppress(OSError):  # it goes with its last process
                    (place / inside).rmdir()
            subprocess.run(("umount", "--lazy", place), check=True)
            place.rmdir()


@contextmanager
def booted(work: Path) -> Iterator[Machine]:
    """Boot the empty root, everything written kept apart from it and gone afterwards."""
    top, root = work / "top", work / "root"
    shutil.rmtree(top, ignore_errors=True)
    for folder in (top / "new", top / "work", root):
        folder.mkdir(parents=True)
    layers = f"lowerdir={work / 'base'},upperdir={top / 'new'},workdir={top / 'work'}"
    subprocess.run(("mount", "-t", "overlay", "overlay", "-o", layers, root), check=True)
    try:
        with control_groups(), _running(root, work) as machine:
            yield machine
    finally:
        subprocess.run(("umount", root), check=True)
        root.rmdir()


@contextmanager
def _running(root: Path, work: Path) -> Iterator[Machine]:
    _without_a_way_out(root)
    nspawn = ("systemd-nspawn", "-D", root, "-M", MACHINE, "--network-veth", "--register=no", "--keep-unit", "--boot")
    binds = ("--resolv-conf=off", "--console=pipe", f"--bind-ro={work / 'wheels'}:/wheels")
    with (work / "boot.log").open("w") as log:
        engine = subprocess.Popen((*nspawn, *binds), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            machine = Machine(root, _leader(engine.pid))
            _lay_cable(machine)
            until(lambda: _is_up(machine), "systemd is up", 60)
            yield machine
        finally:
            _halt(engine)


def _halt(engine: subprocess.Popen[bytes]) -> None:
    """End it in good order, or at once where that takes long: systemd-nspawn takes a second SIGTERM for that."""
    for patience in (30, 10):
        engine.terminate()
        with suppress(subprocess.TimeoutExpired):
            engine.wait(patience)
            return
    engine.kill()
    engine.wait()


def _without_a_way_out(root: Path) -> None:
    """The world's name server, packages from what was fetched."""
    (root / "etc/resolv.conf").unlink(missing_ok=True)
    (root / "etc/resolv.conf").write_text(f"nameserver {WORLD}\n")
    (root / "etc/pip.conf").write_text("[global]\nno-index = yes\nfind-links = /wheels\n")
    (root / "etc/hostname").write_text("host\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost host\n::1 localhost\n")


def _leader(engine: int) -> int:
    """The container's own systemd, once systemd-nspawn has come as far as to begin it."""

    def found() -> list[int]:
        assert Path(f"/proc/{engine}/task/{engine}").exists(), "systemd-nspawn gave up: see boot.log"
        return [child for child in _children(engine) if Path(f"/proc/{child}/comm").read_text() == "systemd\n"]

    until(found, "the root boots", 60)
    return found()[0]


def _lay_cable(machine: Machine) -> None:
    routes = subprocess.run(("ip", "route"), check=True, capture_output=True, text=True).stdout
    assert WORLD.rpartition(".")[0] not in routes, "this machine's own network has the addresses of the test's"
    until(lambda: Path(f"/sys/class/net/{CABLE}").exists(), "the cable is there", 60)
    subprocess.run(("ip", "addr", "add", f"{WORLD}/24", "dev", CABLE), check=True)
    subprocess.run(("ip", "link", "set", CABLE, "up"), check=True)
    inside = ("nsenter", "-t", str(machine.leader), "-n", "ip")
    subprocess.run((*inside, "addr", "add", f"{INSIDE}/24", "dev", "host0"), check=True)
    subprocess.run((*inside, "link", "set", "host0", "up"), check=True)


def _is_up(machine: Machine) -> bool:
    state = subprocess.run(
        machine.command("systemctl", "is-system-running"), check=False, capture_output=True, text=True
    )
    return state.stdout.strip() in {"running", "degraded"}
