"""The signs by which automatic mail is told, as data: headers, senders and subjects in many languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

SOFT_STATUS = frozenset(
    {"5.2.2", "5.3.1", "5.3.2", "5.3.5", "5.4.3", "5.4.5", "5.4.6", "5.4.7", "5.5.3", "5.7.509"},
)
"""Failures that may pass, RFC 3463: a full mailbox or disk, a server that rests, is set up wrongly or is too busy, a
loop, a time that ran out, too many recipients, a mistake in our own settings."""

_BOUNCE_SENDER = r"""
    mailer-?daemon | mail-?daemon | post_?master | mail.?delivery.* | mdaemon | bounces? | double-?bounce
    mail-?system | mailadmin | mmdf | uucp
"""
_BOUNCE_SUBJECT = r"""
    undeliver | not deliver | nondeliverable | deliveryerror | delivery_failure | could ?n.t deliver
    delivery (status notification|fail|report|problem|error|has failed|delay|unsuccessful)
    failure (notice|delivery) | fail(ed|ure)?:? (mail )?deliver | returned (mail|to sender) | returning message
    mail (delivery )?(fail|error|system error) | mail could not be delivered | message (could not|delivery)
    unknown user | user unknown | rejected: | warning: (could not send|message) | message status | mancata consegna
    consegna non riuscita | non (recapitabile|distribu|remis) | échec de | impossible de (remettre|distribuer)
    no se puede entregar | unzustellbar | nicht zugestellt | ошибка доставки | недоставлен | メール.*(エラー|配信|送信)
    配信(不能|エラー) | 配信できません | 送信(失敗|エラー) | 邮件.*(退回|失败) | 退信
"""
_AWAY_SUBJECT = r"""
    auto(matic|mated|matisch[e]?|matica|matique|matisk[at]*)?\W*(reply|response|respon[sd]er?|antwort|antwoord|svar)
    auto(matic|mated|matisch[e]?|matica|matique|matisk[at]*)?\W*(risposta|r[ée]ponse|respuesta|resposta|vastaus|odpowied[źz])
    out of (the )?office | (i am|i.m) (out|away|on (vacation|holiday|leave)) | away from
    on (vacation|holiday|leave)\b | vacation\b | holiday\b | abwesen | nicht im (büro|haus) | urlaub | afwezig
    niet op kantoor | poissa | lomalla | fuori (ufficio|sede) | risposta automatica | assente | assenza\W | in ferie
    absence du bureau | absent | r[ée]ponse (automatique|d.absence) | en cong | vacaciones | respuesta autom
    fuera de (la )?oficina | ausente | ausência | resposta autom | fora do escrit | fraværende | ikke på kontoret
    frånvar | semester | nieobecn | poza biurem | autom(atická|atikus) | v nepřítomnosti | szabads | отпуск
    автоответ | вне офиса | otomatik | 自動(返信|応答|回答) | 不在 | 休暇 | 自动(回复|答复) | 外出
    부재중 | 자동 ?(회신|응답) | خارج المكتب | رد تلقائي
"""
_COMPLAINT_SUBJECT = r"""
    ^\W*(\[?abuse\]?|complaint|abuse report|spam (complaint|report)|email feedback report)\b
    ^\W*complaint about (message|mail)\b
"""
_CHALLENGE_SUBJECT = r"""
    confirm (your|my) (e-?mail|message) | spamarrest | boxbe | verify.*sender
"""
_ROBOT_SENDER = r"""
    no-?reply.* | do-?not-?reply | robot | auto-?(reply|responder|mailer) | listserv | majordomo
