"""Browser contexts that are used again: the first page of a new one takes longer than most that are looked at in it.

It is the process of its own that takes it, which ends with a context's last page: so each keeps an empty one open.
Whoever takes a context finds nothing of who had it before: no page, cookie or storage, nor anything in its cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.servers import BROWSER_PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

Kind = tuple[int, bool, bool]
"""What contexts are made with: the width of their windows, whether scripts run, whether they are dark."""


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
