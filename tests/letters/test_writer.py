from __future__ import annotations

import functools
import re
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from html import unescape
from html.parser import HTMLParser
from itertools import groupby
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import msgspec
import pytest
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context

from pbem.capabilities.tokens import PLAYER, BadToken, Tokens
from pbem.engine.core.forms import Choice, Count, Form, Group, Pick
from pbem.engine.core.message import Message, sentence
from pbem.engine.registry import GAMES, rules_of
from pbem.engine.text import standing_text
from pbem.engine.text.notation import matches_grammar
from pbem.inbound.dates import span
from pbem.letter_kinds import KINDS
from pbem.letters import content, sections
from pbem.letters.content import COMMANDS
from pbem.letters.context import LetterData
from pbem.letters.mail_context import MailContext
from pbem.letters.samples import PEOPLE, _moments, _situation, samples
from pbem.letters.writer import compose_mail, preview
from pbem.mail import render
from pbem.mail.address import Addresses
from pbem.mail.compose import Rendered
from pbem.mail.families import ReceiptContent, Turn
from pbem.mail.html import as_text
from pbem.mail.render import HTML_LIMIT
from pbem.mail.reply import read as read_reply
from pbem.messages import LANGUAGES, Translator
from pbem.play.seats import talk
from pbem.play.views.seat_view import AskedDecision
from tests import untranslated
from tests.factories import START

KEYS = (("t1", "a secret for tests"),)
HOUSE = MailContext(
    addresses=Addresses(KEYS, "play.example.org"),
    tokens=Tokens(KEYS),
    base_url="https://play.example.org",
    name="Nile Club",
    pictured=False,
)
ALLOWED = frozenset(
    [
        *("background-color", "border", "border-bottom", "border-left", "color", "font", "margin", "max-width"),
        *("padding", "text-align", "text-decoration", "width"),
    ]
)
"""Inline styles that Gmail, Outlook, Apple Mail, Yahoo and Thunderbird all know."""
FIRST_WORDS = {"reminder": "Reminder: {question}", "last_call": "Last call: {question}"}
"""With what, in English, the subjects of letters begin that repeat what another one asked."""
GROWING = {
    **dict.fromkeys(("items", "rows"), 400),  # all games of a person, all people of a season
    **dict.fromkeys(("faults", "legal"), 150),  # of the longest order that is read
    **dict.fromkeys(("line", "paragraphs", "tables", "head"), 1),  # as many as the program says itself
}
"""What letters tell several of, and how many times as many as in a sample there may be."""
HOSTILE = "{{7*7}}<script>alert(1)</script>\u202eevil\r\nBcc: x@y.z{0.__class__}%s"


@functools.cache
def letters(game: str, language: str) -> dict[str, tuple[LetterData, Rendered]]:
    """Every letter about a game in one language, by name."""
    return {name: (data, preview(data, HOUSE)[0]) for name, data in samples(game, language, START)}


