"""What each kind of letter says: a letter's facts become its family's content, in the reader's words."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.capabilities import links
from pbem.capabilities.tokens import ADDRESS
from pbem.engine.core.message import N_
from pbem.engine.registry import rules_for, title_of
from pbem.letter_kinds import KINDS, Facts, Opens
from pbem.letters import lesson, sections
from pbem.letters.content_builder import ContentBuilder, said
from pbem.letters.sections import place_of
from pbem.mail import families
from pbem.messages import clean
from pbem.study.lessons import LESSONS

if TYPE_CHECKING:
    from pbem.letters.context import LetterData
    from pbem.letters.mail_context import MailContext
    from pbem.mail.compose import Picture
    from pbem.messages import Translator
    from pbem.play.views.decision_queue import QueueItem
    from pbem.play.views.seat_view import Situation

COMMANDS: tuple[tuple[str, str], ...] = (
    (N_("status"), N_("How the game stands, and what is asked of you.")),
    (N_("orders"), N_("The order you have given, and your standing orders.")),
    (N_("cancel"), N_("Takes back your order, as long as the game hasn't moved on.")),
    (N_("standing: when CONDITION: ORDER"), N_("Orders given ahead, one a line, up to the next empty line.")),
    (N_("absence: 24 Dec to 2 Jan"), N_("You are away: your clock stands still.")),
    (N_("talk: TEXT"), N_("Says something to the whole table.")),
    (N_("help"), N_("This letter.")),
)
"""Words that work in every letter, and what they do."""
_TITLE = 120
"""Characters of what a club's letter is called."""
_ITEMS = 60
"""Games that a digest tells of; the queue that it leads to has them all."""
_ROWS = 100
"""Rows of all tables of a club's letter: what is longer, mail programs would clip."""
_COVERED = {
    "draft": N_("The draft you had saved was played."),
    "standing": N_("Your standing orders were played."),
    "pass": N_("You passed, as you had chosen for such a case."),
    "heuristic": N_("The bot you had chosen for such a case played for you."),
}
_COVERED_SAFELY = N_("The safe default was played.")
_MAY_VOTE = N_(
    "The server has answered for you {count} times in a row, so the others may vote to give your seat to a substitute."
    " Answer your next question yourself, and that is over."
)


def content(letter: LetterData, house: MailContext, say: Translator) -> tuple[families.Content, Picture | None]:
    """Return the letter's content, and the picture it shows."""
    return _FAMILIES[KINDS[letter.kind].family](ContentBuilder(letter, house, say))


Made = tuple[families.Content, "Picture | None"]


def _turn(builder: ContentBuilder) -> Made:
    """Return a letter about a game, whole: what is asked, the news, the board, the players."""
    seen, say = builder.letter.situation, builder.say
    if seen is None:
        raise ValueError(f"A {builder.letter.kind} letter needs a game that has begun.")
    board, picture, news = sections.board_of(seen, say, pictured=builder.house.pictured)
    asked = sections.asked_of(seen, say, builder.house.reply_to(builder.letter), builder.data.get("all_legal", ()))
    place = place_of(seen, say, builder.house.seat_url(builder.letter))
    return families.Turn(
        place=place,
        foot=builder.foot(),
        button=place.url,
        asked=asked,
        lead=(*_lead_of_kind(builder), *builder.words("journal"), *_last(builder)),
        first=bool(builder.data.get("first")),
        since=news,
        earlier=max(0, len(seen.since) - len(news)),
        since_heading=N_("How the game began") if builder.data.get("first") else seen.since_heading,
        board=board,
        waiting=sections.waiting_of(seen, say),
        then=tuple(map(say.order, builder.data.get("then", ()))),
        standing=builder.words("standing"),
        plans=tuple(" ".join(map(say, words)) for words in builder.data.get("plans", ())),
        plans_url=builder.house.seat_url(builder.letter, "plan") if builder.data.get("plans") else "",
        players=sections.players_of(seen, say),
        more=builder.data.get("more", 0),
        glossary=sections.glossary_of(seen, say, builder.house.base_url, board, news),
        look_back=builder.house.seat_url(builder.letter, "result") if seen.game.state.is_over else "",
        learn=_learn(builder, seen.game.game),
    ), picture


