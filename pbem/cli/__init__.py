"""The command `pbem`: one module per group of commands, loaded when called; every wrong call gets one sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click
from click.exceptions import NoArgsIsHelpError

from pbem import __version__
from pbem.config import ConfigError
from pbem.engine.core.errors import EngineError
from pbem.errors import PlayError

if TYPE_CHECKING:
    from flask import Flask

COMMANDS = {
    "audit": "pbem.cli.operator.doctor",
    "backup": "pbem.cli.operator.backup",
    "check-game": "pbem.cli.kit",
    "club": "pbem.cli.club",
    "db": "pbem.cli.database",
    "demo": "pbem.cli.demo.command",
    "doctor": "pbem.cli.operator.doctor",
    "game": "pbem.cli.game",
    "key": "pbem.cli.services",
    "link": "pbem.cli.player",
    "mail": "pbem.cli.mail",
    "new-game": "pbem.cli.kit",
    "player": "pbem.cli.player",
    "replay": "pbem.cli.engine",
    "restore": "pbem.cli.operator.backup",
    "selfplay": "pbem.cli.engine",
    "season": "pbem.cli.season",
    "serve": "pbem.cli.serve",
    "setup": "pbem.cli.operator.setup",
    "upgrade": "pbem.cli.operator.backup",
    "view": "pbem.cli.services",
    "webhook": "pbem.cli.services",
}
"""Where each command lives, as an attribute of its own name: loading one leaves the others' libraries alone."""

_OURS_ALONE = 0o077
"""What others may not do with the files a command makes: anything."""
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where nothing more can be written: a disk, a quota or a process's limit is full."""
_OURS: tuple[type[Exception], ...] = (
    *(click.ClickException, ConfigError, EngineError, PlayError),
    *(OSError, UnicodeDecodeError, OverflowError),
)
"""What a sentence is made of, besides what a database says."""
WRONG_CALL = 2
"""The exit code of a call that can't be carried out as it was typed."""
_RIGHT, _ROOM, _WAIT = (
    "call this as the user who owns it, or give us the right",
    "make room",
    "wait until whoever writes to it has done so, or stop that",
)
_REMEDIES = {
    "42501": _RIGHT,
    "25006": _RIGHT,
    "READONLY": _RIGHT,
    "PERM": _RIGHT,
    "53100": _ROOM,
    "FULL": _ROOM,
    "IOERR": "make room, or look after its disk",
    "55P03": _WAIT,
    "BUSY": _WAIT,
    "LOCKED": _WAIT,
    **dict.fromkeys(("NOTADB", "CORRUPT"), "restore a backup elsewhere, or mend DATABASE_URL"),
    "CANTOPEN": "make its folder and let us write there, or mend DATABASE_URL",
}
"""What helps, by PostgreSQL's code for what the database said, or the first word of SQLite's name for it."""


def make_app() -> Flask:
    """Return the app for the settings of the environment; found by a text, because the floors keep commands below it.

    Flask would find it by a text too, but puts the folder that one stands in before the library's: whoever may write
    there, in `/tmp` say, would have every command run what they wrote.
    """
    made: Flask = import_module("pbem.app").create_app()
    return made


class Commands(click.Group):
    """A group that loads a command when it is called and says what is wrong in one sentence, without a usage block."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command."""
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command called `cmd_name`; None if there is none."""
        if cmd_name in COMMANDS:
            found = cast("click.Command", getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_")))
            if "flask.cli" in sys.modules:  # a command that works within the app; the others do without Flask's weight
                ctx.obj = sys.modules["flask.cli"].ScriptInfo(create_app=make_app)
            return found
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the words of the whole call; refuse one that is no text: it could be neither kept nor shown."""
        for word in args:
            try:
                word.encode()
            except UnicodeEncodeError:
                raise click.UsageError(f"{word!r} is no UTF-8 text: write it in UTF-8", ctx) from None
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that `args` begin with; refuse a wrong one with the list of right ones."""
        if self.get_command(ctx, args[0]) is None:
            known = ", ".join(self.list_commands(ctx))
            raise click.UsageError(f"{args[0]!r} is no command of pbem: write one of {known}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run one command line and leave with 0, with what the command says, or with 2 and one sentence."""
        try:
            os.umask(_OURS_ALONE)
            with explained(WRONG_CALL):
                _shared_folder()
                code = super().main(*args, **{"prog_name": "pbem", **extra, "standalone_mode": False})
        except NoArgsIsHelpError as fault:
            click.echo(fault.format_message())
            sys.exit(0)
        except click.Abort as stopped:
            if isinstance(stopped.__context__, EOFError):
                click.echo("\nThe input ended before a question was answered: nothing was done.", err=True)
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def explained(code: int) -> Iterator[None]:
    """Leave with `code` and one sentence, if what goes wrong within can be said in one; else it is raised as it is."""
    try:
        yield
    except NoArgsIsHelpError:
        raise
    except (*_OURS, *_database_faults()) as fault:
        said = _said(fault)
        if not said:
            raise
        click.echo(said, err=True)
        sys.exit(code)