def test_a_letter_reads_as_by_jinjas_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind, to the sign: what is escaped, and what its templates call, share and take from each other."""
    say = Translator("fr", names=PEOPLE, game=GAMES[0])
    said = [(data.kind, content.content(data, HOUSE, say)[0]) for data, _ in letters(GAMES[0], "fr").values()]
    ours = [render.render(kind, one, say) for kind, one in said]
    plain = render.environment.__wrapped__()
    for name, own in {"code_generator_class": CodeGenerator, "context_class": Context, "cache": {}}.items():
        monkeypatch.setattr(plain, name, own)
    monkeypatch.setattr(render, "environment", lambda: plain)

    assert ours == [render.render(kind, one, say) for kind, one in said]


class Page(HTMLParser):
    """Counts what stands in the HTML of a letter."""

    def __init__(self, html: str) -> None:
        """Read all of it."""
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        self.tags.append(tag)
        self.attributes.append((tag, {name: value or "" for name, value in attrs}))

    def links(self) -> list[str]:
        """Where links lead."""
        return [attributes["href"] for tag, attributes in self.attributes if tag == "a"]


every_letter = pytest.mark.parametrize(("game", "language"), [(game, code) for game in GAMES for code in LANGUAGES])


@every_letter
def test_every_kind_is_written(game: str, language: str) -> None:
    """There is a letter of every kind, and one your_turn for each kind of decision met."""
    kinds = {data.kind for data, _ in letters(game, language).values()}

    assert kinds == set(KINDS)


@every_letter
def test_the_html_is_sound_and_small(game: str, language: str) -> None:
    """One h1, a title, the language, layout tables marked as such, and far under what mail programs clip."""
    for name, (_, letter) in letters(game, language).items():
        page = Page(letter.html)
        assert page.tags.count("h1") == 1, name
        assert page.tags.count("title") == 1, name
        assert dict(page.attributes[0][1]) == {"lang": language}, name
        assert len(letter.html.encode()) < 60_000, name


@every_letter
def test_styles_are_inline_and_known_everywhere(game: str, language: str) -> None:
    """Meaning hangs on no style that a large mail program doesn't know; no forms, scripts or foreign things."""
    for name, (_, letter) in letters(game, language).items():
        page = Page(letter.html)
        assert not {"script", "form", "input", "link", "iframe", "svg", "video"} & set(page.tags), name
        used = {
            rule.partition(":")[0].strip()
            for _, attributes in page.attributes
            for rule in attributes.get("style", "").split(";")
            if rule.strip()
        }
        assert used <= ALLOWED, name
        assert not re.search(r"url\(|@import|@font-face|src=\"http", letter.html), name


@every_letter
def test_a_question_lists_what_can_be_answered_with_its_prices(game: str, language: str) -> None:
    """One-tap answers that cover all, or every part of an order and what it costs, in the text and in the HTML."""
    for name, (data, letter) in letters(game, language).items():
        if not name.startswith("your_turn"):
            continue
        assert data.situation is not None
        assert data.situation.asked is not None
        form = data.situation.asked.form
        text = " ".join(letter.text.split())
        prices = [
            str(price)
            for group in form.groups
            if not group.aside
            for field in group.fields
            for price in (getattr(field, "prices", ()) or [one.price for one in getattr(field, "choices", ())])
            if price
        ]
        assert len(re.findall('href="mailto:', letter.html)) >= len(form.quick), name
        if not form.quick:
            assert "\n  - " in letter.text, name
            row = re.search(r"\(\w+ 1 [^)\d]+\)", text)  # each in a row costs 1, as cards of the Sphinx do
            assert row or all(re.search(rf"\(\w+ {price}\)", text) for price in prices), (name, prices)


def test_choices_that_differ_in_a_number_are_told_as_a_row() -> None:
    """Three or more that cost the same each; what is dearer or rarer stands by itself."""

    def picked(name: str, prices: dict[int, int]) -> tuple[Choice, ...]:
        return tuple(
            Choice(f"{n} {name}", sentence("{cards} with {crews}", cards=n, crews=name), p) for n, p in prices.items()
        )

    choices = (
        *picked("blue", {1: 2, 2: 4, 3: 6}),
        *picked("black", {1: 1, 2: 3, 3: 6}),
        *picked("yellow", {1: 1, 2: 2}),
    )
    fields = (Pick("draw", sentence("Keep"), (*choices, *picked("joker", {1: 1, 3: 3, 4: 4}))),)
    counts = (
        Count("a", sentence("Abu"), 0, 4, (0, 3, 6, 9, 12)),
        Count("b", sentence("Buto"), 1, 3),
        Count("c", sentence("Edfu"), 0, 1),
    )
    seats = tuple(Choice(str(n), sentence("{seat} stands at {best}.", seat=n, best="1")) for n in range(3))
    again = Group(
        sentence("Stones"),
        (Pick("seat", sentence("Bid"), seats), Count("d", sentence("Abu"), 2, 2)),
    )
    told = (Group(sentence("Sphinx"), fields), Group(sentence("Farmers"), counts), again)

    assert sections.choices_of(Form("sphinx", sentence("Keep"), told), Translator()) == (
        (
            "Keep: 1 to 3 with blue (costs 2 each); 1 with black (costs 1); 2 with black (costs 3); "
            "3 with black (costs 6); 1 with yellow (costs 1); 2 with yellow (costs 2); "
            "1/3/4 with joker (costs 1 each)"
        ),
        "Farmers, Abu: 0 to 4 (costs 3 each)",
        "Farmers, Buto: 1 to 3",
        "Farmers, Edfu: 0 or 1",
        "Stones, Bid: Seat 1 stands at 1.; Seat 2 stands at 1.; Seat 3 stands at 1.",
        "Stones, Abu: 2",
    )


