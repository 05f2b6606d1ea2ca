"""Plans of Egizia: the spaces to sail to in order, the work at the sites, and which Sphinx cards are liked best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.core import plans as core
from pbem.engine.core.forms import Filled
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.plans import Plan, PlanField, PlanOption, PlanPart
from pbem.engine.egizia import data, sailing
from pbem.engine.egizia import state as s
from pbem.engine.egizia.cards import card_label
from pbem.engine.egizia.crews import selections
from pbem.engine.egizia.forms import RING
from pbem.engine.egizia.state import Own
from pbem.engine.egizia.tables import bits
from pbem.engine.egizia.view import View
from pbem.engine.egizia.words import sphinx_said

ASK, PASS = "ask me", "pass"
MOST_STONES = 15
_USUAL_STONES = 5


class SailPlan(Plan, frozen=True, tag="sail"):
    """The next spaces of one round's sailing; the first that is still free is taken."""

    spaces: tuple[str, ...]
    """As after `ship to`: `card 3`, `Alyl, crew blue`, `Sphinx`."""
    ask: int = 1
    """Ask when so many of them are gone; 0 for never."""
    then: str = ASK
    """Once none is left."""


class Work(Plan, frozen=True, tag="work"):
    """What is done at one site, as much as can be."""

    site: str
    crews: str
    most: int
    least: int = 0
    """With less to be done it asks."""
    market: str = ""


class SitesPlan(Plan, frozen=True, tag="sites"):
    """The building of one round."""

    works: tuple[Work, ...]


class KeepPlan(Plan, frozen=True, tag="keep"):
    """Sphinx cards from the best downwards; it stays until it is changed."""

    cards: tuple[str, ...]


PLANS = SailPlan | SitesPlan | KeepPlan


def parts(view: View) -> tuple[PlanPart, ...]:
    """Return what the view's seat can plan now."""
    board = view.board
    if view.seat is None or board.stage == s.OVER:
        return ()
    cards = (
        PlanOption(card.id, sphinx_said(view.t, i)) for i, card in enumerate(view.t.sphinx) if i not in view.own.kept
    )
    liked = PlanField("cards", "ranking", sentence("Keep the first of these that is drawn"), options=tuple(cards))
    keep = PlanPart("keep", sentence("Sphinx cards, until changed"), (liked,))
    found = [_sail_part(view.own), _sites_part(view.own), keep]
    return tuple(part for part in found if part is not None)


def _sail_part(own: Own) -> PlanPart | None:
    if own.state.stage != s.SHIP or own.state.passed >> own.seat & 1 or not sailing.can_sail(own.state, own.seat):
        return None
    steps = core.numbers(0, data.SHIPS)
    then = (PlanOption(ASK, sentence("I am asked")), PlanOption(PASS, sentence("I pass")))
    fields = (
        PlanField("spaces", "ranking", sentence("My next ships go to, in this order"), options=tuple(_spaces(own))),
        PlanField("ask", "number", sentence("Ask me when so many are gone"), steps=steps, value=("2",)),
        PlanField("then", "one", sentence("When none is left"), options=then, value=(ASK,)),
    )
    return PlanPart("sail", sentence("My next ships"), fields)


def _spaces(own: Own) -> Iterator[PlanOption]:
    """Yield every space that could be sailed to without a card, with each choice there."""
    t = own.t
    for space in bits(sailing.ahead(own)):
        name = t.label[space]
        if t.kind[space] == data.SITE:
            if -1 in own.state.slots[t.site_of[space]]:
                yield PlanOption(name, Message("{place}", {"place": name}), *t.mark[space])
            continue
        card = card_label(t, own.state.cards[space]) if t.kind[space] == data.CARD else None
        for ship in sailing.choices(own, space):
            if not ship.using:
                said = "".join([*(f", crew {crew}" for crew in ship.crews), *(f", ring {way}" for way in ship.rings)])
                yield PlanOption(name + said, _place(name + said, card), *t.mark[space])


def _place(space: str, card: Message | None = None) -> Message:
    """Return a space as a plan names it, with the crews raised and the way of the ring there, in words.

    Where `card` is given, it tells of a space of cards which one lies there.
    """
    name, *rest = space.split(", ")
    said = Message("{place}", {"place": name})
    if name.startswith("card "):
        said = sentence("card {number}", number=int(name[5:]))
        said = sentence("{place}: {what}", place=said, what=card) if card else said
    crews = tuple(crew for one in rest if one.startswith("crew ") for crew in one[5:].split(" + "))
    if crews:
        said = sentence("{place}: {crews} +1", place=said, crews=crews)
    for way in (one[5:] for one in rest if one.startswith("ring ")):
        said = sentence("{place}, {ring}", place=said, ring=Message(RING[way]))
    return said


def _sites_part(own: Own) -> PlanPart | None:
    """Return the sites that are still to come in this round and have a ship of the seat."""
    board = own.state
    building = board.stage in s.AT_SITE
    docked = [
        site
        for site, space in enumerate(own.t.sites)
        if own.docked >> space & 1 and (not building or site >= board.site)
    ]
    if not docked or board.stage == s.AFTER:
        return None
    teams = map(" + ".join, sorted(selections(own, 0), key=len))
    workers = (PlanOption("", sentence("not planned")), *(PlanOption(team, Message(team)) for team in teams))
    fields = [field for site in docked for field in _site_fields(site, workers, last=site == docked[-1])]
    return PlanPart("sites", sentence("Work at the sites"), tuple(fields))


