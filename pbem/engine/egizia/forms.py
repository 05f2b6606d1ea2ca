"""Each decision as a form in data, every choice with its price and effect; and the order text of a filled-in form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, islice, product, takewhile

from msgspec.structs import replace

from pbem.engine.core.errors import InvalidOrder, invalid
from pbem.engine.core.forms import Choice, Count, Field, Filled, Form, Group, Pick, TextField, quick
from pbem.engine.core.message import N_, Message, Params, sentence
from pbem.engine.egizia import crews, data, draws, feeding, monuments, riders, verbs
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import card_label
from pbem.engine.egizia.cautious import value_of
from pbem.engine.egizia.orders import CLAUSES, Dig, Feed, Move, Raise, Renounce, Stack
from pbem.engine.egizia.reading import space_named
from pbem.engine.egizia.sailing import crews_due, reached
from pbem.engine.egizia.state import Own, State
from pbem.engine.egizia.tables import Tables
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import ROUND_DOES, question, sphinx_said
from pbem.engine.text.notation import ELSE, whole

_NOT_NOW = Choice("", sentence("not now"))


def late(own: Own) -> int:
    """EG-4.3: mask of the effects of cards that the order may take and use at once."""
    t, board = own.t, own.state
    if board.stage == s.LEFTOVER:
        return s.mask_of(t, feeding.left_on_river(board))
    if board.stage != s.SHIP:
        return 0
    spaces = (space for space, _ in reached(own) if t.kind[space] == data.CARD)
    return s.mask_of(t, [board.cards[space] for space in spaces])


def said_if_taken(power: int) -> Message:
    """Return what a card is called that can be used only by the order that takes it."""
    return sentence("{card}, if you take it now", card=Message(data.EFFECT_NAMES[power]))


def _rider_fields(own: Own, late: int) -> Iterator[Field]:
    """EG-4.3: a field for each card with each effect, in hand or just being taken; one for all that move or sell."""
    for power, (name, choices_of, _) in riders.RIDERS.items():
        held = own.count(power)
        if power == data.SELL:
            yield from _sell(own, late)
            continue
        labels = [Message(data.EFFECT_NAMES[power])] * held + [said_if_taken(power)] * bool(late & power)
        if power == data.TRADE and own.stones < data.TRADE_STONES:
            labels = []
        things = choices_of(own) if labels else []
        values = [thing if isinstance(thing, str) else "{} {}".format(*thing) for thing in things]
        said = (riders.thing_said(own.t, thing) for thing in things)
        choices = (_NOT_NOW, *map(Choice, values, said))
        for i, label in enumerate(labels[:1] if power == data.MOVE else labels, 1) if things else ():
            yield Pick(name if power == data.MOVE else f"{name}-{i}", label, choices, chosen=("",))


def _sell(own: Own, late: int) -> Iterator[Field]:
    held = sum(own.values(data.SELL))
    most = own.stones if late & data.SELL else min(held, own.stones)
    if most:
        label = sentence("Stones sold for a point each") if held else said_if_taken(data.SELL)
        yield Count("sell", label, 0, most, (), 0)


def form(view: View) -> Form:
    """Return the decision of the view's seat as a form. Raises InvalidOrder if it has none."""
    if view.seat is None or not view.asked:
        raise InvalidOrder(question(view))
    own, stage = view.own, view.board.stage
    groups = list(_DECISIONS[stage][0](own))
    along = tuple(_rider_fields(own, late(own)))
    if along and not groups:  # they are all that is asked
        groups.append(Group(sentence("Cards"), along))
    elif along:
        help_ = sentence("These may go along with any of your orders and act before it.", "EG-4.5")
        groups.append(Group(sentence("Cards that may go along"), along, help_, aside=True))
    return Form(stage, question(view), tuple(groups), _notes(own), quick(verbs.legal(view.board, own.seat)))


