"""The settings, read once from environment variables; every wrong value gets one sentence that names it."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec

from pbem.structs import Value

MEMORY = "memory://localhost/"
"""The broker without a server: the worker runs in threads of the web process."""
_SAMPLE, _DIFFERENT = "64-characters-from-openssl", 8
"""What the manual writes in place of a secret, and how many different characters one has at least."""
_SECRET = 32
"""Characters of the shortest secret that is taken."""
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
"""What no address holds, though Python's reader passes over some of it."""
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
"""One part of a name in DNS."""
_NAME = rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*"
"""A whole one, and the signs of the longest (RFC 1035 2.3.4)."""
_MAILBOX = r"(?!.*\.\.)[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,253}"


SCARCE, FULL = 200_000_000, 20_000_000
"""Bytes free of the disk below which its operator is told, and below which an SQLite file can soon grow no more."""
BLOCK = 4096
"""Bytes of a page of SQLite's shared memory. On blocks smaller than that a full disk ends the process (SIGBUS)."""


class ConfigError(ValueError):
    """A setting can't be used; the text names the variable, its value and what to write."""


class Config(Value, kw_only=True):
    """Everything the environment decides. Field `x_y` is set by the variable `X_Y`."""

    pbem_home: Path
    """The folder for the database file, keys and generated pictures of the embedded default."""
    database_url: str
    redis_url: str = ""
    """Celery's broker and the rate limits' memory; empty: both inside the web process."""
    secret_keys: tuple[tuple[str, str], ...]
    """`(key id, secret)` of each signing key, the newest last."""
    base_url: str = "http://127.0.0.1:8000"
    """Where the pages are, without a slash at the end: what links in letters begin with."""
    mail_domain: str = "localhost"
    mail_prefix: str = "play"
    """What the local part of reply addresses begins with."""
    mail_name: str = "pbem"
    """The sender's name in letters that no club sends."""
    smtp_url: str = ""
    """`smtp://user:password@host:port`, `smtps://` for TLS from the start; empty: the local mailbox only."""
    imap_url: str = ""
    """`imap://user:password@host:port/FOLDER` or `imaps://` to poll; empty: no polling."""
    dkim_key: str = ""
    """The file with the private key that signs letters; empty: unsigned."""
    dkim_selector: str = "pbem"
    webhook_secret: str = ""
    """What a mail provider signs its webhook with; empty: the webhook is shut."""
    metrics_token: str = ""
    """The bearer token of /metrics; empty: only asked for from the same machine."""
    operator: str = ""
    """The mail address of whoever runs this server: for security.txt, and for what is written to postmaster."""
    hold_letters: bool = True
    """Whether a question waits some minutes while its reader sits at the page, where they see it at once."""
    rate_limits: bool = True
    demo: bool = False
    """Whether everybody's mail may be read on the local mailbox page."""
    log_json: bool = True

    @property
    def broker_url(self) -> str:
        """Celery's broker: Redis, or the memory of this process."""
        return self.redis_url or MEMORY

    @property
    def free(self) -> int:
        """Bytes free where the database file, the mailbox and the backups lie."""
        return shutil.disk_usage(self._folder).free

    @property
    def _folder(self) -> Path:
        """The home folder; the one it will be made in, as long as it isn't there."""
        return next(path for path in (self.pbem_home, *self.pbem_home.absolute().parents) if path.exists())

    @property
    def block(self) -> int:
        """Bytes in which the disk there gives out room."""
        return os.statvfs(self._folder).f_frsize

    @property
    def room(self) -> str:
        """How much of that is left: ok, scarce, or full."""
        free = self.free
        return "full" if free < FULL else "scarce" if free < SCARCE else "ok"

    @property
    def embedded(self) -> bool:
        """Whether worker and beat run in threads of the web process."""
        return not self.redis_url


