"""Every form of order, as RULES.md, the help letter and the error hints show it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.engine.core.types import N_
from pbem.engine.egizia import data
from pbem.engine.egizia import state as s
from pbem.engine.text.notation import GrammarRow, fold

PASS = "pass|passo|passe|passare|passer"  # noqa: S105 - a verb, not a secret
SHIP = (
    r"(?:(?:(?:send|put|place) )?(?:(?:a|my|the) )?(?:ship|boat)|sail|nave|battello|bateau|navire)"
    r"(?: (?:to|on|at|a|ad|al|alla|vers|au))?"
)
LEFTOVER = r"leftover(?: card)?|carta rimasta|carte restante"
NONE = "none|nothing|no card|nessuna|niente|aucune|rien"
FEED = "feed|nutro|nourrir|alimento|nourris"
STAY = "stay|resto|reste|rester"
MOVE = r"move (?:to )?(?:slot )?(\d+)|sposta (?:a )?(\d+)|deplacer (?:a )?(\d+)"
SPHINX = "sphinx|sfinge|draw|pesco|pioche"
KEEP = "keep|tengo|garde|garder"
BUILD = "build|costruisco|costruire|construis|construire"
DIG = "dig(?: on)?|scavo|creuse"
STOP = "stop|basta|arret"
RENOUNCE = "renounce|rinuncio|renonce|give up"
DONE = "done|ready|fatto|fini"


SPOKEN = {
    "ship to": ("battello a", "bateau à"),
    "pass": ("passo", "passe"),
    "leftover": ("carta rimasta", "carte restante"),
    "none": ("niente", "rien"),
    "feed": ("nutro", "nourris"),
    "grain": ("grano", "grain"),
    "and": ("e", "et"),
    "stones": ("pietre", "pierres"),
    "move to slot": ("sposta a", "déplacer à"),
    "stay": ("resto", "reste"),
    "sphinx": ("pesco", "pioche"),
    "with": ("con", "avec"),
    "using": ("usando", "en utilisant"),
    "keep": ("tengo", "garde"),
    "order": ("ordine", "ordre"),
    "build": ("costruisco", "construis"),
    "obelisk": ("obelisco", "obélisque"),
    "graves": ("tombe", "tombes"),
    "grave": ("tomba", "tombe"),
    "up to": ("fino a", "jusqu'à"),
    "at least": ("almeno", "au moins"),
    "pyramid": ("piramide", "pyramide"),
    "grain market": ("mercato del grano", "marché du grain"),
    "stone market": ("mercato delle pietre", "marché des pierres"),
    "renounce": ("rinuncio", "renonce"),
    "dig": ("scavo", "creuse"),
    "stop": ("basta", "arrêt"),
    "done": ("fatto", "fini"),
    "crew": ("lavoratore", "équipe"),
    "ring left": ("anello sinistra", "anneau gauche"),
    "ring right": ("anello destra", "anneau droite"),
    "slot": ("posto", "place"),
    "queue": ("coda", "file"),
    "improve": ("migliora", "améliore"),
    "two stones": ("due pietre", "deux pierres"),
    "field": ("campo", "champ"),
    "sell": ("vendo", "vends"),
    "move": ("sposta", "déplacer"),
    "reuse": ("riuso", "réutiliser"),
    "upstream": ("a monte", "en amont"),
    "two ships": ("due battelli", "deux bateaux"),
    "double": ("doppio", "double"),
    "extra ship": ("battello in più", "bateau supplémentaire"),
    "combine": ("combina", "combiner"),
    "keep two": ("tieni due", "garder deux"),
}
"""What canonical orders say in Italian and French."""

_SMALL = (
    "2|ameliore|and|anello|at|de|del|delle|deplacer|des|deux|du|due|en|almeno|au|lavoratore|migliora|moins|place|sposta|utilisant|up|least|fino|a|jusqu|anneau|avec|campo|card|carta|carte|cava|cereali|champ|coda|con|crew|crews|destra|"
    "aucune|cards|cartes|nessuna|niente|nothing|rien|droite|e|equipe|et|field|file|for|gauche|grain|grano|grave|graves|improve|left|marche|market|"
    "mercato|move|none|obelisk|ombos|order|ordine|ordre|pierre|pierres|pietra|pietre|posto|pyramid|"
    "queue|right|ring|row|sell|sinistra|slot|sphinx|squadra|stay|stone|stones|temple|to|tomba|tombe|"
    "tombes|twice|two|usando|using|vendi|vendo|vends|with|x"
)
"""Words of clauses that are no names."""


def _words() -> str:
    """Return every word that a clause may hold: names of crews, places, parts, cards, and what stands between them."""
    tables = (data.CREW_SPELLINGS, data.PLACE_SPELLINGS, data.USING_SPELLINGS, data.PART_SPELLINGS)
    names = {word for table in tables for name, others in table.items() for word in (name, *others)}
    parts = {
        piece for name in names for piece in fold(name).replace("+", " ").replace("/", " ").replace("-", " ").split()
    }
    return "|".join(sorted({*parts, *_SMALL.split("|")}, key=lambda word: (-len(word), word)))


def _names(spellings: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for any of the names as they are spelled."""
    return "|".join(re.escape(fold(word)) for name, others in spellings.items() for word in (name, *others))


