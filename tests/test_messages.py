from __future__ import annotations

import re
import tomllib
from datetime import UTC, date, datetime, timedelta

import pytest
from babel import numbers

from pbem.engine.core.message import Message
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import (
    FILLED_IN,
    LANGUAGES,
    OWN_WORDS,
    Translator,
    bot_name,
    catalogue,
    clean,
    holes,
    is_bot_name,
    meant,
    pairs,
    person_name,
)
from tests.catalogue import messages
from tests.test_house import HOME

EVENING = datetime(2026, 11, 24, 17, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Tuesday 24 November, 18:00 CET"),
        ("it", "martedì 24 novembre, 18:00 CET"),
        ("fr", "mardi 24 novembre, 18:00 CET"),
    ],
)
def test_moments_are_said_with_weekday_and_zone(language: str, said: str) -> None:
    """A moment is said in the reader's zone and language, with the weekday."""
    assert said == Translator(language, "Europe/Rome").when(EVENING)


def test_a_zone_without_letters_is_said_as_an_offset() -> None:
    """Zones that have a number for a name are said as UTC+3."""
    assert Translator("en", "Europe/Istanbul").when(EVENING).endswith("20:00 UTC+3")
    assert Translator("en", "Asia/Kathmandu").when(EVENING).endswith("22:45 UTC+5:45")
    assert Translator("en", "Pacific/Kiritimati").when(EVENING).endswith("07:00 UTC+14")


def test_seats_become_names_and_lists_are_joined() -> None:
    """Params called seat... are names, tuples are lists in words."""
    say = Translator("en", names=("Anna", "Bruno", "Chloé"))

    assert say("{seat} beats {seats}", seat=0, seats=(1, 2)) == "Anna beats Bruno and Chloé"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("0.5 hours", "1 hour", "1.5 hours", "24 hours")),
        ("it", ("0,5 ore", "1 ora", "1,5 ore", "24 ore")),
        ("fr", ("0,5 heure", "1 heure", "1,5 heure", "24 heures")),
    ],
)
def test_a_number_with_a_fraction_has_the_mark_and_the_plural_of_its_language(
    language: str, said: tuple[str, ...]
) -> None:
    """A whole number shows none of it, and one hour isn't many."""
    say = Translator(language)

    for hours, words in zip((0.5, 1.0, 1.5, 24.0), said, strict=True):
        assert say("at least {least} hour(s)", least=hours).endswith(f" {words}")


def test_a_seat_without_a_name_has_a_number() -> None:
    """A seat nobody holds is called by its number, from 1."""
    assert Translator("it", names=("Anna",))("{seat}", seat=3) == "Posto 4"


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [("en", 0, "0 stones are"), ("en", 1, "1 stone is"), ("en", 2, "2 stones are"), ("fr", 0, "0 stone is")],
)
def test_brackets_are_singular_or_plural(language: str, count: int, said: str) -> None:
    """(s) and (one|many) follow the nearest number; in French 0 is singular."""
    assert Translator(language)("{count} stone(s) (is|are)", count=count) == said


def test_a_bracket_counts_a_list_and_other_brackets_stay() -> None:
    """The length of a list counts too; brackets in plain text are left alone."""
    assert Translator()("{names} (is|are) here (at last)", names=("a", "b")) == "a and b are here (at last)"


def test_braces_in_a_name_are_never_formatted() -> None:
    """A filling is put in once: a player called {seat} or {0.__class__} can't read anything."""
    say = Translator("en", names=("{secret}", "{0.__class__}"))

    assert say("{seat} {other!r}", seat=0, other="{seat}") == "{secret} “{seat}”"
    assert say("{seat.__class__} {0}", seat=1) == "{seat.__class__} {0}"


def test_what_was_typed_is_quoted_and_not_translated() -> None:
    """!r quotes in the reader's fashion and leaves the word as it was typed."""
    assert Translator("fr")("{word!r}", word="Memphis") == "«\N{NO-BREAK SPACE}Memphis\N{NO-BREAK SPACE}»"


