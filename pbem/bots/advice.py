"""Standing orders as a plain player writes them, for each game; the tempo benchmark plays by them."""

from __future__ import annotations

ADVICE = {
    "priestsofra": """
until changed
for turn:
when alone and ra_left <= 2: ra
when alone: draw
when tiles >= 5 and plagues = 0: ra
when tiles - plagues - plagues >= 5: ra
when tiles >= 7: ask me
when tiles - plagues >= 4 and ra_left <= 1: ra
draw
for bid:
when tiles - plagues - plagues <= 0 and high_bid = 0 and caller is me: bid lowest
when tiles - plagues - plagues <= 0: pass
when tiles <= 2 and ra_left > 1: pass
when tiles - plagues - plagues >= 6: bid lowest
when tiles - plagues >= 4 and winning_sun <= 6: bid lowest
when tiles - plagues <= 2 and ra_left > 1 and my_suns <= 2: pass
ask me
for face:
ask me
for flip:
ask me
""",
}
