from __future__ import annotations

import msgspec
import pytest

from pbem.engine.text.notation import fold
from pbem.mail import html, quote_patterns
from pbem.mail.incoming import read as read_mail
from pbem.mail.reply import Command, Reading, read, written
from pbem.messages import LANGUAGES, Translator
from tests.mail.samples import BAD, FOLDER, GOOD, raw, wanted
from tests.steps import steps


def orders(text: str) -> list[str]:
    """The orders read from a text, folded."""
    return [fold(order) for order in read(text, wanted).orders]


@pytest.mark.parametrize(
    "name",
    ["gmail_top", "gmail_html_only", "outlook_it", "outlook_bold_heads", "outlook_html", "iphone_fr", "banner"],
)
def test_the_players_order_is_read_and_nothing_else(name: str) -> None:
    """Exactly the order above the quote is taken, from plain text and from HTML."""
    assert orders(read_mail(raw(name)).text) == [GOOD]


@pytest.mark.parametrize("name", ["flowed_wrapped", "hard_wrapped"])
def test_a_long_order_broken_by_the_mail_program_is_one(name: str) -> None:
    """An order that a mail program broke over two lines is put together again."""
    assert orders(read_mail(raw(name)).text) == [
        "farmers 2 buto 1 mendes, free farmer abu, stones 3 memphis, architect memphis"
    ]


@pytest.mark.parametrize("name", ["signature_first", "prose", "chat"])
def test_nothing_is_read_where_nothing_was_asked(name: str) -> None:
    """Signatures, long prose and thanks hold no order: such a mail is not answered."""
    assert not read(read_mail(raw(name)).text, wanted)


@pytest.mark.parametrize("name", ["bottom_posted", "bottom_html"])
def test_an_order_under_the_quote_is_shown_and_not_played(name: str) -> None:
    """Who writes under the quoted letter is told to write above it."""
    reading = read(read_mail(raw(name)).text, wanted)

    assert reading.orders == ()
    assert reading.below


def test_no_sample_plays_the_bad_order() -> None:
    """The order that stands in quotes, signatures, banners and prose is never taken from any sample."""
    for path in sorted(FOLDER.glob("*.eml")):
        mail = read_mail(path.read_bytes())
        if mail.nature == "personal":
            assert BAD not in orders(mail.text), path.name


def test_what_stands_under_a_broken_order_is_read_too() -> None:
    """Putting an order together again takes its own lines and no other."""
    broken = "farmers 2 Buto 1 Mendes, free farmer Abu, stones 3 Memphis,\narchitect Memphis"
    for more in ([GOOD], [GOOD, "bid 3 on Abu"]):
        assert orders("\n".join([broken, *more]))[1:] == [fold(one) for one in more]


@pytest.mark.parametrize("mark", sorted(quote_patterns._RULE - {" "}))
def test_a_ruled_line_ends_the_text_whatever_it_is_drawn_with(mark: str) -> None:
    """Of two marks or many, with spaces between them or without."""
    for rule in (2 * mark, 12 * mark, " ".join(3 * mark), " ".join(8 * mark)):
        assert orders(f"{GOOD}\n{rule}\n{BAD}") == [GOOD], rule


PLACES = {
    "quote": "> {order}",
    "attributed quote": "On Mon, 23 Nov 2026 at 18:00, Nile Club <play@example.org> wrote:\n\n{order}",
    "attribution over three lines": "Il giorno lun 23 nov 2026 alle 18:00\nNile Club\n<a@b.org> ha scritto:\n{order}",
    "German attribution": "Am 23.11.2026 um 18:00 schrieb Nile Club:\n{order}",
    "unknown language": "W dniu pon., 23 lis 2026 o 18:00 Klub <play@example.org> napisał(a):\n{order}",
    "Outlook heads": "From: Nile Club\nSent: Monday\nSubject: Nile\n\n{order}",
    "two lines of a head": "From: Nile Club\nSent: Monday\n\n{order}",
    "French heads": "De : Nile Club\nEnvoyé : lundi\nObjet : Nile\n\n{order}",
    "original message": "-----Original Message-----\n{order}",
    "our own line": "----- Scrivi la tua risposta sopra questa riga -----\n{order}",
    "forwarded": "---------- Forwarded message ---------\n{order}",
    "forwarded by Apple": "Begin forwarded message:\n\n{order}",
    "signature": "-- \nAnna\n{order}",
    "signature without the space": "--\nAnna\n{order}",
    "ruled signature": "__________\nAnna\n{order}",
    "dashes of another kind": "———\n{order}",
    "farewell": "Best regards,\nAnna\n{order}",
    "Italian farewell": "Cordiali saluti\nAnna\n{order}",
    "mobile": "Sent from my iPhone\n{order}",
    "mobile in Italian": "Inviato da iPhone\n{order}",
    "Outlook for Android": "Get Outlook for Android\n{order}",
    "banner": "This e-mail is confidential and may be privileged.\n{order}",
    "warning": "CAUTION: this email originated from outside the organisation.\n{order}",
    "French banner": "Ce message est confidentiel.\n{order}",
    "virus scanner": "Virus-free. www.avast.com\n{order}",
    "within a sentence": "I might {order}, or so.",
}


