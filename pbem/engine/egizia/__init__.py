"""Egizia, edition of 2009 with the revision of 2010, for 2 to 4 players. The rules in words are in RULES.md."""

from __future__ import annotations

from pbem.engine.core.types import Rules
from pbem.engine.egizia.orders import AnyOrder
from pbem.engine.egizia.rules import Egizia
from pbem.engine.egizia.state import State
from pbem.engine.egizia.view import View

RULES: Rules[State, AnyOrder, View] = Egizia()
EARLIER: tuple[Rules[State, AnyOrder, View], ...] = ()
"""The rules of games that were opened under older versions, the oldest first; each keeps its own `meta.version`."""
