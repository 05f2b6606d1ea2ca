"""The same board in monospace and in sentences, complete by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.core.message import N_, Message, Param, sentence
from pbem.engine.egizia import data
from pbem.engine.egizia.box import TRACKS
from pbem.engine.egizia.state import Own
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import heading, sphinx_said
from pbem.pictures import monospace
from pbem.pictures.egizia.shapes import Renderer
from pbem.pictures.elements import letter
from pbem.pictures.renderer import Say

_NAME = 18
_BRACKETS = N_("(2) a crew that has worked this round, (name) a used card")
_LEGEND = (
    N_("o round space, == site, - card space without its card, (A) whose ship lies there, > to answer"),
    N_("[A] [.] slot taken, free; < who queues; in the markets whose markers stand where, and what counts there"),
    N_("Graves: (5 4) can be taken now, the first one first; ? not dealt yet"),
    _BRACKETS,
)


def legend(_view: View) -> tuple[str, ...]:
    """Return what the signs of the lines mean."""
    return _LEGEND


def text(view: View, say: Say) -> str:
    """Return the whole board in lines of at most 72 columns."""
    page = Page(view, say)
    lines = [
        say(heading(view)).upper(),
        *(say(Message(line)) for line in legend(view)),
        "",
        *page.river(),
        "",
        *page.buildings(),
        "",
        *page.markets(),
        "",
        *page.players(view),
    ]
    return monospace.page(lines)


class Page(Renderer):
    """The parts of the board as lines."""

    def head(self, name: str) -> str:
        """Return what stands before a line's figures, as its language sets the colon."""
        return self.word("{heading}:", heading=name)

    def river(self) -> Iterator[str]:
        """Yield the twenty spaces, one a line: number, what it is, who is there."""
        for space in range(data.RIVER):
            yield f"{space + 1:>3} {self._space(space)}".rstrip()

    def _space(self, space: int) -> str:
        board, kind = self.board, self.t.kind[space]
        if kind == data.SITE:
            site = self.t.site_of[space]
            slots = " ".join(f"[{letter(owner)}]" for owner in board.slots[site])
            queue = " < " + " ".join(map(letter, board.queue[site])) if board.queue[site] else ""
            return f"== {self.word(data.SITE_NAMES[site])} {slots}{queue}"
        if kind == data.ROUND:
            return f"o  {self.word(self.t.space_name[space])} {self._ships(space)}"
        card = board.cards[space]
        number = self.t.card_spaces.index(space) + 1
        if card >= 0:
            return f"{self.t.names[card]} {self.card(card)}"
        return f"-  {self.word(N_('card space {number}'), number=number)} {self._ships(space)}"

    def _ships(self, space: int) -> str:
        """Return whose ships lie at a space, in brackets; nothing for none."""
        here = " ".join(letter(seat) for seat, fleet in enumerate(self.board.fleet) for at in fleet if at == space)
        return f"({here})" if here else ""

    def buildings(self) -> Iterator[str]:
        """Stones by owner's letter; free spaces by value, those that can't be built yet by a dot."""
        board, t = self.board, self.t
        yield self.word("Stones by owner's letter, free spaces by value.")
        done = "".join(map(letter, board.obelisk))
        rest = " ".join(map(str, t.obelisk[len(board.obelisk) :]))
        yield f"{self.head(N_('Obelisk'))} {done} {rest}".rstrip()
        dug = " ".join(f"{letter(owner)}{value}" for owner, value in zip(board.dug_by, board.dug, strict=True))
        closed = t.parts.grave_spaces - len(board.dug) - len(board.graves_open)
        opened = " ".join(map(str, board.graves_open))
        yield f"{self.head(N_('Graves'))} {dug} ({opened}) {'? ' * closed}".rstrip()
        yield self.head(N_("Pyramid"))
        for row in reversed(range(len(t.rows))):
            values, owners = t.rows[row], board.pyramid[row]
            yield f"  {row + 1}  {' ' * row}{_stacked(owners, values)}"
        yield self.head(N_("Temple"))
        for part, name in enumerate(data.PARTS):
            yield f"  {self.head(name)} {self._part(part)}"

    def _part(self, part: int) -> str:
        values, owners = self.t.temple[part], self.board.temple[part]
        if part == data.ENTABLATURE:
            return " ".join(letter(o) if o >= 0 else str(value) for o, value in zip(owners, values, strict=True))
        return _stacked(owners, values)

    def markets(self) -> Iterator[str]:
        """Both markets, and the ring."""
        board, (sells, costs) = self.board, self.market_labels()
        rows = ((N_("Stone market"), board.stone_at, sells), (N_("Grain market"), board.grain_at, costs))
        for name, places, labels in rows:
            cells = []
            for i, label in enumerate(labels):
                here = "".join(letter(seat) for seat, place in enumerate(places) if place == i)
                cells.append(f"[{' '.join(piece for piece in (label, here) if piece) or ' '}]")
            yield f"{self.head(name)} {''.join(cells)}"
        colours = data.COLOURS[: board.ring + 1]
        yield self.word("Water ring: {ring}; waters: {colours}", ring=data.RING_NAMES[board.ring], colours=colours)

    def players(self, view: View) -> Iterator[str]:
        """Yield everybody in turn order, a mark before who is asked."""
        board = view.board
        asked = board.acting
        for seat in board.order:
            own, pointer = self.own(seat), ">" if seat in asked else " "
            name = self.player(seat)[:_NAME]
            yield f"{pointer}{letter(seat)} {name.ljust(_NAME)} {self.say(_score(own))}"
            yield from (f"    {self.say(said)}" for said in (_crews(own), _food(own)))
            yield f"    {self.cards(seat)}"

    def told(self, seat: int) -> str:
        """Return what a seat has in one sentence."""
        board, t, own = self.board, self.t, self.own(seat)
        markets = self.word(
            N_("stone market {stone} of {last_stone}, grain market {grain} of {last_grain}"),
            stone=board.stone_at[seat],
            last_stone=t.last_stone,
            grain=board.grain_at[seat],
            last_grain=t.last_grain,
        )
        parts = (*(self.say(said) for said in (_score(own), _crews(own), _food(own))), markets, self.cards(seat))
        return f"{self.word('{seat}:', seat=seat)} {'; '.join(parts)}."

    def cards(self, seat: int) -> str:
        """Fields, then cards that can be used, then used ones in brackets."""
        fields = [f"{self.t.names[card]} {self.field(seat, card)}" for card in self.own(seat).fields]
        names = self.usable(seat)
        parts = [self.word("fields: {names}", names=tuple(fields))] if fields else []
        parts += [self.word("cards: {names}", names=tuple(names))] if names else []
        return "; ".join(parts) or self.word("no cards")


