"""What happened is told: the events of a ply, added to the figures before it, give the figures after it.

So each change is told by some event, and no event tells a change that didn't happen, in every record. An event of which
the books below don't know what it changes fails. Who alone is told something is told of what is theirs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from pbem.engine import replay
from pbem.engine.amunre import data as amunre
from pbem.engine.core import records
from pbem.engine.egizia import data as egizia
from pbem.engine.egizia.tables import tables_of
from pbem.engine.priestsofra import data as priests
from pbem.engine.priestsofra.state import suns_of
from pbem.engine.registry import GAMES
from tests.engine.egizia.tables import Table
from tests.engine.test_records import RECORDS

if TYPE_CHECKING:
    from pbem.engine.core.message import Event

Figures: TypeAlias = "defaultdict[tuple[Any, str], int]"
"""By whose (a seat, a province, "-" for the table) and of what."""
Holes: TypeAlias = Mapping[str, Any]
"""What fills an event's holes."""
Book: TypeAlias = "dict[str, str | Callable[[Figures, Holes], None]]"
"""By an event's text what it changes: `whose figure sign amount`, several by commas; or what does it.

Whose, the amount and a figure in braces are holes' names; `-` is the table, `*` each of a hole's names; empty: none.
"""


def _change(figures: Figures, holes: Holes, change: str) -> None:
    whose, what, sign, number = change.split()
    for name in holes[what[1:]] if what.startswith("*") else (what.format(**holes),):
        amount = holes[number] if number in holes else int(number)
        key = (holes.get(whose, whose), name)
        figures[key] = amount if sign == "=" else figures[key] + (amount if sign == "+" else -amount)


def add(book: Book, figures: Figures, events: Iterable[Event]) -> None:
    """Take what happened into the figures."""
    for event in events:
        assert event.seen_by in {None, (event.seat,)}
        holes, told = {"seat": event.seat, **event.params}, book[event.text]
        if callable(told):
            told(figures, holes)
        else:
            for change in filter(None, told.split(", ")):
                _change(figures, holes, change)


def _placed(what: str) -> Callable[[Figures, Holes], None]:
    """Farmers or stones, bought or as a reward."""

    def told(figures: Figures, holes: Holes) -> None:
        figures[holes["seat"], "gold"] -= holes.get("gold", 0)
        for number, province in (one.split(" ", 1) for one in holes["placed"]):
            figures[province, what] += int(number)

    return told


def _played_on(figures: Figures, holes: Holes) -> None:
    figures[holes["seat"], holes["card"]] -= 1
    brings = {"architect": "stones", "free farmer": "farmers"}.get(holes["card"])
    if brings:
        figures[holes["province"], brings] += 1


def _old_kingdom(figures: Figures, _holes: Holes) -> None:
    for name in amunre.PROVINCES:
        figures[name, "owner"] = figures[name, "farmers"] = 0


def _moves(figures: Figures, holes: Holes) -> None:
    assert figures["-", "temple"] != holes["temple"]
    figures["-", "temple"] = holes["temple"]


