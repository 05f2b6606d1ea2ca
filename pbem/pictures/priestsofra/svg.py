"""The table as SVG: Ra track, centre sun and lot on top, below them what each player has."""

from __future__ import annotations

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.priestsofra.data import EPOCH_NAMES, FACES, FACES_OF, LANGUAGE, LOT_SPACES
from pbem.engine.priestsofra.marks import BAG, CENTRE, face_mark, lot_mark, ra_mark, sun_mark
from pbem.engine.priestsofra.state import BID, FACE
from pbem.engine.priestsofra.view import View
from pbem.pictures.blocks import WIDTH, Block, Sheet, composed
from pbem.pictures.elements import DASHED, box, fill, fill_and_stroke, stroke, text_width, truncated, words
from pbem.pictures.elements import seat_mark as badge
from pbem.pictures.priestsofra.displays import PANEL, Displays
from pbem.pictures.priestsofra.glyphs import DRAWN, sign, symbols
from pbem.pictures.priestsofra.shapes import GAME, MARGIN, RIGHT, Renderer, sun
from pbem.pictures.priestsofra.text import auction_line
from pbem.pictures.renderer import Legend, Say, kept, path, rectangle
from pbem.pictures.rings import Highlights, Marked

_RA_TOP, _RA_SIDE = 62, 38
_LOT_TOP, _TILE_WIDE, _TILE_HIGH = 140, 134, 62
_GAP, _A_ROW = 8, 4
_LINE_TOP, _LINE_HIGH = 282, 66
"""Where the auction, or the tile that is being placed, is shown while there is one."""


def svg(view: View, say: Say, rings: Marked = ()) -> str:
    """Return the board, what has changed ringed and numbered."""
    return composed(sheet(view, say, rings))


def sheet(view: View, say: Say, rings: Marked = ()) -> Sheet:
    """The same in blocks: what all share, then each player's display; half of those stand below what all share."""
    round_it = Highlights(GAME, say, rings)
    top, displays = CommonBoard(view, say, round_it), Displays(view, say, round_it)
    line = top.auction() or top.drawn()
    high = _LINE_TOP + (_LINE_HIGH if line else 0.0)
    blocks = [Block("table", (WIDTH, high), "".join((*top.all(), line)), links=round_it.links())]
    beside = (view.seats + 2) // 2
    for seat in range(view.seats):
        panel, name = displays.panel(seat, 4), displays.player(seat)
        column = 1 if seat < view.seats - beside else 2
        blocks.append(Block(f"seat-{seat}", (WIDTH, PANEL + 12), panel, column, name, round_it.links()))
    title, epoch = say(sentence("The table of Priests of Ra")), say(Message(EPOCH_NAMES[view.epoch - 1]))
    return Sheet(GAME, title, epoch, tuple(blocks), symbols())


def legend(say: Say) -> Legend:
    """Return what the signs mean: each in a box of 32 by 24, and its words."""
    told = LANGUAGE.said["signs"]
    signs = [(key, f'<g transform="translate(4 0)">{DRAWN[key]}</g>') for key in told]
    found = tuple((f'<g transform="scale(.72)">{drawn}</g>', say(Message(told[key]))) for key, drawn in signs)
    disc = '<g transform="scale(.6)">' + sun(9, 26, 20, 15, 20) + "</g>"
    text = N_("sun face up: one you can bid with; face down it waits for the next epoch")
    return (*found, (disc, say(sentence(text))))