def test_what_is_counted_is_told_where_only_one_thing_can_be() -> None:
    """A number of stones was told by its province alone where no farmer could be placed beside it."""
    stones = Group(sentence("Stones"), (Count("stones:Sawu", sentence("Sawu"), 0, 3),))

    told = sections.choices_of(Form("harvest", sentence("Keep"), (stones,)), Translator())

    assert told == ("Stones, Sawu: 0 to 3",)


@every_letter
def test_a_subject_fits_a_phone(game: str, language: str) -> None:
    """What to do and until when, or what happened, within sixty characters; some more in French."""
    for name, (data, letter) in letters(game, language).items():
        assert len(letter.subject) <= (60 if language == "en" else 72), (name, letter.subject)
        if KINDS[data.kind].asks and name != "digest":
            assert ":" in letter.subject, name
        if word := FIRST_WORDS.get(data.kind):
            first = Translator(language)(word, question="").split()
            assert letter.subject.partition("] ")[2].split()[: len(first)] == first, letter.subject


@every_letter
def test_there_is_at_most_one_button_and_it_comes_early(game: str, language: str) -> None:
    """One obvious button, within the first screen of the letter, on a link that says where it leads."""
    for name, (data, letter) in letters(game, language).items():
        buttons = [
            attributes for _, attributes in Page(letter.html).attributes if attributes.get("class") == "onbutton"
        ]
        assert len(buttons) == (data.kind != "login_code"), name
        for attributes in buttons:
            assert attributes["href"].startswith("https://play.example.org/"), name


@every_letter
def test_a_button_that_opens_all_games_says_so(game: str, language: str) -> None:
    """Nobody who presses "Open the game" stands before the list of their games, and the list is called nothing else."""
    say = Translator(language)
    lists = {say(text) for text in ("Open my games", "Your games", "Decide one after the other", "Open your queue")}
    labels = {
        (name, unescape(label).strip())
        for name, (_, letter) in letters(game, language).items()
        for token, label in re.findall(
            rf'<a class="onbutton" href="{HOUSE.base_url}/l/([^"?]+)"[^>]*>([^<]+)</a>', letter.html
        )
        if _opens_all_games(token)
    }
    assert len(labels) > 2
    assert [(name, label) for name, label in labels if label not in lists] == []


def _opens_all_games(token: str) -> bool:
    """Whether it's a person's token: those of one seat are read by another purpose."""
    try:
        HOUSE.tokens.read(PLAYER, token)
    except BadToken:
        return False
    return True


@every_letter
def test_the_text_says_what_the_html_says(game: str, language: str) -> None:
    """Every web link of the HTML is in the text, every sentence of the text in the HTML, and no hole is left."""
    for name, (_, letter) in letters(game, language).items():
        for link in Page(letter.html).links():
            assert link.startswith("mailto:") or link in letter.text, (name, link)
        said = " ".join(as_text(re.sub(r"(?s)<style>.*?</style>", "", letter.html)).split()).casefold()
        for block in re.split(r"\n\s*\n|\n(?=\s{2,})|\n(?= *\d+\. )", letter.text.partition("\n-- ")[0]):
            words = " ".join(block.split()).strip("-").casefold()
            if "http" not in words and len(words) > 3 and _is_prose(block):
                assert words.lstrip("0123456789. |") in said, (name, words)
        assert not re.search(r"\{[a-z_]+(!r)?\}|\bNone\b", letter.text + letter.subject), name


def _is_prose(block: str) -> bool:
    """Whether a block is neither the board in monospace nor a list of one-tap orders nor the table of players."""
    return not re.search(r"[●■▲◆★:]|^ {4}|\S {2,}\S", block)


