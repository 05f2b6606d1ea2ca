"""A player who knows nothing but the text of letters: opens their links, reads the pages' forms and fills them in."""

from __future__ import annotations

import hashlib
import re
from email import message_from_bytes, policy
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from pbem.engine.core.rng import Rng

if TYPE_CHECKING:
    from email.message import EmailMessage

    import httpx

TRIES = 60
"""How often a refused form is filled in anew before the player gives up."""
_LINK = r":\s+(https?://\S+)"
TURN = "Please answer by"
"""What a letter says that the game waits for; other letters may offer something optional."""
DECIDE = "Decide now"
ACCEPT = "See the invitation"
"""What letters write over the link that leads to a decision, and over an invitation's."""
_STUBBORN = 5
"""Refusals after which a set of buttons may also be left alone."""
_NOTHING = ("nothing", "f-nothing")
_OWN = "f-"
"""What the names of a game's own fields begin with, on every page."""


_DRAWN = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
"""Boards and signs: three quarters of a page, and nothing in them can be filled in."""


class UnexpectedPage(Exception):
    """The player can't go on: what was asked and what the page said."""


class PageField(NamedTuple):
    """One thing to fill in: the values it can have, and whether it takes several."""

    name: str
    values: list[str]
    many: bool


class PageForm:
    """A form of a page: where it goes, what it carries along, what can be filled in, and its buttons."""

    def __init__(self, action: str) -> None:
        """Start a form that is sent to `action`."""
        self.action = action
        self.hidden: dict[str, str] = {}
        self.fields: dict[str, PageField] = {}
        self.buttons: list[tuple[str, str]] = []

    def add(self, name: str, value: str, *, many: bool = False) -> None:
        """Note one more value that the field `name` can have."""
        self.fields.setdefault(name, PageField(name, [], many)).values.append(value)

    def button(self, *values: str) -> dict[str, str] | None:
        """What pressing the first button with one of `values` sends; None if there is no such button."""
        for name, value in self.buttons:
            if value in values:
                return {name: value} if name else {}
        return None


