"""A play-by-email server for slow board games."""
