from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from pbem import config
from pbem.config import Config, ConfigError

KEYS = "k1:" + "abcdefgh" * 4

SAMPLE = "SECRET_KEYS holds a sample or a secret anybody guesses: draw one with 'openssl rand -hex 32'."


def test_without_any_variable_a_small_club_can_begin(tmp_path: Path) -> None:
    """SQLite and own keys in the home folder, no broker, no relay."""
    found = config.from_environ({"PBEM_HOME": str(tmp_path)})

    assert found.database_url == f"sqlite:///{tmp_path / 'pbem.sqlite'}"
    assert (found.embedded, found.broker_url) == (True, "memory://localhost/")
    assert found.secret_keys == config.from_environ({"PBEM_HOME": str(tmp_path)}).secret_keys
    assert stat.S_IMODE((tmp_path / "secret_keys").stat().st_mode) == 0o600


def test_two_first_starts_at_once_agree_on_their_keys(tmp_path: Path) -> None:
    """Eight processes' worth of first starts: one set of keys, no draft left behind."""
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: config.from_environ({"PBEM_HOME": str(tmp_path)}).secret_keys, range(8)))

    assert len(found) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret_keys"]


def test_everything_can_be_set(tmp_path: Path) -> None:
    """The variables of a club on its own servers."""
    key = tmp_path / "dkim.pem"
    key.write_text("key", encoding="ascii")
    found = config.from_environ(
        {
            "PBEM_HOME": str(tmp_path),
            "DATABASE_URL": "postgres://u:p@db/pbem",
            "REDIS_URL": "redis://cache:6379/0",
            "SECRET_KEYS": f"old:{'ijklmnop' * 4}, {KEYS}",
            "BASE_URL": "https://play.example.org/",
            "MAIL_DOMAIN": "play.example.org",
            "SMTP_URL": "smtps://u:p@relay",
            "IMAP_URL": "imaps://u:p@box/INBOX",
            "DKIM_KEY": str(key),
            "DEMO": "yes",
        }
    )

    assert found.database_url == "postgresql+psycopg://u:p@db/pbem"
    assert (found.embedded, found.base_url, found.demo) == (False, "https://play.example.org", True)
    assert [name for name, _ in found.secret_keys] == ["old", "k1"]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://x", "DATABASE_URL begins with 'mysql://x': write postgresql://"),
        ("REDIS_URL", "localhost:6379", "REDIS_URL begins with 'localhost:63': write redis://"),
        ("SECRET_KEYS", "short", "SECRET_KEYS: key 1 can't be used"),
        ("SECRET_KEYS", "k1:tooshort", "SECRET_KEYS: key 1 can't be used"),
        ("SECRET_KEYS", f"{KEYS},K2:{'y' * 32}", "SECRET_KEYS: key 2 can't be used"),
        ("SECRET_KEYS", "k1:" + "a" * 32, SAMPLE),
        ("SECRET_KEYS", "k1:64-characters-from-openssl-rand-hex-32", SAMPLE),
        ("SECRET_KEYS", f"{KEYS},{KEYS}", "SECRET_KEYS uses one key id twice; give each key its own."),
        ("BASE_URL", "play.example.org", "BASE_URL begins with 'play.example': write http://"),
        ("BASE_URL", "https://", "BASE_URL is 'https://': it names no host"),
        ("BASE_URL", "https://u:hunter2@host", "BASE_URL holds more than where the pages are: write https://"),
        ("BASE_URL", "https://host?x=1", "BASE_URL holds more than where the pages are"),
        ("BASE_URL", "https://play nile", "BASE_URL holds more than where the pages are"),
        ("DATABASE_URL", "sqlite://", "DATABASE_URL is 'sqlite://': it names no file; write sqlite:////path/to/file."),
        (
            "REDIS_URL",
            "redis://host/cache",
            "REDIS_URL ends in '/cache': write the number of a database, as in /0, or nothing.",
        ),
        ("SMTP_URL", "smtp://:25", "SMTP_URL names no host: write smtp://"),
        ("IMAP_URL", "imaps:///INBOX", "IMAP_URL names no host: write imaps://"),
        ("MAIL_DOMAIN", "play..example", "MAIL_DOMAIN is 'play..example': write the domain"),
        ("OPERATOR", "zoë@example.org", "OPERATOR is 'zoë@example.org': write one mail address"),
        ("MAIL_DOMAIN", "Play Example", "MAIL_DOMAIN is 'Play Example': write the domain"),
        ("MAIL_PREFIX", "a.b", "MAIL_PREFIX is 'a.b': write up to 12 lower-case letters or digits, a letter first."),
        ("SMTP_URL", "relay:25", "SMTP_URL begins with 'relay:25': write smtp://"),
        ("IMAP_URL", "pop3://box", "IMAP_URL begins with 'pop3://box': write imaps://"),
        ("DKIM_SELECTOR", "mail_1", "DKIM_SELECTOR is 'mail_1': write what stands before '._domainkey'"),
        ("DKIM_KEY", "/nowhere/key", "DKIM_KEY is '/nowhere/key': there is no such file."),
        ("RATE_LIMITS", "maybe", "RATE_LIMITS is 'maybe': write yes or no."),
        ("DEMO", "2", "DEMO is '2': write yes or no."),
    ],
)
def test_a_wrong_value_gets_one_sentence(tmp_path: Path, name: str, value: str, sentence: str) -> None:
    """It names the variable and what to write."""
    with pytest.raises(ConfigError) as refusal:
        config.from_environ({"PBEM_HOME": str(tmp_path), name: value})

    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize("name", ["HOLD_LETTERS", "RATE_LIMITS", "DEMO", "LOG_JSON"])