@pytest.mark.parametrize("top", ["", "Hi there!\n\n", "Thanks.\n"])
@pytest.mark.parametrize("place", PLACES)
def test_an_order_in_the_wrong_place_is_never_played(place: str, top: str) -> None:
    """A legal order in quote, signature, banner or header block is never taken, with or without text above it."""
    assert orders(top + PLACES[place].format(order=BAD)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_read_under_the_line_our_letters_draw(language: str) -> None:
    """The line is known as each language's letters say it, even where its dashes are gone."""
    line = Translator(language)("Write your answer above this line")

    assert orders(f"{GOOD}\n{line}\n{BAD}") == [GOOD]
    assert orders(f"{line}\n{BAD}") == []


@pytest.mark.parametrize("place", PLACES)
def test_the_order_above_is_taken_all_the_same(place: str) -> None:
    """What follows doesn't hinder the order that stands above it."""
    assert orders(f"{GOOD}\n\n" + PLACES[place].format(order=BAD)) == [GOOD]


@pytest.mark.parametrize(
    "line",
    [
        *("bid 6 on Memphis", "BID 6 ON MEMPHIS.", "  bid 6 on Memphis  ", "- bid 6 on Memphis", "1. bid 6 on Memphis"),
        *("*bid 6 on Memphis*", "**bid 6 on Memphis**", "bid\N{NO-BREAK SPACE}6 on Memphis"),
        "\N{ZERO WIDTH SPACE}bid 6 on Memphis",
    ],
)
def test_what_mail_programs_do_to_a_line_is_undone(line: str) -> None:
    """Bullets, bold marks and odd spaces around an order don't matter."""
    assert orders(f"{line}\n") == [GOOD]


@pytest.mark.parametrize(
    "line",
    [
        *('"bid 6 on Memphis"', "\N{LEFT DOUBLE QUOTATION MARK}bid 6 on Memphis\N{RIGHT DOUBLE QUOTATION MARK}."),
        *("My order: bid 6 on Memphis", "La mia risposta \u00e8 bid 6 on Memphis", "mon ordre est bid 6 on Memphis"),
        *("I bid 6 on Memphis", "Please bid 6 on Memphis, thanks!", "ok, I'll bid 6 on Memphis :-)"),
        *(
            "bid 6 on Memphis, grazie!",
            "Je bid 6 on Memphis s'il vous plaît.",
            "I\N{RIGHT SINGLE QUOTATION MARK}d like to bid 6 on Memphis please",
        ),
        *("OK. bid 6 on Memphis", "bid 6 on Memphis ;-)", "bid 6 on Memphis \N{GRINNING FACE}\N{GRINNING FACE}!"),
        *(f"bid 6 on Memphis {sign}" for sign in "\N{THUMBS UP SIGN}\N{HEAVY BLACK HEART}\N{WHITE HEAVY CHECK MARK}"),
        *(
            "bid 6 on Memphis \N{HEAVY BLACK HEART}\N{VARIATION SELECTOR-16}",
            "\N{WHITE RIGHT POINTING BACKHAND INDEX} bid 6 on Memphis",
        ),
    ],
)
def test_courtesy_around_an_order_doesnt_hide_it(line: str) -> None:
    """People write to people: please, thanks and "I" around an order are left aside."""
    assert orders(f"{line}\n") == [GOOD]


@pytest.mark.parametrize("word", ["undo", "Undo, please!", "take back", "withdraw", "annulla", "ritira", "retirer"])
def test_taking_back_has_many_words(word: str) -> None:
    """Whoever wants an order back needn't know our word for it."""
    assert read(f"{word}\n", wanted).commands == (Command("cancel"),)


def test_several_orders_stand_together() -> None:
    """Several orders are taken in their order; after the first other line nothing more is."""
    assert orders(f"Hello,\n\n{GOOD}\nbid 3 on Abu\n\nThat is all.\n{BAD}\n") == [GOOD, "bid 3 on abu"]


def test_commands_are_read_with_what_follows_them() -> None:
    """Commands in three languages, some with text over several lines, are read in order."""
    reading = read(read_mail(raw("commands")).text, wanted)
    assert not any(reading.under)
    assert msgspec.structs.replace(reading, under=()) == Reading(
        commands=(
            Command("help"),
            Command("talk", "Well played, Bruno!\nAnd thank you."),
            Command("absence", "24 Dec to 2 Jan"),
            Command("standing", "when high_bid < 6: bid up to 6 on Memphis\nask me"),
            Command("cancel"),
        ),
        rest=("Buongiorno,",),
        above=("Buongiorno,",),
    )


def test_words_in_a_sentence_are_no_commands() -> None:
    """Help and status in a sentence are just words."""
    assert not read("Please help me with the status of my orders\n", wanted)


def test_a_megabyte_is_read_in_few_steps() -> None:
    """Long texts and long lines are bounded: twice as much takes no step more."""
    assert len(orders("bid " * 250_000)[0]) <= 4_000
    assert orders("x\n" * 500_000 + GOOD) == []
    assert written("On " + "a, 1 " * 200_000) != []
    for half in ("bid " * 125_000, "x\n" * 250_000, "On " + "a, 1 " * 100_000):
        assert steps(lambda half=half: orders(2 * half)) <= steps(lambda half=half: orders(half)) < 100_000  # type: ignore[misc]  # a lambda's default


WRITTEN_BY_PEOPLE = {
    "a word of banners": "I caught a virus last week.\n{order}",
    "this message": "This message is my order for today:\n{order}",
    "unsubscribe": "I almost clicked unsubscribe\n{order}",
    "a header's word": "To: all of you, sorry\n{order}",
    "a closing word first": "Best,\n{order}",
    "a filter's banner": "CAUTION: This email originated from outside. Do not click links.\n\n{order}",
    "a filter's mark": "[EXTERNAL]\nThis sender is unknown.\n\nHi\n{order}",
    "a greeting in the line": "Hi Anna, {order} please",
    "marks of direction": "\N{RIGHT-TO-LEFT MARK}{order}\N{LEFT-TO-RIGHT MARK}",
    "signed in the text": "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{order}\n-----BEGIN PGP SIGNATURE-----",
}


@pytest.mark.parametrize("way", WRITTEN_BY_PEOPLE)
def test_an_order_is_read_however_people_surround_it(way: str) -> None:
    """Words that banners, headers and closings use too stop nothing."""
    assert orders(WRITTEN_BY_PEOPLE[way].format(order=GOOD)) == [GOOD]


def test_a_soft_hyphen_is_no_letter() -> None:
    """What mail programs put into words to break them isn't read."""
    assert orders(GOOD.replace("memphis", "mem\N{SOFT HYPHEN}phis")) == [GOOD]


@pytest.mark.parametrize(
    "attribution",
    [
        "2026年11月24日 18:30写道：",  # noqa: RUF001 - as mail programs write it
        "\N{RIGHT-TO-LEFT MARK}ב-24 2026 ב-18:00, Nile Club <a@b.c> כתב:\N{RIGHT-TO-LEFT MARK}",
        "Am 24.11.26 um 18:30 schrieb Nile Club:",
    ],
)
def test_an_attribution_is_known_by_its_end(attribution: str) -> None:
    """Digits before a verb without a space, and marks of direction behind the colon, hide nothing."""
    assert orders(f"{GOOD}\n\n{attribution}\n{BAD}") == [GOOD]
    assert orders(f"{attribution}\n{BAD}") == []


def test_a_question_is_told_apart() -> None:
    """An order with a question mark isn't an order, but its writer is told."""
    reading = read(f"{GOOD}?", wanted)

    assert (reading.orders, reading.asked) == ((), f"{GOOD}?")
    assert read(f"{BAD}?\n{GOOD}", wanted).asked == ""


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        *(("*From:* Nile Club", True), ("* one of a list", False), ("*bold*", False)),
        *(("--x--", True), ("__ me __", True), ("a--", False), ("-a-", False)),
        *(("2026-11-23 18:00 Nile Club <nile at example>", True), ("23.11.2026, nile@example.org", True)),
        *(("23.11.2026, I am back", False), ("nile@example.org", False)),
    ],
)
def test_a_line_ends_the_text_by_each_of_its_marks(line: str, *, ends: bool) -> None:
    """Headers in bold, words between rules, a date with a name or an address; less than that is the sender's own."""
    assert quote_patterns.stops(line) is ends


