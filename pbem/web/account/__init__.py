"""A person's pages: queue, settings, data, and the keys a browser holds."""