def _learn(builder: ContentBuilder, game: str) -> str:
    """In a game's first letter, where the game is learnt by playing; empty for a game without a lesson."""
    return f"{builder.house.base_url}/learn/{game}" if builder.data.get("first") and game in LESSONS else ""


def _lead_of_kind(builder: ContentBuilder) -> tuple[str, ...]:
    seen, data, say = builder.letter.situation, builder.data, builder.say
    if builder.kind.facts is Facts.COVERED:
        return _covered(data, say)
    if "who" in data:
        taken = builder.words("said")
        return (_replaced(data["who"], data.get("by", ""), say, taken=bool(taken)), *taken)
    return (*(sections.winners_of(seen, say) if seen else ()), *builder.words("said"))


def _covered(data: Mapping[str, Any], say: Translator) -> tuple[str, ...]:
    """Return what was played for the reader, and what follows if that goes on."""
    played = data.get("order", "")
    lines = [say(_COVERED.get(data.get("by", ""), _COVERED_SAFELY))]
    lines += [say("The order was {order!r}.", order=played)] if played else []
    lines += [say(_MAY_VOTE, count=data["missed"])] if data.get("missed") else []
    return tuple(lines)


def _replaced(old: str, new: str, say: Translator, *, taken: bool) -> str:
    """Return who plays now in whose place, where there was and is somebody; nobody left whose seat was `taken`."""
    if not new and taken:
        return say("{old} plays no longer; a bot plays on.", old=old)
    if not new:
        return say("{old} has left the game; a bot plays on.", old=old)
    if not old:
        return say("{new} takes the seat that a bot played.", new=new)
    return say("{new} now plays in place of {old}.", new=new, old=old)


def _answer(builder: ContentBuilder) -> Made:
    """Return an answer to an order or a mail."""
    seen, say, data = builder.letter.situation, builder.say, builder.data
    if seen is None:
        raise ValueError(f"A {builder.letter.kind} letter needs a game that has begun.")
    reply_to = builder.house.reply_to(builder.letter)
    written = _written(data.get("text", ""))
    is_help = builder.letter.kind == "help"
    dropped, played, lapsed = ("; then ".join(data.get(name, ())) for name in ("dropped", "played", "lapsed"))
    place = place_of(seen, say, builder.house.seat_url(builder.letter))
    legal = tuple(sections.tap(seen, say.order(order), reply_to) for order in data.get("legal", ()))
    orders = tuple(say.given(str(data.get("canonical", ""))).splitlines())
    return families.ReceiptContent(
        place=place,
        foot=builder.foot(),
        button=place.url,
        asked=_asked_still(builder, seen, {one.order for one in legal}),
        orders=orders,
        says=(
            *(*builder.words("says"), *builder.words("brings"), *builder.words("done")),
            *(*_asides(builder), *_from_elsewhere(builder), *_last(builder)),
        ),
        played=played,
        then=tuple(map(say.order, data.get("then", ()))),
        lapsed=lapsed,
        overtaken=bool(data.get("overtaken")),
        replaces=say.given(data.get("replaces", "")),
        faults=sections.faults_of(tuple(map(said, data.get("faults", ()))), say, (dropped,) if dropped else written),
        undone=sections.faults_of(tuple(map(said, data.get("undone", ()))), say, _written(data.get("beside", ""))),
        legal=legal,
        grammar=_grammar(seen, say) if is_help else (),
        commands=_commands(say) if is_help else (),
        stale=data.get("reason") == "StalePhase",
        ordered="reason" in data,
        settled=bool(data.get("settled")),
    ), None


def _asked_still(builder: ContentBuilder, seen: Situation, shown: Container[str]) -> families.QuestionContent | None:
    """Return what is asked, without what the letter tells anyway: orders `shown` beside, and its own that stands."""
    data, asked = builder.data, sections.asked_of(seen, builder.say, builder.house.reply_to(builder.letter))
    if asked is None:
        return None
    stands = data.get("canonical") and not (data.get("settled") or data.get("overtaken"))
    return msgspec.structs.replace(
        asked,
        taps=tuple(tap for tap in asked.taps if tap.order not in shown),
        answer="" if stands and asked.deadline else asked.answer,
    )


