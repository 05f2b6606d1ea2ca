"""How a game moves on: resolving plies, writing them, games whose rules fail, changes of rules."""