def _notes(own: Own) -> tuple[Message, ...]:
    board = own.state
    if board.stage in {s.BUILD, s.DRAW, s.DIG}:
        return (sentence("Each point of value costs a stone and a point of strength.", "EG-6.2"),)
    if board.stage == s.SHIP:
        early = sentence("Your ship is placed when your turn comes, if that can still be done.")
        text = N_("Crews want {need} grain; your watered fields give {grain}.")
        need, grain = own.need, own.grain
        grain_note = sentence(text, "EG-5.1", need=need, grain=grain)
        return (grain_note,) if own.seat in board.acting else (early, grain_note)
    return ()


def _ship(own: Own) -> Iterator[Group]:
    spaces = reached(own)
    choices = [choice for space, using in spaces for choice in _ship_choices(own.state, space, using)]
    choices.append(Choice("pass", sentence("Pass: no more ships this round")))
    second = list(_second(own, spaces))
    if second:
        choices = [replace(one, needs=(*one.needs, SECOND)) if one.target else one for one in choices]
    yield Group(sentence("Your ship"), (Pick("to", sentence("Where to?"), tuple(choices)),))
    yield from _there(own, {space for space, _ in spaces})
    yield from second
    yield from _card_group(own, data.TWO_SHIPS | data.DOUBLE | data.EXTRA)


SECOND = "second"


def _second(own: Own, spaces: Iterable[tuple[int, tuple[str, ...]]]) -> Iterator[Group]:
    """EG-3.1 with the option `ships`: before its turn, what the ship does if it can't do the first any more."""
    if own.seat in own.state.acting:
        return
    ways = [one for space, using in spaces if not using for one in _ship_choices(own.state, space, using)]
    plain = (replace(one, target="", effect=None) for one in ways)
    asked = Choice("", sentence("I am asked again"))
    choices = (asked, *plain, Choice("pass", sentence("Pass: no more ships this round")))
    label = sentence("If that can't be done any more")
    help_ = sentence("As a rule because its space is gone. Crews and water ring are as chosen for the first ship.")
    yield Group(sentence("A second choice"), (Pick(SECOND, label, choices, chosen=("",), menu=True),), help_)


def _ship_choices(board: State, space: int, using: tuple[str, ...]) -> Iterator[Choice]:
    """One choice for each space, for each free slot at a site; cards that the way needs are part of it.

    It needs the fields for crews raised there, or for the ring.
    """
    t = board.t
    end = f" using {using[0]}" if using else ""
    target, crews_raised = t.mark[space][0], range(1, crews_due(board, space, 1) + 1)
    needs = ("ring",) if t.action[space] == data.JOKER_RING else tuple(f"crew-{n}" for n in crews_raised)
    named = Message(data.EFFECT_NAMES[data.USING[using[0]]]) if using else None
    effect = sentence("with your card: {card}", card=named) if named else None
    if t.kind[space] == data.CARD:
        card = board.cards[space]
        yield Choice(f"{t.names[card]}{end}", card_label(t, card), None, effect, target, needs=needs)
        return
    name = t.space_name[space]
    if t.kind[space] == data.ROUND:
        crews: Params = {"crews": t.crew_names[space]} if t.action[space] == data.CREW_STEPS else {}
        does = effect or sentence(_ROUND_HELP[t.action[space]], **crews)
        yield Choice(f"{name}{end}", Message("{place}", {"place": name}), None, does, target, needs=needs)
        return
    free = board.free_slots(t.site_of[space])
    for slot in free:
        label = sentence("{place}, slot {slot}", place=name, slot=slot)
        yield Choice(f"{name} slot {slot}{end}", label, None, effect, target)
    if not free:
        yield Choice(f"{name} queue{end}", sentence("{place}, behind its slots", place=name), None, effect, target)


_ROUND_HELP = {
    **ROUND_DOES,
    data.JOKER_RING: N_("joker +1; the water ring may move"),
    data.ANY_CREW: N_("one crew +1, then 2 stones"),
}
"""What a ship brings on a round space, before its crews are chosen."""


