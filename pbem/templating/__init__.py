"""How templates are compiled: pages and letters alike."""