_REST = rf"(?>[ ,:+&'/-]*(?:\b(?:{_words()}|x?\d{{1,3}}|[a-z][a-z0-9_-]{{0,11}}\d)\b))*+"
"""Possessive, so that no text can make the match slow."""


_PLACE = rf"{_names(data.PLACE_SPELLINGS)}|ombos|(?:card|carta|carte)(?: space)? \d{{1,2}}|[a-z]\d{{1,2}}"
"""A place alone: where to sail."""


def _row(kind: str, syntax: str, example: str, meaning: str, start: str, bare: str = "") -> GrammarRow:  # noqa: PLR0913, PLR0917 - one row
    return GrammarRow(kind, syntax, example, meaning, rf"(?:{start}){_REST}", bare and rf"(?:{bare})\b{_REST}")


GRAMMAR = (
    _row(
        s.SHIP,
        "ship to SPACE [, crew CREW ...] [, ring left or right] [, slot N] [using CARDS]",
        "ship to Alyl, crew blue",
        N_("Place a ship on a card (A05, card 3), a round space (Edfu) or a site (Sphinx, Obelisk, Pyramid)."),
        SHIP,
        _PLACE,
    ),
    _row(
        s.SHIP,
        "ship to SITE , queue",
        "ship to Sphinx, queue",
        N_("Wait behind the slots of a full site."),
        SHIP,
    ),
    _row(s.SHIP, "pass", "pass", N_("Place no more ships this round."), PASS),
    _row(
        s.LEFTOVER,
        "leftover CARD [, crew CREW ...]",
        "leftover B03",
        N_("Take this card left on the river, or none (`leftover none`)."),
        LEFTOVER,
    ),
    _row(
        s.FEED,
        "feed [with N grain] [and stones N]",
        "feed with 4 grain and stones 2",
        N_("Feed with grain cards and stones; what is missing then costs points."),
        FEED,
    ),
    _row(s.SHIFT, "move to slot N", "move to slot 2", N_("Move your ship to another slot of this site."), MOVE),
    _row(s.SHIFT, "stay", "stay", N_("Leave your ship where it is and keep the card."), STAY),
    _row(
        s.DRAW,
        "sphinx N with CREWS [using CARDS]",
        "sphinx 3 with yellow + joker using +3",
        N_("Pay that many stones and draw Sphinx cards."),
        SPHINX,
    ),
    _row(
        s.DRAW,
        "sphinx up to N with CREWS [using CARDS]",
        "sphinx up to 3 with yellow",
        N_("Draw as many Sphinx cards as you can, up to that many."),
        SPHINX,
    ),
    _row(
        s.KEEP,
        "keep CARD or none [, order CARD CARD ...] [using keep two]",
        "keep S07, order S01 S04",
        N_(
            "Keep one card or none; the others go under the deck, shuffled unless you state an order, the first on top."
        ),
        KEEP,
    ),
    _row(
        s.BUILD,
        "build obelisk N-N, graves N with CREWS [using CARDS] , stone or grain market",
        "build obelisk 1-2, grave with blue + joker using +3, stone market",
        N_("Build Obelisk spaces (`obelisk x2`: the next two), take graves; an Obelisk stone steps down a market."),
        BUILD,
    ),
    _row(
        s.BUILD,
        "build pyramid ROW+ROW, PART x N, entablature N with CREWS [using CARDS]",
        "build pyramid 1+1, left pylon x2 with black",
        N_("Build on Pyramid rows, counted from the bottom, and parts of the Temple."),
        BUILD,
    ),
    _row(
        s.BUILD,
        "build up to N [at least N] with CREWS [using CARDS] , stone or grain market",
        "build up to 6 at least 4 with black + joker, grain market",
        N_("Build as much as you can, up to N: Obelisk before graves, or the dearest on Pyramid and Temple."),
        BUILD,
    ),
    _row(s.DRAW, "renounce", "renounce", N_("Give your place away to the next in the queue."), RENOUNCE),
    _row(s.BUILD, "renounce", "renounce", N_("Give your place away to the next in the queue."), RENOUNCE),
    _row(
        s.DIG,
        "dig N [, obelisk N-N , stone or grain market]",
        "dig 2",
        N_("Go on in the same action with what strength and stones are left."),
        DIG,
    ),
    _row(s.DIG, "stop", "stop", N_("End the action."), STOP),
    _row(s.AFTER, "done", "done, improve blue", N_("Use no card now, or those named."), DONE),
    _row(
        s.AFTER,
        "ORDER [, improve CREW] [, two stones CREW] [, field CARD] [, sell N] [, move SITE N]",
        "ship to Edfu, improve blue, field A05",
        N_("With any order: crew improver, two stones for a crew, field improver, selling stones, moving a ship."),
        rf"{SHIP}|improve|two stones|2 stones|field|sell|move",
    ),
)


def example(kind: str) -> str:
    """An order of each form that answers a decision, for the refusal of one that doesn't; not what goes with others."""
    return " / ".join(row.example for row in GRAMMAR if row.kind == kind and not row.syntax.startswith("ORDER")) or "-"