def _grammar(seen: Situation, say: Translator) -> tuple[families.GrammarLine, ...]:
    return sections.grammar_of(rules_for(seen.game), seen.asked.kind if seen.asked else "", say)


def _written(text: str) -> tuple[str, ...]:
    """Return the lines of what somebody wrote, as far as a letter repeats them."""
    return tuple(clean(line, 300) for line in text.splitlines() if line.strip())[:20]


def _commands(say: Callable[[str], str]) -> tuple[families.GrammarLine, ...]:
    return tuple(
        families.GrammarLine(syntax=say(word), example=say(word), meaning=say(means)) for word, means in COMMANDS
    )


def _asides(builder: ContentBuilder) -> tuple[str, ...]:
    """Return where a question stood beside the order: that nobody has read it, and how the table can."""
    if not builder.data.get("asides"):
        return ()
    text = N_("Nobody reads what else you wrote. To say it to the whole table, begin its line with {word!r}.")
    return (builder.say(text, word=builder.say(N_("talk:"))),)


def _last(builder: ContentBuilder) -> tuple[str, ...]:
    """Say in the last answer that a day's mails get that there is none after it: nobody is asked back into silence."""
    text = N_(
        "This is the last answer by mail for now, as ten went to you within a day. What you mail meanwhile is read and "
        "counts as always, but what came of it stands on your page alone."
    )
    return (builder.say(text),) if builder.data.get("last") else ()


def _from_elsewhere(builder: ContentBuilder) -> tuple[str, ...]:
    """A warning where the mail's From was another address: the token is the credential, but its owner is told."""
    sender = builder.data.get("sender")
    if not sender:
        return ()
    return (
        builder.say(
            N_("It came from {sender!r}, not from your own address. If that wasn't you, ask for a fresh link at once."),
            sender=sender,
        ),
    )


def _notice(builder: ContentBuilder) -> Made:
    """Return a short letter: who, when, somebody's own words, and where its button leads."""
    data = builder.data
    who = data.get("who") or data.get("inviter") or ""
    if builder.kind.facts is Facts.INVITATION:
        who = who or builder.letter.club or builder.house.name
    return families.Notice(
        foot=builder.foot(),
        place=None if "tables" in data else builder.place(),
        club=builder.named(builder.letter.club),
        who=builder.named(who) or (clean(builder.house.name) if builder.kind.facts is Facts.INVITATION else ""),
        other=data.get("new", ""),
        games=len(data.get("tables", ())),
        lines=(*builder.words("said"), *_last(builder), *_terms(builder)),
        quote=_lines(data.get("text") or data.get("handover") or data.get("note") or ""),
        button=_button(builder),
        code=data.get("code", ""),
        starts=builder.moment("starts"),
        ends=builder.moment("ends") or builder.moment("expires"),
        private=bool(data.get("private")),
    ), None


def _button(builder: ContentBuilder) -> str:
    """Return where the button of a short letter leads; empty if it has none."""
    house, letter, data = builder.house, builder.letter, builder.data
    match builder.kind.opens:
        case Opens.SEAT:
            return house.seat_url(letter, "settings" if "said" in data and data.get("votes", True) else "")
        case Opens.QUEUE | Opens.ACCOUNT as page:
            return house.player_url(letter, "account" if page is Opens.ACCOUNT else "")
        case Opens.ORGANISE:
            return house.player_url(letter, f"organise/{letter.slug}" if letter.slug else "")
        case Opens.INVITATION | Opens.ADDRESS | Opens.LESSON | Opens.END_LINKS as page:
            return f"{house.base_url}/{_answered(builder, page)}"
        case Opens.NOTHING:
            return ""


def _answered(builder: ContentBuilder, page: Opens) -> str:
    """Return the page where what a letter asks is answered, by somebody who need not have any other link."""
    house, letter, data = builder.house, builder.letter, builder.data
    if page is Opens.INVITATION:
        return f"invitation/{links.invitation_token(house.tokens, data['invitation_id'])}"
    if page is Opens.ADDRESS:
        return f"address/{house.tokens.sign(ADDRESS, data['change'], data['side'])}"
    if page is Opens.END_LINKS:
        return f"links/end/{links.end_token(house.tokens, *letter.to.key)}" if letter.to.confirmed else "links"
    return f"learn/letters/{links.lesson_token(house.tokens, *letter.to.key, data['lesson'])}"