def test_what_is_to_be_typed_is_never_translated() -> None:
    """Between backticks a word stays as the server reads it, and each word of a list has its own pair."""
    say = Translator("it")

    assert say("{thing} (`{thing}`)", thing="gold") == "oro (`gold`)"
    assert say("`{names}`: {names}", names=("gold", "stones")) == "`gold`, `stones`: oro e pietre"


def test_an_order_given_as_an_example_is_in_the_readers_language() -> None:
    """Between backticks, where a sentence says it itself; the joiners of a condition are read in English only."""
    sentence = "Say which card you keep: `keep S07`, or `keep none`."
    assert Translator("it", game="egizia")(sentence) == "Di' quale carta tieni: `tengo S07`, oppure `tengo niente`."
    assert Translator("en", game="egizia")(sentence) == sentence
    joined = Message(
        "Line {line}: {word!r} is left over in the condition; join conditions by `{both}` or `{either}`.",
        {"line": 1, "word": "x", "both": "and", "either": "or"},
    )
    assert Translator("fr", game="egizia")(joined).endswith("par `and` ou `or`.")


def test_words_of_orders_are_written_where_orders_stand() -> None:
    """Alone, in a list and between backticks; what somebody typed stays as they typed it."""
    say = Translator("it", game="egizia")
    held = {"order": "keep none", "orders": ("keep none", "keep S07"), "word": "keep none"}

    assert say("{order}, {orders}, `{order}`", **held) == "tengo niente, tengo niente e tengo S07, `tengo niente`"
    assert say("{word!r}, `{word}`", **held) == "«keep none», `keep none`"
    assert Translator("it")("{order}", order="keep none") == "keep none"


def test_backticks_end_where_they_are_closed() -> None:
    """However many there were before: what stands behind them is said, what stands within is typed."""
    text = "`a` {thing} `b` and `c` {thing} `{thing}` {thing} `d`, `{thing}`"
    assert Translator("it")(text, thing="gold") == "`a` oro `b` and `c` oro `gold` oro `d`, `gold`"


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("game", GAMES)
def test_forms_of_orders_are_written_as_orders_are(game: str, language: str) -> None:
    """What is filled in stands in capitals, in the reader's word for it; in English all stays."""
    say = Translator(language, game=game)
    for row in rules_of(game).grammar:
        form = say.form(row.syntax)
        assert [word for word in FILLED_IN.findall(row.syntax) if say.thing(word.lower()).upper() not in form] == []
        assert Translator("en", game=game).form(row.syntax) == row.syntax
        assert " or " not in form


@pytest.mark.parametrize(
    ("language", "text", "word", "said"),
    [
        ("it", "a {x}", "Anna", "ad Anna"),
        ("it", "A {x}", "Àlyl", "Ad Àlyl"),
        ("it", "a {x}", "Bruno", "a Bruno"),
        ("it", "a {x}", "Edfu", "a Edfu"),
        ("it", "E {x}", "Edfu", "Ed Edfu"),
        ("it", "e {x}", "Anna", "e Anna"),
        ("it", "la {x}", "Anna", "la Anna"),
        ("it", "`a {x}`", "Anna", "`a Anna`"),
        ("fr", "de {x}", "Anna", "d'Anna"),
        ("fr", "Que {x}", "Ulm", "Qu'Ulm"),
        ("fr", "que {x}", "Élodie", "qu'Élodie"),
        ("fr", "de {x}", "Bruno", "de Bruno"),
        ("fr", "a {x}", "Anna", "a Anna"),
        ("en", "a {x}", "Anna", "a Anna"),
    ],
)
def test_a_vowel_changes_what_stands_before_it(language: str, text: str, word: str, said: str) -> None:
    """As it is spoken, also before an accent; within other words and in what is typed nothing changes."""
    assert Translator(language)(text, x=word) == said


@pytest.mark.parametrize("count", [-1000, -999, -1, 0, 1, 2, 999, 1000])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_said_alike_wherever_it_stands(language: str, count: int) -> None:
    """Alone, in a hole, in a list; with marks from a thousand on, and a bracket for one, or for none in French."""
    say, plain = Translator(language), numbers.format_decimal(count, locale=language)
    one = abs(count) == 1 or (count == 0 and language == "fr")

    assert say.number(count) == say("{n}", n=count) == say("{ns}", ns=(count,)) == plain
    assert say("{n} (stone|stones)", n=count) == f"{plain} {'stone' if one else 'stones'}"
    assert say("{n} ox(es)", n=count) == f"{plain} ox{'' if one else 'es'}"


