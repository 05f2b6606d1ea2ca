"""An organiser's side of one game, and the log of what was done."""
