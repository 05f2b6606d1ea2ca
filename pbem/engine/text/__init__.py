"""Order text: reading and spelling, conditions, standing orders. Pure."""
