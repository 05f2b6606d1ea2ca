"""An organiser's pages: the control room, opening games, one game's administration."""