def operator_fault(operator: str, mail_domain: str) -> str:
    """Return what is wrong with an operator's address where mail to `mail_domain` goes to pbem; empty: nothing.

    pbem reads answers to its letters and nothing else, so what is written to postmaster and abuse would be lost.
    """
    if operator.rpartition("@")[2].casefold() != mail_domain.casefold():
        return ""
    return (
        f"{operator} lies at {mail_domain}, whose mail goes to pbem: name a mailbox elsewhere, where you read what is"
        " sent to postmaster and abuse"
    )


def _yes(name: str, text: str) -> bool:
    values = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}
    if text.casefold() not in values:
        raise ConfigError(f"{name} is {text!r}: write yes or no.")
    return values[text.casefold()]


def _url(name: str, text: str, schemes: tuple[str, ...], shown: str) -> SplitResult:
    """Return the parts of an address. Raises ConfigError, which repeats no password."""
    try:
        url = urlsplit(text)
        broken = url.port == 0 or bool(_UNSEEN.search(text))
    except ValueError:
        broken = True
    if broken:
        raise ConfigError(
            f"{name} can't be read as an address: write {shown}; a port is a number up to 65535, and signs like / # [ "
            "in a user or a password are written by their numbers, as in %2F."
        )
    if url.scheme not in schemes:
        raise ConfigError(f"{name} begins with {text[:12]!r}: write {shown}.")
    return url


def _server(name: str, text: str, schemes: tuple[str, ...], shown: str) -> str:
    """Return the address of a mail server, which is nowhere without a host."""
    if not _url(name, text, schemes, shown).hostname:
        raise ConfigError(f"{name} names no host: write {shown}.")
    return text


def database_address(name: str, text: str) -> str:
    """Return the database's address as SQLAlchemy wants it. Raises ConfigError for one that is none."""
    address, shown = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", text), "postgresql://user:password@host/name"
    url = _url(name, address, ("sqlite", "postgresql+psycopg"), f"{shown} or sqlite:////path/to/file")
    if url.scheme == "sqlite" and not url.path.strip("/"):
        raise ConfigError(f"{name} is {text!r}: it names no file; write sqlite:////path/to/file.")
    return address


def _redis(name: str, text: str) -> str:
    url = _url(name, text, ("redis", "rediss", "redis+socket"), "redis://host:6379/0 or redis+socket:///path")
    if url.scheme != "redis+socket" and not re.fullmatch(r"/?[0-9]*", url.path):
        raise ConfigError(f"{name} ends in {url.path[:12]!r}: write the number of a database, as in /0, or nothing.")
    return text


def _base(name: str, text: str) -> str:
    url = _url(name, text, ("http", "https"), "http://host:port or https://host, where the pages are")
    if not url.netloc:
        raise ConfigError(f"{name} is {text!r}: it names no host; write https://play.example.org.")
    if not re.fullmatch(r"https?://[!-~]+", text) or re.search(r"[@?#<>]", text):
        # What stands before an @ is not repeated: it may be a password.
        raise ConfigError(f"{name} holds more than where the pages are: write https://play.example.org.")
    return text.rstrip("/")


