"""Amun-Re, 2003 edition: `RULES` is the game behind the engine's verbs."""

from pbem.engine.amunre.rules import AmunRe

RULES = AmunRe()
