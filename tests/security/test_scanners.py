"""Scanners that run scripts: a real browser over every link of every letter changes nothing."""

from __future__ import annotations

import re
import threading
from html import unescape
from typing import TYPE_CHECKING

import pytest
from werkzeug.serving import make_server

from tests.security.test_doors import sent, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.web.conftest import Table


@pytest.fixture
def address(table: Table) -> Iterator[str]:
    """Where the pages are served to a browser."""
    server = make_server("127.0.0.1", 0, table.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


def test_a_browser_that_opens_every_link_changes_nothing(
    table: Table, tmp_path: Path, rows: Callable[[], str], address: str, new_page: Callable[..., Page]
) -> None:
    """Scripts run to their end on every page that a letter leads to, and every link there is looked at too."""
    mails = sent(table, tmp_path)
    text = "".join(text_of(mail, "plain") + text_of(mail, "html") for mail in mails)
    paths = {unescape(path) for path in re.findall(r"https?://club\.example([^\s\"'<>)]+)", text)}
    table.db.session.commit()
    before, page, seen = rows(), new_page(), set()
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method != "GET" else None)
    for path in sorted(paths):
        page.goto(address + path, wait_until="networkidle")
        seen.add(page.url)
        for link in page.eval_on_selector_all("a[href^='/']", "all => all.map(a => a.getAttribute('href'))"):
            if link not in seen:
                seen.add(link)
                page.request.get(address + link)

    assert len(paths) >= 3
    assert len(seen) >= 10
    assert posted == []
    assert rows() == before