"""
_HARD_TEXT = r"""
    user unknown | unknown user | unknown (address|recipient|mailbox|local.part) | recipient unknown
    no such (user|mailbox|address|recipient|account|person|domain|host) | does ?n.t have (a|an) .{0,40}account
    (user|mailbox|address|recipient|account|domain|host|group|list).{0,40}(not found|n.?t exist|not exist)
    (user|mailbox|address|recipient|account|domain|host|group|list).{0,40}(unknown|disabled|invalid)
    no valid recipient | (check|verify).{0,30}address | not (a )?(member|subscribe) | not allowed to (post|send)
    (user|mailbox|address|recipient|account|domain).{0,40}(inactive|closed|suspended|not known|not valid|no longer)
    not listed in | invalid (user|recipient|address|mailbox|domain) | unrouteable address | host unknown
    was not found | could not be found | permanent(ly)?.{0,20}(error|fail) | (address|recipient|user) rejected
    not a (known|valid) (user|address|recipient) | no mailbox here | not (our|a local) (customer|user)
    no longer (valid|available|in use|active|works|employed) | (is|are) not accepted | not accepting mail from
    (message|mail|recipients?) (was |were |has been |have been )?([a-z]{1,20}ly )?(rejected|refused|blocked)
    access denied | relay(ing)? (denied|not permitted) | giving up | delivery (has )?failed permanently
    fatal errors? | utente sconosciuto | n.existe pas | inesistente | unbekannt(er)? (empfänger|benutzer)
    empfänger unbekannt | existiert nicht | no existe | адресат не найден
    (宛先|ディレクトリ).{0,20}(見つかりません|ありません)
    存在し(ない|ません) | 不存在
"""
_SOFT_TEXT = r"""
    delay | temporar | will (keep|continue|be retried|try) | (being|be) (re-?tried|queued) | still (being )?try
    not yet (been )?(deliver|sent) | (will|.ll|keep|being) .{0,20}try(ing)? again | try(ing)? again (later|in )
    ((mail)? ?(box|folder)|quota|inbox|disk|storage).{0,30}(full|exceed) | over ?quota
    (rate|frequency|connection)s? (is )?limit | (service|server|system) .{0,20}unavailable(?!; client) | loop
    hop count | (exceed|over).{0,30}(quota|storage|limit) | insufficient (system )?(storage|space) | too (many|busy)
    timed? ?out | connection (refused|reset) | greylist | you do not need to (re-?send|do anything) | verzögert
    vorübergehend | retard | différé | in ritardo | ritardata | casella piena | pleine | llena
    (postfach|speicher).{0,30}(voll|überschritten) | переполнен | 容量 | 已满
"""
_FAILURE_TEXT = r"""
    could ?n.?t be delivered | could not (be delivered|deliver) | was ?n.?t delivered | not (be )?deliver
    undeliver | unable to deliver | deliver(y|ed)?.{0,40}(fail|problem|error|unsuccessful|impossible)
    returned (mail|to sender) | (failed|failure).{0,20}(deliver|recipient) | bounced | message delayed
    could not be sent | error sending | mail loop | loop (alert|detected) | hop count exceeded
