"""Egizia's fixed tables: names in three languages, effects as bits, what each round space does. No logic."""

from __future__ import annotations

from pbem.engine.core.message import N_
from pbem.engine.text.words import GameWords

LANGUAGE = GameWords.of(__package__)
"""What the game calls all this."""
CREW_SPELLINGS, PLACE_SPELLINGS, USING_SPELLINGS, PART_SPELLINGS = (
    LANGUAGE.spellings[name] for name in ("crews", "places", "cards", "parts")
)
VERSION = 1
ROUNDS = 5
SHIPS = 8
"""EG-1.2: ships of each player, the only pieces whose number limits anything (EG-1.9)."""
OPEN_GRAVES = 4
"""EG-1.5: tiles that lie face up ahead."""
NILE_CARDS = 10
"""EG-2.2: cards laid on the river each round."""
RIVER = 20
HIDDEN = -1
"""Stands for a card that a view doesn't show, and for an empty space."""

DECKS = ("1/2", "3/4", "5")
DECK_OF_ROUND = (0, 0, 0, 1, 1, 2)
"""EG-2.2: by round number, which of DECKS is laid."""

CREWS = tuple(CREW_SPELLINGS)
JOKER = 3
BASIC = 3
"""How many of CREWS are basic: the ones before the joker."""
CREW_INDEX = {name: i for i, name in enumerate(CREWS)}

COLOURS = (N_("green"), N_("yellow"), N_("brown"))
"""Field colours, best first: an improver moves one to the left (EG-4.4); circle i waters the first i+1 (EG-1.7)."""
RING_POSITIONS = (N_("green"), N_("green+yellow"), N_("all"))
RING_NAMES = (N_("left"), N_("middle"), N_("right"))

CARD, ROUND, SITE = 0, 1, 2
SPHINX, OBELISK, PYRAMID = 0, 1, 2
SITE_IDS = ("SITE_SPHINX", "SITE_OBELISK_GRAVES", "SITE_PYRAMID_TEMPLE")
SITE_NAMES = (N_("Sphinx"), N_("Obelisk"), N_("Pyramid"))
PLACE_NAMES = {
    **{name.upper().replace(" ", "_"): name for name in PLACE_SPELLINGS if name not in SITE_NAMES},
    **dict(zip(SITE_IDS, SITE_NAMES, strict=True)),
}
"""By the ids of round spaces and sites."""
BOTH_MARKETS, CREW_STEPS, JOKER_RING, ANY_CREW = range(4)
ROUND_ACTION = {
    "EDFU": BOTH_MARKETS,
    "THEBAE": CREW_STEPS,
    "BENI_HASAN": CREW_STEPS,
    "SELINON": CREW_STEPS,
    "PASSALON": JOKER_RING,
    "HELIOPOLIS": JOKER_RING,
    "ALYL": ANY_CREW,
}
"""EG-3.4 to EG-3.7: what each round space does."""
ALYL_STONES = 2
UNREPEATABLE = "HELIOPOLIS"
"""EG-4.3, EG-4.4: the space that can be neither doubled nor reused."""
TRADE_STONES = 2
"""EG-4.4: what the two-stones card costs."""
TAKEN_CREW_STEPS = 2
"""EG-4.2: steps of a card that raises two crews by 1 or one by 2."""
FREE_SPHINX = 2
"""EG-7.4: cards that +2 Sphinx adds."""

