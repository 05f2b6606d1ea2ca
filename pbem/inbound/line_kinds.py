"""What a line of a player's mail looks like to a game: an order, perhaps mistyped, or talk with an order's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.types import AnyRules
from pbem.engine.text import standing_text
from pbem.engine.text.mentions import asked_back, mentioned
from pbem.engine.text.notation import GrammarRow, fold, in_digits, matches_grammar, mistyped, of_kind
from pbem.engine.text.spelling import mended
from pbem.engine.text.standing_text import without_else
from pbem.inbound import second_thoughts
from pbem.mail import reply
from pbem.mail.reply import Reading
from pbem.messages import LANGUAGES, Translator
from pbem.play.orders import interpretation
from pbem.structs import Value

_LOOKS = 120
"""Characters of a line that may be a mistyped order."""
_NOTE = 4
"""Lines of a mail so short that it may be an order wrapped in words."""
_NOTE_LINE = 60
"""Characters of each of them."""
_SLIP = N_("{word!r} can't be read, so nothing was done. Did you mean {name!r}?")
_TAKEN_BACK = N_(
    "What you wrote beside {order!r} may take it back or make it depend on something: {word!r}. Nothing was done."
    " If you mean the order, send it alone."
)
_APART = N_("{word!r} below {order!r} may belong to it, so nothing was done. Please write the whole order on one line.")
_JOINS = re.compile(
    r"^(?:(?:and|also|plus|minus|no|not|or|instead|in addition|additionally|as well as|maybe|next|later|then|so|with"
    r"|without|e|ed|anche|piu|inoltre|o|forse|non|poi|senza|et|aussi|ainsi que|ou|pas|peut-etre|puis|plus de|sans)"
    r"\b[,:]? |[+&-] ?)+"
)
"""How a line begins that goes on with the order above it."""
_ASKS_OTHERS = re.compile(r"\b(?:you|your|anyone|anybody|who|why|tu|voi|chi|vous|toi|qui)\b[^?]*\?", re.IGNORECASE)
"""A question that isn't the writer's own doubt."""
_SAYS = 4
"""Words of a line that is more than a greeting or a name."""


class MailQuestion(Value):
    """What a mail answers: a game's decision, as far as reading needs to know it."""

    rules: AnyRules
    kind: str = ""
    read: Callable[[str], str] | None = None
    """An order's one form, empty for what is none; None if the decision isn't asked any more."""
    sealed: bool = False
    """Whether a list is asked for, whose lines stand in for one another."""


def wanted(rows: Sequence[GrammarRow], asked: str) -> Callable[[str], bool]:
    """What counts as an order line: the shape of any order, or a short line that begins like one asked for now."""
    verbs = {fold(row.example).partition(" ")[0] for row in rows if row.kind == asked}

    def is_wanted(line: str) -> bool:
        first = without_else(line.partition(";")[0])
        if len(line) > interpretation.KEPT:
            return False
        return matches_grammar(rows, first, asked) or (len(line) <= _LOOKS and fold(first).partition(" ")[0] in verbs)

    return is_wanted


def nearly(rows: Sequence[GrammarRow], asked: str, game: str = "") -> Callable[[str], bool]:
    """What counts as a mistyped order, where a mail has no other: a short line that a slip keeps from being one.

    With the `game`, also one that begins as an order asked for does in any of our languages.
    """
    own = of_kind(rows, asked)
    written = [Translator(language, game=game).order(row.example) for language in LANGUAGES for row in own]
    verbs = {fold(example).partition(" ")[0] for example in written}

    def is_nearly(line: str) -> bool:
        first = line.partition(";")[0]
        begins = fold(first).partition(" ")[0] in verbs
        return len(line) <= _NOTE_LINE and (begins or bool(mended(tuple(rows), first, own, asked)))

    return is_nearly


def command_meant(text: str) -> tuple[str, str] | None:
    """Return a mail's only line that is nearly a command, and the command."""
    lines = _note(text)
    if len(lines) != 1:
        return None  # below other words a name is likelier than a slip
    word, colon, rest = lines[0].partition(":")
    meant = mistyped(fold(word), reply.TEXT_WORDS if colon else reply.LONE_WORDS)
    if meant is None or abs(len(meant) - len(fold(word))) > 1:
        return None
    return lines[0], f"{meant}{colon}{rest}"


