"""Where points come from: everybody's as the game stands, what an order changes, and what a finished game came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.sheet import Account, Luck, Purchase, ScoreSheet, Source, Step, Stock, summed, worth
from pbem.engine.priestsofra import data, scoring
from pbem.engine.priestsofra.orders import AnyOrder, Bid
from pbem.engine.priestsofra.reading import highest
from pbem.engine.priestsofra.state import CALLED, OVER, State, suns_of
from pbem.engine.priestsofra.view import View

_FACES = {
    "people": data.PEOPLE,
    "buildings": data.BUILDINGS,
    "priests": (data.PRIEST,),
    "plagues": (data.PRIEST, data.PLAGUE),
    "pyramid": (data.PYRAMID, *data.CHAMBERS),
    "chambers": data.CHAMBERS,
    "ankhs": data.PEOPLE,
    "suns": (),
}
"""By line of a sheet: the faces of which one more can change it."""


def score_sheet(view: View) -> ScoreSheet:
    """PR-6, PR-7: everybody's lines if scoring came now."""
    if view.phase == OVER:
        return ScoreSheet(view.known_points, (), (_bag(view),))
    now = lines(view.ankhs, view.display, scoring.sun_sums(view))
    sources = [
        Source(name, tuple(row[at] for row in now), tuple(_more(view, now, at)), at >= data.AT_END)
        for at, name in enumerate(data.SHEET)
    ]
    totals = zip(view.known_points, now, strict=True)
    spared = tuple(None if points is None else max(0, -points - sum(row)) for points, row in totals)
    if any(spared):
        sources.append(Source(FORGIVEN, spared, at_end=True))
    return ScoreSheet(view.known_points, tuple(sources), (_bag(view),), tuple(_to_come(view)))


FORGIVEN = N_("lost points forgiven at 0")
"""PR-6.0: what a total would be below naught."""


def lines(ankhs: Sequence[int], tiles: Sequence[list[int]], sums: Sequence[int]) -> list[list[int]]:
    """By seat, the lines of `data.SHEET` once plagues are healed and ankhs taken; the end's are counted already."""
    healed = [own[:] for own in tiles]
    for own in healed:
        own[data.PLAGUE] -= scoring.heals(own)
    taken = [min(data.MOST_ANKHS, had + scoring.ankhs_won(own)) for had, own in zip(ankhs, tiles, strict=True)]
    return scoring.lines(taken, healed, sums)


def _more(view: View, now: Sequence[list[int]], at: int) -> Iterator[Message]:
    """Yield what one more tile of each kind would change in one line of the view's seat."""
    if view.seat is None:
        return
    for face in _FACES[data.SHEET[at]]:
        more = [own[:] for own in view.display]
        more[view.seat][face] += 1
        gain = lines(view.ankhs, more, scoring.sun_sums(view))[view.seat][at] - now[view.seat][at]
        if gain:
            yield worth(gain, Message(data.FACES[face]))


def _bag(view: View) -> Stock:
    title = sentence("In the bag: {count} tile(s)", count=sum(view.bag))
    return Stock(title, tuple((Message(tile), number) for tile, number in zip(data.TILES, view.bag, strict=True)))


def _to_come(view: View) -> Iterator[Message]:
    text = N_("The epoch ends with {left} more Ra tile(s), or when the last sun face up is used: there are {suns}.")
    suns = sum(up.bit_count() for up in view.up)
    yield sentence(text, "PR-5.1", left=view.ra_spaces - view.ra, suns=suns)
    if any(view.bag):
        share = round(100 * view.bag[data.RA] / sum(view.bag))
        yield sentence("The next tile is Ra in {share} of 100 cases.", "PR-2.2", share=share)
    if view.epoch < data.EPOCHS:
        left = data.EPOCHS - view.epoch
        yield sentence("{left} epoch(s) follow(s|) this one; people and priests then go.", left=left)


def figures(view: View) -> dict[str, int]:
    """Return the own figures of the view's seat by name."""
    seat = view.seat or 0
    suns, tiles = suns_of(view.up[seat]), view.display[seat]
    scored = lines(view.ankhs, view.display, scoring.sun_sums(view))[seat]
    brings = sum(scored if view.epoch == data.EPOCHS else scored[: data.AT_END])

    def held(*faces: int) -> int:
        return sum(tiles[face] for face in faces)

    found = {
        N_("tiles in the lot"): len(view.lot),
        N_("space on the Ra track"): view.ra,
        N_("suns face up"): len(suns),
        N_("sum of suns face up"): sum(suns),
        N_("people"): held(*data.PEOPLE),
        N_("buildings"): held(*data.BUILDINGS),
        N_("priests"): held(data.PRIEST),
        N_("plagues"): held(data.PLAGUE),
        N_("pyramid and chambers"): held(data.PYRAMID, *data.CHAMBERS),
        N_("ankhs"): view.ankhs[seat],
        N_("points"): view.points[seat],
    }
    if view.phase != OVER:
        found[N_("points if the epoch ended now")] = max(brings, -view.points[seat])
    return found


