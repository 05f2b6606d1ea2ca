"""Where a player's own text ends, as data: the marks of quotes, signatures, banners and headers in many languages."""

# ruff: noqa: RUF001 - the marks stand here as mail programs write them

from __future__ import annotations

import re

from pbem.mail.automatic_patterns import alternatives, any_of

_WROTE = r"""
    wrote | writes | a écrit | écrit | ha scritto | scrive | schrieb | schreef | escribió | escreveu | skrev
    kirjoitti | napisał | napsal | írta | пише[т]? | написал | пользователь | yazdı | έγραψε
"""
_WROTE_UNSPACED = "写道 | のメール | 님이 작성 | כתב | كتب"
"""The same in scripts without spaces or with marks of direction, which have no edges of words: in "10:30写道" the verb
follows a digit."""
_HEADS = r"""
    from | sent | to | cc | subject | date | reply-to | da | inviato | a | oggetto | data | de | envoyé | à | objet
    le | von | gesendet | an | betreff | datum | van | verzonden | aan | onderwerp | enviado | para | asunto
    assunto | fra | til | emne | från | till | ämne | skickat | od | do | temat | lähettäjä | aihe | от | кому
    тема | 差出人 | 发件人 | 보낸 사람
"""
_SENT_WITH = r"""
    sent (from|with|via|by)[ ] | sent using[ ] | get outlook for | inviato (da|con|tramite)[ ] | scarica outlook
    envoyé (de|depuis|à partir|avec)[ ] | télécharge[zr] outlook | obtenir outlook | von meinem .* gesendet
    gesendet (von|mit)[ ] | enviado (desde|do|de|con)[ ] | verstuurd vanaf | verzonden (vanaf|met) | skickat från
    sendt fra | wysłane z | отправлено (с|из) | lähetetty | hol dir outlook | download outlook | 从我的.*发送
    iphoneから送信
"""
_FORWARDED = r"""
    begin forwarded message | forwarded message | original message | messaggio (originale|inoltrato)
    message (d'origine|transféré|original) | inizio messaggio inoltrato | début du message | ursprüngliche nachricht
    weitergeleitete nachricht | mensaje (original|reenviado) | mensagem original | oorspronkelijk bericht
    пересылаемое сообщение | please reply above | reply above this line | write your answer above this line
    or answer this mail with one of these lines | oppure rispondi a questa e-mail con una di queste righe
    ou réponds à ce mail par une de ces lignes | these would be legal$ | questi sarebbero validi$
    ceux-ci seraient permis$ | -- ?wrote | scrivi la (tua )?risposta sopra | écri(s ta|vez votre) réponse au-dessus
"""
_BANNER_STARTS = r"""
    external( e-?mail| sender| message)?\b | caution\b | warning\b | notice\b | disclaimer | confidential
    (e-?mail )?confidentiality | (to |click (here )?to )?unsubscribe | virus.?free | avviso di riservatezza
    informativa | riservatezza | avis de confidentialité | haftungsausschluss | aviso (legal|de confiden)
    (this|ce|cette|questo|questa|diese|este|esta) ([\w-]+ ){1,6}(confiden|riservat|privileged|vertraulich)
    informationspflicht | https?://\S+$ | www\.\S+$ | please consider the environment
"""
"""How the paragraph of a banner begins, which filters set above a mail and companies below it."""
_BANNER = r"""
    confidential | disclaimer | privileged | intended (recipient|only|solely|for) | unsubscribe | virus | malware
    originated (from )?outside | do not click | all rights reserved | registered (in|office)
    think before you print | consider the environment | before printing | gdpr | privacy
    this (e-?mail|message|communication)\b.*\b(attach|contains?|sent|checked|scanned|received|addressed)
    riservat[eo] | confidenzial | informazioni contenute | questo (messaggio|documento)
    questa (e-?mail|comunicazione) | confidentiel | destinataire | n'imprimez | pensez à l'environnement
    ce (message|courriel|mail)\b.*\b(pièce|peut|contient|adressé|envoyé) | vertraulich | diese e-?mail
    diese nachricht | este (mensaje|correo|mensagem|e-?mail) | outside (of )?(the|your) (organi[sz]ation|company)
"""
"""What a line of a banner says. People use the words too, so that only a long line with one of them is a banner."""
_CLOSING = r"""
    (best|kind|warm|many|with)? ?(regards|wishes) | best | all the best | cheers | sincerely | yours( \w+)? | br
    kr | (cordiali|distinti|cari|tanti)? ?saluti | cordialmente | un (caro )?saluto | a presto | ciao ciao
    (bien )?cordialement | bien à (vous|toi) | amicalement | sincères salutations | salutations( \w+)? | bises
    mit freundlichen grüßen | viele grüße | liebe grüße | (beste )?grüße | mfg | lg | vg | gruß | saludos( \w+)?
    atentamente | atenciosamente | abraços? | (met )?vriendelijke groet(en)? | groet(en|jes)? | mvh
"""
MOST = 300
"""Characters of a line that are looked at: what is longer is prose. With it every pattern below takes little time."""
_LONG_LINE = 45
"""Characters of a line that may be a banner's, by a word in the midst of it."""
_SHORT = 4
"""Characters of a closing word that may as well stand above an order: "Best," "lg"."""
_RULE = frozenset("-_=*~#–—― ")
_EDGE = re.compile(r"^\W+")
_START, _BANNER_START = any_of(_SENT_WITH, _FORWARDED), any_of(_BANNER_STARTS)
_BANNER_WORD, _CLOSED = any_of(_BANNER), any_of(_CLOSING)
_HEAD = re.compile(rf"({alternatives(_HEADS)})\s?\*?[:：]\*?\s?(.*)", re.IGNORECASE)
_WROTE_WORD = re.compile(rf"\b(?:{alternatives(_WROTE)})\b|{alternatives(_WROTE_UNSPACED)}", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ADDRESS = re.compile(r"<[^<>\s@]{1,80}@[^<>\s@]{1,200}>")
_DATED = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s")
_OPENS_ATTRIBUTION = re.compile(r"(on|il|le|am|el|em|op|den|på|dnia|на|в|il giorno|au|a|w dniu)\b", re.IGNORECASE)


def stops(line: str) -> bool:
    """Return whether a line ends what its sender wrote: a quote, a rule, a signature, a header or the like.

    `line` is without spaces at its ends and without the invisible characters that mail programs add.
    """
    if not line:
        return False
    line = line[:MOST]
    bare = _EDGE.sub("", line)
    return (
        line[0] in ">|»›"
        or _is_rule(line)
        or bool(_START.match(bare))
        or (line.startswith("*") and ":*" in line[:33])  # *From:* of Outlook in bold
        or _announces_quote(line)
    )


def _is_rule(line: str) -> bool:
    """`-- ` of a signature, a ruled line, or words between two rules: ----- Original message -----."""
    if len(line) > 1 and set(line) <= _RULE:
        return True
    first, last = line[:2], line[-2:]
    return set(line[:5]) <= _RULE - {" ", "#"} or (set(first) | set(last) <= _RULE - {" ", "#"} and len(line) > 4)  # noqa: PLR2004 - two marks at each end


def _announces_quote(line: str) -> bool:
    """Whether a line says who wrote what follows: by a colon at its end and a verb of writing, a date, an address."""
    if not line.endswith((":", "：")):
        return bool(_DATED.match(line)) and ("<" in line or "@" in line)
    return bool(_WROTE_WORD.search(line[-140:]) or _YEAR.search(line) or _ADDRESS.search(line) or _DATED.match(line))


def opens_attribution(line: str) -> bool:
    """Return whether an "On Monday ... wrote:" may begin in this line, to be broken over several."""
    bare = _EDGE.sub("", line[:MOST])
    return bool(_OPENS_ATTRIBUTION.match(bare)) and ("," in bare or any(map(str.isdigit, bare)))


def ends_attribution(joined: str) -> bool:
    """Return whether lines that were joined end as an attribution does."""
    tail = joined[-MOST:].rstrip()
    return tail.endswith((":", "：")) and bool("@" in tail[-100:] or _WROTE_WORD.search(tail[-100:]))


def is_header(line: str) -> str:
    """Return the name of a mail header that the line shows, lower-case; empty if it is none.

    One alone is how people begin a sentence ("To: all of you"): what counts are two together, or one with an address.
    """
    found = _HEAD.match(_EDGE.sub("", line[:MOST]))
    return found[1].lower() if found else ""


def is_banner(line: str) -> bool:
    """Return whether a line belongs to a company's banner: it begins like one, or is long and has a banner's word."""
    bare = _EDGE.sub("", line[:MOST])
    return bool(_BANNER_START.match(bare)) or (len(bare) >= _LONG_LINE and bool(_BANNER_WORD.search(bare)))


def is_closing(line: str, *, first: bool) -> bool:
    """Whether a line is nothing but the greeting under a letter; as the `first` line "Best," may begin one as well."""
    bare = line.strip(" ,.!;-–—*")
    return len(line) < _LONG_LINE and bool(_CLOSED.fullmatch(bare)) and not (first and len(bare) <= _SHORT)
