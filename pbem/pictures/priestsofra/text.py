"""The same table in monospace and in sentences, complete by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.core.types import N_, Message
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, LOT_SPACES
from pbem.pictures import monospace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.core.types import Value
    from pbem.engine.priestsofra.view import Player, View
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
    params: dict[str, Value] = {"count": view.ra, "spaces": view.ra_spaces}
    track = "".join("#" if space < view.ra else "." for space in range(view.ra_spaces))
    bag = say(Message(N_("{count} in the bag"), {"count": sum(view.bag.values())}))
    ra = say(Message(N_("Ra: {count} of {spaces}"), params))
    yield f"{say(Message(EPOCH_NAMES[view.epoch - 1])).upper()}   [{track}] {ra}   {bag}"
    yield from (say(Message(line)) for line in legend(view))
    lot = say(Message(N_("Lot: {count} of {spaces}"), {"count": len(view.lot), "spaces": LOT_SPACES}))
    centre = say(Message(N_("Sun {sun} in the centre"), {"sun": view.centre}))
    yield f"{lot}   {centre}"
    for row in (view.lot[:4], view.lot[4:]):
        if row:
            yield "  " + "".join(f"[{say(Message(face))}] ".ljust(17) for face in row).rstrip()
    if view.phase == "bid":
        yield say(auction_line(view))
    if view.drawn:
        yield say(Message(N_("Drawn: {tile}"), {"tile": view.drawn}))
    for seat, player in enumerate(view.players):
        yield ""
        yield from _player(view, seat, player, say)


def _player(view: View, seat: int, player: Player, say: Say) -> Iterator[str]:
    pointer = ">" if seat == view.actor or seat in view.asked else " "
    name = say(Message("{seat}", {"seat": seat}))
    points = "?" if player.points is None else str(player.points)
    counted = say(Message(N_("{points} points"), {"points": points}))
    ankhs = say(Message(N_("{count} ankh(s)"), {"count": player.ankhs}))
    up = " ".join(f"({sun})" for sun in player.suns_up)
    down = " ".join(map(str, player.suns_down))
    suns = " / ".join(part for part in (up, down) if part)
    yield f"{pointer}{chr(ord('A') + seat)} {name[:_NAME].ljust(_NAME)} {counted}, {ankhs}   {suns}"
    for faces in _GROUPS:
        shown = [
            f"{say(Message(FACES[face]))} {player.tiles[FACES[face]]}" for face in faces if player.tiles[FACES[face]]
        ]
        if shown:
            yield "    " + ", ".join(shown)


_STARTED = {
    "called": N_("{seat} called Ra."),
    "full": N_("{seat} had to call Ra: the lot was full."),
    "ra": N_("{seat} drew Ra."),
}
_BID = {
    "called": N_("{seat} called Ra. {seat_best} bids {best}."),
    "full": N_("{seat} had to call Ra: the lot was full. {seat_best} bids {best}."),
    "ra": N_("{seat} drew Ra. {seat_best} bids {best}."),
}


def auction_line(view: View) -> Message:
    """Return how the auction came about, and the best bid so far."""
    if view.best_by is None:
        return Message(_STARTED[view.auction], {"seat": view.turn})
    return Message(_BID[view.auction], {"seat": view.turn, "seat_best": view.best_by, "best": view.best})


def alt(view: View, say: Say) -> str:
    """Return the table in sentences, for who can't see the picture."""
    return " ".join(say(said) for said in _sentences(view))


def _sentences(view: View) -> Iterator[Message]:
    yield Message(
        N_("{epoch}, Ra track {ra} of {spaces}, sun {sun} in the centre."),
        {"epoch": EPOCH_NAMES[view.epoch - 1], "ra": view.ra, "spaces": view.ra_spaces, "sun": view.centre},
    )
    if view.lot:
        yield Message(N_("The lot: {faces}."), {"faces": view.lot})
    else:
        yield Message(N_("The lot is empty."))
    if view.phase == "bid":
        yield auction_line(view)
    if view.drawn:
        yield Message(N_("Drawn: {tile}."), {"tile": view.drawn})
    for seat, player in enumerate(view.players):
        yield from _told(seat, player)


def _told(seat: int, player: Player) -> Iterator[Message]:
    if player.points is None:
        yield Message(N_("{seat}: {count} ankh(s)."), {"seat": seat, "count": player.ankhs})
    else:
        params: dict[str, Value] = {"seat": seat, "points": player.points, "count": player.ankhs}
        yield Message(N_("{seat}: {points} point(s), {count} ankh(s)."), params)
    if player.suns_up:
        yield Message(N_("Suns face up: {suns}."), {"suns": player.suns_up})
    else:
        yield Message(N_("No sun face up."))
    for face, count in player.tiles.items():
        if count:
            yield Message(N_("{face}: {count}."), {"face": face, "count": count})


def hand(view: View, say: Say) -> tuple[str, ...]:
    """Return what only the view's own seat knows: with hidden scores its points, else nothing."""
    if view.seat is None or not view.hide_scores or view.phase == "over":
        return ()
    points = view.players[view.seat].points
    return (
        ()
        if points is None
        else (say(Message(N_("You have {count} point(s); the others don't see them."), {"count": points})),)
    )
