"""Other programs told of a club: feeds and webhooks."""