def test_a_hole_for_a_seat_is_never_a_number() -> None:
    """The first and the last have names, others their numbers, and nobody's name is none; brackets don't count them."""
    say = Translator(names=("Anna", "", "Blue bot"))

    assert say("{seat}, {seats}", seat=0, seats=(1, 2, 3, -1)) == "Anna, Seat 2, Blue bot, Seat 4 and Seat 0"
    assert say("{seat} has {n} stone(s)", seat=1, n=2) == "Seat 2 has 2 stones"
    assert say("{seat} has (one|many)", seat=1) == "Seat 2 has many"
    assert [say.join(words) for words in ((), ("a",), ("a", "b"), ("a", "{most}", "{last}"))] == [
        *("", "a", "a and b", "a, {most} and {last}")
    ]
    assert Translator("it", names=("Blue bot",)).all_called(("Anna", "Blue bot")) == "Anna, Bot blu"


def test_fillings_of_time() -> None:
    """Moments, days and spans are said in words; nothing is said for None."""
    say = Translator("en", "UTC")

    assert say("{a}|{b}|{c}", a=date(2026, 11, 24), b=timedelta(days=2), c=None) == "Tuesday 24 November|2 days|"


@pytest.mark.parametrize(
    ("language", "short", "day"),
    [
        ("en", "Tue 24 Nov, 18:00", "24 Nov 2026"),
        ("it", "mar 24 nov, 18:00", "24 nov 2026"),
        ("fr", "mar. 24 nov., 18:00", "24 nov. 2026"),
    ],
)
def test_a_moment_is_said_short_in_its_readers_zone(language: str, short: str, day: str) -> None:
    """With its weekday, or with its year; in a sentence that names it twice it is said in full."""
    say = Translator(language, "Europe/Rome")

    assert (say.short(EVENING), say.date(EVENING)) == (short, day)


def test_french_writes_the_first_of_a_month_as_an_ordinal() -> None:
    """In every form of a date; no other day that has a 1."""
    say = Translator("fr")
    moments = [datetime(2026, 1, day, 1, 1, tzinfo=UTC) for day in (1, 11, 21, 31)]

    for said in (say.short, say.date, say.day, say.when):
        assert ["1er jan" in said(moment) for moment in moments] == [True, False, False, False]
    assert say("{moment}", moment=EVENING) == say.when(EVENING)


LABELS = {"auctions": "auctions", "speed": "speed of play", "cards_first": "Cards: the first are drawn"}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AUCTIONS", "auctions"),
        ("Speed  of Play", "speed"),
        ("speed", "speed"),
        ("cards first", "cards_first"),
        ("cards", "cards_first"),
        ("cards: the first are drawn", "cards_first"),
        ("cards: the", "cards: the"),
        ("of play", "of play"),
    ],
)
def test_what_is_typed_means_what_it_is_called_or_shown_as(typed: str, name: str) -> None:
    """Whole, or up to its colon, in any case and with any spaces; anything else stays as it was typed."""
    assert meant(typed, LABELS) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_typed_may_be_in_any_language(language: str) -> None:
    """As it is shown there."""
    colour = rules_of("egizia").meta.colours[0]
    shown = Translator(language, game="egizia")(colour)

    assert meant(shown.upper(), {"first": colour}, "egizia") == "first"


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("", "", {}),
        ("fast", "fast", {}),
        ("auctions=sealed", "", {"auctions": "sealed"}),
        ("  Auctions = in turn  speed of play= very fast ", "", {"auctions": "in turn", "speed": "very fast"}),
        ("well, then speed=slow other=1", "well, then", {"speed": "slow", "other": "1"}),
        ("of play=1", "of", {"play": "1"}),
    ],
)
def test_pairs_are_parted_at_their_names(text: str, before: str, found: dict[str, str]) -> None:
    """A name as it is called or shown, the longest that fits; its value goes on to the next one."""
    assert pairs(text, LABELS) == (before, found)


