"""Systemd units for the processes of the Procfile: printed, or written to a folder."""

from __future__ import annotations

import getpass
import re
import sys
from pathlib import Path

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
Restart=always
RestartSec=2
KillSignal=SIGTERM
TimeoutStopSec=60
NoNewPrivileges=true
PrivateTmp=true
RuntimeDirectory=pbem
RuntimeDirectoryPreserve=yes
Environment=PROMETHEUS_MULTIPROC_DIR=/run/pbem
ProtectSystem=strict
ReadWritePaths="{folder}/instance"

[Install]
WantedBy=pbem.target
"""
_TARGET = """[Unit]
Description=pbem: all of it
Wants={names}

[Install]
WantedBy=multi-user.target
"""
_WHAT = {
    "web": "the pages",
    "worker": "the games",
    "mailer": "the letters",
    "beat": "the sweeps' clock",
    "smtpd": "the door for mail",
}


def processes(procfile: str) -> dict[str, str]:
    """The command of each process that a Procfile keeps running."""
    lines = (line.partition(": ") for line in procfile.splitlines() if line)
    return {name: command for name, _, command in lines if name in _WHAT}


def units() -> dict[str, str]:
    """The text of each unit by its file name."""
    folder = Path(pbem.__file__).parent.parent
    commands = processes((folder / "Procfile").read_text(encoding="utf-8"))
    programs = Path(sys.executable).parent
    made = {
        f"pbem-{name}.service": _UNIT.format(
            what=_WHAT[name],
            user=getpass.getuser() if getpass.getuser() != "root" else "pbem",
            folder=folder,
            command=re.sub(r"\.venv/bin/(\S+)", rf'"{programs}/\1"', command),  # there may be spaces in it
        )
        for name, command in commands.items()
    }
    return {**made, "pbem.target": _TARGET.format(names=" ".join(made))}