@every_letter
def test_the_text_stands_by_itself(game: str, language: str) -> None:
    """The text part is narrow, has the board whole where there is one, and the question with its deadline."""
    for name, (data, letter) in letters(game, language).items():
        wide = [line for line in letter.text.splitlines() if len(line) > 78 and "http" not in line]
        assert wide == [], name
        if KINDS[data.kind].family is Turn and data.situation is not None and data.situation.asked:
            assert letter.text.count(str(data.situation.game.title)) >= 1, name
            assert "THE BOARD" in letter.text or language != "en", name


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_choice_to_tap_says_what_it_does(language: str) -> None:
    """Each order and, below, what drawing a tile or calling Ra would do are in the reader's own language."""
    _, letter = letters("priestsofra", language)["your_turn-turn"]

    draw = Translator(language, game="priestsofra").order("draw")
    assert re.search(rf"^ {{4}}{draw}\n {{8}}\S+", letter.text, re.MULTILINE)
    assert re.search(r"^ {4}ra\n {8}\S+", letter.text, re.MULTILINE)


@every_letter
def test_no_letter_answers_itself(game: str, language: str) -> None:
    """Sent back whole and unquoted under a line of thanks, no letter of ours gives an order."""
    rows = rules_of(game).grammar
    for name, (_, letter) in letters(game, language).items():
        reading = read_reply(f"Thank you!\n\n{letter.text}", lambda line: matches_grammar(rows, line))
        assert reading.orders == (), name


def renamed(data: LetterData, name: str) -> LetterData:
    """The same letter, everybody and everything in it called by one name."""
    seen = data.situation
    if seen is not None:
        seen = msgspec.structs.replace(seen, game=msgspec.structs.replace(seen.game, title=name))
    facts = {key: name for key in ("title", "name") if seen is None and key in data.data}
    data = msgspec.structs.replace(data, situation=seen, club=name, data={**data.data, **facts})
    return peopled(msgspec.structs.replace(data, to=msgspec.structs.replace(data.to, name=name)), name)


def peopled(data: LetterData, name: str) -> LetterData:
    """The same letter, everybody at its tables called by one name."""
    seen = data.situation
    if seen is not None:
        players = tuple(msgspec.structs.replace(face, name=name) for face in seen.players)
        seen = msgspec.structs.replace(seen, players=players)
    return msgspec.structs.replace(data, situation=seen, data=_peopled(data.data, name))


