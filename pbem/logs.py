"""Logs as lines of JSON (or for a person's eyes), with the ids of games and plies and without any secret.

The log is standard error, of every process; what Celery, `pbem serve` and others greet a person with goes to standard
output, which the units and the containers throw away.
"""

from __future__ import annotations

import logging
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor

NEVER = frozenset(
    {"token", "address", "text", "body", "raw", "seed", "secret", "password", "recipient", "sender", "email"}
)
"""Keys whose values are left out of every line, whoever logs them."""
KEYS = "l|unsubscribe|invitation|address|calendar|feed|letters|links/end"
"""What stands before a token in the path of a page, as a pattern: no log may hold what follows."""
_SECRETS = (
    (
        # but for our own files in a trace, `letters/delivery.py"`
        re.compile(rf"(/(?:{KEYS})/)(?!\w+\.py[\"\\])[^\s/?\"']+"),
        r"\1[link]",
    ),
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "[address]"),
    (re.compile(r"(\w+://[^\s:/@]+:)[^\s@]+@"), r"\1[password]@"),
)
_HANDLER = "pbem"
_TALKATIVE = ("alembic", "celery", "httpx", "kombu", "mail.log")
"""Libraries that tell of every step; of them only warnings are kept."""

_AT_THE_BROKER = ("celery.beat", "kombu.")
"""Loggers that tell of a broker's faults."""


class _ToStderr(logging.Handler):
    """Writes to what standard error is at the moment, not to what it was when the handler was made."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line in one piece; a terminal that is gone stops nobody."""
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self.format(record)}\n")


def without_secrets(text: str) -> str:
    """Return the `text` with links' tokens, mail addresses and passwords in URLs blotted out."""
    for pattern, blot in _SECRETS:
        text = pattern.sub(blot, text)
    return text


def first_line(fault: Exception) -> str:
    """Return what a server said of a `fault`: the first line, without the statement that SQLAlchemy adds to it."""
    return next(iter(str(getattr(fault, "orig", fault)).strip().splitlines()), type(fault).__name__)


def _scrub(_logger: Any, _name: str, line: EventDict) -> EventDict:
    return {
        key: without_secrets(value) if isinstance(value, str) else value
        for key, value in line.items()
        if key not in NEVER
    }


def _in_one_line(_logger: Any, _name: str, line: EventDict) -> EventDict:
    """Keep of what a library says over many lines the first, and no trace of where it met a broker that is gone."""
    line["event"] = str(line["event"]).strip().partition("\n")[0]
    if line["logger"].startswith(_AT_THE_BROKER) and line.get("exc_info"):
        fault = line.pop("exc_info")[1]
        line["fault"] = f"{type(fault).__name__}: {first_line(fault)}"
    return line


def _before() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def configure(*, json: bool) -> None:
    """Send every logger's lines, ours and the libraries', to standard error; as JSON, or in colours for a terminal."""
    shown: Processor = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_before(), _in_one_line],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _scrub,
            shown,
        ],
    )
    handler = _ToStderr()
    handler.set_name(_HANDLER)
    handler.setFormatter(formatter)
    logging.captureWarnings(capture=True)
    root = logging.getLogger()
    root.handlers[:] = [*(other for other in root.handlers if other.name != _HANDLER), handler]
    root.setLevel(logging.INFO)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*_before(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
