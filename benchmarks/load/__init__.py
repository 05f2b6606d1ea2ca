"""Load levels: how many games, orders and letters one small machine carries, and how quickly it answers."""
