"""Words around an order by which its writer takes it back, or makes it depend on something, as data and one question.

Whoever thinks better of it writes so below the order, and prose that is broken into lines can leave an order alone on
one of them: "please do NOT / draw". Such words can't be understood, only asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.engine.text.notation import fold
from pbem.mail.automatic_patterns import alternatives

_TAKEN_BACK = r"""
    never ?mind | disregard | (just|only|i'm|i was|am) (kidding|joking|testing(?! an?\b)) | jk | kidding
    (ignore|forget|scratch|strike|delete) (that|this|it|the above|all that|my (last|order|mail|move|bid|answer))
    (this (is|was)|just|only) (only |just )?a test | (changed|changing) my mind | on second thoughts?
    (don'?t|do not) (play|do|count|send|make|use|take|enter|execute|submit) (it|that|this) | (did not|didn'?t) mean
    take (it|that) back | time to think | let me think | (haven'?t|have not|not yet) decided | undecided
    lascia(te|mo)? (stare|perdere) | come non detto | ignora(te|lo|la|tela)? | scherz(o|avo|etto) | ripensandoci
    cambiato idea | non (gioca|conta|considera)\w* | mi correggo | volevo dire | (solo|era|e) una prova
    dimentica(lo|la|te|telo|tela) | non ho (ancora )?deciso | tempo per pensare
    laisse(z|r)? tomber | oublie(z|r)? (ca|cela|tout|mon|ma) | je (plaisante|rigole|blague)
    ignore[rz]? (ca|cela|mon|ma|ce|cette) | change d'avis | reflexion faite | ne (le |la )?(joue|compte|tiens)\w* pas
    je voulais dire | un (simple )?(test|essai) | pas encore decide | temps de reflechir
"""
"""Anywhere in a line."""
_THINKS_AGAIN = r"""
    (no|non|nein|nope)(?=\W*$|[,.!;:)])
    (no|non|nope),? (wait|no|no|sorry|don'?t|not|actually|aspetta|scusa|scusate|pardon|attends|attendez)\b
    (wait|hold on|stop!|oops|ops|edit|correction|errata)\b | (i|i've) (mean|meant)\b
    (actually|well|sorry|hmm),? (no|not|don'?t|i mean|i meant|wait|instead|rather|\d+)\b
    (anzi|aspetta|aspettate|correzione|errore|intendevo)\b | (en fait|attends|attendez|plutot|pas ca|erreur)\b
    (scusa|scusate|pardon|desole),? (no|non|anzi|plutot|intendevo)\b
"""
"""As a line begins."""
_DEPENDS = r"""
    but (only|not|if|never) | only (if|when|after|once) | unless | provided | assuming | as long as | except if
    ma (solo|non|se) | solo se | a meno che | purche | sempre che | a patto che | tranne se
    mais (seulement|pas|si|que si) | seulement si | sauf si | a moins que | pourvu que | a condition que
"""
"""As the first line below the order begins, be it a paragraph of its own."""
_GOES_ON = r"""
    if | but | when | once | is | was | would | or | before | until | se | ma | quando | finche | prima | era | sarebbe
    oppure | si | mais | quand | ou | avant | est | etait | serait | sauf
"""
"""Likewise, in the same paragraph, or where the line goes on in small letters."""
_TALK = r"""
    (if|se|si) ((i|we|je|on|nous) )?(win|lose|vinc|perd|gagn)\w* | was (away|ill|fun) | would you like
    (when|quando|quand) (is|are|do|does|will|ci|est) [^?]*\? | is \w+ (back|away|ill|there|coming)\b[^?]*\?
    (but|ma|mais) (thanks|thank you|no (hurry|rush)|grazie|che|senza fretta|merci|quelle?) | until (tomorrow|next)
    once (more|again) | wait (for|(till|until) you see) | (oops|ops),? (almost|nearly|quasi) | before i forget
    i meant to \w+ (earlier|sooner) | i mean business | aspetta e vedrai? | attends (un peu )?et tu verras
"""
"""How a line begins that looks like one of these and is none."""
_LEADS_ON = r"""
    i | to | not | never | don'?t | do not | won'?t | wouldn'?t | didn'?t | can | can'?t | cannot | could | couldn'?t
    (?-i:may) | might | should | shouldn'?t | would | if | unless | me | you | whether | instead of | rather than
    before | non | se | di | posso | potrei | dovrei | vorrei | voglio | devo | avrei | piuttosto che | invece di
    pas | ne | si | que | de | veux | peux | dois | devrais | voudrais | aurais | jamais | plut[oô]t que | au lieu de
"""
"""As the line above the order ends; May is a month."""
_OFF = re.compile(rf"\b(?:{alternatives(_TAKEN_BACK)})\b")
_AGAIN = re.compile(rf"\W*(?:{alternatives(_THINKS_AGAIN)})")
_CONDITION = re.compile(rf"\W*(?:{alternatives(_DEPENDS)})\b")
_CONTINUATION = re.compile(rf"\W*(?:{alternatives(_GOES_ON)})\b")
_HARMLESS = re.compile(rf"\W*(?:{alternatives(_TALK)})(?!\w)")
_OPEN_END = re.compile(rf"(?<!\w)(?:{alternatives(_LEADS_ON)})$", re.IGNORECASE)
_LINE = 300
"""Characters of a line that are looked at."""


def doubtful(above: Sequence[str], below: Sequence[str], orders: Sequence[str]) -> str:
    """Return the line that takes an order back or makes it depend on something; empty if there is none.

    `above` and `below`: the writer's lines on either side of the first order, empty ones included. `orders` are the
    mail's order lines: one of them is no sentence that goes on.
    """
    leading = next((line for line in reversed(above) if line.strip()), "")
    if _OPEN_END.search(leading[-_LINE:].strip()):  # not folded, which leaves out a full stop
        return leading
    following = next((line for line in below if line.strip()), "")
    if following and following not in orders and _goes_on(following, is_near=below[0] == following):
        return following
    return next((line for line in below if _is_taken_back(line)), "")


def _goes_on(line: str, *, is_near: bool) -> bool:
    """Return whether a line below an order makes it depend on something, or is the rest of its sentence."""
    folded = fold(line[:_LINE])
    if _HARMLESS.match(folded):
        return False
    return bool(_CONDITION.match(folded) or ((is_near or line[:1].islower()) and _CONTINUATION.match(folded)))


def _is_taken_back(line: str) -> bool:
    folded = fold(line[:_LINE])
    return bool(_OFF.search(folded) or (_AGAIN.match(folded) and not _HARMLESS.match(folded)))
