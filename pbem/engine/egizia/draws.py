"""EG-7: drawing Sphinx cards, keeping one, putting the others under the deck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.rng import Chance
from pbem.engine.egizia import crews, data
from pbem.engine.egizia.cards import card_faults
from pbem.engine.egizia.orders import Keep, Sphinx
from pbem.engine.egizia.ply import Ply, ready_count
from pbem.engine.egizia.state import State, Under, sphinx_left
from pbem.engine.egizia.tables import Tables

_WORDS = (*crews.WORDS, "+2")
_RANGE = N_(
    "You may pay for 1 to {most} card(s) here, not {found}: strength {reach}, {stones} stone(s), {deck} in the deck."
)
_SMALL = 2


def most(t: Tables, state: State, seat: int, reach: int, *, plus: bool) -> int:
    """EG-7.1, EG-7.3, EG-7.4: how many cards may be paid for."""
    limit = t.parts.max_sphinx_draw - (data.FREE_SPHINX if plus else 0)
    return max(0, min(reach, state.stones[seat], limit, sphinx_left(state)))


def check(t: Tables, state: State, seat: int, order: Sphinx) -> list[Message]:
    """Return every fault of a draw."""
    faults = list(crews.faults(t, state, seat, order, _WORDS))
    reach = crews.strength(t, state, seat, order.crews, order.using)
    limit = most(t, state, seat, reach, plus="+2" in order.using)
    if not 1 <= order.n <= limit:
        rule, stones, deck = "EG-7.4" if "+2" in order.using else "EG-7.1", state.stones[seat], sphinx_left(state)
        faults.append(sentence(_RANGE, rule, most=limit, found=order.n, reach=reach, stones=stones, deck=deck))
    return faults


def legal(t: Tables, state: State, seat: int) -> Iterator[Sphinx]:
    """Yield every draw without riders, plain ones first."""
    for plus in (False, True) if state.power[seat] & data.PLUS_2 else (False,):
        for working, using in crews.spans(t, state, seat):
            reach = crews.strength(t, state, seat, working, using)
            for n in range(1, most(t, state, seat, reach, plus=plus) + 1):
                yield Sphinx(n, working, (*using, *("+2",) * plus))


def sample(t: Tables, state: State, seat: int, chance: Chance) -> Sphinx | None:
    """Return a random draw."""
    working, using = crews.sample(t, state, seat, 1, chance)
    plus = bool(state.power[seat] & data.PLUS_2 and chance.below(2))
    limit = most(t, state, seat, crews.strength(t, state, seat, working, using), plus=plus)
    if not working or not limit:
        return None
    return Sphinx(1 + chance.below(limit), working, (*using, *("+2",) * plus))


def drawn(state: State, order: Sphinx) -> int:
    """EG-7.3, EG-7.4: how many cards are drawn, the free ones as far as the deck goes."""
    return min(order.n + (data.FREE_SPHINX if "+2" in order.using else 0), sphinx_left(state))


def draw(ply: Ply, seat: int, order: Sphinx) -> None:
    """EG-7.1: crews tire, stones are paid, cards drawn; the seat then chooses among them."""
    t, state = ply.t, ply.state
    crews.tire(ply, seat, order.crews, order.using)
    ply.stones(seat, -order.n)
    state.worked[seat] |= 1 << data.SPHINX
    count = drawn(state, order)
    text = N_("{seat} pays {stones} stone(s) and draws {cards} Sphinx card(s).")
    ply.tell(seat, text, "EG-7.1", ("space:SITE_SPHINX",), stones=order.n, cards=count)
    state.drawn = take_top(ply, count)
    ply.whisper(seat, N_("You draw {cards}."), "EG-7.1", cards=tuple(t.sphinx[card].id for card in state.drawn))


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


def check_keep(t: Tables, state: State, seat: int, order: Keep) -> list[Message]:
    """EG-7.1: one or none, two with the card; an order of the others, if stated, names each once."""
    names = tuple(t.sphinx[card].id for card in state.drawn)
    faults = list(card_faults(t, state, seat, order.using, ("keep two",)))
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


def legal_keep(t: Tables, state: State, seat: int) -> Iterator[Keep]:
    """One or none, then more with cards; for each, the others shuffled, then in every order."""
    names = [t.sphinx[card].id for card in state.drawn]
    cards = ready_count(t, state, seat, data.KEEP_TWO)
    for count in range(min(1 + cards, len(names)) + 1):
        using = ("keep two",) * (count - 1)
        for kept in combinations(names, count):
            others = [name for name in names if name not in kept]
            yield Keep(kept, (), using)
            if len(others) >= _SMALL:
                for order in permutations(others):
                    yield Keep(kept, order, using)


def sample_keep(t: Tables, state: State, seat: int, chance: Chance) -> Keep:
    """Return a random choice; an order of the others is stated one time in eight."""
    names = [t.sphinx[card].id for card in state.drawn]
    cards = ready_count(t, state, seat, data.KEEP_TWO)
    count = min(chance.below(2 + cards), len(names))
    pool = list(names)
    kept = [pool.pop(chance.below(len(pool))) for _ in range(count)]
    stated: list[str] = []
    if len(pool) >= _SMALL and not chance.below(8):
        rest = list(pool)
        stated = [rest.pop(chance.below(len(rest))) for _ in range(len(pool))]
    kept.sort(key=names.index)
    return Keep(tuple(kept), tuple(stated), ("keep two",) * (count - 1))


def keep(ply: Ply, seat: int, order: Keep) -> None:
    """EG-7.1, EG-7.2: kept cards stay secret; each put back scores a point."""
    t, state = ply.t, ply.state
    for name in order.using:
        ply.spend(seat, data.USING[name])
    kept = [card for card in state.drawn if t.sphinx[card].id in order.cards]
    others = [card for card in state.drawn if card not in kept]
    if order.order:
        others = [t.sphinx_index[name] for name in order.order]
    state.kept[seat] += kept
    state.drawn = []
    if others:
        state.under.append(Under(seat, bool(order.order), others[:], others[:]))
    text = N_("{seat} keeps {kept} and puts {others} under the deck: {others} point(s).")
    ply.tell(seat, text, "EG-7.1", ("space:SITE_SPHINX",), kept=len(kept), others=len(others))
    if kept:
        ply.whisper(seat, N_("You keep {cards}."), "EG-7.2", cards=order.cards)
    ply.score(seat, len(others))