def _there(own: Own, spaces: set[int]) -> Iterator[Group]:
    """Crews and ring, where a space that can be reached lets one choose."""
    board = own.state
    times = 1 + bool(own.power & data.DOUBLE)
    due = max((crews_due(board, space, times) for space in spaces), default=0)
    fields: list[Field] = [
        _crew_pick(f"crew-{i}", N_("Crew raised") if i == 1 else N_("Crew raised the second time"))
        for i in range(1, due + 1)
    ]
    if any(own.t.action[space] == data.JOKER_RING for space in spaces):
        ways = (("left", board.ring > 0), ("right", board.ring + 1 < len(data.RING_NAMES)))
        stays = Choice("", sentence("The ring stays"))
        moves = (Choice(way, Message(RING[way]), target="ring") for way, may in ways if may)
        fields.append(Pick("ring", sentence("Water ring"), (stays, *moves), chosen=("",)))
        if times > 1:
            again = (stays, *(Choice(way, Message(said), target="ring") for way, said in RING.items()))
            fields.append(Pick("ring-2", sentence("Water ring, the second time"), again, chosen=("",)))
    if fields:
        help_ = sentence("Left out where the space has no such choice.")
        yield Group(sentence("If you may choose there"), tuple(fields), help_)


RING = {"left": N_("one circle left"), "right": N_("one circle right")}


def _crew_pick(name: str, label: str) -> Pick:
    return Pick(name, Message(label), tuple(Choice(crew, Message(crew)) for crew in data.CREWS))


def _card_group(own: Own, power: int) -> Iterator[Group]:
    """Cards that may serve this order, a checkbox for each held."""
    choices = []
    for name, effect in data.USING.items():
        if effect & power and own.power & effect:
            held = own.count(effect) if effect & data.REPEATABLE else 1
            values = [name, *(f"{name}#{n}" for n in range(2, held + 1))]
            choices += [Choice(value, Message(data.EFFECT_NAMES[effect])) for value in values]
    if power & data.TWO_SHIPS & ~own.power & late(own):
        choices.append(Choice("two ships", said_if_taken(data.TWO_SHIPS)))
    if choices:
        yield Group(sentence("Cards"), (Pick("using", sentence("Use"), tuple(choices), many=True),))


def _leftover(own: Own) -> Iterator[Group]:
    t = own.t
    choices = [Choice("none", sentence("No card"))]
    left = feeding.left_on_river(own.state)
    for card in left:
        target, needs = t.mark[own.state.cards.index(card)][0], tuple(f"crew-{n}" for n in range(1, t.steps[card] + 1))
        choices.append(Choice(t.names[card], card_label(t, card), target=target, needs=needs))
    yield Group(sentence("Left on the river"), (Pick("card", sentence("Card"), tuple(choices)),))
    due = max(t.steps[card] for card in left)
    if due:
        raised = tuple(_crew_pick(f"crew-{i}", N_("Crew raised")) for i in range(1, due + 1))
        yield Group(sentence("If you may choose there"), raised)


def _feed(own: Own) -> Iterator[Group]:
    missing = own.missing
    fields: list[Field] = []
    sums = feeding.grain_sums(own)
    if len(sums) > 1:
        choices = tuple(Choice(str(n), sentence("{grain} grain", grain=n)) for n in sums)
        fields.append(Pick("grain", sentence("Grain from cards"), choices))
    most = feeding.most_stones(own, 0)
    if most:  # a crew that a rider raises wants one grain more
        most = min(most + _steps(own), own.stones)
        fields.append(Count("stones", sentence("Stones fed"), 0, most, tuple(range(most + 1)), 0))
    text = N_("{missing} grain (is|are) missing; each that stays missing costs {cost} point(s).")
    if fields:
        help_ = sentence(text, "EG-5.1", missing=missing, cost=own.cost)
        yield Group(sentence("Feed with"), tuple(fields), help_)


def _move(own: Own) -> Iterator[Group]:
    choices: list[Choice] = []
    for slot, owner in enumerate(own.state.slots[own.state.site], 1):
        if owner == own.seat:
            choices.insert(0, Choice("stay", sentence("Stay in slot {slot}", slot=slot)))
        else:
            text = N_("Slot {slot}, change places with {seat}") if owner >= 0 else N_("Slot {slot}, empty")
            choices.append(Choice(str(slot), sentence(text, slot=slot, seat=owner)))
    yield Group(sentence("Your ship"), (Pick("slot", sentence("Where to?"), tuple(choices)),))