class Page(HTMLParser):
    """A page as its forms and its text; nothing of its looks."""

    def __init__(self, html: str) -> None:
        """Read `html`."""
        super().__init__()
        self.forms: list[PageForm] = []
        self._form: PageForm | None = None
        self._select = ""
        self.alert = ""
        self._in_alert = 0
        self.feed(_DRAWN.sub("", html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note forms and what is in them."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = PageForm(has.get("action", ""))
            self.forms.append(self._form)
        if has.get("role") == "alert":
            self._in_alert = 1
        elif "hidden" in has:  # what a script may show later
            self._in_alert = 0
        if self._form is not None:
            self._inside(self._form, tag, has)

    def _inside(self, form: PageForm, tag: str, has: dict[str, str]) -> None:
        name, value = has.get("name", ""), has.get("value", "")
        if tag == "input" and has.get("type") == "hidden":
            form.hidden[name] = value
        elif tag == "input" and has.get("type") in {"radio", "checkbox"}:
            form.add(name, value, many=has["type"] == "checkbox")
        elif tag == "select":
            self._select = name
        elif tag == "option" and value:
            form.add(self._select, value)
        elif tag == "button":
            form.buttons.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        """Close a form."""
        if tag == "form":
            self._form = None
        if tag in {"div", "section", "ul"}:
            self._in_alert = 0

    def handle_data(self, data: str) -> None:
        """Keep the words of an alert: why something was refused."""
        if self._in_alert:
            self.alert = f"{self.alert} {data.strip()}".strip()


class ReceivedLetter(NamedTuple):
    """What a player sees of a mail."""

    to: str
    subject: str
    text: str

    def link(self, *labels: str) -> str:
        """The link that stands under the first of `labels` the text has; empty if there is none."""
        found = re.search("(?:" + "|".join(map(re.escape, labels)) + ")" + _LINK, self.text)
        return found.group(1) if found else ""

    def number(self) -> int | None:
        """The first number of the question, which stands in the subject."""
        found = re.search(r"\] \D*(\d+)\D", self.subject)
        return int(found.group(1)) if found else None

    def is_turn(self) -> bool:
        """Whether the game waits for this letter's reader."""
        return TURN in self.text and bool(self.link(DECIDE))


def read_letter(raw: bytes) -> ReceivedLetter:
    """Read the text part of a mail."""
    mail: EmailMessage = message_from_bytes(raw, policy=policy.default)
    part = mail.get_body(("plain",))
    if part is None:
        raise UnexpectedPage(f"The letter '{mail['Subject']}' has no text to read.")
    return ReceivedLetter(str(mail["To"]), str(mail["Subject"]), part.get_content())


def fill_in(form: PageForm, chance: Rng, attempt: int, hint: int | None) -> dict[str, list[str]]:
    """Choose at random, after each refusal something else.

    One of each set of buttons, now and then a tick, and a small total spread over the amounts: every other time the
    number that the question names, if it names one. If that comes to nothing, the form's own tick for "nothing".
    """
    fields = [field for field in form.fields.values() if field.name.startswith(_OWN) and field.name not in _NOTHING]
    amounts = [field for field in fields if "0" in field.values and not field.many]
    total = hint if hint is not None and attempt % 2 else chance.below(2 + attempt % 6)
    chosen = _spread(amounts, total, chance)
    for field in fields:
        picked = [] if field in amounts else _some(field, chance) if field.many else _one(field, chance, attempt)
        if picked:
            chosen[field.name] = picked
    nothing = next((form.fields[name] for name in _NOTHING if name in form.fields), None)
    if nothing is not None and all(values == ["0"] for values in chosen.values()):
        return {nothing.name: nothing.values}
    return chosen


def _spread(amounts: list[PageField], total: int, chance: Rng) -> dict[str, list[str]]:
    """Spread `total` over the amounts, piece by piece; half of the pieces go where the last one went."""
    given = dict.fromkeys((field.name for field in amounts), 0)
    last: PageField | None = None
    for _ in range(total):
        free = [field for field in amounts if given[field.name] < len(field.values) - 1]
        if not free:
            break
        last = last if last in free and chance.below(2) else free[chance.below(len(free))]
        given[last.name] += 1
    return {field.name: [field.values[given[field.name]]] for field in amounts}


def _some(field: PageField, chance: Rng) -> list[str]:
    return [value for value in field.values if chance.below(6) == 0]


def _one(field: PageField, chance: Rng, attempt: int) -> list[str]:
    """One choice, of numbers rather a small one; after some refusals now and then none."""
    if attempt > _STUBBORN and chance.below(3) == 0:
        return []
    index = chance.below(len(field.values))
    if all(value.isdigit() for value in field.values):
        index = min(index, chance.below(len(field.values)))
    return [field.values[index]]


class Correspondent:
    """One player with a mailbox and a browser of their own."""

    def __init__(self, name: str, seed: str, browser: httpx.Client) -> None:
        """Play as `name`, choosing by `seed`."""
        self._name, self._seed, self._browser = name, seed, browser
        self.orders = 0
        self.refused = 0

    def accept(self, letter: ReceivedLetter) -> None:
        """Open the invitation's link and press its button."""
        page, url = self._open(letter.link(ACCEPT))
        for form in page.forms:
            press = form.button("accept")
            if press is not None:
                self._send(urljoin(url, form.action), form.hidden | press)
                return
        raise UnexpectedPage(f"{self._name} found no way to accept '{letter.subject}'.")

    def answer(self, letter: ReceivedLetter) -> bool:
        """Open the link of a letter, fill in the form until it is accepted, send it; False if nothing waits for one."""
        page, url = self._open(letter.link(DECIDE))
        form = next((form for form in page.forms if form.button("preview", "send") is not None), None)
        is_answered = any(form.button("withdraw") is not None for form in page.forms)
        if form is None or is_answered:
            return False
        self.orders += 1
        for attempt in range(TRIES):
            shown = self._try(form, url, attempt, letter.number())
            if shown is None:
                return True
            page = shown
            self.refused += 1
        raise UnexpectedPage(f"{self._name} had {TRIES} answers to '{letter.subject}' refused; at last: {page.alert}")

    def _try(self, form: PageForm, url: str, attempt: int, hint: int | None) -> Page | None:
        """Send one filling of the form; None once it is accepted, else the page that refuses it."""
        choice = fill_in(form, self._chance(attempt), attempt, hint)
        target = urljoin(url, form.action)
        page = self._send(target, form.hidden | choice | (form.button("preview") or {}))
        ready = next((f for f in page.forms if f.button("send") is not None), None)
        if ready is None:
            return page
        page = self._send(target, ready.hidden | choice | (ready.button("send") or {}))
        refused = any(f.button("preview", "send") is not None for f in page.forms)
        return page if refused else None

    def _chance(self, attempt: int) -> Rng:
        """A source that depends on nothing but the seed, the player and how many answers went before."""
        return Rng(hashlib.sha256(f"{self._seed} {self._name} {self.orders}".encode()).hexdigest(), attempt)

    def _open(self, url: str) -> tuple[Page, str]:
        if not url:
            raise UnexpectedPage(f"{self._name} got a letter without a link.")
        answer = self._browser.get(url)
        return self._checked(answer), str(answer.url)

    def _send(self, url: str, fields: dict[str, str | list[str]] | dict[str, str]) -> Page:
        return self._checked(self._browser.post(url, data=fields))

    def _checked(self, answer: httpx.Response) -> Page:
        page = Page(answer.text)
        if answer.status_code >= 400 and not page.forms:  # noqa: PLR2004 - where HTTP's refusals begin
            raise UnexpectedPage(f"{answer.url} answered {self._name} with {answer.status_code}: {page.alert}")
        return page
