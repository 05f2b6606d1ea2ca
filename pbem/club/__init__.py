"""Use cases around games: members, invitations, seasons, ratings, the control room."""
