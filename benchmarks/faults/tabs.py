"""A player's browser tab: opens a letter's link, loads the decision, sends its form, keeps what the answer holds."""

from __future__ import annotations

import http.client
import re
import time
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from sqlalchemy import select

from benchmarks.faults.history import Said
from pbem.capabilities import links
from pbem.capabilities.tokens import tokens
from pbem.extensions import db
from pbem.store.models import Seat
from tests.servers import LOOPBACK

if TYPE_CHECKING:
    from benchmarks.faults.players import Question
    from benchmarks.faults.stage import Stage

_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_TEXT = re.compile(r'<textarea id="kept-\d+" name="text"[^>]*>([^<]*)</textarea>')


class Page(msgspec.Struct):
    """What a tab shows."""

    status: int
    text: str

    @property
    def form(self) -> dict[str, str]:
        """The page's fields that are sent without being filled in, and the order it kept."""
        kept = {name: unescape(value) for name, value in _FIELD.findall(self.text)}
        written = _TEXT.search(self.text)
        return kept if written is None else kept | {"text": unescape(written[1]).strip()}


class Tab:
    """One tab with the decision of one seat, loaded; `page` is what it shows now."""

    def __init__(self, stage: Stage, one: Question) -> None:
        """Open the link of the letter, and load the page it leads to."""
        self._stage, self._one = stage, one
        self._cookie = ""
        with stage.app.app_context():
            epoch = db.session.execute(select(Seat.epoch).where(Seat.id == one.seat_id)).scalar_one()
            token = links.seat_token(tokens(), one.seat_id, epoch, one.ply)
        self._ask("GET", f"/l/{token}")
        self.page = self._ask("GET", f"/seat/{one.seat_id}/decide")
        self.page.text = self.page.text.partition('class="decide card stack"')[2].partition("</form>")[0]

    def _ask(self, method: str, path: str, body: str = "") -> Page:
        """One request; a status of 0: no answer came."""
        connection = http.client.HTTPConnection(LOOPBACK, self._stage.port, timeout=30)
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            page = Page(answer.status, answer.read().decode())
        except (OSError, http.client.HTTPException):
            return Page(0, "")
        finally:
            connection.close()
        given = answer.headers["Set-Cookie"]
        self._cookie = str(given).partition(";")[0] if given else self._cookie
        return page

    def send(self) -> Said:
        """Send the form as it stands in the tab, the order written into it; a page that comes is what it shows then."""
        one, form = self._one, self.page.form
        filled = {"text": one.order, "seen": one.order, **form, "act": "send"}
        start = time.monotonic()
        shown = self._ask("POST", f"/seat/{one.seat_id}/decide", urlencode(filled))
        if shown.status not in {0, HTTPStatus.SEE_OTHER}:
            self.page = shown
        said = Said(
            game_id=one.game_id,
            seat=one.seat,
            ply=one.ply,
            text=filled["text"],
            request=filled.get("request", ""),
            status=HTTPStatus.OK if shown.status == HTTPStatus.SEE_OTHER else shown.status,
            reason="StalePhase" if shown.status == HTTPStatus.CONFLICT else "",
            seconds=time.monotonic() - start,
        )
        self._stage.history.append(said)
        return said

    def keeps_the_order(self) -> bool:
        """Whether the page holds the order as it was written, in a form that can be sent again."""
        form = self.page.form
        return form.get("text") == self._one.order and form.get("ply") == str(self._one.ply) and "csrf_token" in form
