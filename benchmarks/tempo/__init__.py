"""How long slow games take in which some answer ahead, by simulated people, and what that costs in points."""