def _terms(builder: ContentBuilder) -> tuple[str, ...]:
    """Return how many play, and how fast; whose seat it is, if the game is under way. Of several games a line each."""
    data, say = builder.data, builder.say
    if "tables" in data:
        told = tuple(_table_offered(builder, table) for table in data["tables"][:_ITEMS])
        rest = len(data["tables"]) - len(told)
        return (*told, say("And {count} more.", count=rest)) if rest else told
    return _terms_of(builder, data)


def _table_offered(builder: ContentBuilder, table: Mapping[str, Any]) -> str:
    place = families.DigestPlace(name=builder.named(table["title"]), title=table["game"])
    return " ".join((builder.say("{heading}:", heading=place.called), *_terms_of(builder, table)))


def _terms_of(builder: ContentBuilder, table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what one game asks of who takes the seat; nothing where there is no game."""
    if "seats" not in table:
        return ()
    if table.get("instead"):
        text = N_("The game is under way: you would take over from {person}.")
        return (builder.say(text, person=builder.named(table["instead"])), _tempo(builder.say, table))
    return (_tempo(builder.say, table),)


def _tempo(say: Translator, table: Mapping[str, Any]) -> str:
    """Return how many play, and the time for each decision."""
    hours, most = (table["cadence"].get(name, default) for name, default in (("hours", 48), ("most", 0)))
    if most:
        text = N_("{count} players; at least {hours} and at most {most} hour(s) for each decision.")
        return say(text, count=table["seats"], hours=hours, most=most)
    return say("{count} players; at least {hours} hour(s) for each decision.", count=table["seats"], hours=hours)


def _lines(text: str) -> tuple[str, ...]:
    """Somebody's own words, line by line, harmless anywhere."""
    return tuple(clean(line, len(line)) for line in text.splitlines())


def _digest(builder: ContentBuilder) -> Made:
    waiting = [item for item in builder.data["items"] if item.question is not None and not item.answered]
    others = [item for item in builder.data["items"] if item not in waiting]
    told = others[: max(0, _ITEMS - len(waiting))]
    return families.Digest(
        foot=builder.foot(),
        day=builder.data["day"],
        items=tuple(_digest_item(builder, item) for item in waiting[:_ITEMS]),
        more=len(waiting[_ITEMS:]),
        news=tuple(_digest_item(builder, item) for item in told),
        more_news=len(others) - len(told),
    ), None


def _digest_item(builder: ContentBuilder, item: QueueItem) -> families.DigestItem:
    say, title = builder.say, title_of(item.game)
    return families.DigestItem(
        place=families.DigestPlace(name=clean(item.title), title=title, heading=say(item.heading)),
        question=say(item.question) if item.question else "",
        url=builder.house.item_url(builder.letter, item),
        deadline=item.due_at,
    )


def _report(builder: ContentBuilder) -> Made:
    data, say = builder.data, builder.say
    tables = data.get("tables", ())
    return families.Report(
        foot=builder.foot(),
        club=clean(builder.letter.club),
        title=clean(say(said(data["title"])), _TITLE),
        paragraphs=builder.words("paragraphs"),
        tables=tuple(_table(table, _ROWS // len(tables), say) for table in tables),
        button=builder.house.player_url(builder.letter, data["to"]) if data.get("to") else "",
    ), None


def _table(table: Mapping[str, Any], most: int, say: Translator) -> families.TableOf:
    def cell(value: Any) -> str:
        """Return a number, somebody's name, or several names."""
        return str(value) if isinstance(value, int) else say.all_called([value] if isinstance(value, str) else value)

    return families.TableOf(
        caption=say(said(table["caption"])),
        head=tuple(say(said(name)) for name in table["head"]),
        rows=tuple(tuple(map(cell, row)) for row in table["rows"][:most]),
        more=len(table["rows"][most:]),
    )


_FAMILIES: Mapping[type[families.Content], Callable[[ContentBuilder], Made]] = {
    families.Turn: _turn,
    families.LessonTurn: lesson.built,
    families.ReceiptContent: _answer,
    families.Notice: _notice,
    families.Digest: _digest,
    families.Report: _report,
}
