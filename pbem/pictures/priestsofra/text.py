"""The same table in monospace and in sentences, complete by itself."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LOT_SPACES, TILES, named
from pbem.engine.priestsofra.state import BID, CALLED, FULL, OVER, RA_DRAWN, suns_of
from pbem.engine.priestsofra.view import View
from pbem.pictures import monospace
from pbem.pictures.elements import letter
from pbem.pictures.renderer import Say

_NAME = 18
_LEGEND = (N_("(7) / 7 sun face up / face down, [#.] Ra track: taken, free, > to answer"),)
_GROUPS = (range(4), range(4, 8), (13, 14), range(8, 13))


def text(view: View, say: Say) -> str:
    """Return the whole table in lines of at most 72 columns."""
    return monospace.page(_lines(view, say))


def legend(_view: View) -> tuple[str, ...]:
    """Return what the signs of the lines mean."""
    return _LEGEND


def _lines(view: View, say: Say) -> Iterator[str]:
    params: dict[str, Param] = {"count": view.ra, "spaces": view.ra_spaces}
    track = "".join("#" if space < view.ra else "." for space in range(view.ra_spaces))
    bag = say(sentence("{count} in the bag", count=sum(view.bag)))
    ra = say(sentence("Ra: {count} of {spaces}", **params))
    yield f"{say(Message(EPOCH_NAMES[view.epoch - 1])).upper()}   [{track}] {ra}   {bag}"
    yield from (say(Message(line)) for line in legend(view))
    lot = say(sentence("Lot: {count} of {spaces}", count=len(view.lot), spaces=LOT_SPACES))
    centre = say(sentence("Sun {sun} in the centre", sun=view.centre))
    yield f"{lot}   {centre}"
    for row in (view.lot[:4], view.lot[4:]):
        if row:
            yield "  " + "".join(f"[{say(Message(FACES[face]))}] ".ljust(17) for face in row).rstrip()
    if view.phase == BID:
        yield say(auction_line(view))
    if view.drawn:
        yield say(sentence("Drawn: {tile}", tile=TILES[view.drawn]))
    for seat in range(view.seats):
        yield ""
        yield from _player(view, seat, say)


def _player(view: View, seat: int, say: Say) -> Iterator[str]:
    pointer = ">" if seat == view.actor or seat in view.asked else " "
    name = say(Message("{seat}", {"seat": seat}))
    points = view.points[seat] if view.knows(seat) else "?"
    counted = say(sentence("{points} point(s)", points=points))
    ankhs = say(sentence("{count} ankh(s)", count=view.ankhs[seat]))
    up = " ".join(f"({sun})" for sun in suns_of(view.up[seat]))
    down = " ".join(map(str, suns_of(view.down[seat])))
    suns = " / ".join(part for part in (up, down) if part)
    yield f"{pointer}{letter(seat)} {name[:_NAME].ljust(_NAME)} {counted}, {ankhs}   {suns}"
    tiles = view.display[seat]
    for faces in _GROUPS:
        shown = [f"{say(Message(FACES[face]))} {tiles[face]}" for face in faces if tiles[face]]
        if shown:
            yield "    " + ", ".join(shown)


_STARTED = {
    CALLED: N_("{seat} called Ra."),
    FULL: N_("{seat} had to call Ra: the lot was full."),
    RA_DRAWN: N_("{seat} drew Ra."),
}
_BID = {
    CALLED: N_("{seat} called Ra. {seat_best} bids {best}."),
    FULL: N_("{seat} had to call Ra: the lot was full. {seat_best} bids {best}."),
    RA_DRAWN: N_("{seat} drew Ra. {seat_best} bids {best}."),
}


def auction_line(view: View) -> Message:
    """Return how the auction came about, and the best bid so far."""
    if not view.best:
        return Message(_STARTED[view.auction], {"seat": view.turn})
    return Message(_BID[view.auction], {"seat": view.turn, "seat_best": view.best_by, "best": view.best})


def alt(view: View, say: Say) -> str:
    """Return the table in sentences, for who can't see the picture."""
    return " ".join(say(said) for said in _sentences(view))


def _sentences(view: View) -> Iterator[Message]:
    said = N_("{epoch}, Ra track {ra} of {spaces}, sun {sun} in the centre.")
    yield sentence(said, epoch=EPOCH_NAMES[view.epoch - 1], ra=view.ra, spaces=view.ra_spaces, sun=view.centre)
    if view.lot:
        yield sentence("The lot: {faces}.", faces=named(view.lot))
    else:
        yield sentence("The lot is empty.")
    if view.phase == BID:
        yield auction_line(view)
    if view.drawn:
        yield sentence("Drawn: {tile}.", tile=TILES[view.drawn])
    for seat in range(view.seats):
        yield from _told(view, seat)


def _told(view: View, seat: int) -> Iterator[Message]:
    told = N_("{seat}: {points} point(s), {count} ankh(s).") if view.knows(seat) else N_("{seat}: {count} ankh(s).")
    yield Message(told, {"seat": seat, "points": view.points[seat], "count": view.ankhs[seat]})
    if view.up[seat]:
        yield sentence("Suns face up: {suns}.", suns=suns_of(view.up[seat]))
    else:
        yield sentence("No sun face up.")
    if view.down[seat]:
        yield sentence("Suns face down: {suns}.", suns=suns_of(view.down[seat]))
    for face, count in zip(FACES, view.display[seat], strict=True):
        if count:
            yield sentence("{face}: {count}.", face=face, count=count)


def hand(view: View, say: Say) -> tuple[str, ...]:
    """Return what only the view's own seat knows: with hidden scores its points, else nothing."""
    if view.seat is None or not view.hide_scores or view.phase == OVER:
        return ()
    text = N_("You have {count} point(s); the others don't see them.")
    return (say(Message(text, {"count": view.points[view.seat]})),)
