"""The constants of the 2003 edition: cards, bid spaces, temple track, the printed board. No rules, no prose."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from pbem.engine.core.message import N_
from pbem.engine.text.words import GameWords

LANGUAGE = GameWords.of(__package__)
"""What the game calls all this."""
PROVINCE_SPELLINGS, CARD_SPELLINGS = LANGUAGE.spellings["provinces"], LANGUAGE.spellings["cards"]
"""Spellings in other languages and short forms that are accepted on input."""
SEATS = (3, 4, 5)
ROUNDS = 3
KINGDOMS = (N_("Old kingdom"), N_("New kingdom"))
GOLD_AT_START = 20
"""AR-2.1."""

# AR-1.2: the twelve kinds of power card, by id, and how many of each there are.
BLOCK, REBID, FREE_FARMER, ARCHITECT, ADJUSTMENT, EIGHT_GOLD, INCREASE = range(7)
CARDS_BONUS, FARMERS_BONUS, HALF_BONUS, BANK_BONUS, RIVERSIDE_BONUS = range(7, 12)
CARDS = tuple(CARD_SPELLINGS)
COPIES = (2, 2, 5, 8, 4, 3, 5, 2, 2, 2, 2, 2)
KINDS = len(CARDS)
ALL_CARDS = sum(COPIES)
BONUSES = (CARDS_BONUS, FARMERS_BONUS, HALF_BONUS, BANK_BONUS, RIVERSIDE_BONUS)
LOGGED = tuple(card.replace(" ", "-") for card in CARDS)
"""The cards' names in a record, without spaces."""


def names(kinds: Iterable[int]) -> tuple[str, ...]:
    """Return what these cards are called, as sentences list them."""
    return tuple([CARDS[kind] for kind in kinds])


# AR-1.1: the fifteen provinces, by id.
PROVINCES = tuple(PROVINCE_SPELLINGS)
LANDS = len(PROVINCES)


def lands(ids: Iterable[int]) -> tuple[str, ...]:
    """Return what these provinces are called, as sentences list them."""
    return tuple([PROVINCES[p] for p in ids])


MAP = (
    ("Damanhur", "Buto", "Mendes", "Avaris"),
    ("Baharya", "Memphis", "Amarna", ""),
    ("Dakhla", "Abydos", "Thebes", "Sawu"),
    ("Kharga", "Edfu", "Abu", "Berenike"),
)
"""Inland west, west bank, east bank, inland east; from north to south. The empty place holds the deck."""

PRINTED_BOARD = files(__package__).joinpath("board.csv").read_text("utf-8")
"""AR-1.1: what the board prints. The last column names the cells that no source confirms."""

# AR-5.1 and AR-6.2: the triangular numbers, as bid spaces and as the price of n items. Far beyond any purse.
PRICES = tuple(n * (n + 1) // 2 for n in range(1500))
SPACE_OF = {price: space for space, price in enumerate(PRICES)}

# AR-7.4: the highest total of temple spaces 1, 2 and 3; beyond them it is 4.
TEMPLE_LIMITS = (2, 12, 22)
TEMPLE_SPACES = 4
CAMEL_SPACES = 2
"""AR-8.2: caravans come on the temple spaces up to this one."""
STEP = 3
"""AR-7.2, AR-7.3: what theft takes and what an adjustment card moves."""
PRIZES = (3, 2, 1)
"""AR-7.5: reward items of the highest, the second and every other offer."""
STONES_A_PYRAMID = 3
ARCHITECTS_STONES = 2
EIGHT = 8

# AR-9: points.
SET_POINTS = 3
BANK_POINTS = 5
CARD_POINTS = 3
CARD_SYMBOLS = 7
MANY_FARMERS = 9
GOLD_POINTS = (6, 4, 2)