@pytest.mark.parametrize("end", ["Best regards,", "This message is confidential and for its recipient only."])
def test_what_stands_under_a_greeting_or_a_banner_is_not_the_senders(end: str) -> None:
    """Each ends the text by itself."""
    assert written(f"{GOOD}\n{end}\nAnna Smith") == [GOOD]


@pytest.mark.parametrize("mark", ['"', "'"])
def test_a_sign_within_quoted_values_of_html_ends_no_tag(mark: str) -> None:
    """Either mark holds what stands between a pair; one alone holds nothing."""
    assert html.as_text(f"<a title={mark}x > y{mark}>own</a>").strip() == "own"
    assert html.as_text(f"<a title={mark}x>own</a>").strip() == "own"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_orders_that_our_own_letter_lists_are_not_the_writers(language: str) -> None:
    """Who sends the letter back without its dividing line and without marks gives none of them."""
    say = Translator(language)
    for head in ("Or answer this mail with one of these lines:", "These would be legal"):
        for line in (say(head), say(head).upper()):
            assert orders(f"Which one is it?\n\n{line}\n\n    {GOOD}\n    {BAD}\n") == [], line


@pytest.mark.parametrize("tag", sorted(html._UNSEEN | html._STRUCK))
def test_what_an_element_of_html_hides_or_strikes_out_is_not_written(tag: str) -> None:
    """Until it's closed, also within others."""
    assert html.as_text(f"<{tag}>bid 6</{tag}>own").strip() == "own"
    assert html.as_text(f"<div><{tag}><b>bid 6</b></{tag}>own</div>").strip() == "own"


