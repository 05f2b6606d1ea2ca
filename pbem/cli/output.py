"""How a command answers: in words for a person, or as one JSON document for a program where `--json` was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
import msgspec

Command = TypeVar("Command", bound="Callable[..., Any]")
Figures = TypeVar("Figures")
_WANTED = "pbem.cli.output.json"
"""The key in the contexts' common memory."""


def _note(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - as click calls it
    context.meta[_WANTED] = value


def as_json(command: Command) -> Command:
    """Give a command the option `--json`; what it answers then is for `tell` and `show` to write."""
    said = "JSON for programs, instead of words."
    add = click.option("--json", "as_json", is_flag=True, expose_value=False, callback=_note, help=said)
    wrapped: Command = add(command)
    return wrapped


def is_json() -> bool:
    """Whether the command at hand answers a program."""
    return bool(click.get_current_context().meta.get(_WANTED))


def say(*lines: str) -> None:
    """Print lines for people; a program gets what they say at the end, by `tell`."""
    if not is_json():
        for line in lines:
            click.echo(line)


def tell(said: str, **facts: object) -> None:
    """Print the sentence `said`, or an object of it and the facts in it."""
    document({"said": said, **facts}) if is_json() else click.echo(said)


def show(found: Sequence[Mapping[str, object] | msgspec.Struct], line: str, *, empty: str) -> None:
    """Print a line for each thing found, filled from its own values, or the sentence `empty`; or all of it as JSON."""
    if is_json():
        document(found)
        return
    for one in found:
        click.echo(line.format_map(msgspec.structs.asdict(one) if isinstance(one, msgspec.Struct) else dict(one)))
    if not found:
        click.echo(empty)


def figures(found: Figures, words: Callable[[Figures], str]) -> None:
    """Print what was measured, in `words` or as it is, in one line."""
    click.echo(msgspec.json.encode(found).decode() if is_json() else words(found))


def document(held: object) -> None:
    """Print one JSON document."""
    click.echo(msgspec.json.format(msgspec.json.encode(held), indent=2).decode())