def test_yes_and_no_are_read_as_people_write_them(tmp_path: Path, name: str) -> None:
    """In words, as a number or as a switch; of each setting that is either."""
    either = {one.name.upper() for one in msgspec.structs.fields(Config) if one.type is bool}
    read = {
        word: getattr(config.from_environ({"PBEM_HOME": str(tmp_path), name: word}), name.lower())
        for word in ("1", "yes", "true", "On", "0", "no", "FALSE", "off")
    }

    assert name in either
    assert len(either) == 4
    assert list(read.values()) == [True] * 4 + [False] * 4


ADDRESSES = {
    # each setting that is an address, and how one begins
    "DATABASE_URL": "postgresql://",
    "REDIS_URL": "redis://",
    "BASE_URL": "https://",
    "SMTP_URL": "smtp://",
    "IMAP_URL": "imaps://",
}


@pytest.mark.parametrize("rest", ["[host", "host:port", "host:65536", "host:0", "user:hunter2/#@host", "ho\nst"])
def test_an_address_that_cannot_be_read_is_refused_by_its_name(tmp_path: Path, rest: str) -> None:
    """Of each setting that is one: what no port or host can be found in ends no start with a trace of the program."""
    assert set(ADDRESSES) == {field.upper() for field in Config.__struct_fields__ if field.endswith("_url")}
    for name, begins in ADDRESSES.items():
        with pytest.raises(ConfigError, match=f"^{name} can't be read as an address: write ") as refusal:
            config.from_environ({"PBEM_HOME": str(tmp_path), name: begins + rest})
        assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "SMTP_URL", "SECRET_KEYS"])
def test_a_password_is_never_repeated(tmp_path: Path, name: str) -> None:
    """A refusal may end in a log; what is secret in the value doesn't."""
    with pytest.raises(ConfigError) as refusal:
        config.from_environ({"PBEM_HOME": str(tmp_path), name: "wrongscheme://user:hunter2@host"})

    assert "hunter2" not in str(refusal.value)


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "home").write_text("", encoding="ascii")
    with pytest.raises(ConfigError, match=r"PBEM_HOME is .*home.*: it can't be written to"):
        config.from_environ({"PBEM_HOME": str(tmp_path / "home")})


def test_the_folder_of_a_new_club_is_made_whoever_brings_the_keys(tmp_path: Path) -> None:
    """The database's file goes there, also where SECRET_KEYS are set: a restore begins with no folder at all."""
    home = tmp_path / "new" / "club"
    config.from_environ({"PBEM_HOME": str(home), "SECRET_KEYS": KEYS})

    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("free", "room"),
    [
        (0, "full"),
        (config.FULL - 1, "full"),
        (config.FULL, "scarce"),
        (config.SCARCE - 1, "scarce"),
        (config.SCARCE, "ok"),
    ],
)
def test_room_is_told_by_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, room: str) -> None:
    """Full below the one limit, scarce below the other."""
    monkeypatch.setattr(Config, "free", free)

    assert config.from_environ({"PBEM_HOME": str(tmp_path)}).room == room
