"""Where a player's own text ends, as data: the marks of quotes, signatures, banners and headers in many languages."""

# ruff: noqa: RUF001 - the marks stand here as mail programs write them

from __future__ import annotations

import re

_WROTE = (
    *("wrote", "writes", "a écrit", "écrit", "ha scritto", "scrive", "schrieb", "schreef", "escribió", "escreveu"),
    *("skrev", "kirjoitti", "napisał", "napsal", "írta", "пише[т]?", "написал", "пользователь", "yazdı", "έγραψε"),
    *("写道", "のメール", "님이 작성", "כתב", "كتب"),
)
_HEADS = (
    *("from", "sent", "to", "cc", "subject", "date", "reply-to"),
    *("da", "inviato", "a", "oggetto", "data", "de", "envoyé", "à", "objet", "le"),
    *("von", "gesendet", "an", "betreff", "datum", "van", "verzonden", "aan", "onderwerp"),
    *("enviado", "para", "asunto", "assunto", "fra", "til", "emne", "från", "till", "ämne", "skickat"),
    *("od", "do", "temat", "lähettäjä", "aihe", "от", "кому", "тема", "差出人", "发件人", "보낸 사람"),
)
_SENT_WITH = (
    *("sent (from|with|via|by) ", "sent using ", "get outlook for", "inviato (da|con|tramite) ", "scarica outlook"),
    *(
        "envoyé (de|depuis|à partir|avec) ",
        "télécharge[zr] outlook",
        "obtenir outlook",
        "von meinem .* gesendet",
        "gesendet (von|mit) ",
    ),
    *(
        "enviado (desde|do|de|con) ",
        "verstuurd vanaf",
        "verzonden (vanaf|met)",
        "skickat från",
        "sendt fra",
        "wysłane z",
    ),
    *("отправлено (с|из)", "lähetetty", "hol dir outlook", "download outlook", "从我的.*发送", "iphoneから送信"),
)
_FORWARDED = (
    *("begin forwarded message", "forwarded message", "original message", "messaggio (originale|inoltrato)"),
    *(
        "message (d'origine|transféré|original)",
        "inizio messaggio inoltrato",
        "début du message",
        "ursprüngliche nachricht",
    ),
    *("weitergeleitete nachricht", "mensaje (original|reenviado)", "mensagem original", "oorspronkelijk bericht"),
    *("пересылаемое сообщение", "please reply above", "reply above this line", "write your answer above this line"),
    *("-- ?wrote", "scrivi la (tua )?risposta sopra", "écri(s ta|vez votre) réponse au-dessus"),
)
_BANNER = (
    *(
        "confidential",
        "disclaimer",
        "privileged",
        "intended (recipient|only|solely|for)",
        "unsubscribe",
        "virus",
        "malware",
    ),
    *("external (e-?mail|sender|message)", "^\\W*external\\b", "^\\W*caution\\b", "^\\W*warning\\b", "^\\W*notice\\b"),
    *(
        "originated (from )?outside",
        "do not click",
        "think before you print",
        "consider the environment",
        "before printing",
    ),
    *(
        "this (e-?mail|message|communication)\\b.*\\b(and|is|may|contains?|was|has)\\b",
        "all rights reserved",
        "registered (in|office)",
    ),
    *(
        "riservat[eo]",
        "confidenzial",
        "privacy",
        "informazioni contenute",
        "questo (messaggio|documento)",
        "questa (e-?mail|comunicazione)",
    ),
    *(
        "confidentiel",
        "ce (message|courriel|mail)\\b.*\\b(est|et|peut|contient)\\b",
        "destinataire",
        "n'imprimez",
        "pensez à l'environnement",
    ),
    *(
        "vertraulich",
        "diese e-?mail",
        "diese nachricht",
        "informationspflicht",
        "aviso legal",
        "este (mensaje|correo|mensagem|e-?mail)",
    ),
    *("outside (of )?(the|your) (organi[sz]ation|company)", "gdpr", "^https?://\\S+$", "^www\\.\\S+$"),
)
_CLOSING = (
    *(
        "(best|kind|warm|many|with)? ?(regards|wishes)",
        "best",
        "all the best",
        "cheers",
        "sincerely",
        "yours( \\w+)?",
        "br",
        "kr",
    ),
    *("(cordiali|distinti|cari|tanti)? ?saluti", "cordialmente", "un (caro )?saluto", "a presto", "ciao ciao"),
    *(
        "(bien )?cordialement",
        "bien à (vous|toi)",
        "amicalement",
        "sincères salutations",
        "salutations( \\w+)?",
        "bises",
    ),
    *("mit freundlichen grüßen", "viele grüße", "liebe grüße", "(beste )?grüße", "mfg", "lg", "vg", "gruß"),
    *(
        "saludos( \\w+)?",
        "atentamente",
        "atenciosamente",
        "abraços?",
        "(met )?vriendelijke groet(en)?",
        "groet(en|jes)?",
        "mvh",
    ),
)
STOP = re.compile(
    "|".join(
        [
            r"^[>|»›]",  # a quote; some programs mark it by other signs
            r"^\W*[-_=*~#–—―]{2,}\s*$",  # a ruled line, `-- ` and `--` of signatures
            r"^[-_=*~–—]{2,}.*[-_=*~–—]{2,}$",  # ----- Original message -----
            r"^[-_=*~–—]{5,}",
            rf"^\W*({'|'.join(_HEADS)})\s*[:：]",
            r"^\*(?:[^*]{1,30}):\*",  # *From:* of Outlook in bold
            rf"^\W*(?:{'|'.join(_SENT_WITH)})",
            rf"^\W*(?:{'|'.join(_FORWARDED)})",
            rf"(?:{'|'.join(_BANNER)})",
            rf"^\W*(?:{'|'.join(_CLOSING)})\W*$",
            rf"\b(?:{'|'.join(_WROTE)})\b.{{0,120}}[:：]\s*$",
            r"^(?=.*\b(?:19|20)\d\d\b).*[:：]\s*$",  # a dated line that ends in a colon announces a quote
            r"^.*<\S+@\S+>.*[:：]\s*$",
            r"^\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s.*(?:<|@|:\s*$)",
        ]
    ),
    re.IGNORECASE,
)
OPENS_ATTRIBUTION = re.compile(
    r"^\W*(on|il|le|am|el|em|op|den|på|dnia|на|в|il giorno|au|a|w dniu)\b.*(\d|,)", re.IGNORECASE
)
ATTRIBUTION = re.compile(rf"(?:\b(?:{'|'.join(_WROTE)})\b|<\S+@\S+>|\S+@\S+).{{0,80}}[:：]\s*$", re.IGNORECASE)
"""What the end of an attribution looks like once its lines are joined."""