AMUN_RE: Book = {
    "{seat} is first player.": "- first = seat",
    "{seat} offered most and is first player from now on.": "- first = seat",
    "Up for auction: {provinces}.": "- total = 0",
    "Stones laid on {province}: {stones}.": "province stones + stones",
    "Power cards laid face down on {province}: {cards}.": "",
    "There is no power card left for {province}.": "",
    "{seat} bids {gold} gold on {province}.": "province bid = gold",
    "{seat} bids {gold} gold on {province} and outbids {seat_beaten}.": "province bid = gold",
    "{seat} plays {card} with the bid.": "seat {card} - 1",
    "{seat} sells {cards} for {gold} gold.": "seat *cards - 1, seat gold + gold",
    "{seat} pays {gold} gold and takes {province}.": "seat gold - gold, province owner = seat, province bid = 0",
    "{seat} takes the bonus of {province}: {gold} gold.": "seat gold + gold",
    "{seat} takes the bonus of {province}: {cards} power card(s).": "",
    "{seat} takes the bonus of {province}: {gold} gold and {cards} power card(s).": "seat gold + gold",
    "You draw {cards}.": "seat *cards + 1",
    "The discard pile is shuffled into a new deck.": "",
    "{seat} puts cards drawn back on the deck: {cards}.": "",
    "{seat} discards {cards}.": "",
    "{seat} buys no power cards.": "",
    "{seat} buys {cards} power card(s) for {gold} gold.": "seat gold - gold",
    "{seat} buys no farmers and no stones.": "",
    "{seat} buys farmers for {gold} gold: {placed}.": _placed("farmers"),
    "{seat} buys stones for {gold} gold: {placed}.": _placed("stones"),
    "{seat} takes farmers as a reward: {placed}.": _placed("farmers"),
    "{seat} takes stones as a reward: {placed}.": _placed("stones"),
    "{seat} plays {card} on {province}.": _played_on,
    "On {province} a pyramid is finished. Pyramids there now: {pyramids}.": "province pyramids + 1",
    "On {province} pyramids are finished: {more}. Pyramids there now: {pyramids}.": "province pyramids + more",
    "{seat} offers {gold} gold.": "seat gold - gold",
    "{seat} offers {gold} gold, with an adjustment card.": "seat gold - gold, seat adjustment - 1",
    "{seat} plays theft.": "seat gold + 3",
    "{seat} plays theft, with an adjustment card.": "seat gold + 3, seat adjustment - 1",
    "The offerings come to {total}.": "- total = total",
    "{seat} raises the total to {total}.": "- total + 3",
    "{seat} need not choose, since up or down the temple comes to the same space:"
    " the total is raised to {total}.": "- total + 3",
    "{seat} lowers the total to {total}.": "- total - 3",
    "The temple moves to space {temple}: every farmer earns {temple} gold.": _moves,
    "The temple stays on space {temple}: every farmer earns {temple} gold.": "",
    "{seat} earns a reward of {items} item(s).": "",
    "{seat} takes power cards as a reward: {cards}.": "",
    "{seat} harvests {gold} gold.": "seat gold + gold",
    "{seat} brings in the harvest.": "",
    "You harvest {gold} gold.": "seat gold + gold",
    "At the next scoring you keep: {cards}.": "",
    "At the next scoring you play every bonus card that counts.": "",
    "{seat} plays {cards} and scores 3 points for each.": "seat *cards - 1",
    "{seat} scores {points}: pyramids {pyramids}, sets {sets}, banks {banks}, temples {temples},"
    " cards {cards}, gold {gold}.": "seat points + pyramids, seat points + sets, seat points + banks,"
    " seat points + temples, seat points + cards, seat points + gold",
    "The old kingdom ends: markers and farmers leave the board, pyramids and stones stay.": _old_kingdom,
}


def _amun_re(state: Any) -> Figures:
    """Stones count those of pyramids, of which the architect lays one."""
    figures: Figures = defaultdict(int, {("-", "first"): state.first, ("-", "temple"): state.temple})
    figures["-", "total"] = state.total
    for seat in range(state.seats):
        figures |= {(seat, "gold"): state.gold[seat], (seat, "points"): state.points[seat]}
        figures |= {(seat, amunre.CARDS[kind]): number for kind, number in enumerate(state.hands[seat])}
    for p, name in enumerate(amunre.PROVINCES):
        figures[name, "owner"] = max(state.owner[p], 0)
        figures[name, "farmers"] = state.farmers[p] + state.ground[p]
        figures[name, "pyramids"] = state.pyramids[p]
        figures[name, "stones"] = state.stones[p] + 3 * state.pyramids[p]
        figures[name, "bid"] = amunre.PRICES[state.bids[state.at.index(p)]] if p in state.at else 0
    return figures


def _takes(figures: Figures, holes: Holes) -> None:
    """A Nile card: it lies before its seat, or acts at once and is gone."""
    seat, card = holes["seat"], TABLES.cards[TABLES.index[holes["card"]]]
    gains = {"stones": "stones", "vp": "points", "stone_market": "stone market", "grain_market": "grain market"}
    if card.type != "immediate":
        figures[seat, holes["card"]] += 1
    elif card.effect in gains:
        assert not card.value or holes["value"] == card.value
        figures[seat, gains[card.effect]] += card.value
    _at_most_the_last_space(figures)


def _at_most_the_last_space(figures: Figures) -> None:
    """A step in a market that can't be made pays instead, and that is told."""
    for key in figures:
        if key[1] in {"stone market", "grain market"}:
            figures[key] = min(figures[key], TABLES.last_stone)


def _in_markets(*markets: str) -> Callable[[Figures, Holes], None]:
    def told(figures: Figures, holes: Holes) -> None:
        for market in markets or (f"{holes['market']} market",):
            figures[holes["seat"], market] += holes.get("times", 1)
        _at_most_the_last_space(figures)

    return told


