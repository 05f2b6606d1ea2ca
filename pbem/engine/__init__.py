"""The rules of the games, pure: no clock, no I/O, no randomness but the source handed in."""
