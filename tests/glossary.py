"""One word for one thing: for each language the word we say, and those that we don't.

`ONE_WORD` has a row for each thing that once had two names: the language, the thing in English, what it is called, the
pattern of what it isn't called, and a pattern of the English sentences meant where the other word has a use elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Row(NamedTuple):
    """A thing and its one name."""

    language: str
    thing: str
    said: str
    never: str
    where: str = ""


ONE_WORD = (
    Row("en", "flip", "flip", r"priests? turn|turning nothing|turns? (?:no )?tiles?\b|tiles? (?:can be )?turned"),
    Row("en", "reward", "reward", r"\bgifts?\b"),
    Row("en", "ship", "ship", r"\bboats?\b"),
    Row("en", "grain", "grain (is|are)", r"\} grain are\b"),
    Row("it", "gold", "monete d'oro", r"[\d}] oro\b"),
    Row("it", "farmer", "agricoltore", r"contadin"),
    Row("it", "crew", "lavoratore", r"\bsquadr|equipagg"),
    Row("it", "ship", "battello", r"\bnav[ei]\b|\bbarc"),
    Row("it", "round", "turno", r"\bmanch[ei]\b|\bround\b(?!s?\})"),
    Row("it", "call Ra", "invocare Ra", r"\bchiam\w+ Ra\b"),
    Row("it", "Ra track", "percorso di Ra", r"\bpist[ae]\b"),
    Row("it", "reward", "dono", r"ricompens"),
    Row("it", "adjustment", "ritocco", r"modifica del sacrificio|carta modifica|\baggiustament"),
    Row("it", "offering", "sacrificio", r"\boffr\w+|\boffert\w+", r"\boffering|\boffer(?:s|ed)? .*(?:gold|most)\b"),
    Row("it", "bid", "offerta", r"\bpuntat|\bcasella d'asta"),
    Row("it", "grain", "grano", r"\bcereal"),
    Row("it", "round space", "spazio tondo", r"casell\w+ (?:ro)?tond"),
    Row("it", "waking hours", "ore attive", r"\bveglia\b"),
    Row("it", "club", "club", r"\bcircol[oi]\b"),
    Row("it", "several of a kind", "n pezzi dello stesso tipo", r"n cose dello stesso tipo"),
    Row("it", "caravan", "rendita della carovana", r"reddito della carovana"),
    Row("it", "result", "esito", r"è in viaggio verso", r"^All orders"),
    Row("fr", "gold", "pièces d'or", r"[\d}] or\b"),
    Row("fr", "gold each", "pièce d'or chacune", r"\bor pièce\b"),
    Row("fr", "round", "manche", r"\btours?\b", r"\bround \{|\ba round\b|(?:each|this|per|third) round\b|^round$"),
    Row("fr", "round space", "case ronde", r"\bespaces? ronds?\b|réutiliser un"),
    Row("fr", "call Ra", "invoquer Ra", r"\bappel\w* R[aâ]"),
    Row("fr", "Ra", "Ra", r"\bRâ\b"),
    Row("fr", "Heliopolis", "Heliopolis", r"Héliopolis"),
    Row("fr", "ship", "bateau", r"\bnavire|\bbarque"),
    Row("fr", "crew", "équipe", r"\bouvriers?\b"),
    Row("fr", "reward", "récompense", r"\bdons?\b|\barticles?\b"),
    Row("fr", "bid", "mise", r"case d'enchère|blocage d'enchère|enchères payées"),
    Row("fr", "grain", "grain", r"\bcéréale"),
    Row("fr", "kingdom", "empire", r"\broyaume"),
    Row("fr", "seat", "place", r"\bsièges?\b"),
    Row("fr", "mail", "mail", r"\bcourriel"),
    Row("fr", "about you", "sur toi", r"conservée?s? de toi"),
    Row("fr", "order stands", "est enregistré", r"\bton ordre (?:tient|vaut)\b"),
)


def doubles(language: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Each sentence that calls a thing by another word than the one; `texts` are translations by their English id."""
    for row in ONE_WORD:
        if row.language != language:
            continue
        for message, text in texts.items():
            found = re.search(row.never, text, re.IGNORECASE)
            if found and re.search(row.where, message, re.IGNORECASE):
                yield f"{row.thing} is {row.said!r}, not {found[0]!r}: {text}"
