"""Mail that came in: orders and commands for a seat, reports about our letters."""
