"""`pbem demo`: a club on this machine, to look at and to play in, or playing a whole game by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.demo.environment import set_environment
from pbem.cli.serve import DEFAULT_PORT, PORT, base_url, listening_socket, serve_in_one_process, set_up_database

if TYPE_CHECKING:
    from flask import Flask

FOLDER = Path("instance/demo")


def prepare(app: Flask) -> None:
    """Set up the database, and the sample club unless it is there from last time."""
    from pbem import clock  # noqa: PLC0415 - only the process that prepares loads it
    from pbem.clubs.members.demo_club import open_sample  # noqa: PLC0415 - as above
    from pbem.extensions import db  # noqa: PLC0415 - as above

    set_up_database(app)
    with app.app_context():
        open_sample(db.session(), clock.now)


@click.command()
@click.option("--port", type=PORT, default=DEFAULT_PORT, show_default=True, help="Where to listen; 0 chooses one.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=True,
    help="The folder the club is kept in.",
)
@click.option("--auto", is_flag=True, help="Play one whole game through mail and pages at full speed, then leave.")
@click.option("--game", default="amunre", show_default=True, help="Which game --auto plays.")
@click.option("--seats", type=int, default=4, show_default=True, help="How many play with --auto.")
@click.option("--seed", default="demo", show_default=True, help="What --auto draws from: the same seed, the same game.")
def demo(*, port: int, data: Path, auto: bool, game: str, seats: int, seed: str) -> None:
    """Open a sample club whose games are under way against bots, with everybody's letters to read."""
    if auto:
        from pbem.cli.demo.autoplay import play_through  # noqa: PLC0415 - the other demo needs none of it

        play_through(game, seats, seed)
        return
    door = listening_socket("127.0.0.1", port)
    url = base_url("127.0.0.1", door)
    click.echo(f"{url}/mailbox/")
    click.echo("Open this address: everybody's letters are there. Stop with Ctrl-C; the club is kept for next time.")
    set_environment(data, url)
    serve_in_one_process(door, prepare=prepare, ready=lambda: None)
