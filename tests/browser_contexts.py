"""Chromium, and its contexts, which are used again: a new one's first page takes longer than most that are looked at.

It is the process of its own that takes it, which ends with a context's last page: so each keeps an empty one open.
Whoever takes a context finds nothing of who had it before: no page, cookie or storage, nor anything in its cache.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.servers import BROWSER_PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Playwright

SHELL = "/usr/bin/chromium-headless-shell"
"""Chromium's pages without its windows, whose address bars, menus and spare pages were a quarter of its time."""

Kind = tuple[int, bool, bool]
"""What contexts are made with: the width of their windows, whether scripts run, whether they are dark."""


def launched(playwright: Playwright) -> Browser:
    """Debian's Chromium, begun; `close` it, or use it in a `with`."""
    quiet = ("background-networking", "component-update", "sync")
    arguments = [*(f"--disable-{word}" for word in quiet), "--no-first-run"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    # By itself it rounds letters to dots, which no phone does: a font that comes late would then push lines about.
    arguments.append("--font-render-hinting=none")
    # Each page is a new one to it, so what it would make quick for later nobody runs: a tenth of its time.
    arguments.append("--js-flags=--no-opt --no-maglev --sparkplug")
    # One process draws the pages of all tests: it keeps what it has read of their scripts, and begins once.
    arguments.append("--renderer-process-limit=1")
    return playwright.chromium.launch(executable_path=SHELL, args=arguments)


class Kept(NamedTuple):
    """A context, and the empty page that keeps its process."""

    kind: Kind
    context: BrowserContext
    page: Page
    devtools: CDPSession


class Contexts:
    """The contexts of one browser."""

    def __init__(self, browser: Browser) -> None:
        """Begin with none."""
        self._browser = browser
        self._free: list[Kept] = []
        self._taken: list[Kept] = []

    def take(self, kind: Kind) -> BrowserContext:
        """A context that nobody has, as it is when it is new."""
        free = [one for one in self._free if one.kind == kind]
        one = free[-1] if free else self._new(kind)
        self._free = [other for other in self._free if other != one]
        self._taken.append(one)
        return one.context

    def _new(self, kind: Kind) -> Kept:
        width, js, night = kind
        scheme: Any = "dark" if night else "light"
        context = self._browser.new_context(
            viewport={"width": width, "height": 844},
            java_script_enabled=js,
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        context.set_default_timeout(1000 * BROWSER_PATIENCE)
        page = context.new_page()
        return Kept(kind, context, page, context.new_cdp_session(page))

    def give_back(self) -> None:
        """Take back all that were taken; one that a test has closed is gone."""
        while self._taken:
            one = self._taken.pop()
            if not one.page.is_closed():
                empty(one)
                self._free.append(one)


def empty(one: Kept) -> None:
    """Make a context as it was when it was new. Its pages are left first: what they keep as they go is gone as well."""
    one.context.unroute_all()
    for page in one.context.pages:
        if page != one.page:
            page.goto("about:blank")
            page.close()
    one.context.set_offline(offline=False)
    one.devtools.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    one.devtools.send("Network.clearBrowserCache")
    one.context.clear_cookies()
    one.context.clear_permissions()
