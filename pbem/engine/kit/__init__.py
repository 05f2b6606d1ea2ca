"""A game by declaration: each verb is stated once, and what doors, letters and standing orders ask follows from it."""