HIDDEN = (
    *("text-decoration:line-through", "display:none", "display:\nnone", "visibility:hidden", "visibility:collapse"),
    *("mso-hide:all", "font-size:0", "font-size:0px", "font-size:0.0em", "font-size:1px", "opacity:0", "opacity:0.0"),
    *("max-height:0", "max-height:0px", "max-width:0", "height:0;overflow:hidden", "overflow:hidden;width:0px"),
    *("text-indent:-9999px", "position:absolute;left:-999em", "position:fixed;top:-1000px", "left:-9999px;right:auto"),
    *("clip:rect(0 0 0 0)", "clip:rect(1px,1px,1px,1px)", "clip-path:inset(50%)", "clip-path:circle(0)"),
    *("transform:scale(0)", "color:transparent", "color:white;background:#FFF", "background-color:#123;color:#112233"),
    "color:rgb(255, 255, 255);background:white",
)
"""Styles with which nobody sees a text, or sees it crossed out."""
SHOWN = (
    *("font-size:0.9em", "font-size:10px", "font-size:1rem", "opacity:0.5", "opacity:1", "height:0", "min-height:0"),
    *(
        "max-height:0.5em",
        "max-width:100px",
        "line-height:0;overflow:hidden",
        "text-indent:-18.0pt",
        "margin-left:-999px",
    ),
    *("color:#fff;background:#000", "background:#fff;border-color:#fff", "color:white", "overflow:hidden"),
)


