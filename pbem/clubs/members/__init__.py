"""Who belongs to a club, and how one is founded."""