def stakes(view: View, orders: Mapping[str, AnyOrder], /) -> tuple[Message, ...]:
    """PR-3.6: a sealed list gives away the highest of its suns that the seat has; who must bid gives the lowest."""
    held = suns_of(view.up[view.seat or 0])
    bids = [highest(text, order, held) for text, order in orders.items() if isinstance(order, Bid)]
    if view.auction == CALLED and view.seat == view.turn:  # PR-3.2: once all others have passed
        bids.append(min(held, default=0))
    most = max(bids, default=0)
    if not most:
        return (sentence("This list bids nothing: you keep all your suns.", "PR-3.6"),)
    text = N_("At most your sun {sun} is at stake: who wins with it takes the centre sun {centre} for it, face down.")
    return (sentence(text, "PR-3.6", sun=most, centre=view.centre),)


def warnings(view: View, order: AnyOrder, _after: View) -> tuple[Message, ...]:
    """Return what a player may not have meant: the last sun."""
    seat = view.seat or 0
    waits = any(up for other, up in enumerate(view.up) if other != seat)  # else the epoch ends with it (PR-5.1)
    if isinstance(order, Bid) and waits and len(suns_of(view.up[seat])) == 1:
        return (sentence("That is your last sun face up: if you win, you sit out the rest of the epoch."),)
    return ()


def account(steps: Sequence[Step]) -> Account:
    """PR-6, PR-7 by line over all epochs, and what each winning sun (PR-3.5) brought in tiles."""
    end: State = steps[-1].state
    sources = [Source(N_("points at the start"), (data.START_POINTS,) * end.seats)]
    for at, name in enumerate(data.SHEET) if end.sheets else ():
        sources.append(Source(name, summed([[row[at] for row in epoch] for epoch in end.sheets])))
    forgiven = tuple(
        points - sum(source.points[seat] or 0 for source in sources) for seat, points in enumerate(end.points)
    )
    if any(forgiven):
        sources.append(Source(FORGIVEN, forgiven))
    return Account(tuple(sources), tuple(_purchases(steps)), sentence("sun"), _luck(steps))


def _purchases(steps: Sequence[Step]) -> list[Purchase]:
    """Return each lot sold, with what its tiles added to the winner's lines as the table stood."""
    found, level = [], [0] * steps[0].state.seats
    for before, step in pairwise(steps):
        for event in step.events:
            sun = event.params.get("sun")
            if event.rule != "PR-3.5" or sun is None or event.seat is None:
                continue
            tiles = [row[:] for row in before.state.display]
            now = lines(before.state.ankhs, tiles, level)
            for face in before.state.lot:
                tiles[event.seat][face] += 1
            gain = sum(lines(before.state.ankhs, tiles, level)[event.seat]) - sum(now[event.seat])
            lot = before.state.lot
            thing = sentence("{faces}", faces=data.named(lot)) if lot else sentence("no tiles")
            found.append(Purchase(step.ply, event.seat, thing, int(str(sun)), gain))
    return found


def _luck(steps: Sequence[Step]) -> tuple[Luck, ...]:
    """Return how many Ra tiles and plagues each seat drew, and how many the bag let expect of its draws."""
    seats = steps[0].state.seats
    kinds = (data.RA, len(data.TILES) - 1)
    came = {kind: [0] * seats for kind in kinds}
    expected = {kind: [0.0] * seats for kind in kinds}
    for before, step in pairwise(steps):
        bag = before.state.bag
        if sum(step.state.bag) != sum(bag) - 1:
            continue
        for kind in kinds:
            came[kind][before.state.actor] += bag[kind] - step.state.bag[kind]
            expected[kind][before.state.actor] += bag[kind] / sum(bag)
    return tuple(
        Luck(sentence("{tile} tiles drawn", tile=data.TILES[kind]), tuple(came[kind]), tuple(expected[kind]))
        for kind in kinds
    )
