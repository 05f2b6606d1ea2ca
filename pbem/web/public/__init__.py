"""Pages anybody may open."""
