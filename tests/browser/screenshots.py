"""Pictures of the demo, narrow and wide, by day and by night: `python -m tests.browser.screenshots FOLDER`.

With `--readme` only those of the README: `python -m tests.browser.screenshots docs/pictures --readme`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx
from PIL import Image
from playwright.sync_api import sync_playwright

from pbem.cli.demo.correspondent import DECIDE, read_letter
from pbem.clubs.members.demo_club import PLANS
from tests.browser_contexts import launched
from tests.e2e.stack import pbem
from tests.servers import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

WIDTHS = (390, 1280)


def letters(mailbox: str) -> list[str]:
    """The addresses of the letters on the mailbox page, the newest first."""
    found = re.findall(r'href="(/mailbox/\d+)', httpx.get(mailbox, timeout=60).text)
    return [urljoin(mailbox, path) for path in dict.fromkeys(found)]


def decisions(mailbox: str) -> dict[str, tuple[str, str]]:
    """For each game that asks somebody: the address of its newest letter, and the link in it."""
    found: dict[str, tuple[str, str]] = {}
    for address in letters(mailbox):
        letter = read_letter(httpx.get(f"{address}/raw").content)
        game = re.match(r"\[(.+?)\]", letter.subject)
        if game and letter.link(DECIDE):
            found.setdefault(game.group(1).casefold().replace(" ", "-"), (address, letter.link(DECIDE)))
    return found


def views(page: Page, mailbox: str) -> Iterator[str]:
    """Go to each place that is shown; gives its name."""
    page.goto(mailbox)
    yield "mailbox"
    for game, (letter, link) in decisions(mailbox).items():
        page.goto(f"{letter}/html")
        yield f"letter-{game}"
        page.goto(link)
        yield f"decision-{game}"
        seat = page.url.split("/decide")[0]
        for name, path in (("game", ""), ("standing", "/standing"), ("talk", "/talk")):
            page.goto(seat + path)
            yield f"{name}-{game}"
    for name, path in (("home", "/"), ("queue", "/queue"), ("links", "/links"), ("rules", "/rules/amunre")):
        page.goto(urljoin(mailbox, path))
        yield name


def shoot(browser: Browser, mailbox: str, folder: Path) -> None:
    """Write one picture for each place, width and light."""
    for width in WIDTHS:
        for light in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": 844},
                color_scheme="dark" if light == "dark" else "light",
                reduced_motion="reduce",
            )
            page = context.new_page()
            for name in views(page, mailbox):
                page.screenshot(path=folder / f"{name}-{width}-{light}.png", full_page=True)
            context.close()


def for_readme(browser: Browser, mailbox: str, folder: Path) -> None:
    """Write the three pictures of the README: a letter, the page behind its link, the same at night on a phone."""
    letter, link = decisions(mailbox)["pyramids-by-post"]
    for name, address, width, height, light in (
        ("letter", f"{letter}/html", 390, 1180, "light"),
        ("page", link, 1180, 1180, "light"),
        ("night", link, 390, 1180, "dark"),
    ):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if light == "dark" else "light"
        )
        page = context.new_page()
        page.goto(address)
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        Image.open(path).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
        context.close()


def main(folder: Path, *, readme: bool) -> None:
    """Open the demo, and take the pictures once its letters are there: all of them, or those of the README."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, pbem(Path(data), "demo", "--port", "0", "--data", data) as (_, mailbox):
        until(lambda: len(decisions(mailbox)) == len(PLANS), "a letter of each game", 90)
        with sync_playwright() as playwright:
            browser = launched(playwright)
            (for_readme if readme else shoot)(browser, mailbox, folder)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), readme="--readme" in sys.argv)
