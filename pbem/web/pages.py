"""What every page is rendered with: the reader's language, our assets, the parts shared by all templates."""

from __future__ import annotations

import functools
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from http import HTTPStatus
from typing import Any, ParamSpec, TypeVar

from flask import Flask, Response, current_app, g, make_response, redirect, request, url_for
from jinja2 import FileSystemLoader
from markupsafe import Markup, escape
from werkzeug.routing import Map, Rule

from pbem.clubs.games import csv_table
from pbem.engine.core.errors import EngineError
from pbem.engine.core.message import Message
from pbem.engine.core.types import Outcome
from pbem.engine.registry import GAMES, box_of, rules_of, title_of
from pbem.errors import NeedsAnswer, Overtaken, PlayError, WrongInput
from pbem.extensions import begin_reading, db, settings
from pbem.mail.render import folder
from pbem.messages import LANGUAGE_NAMES, LANGUAGES, Translator
from pbem.play.admin import action_log
from pbem.play.views.seat_view import SeatSummary, Situation
from pbem.structs import mark_of
from pbem.study import guides
from pbem.web.account import browser_keys
from pbem.web.assets import asset
from pbem.web.current import current_context, current_g, current_request, only_looks
from pbem.web.fields import zones
from pbem.web.play import decision_form

P = ParamSpec("P")
Action = TypeVar("Action")
_STILL = ("assets.", "health.")
"""Endpoints that never ask the database."""
_SPELLED = re.compile(r"`([^`]+)`")


class _Sentences(dict[str, Markup]):
    """Sentences that stand in templates, escaped: each is said once for a language and a game."""

    def __init__(self, language: str, game: str) -> None:
        self._say = Translator(language, game=game)

    def __missing__(self, text: str) -> Markup:
        said = self[text] = escape(self._say(text))
        return said


_sentences = functools.cache(_Sentences)


class _Reader(Translator):
    """Whom an answer speaks to."""

    def __init__(self, language: str, zone: str, names: Sequence[str], game: str) -> None:
        super().__init__(language, zone, names, game)
        self.sentences = _sentences(self.language, game)


_TRANSLATOR: ContextVar[_Reader | None] = ContextVar("translator", default=None)


def browser_language() -> str:
    """Return which of our languages the browser asks for, first of all wherever it is spoken; empty for none."""
    wanted = (tag.partition("-")[0].casefold() for tag in request.accept_languages.values())
    return next((language for language in wanted if language in LANGUAGES), "")


def speak(language: str = "", zone: str = "UTC", names: Sequence[str] = (), game: str = "") -> _Reader:
    """Set the translator of this answer, with a `game` in its words; without a language its reader's own.

    Of a reader nobody knows, that is the browser's best fit.
    """
    said = _Reader(language or _own_language() or browser_language() or LANGUAGES[0], zone, names, game)
    _TRANSLATOR.set(said)
    return said


def _own_language() -> str:
    """Return the language of whom this browser acts for, the one it opened last; empty for nobody known."""
    if (request.endpoint or "").startswith(_STILL) or request.path.startswith("/api/"):
        return ""
    return next((person.language for person in browser_keys.persons()), "")


def speak_unasked() -> None:
    """Set the translator, unless it is, without a look at the database: it may be what failed."""
    if _TRANSLATOR.get() is None:
        speak(browser_language() or LANGUAGES[0])


def speak_at(s: Situation, language: str = "", zone: str = "UTC") -> None:
    """Set the translator of this answer to one that names the seats as this position does."""
    speak(language, zone, s.names, game=s.game.game)


def translator_at(s: Situation) -> Translator:
    """Return one of this answer's language for a position that is shown beside others, or beside none of its own."""
    return Translator(translator().language, names=s.names, game=s.game.game)


def own_box(s: Situation) -> None:
    """Let what the answer links to in the glossary be told by the box that the game is played with, if a club's own."""
    box = box_of(s.game.game)
    g.own = s.game.slug if box and box.of(s.view) else None


def translator() -> _Reader:
    """Return the translator this answer speaks with: the one `speak` set, else of its reader's language."""
    return _TRANSLATOR.get() or speak()


def sentence(text: str) -> Markup:
    """Return a sentence that stands in a template, escaped."""
    return translator().sentences[text]