class CommonBoard(Renderer):
    """The upper half of the picture: what all players share."""

    def all(self) -> tuple[str, ...]:
        """Return everything but the line of what goes on."""
        return self.head(), self.ra_track(), self.centre(), self.lot()

    def head(self) -> str:
        """Return the bag on the right."""
        bag = self.word("{count} in the bag", count=sum(self.view.bag))
        wide = text_width(bag, 20)
        sack = path(
            f"M{RIGHT - wide - 36:g} 10h14l-3 6q12 6 12 16q0 6-8 6h-16q-8 0-8-6q0-10 12-16z",
            fill_and_stroke("sand", "ink"),
        )
        lettered = words(RIGHT, 32, bag, 20, anchor="end", colour="ink")
        place = (RIGHT - wide - 54, 6.0, wide + 62, 36.0)
        ring = self.rings.ring(BAG, place, (RIGHT - wide - 68, 24))
        return self.named(BAG, bag, rectangle(*place, fill("paper")), sack, lettered, ring)

    def ra_track(self) -> str:
        """PR-1.3: the spaces of the Ra track; the last one ends the epoch."""
        spaces = self.view.ra_spaces
        heading = self.word("Ra: {count} of {spaces}", count=self.view.ra, spaces=spaces)
        drawn = (self._ra_space(ra_mark(n), n, n <= self.view.ra, n == spaces) for n in range(1, spaces + 1))
        return words(MARGIN, 32, heading, 20, weight=600) + "".join(drawn)

    @kept
    def _ra_space(self, mark: str, space: int, taken: bool, last: bool) -> str:  # noqa: FBT001 - what is known of it
        x = MARGIN + (space - 1) * (_RA_SIDE + 6)
        title = self.word("Ra track, space {space}", space=space)
        ring = self.rings.ring(mark, (x, _RA_TOP, _RA_SIDE, _RA_SIDE), (x + _RA_SIDE / 2, _RA_TOP - 13))
        paint = stroke("danger", 3) if last else stroke("muted") + DASHED
        drawn = box(x, _RA_TOP, _RA_SIDE, _RA_SIDE, fill_and_stroke("accent", "accent") if taken else paint)
        if taken:
            middle = x + _RA_SIDE / 2
            drawn += words(middle, _RA_TOP + 26, "Ra", 20, weight=600, anchor="middle", colour="paper", serif=True)
        return self.named(mark, title, drawn, ring)

    def centre(self) -> str:
        """Return the sun in the centre."""
        x, y = RIGHT - 40, 90
        title = self.word("Sun {sun} in the centre", sun=self.view.centre)
        drawn = self.named(sun_mark(self.view.centre), title, sun(self.view.centre, x, y, 32, 31))
        return self.named(CENTRE, title, drawn, self.rings.ring(CENTRE, (x - 38, y - 38, 76, 76), (x - 50, y + 24)))

    def lot(self) -> str:
        """PR-2.3: the auction track, eight spaces in two rows."""
        heading = self.word("Lot: {count} of {spaces}", count=len(self.view.lot), spaces=LOT_SPACES)
        parts = [words(MARGIN, 130, heading, 20, weight=600)]
        for space in range(LOT_SPACES):
            face = FACES[self.view.lot[space]] if space < len(self.view.lot) else ""
            parts.append(self._lot_space(lot_mark(space + 1), space, face))
        return "".join(parts)

    @kept
    def _lot_space(self, mark: str, space: int, face: str) -> str:
        x = MARGIN + space % _A_ROW * (_TILE_WIDE + _GAP)
        y = _LOT_TOP + space // _A_ROW * (_TILE_HIGH + _GAP)
        ring = self.rings.ring(mark, (x, y, _TILE_WIDE, _TILE_HIGH), (x + _TILE_WIDE - 13, y + 13))
        if face:
            return self.named(mark, self.word(face), self._tile(face, x, y), ring)
        title = self.word("Empty space {space} of the lot", space=space + 1)
        return self.named(mark, title, box(x, y, _TILE_WIDE, _TILE_HIGH, stroke("line", 2) + DASHED), ring)

    def _tile(self, face: str, x: float, y: float) -> str:
        """Return a tile with its sign and its name."""
        name, room = self.word(face), _TILE_WIDE - 10
        return (
            box(x, y, _TILE_WIDE, _TILE_HIGH, fill_and_stroke("raised", "ink"))
            + sign(face.replace(" ", "-"), x + 5, y + 5, 34)
            + words(x + 6, y + _TILE_HIGH - 7, truncated(name, room, 18), 18)
        )

    def auction(self) -> str:
        """Return who started the auction, and the best bid; nothing while there is none."""
        if self.view.phase != BID:
            return ""
        line = truncated(self.say(auction_line(self.view)), RIGHT - MARGIN - 60, 20)
        strip = box(MARGIN - 8, _LINE_TOP, RIGHT - MARGIN + 16, 44, fill("accent"))
        disc = f'<circle cx="{MARGIN + 16}" cy="{_LINE_TOP + 22}" r="18"{fill("paper")}/>'
        lettered = words(MARGIN + 46, _LINE_TOP + 29, line, 20, weight=600, colour="paper")
        return strip + disc + badge(self.view.turn, MARGIN + 16, _LINE_TOP + 22, 13) + lettered

    def drawn(self) -> str:
        """PR-2.3: the two faces of a tile that is being placed."""
        if self.view.phase != FACE:
            return ""
        parts = [words(MARGIN, _LINE_TOP + 31, self.word("Drawn:"), 20, weight=600)]
        for number, face in enumerate(FACES_OF[self.view.drawn], 1):
            x = MARGIN + number * (_TILE_WIDE + _GAP)
            parts.append(self.named(face_mark(face), self.word(FACES[face]), self._tile(FACES[face], x, _LINE_TOP)))
        return "".join(parts)
