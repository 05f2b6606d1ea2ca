"""`pbem backup`, `pbem restore`, `pbem upgrade`: the whole club as one file, keys included."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from alembic import command
from flask.cli import with_appcontext
from sqlalchemy.engine import Connection

from pbem import __version__, clock
from pbem.cli import migrating, output
from pbem.cli.operator.doctor import UNWELL, play_all_again
from pbem.extensions import db, settings
from pbem.store import transfer
from pbem.structs import Value

NAME = "pbem-{at:%Y%m%dT%H%M%SZ}.tar.gz"
FILES = "pbem-*Z.tar.gz"
"""What our own backups are called: no other file is ever taken away."""
KEPT = 14
"""Backups a folder holds by default: with a nightly one, two weeks."""
_MANIFEST, _KEYS, _DKIM = "manifest.json", "secret_keys", "dkim.pem"


class Manifest(Value):
    """What a backup says of itself."""

    version: str
    """The program that made it."""
    scheme: str
    made_at: datetime
    rows: dict[str, int]
    """How many by table."""


@click.command()
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Default: `backups` in PBEM_HOME.")
@click.option("--keep", type=click.IntRange(1), default=KEPT, show_default=True, help="How many backups to keep there.")
@output.as_json
@with_appcontext
def backup(*, folder: Path | None, keep: int) -> None:
    """Write every row and the keys into one file, while the club plays; the oldest beyond --keep go."""
    path, manifest = write(folder)
    gone = _forget(path.parent, keep)
    rows, games = sum(manifest.rows.values()), manifest.rows["games"]
    less = f"\nOlder backups taken away: {gone}; kept: {keep}." if gone else ""
    output.tell(
        f"{path}: rows {rows}, games {games}, and the keys.{less}", file=str(path), rows=rows, games=games, gone=gone
    )


def write(folder: Path | None) -> tuple[Path, Manifest]:
    """Write a backup that only its owner can read; gives where, and what is in it. Raises ClickException if empty."""
    folder = folder or settings().pbem_home / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / NAME.format(at=clock.now().astimezone(UTC))
    draft = path.with_suffix(".part")
    try:
        manifest = _write(draft)
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    return path, manifest


def _write(draft: Path) -> Manifest:
    with transfer.reading(db.engine) as connection:
        scheme = transfer.scheme(connection)
        if scheme is None:
            raise click.ClickException(migrating.misfit())
        draft.touch(mode=0o600)
        with tarfile.open(draft, "w:gz") as archive:
            rows = {table.name: _add_table(archive, connection, table) for table in transfer.tables(connection)}
            manifest = Manifest(__version__, scheme, clock.now(), rows)
            _add(archive, _MANIFEST, msgspec.json.encode(manifest))
            _add(archive, _KEYS, _keys().encode())
            if settings().dkim_key:
                _add(archive, _DKIM, Path(settings().dkim_key).read_bytes())
    return manifest


def _keys() -> str:
    """Return the keys this server signs with, as the file `secret_keys` has them."""
    return "".join(f"{name}:{secret}\n" for name, secret in settings().secret_keys)


def _add_table(archive: tarfile.TarFile, connection: Connection, table: Any) -> int:
    """Add a table's rows, one JSON object a line; how many they are."""
    lines = io.BytesIO()
    count = 0
    for part in transfer.rows(connection, table):
        lines.writelines(msgspec.json.encode(row) + b"\n" for row in part)
        count += len(part)
    _add(archive, f"{table.name}.jsonl", lines.getvalue())
    return count


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(content), 0o600, int(clock.now().timestamp())
    archive.addfile(entry, io.BytesIO(content))


def _forget(folder: Path, keep: int) -> int:
    """Take away all but the newest `keep` backups; how many went."""
    old = sorted(folder.glob(FILES))[:-keep]
    for path in old:
        path.unlink()
    return len(old)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@output.as_json
@with_appcontext
def restore(*, file: Path) -> None:
    """Bring the club in the backup FILE into the empty database that DATABASE_URL names; nothing is overwritten.

    A backup of an older program is brought to the scheme of this one. Keys go to PBEM_HOME unless SECRET_KEYS is set.
    """
    with _opened(file) as archive:
        manifest = msgspec.json.decode(_content(archive, _MANIFEST), type=Manifest)
        if manifest.scheme not in migrating.schemes():
            raise click.ClickException(
                f"The backup is of pbem {manifest.version}, scheme {manifest.scheme}, which pbem {__version__} does "
                "not know: restore it with that version"
            )
        _make_ready(manifest.scheme)
        _restore_rows(archive)
        migrating.migrate()
        rows, games = sum(manifest.rows.values()), manifest.rows["games"]
        said = [f"Restored: rows {rows}, games {games}.", *_restore_keys(_content(archive, _KEYS).decode())]
        if _DKIM in archive.getnames():
            said.append(f"The backup holds the DKIM key as well: 'tar -xzf {file} {_DKIM}' takes it out.")
    output.tell("\n".join(said), rows=rows, games=games)


