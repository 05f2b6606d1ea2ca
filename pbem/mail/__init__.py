"""Mail in and out: addresses, letters as MIME, incoming mail as lines, the outbox. Knows no game."""
