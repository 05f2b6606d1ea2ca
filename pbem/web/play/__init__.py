"""Pages of a game: its board, its decision, its history, standing orders."""
