"""EG-7: drawing Sphinx cards, keeping one, putting the others under the deck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from pbem.engine.core.choosing import take
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data
from pbem.engine.egizia.cards import card_faults
from pbem.engine.egizia.orders import Keep, Sphinx
from pbem.engine.egizia.ply import Ply
from pbem.engine.egizia.state import Own, State, Under
from pbem.engine.egizia.tables import Tables

_WORDS = (*crews.WORDS, "+2")
_RANGE = N_(
    "You may pay for 1 to {most} card(s) here, not {found}: strength {reach}, {stones} stone(s), {deck} in the deck."
)
_SMALL = 2


def most(own: Own, reach: int, *, plus: bool) -> int:
    """EG-7.1, EG-7.3, EG-7.4: how many cards may be paid for."""
    limit = own.t.parts.max_sphinx_draw - (data.FREE_SPHINX if plus else 0)
    return max(0, min(reach, own.stones, limit, own.state.sphinx_left))


def check(own: Own, order: Sphinx) -> list[Message]:
    """Return every fault of a draw."""
    faults = list(crews.faults(own, order, _WORDS))
    reach = own.strength(order.crews, order.using)
    limit = most(own, reach, plus="+2" in order.using)
    if not 1 <= order.n <= limit:
        rule, stones, deck = "EG-7.4" if "+2" in order.using else "EG-7.1", own.stones, own.state.sphinx_left
        faults.append(sentence(_RANGE, rule, most=limit, found=order.n, reach=reach, stones=stones, deck=deck))
    return faults


def legal(own: Own) -> Iterator[Sphinx]:
    """Yield every draw without riders, plain ones first."""
    for plus in (False, True) if own.power & data.PLUS_2 else (False,):
        for working, using in crews.spans(own):
            reach = own.strength(working, using)
            for n in range(1, most(own, reach, plus=plus) + 1):
                yield Sphinx(n, working, (*using, *("+2",) * plus))


def sample(own: Own, chance: Chance) -> Sphinx | None:
    """Return a random draw."""
    working, using = crews.sample(own, 1, chance)
    plus = bool(own.power & data.PLUS_2 and chance.below(2))
    limit = most(own, own.strength(working, using), plus=plus)
    if not working or not limit:
        return None
    return Sphinx(1 + chance.below(limit), working, (*using, *("+2",) * plus))


def drawn(state: State, order: Sphinx) -> int:
    """EG-7.3, EG-7.4: how many cards are drawn, the free ones as far as the deck goes."""
    return min(order.n + (data.FREE_SPHINX if "+2" in order.using else 0), state.sphinx_left)


def draw(own: Ply, order: Sphinx) -> None:
    """EG-7.1: crews tire, stones are paid, cards drawn; the seat then chooses among them."""
    state = own.state
    crews.tire(own, order.crews, order.using)
    own.gain(-order.n)
    state.worked[own.seat] |= 1 << data.SPHINX
    count = drawn(state, order)
    text = N_("{seat} pays {stones} stone(s) and draws {cards} Sphinx card(s).")
    own.tell(text, "EG-7.1", ("space:SITE_SPHINX",), stones=order.n, cards=count)
    state.drawn = take_top(own, count)
    own.whisper(N_("You draw {cards}."), "EG-7.1", cards=state.drawn_names)


def take_top(ply: Ply, count: int) -> list[int]:
    """Return the top `count` cards: the unseen ones first, then what was put under, in the order it was."""
    t, state = ply.t, ply.state
    found = _drawn_from(ply, t, state.sphinx, min(count, len(state.sphinx)))
    while len(found) < count:
        under = state.under[0]
        due = min(count - len(found), len(under.rest))
        if under.ordered:
            found += under.rest[:due]
            del under.rest[:due]
        else:
            found += _drawn_from(ply, t, under.rest, due)
        if not under.rest:
            state.under.pop(0)
    return found


def _drawn_from(ply: Ply, t: Tables, pile: list[int], due: int) -> list[int]:
    """`due` random cards out of `pile`, which loses them."""
    if not due:
        return []
    names = ply.chance.sample("sphinx", [t.sphinx[card].id for card in pile], due)
    found = [t.sphinx_index[name] for name in names]
    for card in found:
        pile.remove(card)
    return found


def check_keep(own: Own, order: Keep) -> list[Message]:
    """EG-7.1: one or none, two with the card; an order of the others, if stated, names each once."""
    names = own.state.drawn_names
    faults = list(card_faults(own, order.using, ("keep two",)))
    faults += [
        sentence("{card} is none of the cards you drew: {names}.", "EG-7.1", card=card, names=names)
        for card in dict.fromkeys(order.cards)
        if card not in names
    ]
    limit, found = 1 + len(order.using), len(order.cards)
    if found > limit or len(set(order.cards)) != found:
        faults.append(sentence("You may keep {most}; you named {found}.", "EG-7.1", most=limit, found=found))
    elif order.using and found < limit:
        text = N_("The keep-two card is for keeping {due}; you named {found}.")
        faults.append(sentence(text, "EG-4.3", due=limit, found=found))
    others = sorted(name for name in names if name not in order.cards)
    if order.order and (len(others) < _SMALL or sorted(order.order) != others):
        text = N_("An order names each card that goes under the deck once: {names}.")
        faults.append(sentence(text, "EG-7.1", names=tuple(others)))
    return faults


def legal_keep(own: Own) -> Iterator[Keep]:
    """One or none, then more with cards; for each, the others shuffled, then in every order."""
    names = own.state.drawn_names
    cards = own.count(data.KEEP_TWO)
    for count in range(min(1 + cards, len(names)) + 1):
        using = ("keep two",) * (count - 1)
        for kept in combinations(names, count):
            others = [name for name in names if name not in kept]
            yield Keep(kept, (), using)
            if len(others) >= _SMALL:
                for order in permutations(others):
                    yield Keep(kept, order, using)


def sample_keep(own: Own, chance: Chance) -> Keep:
    """Return a random choice; an order of the others is stated one time in eight."""
    names = own.state.drawn_names
    cards = own.count(data.KEEP_TWO)
    count = min(chance.below(2 + cards), len(names))
    pool = list(names)
    kept = take(pool, count, chance)
    stated: list[str] = []
    if len(pool) >= _SMALL and not chance.below(8):
        stated = take(pool, len(pool), chance)
    kept.sort(key=names.index)
    return Keep(tuple(kept), tuple(stated), ("keep two",) * (count - 1))


def keep(own: Ply, order: Keep) -> None:
    """EG-7.1, EG-7.2: kept cards stay secret; each put back scores a point."""
    t, state = own.t, own.state
    own.use(order.using)
    kept = [card for card in state.drawn if t.sphinx[card].id in order.cards]
    others = [card for card in state.drawn if card not in kept]
    if order.order:
        others = [t.sphinx_index[name] for name in order.order]
    state.kept[own.seat] += kept
    state.drawn = []
    if others:
        state.under.append(Under(own.seat, bool(order.order), others[:], others[:]))
    text = N_("{seat} keeps {kept} and puts {others} under the deck: {others} point(s).")
    own.tell(text, "EG-7.1", ("space:SITE_SPHINX",), kept=len(kept), others=len(others))
    if kept:
        own.whisper(N_("You keep {cards}."), "EG-7.2", cards=order.cards)
    own.score(len(others))
