"""Seasons: pairings, rounds, tables, standings."""
