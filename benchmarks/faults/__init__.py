"""Faults on purpose: real servers and processes are killed, stopped and starved while people play, then checked."""