def _shaped(pattern: str, wanted: str) -> Callable[[str, str], str]:
    """Return what reads a setting that has this shape."""

    def read(name: str, text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ConfigError(f"{name} is {text!r}: write {wanted}.")
        return text

    return read


def _file(name: str, text: str) -> str:
    if not Path(text).is_file():
        raise ConfigError(f"{name} is {text!r}: there is no such file.")
    return text


def _keys(name: str, text: str) -> tuple[tuple[str, str], ...]:
    pairs = [tuple(pair.split(":", 1)) for pair in re.split(r"[\s,]+", text.strip())]
    for number, pair in enumerate(pairs, 1):
        if len(pair) != 2 or not re.fullmatch(r"[a-z0-9]{1,8}", pair[0]) or len(pair[1]) < _SECRET:  # noqa: PLR2004 - a pair
            raise ConfigError(
                f"{name}: key {number} can't be used; write id:secret pairs, newest last, with commas between, "
                f"the id of up to 8 lower-case letters or digits, the secret of at least {_SECRET} characters."
            )
    keys = [(pair[0], pair[1]) for pair in pairs]
    if any(len(set(secret)) < _DIFFERENT or _SAMPLE in secret for _, secret in keys):
        raise ConfigError(f"{name} holds a sample or a secret anybody guesses: draw one with 'openssl rand -hex 32'.")
    if len(dict(keys)) < len(keys):
        raise ConfigError(f"{name} uses one key id twice; give each key its own.")
    return tuple(keys)


def _text(_name: str, text: str) -> str:
    return text


_READERS: Mapping[str, Callable[[str, str], object]] = {
    "DATABASE_URL": database_address,
    "REDIS_URL": _redis,
    "SECRET_KEYS": _keys,
    "BASE_URL": _base,
    "MAIL_DOMAIN": _shaped(_NAME, "the domain of our mail in lower case, as in play.example.org"),
    "MAIL_PREFIX": _shaped("[a-z][a-z0-9]{0,11}", "up to 12 lower-case letters or digits, a letter first"),
    "MAIL_NAME": _text,
    "SMTP_URL": lambda name, text: _server(
        name, text, ("smtp", "smtps"), "smtp://host:25 or smtps://user:password@host"
    ),
    "IMAP_URL": lambda name, text: _server(name, text, ("imap", "imaps"), "imaps://user:password@host/INBOX"),
    "DKIM_KEY": _file,
    "DKIM_SELECTOR": _shaped(
        _NAME, "what stands before '._domainkey' in DNS, in lower-case letters, digits and hyphens"
    ),
    "WEBHOOK_SECRET": _text,
    "METRICS_TOKEN": _text,
    "OPERATOR": _shaped(_MAILBOX, "one mail address, as in you@example.org"),
    "HOLD_LETTERS": _yes,
    "RATE_LIMITS": _yes,
    "DEMO": _yes,
    "LOG_JSON": _yes,
}


def read(name: str, text: str, called: str) -> object:
    """Return what `text` sets the setting `name` to. Raises ConfigError, whose sentence calls it `called`."""
    return _READERS[name](called, text)


def from_environ(environ: Mapping[str, str] | None = None) -> Config:
    """Return the settings of `environ` (the process's own by default). Raises ConfigError naming the variable."""
    environ = os.environ if environ is None else environ
    home = Path(environ.get("PBEM_HOME") or "instance").absolute()
    if not environ.get("DATABASE_URL"):
        _make(home)
    values: dict[str, object] = {"pbem_home": home, "database_url": f"sqlite:///{home / 'pbem.sqlite'}"}
    for name in _READERS:
        if environ.get(name):
            values[name.lower()] = read(name, environ[name], name)
    if "secret_keys" not in values:
        values["secret_keys"] = _own_keys(home)
    return msgspec.convert(values, Config)


def _own_keys(home: Path) -> tuple[tuple[str, str], ...]:
    """The keys of a server that was given none: made once, kept in the home folder, readable by its owner only."""
    _make(home)
    path = home / "secret_keys"
    try:
        if not path.exists():
            draft = home / f".secret_keys.{secrets.token_hex(4)}"
            draft.touch(mode=0o600)
            draft.write_text(f"k1:{secrets.token_urlsafe(_SECRET)}\n", encoding="ascii")
            try:
                path.hardlink_to(draft)  # of two first starts at once, one wins and both read its keys
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return _keys(str(path), path.read_text(encoding="ascii"))
    except OSError as fault:
        raise _not_ours(home, fault) from fault


def _make(home: Path) -> None:
    """Make the home folder for its owner alone, unless it is there. Raises ConfigError where that can't be."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise _not_ours(home, fault) from fault


def _not_ours(home: Path, fault: OSError) -> ConfigError:
    return ConfigError(
        f"PBEM_HOME is {str(home)!r}: it can't be written to ({fault.strerror}); name a folder of yours."
    )
