"""The settings of a demo club, whatever those of the machine are."""

from __future__ import annotations

import os
from pathlib import Path

_FOREIGN = ("DATABASE_URL", "REDIS_URL", "SMTP_URL", "IMAP_URL", "SECRET_KEYS", "DKIM_KEY")
"""Settings of a real club that must not reach a demo."""


def set_environment(folder: Path, url: str) -> None:
    """Make the environment that of a demo club in `folder` at `url`, and of nothing else."""
    for name in _FOREIGN:
        os.environ.pop(name, None)
    os.environ |= {
        "PBEM_HOME": str(folder.absolute()),
        "BASE_URL": url,
        "MAIL_DOMAIN": "nile.example",
        "DEMO": "yes",
        "HOLD_LETTERS": "no",  # the mailbox is open beside the game
        "LOG_JSON": "no",
    }
