"""The options a game is opened with: what is wrong with those given, and what stands for those that aren't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.types import Message, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.engine.core.types import Meta, Value


def opening_faults(meta: Meta, seats: int, given: Mapping[str, str], rule: str = "") -> list[Message]:
    """What speaks against opening a game so: its number of `seats` (by `rule`), options and choices it doesn't have."""
    faults = []
    if seats not in meta.seats:
        holes: dict[str, Value] = {"game": meta.title, "names": meta.seats, "count": seats}
        faults.append(sentence("{game} is for {names} players, not {count}.", rule, **holes))
    known = {option.name: option for option in meta.options}
    for name, choice in given.items():
        if name not in known:
            there: dict[str, Value] = {"word": name[:40], "names": tuple(known)}
            faults.append(sentence("There is no option {word!r}. There are: {names}.", **there))
        elif known[name].choices and choice not in known[name].choices:
            wrong: dict[str, Value] = {"name": name, "word": choice[:40], "names": known[name].choices}
            faults.append(sentence("Option {name} can't be {word!r}. It can be: {names}.", **wrong))
    return faults


def chosen_options(
    meta: Meta, seats: int, given: Mapping[str, str], rule: str = "", more: Sequence[Message] = ()
) -> dict[str, str]:
    """Return every option with its choice: the one given, or else its default.

    Raises IllegalOrder with all that speaks against opening a game so, and `more` that the game itself has found.
    """
    if faults := (*opening_faults(meta, seats, given, rule), *more):
        raise IllegalOrder(*faults)
    return {option.name: given.get(option.name, option.default) for option in meta.options}
