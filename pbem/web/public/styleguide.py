"""The living page of the look: every colour, size and part as the pages use them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace

from flask import Blueprint, Response

from pbem.engine.core.forms import Choice, Count, Form, Group, Pick, TextField
from pbem.engine.core.types import Event, Message
from pbem.messages import Translator
from pbem.pictures.blocks import Block, Sheet
from pbem.pictures.elements import box, fill_and_stroke, named, seat_mark, words
from pbem.pictures.rings import Highlights, drawn, numbered
from pbem.web import pages
from pbem.web.assets import manifest
from pbem.web.play import boards

blueprint = Blueprint("styleguide", __name__)

NAMES = ("Alice", "Bob", "Charlie", "Dora", "Emil")
FILLS = ("water", "sand", "field", "gold")
_ROOT = re.compile(r":root \{(.*?)\n\s*\}", re.DOTALL)
_TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """Return the colours by day and by night, as the style sheet has them."""
    sheet = manifest()["css/pbem.css"].plain.decode()
    day, night = (dict(_TOKEN.findall(block)) for block in _ROOT.findall(sheet)[:2])
    return day, day | night


def sample() -> Form:
    """Return a form with every kind of field, to show them."""
    scale = tuple(
        Choice(
            str(n), Message("{gold} gold", {"gold": n}), n, Message("You outbid everybody below {gold}", {"gold": n})
        )
        for n in (1, 3, 6)
    )
    cards = (
        Choice("block", Message("Block")),
        Choice("rebid", Message("Rebid"), effect=Message("You may come back here")),
    )
    return Form(
        "sample",
        Message("Which province do you bid on?"),
        (
            Group(
                Message("Your bid"),
                (Pick("bid", Message("On Memphis"), scale), Pick("cards", Message("Cards"), cards, many=True)),
            ),
            Group(
                Message("Farmers"),
                (
                    Count("farmers", Message("For Memphis"), 0, 4, (0, 1, 3, 6, 10)),
                    Count("stones", Message("For Abydos"), 0, 20),
                    TextField("more", Message("Anything else"), Message("One order")),
                ),
                Message("Each further one costs more."),
            ),
        ),
    )


@blueprint.get("/styleguide")
def index() -> Response:
    """Show the whole look on one page."""
    say = pages.speak(names=NAMES)
    day, night = palettes()
    told = (
        SimpleNamespace(event=Event("{seat} outbid you on Memphis.", {"seat": 1}, seat=1, marks=("province:Memphis",))),
        SimpleNamespace(event=Event("The Nile rises: every field gives {gold} gold.", {"gold": 2})),
    )
    board = ringed(say, [one.event for one in told])
    return pages.show("pages/styleguide.html", day=day, night=night, fills=FILLS, form=sample(), told=told, board=board)


def ringed(say: Translator, told: Sequence[Event]) -> boards.BoardView:
    """Return a board of one province, with a ring round it if one of `told` changed it."""
    numbers = numbered(told)
    rings = Highlights("sample", say, numbers.rings)
    place = (34, 16, 132, 68)
    land = box(*place, fill_and_stroke("raised", "line")) + words(46, 56, "Memphis", 20, weight=600)
    ring = rings.ring("province:Memphis", place)
    inside = named("sample", "province:Memphis", "Memphis", land, seat_mark(1, 140, 50, 14), ring) + rings.links()
    sheet = Sheet("sample", "Memphis", "Memphis", (Block("map", (200, 100), inside),))
    return boards.BoardView(
        boards.laid_out(sheet), "Memphis", rings=boards.RingLegend("sample", numbers.events, drawn(inside))
    )
