"""A browser's context that is used again holds nothing of who had it before."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import Flask, Response, request

from tests.browser_contexts import Contexts
from tests.web_server import web_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

KIND = (390, True, False)
PAGE = '<script src="/kept.js"></script><p>Here'
KEEP = """async () => {
  document.cookie = "who=Alice";
  localStorage.setItem("form", "bid 6");
  await (await caches.open("offline")).put("/page", new Response("page"));
  addEventListener("pagehide", () => localStorage.setItem("left", "at once"));
}"""
HELD = "async () => [document.cookie, localStorage.length, (await caches.keys()).length, navigator.onLine]"


@contextmanager
def site(asked: list[str]) -> Iterator[tuple[str, str]]:
    """Two addresses of pages whose script may be kept for an hour; those that are asked for go to `asked`."""
    app = Flask(__name__)

    @app.get("/<path:path>")
    def answer(path: str) -> Response:
        if not path.endswith(".js"):
            return Response(PAGE, headers={"Cache-Control": "no-store"})
        asked.append(request.url)
        return Response(headers={"Cache-Control": "max-age=3600"})

    server = web_server(app)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    yield f"http://127.0.0.1:{server.port}/page", f"http://localhost:{server.port}/page"
    server.shutdown()
    server.server_close()
    serving.join()


def test_nothing_is_left_in_a_context_that_is_used_again(browser: Browser) -> None:
    """No cookie, storage, page or file; what a page writes as it is left is gone too; it is on the network again."""
    contexts, asked = Contexts(browser), list[str]()
    with site(asked) as places:
        first = contexts.take(KIND)
        page = first.new_page()
        for place in (*places, *places):
            page.goto(place)
            page.evaluate(KEEP)
        assert len(asked) == len(places)  # twice the page, once its script
        first.set_offline(offline=True)
        contexts.give_back()

        again = contexts.take(KIND)
        assert (again, again.cookies(), [one.url for one in again.pages]) == (first, [], ["about:blank"])
        page = again.new_page()
        for place in places:
            page.goto(place)
            assert page.evaluate(HELD) == ["", 0, 0, True]
        assert asked == asked[:2] * 2
        assert contexts.take(KIND) != again  # which is taken
        contexts.give_back()


def test_a_context_that_was_closed_is_not_used_again(browser: Browser) -> None:
    """A test may close one, to see what happens without it."""
    contexts = Contexts(browser)
    closed = contexts.take(KIND)
    closed.close()
    contexts.give_back()

    assert contexts.take(KIND) != closed
    contexts.give_back()
