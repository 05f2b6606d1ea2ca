"""Priests of Ra for people who don't know it; what tiles there are comes from the tables of the game itself."""

from __future__ import annotations

from pbem.engine.core.guide import Entry, Guide, Scene, WorkedExample, order_entries, plain
from pbem.engine.core.types import N_, Message
from pbem.engine.priestsofra import data
from pbem.engine.priestsofra.marks import face_key
from pbem.engine.priestsofra.orders import GRAMMAR

_GOAL = (
    N_(
        "Over three epochs you collect tiles: people, buildings, pyramids, chambers, priests. Tiles "
        "gather in a lot, and lots are sold by auction."
    ),
    N_(
        "You pay with suns, numbered tokens that buy one lot each. The sun you pay with goes to the "
        "middle, and the one that lay there is yours for the next epoch."
    ),
    N_(
        "Each epoch scores people, buildings, priests and plagues; the third also pyramids, chambers, "
        "ankhs and suns. Most points win."
    ),
)

_SCENES = (
    Scene(
        2,
        N_("1. Draw or call"),
        (
            Message(
                N_(
                    "On your turn you draw a tile into the lot, or call Ra and have it sold. {seat} drew a tile with "
                    "two faces and chose the {face}."
                ),
                {"seat": 2, "face": data.FACES[data.MARKET]},
            ),
        ),
    ),
    Scene(
        3,
        N_("2. Ra is the clock"),
        (
            Message(
                N_(
                    "A Ra tile goes on its own track and starts an auction at once. When the track is full the epoch "
                    "ends, whatever suns are left. Here {seat} drew it, and the others bid first."
                ),
                {"seat": 0},
            ),
        ),
    ),
    Scene(
        18,
        N_("3. One bid each"),
        (
            Message(
                N_(
                    "{seat_caller} called Ra for five tiles. Bids go round once, each higher than the last or a pass. "
                    "{seat_bidder} has bid sun {sun}."
                ),
                {"seat_caller": 0, "seat_bidder": 1, "sun": 7},
            ),
        ),
    ),
    Scene(
        20,
        N_("4. The winner takes the lot"),
        (
            Message(
                N_(
                    "Nobody went higher, so all five tiles are {seat}'s. Sun {sun} lies in the middle now; sun "
                    "{old}, which lay there, waits face down for the next epoch. The priest just won may flip a tile."
                ),
                {"seat": 1, "sun": 7, "old": 1},
            ),
        ),
    ),
    Scene(
        101,
        N_("5. The epoch ends"),
        (
            Message(
                N_(
                    "The last Ra filled the track: no auction, and the points are counted. People and priests leave; "
                    "buildings, pyramids, chambers and plagues stay. All suns turn face up again, and {seat}, with "
                    "the highest, begins."
                ),
                {"seat": 1},
            ),
        ),
    ),
)

_EXAMPLES = (
    WorkedExample(
        N_("Three players have 3, 2 and 1 farmers when an epoch ends. Who scores?"),
        N_(
            "Only the first: 5 points for most farmers. With 2, 2 and 0 both of the first would score 5; "
            "with 1, 0 and 0 nobody, because two is the least."
        ),
        "PR-6.1",
    ),
    WorkedExample(
        N_("You own 2 granaries, 2 fortresses, 2 markets and no library."),
        N_(
            "Two of a kind are one complete building: three of them, 2 points each, and 5 more for three "
            "kinds. That is 11, in each epoch while they stand."
        ),
        "PR-6.3",
    ),
    WorkedExample(
        N_("You have 3 priests and 4 plagues."),
        N_("The priests score 6 and take one plague away; the three left cost 6. Nothing won, nothing lost."),
        "PR-6.4",
    ),
    WorkedExample(
        N_("At the end you have 3 plain pyramid tiles, 4 chambers A and 3 chambers C."),
        N_("Ten tiles make the great pyramid: 20. Four chambers of one colour 10, three of another 5. Together 35."),
        "PR-7.1",
    ),
)

_TILES = N_("Tiles")
_THINGS = N_("On the table")
_ORDERS = N_("What you may be asked")

