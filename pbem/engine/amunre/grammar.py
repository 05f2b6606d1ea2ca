"""Every form of order, as RULES.md, the help letter and the error hints show it."""

from __future__ import annotations

from pbem.engine.amunre.data import PROVINCE_SPELLINGS
from pbem.engine.amunre.lexicon import COUNTED, spelled, vocabulary
from pbem.engine.core.types import N_
from pbem.engine.text.notation import GrammarRow, fold

_WORDS = rf"(?>[ ,;:+&/-]*\b(?:{vocabulary()})\b)*+"
"""Possessive, so that no text can make the match slow."""


def _row(kind: str, syntax: str, example: str, meaning: str, start: str, bare: str = "") -> GrammarRow:  # noqa: PLR0913, PLR0917 - one row
    return GrammarRow(kind, syntax, example, meaning, rf"(?:{start}){_WORDS}", bare and rf"(?:{bare})\b{_WORDS}")


_PLACES = "|".join(fold(name) for place, others in PROVINCE_SPELLINGS.items() for name in (place, *others))
_BID = spelled("bid", "offer")
_COUNT = "|".join((r"\d{1,3}", *COUNTED))
_CARDS = f"{_COUNT}|{spelled('cards')}"
_NOTHING = spelled("nothing")
_BUY, _SELL = spelled("buy"), spelled("sell")
_PIECES = r"(?:\d+ )?(?:farmers?|stones?|agricoltor[ie]|blocchi|pietr[ae]|paysans?|blocs?|pierres?)"
GRAMMAR: tuple[GrammarRow, ...] = (
    _row(
        "bid",
        "bid GOLD on PROVINCE [with block] [and rebid]",
        "bid 6 on Memphis with block",
        N_("Bid that much on that province; play the cards named."),
        _BID,
        f"{_COUNT}|{_PLACES}",
    ),
    _row(
        "bid",
        "bid up to GOLD on PROVINCE [or PROVINCE ...]",
        "bid up to 10 on Memphis or Abu",
        N_("The lowest bid allowed on the cheapest of them, if it is not above that much."),
        _BID,
    ),
    _row(
        "bid",
        "bid up to GOLD on PROVINCE or GOLD on PROVINCE ...",
        "bid up to 10 on Memphis or 6 on Abu",
        N_("A limit for each province: the lowest bid allowed where most is left below the limit."),
        _BID,
    ),
    _row(
        "bid",
        "bid up to GOLD on PROVINCE or GOLD on PROVINCE ... within GOLD",
        "bid up to 28 on Memphis or 15 on Abu within 10",
        N_("The same, and no bid above the last amount: what a province is worth may be more than you will pay."),
        _BID,
    ),
    _row(
        "bid",
        "bid lowest [on PROVINCE [or PROVINCE ...]]",
        "bid lowest on Memphis or Abu",
        N_("The lowest bid allowed on the cheapest of them, or of all."),
        _BID,
    ),
    _row("sell", "sell CARD, ...", "sell architect, 2 free farmer", N_("Sell these cards for 1 gold each."), _SELL),
    _row(
        "buy",
        "buy N cards [, sell CARD, ...]",
        "buy 2 cards, sell architect",
        N_("Action A: buy power cards; selling covers exactly the gold that is missing."),
        f"{_BUY}|{_SELL}",
        _CARDS,
    ),
    _row("buy", "buy no cards", "buy no cards", N_("No card; farmers and stones are asked next."), _BUY),
    _row(
        "buy",
        "buy no cards, FARMERS, STONES, ...",
        "buy no cards, farmers 2 Buto, stones 3 Memphis",
        N_("No card, and farmers and stones at once, as below."),
        f"{_BUY}|{_PIECES}",
    ),
    _row("buy", "buy nothing", "buy nothing", N_("No cards, no farmers, no stones."), f"{_BUY}|{_NOTHING}"),
    _row(
        "build",
        "farmers N PROVINCE ..., stones N PROVINCE ..., free farmer PROVINCE, architect PROVINCE, sell CARD, ...",
        "farmers 2 Buto 1 Mendes, stones 3 Memphis, architect Memphis",
        N_("Actions B and C: buy and place; every part can be left out."),
        f"{_BUY}|{_PIECES}|free farmer|agricoltore gratuito|paysan gratuit|architect|costruttore|architecte|{_SELL}",
    ),
    _row("build", "buy nothing", "buy nothing", N_("No farmers and no stones."), f"{_BUY}|{_NOTHING}"),
    _row(
        "draft",
        "put back CARD, ...",
        "put back block, architect",
        N_("Keep the other cards drawn; the first named comes to lie on top."),
        spelled("put back"),
    ),
    _row(
        "offer",
        "offer GOLD [with adjustment] [, sell CARD, ...]",
        "offer 9 with adjustment",
        N_("Offer that much gold to Amun-Re."),
        spelled("offer"),
        _COUNT,
    ),
    _row(
        "offer",
        "theft [with adjustment]",
        "theft",
        N_("Take 3 gold instead of offering any."),
        spelled("theft"),
    ),
    _row("adjust", "raise", "raise", N_("The total goes up by 3."), rf"{spelled('raise')}|\+ ?3"),
    _row("adjust", "lower", "lower", N_("The total goes down by 3."), rf"{spelled('lower')}|- ?3"),
    _row("take", "take N cards", "take 1 card", N_("That many reward items are power cards."), spelled("take"), _CARDS),
    _row(
        "harvest",
        "farmers N PROVINCE ..., stones N PROVINCE ..., harvest increase PROVINCE, eight gold PROVINCE, keep CARD, ...",
        "farmers 1 Buto, stones 2 Abu, eight gold Abu",
        N_("Place the other reward items and play harvest cards."),
        f"{spelled('take', 'keep')}|{_PIECES}|harvest|increase|aumento(?: del raccolto)?"
        "|revenu(?: supplementaire)?|eight gold|8 gold|8 monete(?: d'oro)?|8 (?:pieces d')?or",
    ),
    _row("harvest", "nothing", "nothing", N_("No item is left to place; play no harvest card."), _NOTHING),
    _row(
        "keep",
        "keep CARD, ...",
        "keep farmers bonus",
        N_("Do not play this bonus card at the coming scoring."),
        spelled("keep"),
    ),
    _row("keep", "keep nothing", "keep nothing", N_("Play every bonus card that counts."), spelled("keep")),
)


def hint(kind: str) -> tuple[str, ...]:
    """Return the forms that answer a decision, for the refusal of a text that can't be read."""
    return tuple(row.syntax for row in GRAMMAR if row.kind == kind)


def example(kind: str) -> str:
    """One example of an order that answers a decision."""
    return next(row.example for row in GRAMMAR if row.kind == kind)
