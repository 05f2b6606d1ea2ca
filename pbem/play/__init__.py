"""Use cases of a game: open, submit, advance, remind. They get a session and `now`; they never commit or enqueue."""
