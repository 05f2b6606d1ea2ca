"""What pages offer to choose from, apart from any page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import pytest
from flask import request
from werkzeug.exceptions import NotFound

from pbem.errors import WrongInput
from pbem.mail.render import folder
from pbem.web import fields

if TYPE_CHECKING:
    from flask import Flask


def test_what_no_handler_can_use_is_refused_before_any(app: Flask) -> None:
    """A character that no database keeps, a text too long for its field, and words where a number stands in a form."""
    with app.test_request_context("/games/a%00b"), pytest.raises(NotFound):
        fields._refuse()
    with app.test_request_context("/links?seat=x", method="POST", data={"address": "@" * 3000, "seat": "x"}):
        assert request.args.get("seat", type=int) is None
        with pytest.raises(WrongInput, match="is no whole number"):
            request.form.get("seat", type=int)
        with pytest.raises(WrongInput, match="at most 254 fit here"):
            fields._refuse()


def test_what_a_page_sends_along_is_not_called_like_what_is_typed() -> None:
    """But for what was filled in on the page before; a page of errors shows what is typed, and nothing of ours."""
    hidden = {
        name
        for page in folder().rglob("*.html")
        for name in re.findall(r'<input type="hidden" name="([\w-]+)"', page.read_text(encoding="utf-8"))
    }

    assert hidden & fields.TYPED.keys() == {"hours", "reason", "text", "to_ply"}


def test_a_whole_number_is_read_to_the_largest() -> None:
    """Either way, with one sign or nought before it at most: what is longer isn't read at all."""
    most, long = str(fields.MOST), "9" * 99
    assert [fields.whole(text) for text in (most, f"-{most}", f"0{most}", "0")] == [
        *(fields.MOST, -fields.MOST, fields.MOST, 0),
    ]
    for text in (str(fields.MOST + 1), str(-fields.MOST - 1), f"00{most}", long, "x", ""):
        with pytest.raises(ValueError, match=r"\d{10}|invalid literal"):
            fields.whole(text)
    with pytest.raises(ValueError, match=r"9{20}") as refused:
        fields.whole(long)
    assert str(refused.value) == long[:20]


def test_every_zone_that_people_live_in_can_be_chosen() -> None:
    """By the part of the world, each once; no name kept for old programs alone."""
    found = fields.zones.__wrapped__()
    names = [name for _, part in found for name in part]

    assert all(name.startswith(f"{part}/") for part, there in found[:-1] for name in there)
    assert {"Europe/Rome", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "UTC"} <= set(names)
    assert len(names) == len(set(names))
    assert {name for name in available_timezones() - set(names) if name.startswith(("Europe/", "Asia/"))} == set()
    assert not {"US/Eastern", "Etc/UTC", "EST", "GB"} & set(names)