def test_a_persons_name_that_reads_as_a_bots_is_quoted() -> None:
    """A bot's is one that a seat has which nobody holds."""
    bot = bot_name(rules_of("egizia").meta.colours[0])

    assert [is_bot_name(name) for name in (bot, "Ada")] == [True, False]
    assert (person_name("Ada"), person_name(bot) != bot, bot in person_name(bot)) == ("Ada", True, True)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_orders_and_their_forms_fill_their_own_holes(language: str) -> None:
    """A form is written with what is filled in named, an order as it is given; one of them as well as several."""
    say = Translator(language, game="egizia")
    forms = tuple({row.syntax: row for row in rules_of("egizia").grammar})
    orders = tuple({row.example: row for row in rules_of("egizia").grammar})

    assert any(say.form(form) != say.order(form) for form in forms)
    assert say("{forms}", forms=forms) == say.join([say.form(form) for form in forms])
    assert say("{orders}", orders=orders) == say.join([say.order(order) for order in orders])
    assert [say("{forms}", forms=form) for form in forms] == [say.form(form) for form in forms]


def test_a_hole_nobody_fills_stays() -> None:
    """A letter is never lost over a missing filling."""
    assert Translator()("{name} moves") == "{name} moves"


def test_a_decimal_has_the_mark_of_its_language() -> None:
    """A point in English, a comma in Italian and French; one place, also where it is nought."""
    assert [Translator(language).tenths(10) for language in LANGUAGES] == ["10.0", "10,0", "10,0"]
    assert Translator("fr").tenths(4.06) == "4,1"


def test_large_numbers_have_thousands_marks() -> None:
    """Numbers are written as the reader's language writes them."""
    assert [Translator(language).number(12345) for language in LANGUAGES] == [
        "12,345",
        "12.345",
        "12\N{NARROW NO-BREAK SPACE}345",
    ]


def test_unknown_languages_and_zones_fall_back() -> None:
    """English and UTC stand in for what we don't know."""
    say = Translator("xx", "Nowhere/Land")

    assert (say.language, say.when(EVENING)) == ("en", "Tuesday 24 November, 17:00 UTC")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Anna\r\nBcc: x@y.z", "Anna Bcc: x@y.z"),
        ("Anna\u2028Bruno\u2029", "Anna Bruno"),
        ("\u202eevil\u2066 \u200bname\ufeff", "evil name"),
        ("x" * 10_000, "x" * 59 + "…"),
        ("\0\x07  ", ""),
        ("Zoë 👩\u200d🚀", "Zoë 👩\u200d🚀"),
    ],
)
def test_names_are_made_fit_for_one_line(name: str, kept: str) -> None:
    """Line ends, controls and direction marks go; length is bounded; ordinary names stay."""
    assert clean(name) == kept


@pytest.mark.parametrize("beyond", [0, 1])
def test_of_what_is_left_out_so_much_is_passed_over(beyond: int) -> None:
    """Twenty times as many signs as may stay are looked at."""
    assert clean("\u200b" * (20 * 60 - 1 + beyond) + "Ada") == ("" if beyond else "A")


def test_a_sign_that_fits_nowhere_is_cut_in_the_end() -> None:
    """A family too large for the limit: something of it stays."""
    assert clean("👩\u200d👩\u200d👧\u200d👦", 3) == "👩…"


def test_holes_are_named() -> None:
    """The holes of a message are what a translation must have too."""
    assert holes("{seat} pays {gold} gold(s) {{not}} {word!r}") == {"seat", "gold", "word"}


def test_things_listed_more_than_once_are_told_once() -> None:
    """A list names a thing once, with how often it is there; numbers stay as they come."""
    assert Translator()("{seat} takes {faces}.", seat=0, faces=("priest", "farmer", "priest")) == (
        "Seat 1 takes priest \N{MULTIPLICATION SIGN}2 and farmer."
    )
    assert (
        Translator("it")("{faces}", faces=("priest", "priest", "farmer"))
        == "sacerdote \N{MULTIPLICATION SIGN}2 e agricoltore"
    )
    assert Translator()("Open graves: {values}.", values=(4, 4, 2)) == "Open graves: 4, 4 and 2."


