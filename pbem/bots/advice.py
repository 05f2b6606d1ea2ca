"""Standing orders as a plain player writes them, for each game; the tempo benchmark plays by them."""

from __future__ import annotations

_PYRAMID = ("5+4", "4+4", "4+3", "3+3", "3+2", "2+2", "2+1", "1+1", "6", "5", "4", "3", "2", "1")
_PARTS = ("left pylon", "right pylon", "left column", "right column")
_SPHINX = "13 14 15 12 16 17 18 04 07 06 01 10 11 08 09 02 03 05 19 20 21 22 23 24 25 26 27 28 29"
_BUILDING = (
    *(f"build obelisk {n}-{n + 1} with black + joker" for n in range(1, 5)),
    *(f"build obelisk {n} with black" for n in range(1, 11)),
    "build grave with black",
    *(f"build pyramid {rows} with yellow + joker" for rows in _PYRAMID),
    *(f"build {part} with yellow + joker" for part in _PARTS),
    *(f"build pyramid {rows} with yellow" for rows in _PYRAMID[5:]),
)
"""Black works at Obelisk and graves, yellow with the joker at Pyramid and Temple, the most first."""

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
    "egizia": f"""
until changed
for ship:
when last_space = 0: ask me
ship to Edfu
ship to Thebae
ship to Sphinx
ship to Passalon
ship to Alyl, crew blue
ship to Obelisk
ship to Beni Hasan
ship to Selinon
ship to Pyramid
ship to Heliopolis
pass
for sphinx:
sphinx 2 with blue
sphinx 1 with blue
ask me
for build:
{chr(10).join(_BUILDING)}
ask me
for keep:
{chr(10).join(f"keep S{number}" for number in _SPHINX.split())}
for feed: feed
for after: done
for any: ask me
""",
}
