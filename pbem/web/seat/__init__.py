"""Pages of one's own seat: who may open it, its settings, talk."""