def _crews(own: Own) -> Iterator[Group]:
    """Each set of fresh crews that may work together as one choice, with its strength; and the cards that add to it."""
    choices = []
    for combined, working in sorted(crews.teams(own), key=lambda team: (team[0], len(team[1]))):
        basics = tuple(crew for crew in working if crew != "joker")
        text = N_("{crews}: {strength}") if basics == working else N_("{crews} + joker: {strength}")
        holes: Params = {"crews": basics, "strength": own.strength(working)}
        choices.append(Choice(_with(working, combined), sentence(text, **holes)))
    title = sentence("Crews that work, with their strength")
    help_ = sentence("Choose none, and the weakest crews that are strong enough work.", "EG-6.2")
    yield Group(title, (Pick("crews", title, tuple(choices)),), help_)
    yield from _card_group(own, data.PLUS_3)


def _with(working: Sequence[str], combined: int) -> str:
    """EG-4.3: crews as an order names them, with the card that lets two basic ones work together."""
    return " + ".join(working) + " using combine" * combined


_GIVE_AWAY = sentence("Give the place away")
_RENOUNCE = Group(sentence("Or"), (Pick("action", _GIVE_AWAY, (Choice("renounce", _GIVE_AWAY),), many=True),))


def _draw(own: Own) -> Iterator[Group]:
    """EG-7.1: how many cards and who draws them is one choice: a row of numbers for each crew or pair of crews.

    There are as many as each could pay for with every card that strengthens it.
    """
    plus, choices = ("+3",) * own.count(data.PLUS_3), []
    for combined, working in crews.teams(own):
        reach = own.strength(working, plus) + _steps(own)
        for n in range(1, draws.most(own, reach, plus=False) + 1):
            label = sentence("{cards} with {crews}", cards=n, crews=working)
            choices.append(Choice(f"{n} with {_with(working, combined)}", label, n, within="space:SITE_SPHINX"))
    pick = Pick("draw", sentence("Cards you pay for"), tuple(choices))
    help_ = sentence("One basic crew, the joker with it if you want.", "EG-6.2")
    yield Group(sentence("At the Sphinx"), (pick,), help_)
    yield from _card_group(own, data.PLUS_3 | data.PLUS_2)
    yield _RENOUNCE


def _keep(own: Own) -> Iterator[Group]:
    t = own.t
    names = own.state.drawn_names
    cards = tuple(Choice(t.sphinx[card].id, sphinx_said(t, card)) for card in own.state.drawn)
    many = own.count(data.KEEP_TWO)
    none = Choice("none", sentence("No card: a point for each"))
    fields: list[Field] = [Pick("keep", sentence("Keep"), (*cards, none))]
    fields += [Pick(f"keep-{i}", sentence("Keep also, with your card"), cards) for i in range(2, many + 2)]
    yield Group(sentence("Cards you drew"), tuple(fields), sentence("Each put back scores 1 point.", "EG-7.1"))
    if len(names) > 1:
        help_ = sentence("For instance {cards}: the first on top. Empty: they are shuffled.", cards=" ".join(names))
        order = TextField("order", sentence("Order of the others"), help_)
        yield Group(sentence("Under the deck"), (order,), aside=True)


def _build(own: Own) -> Iterator[Group]:
    board = own.state
    most = _reach(own)
    fields = _tomb_fields(board, most) if board.site == data.OBELISK else _monument_fields(board, most)
    yield Group(sentence("Your action"), tuple(fields))
    yield from _crews(own)
    yield _RENOUNCE


def _reach(own: Own) -> int:
    """EG-6.2: the value that the strongest crews could build with every card of the seat's; no more than stones."""
    plus = ("+3",) * own.count(data.PLUS_3)
    strengths = (own.strength(team, plus) for _, team in crews.teams(own))
    strongest = max(strengths, default=0)
    return min(own.stones, strongest + _steps(own))