def _said(fault: Exception) -> str:
    """What was wrong, in one sentence; empty for what tells only a programmer something."""
    if isinstance(fault, click.ClickException):
        return sentence(fault)
    if isinstance(fault, UnicodeDecodeError):
        return f"The input is no UTF-8 text from byte {fault.start + 1} on: save it as UTF-8, and call this again."
    if isinstance(fault, OverflowError):
        return f"A number in this call is too large ({fault}): write a smaller one."
    if isinstance(fault, ConfigError | EngineError | PlayError):
        return str(fault)
    return _file_fault(fault) if isinstance(fault, OSError) else _database_fault(fault)


def _file_fault(fault: OSError) -> str:
    """Return what is wrong with a file or folder, in one sentence; empty where the system named none."""
    if isinstance(fault, PermissionError):
        return f"{fault.filename}: pbem may not write or read there; choose another place, or mend its owner."
    if fault.errno in _NO_ROOM:
        return f"{fault.filename or 'The disk'}: there is no room left; make some, then call this again."
    return f"{fault.filename} can't be used ({fault.strerror}): mend it, or name another." if fault.filename else ""


def _database_faults() -> tuple[type[Exception], ...]:
    """What is raised of a database; nothing where its library is not loaded."""
    raised = sys.modules.get("sqlalchemy.exc")
    return () if raised is None else (raised.DBAPIError,)


def _database_fault(fault: Any) -> str:
    """Return why the database can't do what it was told, in one sentence; empty where the telling was wrong."""
    from sqlalchemy import exc  # noqa: PLC0415 - it was raised, so this is loaded

    from pbem.logs import first_line  # noqa: PLC0415 - as above
    from pbem.store import outages  # noqa: PLC0415 - as above

    if isinstance(fault, exc.DataError):
        said = first_line(fault)
        return f"The database can't hold what was written ({said}): write a smaller number, or a plain text."
    if isinstance(fault, outages.UNAVAILABLE) or fault.statement is None or _reason(fault) in _REMEDIES:
        return f"{unavailable(fault)}."
    return ""


def unavailable(fault: Any, name: str = "") -> str:
    """Return what a database, called `name`, says instead of doing its work, and what helps, without a full stop."""
    from pbem.logs import first_line  # noqa: PLC0415 - a fault was raised, so this is loaded

    helps = _REMEDIES.get(_reason(fault), "start it, or mend DATABASE_URL")
    return f"{f'The database {name}'.strip()} can't do it now ({first_line(fault)}): {helps}"


def _reason(fault: Any) -> str:
    """Return PostgreSQL's code for what went wrong, or the first word of SQLite's name for it; empty for neither."""
    code = getattr(fault.orig, "sqlstate", None) or getattr(fault.orig, "sqlite_errorname", "")
    return str(code).removeprefix("SQLITE_").partition("_")[0]


def _shared_folder() -> None:
    """The folder that processes share their measurements in must be there before anything is measured."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder and not os.access(folder, os.W_OK):
        raise ConfigError(
            f"PROMETHEUS_MULTIPROC_DIR is {folder!r}, where pbem can't write: make the folder, or unset it."
        )


def sentence(fault: click.ClickException) -> str:
    """What was wrong and where to read what is right, as one sentence."""
    text = " ".join(fault.format_message().split()).rstrip(".")
    context = getattr(fault, "ctx", None)
    if context is None:
        return f"{text}."
    return f"{text}; '{context.command_path} --help' says what it takes."


@click.group("pbem", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="pbem %(version)s")
def main() -> None:
    """Play slow board games by mail."""
