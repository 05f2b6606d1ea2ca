"""Letters to players: what each kind says, when it is still true, how it is written and leaves."""