def _steps(own: Own) -> int:
    """Return how often cards that may go along can raise a crew just before it works."""
    return sum(own.count(power) for power in (data.IMPROVE, data.TRADE))


def _sums(values: Sequence[int], most: int) -> tuple[int, ...]:
    """Return what the first n of `values` cost together, from none on, as long as that is within `most`."""
    return tuple(takewhile(lambda cost: cost <= most, accumulate(values, initial=0)))


def _counted(name: str, label: Message, prices: tuple[int, ...], targets: Iterator[str]) -> Iterator[Field]:
    """Yield how many are built, the first ones first, each number at its price; nothing if not even one can be."""
    if len(prices) > 1:
        places = tuple(islice(targets, len(prices) - 1))
        yield Count(name, label, 0, len(prices) - 1, prices, 0, targets=places, needs=("crews",))


def _tomb_fields(board: State, most: int) -> Iterator[Field]:
    """EG-6.4: how many stones and which marker they move is one choice, a row of numbers for each market; graves."""
    done = len(board.obelisk)
    prices = _sums(board.t.obelisk[done:], most)
    label = sentence("Obelisk spaces, from {space} on", space=done + 1)
    if board.market:
        yield from _counted("obelisk", label, prices, (f"obelisk:{n}" for n in count(done + 1)))
    elif len(prices) > 1:
        choices = [Choice("", sentence("no stone"))]
        for market, (n, price) in product(data.MARKETS, enumerate(prices[1:], 1)):
            said = sentence("{spaces}, {track}", spaces=n, track=sentence("{market} market", market=market))
            place = f"obelisk:{done + n}"
            choices.append(Choice(f"{n} {market}", said, price, None, place, f"market:{market}", ("crews",)))
        yield Pick("obelisk", label, tuple(choices), chosen=("",))
    graves = (f"grave:{n}" for n in count(len(board.dug) + 1))
    yield from _counted("graves", sentence("Graves"), _sums(board.graves_open, most), graves)


def _monument_fields(board: State, most: int) -> Iterator[Field]:
    t, site = board.t, monuments.Site(board)
    for kind, (name, label) in enumerate(_counts(t)):
        laid = (_founded(site, {kind: n}, ()) for n in range(site.free(kind) + 1))
        costs = (monuments.value_of(board, order) for order in laid)
        places = (f"{t.monument_marks[kind]}.{n}" for n in count(site.heights[kind] + 1))
        yield from _counted(name, label, tuple(takewhile(lambda cost: cost <= most, costs)), places)
    carrying = sum(sum(t.temple[pylon][len(board.temple[pylon]) :]) for pylon in data.PYLONS)
    spaces = enumerate(zip(board.temple[data.ENTABLATURE], t.temple[data.ENTABLATURE], strict=True), 1)
    choices = tuple(
        Choice(str(n), sentence("space {space}", space=n), value, None, f"temple:entablature.{n}", needs=("crews",))
        for n, (owner, value) in spaces
        if owner < 0 and carrying + value <= most
    )
    if choices:
        yield Pick("entablature", sentence("Entablature, once both pylons are full"), choices, many=True)


def _counts(t: Tables) -> Iterator[tuple[str, Message]]:
    """Yield the field for each row of the Pyramid and each pylon and column, and what it is called."""
    for row, values in enumerate(t.rows, 1):
        yield f"row-{row}", sentence("Pyramid, row {row} (value {value})", row=row, value=values[-1])
    yield from ((name.replace(" ", "-"), Message(name)) for name in monuments.STACKS)


def _founded(site: monuments.Site, laid: Mapping[int, int], spaces: tuple[int, ...]) -> Stack:
    """EG-6.5: what is laid, by kind, with those stones that carry it and aren't there yet."""
    stones = [laid.get(kind, 0) for kind in range(len(site.heights))]
    rows = len(site.t.rows)
    for row in range(rows - 1, 0, -1):
        if stones[row]:
            stones[row - 1] = max(stones[row - 1], site.heights[row] + stones[row] + 1 - site.heights[row - 1])
    kinds = [(kind, 0) for kind, number in enumerate(stones) for _ in range(number)]
    return replace(monuments.order_of(site.t, kinds, ((), ())), entablature=spaces)


