"""Every form of order, as RULES.md, the help letter and the error hints show it."""

from __future__ import annotations

from pbem.engine.amunre.data import LANGUAGE, PROVINCE_SPELLINGS
from pbem.engine.amunre.lexicon import COUNTED, KEYWORDS, spelled, vocabulary
from pbem.engine.text.notation import fold

_WORDS = rf"(?>[ ,;:+&/-]*\b(?:{vocabulary()})\b)*+"
"""Possessive, so that no text can make the match slow."""

_COUNT = "|".join((r"\d{1,3}", *COUNTED))
_PATTERNS = {
    **{name.replace(" ", "_"): spelled(name) for name in KEYWORDS},
    "bid": spelled("bid", "offer"),
    "cards": f"{_COUNT}|{spelled('cards')}",
    "count": _COUNT,
    "pieces": r"(?:\d+ )?(?:farmers?|stones?|agricoltor[ie]|blocchi|pietr[ae]|paysans?|blocs?|pierres?)",
    "places": "|".join(fold(name) for place, others in PROVINCE_SPELLINGS.items() for name in (place, *others)),
}
"""What orders begin with."""
GRAMMAR = LANGUAGE.grammar(_PATTERNS, _WORDS)


def example(kind: str) -> str:
    """One example of an order that answers a decision."""
    return next(row.example for row in GRAMMAR if row.kind == kind)
