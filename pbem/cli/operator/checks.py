"""What `pbem doctor` looks at. Each check gives sentences: what is wrong and what to do; none if all is well."""

from __future__ import annotations

import os
import smtplib
import stat
from collections.abc import Callable, Generator, Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import redis
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from pbem import clock, extensions
from pbem.cli import migrating
from pbem.config import BLOCK, SCARCE, Config, ConfigError, operator_fault
from pbem.engine.registry import GAMES, versions
from pbem.extensions import db, settings
from pbem.letters import delivery
from pbem.logs import first_line
from pbem.mail import imap
from pbem.store import outages
from pbem.store.models import LIVE, Game, GameState, Pulse
from pbem.store.queries.figures import figures

SECONDS = 5
"""How long a server may take to answer."""
LATE = timedelta(minutes=5)
"""A sweep or a letter older than this says that no worker is at work."""
_DIGITS = 6


def _local(url: str) -> bool:
    return (urlsplit(url).hostname or "") in {"localhost", "127.0.0.1", "::1"}


def links(config: Config) -> Iterator[str]:
    """Links in letters must lead somewhere, safely."""
    if config.smtp_url and not _local(config.smtp_url) and _local(config.base_url):
        yield (
            f"BASE_URL is {config.base_url}: links in letters would lead each reader to "
            "their own machine; set it to the address of the pages"
        )
    if not _local(config.base_url) and config.base_url.startswith("http:"):
        yield f"BASE_URL is {config.base_url}: personal links would travel readable; put the pages behind https"
    if config.demo and not _local(config.base_url):
        yield "DEMO is on, so that anybody can read everybody's mail on the mailbox page: unset it"


def mail_settings(config: Config) -> Iterator[str]:
    """Letters must leave, and answers find their way back."""
    if not config.smtp_url:
        yield (
            "Hint: SMTP_URL is not set: letters stay on this machine; set it to your "
            "relay, as in smtp://user:password@host:587"
        )
    if config.smtp_url and not _local(config.smtp_url) and config.mail_domain == "localhost":
        yield (
            "MAIL_DOMAIN is localhost: nobody could answer a letter; set it to "
            "the domain whose mail comes to this server"
        )
    if fault := operator_fault(config.operator, config.mail_domain):
        yield f"OPERATOR: {fault}"
    if config.webhook_secret and len(config.webhook_secret) < 16:  # noqa: PLR2004 - a secret shorter than this is guessed
        yield "WEBHOOK_SECRET has fewer than 16 characters: give the webhook a longer one"


def keys(config: Config) -> Iterator[str]:
    """Links are signed with keys that only this server knows."""
    own = config.pbem_home / "secret_keys"
    if own.exists() and stat.S_IMODE(own.stat().st_mode) & 0o077:
        yield f"{own} can be read by others: run 'chmod 600 {own}'"
    if config.redis_url and not os.environ.get("SECRET_KEYS"):
        yield (
            "SECRET_KEYS is not set: pages and workers on several machines must "
            "sign with the same keys; set it everywhere"
        )


def home(config: Config) -> Iterator[str]:
    """The folder of the embedded default must be writable and have room."""
    if not os.access(config.pbem_home, os.W_OK):
        yield f"PBEM_HOME is {config.pbem_home}, where pbem may not write: mend its owner, or name another folder"
    elif stat.S_IMODE(config.pbem_home.stat().st_mode) & 0o077:
        yield f"{config.pbem_home} can be read by others: run 'chmod 700 {config.pbem_home}'"
    if config.free < SCARCE:
        yield f"The disk of {config.pbem_home} has {config.free // 1_000_000} MB left: make room"
    if config.database_url.startswith("sqlite") and config.block < BLOCK:
        yield (
            f"The disk of {config.pbem_home} has blocks of {config.block} B: were it full, SQLite would end "
            f"the server; move the folder to one with blocks of {BLOCK}, as 'mkfs.ext4 -b {BLOCK}' makes it"
        )


def processes(_config: Config) -> Iterator[str]:
    """The Procfile hands these numbers to gunicorn and Celery as they are."""
    for name in ("WEB_WORKERS", "WORKERS", "MAILERS"):
        value = os.environ.get(name, "")
        if value and not (value.isascii() and value.isdecimal() and int(value[:_DIGITS])):
            yield f"{name} is {value!r}, which is no number of processes: write a whole number from 1, or unset it"


def database(config: Config) -> Iterator[str]:
    """The database answers, is up to date, and suits the number of workers."""
    if config.database_url.startswith("sqlite") and config.redis_url:
        yield (
            "REDIS_URL is set but the database is SQLite, which lets one worker write "
            "at a time: set DATABASE_URL to a PostgreSQL"
        )
    fault = migrating.misfit()
    if fault:
        yield fault
    elif db.engine.dialect.name == "postgresql":
        yield from _clock_of_database()
        yield from _room_of_database(config)