def _stacked(owners: Sequence[int], values: Sequence[int]) -> str:
    """Return the stones that stand by their owners, then what the free spaces are worth."""
    return " ".join((*map(letter, owners), *map(str, values[len(owners) :])))


def _score(own: Own) -> Message:
    text = N_("{points} point(s), {stones} stone(s), {ships} ship(s), {sphinx} Sphinx")
    return sentence(text, points=own.points, stones=own.stones, ships=own.ships, sphinx=len(own.kept))


def _crews(own: Own) -> Message:
    """Crews with their strength; those that have worked in brackets."""
    params: dict[str, Param] = {
        crew: f"({strength})" if own.tired >> i & 1 else strength
        for i, (crew, strength) in enumerate(zip(data.CREWS, own.crews, strict=True))
    }
    return sentence("blue {blue}, black {black}, yellow {yellow}, joker {joker}", **params)


def _food(own: Own) -> Message:
    text = N_("grain {grain} of {need}, quarry {stones}, graves {total}")
    return sentence(text, grain=own.grain, need=own.need, stones=own.quarry, total=own.graves)


def alt(view: View, say: Say) -> str:
    """Return the board in sentences, for who can't see the picture."""
    page = Page(view, say)
    told = [f"{say(heading(view))}.", *map(say, _sentences(page)), *(page.told(seat) for seat in view.board.order)]
    if any("(" in one for one in told):
        told.append(f"{say(Message(_BRACKETS))}.")
    return " ".join(told)


def _sentences(page: Page) -> Iterator[Message]:
    board, t = page.board, page.t
    lying = tuple(page.card(card) for card in board.cards if card >= 0)
    if lying:
        yield sentence("On the river lie: {names}.", names=lying)
    doubtful = tuple(t.names[card] for card in board.cards if card >= 0 and not t.cards[card].confirmed)
    parts = tuple(name for name, sure in t.parts.confirmed.items() if not sure and name in TRACKS)
    if doubtful or parts:
        doubts: tuple[str | Message, ...] = (*doubtful, *(Message(TRACKS[name][0]) for name in parts))
        yield sentence("No source confirms what these print: {names}.", names=doubts)
    for space, (kind, name) in enumerate(zip(t.kind, t.space_name, strict=True)):
        seats = tuple(seat for seat, fleet in enumerate(board.fleet) if space in fleet)
        if seats and kind != data.SITE:
            here = name or sentence("card space {number}", number=t.card_spaces.index(space) + 1)
            yield sentence("At {site}: {seats}.", site=here, seats=seats)
    for site, name in enumerate(data.SITE_NAMES):
        seats = tuple(seat for seat in (*board.slots[site], *board.queue[site]) if seat >= 0)
        if seats:
            yield sentence("At {site}: {seats}.", site=name, seats=seats)
    waters = data.COLOURS[: board.ring + 1]
    yield sentence("The water ring waters {colours}.", colours=waters)
    text = N_("Built: Obelisk {obelisk}, graves {graves}, Pyramid {pyramid}, Temple {temple}.")
    pyramid, temple = sum(map(len, board.pyramid)), sum(owner >= 0 for part in board.temple for owner in part)
    yield sentence(text, obelisk=len(board.obelisk), graves=len(board.dug), pyramid=pyramid, temple=temple)
    if board.graves_open:
        yield sentence("Open graves: {values}.", values=tuple(board.graves_open))


def hand(view: View, say: Say) -> tuple[str, ...]:
    """Return what only the view's own seat knows: its Sphinx cards, those just drawn, those it put under the deck."""
    if view.seat is None:
        return ()
    board, t = view.board, view.t
    lines = [say(sphinx_said(t, card)) for card in view.own.kept if card >= 0]
    if view.asked and board.drawn:
        lines.append(say(sentence("Drawn just now: {cards}", cards=board.drawn_names)))
        lines += [say(sphinx_said(t, card)) for card in board.drawn]
    for under in board.under:
        if under.seat == view.seat:
            cards = tuple(t.sphinx[card].id for card in under.laid)
            params: dict[str, Param] = {"cards": cards, "count": len(under.rest)}
            how = N_("You put {cards} under the deck in this order; {count} (lies|lie) there still.")
            if not under.ordered:
                how = N_("You put {cards} under the deck, shuffled; {count} (lies|lie) there still.")
            lines.append(say(Message(how, params)))
    return tuple(lines)