def _peopled(value: Any, name: str) -> Any:
    """A fact, or a table's row of them, with every person in it called by one name."""
    if isinstance(value, dict):
        return {key: _peopled(one, name) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(_peopled(one, name) for one in value)
    return name if isinstance(value, str) and value in PEOPLE else value


LONG = {
    "en": "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}" * 40,
    "it": "The long and winding tale of the river " * 3,
    "fr": "Nilometer" * 12,
}
"""By language, a name as long as nobody should give one: of signs in three characters, of words, of one word."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_name_pushes_nothing_out_of_a_subject(language: str) -> None:
    """Whatever a game, a club or a person is called, what to do and until when stands there whole, in every letter.

    No line of a head is longer than RFC 5322 wants (78) but links and numbers of mails, none than it allows (998).
    """
    for name, data in samples("amunre", language, START):
        short, what = letters("amunre", language)[name][1].subject, ""
        raw = compose_mail(renamed(data, LONG[language]), HOUSE, START).raw
        head, subject = raw.partition(b"\r\n\r\n")[0], str(message_from_bytes(raw, policy=policy.default)["Subject"])
        if short.startswith("[") and not any(who in short for who in PEOPLE):
            what = short.partition("] ")[2]
        assert subject.endswith(what), (name, subject)
        assert len(subject) <= 110, (name, subject)
        for line in head.split(b"\r\n"):
            assert len(line) <= (998 if b"<" in line else 78), (name, line)


@pytest.mark.parametrize("game", GAMES)
def test_hostile_names_do_nothing_in_any_letter(game: str) -> None:
    """HTML, template braces, direction marks and line ends in names stay text in both parts and in every header."""
    for name, data in samples(game, "en", START):
        mail = message_from_bytes(compose_mail(renamed(data, HOSTILE), HOUSE, START).raw, policy=policy.default)
        html, text = mail.get_body(("html",)), mail.get_body(("plain",))
        assert html is not None
        assert text is not None
        both = html.get_content() + text.get_content()
        assert "<script>" not in html.get_content(), name
        assert "49" not in re.findall(r"\{?\{?49\}?\}?", mail["Subject"]), name
        assert "\u202e" not in both, name
        assert mail["Bcc"] is None, name
        assert [str(address.addr_spec) for address in mail["To"].addresses] == ["anna@example.org"], name


def grown(facts: Any, key: str = "") -> Any:
    """A letter's facts when there is most to tell, and people write as much as they may."""
    if isinstance(facts, dict):
        return {name: grown(value, name) for name, value in facts.items()}
    if isinstance(facts, tuple | list) and key:
        return tuple(grown(one) for one in facts) * GROWING[key]
    return '"<' * talk.LONGEST if key in {"text", "note", "handover"} else facts


def test_no_letter_grows_too_long_to_be_shown() -> None:
    """However many games and people there are, or however much was written: mail programs show the letter whole."""
    for name, (data, _) in letters("amunre", "fr").items():
        letter, _ = preview(msgspec.structs.replace(data, data=grown(data.data)), HOUSE)
        assert len(letter.html.encode()) < HTML_LIMIT, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("waiting", "others", "more", "more_news"),
    [(60, 0, (), ()), (61, 0, (1,), ()), (75, 4, (15,), (4,)), (20, 45, (), (5,)), (1, 59, (), ())],
)
def test_a_digest_tells_or_counts_every_game(
    language: str, waiting: int, others: int, more: tuple[int, ...], more_news: tuple[int, ...]
) -> None:
    """Of those that ask and of those that don't; the subject counts all that ask."""
    data, _ = letters("amunre", language)["digest"]
    (item,) = data.data["items"]
    items = (item,) * waiting + (msgspec.structs.replace(item, question=None),) * others
    letter, _ = preview(msgspec.structs.replace(data, data={**data.data, "items": items}), HOUSE)

    assert counts(language, "{count} game(s) (waits|wait) for you", letter.subject) == [waiting]
    for part in (letter.text, as_text(letter.html)):
        assert part.casefold().count("nile 3 · ") == 60, part
        assert counts(language, "{count} other decision(s) (waits|wait) for you.", part) == list(more)
        assert counts(language, "And {count} more.", part) == list(more_news)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_tells_or_counts_every_row(language: str) -> None:
    """Of each of its tables."""
    data, _ = letters("amunre", language)["season"]
    table = data.data["tables"][0]
    tables = tuple({**table, "rows": tuple((f"row-{n}", 1, 2) for n in range(rows))} for rows in (50, 51, 70))
    letter, _ = preview(msgspec.structs.replace(data, data={**data.data, "tables": tables[:2]}), HOUSE)
    thirds, _ = preview(msgspec.structs.replace(data, data={**data.data, "tables": tables}), HOUSE)

    for part in (letter.text, as_text(letter.html)):
        assert part.count("row-") == 100
        assert counts(language, "And {count} more.", part) == [1]
    assert counts(language, "And {count} more.", thirds.text) == [17, 18, 37]


def counts(language: str, sentence: str, text: str) -> list[int]:
    """The numbers with which a text says a sentence that counts."""
    say = Translator(language)
    flat = " ".join(text.split())
    return [
        number
        for number in range(1, 80)
        if re.search(rf"\b{re.escape(' '.join(say(sentence, count=number).split()))}", flat)
    ]


def test_words_without_end_are_repeated_as_far_as_a_letter_goes() -> None:
    """Twenty lines of an order that can't be read, each as a paragraph; whole what was measured when it was said."""
    words = "\n".join(f"{number:03}{'x' * 600}" for number in range(100))
    refused, _ = letters("priestsofra", "en")["refused"]
    longer = msgspec.structs.replace(refused, data={**refused.data, "text": words})
    made, _ = content.content(longer, HOUSE, Translator("en"))
    assert isinstance(made, ReceiptContent)

    assert [line[:3] for line in made.faults[0].lines] == [f"{number:03}" for number in range(20)]
    assert {len(line) for line in made.faults[0].lines} == {300}
    assert "\n".join(content._lines(words)) == words