IMPROVE, LAY, FEED_STONES, REUSE, PLUS_2, UPSTREAM, LEFTOVER, TRADE, GRAVES_8 = (1 << i for i in range(9))
PLUS_3, GRAIN, KEEP_TWO, TWO_SHIPS, DOUBLE, COMBINE, EXTRA, MOVE, SELL = (1 << i for i in range(9, 18))
_EFFECTS = (
    ("crew_improver", N_("crew improver"), "improve"),
    ("field_improver", N_("field improver"), "field"),
    ("feed_with_stones", N_("feed with stones"), "feed"),
    ("reuse_round_space", N_("reuse a round space"), "reuse"),
    ("plus_2_sphinx", N_("+2 Sphinx"), "+2"),
    ("upstream", N_("upstream"), "upstream"),
    ("leftover_nile_card", N_("leftover card"), "leftover"),
    ("two_stones_crew_plus_1", N_("two stones for a crew"), "trade"),
    ("graves_plus_8", N_("graves +8"), "graves"),
    ("crew_plus_3", N_("crew +3"), "+3"),
    ("grain", N_("grain"), "grain"),
    ("keep_two_sphinx", N_("keep two Sphinx cards"), "keep_two"),
    ("two_ships", N_("two ships"), "two_ships"),
    ("double_round_space", N_("double a round space"), "double"),
    ("combine_two_crews", N_("combine two crews"), "combine"),
    ("extra_ship_full_site", N_("extra ship"), "extra_ship"),
    ("change_site_position", N_("move ship"), "move"),
    ("sell_stones", N_("sell stones"), "sell"),
)
"""EG-4.3, EG-4.4: by mask, what components call an effect, what people do, and its one word in the fact `my_cards`."""
_LASTING = 9
"""So many of them are permanent; the others can be used once, at any time."""
_MASKS = {key: 1 << i for i, (key, _, _) in enumerate(_EFFECTS)}
PERMANENT = dict(tuple(_MASKS.items())[:_LASTING])
ANYTIME = dict(tuple(_MASKS.items())[_LASTING:])
EFFECT_NAMES = {1 << i: name for i, (_, name, _) in enumerate(_EFFECTS)}
SHORT = {1 << i: word for i, (_, _, word) in enumerate(_EFFECTS)}
IMMEDIATE = LANGUAGE.said["immediate"]
"""EG-4.2: effects that act when the card is taken, and what they are called."""
FIELD_NAMES = (N_("green field"), N_("yellow field"), N_("brown field"))
QUARRY_NAME = N_("quarry")
ONCE_A_ROUND = IMPROVE | REUSE | UPSTREAM | TRADE
RIDERS = IMPROVE | LAY | TRADE | MOVE | SELL
"""EG-4.5: cards that may go along with any own order."""
SPEAKING = PLUS_3 | GRAVES_8 | SELL
"""Cards whose names hold their value, as crew +3."""
BUILDERS = PLUS_3 | COMBINE
SAILORS = REUSE | UPSTREAM | TWO_SHIPS | DOUBLE | EXTRA
VALUED = frozenset(
    {"grain_market", "stone_market", "stones", "vp", "crew_plus_3", "grain", "graves_plus_8", "sell_stones"}
)
"""Effects whose card must say a value."""

USING = {
    N_("reuse"): REUSE,
    "upstream": UPSTREAM,
    "two ships": TWO_SHIPS,
    N_("double"): DOUBLE,
    "extra ship": EXTRA,
    "+3": PLUS_3,
    N_("combine"): COMBINE,
    "+2": PLUS_2,
    N_("keep two"): KEEP_TWO,
}
"""What a card is called after `using`, in canonical order."""
REPEATABLE = DOUBLE | PLUS_3 | KEEP_TWO
"""Cards of which several may serve one order."""
CONDITION_NAMES = LANGUAGE.said["conditions"]
"""EG-9.3: what a Sphinx card's condition is called when it is revealed."""

STONE, GRAIN_MARKET = 0, 1
MARKETS = (N_("stone"), N_("grain"))
PARTS = tuple(PART_SPELLINGS)
PART_KEYS = ("left_pylon", "right_pylon", "left_column", "right_column", "entablature")
ENTABLATURE = 4
PYLONS = (0, 1)
BUILDINGS = (N_("obelisk"), N_("graves"), N_("pyramid"), N_("temple"))

ENDINGS = ("points", "stones", "arrival")
"""EG-9.4: what parted the winner from the next: points, stones left, or who was first on the space."""