def _uses(figures: Figures, holes: Holes) -> None:
    """Cards for once are gone, those for once a round stay."""
    lasting = {egizia.EFFECT_NAMES[power] for power in egizia.PERMANENT.values()}
    for name in holes["cards"]:
        if name not in lasting:
            _gone(figures, holes["seat"], {name})


def _gone(figures: Figures, seat: int, names: set[str], worth: int = 0) -> None:
    """A card of one of these names goes, or as many as are worth so much."""
    for card in TABLES.cards:
        if card.type == "anytime" and figures[seat, card.id] and TABLES.what[TABLES.index[card.id]] in names:
            figures[seat, card.id] = 0
            worth -= card.value
            if worth <= 0:
                return
    raise AssertionError(names)


def _sells(figures: Figures, holes: Holes) -> None:
    figures[holes["seat"], "points"] += holes["stones"]
    figures[holes["seat"], "stones"] -= holes["stones"]
    _gone(figures, holes["seat"], {"sell stones"}, holes["stones"])


def _ring(figures: Figures, holes: Holes) -> None:
    assert figures["-", "ring"] != egizia.RING_NAMES.index(holes["ring"])
    figures["-", "ring"] = egizia.RING_NAMES.index(holes["ring"])


EGIZIA: Book = {
    "Turn order by lot: {seats}.": "",
    "Graves turned up: {values}.": "",
    "You are dealt {card}.": "seat kept + 1",
    "Round {round}. On the river: {cards}.": "- round = round",
    "{seat} passes.": "",
    "{seat} has no ship or space left and passes.": "",
    "Everybody has passed; ships but those at sites come back.": "",
    "{seat} uses cards: {cards}.": _uses,
    "{seat} takes {card}: {what} {value}.": _takes,
    "{seat} takes {card}: {what}.": _takes,
    "{seat} takes {card}, left on the river: {what} {value}.": _takes,
    "{seat} takes {card}, left on the river: {what}.": _takes,
    "{seat} takes no card that was left.": "",
    "{seat} raises crews by 1: {crews}.": "seat *crews + 1",
    "{seat} has {points} stone(s) there: {points} point(s).": "seat points + points",
    "{seat} sails to {place}, slot {slot}.": "",
    "{seat} sails to {place} and waits behind its slots.": "",
    "{seat} sails to {place}: one step in both markets.": _in_markets("stone market", "grain market"),
    "{seat} sails to {place}: {times} steps in both markets.": _in_markets("stone market", "grain market"),
    "{seat} sails to {place}: {crews} +1.": "seat *crews + 1",
    "{seat} sails to {place}: {crews} +{times}.": "seat *crews + times",
    "{seat} sails to {place}: joker +1.": "seat joker + 1",
    "{seat} sails to {place}: joker +{times}.": "seat joker + times",
    "{seat} sails to {place}: {crews} +1 and {stones} stone(s).": "seat *crews + 1, seat stones + stones",
    "The water ring moves to the {ring}: it waters {waters} fields.": _ring,
    "{seat} loses {steps} step(s) of the {crew} crew: {most} is the most.": "seat {crew} - steps",
    "{seat} has no room for {stones} stone(s): {most} is the most.": "seat stones - stones",
    "{seat} is at the end of the grain market: {points} point(s).": "seat points + points",
    "{seat} is at the end of the stone market: {stones} stone(s).": "seat stones + stones",
    "{seat} steps down the {market} market.": _in_markets(),
    "{seat} improves the {crew} crew by 1.": "seat {crew} + 1",
    "{seat} pays {stones} stone(s): the {crew} crew +1.": "seat {crew} + 1, seat stones - stones",
    "{seat} improves field {field}: it is {colour} now.": "seat {field} + 1",
    "{seat} sells {stones} stone(s) for {stones} point(s).": _sells,
    "{seat} moves the ship at {site} to slot {slot}.": lambda figures, holes: _gone(
        figures, holes["seat"], {"move ship"}
    ),
    "{seat} feeds with {grain} grain from cards.": lambda figures, holes: _gone(
        figures, holes["seat"], {"grain"}, holes["grain"]
    ),
    "{seat} feeds with {stones} stone(s).": "seat stones - stones",
    "{seat} lacks {missing} grain: minus {points} point(s).": "seat points - points",
    "{seat} quarries {stones} stone(s) and has {total}.": "seat stones = total",
    "{seat} pays {stones} stone(s) and draws {cards} Sphinx card(s).": "seat stones - stones",
    "You draw {cards}.": "",
    "{seat} keeps {kept} and puts {others} under the deck: {others} point(s).": "seat points + others,"
    " seat kept + kept",
    "You keep {cards}.": "",
    "{seat} builds {stones} stone(s) on Pyramid and Temple: {points} point(s).": "- built + stones,"
    " seat points + points, seat stones - points",
    "Row {row} of the Pyramid is full: {seat} has most stones there, {points} point(s).": "seat points + points",
    "{seat} builds {obelisk} Obelisk space(s) and takes {graves} grave(s): {points} point(s).": "- built + obelisk,"
    " - graves + graves, seat points + points, seat stones - points",
    "{seat} builds {obelisk} Obelisk space(s): {points} point(s).": "- built + obelisk,"
    " seat points + points, seat stones - points",
    "{seat} takes {graves} grave(s): {points} point(s).": "- graves + graves,"
    " seat points + points, seat stones - points",
    "{seat} can't build at {site} and gives the place away.": "",
    "{seat} gives the place at {site} away.": "",
    "{seat} took part at {sites} site(s): {points} point(s).": "seat points + points",
    "New order: {seats}.": "",
    "{seat} sells {stones} stone(s): {points} point(s).": "seat points + points, seat stones - stones",
    "{seat} has graves worth {total}: {points} point(s).": "seat points + points",
    "{seat} reveals {card} ({what}): {points} point(s).": "seat points + points",
}
TABLES = tables_of("")


