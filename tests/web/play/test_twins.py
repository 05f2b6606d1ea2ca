"""The doors compared: every page and every button has its call, or a reason why a program has none."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask

HOME = Path(__file__).parents[3]
TABLE = (HOME / "docs/programs.md").read_text(encoding="utf-8").partition("## Every page")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"(?m)^\| `([^`]+)` \| (.+) \|$", TABLE))
"""By page, what stands beside it."""
NO_PAGES = ("/api/", "/assets/", "/healthz", "/readyz", "/metrics", "/favicon", "/robots", "/static/")
"""What is no page: this API itself, files, and what machines ask."""
CALL = re.compile(r"`(GET|POST|PUT|DELETE) (/[^`]*)`")


def _shape(rule: str) -> str:
    """An address with each hole alike, however it is called."""
    return re.sub(r"<[^>]*>|\{[^}]*\}|\b[A-Z]{1,8}\b", "*", rule).rstrip("/") or "/"


def _pages(app: Flask) -> set[str]:
    rules = {rule.rule for rule in app.url_map.iter_rules() if not rule.rule.startswith(NO_PAGES)}
    return {_shape(rule) for rule in rules if not rule.startswith("/mailbox/")} | {"/mailbox"}


def _calls(app: Flask) -> set[tuple[str, str]]:
    """Every operation of the API, by method and shape."""
    described = app.test_client().get("/api/v1/openapi.json").get_json()["paths"]
    return {
        (method.upper(), _shape(path.removeprefix("/api/v1")))
        for path, operations in described.items()
        for method in operations
    }


def _named() -> Iterable[tuple[str, str]]:
    """Every call that the table names."""
    return [(method, _shape(path)) for row in ROWS.values() for method, path in CALL.findall(row)]


def test_every_page_is_in_the_table(app: Flask) -> None:
    """No page is missing, and none that doesn't exist is there."""
    assert {_shape(page) for page in ROWS} ^ _pages(app) == set()


def test_every_call_is_in_the_table(app: Flask) -> None:
    """Each call that the table names exists, and each that exists is the twin of a page."""
    assert set(_named()) ^ _calls(app) == set()


@pytest.mark.parametrize("page", sorted(ROWS))
def test_a_page_without_a_call_has_a_reason(page: str) -> None:
    """What a program can't do is said in words."""
    parts = [part for part in ROWS[page].split(";") if not CALL.search(part)]

    assert all(re.search(r"none[:,] .{15,}", part) for part in parts), parts


def test_every_button_is_in_the_table() -> None:
    """Each word by which a form's button acts stands before a call or a reason; and no word that no form has."""
    texts = [path.read_text(encoding="utf-8") for path in (HOME / "templates").rglob("*.html")]
    buttons = {word for text in texts for word in re.findall(r'name="act"\s+value="([a-z-]+)"', text)}
    parts = [part.strip() for row in ROWS.values() for part in row.split(";")]
    named = {
        word.strip() for part in parts if (found := re.match(r"([a-z, -]+):", part)) for word in found[1].split(",")
    }

    assert named - {"none"} ^ buttons <= {"send", "draft"}  # these two are written by a macro
