"""How strong players are, by their finished games."""
