"""What every game is made of: its verbs and values, errors, chance, forms and records. Pure."""