def asides(lines: Sequence[str], question: MailQuestion) -> bool:
    """Return whether lines beside the orders say or ask something, more than a greeting does, or begin as one."""
    begins = wanted(question.rules.grammar, question.kind)
    return any("?" in line or len(line.split()) >= _SAYS or begins(line) for line in lines)


def resembles(text: str, question: MailQuestion) -> bool:
    """Whether a mail without an order is a short note that holds the words of one, so that silence would mislead.

    Thanks and gossip are never answered, nor is automatic mail that doesn't say what it is, which is longer. A letter
    whose decision isn't known may have asked for any order.
    """
    if command_meant(text):
        return True
    lines, kind = [fold(line) for line in _note(text)], question.kind
    shapes = [row.pattern for row in question.rules.grammar if row.pattern and kind in {"", row.kind}]
    found = (
        match[0]
        for shape in (*shapes, "|".join(reply.LONE_WORDS))
        for line in lines
        for match in re.finditer(rf"\b(?:{shape})\b", line)
    )
    return any(len(words) > 1 and words[:2].isalpha() for words in found)  # a number or a letter alone is chance


def read(text: str, question: MailQuestion) -> Reading:
    """The orders and commands of a mail that answers a question; mistyped ones if it has no other.

    Where it has one, a line that only begins as an order is talk: "keep up the good work".
    """
    rows, kind = question.rules.grammar, question.kind
    has_shape = wanted(rows, kind)

    def is_wanted(line: str) -> bool:
        return has_shape(standing_text.without_condition(line) if question.sealed else line)

    reading = reply.read(text, is_wanted)
    talk = {line for line in reading.orders if _is_talk(line, question)}
    if talk and any(_is_order(line, question) for line in reading.orders):
        return reply.read(text, lambda line: line not in talk and is_wanted(line))
    return reading or reply.read(text, nearly(rows, kind, question.rules.meta.name))


def _is_talk(line: str, question: MailQuestion) -> bool:
    """Return whether a line has neither the shape of an order, be it with a slip, nor a number."""
    rows, first = question.rules.grammar, without_else(line.partition(";")[0])
    own = of_kind(rows, question.kind)
    return not (
        matches_grammar(rows, first, question.kind)
        or re.search(r"\d", in_digits(fold(first)))
        or mended(tuple(rows), first, own, question.kind)
    )


def doubt(text: str, reading: Reading, question: MailQuestion) -> Message | None:
    """Return what the writer of a mail is asked instead of anything being done: what they mean, if that is in doubt.

    Which of several orders that are no chain, or whether an order that other words may take back; or, where nothing
    was found, the command or order its words may be.
    """
    line, orders = (
        ("", rivals(reading, question) or beside_commands(reading, question))
        if reading
        else in_other_words(text, question)
    )
    slip = None if reading else command_meant(text)
    if slip is not None:
        return Message(_SLIP, {"word": slip[0], "name": slip[1]})
    return asked_back(line, orders) if orders else _taken_back(reading, question) or _apart(reading, question)


def _taken_back(reading: Reading, question: MailQuestion) -> Message | None:
    """Return the question whether an order, or a command that does something, counts beside words against it."""
    meant = next((f"{one.word}: {one.text}" for one in reading.commands if one.word in reply.TEXT_COMMANDS), "")
    if reading.orders:
        meant = reading.orders[0] if question.read is not None else ""
    words = second_thoughts.doubtful(reading.above, reading.under, reading.orders) if meant else ""
    return sentence(_TAKEN_BACK, order=meant.partition("\n")[0], word=words) if words else None


def _apart(reading: Reading, question: MailQuestion) -> Message | None:
    """Return the question whether the line right below an order is the rest of it: "plus farmers 1 Kharga"."""
    below = next(iter(reading.under), "")
    if not below or not reading.orders or question.read is None or question.sealed:
        return None
    order, rest = reading.orders[0], _JOINS.sub("", fold(below))
    names = {fold(word) for name, others in question.rules.meta.names.items() for word in (name, *others)}
    own = of_kind(question.rules.grammar, question.kind)
    verbs = {text.partition(" ")[0] for text in (order, *(row.example for row in own))}
    says = any(f" {word} " in f" {rest} " for word in names) or re.search(r"\d", in_digits(rest))
    adds = re.match(r"(?:plus|minus|piu|meno|moins) \d", in_digits(fold(below)))
    is_rest = says and any(
        adds or matches_grammar(own, said, question.kind) for said in (rest, *(f"{verb} {rest}" for verb in verbs))
    )
    if not is_rest or (below in reading.orders and rest == fold(below)):
        return None
    return sentence(_APART, word=below, order=order)


