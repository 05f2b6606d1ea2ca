"""Tables, queries and migrations; nothing here decides anything."""