def _egizia(state: Any) -> Figures:
    figures: Figures = defaultdict(
        int, {("-", "round"): state.round, ("-", "ring"): state.ring, ("-", "graves"): len(state.dug)}
    )
    figures["-", "built"] = sum(
        len(stack) for stack in (state.obelisk, *state.pyramid, *state.temple[: egizia.ENTABLATURE])
    )
    figures["-", "built"] += sum(owner >= 0 for owner in state.temple[egizia.ENTABLATURE])
    for seat in range(state.players):
        figures |= {(seat, "points"): state.score[seat], (seat, "stones"): state.stones[seat]}
        figures |= {(seat, "stone market"): state.stone_at[seat], (seat, "grain market"): state.grain_at[seat]}
        figures |= dict(zip([(seat, crew) for crew in egizia.CREWS], state.own(seat).crews, strict=True))
        figures[seat, "kept"] = len(state.kept[seat])
        held = {*state.fields[seat], *state.quarries[seat], *state.permanents[seat], *state.ready[seat]}
        for card in held | set(state.laid[seat]):
            figures[seat, TABLES.names[card]] = 1 + state.laid[seat].count(card)
    return figures


def _lot_goes(figures: Figures, holes: Holes) -> None:
    """The lot leaves the game, or comes before who won it."""
    for key in [key for key in figures if key[0] == "lot"]:
        if "sun" in holes:
            figures[holes["seat"], key[1]] += figures[key]
        del figures[key]


def _wins(figures: Figures, holes: Holes) -> None:
    _lot_goes(figures, holes)
    figures[holes["seat"], f"up {holes['sun']}"] -= 1
    figures[holes["seat"], f"down {holes['centre']}"] += 1
    figures["-", "centre"] = holes["sun"]


def _people_leave(figures: Figures, _holes: Holes) -> None:
    names = priests.named((*priests.PEOPLE, priests.PRIEST))
    for key in [key for key in figures if key[1] in names]:
        del figures[key]


def _epoch_begins(figures: Figures, holes: Holes) -> None:
    figures["-", "epoch"] = priests.EPOCH_NAMES.index(holes["epoch"])
    for whose, name in [key for key in figures if key[1].startswith("down ")]:
        figures[whose, name.replace("down", "up")] += figures.pop((whose, name))


