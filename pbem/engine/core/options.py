"""The options a game is opened with: what is wrong with those given, and what stands for those that aren't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.core.errors import IllegalOrder
from pbem.engine.core.types import N_, Message, Meta, sentence


def chosen_options(
    meta: Meta, seats: int, given: Mapping[str, str], rule: str = "", more: Sequence[Message] = ()
) -> dict[str, str]:
    """Return every option with its choice: the one given, or else its default.

    Raises IllegalOrder with all that speaks against opening a game so: its number of `seats` (by `rule`), options and
    choices it doesn't have, and `more` that the game itself has found.
    """
    faults = []
    if seats not in meta.seats:
        text = N_("{game} is for {names} players, not {count}.")
        faults.append(sentence(text, rule, game=meta.title, names=meta.seats, count=seats))
    known = {option.name: option for option in meta.options}
    for name, choice in given.items():
        if name not in known:
            text = N_("There is no option {word!r}. There are: {names}.")
            faults.append(sentence(text, word=name[:40], names=tuple(known)))
        elif known[name].choices and choice not in known[name].choices:
            text = N_("Option {name} can't be {word!r}. It can be: {names}.")
            faults.append(sentence(text, name=name, word=choice[:40], names=known[name].choices))
    if faults or more:
        raise IllegalOrder(*faults, *more)
    return {name: given.get(name, option.default) for name, option in known.items()}