def _site_fields(site: int, crews: tuple[PlanOption, ...], *, last: bool) -> Iterator[PlanField]:
    """Yield who works at a site, for how much at most, and from how little on its player is asked.

    At the last one nothing need be saved, so as much as can be is what stands there to begin with.
    """
    name = data.SITE_NAMES[site]
    low = name.lower()
    place: dict[str, str] = {"site": name}
    yield PlanField(f"{low}_crews", "one", sentence("{site}: who works", **place), options=crews, value=("",))
    most = sentence("{site}: up to so many stones", **place)
    start = str(MOST_STONES if last else _USUAL_STONES)
    yield PlanField(f"{low}_most", "number", most, steps=core.numbers(1, MOST_STONES), value=(start,))
    if site == data.SPHINX:
        return
    least = sentence("{site}: ask me below", **place)
    yield PlanField(f"{low}_least", "number", least, steps=core.numbers(0, MOST_STONES), value=("0",))
    if site == data.OBELISK:
        markets = tuple(PlanOption(market, Message(market)) for market in data.MARKETS)
        label = sentence("Market for Obelisk stones")
        yield PlanField("market", "one", label, options=markets, value=(data.MARKETS[0],))


def plan(view: View, part: str, fields: Filled) -> SailPlan | SitesPlan | KeepPlan:
    """Return the plan that a filled-in part means. Raises InvalidOrder."""
    given = core.given(parts(view), part, fields)
    if part == "sites":
        works = tuple(_works(given))
        if works:
            return SitesPlan(works)
    elif part == "keep" and given["cards"]:
        return KeepPlan(given["cards"])
    elif part == "sail" and given["spaces"]:
        return SailPlan(given["spaces"], given["ask"], given["then"])
    raise core.nothing()


def _works(given: Mapping[str, Any]) -> Iterator[Work]:
    for name in data.SITE_NAMES:
        crews, most, least = (f"{name.lower()}_{what}" for what in ("crews", "most", "least"))
        if given.get(crews):  # a site without a ship, or that is done, has no field
            stones = given[most]
            market = given["market"] if name == data.SITE_NAMES[data.OBELISK] else ""
            yield Work(name, given[crews], stones, min(stones, given.get(least, 0)), market)


def text(plan: SailPlan | SitesPlan | KeepPlan) -> str:
    """Return the standing order that a plan is."""
    if isinstance(plan, KeepPlan):
        return "\n".join((core.CHANGED, "for keep:", *(f"keep {card}" for card in plan.cards)))
    return "\n".join(_work_lines(plan) if isinstance(plan, SitesPlan) else _sail_lines(plan))


def _sail_lines(plan: SailPlan) -> Iterator[str]:
    names = _names(plan)
    yield from (core.PHASE, "for ship:")
    if 0 < plan.ask <= len(names):
        yield f"when {plan.ask} of {{{', '.join(names)}}} in gone: ask me"
    for space in plan.spaces:
        name = _named(space)
        yield f"unless {name} in gone: ship to {space}" if name in data.SITE_NAMES else f"ship to {space}"
        if ", ring " in space:  # the ring may have been moved, so that it can't go that way any more
            yield f"when {name} in free: ask me"
    yield plan.then


def _names(plan: SailPlan) -> tuple[str, ...]:
    """Return how conditions call the spaces of a plan, each once."""
    return tuple(dict.fromkeys(map(_named, plan.spaces)))


def _named(space: str) -> str:
    """Return how conditions call a space."""
    name = space.partition(",")[0]
    return f'"{name}"' if name.startswith("card ") else name


def _work_lines(plan: SitesPlan) -> Iterator[str]:
    yield core.ROUND
    for work in plan.works:
        least = f" at least {work.least}" if work.least else ""
        if work.site == data.SITE_NAMES[data.SPHINX]:
            yield "for sphinx:"
            yield f"sphinx up to {work.most} with {work.crews}"
        else:
            market = f", {work.market} market" if work.market else ""
            yield f"for build: when site is {work.site}: build up to {work.most}{least} with {work.crews}{market}"


def words(plan: SailPlan | SitesPlan | KeepPlan, view: View) -> tuple[Message, ...]:
    """Return the plan in sentences; cards by what they are, those of the river while they lie there."""
    t = view.t
    if isinstance(plan, KeepPlan):
        cards = tuple(sphinx_said(t, t.sphinx_index[card]) for card in plan.cards)
        return (sentence("Of the Sphinx cards drawn, keep the first of: {cards}.", cards=cards),)
    if isinstance(plan, SitesPlan):
        said = [
            sentence(_WORK[bool(work.least)], site=work.site, crews=work.crews, most=work.most, least=work.least)
            for work in plan.works
        ]
        digs = any(work.site == data.SITE_NAMES[data.OBELISK] for work in plan.works)
        return (*said, *[sentence("Ask me whether to dig on where all open graves are taken.", "EG-6.4")] * digs)
    lying = {t.label[space]: card_label(t, card) for space, card in enumerate(view.board.cards) if card >= 0}
    spaces = tuple(_place(space, lying.get(space.partition(",")[0])) for space in plan.spaces)
    said = [sentence("Each ship goes to the first that is still free: {spaces}.", spaces=spaces)]
    if 0 < plan.ask <= len(_names(plan)):
        said.append(sentence("Ask me when {count} of them are gone.", count=plan.ask))
    return (*said, Message(N_("When none is left: pass.") if plan.then == PASS else N_("When none is left: ask me.")))


_WORK = {
    False: N_("{site}: as much as can be done with {crews}, up to {most} stone(s)."),
    True: N_("{site}: as much as can be done with {crews}, up to {most} stone(s); below {least} ask me."),
}
