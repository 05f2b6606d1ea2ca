"""What may be shown of a game, and to whom: to a seat, to its player over all games, to spectators."""