@contextmanager
def _opened(file: Path) -> Iterator[tarfile.TarFile]:
    """Give the backup to read from. Raises ClickException where its bytes are none, or end too early."""
    try:
        with tarfile.open(file) as archive:
            yield archive
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{file} is no backup of pbem, or damaged: take another one") from fault


def _content(archive: tarfile.TarFile, name: str) -> bytes:
    try:
        member = archive.extractfile(name)
    except KeyError:
        member = None
    if member is None:
        raise click.ClickException(f"The file lacks {name}: it is no backup of pbem, or not all of it")
    return member.read()


def _make_ready(scheme: str) -> None:
    """Bring a database without a row to `scheme`, up or down. Raises UsageError for one that has any."""
    present = migrating.present()
    with db.engine.connect() as connection:
        _refuse_rows(connection)
    migrating.migrate(scheme, command.upgrade if present is None or present <= scheme else command.downgrade)


def _refuse_rows(connection: Connection) -> None:
    if not transfer.is_empty(connection):
        raise click.UsageError(
            "The database that DATABASE_URL names is not empty: name an empty one; a restore overwrites nothing"
        )


def _restore_rows(archive: tarfile.TarFile) -> None:
    with db.engine.begin() as connection:
        _refuse_rows(connection)
        for table in transfer.tables(connection):
            for part in _batches(_content(archive, f"{table.name}.jsonl").splitlines()):
                transfer.write(connection, table, [transfer.typed(table, msgspec.json.decode(line)) for line in part])
        transfer.count_on(connection)


def _batches(lines: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(lines), transfer.BATCH):
        yield lines[start : start + transfer.BATCH]


def _restore_keys(kept: str) -> list[str]:
    """Put the backup's keys where the server finds them; what to say of it, and what is left to do."""
    if _keys() == kept:
        return []
    if os.environ.get("SECRET_KEYS"):
        said = "SECRET_KEYS is set to other keys than the backup's: the links in old letters open nothing until you set"
        return [f"{said} it to what 'tar -xzOf FILE {_KEYS}' prints, in one line with commas between."]
    path = settings().pbem_home / _KEYS
    aside = path.with_name(f"{_KEYS}.{clock.now():%Y%m%dT%H%M%SZ}")
    path.rename(aside)
    path.touch(mode=0o600)
    path.write_text(kept, encoding="ascii")
    return [f"The keys are in {path}: links in old letters open as before. Those it had are in {aside.name}."]


@click.command()
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the backup before it goes.")
@click.option("--restart", is_flag=True, help="Restart the services (systemd's pbem.target) when all is well.")
@output.as_json
@with_appcontext
def upgrade(*, folder: Path | None, restart: bool) -> None:
    """After a new version of the program was installed: back up, migrate, audit, and restart or say how."""
    before, path = migrating.present(), None
    if before is not None:
        path, _ = write(folder)
        output.say(f"Backup: {path}")
    migrating.migrate()
    output.say(f"Scheme: {before or 'none'} -> {migrating.newest()}")
    found = play_all_again()
    output.say(found.said)
    facts = {
        "backup": path and str(path),
        "before": before,
        "scheme": migrating.newest(),
        **msgspec.structs.asdict(found),
    }
    if found.differences:
        said = "Games do not come out as they are stored: nothing was restarted. Mend it, or go back to the backup."
        output.tell(said, **facts)
        raise click.exceptions.Exit(UNWELL)
    if restart:
        _restart()
        said = f"pbem {__version__} runs."
    else:
        said = f"Now restart the server, by 'systemctl restart pbem.target' or as you started it: pbem {__version__}."
    output.tell(said, **facts)


def _restart() -> None:
    """Restart the services. Raises ClickException where systemd doesn't, once all else is done."""
    try:
        subprocess.run(("systemctl", "restart", "pbem.target"), check=True)  # noqa: S607 - wherever the system has it
    except (OSError, subprocess.CalledProcessError) as fault:
        raise click.ClickException(
            f"All is upgraded, but systemd did not restart pbem.target ({fault}): restart the server as you started it"
        ) from fault