def in_other_words(text: str, question: MailQuestion) -> tuple[str, tuple[str, ...]]:
    """Return the orders that a mail without any order line holds in other words, and the first line with one."""
    held = ((line, tuple(filter(question.read, _mentioned(line, question)))) for line in reply.written(text))
    holding = [(line, orders) for line, orders in held if orders]
    return (holding[0][0] if holding else ""), tuple(dict.fromkeys(one for _, orders in holding for one in orders))


def rivals(reading: Reading, question: MailQuestion) -> tuple[str, ...]:
    """Return the first order of a mail and those its other words hold instead, if there are any: one of them is meant.

    An order line that can't be read counts among the words. What is asked of others is no order.
    """
    orders = [line for line in reading.orders if _is_order(line, question)]
    beside = (*reading.rest, *reading.orders, *reading.below)
    lines = [line for line in beside if line not in orders and not _ASKS_OTHERS.search(line)]
    if not orders or question.read is None:
        return ()
    if len(answers := _answers(orders, question)) > 1:
        return answers
    if not lines:
        return ()
    parts = [part for line in orders for part in _parts(line)]
    taken = {fold(one): one for one in (question.read(part) or part for part in parts)}
    said = {word for part in (*parts, *taken) for word in in_digits(fold(part)).split()}
    found = _mentioned("\n".join(lines), question)
    others = [
        one for one in found if fold(one) not in taken and (question.read(one) or not said.issuperset(one.split()))
    ]
    return (next(iter(taken.values())), *others) if others else ()


def beside_commands(reading: Reading, question: MailQuestion) -> tuple[str, ...]:
    """Return an order and the command that it can't be given with: a `cancel`, or words to the table that hold it."""
    if question.read is None:
        return ()
    for command in reading.commands:
        if command.word == "cancel" and reading.orders:
            return reading.orders[0], command.word
        held = [line for line in command.text.splitlines()[1:] if command.word == "talk" and _answered(line, question)]
        if held:
            return held[0], f"{command.word}: {command.text.splitlines()[0]}"
    return ()


def _answered(line: str, question: MailQuestion) -> str:
    """Return the order that a line is by itself, empty if it is none."""
    return question.read(line) if question.read and _is_order(line, question) else ""


def _answers(orders: Sequence[str], question: MailQuestion) -> tuple[str, ...]:
    """Return the different answers to the question itself, where it is asked but once: they are no chain.

    What has the shape of an answer to a question that may come next, too, may be meant for that one.
    """
    after = question.rules.meta.once.get(question.kind)
    if question.read is None or question.sealed or after is None:
        return ()
    own = of_kind(question.rules.grammar, question.kind)
    others = of_kind(question.rules.grammar, *after)
    firsts = [standing_text.alternatives(link)[0] for line in orders for link in standing_text.links(line)]
    later = [one for one in firsts[1:] if matches_grammar(own, one, question.kind) and not matches_grammar(others, one)]
    given = (question.read(firsts[0]), *(question.read(one) or one for one in later))
    return tuple({fold(one): one for one in given if one}.values())


def _mentioned(text: str, question: MailQuestion) -> tuple[str, ...]:
    return mentioned(question.rules, (question.kind,), text, question.read) if question.read else ()


def _is_order(line: str, question: MailQuestion) -> bool:
    return all(matches_grammar(question.rules.grammar, part, question.kind) for part in _parts(line))


def _parts(line: str) -> list[str]:
    """Return the orders of a line, be they a chain or stand in for one another, or for those of the line above."""
    line = standing_text.without_condition(without_else(line))
    try:
        return [part for link in standing_text.links(line) for part in standing_text.alternatives(link)]
    except InvalidOrder:  # its refusal says why
        return [line]


def _note(text: str) -> list[str]:
    """Return the sender's own lines, if they are so few and short that one may be an order wrapped in words."""
    lines = [line for line in reply.written(text) if line.strip()]
    return lines if len(lines) <= _NOTE and all(len(line) <= _NOTE_LINE for line in lines) else []
