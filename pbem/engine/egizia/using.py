"""EG-4.3, EG-4.4: whether the cards named after `using` belong to an order and are in hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data
from pbem.engine.egizia.ply import ready_count
from pbem.engine.egizia.state import State
from pbem.engine.egizia.tables import Tables

_USELESS: Final = N_("{card} has no use here; cards for this order: {names}.")
_LACKING: Final = N_('You have no card "{what}" that can be used now.')
_TOO_OFTEN: Final = N_("{card} can't be used {times} time(s) in this order.")


def card_faults(
    t: Tables, state: State, seat: int, using: tuple[str, ...], allowed: tuple[str, ...]
) -> Iterator[Message]:
    """Cards in `using` that are not among `allowed`, that `seat` doesn't have ready, or names too often."""
    for name in dict.fromkeys(using):
        power, times = data.USING.get(name, 0), using.count(name)
        held = ready_count(t, state, seat, power)
        if name not in allowed:
            yield Message(_USELESS, {"card": name, "names": allowed}, "EG-4.3")
        elif not held:
            rule = "EG-4.4" if power in data.PERMANENT.values() else "EG-4.3"
            yield Message(_LACKING, {"what": data.EFFECT_NAMES[power]}, rule)
        elif times > (held if power & data.REPEATABLE else 1):
            yield Message(_TOO_OFTEN, {"card": name, "times": times}, "EG-4.3")
