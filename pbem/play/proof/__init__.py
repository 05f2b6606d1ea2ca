"""Proof that what is stored is what was played."""
