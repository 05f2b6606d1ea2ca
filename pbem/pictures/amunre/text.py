"""The board of Amun-Re in monospace and in sentences, complete by itself."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.amunre.auction import lowest
from pbem.engine.amunre.cards import held
from pbem.engine.amunre.data import LANDS, PRICES, PROVINCES, names
from pbem.engine.amunre.harvest import workers
from pbem.engine.amunre.view import View
from pbem.engine.amunre.words import heading
from pbem.engine.core.message import N_, Message, sentence
from pbem.pictures import monospace
from pbem.pictures.amunre import captions
from pbem.pictures.amunre.captions import BANKS, HALVES
from pbem.pictures.elements import letter
from pbem.pictures.renderer import Say

_NAME = 16
_LEGEND = (
    N_("f farmers/fields, s stones, p pyramids, c card limit, i income (k camel)"),
    N_("t temples, ~ on the river, > up for auction or to answer, * first player, () not won yet"),
)
_AUCTION = N_(
    "[B 1 | 3..] B bids 1, the next bid is 3 or more; - nobody has bid; +2c or +9g: 2 cards or 9 gold with it"
)


def text(view: View, say: Say) -> str:
    """Return the whole board in lines of at most 72 columns."""
    return monospace.page(_lines(view, say))


def legend(view: View) -> tuple[str, ...]:
    """Return what the signs of the lines mean."""
    return (*_LEGEND, _AUCTION) if view.shown else _LEGEND


def _lines(view: View, say: Say) -> Iterator[str]:
    piles = say(sentence("Deck {deck}, discard pile {pile}.", deck=view.deck_size, pile=sum(view.discard)))
    yield say(heading(view)).upper()
    total = captions.total_of(view)
    yield " ".join([say(captions.temple_of(view)), *([say(total)] if total else []), piles])
    yield from (say(Message(line)) for line in legend(view))
    for half in (0, 1):
        for bank in (0, 1):
            lands = [p for p in range(LANDS) if (view.board.half[p], view.board.bank[p]) == (half, bank)]
            if lands:
                yield ""
                yield f"{say(Message(HALVES[half]))}, {say(Message(BANKS[bank]))}"
                for p in lands:
                    yield _land(view, p)
    yield ""
    for seat in range(view.seats):
        yield _seat(view, seat, say)


def _land(view: View, p: int) -> str:
    board = view.board
    sign = ">" if p in view.shown else letter(view.owner[p]) if view.owner[p] >= 0 else " "
    river = "~" if board.riverside[p] else " "
    name = PROVINCES[p] if captions.in_game(view, p) else f"({PROVINCES[p]})"
    farmers = f"f {workers(view, p)}/{board.fields[p]}"
    rest = [f"s {view.stones[p]}", f"p {view.pyramids[p]}", f"c {board.card_limit[p]}"]
    income = f"i {board.income[p]}{'k' if board.camel[p] else ''}" if board.income[p] else ""
    temples = f"t {board.temples[p]}" if board.temples[p] else ""
    line = f" {sign} {name:<11}{river} {farmers:<6} {' '.join(rest)} {income or temples:<4}"
    return f"{line} {_bids(view, p)}".rstrip()


def _bids(view: View, p: int) -> str:
    """Return how a province stands in the auction: who bids what, what comes next, and the bonus."""
    if p not in view.shown:
        return ""
    seat = view.at.index(p) if p in view.at else -1
    now = f"{letter(seat)} {PRICES[view.bids[seat]]}" if seat >= 0 else "-"
    gold, cards = captions.lying_on(view, p)
    bonus = f" +{gold}g" * bool(gold) + f" +{cards}c" * bool(cards)
    return f"[{now} | {PRICES[lowest(view, p)]}..]{bonus}"


def _seat(view: View, seat: int, say: Say) -> str:
    pointer = ">" if seat in view.awaited else " "
    star = "*" if view.first == seat else " "
    name = say(Message("{seat}", {"seat": seat}))[:_NAME]
    return f"{pointer}{letter(seat)}{star}{name:<{_NAME}} {', '.join(_figures(view, seat, say))}"


def _figures(view: View, seat: int, say: Say) -> list[str]:
    """Return a seat's points, what all may see of its purse, its offering once that lies open, and its place."""
    parts = [say(sentence("{points} point(s)", points=view.points[seat]))]
    if captions.is_purse_open(view):
        parts.append(say(sentence("{gold} gold", gold=view.gold[seat])))
    if captions.is_count_open(view):
        parts.append(say(sentence("{cards} card(s)", cards=view.cards[seat] or 0)))
    gift = captions.offered(view, seat)
    if gift:
        parts.append(say(gift))
    if view.places:
        parts.append(say(sentence("place {place}", place=view.places[seat])))
    return parts


def alt(view: View, say: Say) -> str:
    """Return the board in sentences, for who can't see the picture."""
    told = [say(heading(view)).rstrip(".") + ".", say(captions.temple_of(view))]
    total = captions.total_of(view)
    if total:
        told.append(say(total))
    lands = [p for p in range(LANDS) if p in view.shown or view.owner[p] >= 0 or view.pyramids[p] or view.stones[p]]
    told += [captions.about(view, p, say) for p in lands]
    for seat in range(view.seats):
        name = say(Message("{seat}:", {"seat": seat}))
        first = [say(sentence("first player"))] * (seat == view.first)
        told.append(f"{name} {', '.join((*_figures(view, seat, say), *first))}.")
    return " ".join(told)


def hand(view: View, say: Say) -> tuple[str, ...]:
    """Return what only the view's own seat knows, in sentences; nothing for a spectator."""
    if view.seat is None:
        return ()
    told = []
    if not captions.is_purse_open(view):
        told.append(sentence("You have {gold} gold.", gold=view.gold[view.seat]))
    if any(view.hand):
        told.append(sentence("Your cards: {cards}.", cards=names(held(view.hand))))
    else:
        told.append(sentence("You have no power cards."))
    if view.drawn and view.drawn[0] >= 0:
        told.append(sentence("You drew: {cards}.", cards=names(view.drawn)))
    known_top = names(kind for kind in reversed(view.top) if kind >= 0)
    if known_top:
        told.append(sentence("You put on the deck, the top one first: {cards}.", cards=known_top))
    if view.keeps[view.seat]:
        kept = names(view.keeps[view.seat])
        told.append(sentence("You keep from the next scoring: {cards}.", cards=kept))
    return tuple(map(say, told))
