"""A club's games, one or many at once: opening, acting, undoing, finding substitutes."""
