"""Pages of a club: members, seasons, services, feeds."""