PRIESTS: Book = {
    "The {epoch} begins. {seat} holds the highest sun, {sun}, and starts.": _epoch_begins,
    "{seat} draws {tile} and shows {face}: space {space}.": "lot {face} + 1",
    "{seat} draws a {tile}: space {space}.": "lot {face} + 1",
    "{seat} draws {tile} and chooses which face it shows.": "",
    "{seat} shows {face}: space {space}.": "lot {face} + 1",
    "{seat} draws Ra: {count} of {spaces} on the track.": "- Ra = count",
    "The lot is full: {seat} must call Ra.": "",
    "{seat} calls Ra for {count} tile(s).": "",
    "{seat} calls Ra while the lot is empty.": "",
    "{seat} bids {sun}.": "",
    "{seat} passes.": "",
    "Nobody bids: the whole lot leaves the game.": _lot_goes,
    "Nobody bids: the lot stays.": "",
    "{seat} wins with sun {sun}, takes {faces}, and sun {centre} face down.": _wins,
    "{seat} wins with sun {sun} and takes sun {centre} face down; the lot was empty.": _wins,
    "{seat} has used every sun and waits for the end of the epoch.": "",
    "{seat} goes on alone.": "",
    "{seat} flips {faces} to {others}.": "seat *faces - 1, seat *others + 1",
    "{seat} flips no tile.": "",
    "The last face-up sun is used: the {epoch} ends.": "- Ra = 0",
    "Ra fills the track: the {epoch} ends at once, without an auction.": "- Ra = 0",
    "Ra fills the track while {seat} plays alone: the {epoch} ends at once.": "- Ra = 0",
    "The lot leaves the game: {faces}.": _lot_goes,
    "{seat} takes {count} ankh(s) for the kinds of people.": "seat ankhs + count",
    "The priests of {seat} return a plague.": "seat plague - 1",
    "{seat} scores {points} for {line}.": "",
    "{seat} loses {points} for {line}.": "",
    "{seat} comes to {total} point(s), {net} from the {epoch}.": "seat points = total",
    "All people and priests leave the game.": _people_leave,
    "The game is over. Won by {seats}.": "",
}


def _priests(state: Any) -> Figures:
    figures: Figures = defaultdict(
        int, {("-", "Ra"): state.ra, ("-", "centre"): state.centre, ("-", "epoch"): state.epoch - 1}
    )
    figures |= Counter(("lot", face) for face in priests.named(state.lot))
    for seat in range(state.seats):
        figures |= {(seat, "points"): state.points[seat], (seat, "ankhs"): state.ankhs[seat]}
        figures |= {(seat, priests.FACES[face]): number for face, number in enumerate(state.display[seat])}
        figures |= {(seat, f"up {sun}"): 1 for sun in suns_of(state.up[seat])}
        figures |= {(seat, f"down {sun}"): 1 for sun in suns_of(state.down[seat])}
    return figures


BOOKS: dict[str, tuple[Book, Callable[[Any], Figures]]] = {
    "amunre": (AMUN_RE, _amun_re),
    "egizia": (EGIZIA, _egizia),
    "priestsofra": (PRIESTS, _priests),
}


def untold(
    before: Figures, events: Iterable[Event], after: Figures, book: Book
) -> dict[tuple[Any, str], tuple[int, int]]:
    """The figures that come out otherwise than is told: what they are by the events, and by the state."""
    add(book, before, events)
    return {key: (before[key], after[key]) for key in {*before, *after} if before[key] != after[key]}


@pytest.mark.parametrize("game", GAMES)
def test_every_change_is_told_and_nothing_else(game: str) -> None:
    """Every ply of every record."""
    book, figures = BOOKS[game]
    for path in (path for path in RECORDS if path.parent.parent.name == game):
        played = replay.play(records.parse(path.read_text("utf-8")))
        before = figures(next(played).state)
        for one in played:
            after = figures(one.state)
            assert untold(before, one.events, after, book) == {}, (path.name, one.ply.number, one.ply.orders)
            before = after


@pytest.mark.parametrize(
    "order",
    [
        "ship to Edfu using double",
        "ship to Thebae using double",
        "ship to Passalon, ring left, ring right using double",
        "ship to Passalon, ring right using double",
        "ship to Alyl, crew black, crew black using double",
        "ship to B22, crew blue, crew blue",
        "ship to B21",
        "ship to Obelisk using extra ship and two ships",
    ],
)
def test_what_is_done_twice_and_what_is_lost_is_told(order: str) -> None:
    """Crews at their maximum, stones beyond the cap, doubled spaces and two ships: what records hardly have."""
    table = Table.position("""
        3 players
        river: B22 B21 A13 A09 A17 A12 A04 A14 A21 A22
        0: stones 24, crews 8 9 9 9, stone market 4, has B17 B16 B19
        1: ships Obelisk
        2: ships Obelisk
        at Obelisk: slots 1 2
    """)
    before = _egizia(table.state)

    assert untold(before, table.do(f"0: {order}"), _egizia(table.state), EGIZIA) == {}
