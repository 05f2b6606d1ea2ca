"""Systemd units for the processes of the Procfile, or for the one of `pbem serve`: printed, or written to a folder."""

from __future__ import annotations

import getpass
import os
import re
import sys
from pathlib import Path

import click

import pbem

_UNIT = """[Unit]
Description=pbem: {what}
After=network-online.target postgresql.service redis-server.service
Wants=network-online.target
PartOf=pbem.target

[Service]
User={user}
WorkingDirectory={folder}
EnvironmentFile=/etc/pbem.env
ExecStart=/bin/sh -c 'exec {command}'
StandardOutput=null
Restart=always
RestartSec=2
KillSignal=SIGTERM
TimeoutStopSec=60
UMask=0077
NoNewPrivileges=true
PrivateTmp=true
RuntimeDirectory=pbem
RuntimeDirectoryPreserve=yes
Environment=PROMETHEUS_MULTIPROC_DIR=/run/pbem
ProtectSystem=strict
ReadWritePaths="{home}"

[Install]
WantedBy=pbem.target
"""
_TARGET = """[Unit]
Description=pbem: all of it
Wants={names}

[Install]
WantedBy=multi-user.target
"""
_BACKUP = """[Unit]
Description=pbem: the nightly backup

[Service]
Type=oneshot
User={user}
WorkingDirectory={folder}
EnvironmentFile=/etc/pbem.env
ExecStart="{programs}/pbem" backup
UMask=0077
"""
_TIMER = """[Unit]
Description=pbem: when the backup is made

[Timer]
OnCalendar=*-*-* 03:30
RandomizedDelaySec=20min
Persistent=true

[Install]
WantedBy=timers.target
"""
_WHAT = {
    "web": "the pages",
    "worker": "the games",
    "mailer": "the letters",
    "beat": "the sweeps' clock",
    "smtpd": "the door for mail",
    "serve": "pages, games, letters and mail in one process",
}
SMALL = "serve: .venv/bin/pbem serve --mail-port 8025\n"
"""The Procfile of the small route."""


def processes(procfile: str) -> dict[str, str]:
    """The command of each process that a Procfile keeps running."""
    lines = (line.partition(": ") for line in procfile.splitlines() if line)
    return {name: command for name, _, command in lines if name in _WHAT}


def _procfile() -> str:
    """The Procfile: of the checkout, else the one in the wheel, whose Celery app is a module of the package."""
    package = Path(pbem.__file__).parent
    if (package.parent / "Procfile").exists():
        return (package.parent / "Procfile").read_text(encoding="utf-8")
    return (package / "_Procfile").read_text(encoding="utf-8").replace("--app worker", "--app pbem._worker")


def _programs() -> Path:
    """The folder that `pbem` runs from. Raises ClickException for one in a cache, which may be emptied any day.

    Such a folder is marked by a file (https://bford.info/cachedir/); `uvx` runs from one.
    """
    programs = Path(sys.executable).parent
    for cache in programs.parent.parents:
        if (cache / "CACHEDIR.TAG").exists():
            raise click.ClickException(
                f"This pbem runs from the cache {cache}, which may be emptied any day, so no unit can name it: install "
                "it for good, as with 'uv tool install pbem' or 'pip install pbem', and call that one"
            )
    return programs


def units(*, small: bool = False) -> dict[str, str]:
    """The text of each unit by its file name; `small`: for one process on SQLite. Raises ClickException in a cache."""
    home = Path(os.environ.get("PBEM_HOME") or ("/srv/pbem" if not Path("instance").exists() else "instance"))
    home = home.absolute()
    checkout = Path(pbem.__file__).parent.parent
    folder = checkout if (checkout / "Procfile").exists() else home
    programs = _programs()
    user = getpass.getuser() if getpass.getuser() != "root" else "pbem"
    made = {
        f"pbem-{name}.service": _UNIT.format(
            what=_WHAT[name],
            user=user,
            folder=folder,
            home=home,
            command=re.sub(r"\.venv/bin/(\S+)", rf'"{programs}/\1"', command),  # there may be spaces in it
        )
        for name, command in processes(SMALL if small else _procfile()).items()
    }
    return {
        **made,
        "pbem.target": _TARGET.format(names=" ".join(made)),
        "pbem-backup.service": _BACKUP.format(user=user, folder=folder, programs=programs),
        "pbem-backup.timer": _TIMER,
    }
