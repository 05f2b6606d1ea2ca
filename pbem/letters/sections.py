"""The pieces of a game letter, made from what its reader may see: the question, the board, the players, the news."""

from __future__ import annotations

import contextlib
import functools
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from pbem import pictures
from pbem.engine.core.errors import EngineError
from pbem.engine.core.forms import KIN, Count, Field, Form, Pick
from pbem.engine.core.message import N_, Event, Message
from pbem.engine.registry import box_of, rules_for, title_of
from pbem.mail import families
from pbem.mail.compose import Picture
from pbem.mail.render import mailto
from pbem.messages import Translator, clean
from pbem.pictures.rings import drawn, numbered
from pbem.play.orders import lookahead
from pbem.structs import Value
from pbem.study import guides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.core.types import AnyRules
    from pbem.pictures.rings import Marked
    from pbem.play.views.seat_view import AskedDecision, SeatSummary, Situation

_SHAPES = ("●", "■", "▲", "◆", "★", "⬢", "✚", "▼", "⬟", "▰")
"""Seats by shape, and by letter after it, as on the boards."""
WIDTH = 600
"""Pixels of a board picture in a letter."""
_PAIR = 2
NEWS = 40
"""Events told in one letter, the newest."""


def place_of(seen: Situation, say: Translator, url: str) -> families.DigestPlace:
    """Which game a letter is about, and where it stands."""
    return families.DigestPlace(
        name=clean(seen.game.title), title=title_of(seen.game.game), heading=say(seen.heading), url=url
    )


def _in_ranges(orders: Sequence[str]) -> tuple[str, ...]:
    """Return orders that differ in their first number alone as one: `bid 0/1/3 on Edfu`, a range as such."""
    alike: dict[tuple[str, str], list[int]] = {}
    for order in orders:
        before, *rest = _NUMBER.split(order, maxsplit=1)
        number, after = rest or ("", "")
        alike.setdefault((before, after), []).extend(map(int, number.split()))
    return tuple(f"{before}{_numbers(found)}{after}" for (before, after), found in alike.items())


_NUMBER = re.compile(r"(?<![\w+-])(\d+)(?![\w-])")


def _numbers(found: Sequence[int]) -> str:
    """Return numbers as a range, where none is left out of three or more; else one after the other."""
    if len(found) > _PAIR and list(found) == list(range(found[0], found[-1] + 1)):
        return f"{found[0]}\N{EN DASH}{found[-1]}"
    return "/".join(map(str, found))


def asked_of(
    seen: Situation, say: Translator, reply_to: str, legal: Sequence[str] = ()
) -> families.QuestionContent | None:
    """Return what the reader is asked, with every one-tap answer there is; None if nothing."""
    if seen.asked is None or seen.seat is None:
        return None
    rules = rules_for(seen.game)
    form = seen.asked.form
    quick, known = ((), ()) if seen.asked.sealed else (form.quick, legal)
    effects = _effects(rules, seen.view, form, say) if quick else {}
    taps = tuple(tap(seen, say.order(order), reply_to, effects.get(order, "")) for order in quick)
    # every legal order, if they are few and some of them are in no tap
    beside = tuple(map(say.order, _in_ranges(known))) if any(order not in quick for order in known) else ()
    world = lookahead.world_of(rules, seen.view)
    return families.QuestionContent(
        question=say(seen.asked.question),
        kind=say(Message(seen.asked.kind)).capitalize(),
        ply=seen.asked.ply,
        deadline=seen.asked.due_at,
        answer=say.given(seen.asked.answer),
        notes=(*(say(note) for note in form.notes), *_onward(rules, seen, world, say)),
        example=say.order(str(rules.cautious(seen.view))),
        fuller="" if taps else say.order(_fuller(rules, seen.asked, seen.view, world)),
        taps=taps,
        then=say(seen.waiting.then) if seen.waiting and not seen.asked.answer else "",
        legal=beside,
        choices=() if taps or beside or seen.asked.sealed else choices_of(form, say),
    )


