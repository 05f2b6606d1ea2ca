"""How the database comes to its present form."""
