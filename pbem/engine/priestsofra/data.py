"""The tables of Priests of Ra (2009): tiles, faces, suns, tracks and points. Constants only."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.core.message import N_
from pbem.engine.text.words import GameWords

LANGUAGE = GameWords.of(__package__)
"""What the game calls all this."""
FACE_SPELLINGS = LANGUAGE.spellings["faces"]
"""Other spellings that are understood: English plurals, Italian, French."""

# Faces, in the order of scoring. Those below ONE_FACED lie on two-faced tiles: `face ^ 1` is the other side (PR-1.1).
FACES = tuple(FACE_SPELLINGS)


def named(faces: Iterable[int]) -> tuple[str, ...]:
    """Return what these faces are called, as sentences list them."""
    return tuple([FACES[face] for face in faces])


FARMER, WARRIOR, MERCHANT, SCRIBE = range(4)
GRANARY, FORTRESS, MARKET, LIBRARY = range(4, 8)
CHAMBER_A, CHAMBER_B, CHAMBER_C, CHAMBER_D = range(8, 12)
PYRAMID, PRIEST, PLAGUE = range(12, 15)
PEOPLE = range(4)
BUILDINGS = range(4, 8)
CHAMBERS = range(8, 12)
ONE_FACED = PYRAMID

# Tiles (PR-1.1). The first is Ra, tiles 1 to 6 have two faces, the last three have one.
TILES = (
    N_("Ra"),
    N_("farmer/warrior"),
    N_("merchant/scribe"),
    N_("granary/fortress"),
    N_("market/library"),
    N_("chamber A/chamber B"),
    N_("chamber C/chamber D"),
    N_("pyramid"),
    N_("priest"),
    N_("plague"),
)
TILE_KEYS = ("ra", *TILES[1:5], "chamber-A/B", "chamber-C/D", *TILES[7:])
"""What the tiles are called in chance results, without spaces."""
TILE_COUNTS = (30, 30, 30, 15, 15, 7, 7, 15, 15, 10)
RA = 0
TWO_FACED = range(1, 7)
TILE_OF = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9)
FACES_OF = tuple(tuple(face for face, tile in enumerate(TILE_OF) if tile == each) for each in range(len(TILES)))


# Suns by number of players (PR-1.2), Ra track spaces (PR-1.3).
SUN_GROUPS = {
    2: ("9-6-5-2", "8-7-4-3"),
    3: ("13-8-5-2", "12-9-6-3", "11-10-7-4"),
    4: ("13-6-2", "12-7-3", "11-8-4", "10-9-5"),
    5: ("16-7-2", "15-8-3", "14-9-4", "13-10-5", "12-11-6"),
}
CENTRE_SUN = 1
HIGHEST_SUN = 16
RA_SPACES = {2: 6, 3: 8, 4: 9, 5: 10}
LOT_SPACES = 8
EPOCHS = 3
START_POINTS = 10

# Scoring of each epoch (PR-6).
MOST_PEOPLE = 5
FEWEST_PEOPLE = 2
ANKHS_FOR_KINDS = (0, 0, 0, 1, 2)
MOST_ANKHS = 4
BUILDING = 2
TILES_A_BUILDING = 2
BUILDING_KINDS = (0, 0, 0, 5, 10)
PRIEST_POINTS = 2
HEALING_PRIESTS = 3
PLAGUES = (0, -1, -3, -6, -10, -15, -20)

# Scoring at the end (PR-7).
PYRAMIDS = ((10, 20), (6, 10), (3, 5))
"""(tiles needed, points), best first."""
CHAMBER_SETS = ((4, 10), (3, 5))
ANKHS = (0, 0, 5, 10, 20)
SUNS = 5

SHEET = (
    N_("people"),
    N_("buildings"),
    N_("priests"),
    N_("plagues"),
    N_("pyramid"),
    N_("chambers"),
    N_("ankhs"),
    N_("suns"),
)
"""The lines of a score sheet; after them come what the epoch brought and the new total."""
AT_END = 4
"""From this line on, what counts at the end of the game only."""
NET, TOTAL = range(8, 10)

EPOCH_NAMES = (N_("Old Kingdom"), N_("Middle Kingdom"), N_("New Kingdom"))
ENDINGS = ("last-sun", "ra-track", "ra-track-alone")
LAST_SUN, RA_TRACK, RA_TRACK_ALONE = range(3)
