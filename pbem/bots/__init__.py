"""Players that see only a view, like anybody else, and games played among them."""
