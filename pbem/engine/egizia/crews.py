"""EG-6.2: which crews an action uses, how strong they are with cards, and whether anything can be built at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from pbem.engine.core.choosing import pick
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import data
from pbem.engine.egizia.cards import card_faults, no_crew
from pbem.engine.egizia.orders import Raise, Sphinx, Stack
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import Own

Team = tuple[tuple[str, ...], tuple[str, ...]]
"""Crews that work together, and the cards that strengthen them."""
WORDS = ("+3", "combine")
NOTHING = sentence("An action builds at least one stone; `renounce` gives the place away.", "EG-6.2")


def cost_faults(value: int, reach: int, stones: int, working: tuple[str, ...] = ()) -> Iterator[Message]:
    """EG-6.2: strength and stones; crews that work together are named, since a form may have chosen them."""
    if value > reach:
        text = N_("That is worth {value}; your crews reach {reach}.")
        if len(working) > 1:
            text = N_("That is worth {value}; {crews} together reach {reach}.")
        yield sentence(text, "EG-6.2", value=value, reach=reach, crews=working)
    if value > stones:
        yield sentence("That costs {value} stone(s); you have {stones}.", "EG-6.2", value=value, stones=stones)


def rested(own: Own) -> list[int]:
    """Basic crews that haven't worked this round."""
    tired = own.tired
    return [crew for crew in range(data.BASIC) if not tired >> crew & 1]


def may_combine(own: Own) -> bool:
    """EG-4.3: whether two basic crews may be combined; a second card of the kind adds nothing."""
    return bool(own.power & data.COMBINE)


def selections(own: Own, combined: int) -> tuple[tuple[str, ...], ...]:
    """Every set of crews for an action with (1) or without (0) the combine card: basics alone, then with the joker."""
    return _selections(own.tired, combined)


def teams(own: Own) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every set of crews that may work together, after whether it takes the combine card."""
    for combined in range(may_combine(own) + 1):
        for team in selections(own, combined):
            yield combined, team


@cache
def _selections(tired: int, combined: int) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    fresh = [name for i, name in enumerate(data.CREWS) if not tired >> i & 1]
    for basics in combinations([name for name in fresh if name != "joker"], 1 + combined):
        found += [basics, (*basics, "joker")] if "joker" in fresh else [basics]
    return tuple(found)


def faults(own: Own, order: Raise | Stack | Sphinx, words: tuple[str, ...] = WORDS) -> Iterator[Message]:
    """EG-6.2: one basic crew, joker if wanted; EG-4.3: two with the combine card; none that has worked.

    What is wrong with the cards that serve the order, too; `words` are those that may.
    """
    yield from card_faults(own, order.using, words)
    crews, combined = order.crews, order.using.count("combine")
    for crew in dict.fromkeys(crews):
        if crew not in data.CREW_INDEX:
            yield no_crew(crew)
        elif own.tired >> data.CREW_INDEX[crew] & 1:
            yield sentence("Your {crew} crew has worked this round: name another one.", "EG-6.2", crew=crew)
        if crews.count(crew) > 1:
            yield sentence("{crew} is named twice: name it once.", "EG-6.2", crew=crew)
    named = [crew for crew in crews if crew != "joker"]
    basics = len(named)
    if not basics:
        yield sentence("An action uses a basic crew: blue, black or yellow. The joker never works alone.", "EG-6.2")
    elif basics > 1 + combined:
        text = N_("An action uses one basic crew, two with a `combine` card: {most} here. You named {found}.")
        yield sentence(text, "EG-6.2", found=basics, most=1 + combined)
    elif basics < 1 + combined:
        text = N_("You named only {crew}: name another one to combine it with, or leave the `combine` card out.")
        yield sentence(text, "EG-4.3", crew=named[0])


def tire(own: Ply, crews: tuple[str, ...], using: tuple[str, ...]) -> None:
    """The crews have worked, the cards are used up."""
    for crew in crews:
        own.state.tired[own.seat] |= 1 << data.CREW_INDEX[crew]
    own.use(tuple([name for name in using if name != "+2"]))


def can_reach(own: Own, value: int) -> bool:
    """EG-6.1: whether `seat` could build something of `value`, the cards in hand considered."""
    t = own.t
    stones = own.stones
    at = own.seat * 4
    rest = sorted((own.state.crews[at + crew] for crew in rested(own)), reverse=True)
    if stones < value or not rest:
        return False
    joker = () if own.tired >> data.JOKER & 1 else (own.state.crews[at + data.JOKER],)
    if rest[0] + sum(joker) >= value:
        return True
    power = own.power
    if not power & (data.BUILDERS | data.IMPROVE | data.TRADE):
        return False
    working = (*rest[: 1 + may_combine(own)], *joker)
    reach = sum(working) + sum(own.values(data.PLUS_3))
    room = sum(t.crew_max - crew for crew in working)
    improvers, trades = own.count(data.IMPROVE), own.count(data.TRADE)
    return any(
        stones - data.TRADE_STONES * n >= value and reach + min(improvers + n, room) >= value for n in range(trades + 1)
    )


def sample(own: Own, value: int, chance: Chance) -> Team:
    """Random crews that reach `value`, cards used now and then or where they must be; no crews if none was found."""
    plain = [crews for crews in selections(own, 0) if own.strength(crews) >= value]
    if plain and (not own.power & data.BUILDERS or chance.below(8)):
        return pick(plain, chance), ()
    plus = chance.below(own.count(data.PLUS_3) + 1)
    combined = chance.below(may_combine(own) + 1)
    using = ("+3",) * plus + ("combine",) * combined
    able = [c for c in selections(own, combined) if own.strength(c, using) >= value]
    if able:
        return pick(able, chance), using
    return (pick(plain, chance), ()) if plain else ((), ())


def spans(own: Own) -> Iterator[Team]:
    """Yield every choice of crews and strengthening cards, plain ones first."""
    plus = own.count(data.PLUS_3)
    for combined in range(may_combine(own) + 1):
        for more in range(plus + 1):
            for crews in selections(own, combined):
                yield crews, ("+3",) * more + ("combine",) * combined