def _dig(own: Own) -> Iterator[Group]:
    yield Group(sentence("Go on"), tuple(_tomb_fields(own.state, min(own.state.reach, own.stones))))


_ASKED = data.LANGUAGE.said["asked"]
"""What is asked where a field lacks its choice, by the field's name up to a hyphen."""
_ODD = N_("{value!r} at {field!r} is no choice of this form.")


def order_text(view: View, fields: Filled) -> str:
    """Return the order text of a filled-in form. Raises InvalidOrder naming the field that lacks or can't be read."""
    if view.seat is None or not view.asked:
        raise invalid("You aren't asked for anything now.", "EG-2.1")
    for name, values in fields.items():
        for value in values:
            if any(mark in value for mark in ",;\n"):
                raise invalid(_ODD, value=value, field=name)
    stage = view.board.stage
    renounced = Renounce in verbs.VERBS[stage].orders and "renounce" in fields.get("action", [])
    text = ", ".join(["renounce" if renounced else _DECISIONS[stage][1](view, fields), *_riders(fields)])
    second = "".join(fields.get(SECOND, [])[:1])
    if not second or fields.get("to") == ["pass"]:
        return text
    return f"{text}{ELSE}{_ship_text(view, {**fields, 'to': [second], 'using': []})}"


def _one(fields: Filled, name: str) -> str:
    """Return the single value of a field that must have one."""
    values = [value for value in fields.get(name, []) if value]
    if len(values) != 1:
        raise invalid(_ASKED.get(name.partition("-")[0], N_("Something is still missing: choose it too.")))
    return values[0]


_MOST_COUNTED = 999
"""More stones or grain than this nobody has."""


def _number(fields: Filled, name: str, most: int = _MOST_COUNTED) -> int:
    """Return a count, 0 where nothing was filled in. Raises InvalidOrder for more than `most` or less than naught."""
    values = [value for value in fields.get(name, []) if value]
    number = whole(values[0], name) if values else 0
    if not 0 <= number <= most:
        raise invalid(_ODD, value=values[0], field=name)
    return number


def _cards(fields: Filled) -> list[str]:
    """Return the cards ticked, one that serves several times as often as it is."""
    return [value.partition("#")[0] for value in fields.get("using", [])]


def _using(fields: Filled, head: str) -> str:
    """`head` with its cards; a way that needs a card already has its `using`."""
    cards = _cards(fields)
    return f"{head} {'and' if ' using ' in head else 'using'} {' and '.join(cards)}" if cards else head


def _riders(fields: Filled) -> list[str]:
    """Return the clauses of cards that go along."""
    clauses = []
    for name in fields:
        stem = name.rpartition("-")[0] or name
        if stem in CLAUSES and stem != "sell":
            clauses += [f"{CLAUSES[stem]} {value}" for value in fields[name] if value]
    if _number(fields, "sell"):
        clauses.append(f"sell {_number(fields, 'sell')}")
    return clauses


def _ship_text(view: View, fields: Filled) -> str:
    to = _one(fields, "to")
    if to == "pass":
        return to
    board = view.board
    t = board.t
    space = space_named(board, to.partition(" using ")[0])
    times = 1 + sum(card.startswith("double") for card in fields.get("using", []))
    clauses = _crew_clauses(fields, crews_due(board, space, times))
    rings = [value for name in ("ring", "ring-2")[:times] for value in fields.get(name, [])[:1] if value]
    if t.action[space] == data.JOKER_RING:
        clauses += [f"ring {way}" for way in rings]
    return ", ".join([_using(fields, f"ship to {to}"), *clauses])


def _crew_clauses(fields: Filled, due: int) -> list[str]:
    return [f"crew {_one(fields, f'crew-{i}')}" for i in range(1, due + 1)]


def _leftover_text(view: View, fields: Filled) -> str:
    t = view.t
    card = _one(fields, "card")
    due = t.steps[t.index[card]] if card in t.index else 0
    return ", ".join([f"leftover {card}", *_crew_clauses(fields, due)])


