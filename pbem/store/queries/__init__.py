"""Statements: reads, locks and writes, each for one thing in one place."""
