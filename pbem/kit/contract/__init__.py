"""What every game promises, as tests: `pbem check-game NAME` or `pytest --pyargs pbem.kit.contract --game NAME`.

A demand is bound to a trait of the game's `Meta` by `demand`; a game that has good reason not to meet one says so in
`EXCEPTIONS` beside its RULES, the test's name with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T", bound="Callable[..., object]")
MARK = "demand"


def demand(trait: str) -> Callable[[T], T]:
    """Ask this of games with the `trait` alone; `no hidden` of those without it."""
    mark: Callable[[T], T] = pytest.mark.demand(trait)
    return mark