def _keep_text(_view: View, fields: Filled) -> str:
    cards = [_one(fields, "keep")]
    more = [value for name in fields if name.startswith("keep-") for value in fields[name] if value]
    head = f"keep {' '.join(cards + more)}"
    if more:
        head += f" using {' and '.join(['keep two'] * len(more))}"
    stated = " ".join(fields.get("order", [])).strip()
    return f"{head}, order {stated}" if stated else head


def _tombs(board: State, fields: Filled) -> Dig:
    """Return what is built at Obelisk and graves, and the market it steps down."""
    number, _, market = "".join(fields.get("obelisk", [])[:1]).partition(" ")
    stones, done = whole(number, "obelisk") if number else 0, len(board.obelisk)
    return Dig(done + 1 if stones else 0, done + stones if stones else 0, _number(fields, "graves"), market)


def _monuments(board: State, fields: Filled) -> Stack:
    """EG-6.5, EG-6.6: what is built, and with it whatever it stands on and nobody has laid yet."""
    site = monuments.Site(board)
    ticked = (value for value in fields.get("entablature", []) if value)
    spaces = tuple(_number({"entablature": [value]}, "entablature", len(site.entablature)) for value in ticked)
    bearing = [len(board.pyramid) + pylon for pylon in data.PYLONS] if spaces else []
    laid = {
        kind: site.free(kind) if kind in bearing else _number(fields, name, site.free(kind))
        for kind, (name, _) in enumerate(_counts(board.t))
    }
    return _founded(site, laid, spaces)


def _build_text(view: View, fields: Filled) -> str:
    """Where no crews are chosen, the weakest that are strong enough work, or the strongest of those too weak."""
    board, seat = view.board, view.seat or 0
    things: Dig | Stack = (_tombs if board.site == data.OBELISK else _monuments)(board, fields)
    if things in {Dig(), Stack(())}:
        raise invalid("Choose at least one stone to build.")
    named, _, card = "".join(fields.get("crews", [])[:1]).partition(" using ")
    using = (*((card,) if card else ()), *_cards(fields))
    teams = (tuple(named.split(" + ")),) if named else crews.selections(board.own(seat), 0)
    orders = [_worked(things, team, using) for team in teams]
    return str(orders[0] if named else min(orders, key=lambda order: _weakness(board.own(seat), order)))


def _worked(things: Dig | Stack, team: tuple[str, ...], using: tuple[str, ...]) -> Raise | Stack:
    if isinstance(things, Stack):
        return replace(things, crews=team, using=using)
    return Raise(team, things.first, things.last, things.graves, things.market, using)


def _weakness(own: Own, order: Raise | Stack) -> tuple[bool, int, int]:
    """EG-6.2: what sorts crews: strong enough before too weak, then the weakest first; of those too weak the last."""
    reach = own.strength(order.crews, order.using)
    is_weak = reach < value_of(own.state, order)
    return is_weak, -reach if is_weak else reach, len(order.crews)


def _move_text(_view: View, fields: Filled) -> str:
    slot = _one(fields, "slot")
    return str(Move(0 if slot == "stay" else whole(slot, "slot")))


_DECISIONS: dict[str, tuple[Callable[[Own], Iterator[Group]], Callable[[View, Filled], str]]] = {
    s.SHIP: (_ship, _ship_text),
    s.LEFTOVER: (_leftover, _leftover_text),
    s.FEED: (_feed, lambda _view, fields: str(Feed(_number(fields, "grain"), _number(fields, "stones")))),
    s.SHIFT: (_move, _move_text),
    s.DRAW: (_draw, lambda _view, fields: _using(fields, f"sphinx {_one(fields, 'draw')}")),
    s.KEEP: (_keep, _keep_text),
    s.BUILD: (_build, _build_text),
    s.DIG: (_dig, lambda view, fields: str(_tombs(view.board, fields))),
    s.AFTER: (lambda _own: iter(()), lambda _view, _fields: "done"),
}
"""By stage: how its form is made, and the order text of a filled-in one."""