_PEOPLE = N_(
    "A person. At the end of each epoch everybody with at least 2 {face} tiles and nobody ahead "
    "scores 5. Three of the four kinds of people bring 1 ankh, all four 2. Then people leave."
)
_BUILDING = N_(
    "A building. Two {face} tiles are complete and score 2 in each epoch; complete buildings of "
    "three kinds add 5, of all four 10. Buildings stay to the end."
)
_CHAMBER = N_(
    "A part of your pyramid: at the end pyramid and chamber tiles count together, 3 score 5, 6 score "
    "10, 10 score 20. Three chambers of one letter score 5 more, four or more 10."
)
_SINGLE = {
    data.PYRAMID: (
        "PR-7.1",
        N_(
            "A part of your pyramid, scored at the end of the game: 3 tiles 5, 6 tiles 10, 10 tiles 20. "
            "Chambers count as well. It stays to the end."
        ),
    ),
    data.PRIEST: (
        "PR-4.1",
        N_(
            "When you win it, it may flip one tile of yours to its other face, now or never. At the end of "
            "the epoch it scores 2; three or more take one plague away. Then priests leave."
        ),
    ),
    data.PLAGUE: (
        "PR-6.5",
        N_(
            "It costs points in each epoch: 1, 3, 6, 10, 15, 20 for one to six of them. It stays until three "
            "priests take one away."
        ),
    ),
}
_BACK = N_("The other side of the tile is the {face}. There are {count} such tiles among {all}.")
_ONE_FACE = N_("It has one face only. There are {count} such tiles among {all}.")

_PLAIN = (
    (
        "ra",
        N_("Ra"),
        ("Ra",),
        "PR-2.2",
        N_(
            "A Ra tile goes on the Ra track and starts an auction at once, with its drawer bidding last. The "
            "one that fills the track ends the epoch without an auction."
        ),
    ),
    (
        "sun",
        N_("sun"),
        ("sun", "suns"),
        "PR-3.5",
        N_(
            "It is your money: each buys one lot. Face up you can bid with it, face down it waits for the "
            "next epoch. At the end the highest sum of suns scores 5, the lowest loses 5."
        ),
    ),
    (
        "centre",
        N_("sun in the middle"),
        (),
        "PR-3.5",
        N_(
            "Whoever wins a lot takes it, face down, and puts the winning sun in its place. So a high bid is "
            "somebody's gain in the next auction."
        ),
    ),
    (
        "lot",
        N_("lot"),
        ("lot",),
        "PR-2.4",
        N_("The tiles for sale, eight at most. With eight there, the player on turn must call Ra."),
    ),
    (
        "ankh",
        N_("ankh"),
        ("ankhs",),
        "PR-7.3",
        N_(
            "You earn 1 for three kinds of people in an epoch, 2 for all four, and keep 4 at most. At the "
            "end of the game two score 5, three 10, four 20."
        ),
    ),
    (
        "epoch",
        N_("epoch"),
        (),
        "PR-5.1",
        N_(
            "It ends when the last face-up sun is used or the Ra track is full. Then points are counted, Ra "
            "tiles leave and all suns turn face up. There are three."
        ),
    ),
)
"""Key, name, words, rule, text of everything that is no face of a tile."""

_WAYS = {
    "turn": (
        N_("Drawing or calling Ra"),
        "PR-2.1",
        N_(
            "Draw a tile, and the lot grows for everybody. Or call Ra, and it is sold now; if all others "
            "pass you must bid yourself."
        ),
    ),
    "face": (
        N_("Choosing a face"),
        "PR-2.3",
        N_("The tile you drew has two faces. Choose the one it shows in the lot; you don't know yet who will win it."),
    ),
    "bid": (
        N_("Bidding a sun"),
        "PR-3.1",
        N_("Bid one of your face-up suns, higher than the best so far, or pass. Everybody is asked once."),
    ),
    "flip": (
        N_("Turning tiles"),
        "PR-4.1",
        N_("Each priest you have just won may flip one of your tiles with two faces. You may also flip nothing."),
    ),
}
"""By kind of order: its name, the rule, what is asked."""


def _face(face: int) -> Entry:
    name, tile = data.FACES[face], data.TILE_OF[face]
    said = [Message(_meaning(face)[1], {"face": name} if face in data.PEOPLE or face in data.BUILDINGS else {})]
    counts = {"count": data.TILE_COUNTS[tile], "all": sum(data.TILE_COUNTS)}
    if tile in data.TWO_FACED:
        said.append(Message(_BACK, {"face": data.FACES[face ^ 1], **counts}))
    else:
        said.append(Message(_ONE_FACE, counts))
    key = face_key(face)
    return Entry(key=key, group=_TILES, name=Message(name), text=tuple(said), rule=_meaning(face)[0], words=(name,))


def _meaning(face: int) -> tuple[str, str]:
    """Return the rule and the sentence of what a face is good for."""
    if face in data.PEOPLE:
        return "PR-6.1", _PEOPLE
    if face in data.BUILDINGS:
        return "PR-6.3", _BUILDING
    return ("PR-7.2", _CHAMBER) if face in data.CHAMBERS else _SINGLE[face]


GUIDE = Guide(
    goal=_GOAL,
    scenes=_SCENES,
    examples=_EXAMPLES,
    entries=(
        *(_face(face) for face in range(len(data.FACES))),
        *(plain(_THINGS, *row) for row in _PLAIN),
        *order_entries(_ORDERS, _WAYS, ((row.kind, row.example) for row in GRAMMAR)),
    ),
)