def _fuller(rules: AnyRules, asked: AskedDecision, view: Any, world: Any) -> str:
    """Return a fuller example than the safe order; "" for none."""
    return _bid_of(rules, view) if asked.sealed else lookahead.of_several_parts(rules, view, world)


def _bid_of(rules: AnyRules, view: Any) -> str:
    """Return a line of a sealed list, as an example beside the safe one, which bids nothing: halfway up one field."""
    picks = (field for group in rules.form(view).groups for field in group.fields if isinstance(field, Pick))
    one = next(picks, None)
    return rules.order_text(view, {one.name: [one.choices[len(one.choices) // 2].value]}) if one else ""


def choices_of(form: Form, say: Translator) -> tuple[str, ...]:
    """Return every choice of a form with its price, a line a field; wishes for later decisions are left out."""
    groups = [(group, [field for field in group.fields if _is_told(field)]) for group in form.groups if not group.aside]
    names = Counter(say(field.label) for _, fields in groups for field in fields)
    lines = []
    for group, fields in groups:
        alike = any(names[say(field.label)] > 1 or (isinstance(field, Count) and ":" in field.name) for field in fields)
        for field in fields:
            name = say(field.label)
            heading = f"{say(group.title)}, {name}" if alike else name
            words = _told(field, say)
            # a tick says it all itself
            listed = say("{heading}:", heading=heading.rstrip("? ")) + " " + say(N_("; ")).join(words)
            lines.append(heading if words == [heading] else listed)
    return tuple(lines)


def _is_told(field: Field) -> bool:
    return isinstance(field, Count) or (isinstance(field, Pick) and not field.menu)


def _told(field: Field, say: Translator) -> list[str]:
    """Return the choices of a field; those that differ in a number only as a row: thirty are read by nobody."""
    if isinstance(field, Count):
        every = range(field.low, field.high + 1)
        return _row(every, field.prices or (None,) * len(every), lambda number: number, say)
    found = []
    for _, kin in groupby(field.choices if isinstance(field, Pick) else (), lambda choice: choice.kin):
        alike = list(kin)
        if len(alike) < KIN:
            found += [_priced(say(choice.label), choice.price, say) for choice in alike]
            continue
        label, hole = alike[0].label, alike[0].number
        numbers = [int(str(choice.label.params[hole])) for choice in alike]
        found += _row(numbers, [one.price for one in alike], partial(_with_number, label, hole, say), say)
    return found


def _with_number(label: Message, hole: str, say: Translator, number: str) -> str:
    return say(label.text, **{**label.params, hole: number})


def _row(
    numbers: Sequence[int], prices: Sequence[int | None], label: Callable[[str], str], say: Translator
) -> list[str]:
    """Return numbers in a row as one choice, where all are free or each costs the same; else each by itself."""
    last, most = numbers[-1], prices[-1] or 0
    if len(numbers) == _PAIR and not any(prices):
        return [label(say("{first} or {last}", first=numbers[0], last=last))]
    steady = all((price or 0) * last == number * most for number, price in zip(numbers, prices, strict=True))
    if len(numbers) < KIN or not steady:
        return [_priced(label(str(number)), price, say) for number, price in zip(numbers, prices, strict=True)]
    is_range = list(numbers) == list(range(numbers[0], last + 1))
    text = label(say("{first} to {last}", first=numbers[0], last=last) if is_range else _numbers(numbers))
    return [say("{choice} (costs {price} each)", choice=text, price=most // last) if most else text]


def _priced(text: str, price: int | None, say: Translator) -> str:
    """One choice and what it costs, if it costs something."""
    return say("{choice} (costs {price})", choice=text, price=price) if price else text


def _onward(rules: AnyRules, seen: Situation, world: Any, say: Translator) -> tuple[str, ...]:
    """That two questions can be answered in one line, where an order leads straight on to another one."""
    if seen.asked is None or seen.asked.sealed or seen.asked.optional:
        return ()
    if (pair := lookahead.second_choice(rules, seen.view, world)) is not None:
        text = N_(
            "Behind it may stand what you do if that can't be done any more: {chain!r}. Else you are asked again."
        )
        return (say(text, chain=pair),)
    found = lookahead.example(rules, seen.view, world)
    if found is None:
        return ()
    text = N_("After {order!r} you are asked at once: {question} Answer both in one line, such as {chain!r}.")
    if not found.alone:
        text = N_("With {order!r} you can answer the next question at once: {question} Write for example {chain!r}.")
    return (say(text, order=found.order, question=say(found.question), chain=found.chain),)


def tap(seen: Situation, order: str, reply_to: str, says: str = "") -> families.Tap:
    """One order as a mail that only has to be sent."""
    subject = f"Re: [{clean(seen.game.title)}]"
    return families.Tap(order=order, mailto=mailto(reply_to, subject, order), says=says)


def _effects(rules: AnyRules, view: Any, form: Form, say: Translator) -> dict[str, str]:
    """Return what each choice that makes an order by itself would do, by that order; "" where the order says it."""
    found: dict[str, str] = {}
    english = Translator(names=say.names, game=say.game)
    picks = [field for group in form.groups for field in group.fields if isinstance(field, Pick) and not field.many]
    for pick in picks:
        for choice in pick.choices:
            with contextlib.suppress(EngineError):  # it needs another choice beside it
                order = rules.order_text(view, {pick.name: [choice.value]})
                said = choice.effect or choice.label
                found.setdefault(order, "" if english(said).casefold() in order.casefold() else say(said))
    return found


def board_of(
    seen: Situation, say: Translator, *, pictured: bool
) -> tuple[families.BoardContent, Picture | None, tuple[families.News, ...]]:
    """Return the board as text and, if `pictured`, as a picture that shows only what everybody may see; and the news.

    A picture's rings bear the numbers of the news.
    """
    events = [told.event for told in seen.since]
    return board_at(rules_for(seen.game), seen.view, seen.public, events, say, pictured=pictured)


def board_at(  # noqa: PLR0913 - a position has two sides, its reader's and everybody's
    rules: AnyRules, view: Any, public: Any, events: Sequence[Event], say: Translator, *, pictured: bool
) -> tuple[families.BoardContent, Picture | None, tuple[families.News, ...]]:
    """Return the same of a position that no stored game need have come to."""
    told = numbered(events[-NEWS:])
    drawing = pictures.of(rules.meta.name)
    text = drawing.text(view, say).strip("\n")
    hand = drawing.hand(view, say)
    made = draw(rules, msgspec.json.encode(public), told.rings, say.language, say.names) if pictured else None
    drawn_in: dict[str, Any] = {"alt": made.alt, "cid": made.picture.cid, "rings": made.rings} if made else {}
    board = families.BoardContent(text=text, hand=hand, **drawn_in)
    news = (
        families.News(text=say(event), ring=number if number in board.rings else 0)
        for event, number in zip(events[-NEWS:], told.events, strict=True)
    )
    return board, made.picture if made else None, tuple(news)


class DrawnBoard(Value):
    """A public position as PNG and in words, and the numbers of the rings that stand on it."""

    picture: Picture
    alt: str
    rings: tuple[int, ...]


@functools.lru_cache(maxsize=256)
def draw(rules: AnyRules, public: bytes, rings: Marked, language: str, names: tuple[str, ...]) -> DrawnBoard:
    """Return a public position drawn, kept for the next reader for whom the same has changed."""
    from pbem.pictures import png  # noqa: PLC0415 - loads 5 MB of renderer, which pages never need

    drawing, say = pictures.of(rules.meta.name), Translator(language, names=names, game=rules.meta.name)
    view = msgspec.json.decode(public, type=rules.view_type)
    svg = drawing.svg(view, say, rings)
    cid = f"board-{sha256(svg.encode()).hexdigest()[:24]}"
    return DrawnBoard(Picture(cid, png.png(svg, WIDTH)), drawing.alt(view, say), tuple(drawn(svg)))


def glossary_of(
    seen: Situation, say: Translator, base_url: str, board: families.BoardContent, news: Sequence[families.News]
) -> str:
    """Return the page that explains the cards and spaces which a letter that asks names; empty where there is none."""
    if seen.asked is None:
        return ""
    told = (one.text for one in news)
    found, box = (
        glossary_url(base_url, say, board.text, *board.hand, say(seen.asked.question), *told),
        box_of(seen.game.game),
    )
    return f"{found}&of={seen.game.slug}" if found and box and box.of(seen.view) else found


def glossary_url(base_url: str, say: Translator, *texts: str) -> str:
    """Return the page that explains what these sentences name; empty for a game without a glossary."""
    keys = [entry.key for entry in guides.named(say, *texts)]
    return f"{base_url}/rules/{say.game}/glossary?language={say.language}&here={'+'.join(keys)}" if keys else ""


def waiting_of(seen: Situation, say: Translator) -> str:
    """Return whom the game waits for, what letter asked them and when the next one leaves; nothing once it is over."""
    waiting = seen.waiting
    if waiting is None or seen.game.state.is_over:
        return ""
    lines = [say("The game waits for you alone.") if seen.waits_for_reader else say(waiting.said)]
    if waiting.letter_at is not None and not seen.waits_for_reader:
        lines.append(say("The letter that asks was accepted on {moment}.", moment=waiting.letter_at))
    if waiting.next_nudge_at is not None:
        lines.append(say("The next reminder is due on {moment}.", moment=waiting.next_nudge_at))
    return " ".join(lines)


def players_of(seen: Situation, say: Translator) -> tuple[families.SeatLine, ...]:
    """Return the table of players, with places and points once the game is over."""
    return tuple(
        families.SeatLine(
            name=say.name(face.seat),
            mark=f"{_SHAPES[face.seat % len(_SHAPES)]} {chr(ord('A') + face.seat)}",
            colour=f"s-{face.seat % len(_SHAPES) + 1}",
            state=_state(seen, face, say),
            points=say.number(seen.outcome.scores[face.seat]) if seen.outcome else "",
        )
        for face in _ranked(seen)
    )


def _ranked(seen: Situation) -> Sequence[SeatSummary]:
    outcome = seen.outcome
    if outcome is None:
        return seen.players
    return sorted(seen.players, key=lambda face: outcome.places[face.seat])


def _state(seen: Situation, face: SeatSummary, say: Translator) -> str:
    if seen.outcome is not None:
        return say("place {place}", place=seen.outcome.places[face.seat])
    if seen.game.state.is_over:
        return say("you") if face.mine else ""
    if face.mine:
        return say("you, asked now") if seen.asked and not seen.asked.answer else say("you")
    if face.bot:
        return say("plays by itself")
    if face.awaited is None:
        return say("chooses in secret")
    return say("is asked now") if face.awaited else say("waits")


def winners_of(seen: Situation, say: Translator) -> tuple[str, ...]:
    """Return who won, in one sentence; nothing without a result: how it ended stands in the letter's heading."""
    if seen.outcome is None:
        return ()
    first = tuple(seat for seat, place in enumerate(seen.outcome.places) if place == 1)
    points = seen.outcome.scores[first[0]]
    if len(first) > 1:
        return (say("{seats} share the victory with {points} point(s) each.", seats=first, points=points),)
    if seen.seat == first[0]:
        return (say("You win with {points} point(s).", points=points),)
    return (say("{seat} wins with {points} point(s).", seat=first[0], points=points),)


def grammar_of(rules: AnyRules, kind: str, say: Translator) -> tuple[families.GrammarLine, ...]:
    """Return every form of order of a game once, those of a kind of decision first."""
    rows = sorted(rules.grammar, key=lambda row: row.kind != kind)
    lines = (
        families.GrammarLine(syntax=say.form(row.syntax), example=say.order(row.example), meaning=say(row.meaning))
        for row in rows
    )
    return tuple(dict.fromkeys(lines))


def faults_of(faults: Sequence[Any], say: Translator, lines: tuple[str, ...]) -> tuple[families.Fault, ...]:
    """Return everything wrong with an order, its lines shown once."""
    return tuple(
        families.Fault(text=say(fault), rule=fault.rule, lines=() if number else lines)
        for number, fault in enumerate(faults)
    )