"""
_AWAY_TEXT = r"""
    out of (the |my )?office
    (i am|i.m|i will be|i.ll be) (currently )?(out|away|on (vacation|holiday|leave|a trip))
    (on|annual|parental|maternity) (vacation|leave) | limited access to (e-?mail|my)
    back (in the office|on monday) | this is an auto | automat(ic|ed) (re(ply|sponse)|message)
    auto.?(reply|responder) | do not reply to this | (has|have) been received and
    we have received your (e-?mail|message|request) | ticket (number|id|#) | case number
    thank you for (your e-?mail|contacting|writing to)
    (will|shall) (reply|respond|get back) .{0,40}(return|as soon|back) | bin ich.{0,40}(nicht|erst|außer)
    nicht im büro | automatische antwort | abwesen | im urlaub | sono (fuori|in ferie|assente) | risposta automatica
    fuori ufficio | (suis|serai) (absent|en cong|en vacances) | réponse automatique | absence du bureau
    estoy (fuera|de vacaciones) | respuesta automática | estou (fora|de férias|ausente) | resposta automática
    niet aanwezig | afwezig | frånvarande | 自動(返信|応答)
"""
_PRECEDENCE = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_AUTOMATIC_HEADERS = frozenset(
    [
        *("x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from"),
        *("x-mail-autoreply", "x-auto-reply", "x-autogenerated", "x-ms-exchange-generated-message-source"),
        *("x-fc-machinegenerated", "x-vacation", "x-away", "x-cron-env", "x-loop", "x-amazon-auto-reply"),
        *("feedback-id", "list-id", "list-unsubscribe", "list-post", "x-ezmlm-id", "x-jive-auto-response"),
    ]
)


def alternatives(*texts: str) -> str:
    """Return one pattern for any of those in the texts, which stand on lines of their own or between bars."""
    return "|".join(f"(?:{one})" for text in texts for one in re.split(r"\n\s*| \| ", text.strip()))


def any_of(*texts: str) -> re.Pattern[str]:
    """Return the same, compiled, in capitals or not."""
    return re.compile(alternatives(*texts), re.IGNORECASE)


_SUBJECTS_OF_BOUNCES = any_of(_BOUNCE_SUBJECT)
_SUBJECTS_OF_ROBOTS = any_of(_AWAY_SUBJECT, _BOUNCE_SUBJECT, _CHALLENGE_SUBJECT)
_SUBJECTS_OF_COMPLAINTS = any_of(_COMPLAINT_SUBJECT)
_DAEMONS = re.compile(rf"({alternatives(_BOUNCE_SENDER)})(\+[^@]*)?(@.*)?$")
_ROBOTS = re.compile(rf"({alternatives(_BOUNCE_SENDER, _ROBOT_SENDER)})(@.*)?$")
_PEOPLE = re.compile(r"(post_?master|mailadmin)(@.*)?$")
"""Names under which people write as well as programs."""
_HARD, _SOFT, _FAILURE, _AWAY = map(any_of, (_HARD_TEXT, _SOFT_TEXT, _FAILURE_TEXT, _AWAY_TEXT))


def is_complaint(subject: str) -> bool:
    """Return whether a feedback loop's mail without the ARF part has the subject of one."""
    return bool(_SUBJECTS_OF_COMPLAINTS.search(subject))


def is_bounce(sender: str, subject: str, *, null_sender: bool) -> bool:
    """Return whether the mail is a non-delivery report that isn't in the form of RFC 3464."""
    return (null_sender or bool(_DAEMONS.match(sender))) and bool(_SUBJECTS_OF_BOUNCES.search(subject))


def is_daemon(sender: str) -> bool:
    """Return whether only mail servers write under that address, and no person and no person's answering machine."""
    return bool(_DAEMONS.match(sender)) and not _PEOPLE.match(sender)


def is_hard(text: str) -> bool:
    """Return whether a report without any code says that there is no such mailbox, or that it takes no mail of ours."""
    return bool(_HARD.search(text))


def is_soft(text: str) -> bool:
    """Return whether a report says what may pass: a full mailbox, a delay, a server that is too busy."""
    return bool(_SOFT.search(text))


def is_failure(text: str) -> bool:
    """Return whether a mail in no known form says that another one didn't arrive, or not yet."""
    return bool(_FAILURE.search(text) or _HARD.search(text))


def is_away(text: str) -> bool:
    """Return whether a text without any sign in its headers reads like that of an answering machine."""
    return bool(_AWAY.search(text))


def is_automatic(headers: Mapping[str, str], sender: str) -> bool:
    """RFC 3834 and what programs do in its place; `headers` by lower-case name, `sender` the From address."""
    submitted = headers.get("auto-submitted", "no").split(";")[0].strip().lower()
    return (
        submitted != "no"
        or headers.get("precedence", "").strip().lower() in _PRECEDENCE
        or not _AUTOMATIC_HEADERS.isdisjoint(headers)
        or (bool(_ROBOTS.match(sender)) and not _PEOPLE.match(sender))
        or bool(_SUBJECTS_OF_ROBOTS.search(headers.get("subject", "")))
    )