def test_a_sentence_may_hold_a_part_that_is_said_in_the_same_language() -> None:
    """A part of a sentence is a sentence of its own catalogue id, also inside lists and other parts."""
    part = Message("{left} is at least {right}", {"left": "tiles", "right": 5})

    assert Translator("it")("If {condition}: {order}.", condition=part, order="ra") == (
        "Se «tessere nel lotto» è almeno 5: `ra`."
    )
    assert Translator()("{parts}", parts=(part, part)) == "tiles is at least 5 and tiles is at least 5"


@pytest.mark.parametrize(
    "sign",
    [
        "e\N{COMBINING ACUTE ACCENT}\N{COMBINING CEDILLA}",
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}",
        "\N{WAVING HAND SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}",
        "\N{REGIONAL INDICATOR SYMBOL LETTER E}\N{REGIONAL INDICATOR SYMBOL LETTER G}",
        "\N{BLACK HEART SUIT}\N{VARIATION SELECTOR-16}",
    ],
)
@pytest.mark.parametrize("before", ["", "N", "Ni"])
def test_a_name_is_cut_between_signs(before: str, sign: str) -> None:
    """An accent stays on its letter, a family together and a flag whole, wherever the limit falls."""
    for limit in range(6, 14):
        kept = clean(before + sign * 20, limit)
        whole = kept.removesuffix("…").removeprefix(before)
        assert len(kept) <= limit
        assert kept.endswith("…")
        assert whole == sign * (len(whole) // len(sign)) != ""


OURS = frozenset(
    (
        *(
            "all",
            "anybody",
            "bank",
            "bot",
            "base_at",
            "cell",
            "choice",
            "code",
            "count",
            "counts",
            "cover_at",
            "days",
            "delay",
        ),
        *("due_at", "edition", "ended", "ends", "failed", "fault", "first", "grace", "heading", "high", "hours"),
        *(
            "ignored",
            "kind",
            "label",
            "last",
            "least",
            "left",
            "length",
            "limit",
            "low",
            "margin",
            "method",
            "moment",
            "most",
            "n",
            "name",
        ),
        *("names", "number", "order", "orders", "percent", "place", "player", "ply", "points", "price", "question"),
        *("quick", "roles", "rounds", "rule", "running", "said", "seconds", "since", "slow", "speed", "starts"),
        *("status", "taken", "time", "value", "version", "waiting", "waits", "waking", "what", "when"),
    )
)
"""Holes of the messages beside the games' that hold numbers, times and words of ours, which are said in each language.
`name` and `names` are of things there are to choose from; people are `person` and `people`, or seats by number."""


def test_what_people_call_themselves_is_never_taken_for_a_word_of_ours() -> None:
    """A player called "lead" isn't "vantaggio" in Italian letters. A new hole is listed: people's words, or ours."""
    games = ("pbem/engine/", "pbem/pictures/", "pbem/bots/", "pbem/study/", "pbem/kit/")
    beside = [message for message, place in messages().items() if not place.startswith(games)]
    found = {hole for message in beside for hole in holes(message)}
    quoted = {hole for message in beside for hole in re.findall(r"\{(\w+)!r\}", message)}

    assert found - quoted - OURS - OWN_WORDS == set()
    assert found >= OURS | OWN_WORDS
    for language in LANGUAGES[1:]:
        say = Translator(language)
        assert say("{word}", word="lead") != "lead"
        for message in messages():
            for hole in holes(message) & OWN_WORDS:
                assert "lead" in say(message, **{hole: "lead"}), message
                assert "lead" in say(message, **{hole: ("lead", "lead")}), message
    assert Translator("it")("{who} left.", who="Yellow bot") == "Bot giallo left."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stored_event_is_told_as_new_ones_are(language: str) -> None:
    """Each sentence that was said otherwise once is said as today, in every language, and by the program no more."""
    say = Translator(language)
    said = tomllib.loads((HOME / "pbem" / "translations" / "formerly.toml").read_text("utf-8"))

    assert {text: say(text) for text in said} == {text: say(now) for text, now in said.items()}
    assert {holes(text) == holes(now) for text, now in said.items()} == {True}
    assert language == "en" or set(said.values()) <= catalogue(language).keys()
    assert said.keys() & catalogue("it").keys() == set()