class _WholePage(Response):
    """A page, whose headers are whole: it leads nowhere else, and its length was set with what it holds."""

    def get_wsgi_headers(self, environ: Any) -> Any:  # noqa: ARG002 - as werkzeug calls it
        """Return them as they are."""
        return self.headers


def show(template: str, status: int = 200, **context: Any) -> Response:
    """Render a page.

    Piece by piece into bytes: as one text it would take four bytes for each sign where a single one is beyond Latin.
    Flask's `stream_template` would begin the request anew, its routing too.
    """
    pieces = current_app.jinja_env.get_template(template).generate(_shared() | context)
    return _WholePage(b"".join(map(str.encode, pieces)), status)


def faults_found() -> tuple[Message, ...]:
    """Return why the form that this page answers was refused; empty for a page that answers none."""
    return tuple(current_g().get("faults_found", ()))


def form_of(
    page: Callable[P, Response], status: int = HTTPStatus.UNPROCESSABLE_ENTITY
) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Return what makes a function the handler of a form of `page`, the GET handler of the same address.

    What it refuses is rolled back, and answered by the page with `faults_found` and `status`. The page authorises for
    itself: what it refuses is refused as without a form. Questions pass, and what was saved anew meanwhile.
    """

    def handler_of(act: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(act)
        def handled(*args: P.args, **kwargs: P.kwargs) -> Response:
            try:
                return act(*args, **kwargs)
            except (NeedsAnswer, Overtaken):
                raise
            except (PlayError, EngineError) as refusal:
                db.session.rollback()
                g.faults_found = refusal.faults
                answer = page(*args, **kwargs)
                answer.status_code = status
                db.session.rollback()  # so that nobody is asked to prove who they are to be refused
                return answer

        return handled

    return handler_of


def button(actions: Mapping[str, Action]) -> Action:
    """Return which of `actions` the pressed button of the page is for. Raises WrongInput for none of them."""
    action = actions.get(typed("act"))
    if action is None:
        raise WrongInput("Press one of the buttons of this page.")
    return action


def is_sure(given: Mapping[str, str]) -> bool:
    """Return whether what a form or a call's address gives says that the act is meant, be it for good: `sure=yes`."""
    return given.get("sure") == "yes"


def typed(name: str) -> str:
    """Return the text that the form sends as `name`; empty for none."""
    return request.form.get(name, "") if request.method == "POST" else ""  # no form takes 14 us to look for


def number(name: str, default: int = -1) -> int:
    """Return the whole number that the form sends as `name`; for none `default`, by itself -1, which no row has."""
    return request.form.get(name, default, type=int)


def text_or_file(name: str) -> str:
    """Return the text of the file that came with the form, else what was typed as `name`. Raises WrongInput."""
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return typed(name)
    sent.stream.seek(0)  # the page of a refusal reads it once more
    g.files_read = {name: csv_table.decoded(sent.read())}  # for the page of a question, which sends the form again
    return str(g.files_read[name])


def opened_with(shown: object) -> str:
    """Return the mark of what a form shows; of one that comes back refused, what it was opened with at first."""
    return typed("opened") or mark_of(shown)


def form_mark() -> str:
    """Return what a form is known by when it is sent: a double click or a resend is one order."""
    return secrets.token_hex(8)


def spelled(words: str) -> Markup:
    """Return a sentence with what is to be typed, between backticks in letters and programs, set apart as code."""
    return Markup(_SPELLED.sub(r"<code>\1</code>", str(escape(words))))  # noqa: S704 - escaped before the tags are added


def linked(text: str) -> Markup:
    """Return a sentence about the game at hand, each card and space it names a link to what the glossary says of it."""
    pieces = list(guides.split(translator(), text))
    glossary = escape(glossary_url()) if len(pieces) > 1 else ""
    shown = (
        escape(piece) if entry is None else f'<a class="term" href="{glossary}#{escape(entry.key)}">{escape(piece)}</a>'
        for piece, entry in pieces
    )
    return Markup("".join(shown))  # noqa: S704 - every piece was escaped


def glossary_url(keys: Iterable[str] = ()) -> str:
    """Return the page that explains the things of the game at hand; with `keys` these, and nothing else."""
    said = translator()
    here = " ".join(keys) or None
    return address("rules.glossary", game=said.game, here=here, language=said.language, of=current_g().get("own"))


