"""Use cases around games: members, seasons, ratings, the control room, integrations."""
