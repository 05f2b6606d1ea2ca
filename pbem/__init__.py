"""A play-by-email server for slow board games."""

__version__ = "1.0.0"