@pytest.mark.parametrize("space", ["", " "])
def test_what_a_style_of_html_hides_or_strikes_out_is_not_written(space: str) -> None:
    """However it is spaced and whatever else it says; what is only small, pale or squeezed is."""
    for style in HIDDEN:
        said = f"margin: 1px;{style.replace(':', ':' + space)} !important".upper()
        assert html.as_text(f'<p style="{said}">bid 6</p>own') == "own", style
    for style in SHOWN:
        assert html.as_text(f'<p style="margin: 1px;{style.replace(":", ":" + space)}">bid 6</p>own') == "bid 6\nown", (
            style
        )


@pytest.mark.parametrize(
    ("said", "text"),
    [
        *(("<p hidden>bid 6</p>own", "own"), ("<p class=x hidden=''>bid 6</p>own", "own")),
        *(("<p title='hidden'>bid 6</p>own", "bid 6\nown"), ("<p data-hidden>bid 6</p>own", "bid 6\nown")),
        ("<p aria-hidden=true>bid 6</p>own", "bid 6\nown"),
        ("<div style='background:#fff'><p><b style='color:#FFFFFF'>bid 6</b></p></div>own", "own"),
        ("<table><tr><td bgcolor=white><font color=#ffffff>bid 6</font></table>own", "own"),
        ("<div style='color:#fff;background:#fff'><b style='color:#000'>bid 6</b></div>own", "bid 6\nown"),
        ("<div style='font-size:0'><b>bid 6</b></div>own", "own"),
        ("<div style='font-size:0'><b style='font-size:14px'>bid 6</b></div>own", "bid 6\nown"),
    ],
)
def test_what_elements_inherit_tells_whether_they_are_seen(said: str, text: str) -> None:
    """Colours and sizes count until an element within changes them; `aria-hidden` hides nothing from who looks."""
    assert html.as_text(said) == text


RULES = (
    *(
        ".x{%s}",
        "p.x { %s }",
        "P.X{%s;}",
        "p{%s}",
        "#y{%s}",
        "p#y{%s}",
        ".a .x{%s}",
        "b, p.x {%s}",
        ".z{margin:0}.x{%s}",
        ".x.a{%s}",
        "p.a#y{%s}",
        "div>p.x.a.q, body > .a.x{%s}",
        "@media screen and (max-width:600px){.z{margin:0} .x{%s}}",
        "@media screen{@supports (display:grid){p{%s}}}",
    ),
    *("<!-- .x{%s} -->", "/* a } */ .x{%s}", "@import 'a';.x{%s}", "@media print{.x{margin:0}} .x{%s}"),
    *("@font-face{a:b}.x{%s}", ".x{margin:0}.x{%s}", ".x{%s"),
)
"""Ways in which a style sheet speaks of `<p class="a x" id=y>`."""


@pytest.mark.parametrize("rule", RULES)
def test_what_a_style_sheet_hides_is_not_written(rule: str) -> None:
    """Whatever hides in a `style` does so by a rule, too, and what doesn't hide doesn't; the sheet is no text."""
    for style in (*HIDDEN, *SHOWN):
        text, conceals = html.read(
            f'<style type=text/css>{rule.replace("%s", style)}</style><p class="a x" id=y>bid 6</p>own'
        )
        assert (text, conceals) == (("own", True) if style in HIDDEN else ("bid 6\nown", False)), style


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print{.x{display:none}}",
        "@media print{@media all{.x{display:none}}}",
        ".x.y{display:none}",
        ".x:hover{display:none}",
        ".w{display:none}",
        "div.x{display:none}",
        "}{.x",
    ],
)
def test_what_a_style_sheet_says_of_others_hides_nothing(sheet: str) -> None:
    """Of other elements, of paper only, or nothing that can be read; a style of its own comes after a rule."""
    assert html.as_text(f"<style>{sheet}</style><p class=x>bid 6</p>own") == "bid 6\nown"
    assert html.as_text("<style>p{font-size:0}</style><p style='font-size:12px'>bid 6</p>own") == "bid 6\nown"


@pytest.mark.parametrize(
    "aside", ["<!---->", "<!-- x -->", "<!--<p>x</p>-->", "<!-- -- > -->", "<!DOCTYPE html>", "<?x y?>", "<!>"]
)
def test_what_html_says_to_programs_ends_where_it_is_closed(aside: str) -> None:
    """Comments, also empty ones, declarations and instructions: what follows is the sender's own."""
    assert html.as_text(f"{aside}own").strip() == "own"
    assert html.as_text(f"own{aside}").strip() == "own"
