"""Learning and looking on: positions to play on privately, first games, scoring sheets. Knows no database."""