def by_place(players: Sequence[SeatSummary], outcome: Outcome) -> list[SeatSummary]:
    """Return those at the table as they came in, the winner first."""
    return sorted(players, key=lambda player: (outcome.places[player.seat], player.seat))


@functools.lru_cache(maxsize=512)
def _only_rule(rules: Map, endpoint: str) -> tuple[Rule | None, str]:
    """Return the one rule that leads to an endpoint, None where several do; and its text, where all holes are numbers.

    A number needs no quoting, so that text is filled in a thirtieth of the time that the rule takes.
    """
    first, *others = rules.iter_rules(endpoint)
    text = _WHOLE_NUMBER.sub(r"%(\1)d", first.rule)
    return (None, "") if others else (first, "" if "<" in text else text)


_WHOLE_NUMBER = re.compile(r"<int:(\w+)>")


def _built(rule: Rule, given: Mapping[str, Any]) -> str:
    built = rule.build(given, append_unknown=not rule.arguments.issuperset(given))
    assert built is not None, f"{rule.endpoint} has no address of {given}"
    return built[1]


@functools.lru_cache(maxsize=1024)
def _built_once(rules: Map, endpoint: str, **given: str) -> str:
    """Return an address that is the same on many pages: of rules, lessons and lists, with a game at most."""
    rule, _ = _only_rule(rules, endpoint)
    assert rule is not None  # the caller has looked
    return _built(rule, given)


def address(endpoint: str, **values: Any) -> str:
    """Flask's `url_for` for templates, asked thirty times a page: of endpoints with one rule by that rule alone."""
    adapter = current_context().url_adapter
    assert adapter is not None  # Flask makes one of each request
    rule, text = _only_rule(adapter.map, endpoint)
    if rule is None:
        return url_for(endpoint, **values)
    if text and values.keys() == rule.arguments:
        path = text % values
    else:
        given = {name: value for name, value in values.items() if value is not None}
        is_common = rule.arguments <= {"game"}
        path = _built_once(adapter.map, endpoint, **given) if is_common else _built(rule, given)
    return f"{adapter.script_name[:-1]}{path}"


def go(endpoint: str, **values: Any) -> Response:
    """Lead on to another page by GET, so that loading again never sends anything twice."""
    return make_response(redirect(url_for(endpoint, **values), 303))


def is_partial(target: str) -> bool:
    """Return whether the script asks for one part of the page only, by the id of the part."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-Target", "").endswith(f"#{target}")


def _shared() -> dict[str, Any]:
    """Return what all templates use."""
    known = settings()
    return {
        "club_name": current_g().get("club_name") or known.mail_name,
        "demo": known.demo,
        "faults_found": faults_found(),
        "keys": bool(browser_keys.held("seats") or browser_keys.held("players")),
    }


def _begin_reading() -> None:
    """GET and HEAD change nothing: the database itself refuses to let them."""
    if only_looks() and not (current_request().endpoint or "assets.").startswith(_STILL):
        begin_reading(db.session())


def _forget_translator(_fault: BaseException | None) -> None:
    """The next answer of this thread is somebody else's."""
    _TRANSLATOR.set(None)


def initial(text: str) -> str:
    """Return a text as a line begins with it: "half of Egypt" keeps its name's capital."""
    return text[:1].upper() + text[1:]


def register(app: Flask) -> None:
    """Give the templates of `app` what they use."""
    app.jinja_loader = FileSystemLoader(folder())
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    shared = (
        title_of,
        zones,
        asset,
        form_mark,
        opened_with,
        spelled,
        linked,
        glossary_url,
        by_place,
        decision_form.shown_as,
        decision_form.as_chips,
        decision_form.cost,
        decision_form.numbers,
        decision_form.choice_groups,
        decision_form.ledger,
    )
    app.jinja_env.globals.update(
        {share.__name__: share for share in shared},
        metas={name: rules_of(name).meta for name in GAMES},
        languages=LANGUAGE_NAMES,
        journal_listed=action_log.LISTED,
        url_for=address,
    )
    app.jinja_env.filters["initial"] = initial
    app.before_request(_begin_reading)
    app.teardown_appcontext(_forget_translator)