def _clock_of_database() -> Iterator[str]:
    with db.engine.connect() as connection:
        theirs = connection.execute(text("SELECT now()")).scalar_one()
    apart = abs((theirs - clock.now()).total_seconds())
    if apart > SECONDS:
        yield f"The database's clock is {apart:.0f} s apart from this machine's: let both follow a time server"


def _room_of_database(config: Config) -> Iterator[str]:
    """Reading works on a full disk, and so do small changes: only something new tells."""
    try:
        with db.engine.connect() as connection:  # leaving it takes the table back
            connection.execute(
                text("CREATE TEMPORARY TABLE room AS SELECT md5(n::text) FROM generate_series(1, 10000) n")
            )
    except DBAPIError as fault:
        if not outages.is_full(fault, config):
            raise
        yield f"The database can store nothing ({first_line(fault)}): make room on its disk"


def redis_server(config: Config) -> Iterator[str]:
    """Redis answers and refuses rather than forgets when it is full."""
    if not config.redis_url:
        return
    try:
        with extensions.redis_client(config, SECONDS) as client:
            policy = client.config_get("maxmemory-policy")["maxmemory-policy"]
    except redis.RedisError as fault:
        yield f"REDIS_URL: Redis does not answer ({fault}): start it, or mend the address"
        return
    if policy not in {"noeviction", b"noeviction"}:
        yield f"Redis forgets keys when it is full (maxmemory-policy {policy!r}): set it to noeviction"


def relay(config: Config) -> Iterator[str]:
    """The SMTP relay lets us in, as it does the mailer."""
    if not config.smtp_url:
        return
    door = extensions.mail.get_connection(timeout=SECONDS)
    try:
        door.open()
        door.close()
    except (OSError, smtplib.SMTPException) as fault:
        yield (
            f"SMTP_URL: the relay {door.host}, port {door.port}, does not let us in ({fault}): "
            "mend the address, the user or the password"
        )


def mailbox(config: Config) -> Iterator[str]:
    """The IMAP mailbox lets us in, as it does who polls it."""
    if not config.imap_url:
        return
    url = urlsplit(config.imap_url)
    try:
        with imap.logged_in(url, SECONDS):
            pass
    except imap.FAULTS as fault:
        port = url.port or (993 if url.scheme == "imaps" else 143)
        yield (
            f"IMAP_URL: the mailbox at {url.hostname}, port {port}, does not let us in "
            f"({fault}): mend the address, the user or the password"
        )


def signature(config: Config) -> Iterator[str]:
    """The DKIM key can sign."""
    try:
        delivery.signer_of(config)
    except ConfigError as fault:
        yield str(fault).rstrip(".")


def at_work(config: Config) -> Iterator[str]:
    """The sweeps run, letters leave, no game is stuck."""
    if migrating.misfit():
        return
    now, session = clock.now(), db.session()
    last: datetime | None = session.execute(select(func.max(Pulse.at))).scalar()
    if last is not None and now - last > LATE:
        what = "'pbem serve'" if config.embedded else "the worker and beat of the Procfile"
        yield f"No sweep has run since {last:%Y-%m-%d %H:%M} UTC: start {what}"
    late = figures(session, now).oldest_letter_due
    if late > LATE.total_seconds():
        yield f"A letter should have left {late / 60:.0f} min ago: see the mailer's log and SMTP_URL"
    for game, version, count in session.execute(
        select(Game.game, Game.rules_version, func.count())
        .where(Game.state.in_(LIVE))
        .group_by(Game.game, Game.rules_version)
    ):
        if game not in GAMES or version not in versions(game):
            yield (
                f"This program doesn't hold rules version {version} of {game} (games that have it: {count}): "
                "install the one that does, then take them up with 'pbem game unstick'"
            )
    for slug, game in session.execute(select(Game.slug, Game.game).where(Game.state == GameState.STUCK)):
        yield (
            f"The game {slug} ({game}) is stuck: read why with 'pbem game show {slug}', then 'pbem game unstick {slug}'"
        )


CHECKS: dict[str, Callable[[Config], Iterator[str]]] = {
    "links": links,
    "mail": mail_settings,
    "keys": keys,
    "home folder": home,
    "processes": processes,
    "database": database,
    "Redis": redis_server,
    "SMTP relay": relay,
    "IMAP mailbox": mailbox,
    "DKIM": signature,
    "work": at_work,
}


def examine() -> Generator[tuple[str, list[str]], None, None]:
    """Run every check; gives its name and what it found."""
    for name, check in CHECKS.items():
        yield name, list(check(settings()))
