"""A person's own data and address."""
