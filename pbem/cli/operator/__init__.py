"""What an operator sets up, checks and keeps: `pbem setup`, `doctor`, `backup`, units."""
