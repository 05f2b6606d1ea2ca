"""Amun-Re, 2003 edition: `RULES` is the game behind the engine's verbs."""

from pbem.engine.amunre.rules import AmunRe

RULES = AmunRe()
EARLIER: tuple[AmunRe, ...] = ()
"""The rules of games that were opened under older versions, the oldest first; each keeps its own `meta.version`."""
