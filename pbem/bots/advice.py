"""Standing orders as a plain player writes them, for each game; the tempo benchmark plays by them."""

from __future__ import annotations

ADVICE = {
    "priestsofra": """
until changed
for turn:
when alone and ra_left <= 2 and tiles - plagues >= 2: ra
when alone: draw
when tiles - plagues - plagues >= 5: ra
when tiles >= 7: ask me
when tiles - plagues >= 4 and ra_left <= 1: ra
draw
for bid:
when tiles - plagues - plagues <= 1 and high_bid = 0 and caller is me: bid lowest
when tiles - plagues - plagues <= 1: pass
when tiles - plagues - plagues >= 6: bid lowest
when tiles - plagues - plagues >= 4 and winning_sun <= 6: bid lowest
when tiles - plagues - plagues >= 3 and winning_sun <= 3: bid lowest
when tiles - plagues - plagues <= 3 and caller is not me: pass
ask me
for face:
when my_granaries = 1: show granary
when my_fortresses = 1: show fortress
when my_markets = 1: show market
when my_libraries = 1: show library
when my_farmers = 0: show farmer
when my_warriors = 0: show warrior
when my_merchants = 0: show merchant
when my_scribes = 0: show scribe
when my_chambers_b > my_chambers_a: show chamber B
show chamber A
when my_chambers_d > my_chambers_c: show chamber D
show chamber C
show granary
show market
show farmer
show merchant
for flip:
ask me
""",
    "amunre": """
until changed
for bid:
when outbid and my_gold >= 20: bid up to 15 on Mendes or Avaris or Thebes or Memphis or Kharga or Berenike
when kingdom = 2: bid up to 10 on Memphis or Abydos or Amarna or Damanhur or Edfu or Thebes
bid up to 6 on Mendes or Avaris or Kharga or Buto or Amarna or Damanhur or Edfu or Thebes or Memphis
bid up to 6 on Sawu or Berenike or Abu or Baharya or Dakhla or Abydos
bid lowest
for buy:
when kingdom = 2 and round = 3: buy no cards
when my_gold >= 16: buy 2 cards
when my_gold >= 7: buy 1 card
buy no cards
for build:
ask me
for offer:
ask me
for adjust:
when my_farmers >= 3: raise
lower
for take:
when my_items = 3 and round < 3: take 1 card
take no cards
""",
}
