"""`pbem serve`: pages, worker and beat in one process, on SQLite, for a small club."""

from __future__ import annotations

import errno
import os
import signal
import socket
from contextlib import ExitStack
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, cast

import click
import waitress

from pbem import config
from pbem.cli import explained, make_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

DEFAULT_PORT = 8000
PORT = click.IntRange(0, 65535)
"""0 lets the system choose a free one."""


def listening_socket(host: str, port: int) -> socket.socket:
    """A listening socket at `port`. Raises UsageError if the port is taken or not ours to take."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as fault:
        door.close()
        raise click.UsageError(_port_error(host, port, fault)) from fault
    door.listen(128)
    door.set_inheritable(True)
    return door


def _port_error(host: str, port: int, fault: OSError) -> str:
    if fault.errno == errno.EADDRINUSE:
        return f"Port {port} is in use: stop what listens there, or choose another one with '--port'"
    if fault.errno == errno.EACCES:
        return f"Port {port} is kept for root: choose one above 1023 with '--port'"
    return (
        f"{host}, port {port} can't be listened at ({fault.strerror}): choose an address of this machine with '--host'"
    )


def set_up_database(app: Flask) -> None:
    """Bring the app's database to the newest migration."""
    from pbem.cli.migrating import migrate  # noqa: PLC0415 - only the process that needs it loads it

    with app.app_context():
        migrate()


def _prepare_database(app: Flask, prepare: Callable[[Flask], None]) -> None:
    """Prepare the app's database, or say in one sentence why that can't be."""
    with explained(CANNOT_BEGIN):
        prepare(app)


def serve_in_one_process(
    door: socket.socket,
    *,
    prepare: Callable[[Flask], None],
    ready: Callable[[], None],
    mail_at: tuple[str, int] | None = None,
) -> None:
    """Serve pages at `door` by several threads of one process, in which Celery's worker and beat run too.

    Waitress reads whole requests and writes whole answers in its own loop, so a connection that is slow, in its
    headers, its body or in taking the answer, holds none of the threads. `prepare` prepares the app's database, `ready`
    is called once pages are answered; at `mail_at`, a host and a port, answers to letters are taken in by SMTP. Ends
    when somebody asks for it (SIGTERM, SIGINT). Raises SystemExit where it can't begin.
    """
    signal.signal(signal.SIGTERM, _end)
    app = make_app()
    from pbem.jobs.embedded import Embedded  # noqa: PLC0415 - Celery is loaded by what serves, not by other commands

    # In a process of its own: what the migrations and the sample club load and leave behind ends with it.
    furnisher = get_context("fork").Process(target=_prepare_database, args=(app, prepare))
    furnisher.start()
    furnisher.join()
    if furnisher.exitcode:
        raise SystemExit(CANNOT_BEGIN)
    with ExitStack() as stack:
        threads = Embedded(app)
        threads.start()
        stack.callback(threads.stop)
        if mail_at is not None:
            stack.callback(_take_mail(app, *mail_at))
        server = waitress.create_server(app, sockets=[door], **SERVER)
        ready()
        server.run()


SERVER: dict[str, Any] = {
    "threads": 8,
    "connection_limit": 1000,
    "channel_timeout": 20,  # seconds in which a connection must send or take something
    "cleanup_interval": 5,
    "max_request_body_size": 12_000_000,  # a mail of 10 MB in the form of a webhook; the app's own limits are lower
    "asyncore_use_poll": True,
    "clear_untrusted_proxy_headers": False,  # the app decides which of them it believes
    "ident": None,
}
"""How requests are taken."""
CANNOT_BEGIN = 3
"""Exit status where the database or a port is missing: its sentence stands on standard error."""


def _end(_signal: int, _frame: object) -> None:
    """Leave the loop that serves, wherever it is."""
    raise SystemExit(0)


def _take_mail(app: Flask, host: str, port: int) -> Callable[[], None]:
    """Listen for answers in a thread of this process; what ends that."""
    from pbem import smtpd  # noqa: PLC0415 - a club that polls a mailbox needs no listener

    try:
        door = smtpd.listen(app, host, port, lmtp=False)
    except OSError as fault:
        click.echo(f"Port {port} can't be listened at ({fault.strerror}): choose one with '--mail-port'.", err=True)
        raise SystemExit(CANNOT_BEGIN) from fault
    stop: Callable[[], None] = door.stop
    return stop


def base_url(host: str, door: socket.socket) -> str:
    """Where a browser on this machine finds the pages."""
    port = cast("int", door.getsockname()[1])
    return f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else host}:{port}"  # noqa: S104 - compared, not bound


@click.command()
@click.option("--port", type=PORT, default=DEFAULT_PORT, show_default=True, help="Where to listen; 0 chooses one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--mail-port", type=click.IntRange(1, 65535), help="Take in answers here, by SMTP.")
@click.option("--mail-host", default="127.0.0.1", show_default=True, help="The address to take answers in at.")
def serve(*, port: int, host: str, mail_port: int | None, mail_host: str) -> None:
    """Serve a small club: pages, worker and sweeps in one process, on SQLite unless DATABASE_URL says otherwise.

    Letters go out through SMTP_URL; docs/operating.md lists every setting.
    """
    if os.environ.get("REDIS_URL"):
        raise click.UsageError(
            "REDIS_URL is set, but 'pbem serve' keeps its queue in memory: unset it, or use the Procfile"
        )
    settings = config.from_environ()
    door = listening_socket(host, port)
    os.environ.setdefault("BASE_URL", base_url(host, door))
    serve_in_one_process(
        door,
        prepare=set_up_database,
        ready=lambda: _open(greeting(settings)),
        mail_at=(mail_host, mail_port) if mail_port else None,
    )


def _open(words: str) -> None:
    """Say that pages are answered: to who called the command, and in the log."""
    import structlog  # noqa: PLC0415 - the app has loaded it

    click.echo(words)
    structlog.get_logger().info("pages are answered", url=os.environ["BASE_URL"])


def greeting(settings: config.Config) -> str:
    """What is said once pages are answered: where they are, and where letters stay if no relay sends them."""
    opened = f"The club is open at {os.environ['BASE_URL']}"
    if settings.smtp_url:
        return opened
    return (
        f"{opened}\nSMTP_URL is not set: no letter leaves this machine; they are kept in {settings.pbem_home}/mailbox"
    )