def test_a_letter_about_a_game_that_has_not_begun_is_refused_by_name() -> None:
    """Of every kind that tells where a game stands."""
    for name, (data, _) in letters("amunre", "en").items():
        if data.situation is not None:
            with pytest.raises(ValueError, match=f"A {data.kind} letter needs a game that has begun"):
                preview(msgspec.structs.replace(data, situation=None), HOUSE)
        else:
            assert preview(data, HOUSE)[0].text, name


def test_pictures_show_what_everybody_may_see() -> None:
    """Two readers of the same public position get the same picture, hands and all being text beside it."""
    pictured = msgspec.structs.replace(HOUSE, pictured=True)
    data = next(data for name, data in samples("priestsofra", "en", START) if name == "your_turn-turn")
    _, one = preview(data, pictured)
    _, again = preview(data, pictured)

    assert one is not None
    assert again is not None
    assert one.png == again.png
    assert one.png.startswith(b"\x89PNG")
    assert len(one.png) < 60_000


@every_letter
def test_a_question_is_said_once_in_the_text_with_all_it_takes(game: str, language: str) -> None:
    """The question isn't repeated further down, and that `help` works stands above the board."""
    for name, (data, letter) in letters(game, language).items():
        if data.kind != "your_turn" or data.situation is None or data.situation.asked is None:
            continue
        say = Translator(language, names=tuple(face.name for face in data.situation.players), game=game)
        flat = " ".join(letter.text.split())
        assert flat.count(" ".join(say(data.situation.asked.question).split())) <= 1, name
        top = flat.partition(say("The board").upper())[0]
        assert " ".join(say("Answer {word!r} to have every order explained.", word=say("help")).split()) in top, name
        assert "=?" not in letter.subject, name


@pytest.mark.parametrize(("language", "bot"), [("it", "Bot rosso"), ("fr", "Bot rouge")])
def test_no_letter_calls_a_bot_in_english(language: str, bot: str) -> None:
    """Wherever a letter names who sits at a table: in its subject, its sentences and its tables."""
    told = set()
    for name, data in samples("amunre", language, START):
        letter, _ = preview(peopled(data, "Red bot"), HOUSE)
        read = f"{letter.subject} {letter.text} {letter.html}"
        assert "Red bot" not in read, name
        told |= {name} if bot in read else set()

    assert {"your_turn-bid", "phase_report", "gazette", "season", "replaced", "invitation", "talk"} <= told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_letter_leads_to_the_lesson_and_the_last_to_the_look_back(game: str, language: str) -> None:
    """Each in text and HTML; no other letter does."""
    written = letters(game, language)
    data = next(one for name, (one, _) in written.items() if name.startswith("your_turn"))
    first = preview(msgspec.structs.replace(data, data={**data.data, "first": True}), HOUSE)[0]
    over = written["game_over"][1]

    assert all(f"https://play.example.org/learn/{game}" in part for part in (first.text, first.html))
    assert all("?to=result" in part for part in (over.text, over.html))
    assert [name for name, (_, one) in written.items() if "?to=result" in one.text] == ["game_over"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_no_english_is_left_in_any_letter(game: str, language: str) -> None:
    """What people wrote, conditions and titles aside, every word is the reader's, in orders and commands too."""
    for name, (data, letter) in letters(game, language).items():
        own = untranslated.in_text(language, f"{data.data} Nile {'when' if name == 'help' else ''}".replace("\\n", " "))
        own |= {word.upper() for word in own}
        assert untranslated.in_page(language, letter.html) <= own, name


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_an_order_to_send_is_written_in_the_readers_language(game: str, language: str) -> None:
    """What a tap sends and what stands in quotes, in each letter: that of a first game wrote `bid 0 on Kharga`."""
    tapped = set()
    for name, (data, letter) in letters(game, language).items():
        say = Translator(language, game=data.data.get("lesson", game))
        sent = [unquote(body) for body in re.findall(r'"mailto:[^"]*body=([^"&]*)', letter.html)]
        quoted = re.findall("«([^«»]+)»", " ".join(letter.text.split()))
        tapped |= {name} if sent else set()
        begun = [order.split()[0] for order in (*sent, *quoted)]
        assert [verb for verb in begun if say.order(verb) != verb] == [], name

    assert "lesson" in tapped


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_a_tap_says_in_every_language_what_its_order_does_not(game: str, language: str) -> None:
    """Where the order says it all, nothing stands under it: `passe` bore "Passer", as it isn't the same word."""

    def rows(text: str, language: str) -> list[str]:
        """The indents of the orders to send and of what stands under them, one of each."""
        say = Translator(language)
        asked = text.partition(say("Answer {word!r} to have every order explained.", word=say("help")))[0]
        return [indent for indent, _ in groupby(re.findall(r"(?m)^(?: {4}| {8})(?=\S)", asked))]

    seen = 0
    for name, (_, letter) in letters(game, "en").items():
        if name.startswith("your_turn"):
            assert rows(letters(game, language)[name][1].text, language) == rows(letter.text, "en"), name
            seen += len(rows(letter.text, "en")) > 1
    assert seen


@pytest.mark.parametrize(("game", "kind"), [("amunre", "build"), ("egizia", "build"), ("priestsofra", "flip")])
def test_an_order_of_several_parts_is_shown_by_one(game: str, kind: str) -> None:
    """Where no list of orders fits, the example has a comma in it; and a tick that says it all is said once."""
    written = letters(game, "en")[f"your_turn-{kind}"][1].text

    (shown,) = re.findall(r"such as: “([^”]+)”", " ".join(written.split()))

    assert ", " in shown
    assert matches_grammar([row for row in rules_of(game).grammar if row.kind == kind], shown)
    assert not re.search(r"(?m)^  - (.+): \1$", written)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_that_help_teaches_is_read_as_it_stands(language: str) -> None:
    """In the reader's language; days as well."""
    say = Translator(language)
    for word, _ in COMMANDS:
        (command,) = read_reply(say(word), lambda _: False).commands
        assert command.word == word.partition(":")[0]
        if command.word == "absence":
            assert span(command.text, START, ZoneInfo("UTC"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_answers_in_one_line_are_read_as_a_letter_writes_them(game: str, language: str) -> None:
    """The word between them is the reader's, and read in each language."""
    say, (one, two, *_) = Translator(language, game=game), (row.example for row in rules_of(game).grammar)

    told = say.order(f"{one}; then {two}")

    assert standing_text.split(told) == (say.order(one), (say.order(two),))
    assert ("then" in told) == (language == "en")


@pytest.mark.parametrize(("language", "bot"), [("en", "Red bot"), ("it", "Bot rosso"), ("fr", "Bot rouge")])
def test_a_bot_is_called_in_the_readers_language_and_a_person_by_their_name(language: str, bot: str) -> None:
    """Also where a person is called as a colour is."""
    say = Translator(language, names=("Green", "Red bot"))

    assert say.names == ("Green", bot)
    assert say("{seat} passes.", seat=1).startswith(bot)
    assert say.all_called(["Green", "Red bot"]) == f"Green, {bot}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_receipt_says_until_when_the_order_can_be_changed(game: str, language: str) -> None:
    """In both parts, in the reader's zone; not once nothing is asked any more, or where there is no deadline."""
    data, letter = letters(game, language)["receipt"]
    seen = data.situation
    assert seen is not None
    assert seen.asked is not None
    assert seen.asked.due_at is not None

    def said(when: datetime) -> str:
        """The sentence, as one line."""
        text = "You can change it until {when}, or until all have answered."
        return " ".join(Translator(language, data.to.zone)(text, when=when).split())

    def flat(one: Rendered) -> tuple[str, str]:
        return " ".join(one.text.split()), " ".join(as_text(one.html).split())

    later = seen.asked.due_at + timedelta(hours=31)
    moved = msgspec.structs.replace(seen.asked, due_at=later)
    never = msgspec.structs.replace(seen.asked, due_at=None)

    def asked(question: AskedDecision | None) -> Rendered:
        """The receipt when this is what is asked."""
        there = msgspec.structs.replace(seen, asked=question)
        return preview(msgspec.structs.replace(data, situation=there), HOUSE)[0]

    assert all(said(seen.asked.due_at) in part for part in flat(letter))
    assert all(said(later) in part and said(seen.asked.due_at) not in part for part in flat(asked(moved)))
    assert not [part for gone in (never, None) for part in flat(asked(gone)) if said(later)[:14] in part]


@every_letter
def test_a_question_says_in_words_what_is_played_without_an_answer(game: str, language: str) -> None:
    """When, and the safe default as an order, once in both parts; how the pace reckons stands on the page alone."""
    told = 0
    for name, (data, letter) in letters(game, language).items():
        seen = data.situation
        if KINDS[data.kind].family is not Turn or seen is None or seen.asked is None or seen.waiting is None:
            continue
        say = Translator(language, data.to.zone, names=tuple(face.name for face in seen.players), game=game)
        order = say.order(str(rules_of(game).cautious(seen.view)))
        safe = " ".join(say("The safe default: {order!r}.", order=order).split())
        for part in (letter.text, as_text(letter.html)):
            flat = " ".join(part.split())
            assert flat.count(" ".join(say(seen.waiting.then).split())) == 1, name
            assert flat.count(safe) == 1, (name, safe)
        paced = msgspec.structs.replace(seen.waiting, rule=Message("{hours} hours, {waking} of them waking hours"))
        slow = msgspec.structs.replace(data, situation=msgspec.structs.replace(seen, waiting=paced))
        assert "waking" not in preview(slow, HOUSE)[0].text, name
        told += 1

    assert told >= 3


@every_letter
def test_the_foot_is_short(game: str, language: str) -> None:
    """Who writes, all that waits and how to stop this kind: three lines, two links, no more."""
    for name, (_, letter) in letters(game, language).items():
        foot = letter.text.rpartition("\n-- \n")[2].strip().splitlines()
        assert foot[0] == HOUSE.name or "://" not in foot[0], name
        assert 1 <= len(foot) <= 3, (name, foot)
        assert all(line.count("://") == 1 for line in foot[1:]), (name, foot)
        below = letter.html.rpartition("padding:32px 0 0 0")[2]
        assert below.count("<p ") == 1, name
        assert below.count("<a ") == len(foot) - 1, name


def test_a_sample_tells_its_reader_nothing_that_others_alone_saw() -> None:
    """As letters are; what others alone see does happen in the games that samples are taken from."""
    moments = [one for game in GAMES for one in _moments(rules_of(game)).values()]
    happened = [event.seen_by for one in moments for event in one.news]
    told = [seen.event.seen_by for one in moments for seen in _situation(one, START).since]

    assert any(seen_by is not None and 0 not in seen_by for seen_by in happened)
    assert all(seen_by is None or 0 in seen_by for seen_by in told)


def test_orders_that_differ_in_a_number_are_one_line() -> None:
    """Each number that may be given is there, and no other one; a number that counts something else stays."""
    orders = [f"bid {gold} on {land}" for land in ("Edfu", "Abu") for gold in (0, 1, 3, 6, 10)]
    offers = [f"offer {gold}" for gold in range(1, 10)]

    assert sections._in_ranges(orders) == ("bid 0/1/3/6/10 on Edfu", "bid 0/1/3/6/10 on Abu")
    assert sections._in_ranges([*offers, "theft", "keep S02"]) == ("offer 1\N{EN DASH}9", "theft", "keep S02")


def test_what_the_news_leave_out_is_counted() -> None:
    """After a long absence a letter tells the newest things, and how many there were before them."""
    data, _ = letters("egizia", "en")["status"]
    seen = data.situation
    assert seen is not None
    many = msgspec.structs.replace(seen, since=seen.since * 20)
    letter, _ = preview(msgspec.structs.replace(data, situation=many), HOUSE)
    left = len(many.since) - sections.NEWS

    assert left > 1
    for text in (letter.text, unescape(letter.html)):
        assert f"{left} earlier events are told on the game's page." in text
