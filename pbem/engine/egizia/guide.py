"""Egizia for people who don't know it; what cards and spaces are comes from the components of the game itself."""

from __future__ import annotations

from pbem.engine.core.guide import Entry, Guide, Scene, WorkedExample, order_entries, plain
from pbem.engine.core.types import N_, Message
from pbem.engine.egizia import data
from pbem.engine.egizia.grammar import GRAMMAR
from pbem.engine.egizia.tables import Tables, tables_of
from pbem.engine.egizia.words import sphinx_said

_GOAL = (
    N_(
        "You lead four crews and eight ships through five rounds on the Nile. Ships fetch cards, "
        "strengthen crews and secure places at the building sites; there stones become points."
    ),
    N_(
        "Crews eat: what your fields don't feed costs points. After the fifth round graves, secret "
        "Sphinx cards and stones at the end of the market score once more. Most points win."
    ),
)

_SCENES = (
    Scene(
        0,
        N_("1. The river is laid"),
        (
            Message(
                N_(
                    "Ten new cards lie along the Nile, between round spaces and building sites. The river winds from "
                    "the top left down to {last}; {seats} play in this order."
                ),
                {"last": "Heliopolis", "seats": (1, 2, 0)},
            ),
        ),
    ),
    Scene(
        8,
        N_("2. Sailing"),
        (
            Message(
                N_(
                    "One ship at a time, always further downstream than your last one. A card is yours when your "
                    "ship takes its place; a round space acts at once; at a site the ship waits to build."
                ),
            ),
            Message(
                N_("{seat} has jumped to the {site}: the place is sure, but the cards above it are lost this round."),
                {"seat": 2, "site": data.SITE_NAMES[data.SPHINX]},
            ),
        ),
    ),
    Scene(
        19,
        N_("3. Feeding and quarrying"),
        (
            Message(
                N_(
                    "All have passed. Each fed crews worth their whole strength with grain from watered fields; each "
                    "grain missing cost points by the grain market. Then the quarries brought stones."
                ),
            ),
        ),
    ),
    Scene(
        22,
        N_("4. Building"),
        (
            Message(
                N_(
                    "Sites act in river order: Sphinx, Obelisk and graves, Pyramid and Temple. One crew, with the "
                    "joker if you like, builds spaces worth at most its strength; you pay that many stones and score "
                    "that many points."
                ),
            ),
            Message(
                N_("{seat} has just put the first stone on the Obelisk and moved down the stone market."), {"seat": 0}
            ),
        ),
    ),
    Scene(
        24,
        N_("5. Taking part, and a new order"),
        (
            Message(
                N_(
                    "Using stones at one, two or three sites scored {one}, {two} or {three} points. Whoever has "
                    "fewest points sails first in the next round; ten new cards are laid."
                ),
                {"one": 1, "two": 3, "three": 6},
            ),
        ),
    ),
)

_EXAMPLES = (
    WorkedExample(
        N_("Your crews are 1, 2, 3 and 3 strong and your watered fields bring 11 grain. Do they go hungry?"),
        N_("They want 9, so all are fed. The 2 grain left over are lost: nothing is stored."),
        "EG-5.1",
    ),
    WorkedExample(
        N_("Crews of 3, 3, 4 and 4, but only 12 grain, and your marker stands where a grain costs 2."),
        N_("They want 14. Two are missing, 2 points each: you lose 4 points."),
        "EG-5.1",
    ),
    WorkedExample(
        N_("A crew of 5 works with the joker of 2 at the Obelisk: spaces 1 and 2, and a grave of 4."),
        N_(
            "Together 7, which their strength just allows: you pay 7 stones, score 7 points and go one step "
            "down a market of your choice."
        ),
        "EG-6.4",
    ),
    WorkedExample(
        N_("At the Sphinx you pay 2 stones with a crew of 2 and keep one of the cards."),
        N_("You draw 2, keep 1 in secret, and the one put back scores 1 point."),
        "EG-7.1",
    ),
)

_NILE = N_("Nile cards")
_SPHINX = N_("Sphinx cards")
_RIVER = N_("On the river")
_THINGS = N_("At your place and at the sites")
_ORDERS = N_("What you may be asked")

_ON = N_("Cards: {cards}.")
_UNSURE = N_("Not confirmed by any source at hand, so the printed cards may differ: {cards}.")

_FIELDS = (
    N_(
        "A field for good: each round it feeds your crews with the grain it shows. A green field has "
        "water wherever the ring stands."
    ),
    N_(
        "A field for good: each round it feeds your crews with the grain it shows. A yellow field has "
        "water while the ring is in the middle or on the right."
    ),
    N_(
        "A field for good: each round it feeds your crews with the grain it shows. A brown field has "
        "water only while the ring is on the right."
    ),
)
_QUARRY = N_(
    "For good: each round, after feeding, it brings you as many stones as it shows. You never hold more than 25."
)

_EFFECTS = {
    "grain_market": (
        "EG-4.2",
        N_(
            "At once: your marker goes that many steps down the grain market, so each grain missing costs "
            "fewer points. A step that ends on the last space or can't be made brings 2 points."
        ),
    ),
    "stone_market": (
        "EG-4.2",
        N_(
            "At once: your marker goes that many steps down the stone market. A step that ends on the last "
            "space or can't be made brings 3 stones; on the last two spaces stones score at the end."
        ),
    ),
    "stones": ("EG-4.2", N_("At once: you get that many stones.")),
    "vp": ("EG-4.2", N_("At once: you score that many points.")),
    "crews_plus_1": (
        "EG-4.2",
        N_("At once: the three basic crews, blue, black and yellow, become stronger by 1 each."),
    ),
    "two_crews_plus_1_or_one_plus_2": (
        "EG-4.2",
        N_("At once: two crews of your choice become stronger by 1, or one by 2. The joker counts as a crew here."),
    ),
    "vp_per_own_stone": ("EG-4.2", N_("At once: 1 point for each stone of yours on the buildings it shows.")),
    "crew_improver": ("EG-4.4", N_("For good: once a round one of your four crews becomes stronger by 1.")),
    "field_improver": (
        "EG-4.4",
        N_(
            "Laid on one of your fields, then or later, it makes it one colour better for good: brown counts "
            "as yellow, yellow as green."
        ),
    ),
    "feed_with_stones": ("EG-4.4", N_("For good: when you feed, stones may stand in for missing grain, one for one.")),
    "reuse_round_space": (
        "EG-4.4",
        N_(
            "For good: once a round one ship may go to a round space that is taken, downstream of your last "
            "ship. Not to Heliopolis."
        ),
    ),
    "plus_2_sphinx": (
        "EG-7.4",
        N_("For good: at the Sphinx you draw two cards more than you pay for; then you pay for three at most."),
    ),
    "upstream": (
        "EG-4.4",
        N_("For good: once a round one ship may go back up the river. Later ships must go downstream of it."),
    ),
    "leftover_nile_card": (
        "EG-4.4",
        N_("For good: right after sailing you may take one card that was left on the river."),
    ),
    "two_stones_crew_plus_1": (
        "EG-4.4",
        N_("For good: once a round you may pay 2 stones, and one of your four crews becomes stronger by 1."),
    ),
    "graves_plus_8": (
        "EG-4.4",
        N_("At the end of the game 8 is added to the sum of your graves, even if you have none."),
    ),
    "crew_plus_3": (
        "EG-4.3",
        N_(
            "Once: one crew is stronger by 3 for a single building action. At the Sphinx you still draw 5 "
            "cards at most."
        ),
    ),
    "grain": ("EG-4.3", N_("Once: it gives that much grain in one feeding.")),
    "keep_two_sphinx": (
        "EG-4.3",
        N_("Once: you keep two of the Sphinx cards drawn instead of one. You may decide after seeing them."),
    ),
    "two_ships": ("EG-4.3", N_("Once: you place two ships in one turn, one after the other.")),
    "double_round_space": (
        "EG-4.3",
        N_("Once: you do what a round space says twice, with different choices if you like. Not at Heliopolis."),
    ),
    "combine_two_crews": (
        "EG-4.3",
        N_(
            "Once: two basic crews work together in one building action, the joker too if you like. All of "
            "them are used for this round."
        ),
    ),
    "extra_ship_full_site": (
        "EG-4.3",
        N_(
            "Once: a ship of yours gets a new last slot at a site whose slots are all taken, before anyone "
            "in its queue."
        ),
    ),
    "change_site_position": (
        "EG-4.3",
        N_(
            "Once: before a site acts you move your ship to another of its slots. If a ship lies there the "
            "two change places."
        ),
    ),
    "sell_stones": ("EG-4.3", N_("Once: you sell up to 10 stones for 1 point each.")),
}
"""By a Nile card's effect: the rule, and what it does."""

_TASKS = {
    "obelisk_space_filled": N_("It scores if that space of the Obelisk is built by the end, whoever built it."),
    "temple_pylons_and_columns": N_(
        "It scores if both pylons and so many columns of the Temple are full by the end, whoever built them."
    ),
    "all_graves_taken": N_("It scores if no grave is left on the path by the end, whoever took them."),
    "pyramid_complete": N_("It scores if the Pyramid is full by the end, whoever built it."),
    "players_on_last_space": N_(
        "It scores by how many players, you among them, stand on the last space of that market."
    ),
    "own_on_last_space": N_("It scores if your marker stands on the last space of that market, alone or not."),
    "own_stones": N_("It scores if you have so many stones of your own on that building."),
    "own_stones_each": N_("It scores if you have so many stones of your own on each of those buildings."),
    "vp_per_own_grave": N_("It scores for each grave of yours."),
    "crew_strength": N_("It scores as many points as that crew of yours is strong."),
    "majority": N_(
        "It scores if you have more of this than each of the others; a tie is not enough. Start cards "
        "and improved colours count."
    ),
    "vp_per_permanent": N_("It scores for each permanent card of yours that is no field and no quarry."),
    "plus_10_percent": N_("It is counted last and adds a tenth of all your points, rounded down."),
}
"""By a Sphinx card's condition: what it asks for."""

_ROUNDS = {
    data.BOTH_MARKETS: ("EG-3.4", N_("Your ship here moves your markers one step down both markets.")),
    data.CREW_STEPS: ("EG-3.5", N_("Your ship here makes the two crews shown stronger by 1: {crews}.")),
    data.JOKER_RING: (
        "EG-3.6",
        N_("Your ship here makes your joker stronger by 1, and you may move the water ring one circle."),
    ),
    data.ANY_CREW: ("EG-3.7", N_("Your ship here makes one crew of your choice stronger by 1, then brings 2 stones.")),
}
"""By what a round space does: the rule, and the sentence."""
_ONE_SHIP = N_("One ship has room here each round.")

_SITES = {
    data.SPHINX: (
        "EG-7.1",
        N_(
            "Pay 1 to 5 stones, at most as many as your crew is strong, and draw as many Sphinx cards. Keep "
            "one or none in secret; each card put back scores 1 point."
        ),
    ),
    data.OBELISK: (
        "EG-6.4",
        N_(
            "Obelisk spaces are built strictly in order, graves taken strictly along the path; one action "
            "may do both. At least one Obelisk stone moves you one step down a market of your choice."
        ),
    ),
    data.PYRAMID: (
        "EG-6.5",
        N_(
            "Pyramid rows fill from the left, and a space needs both spaces under it. Most stones in a full "
            "row score 1 point each. Pylons and columns of the Temple go from the bottom up, the entablature "
            "once both pylons are full."
        ),
    ),
}
"""By site: the rule, and what happens there."""
_SLOTS = N_(
    "A ship here holds a slot; the slot nearest the river acts first. Once all are taken further "
    "ships wait in the queue."
)

_PLAIN = (
    (
        "card-space",
        _RIVER,
        N_("card space"),
        (),
        "EG-3.3",
        N_(
            "One of the ten places for a Nile card. Your ship takes the card and lies in its place, so "
            "nobody else can take it."
        ),
    ),
    (
        "ship",
        _RIVER,
        N_("ship"),
        (),
        "EG-3.2",
        N_(
            "You have eight each round. Each must go further downstream than your last. All but those at "
            "sites come back after sailing."
        ),
    ),
    (
        "ring",
        _RIVER,
        N_("water ring"),
        ("water ring", "ring"),
        "EG-1.7",
        N_(
            "It stands on one of three circles: on the left it waters green fields, in the middle green and "
            "yellow ones, on the right all."
        ),
    ),
    (
        "crew",
        _THINGS,
        N_("crew"),
        ("blue", "black", "yellow"),
        "EG-6.2",
        N_(
            "The blue, the black and the yellow one start with strength 1 and go up to 9. One of them works "
            "in each building action, once a round, and eats as much grain as it is strong."
        ),
    ),
    (
        "joker",
        _THINGS,
        N_("joker"),
        ("joker",),
        "EG-6.2",
        N_(
            "It starts with strength 2 and helps one basic crew in a building action, never alone, once a "
            "round. It eats as well."
        ),
    ),
    (
        "grain-market",
        _THINGS,
        N_("grain market"),
        (),
        "EG-5.3",
        N_(
            "Your marker's space says what each missing grain costs: 3, 2 or 1 points. At its end each step "
            "brings 2 points instead."
        ),
    ),
    (
        "stone-market",
        _THINGS,
        N_("stone market"),
        (),
        "EG-5.3",
        N_(
            "On its last two spaces your stones score at the end, 2 for 1 point. At its end each step brings "
            "3 stones instead."
        ),
    ),
    (
        "stone",
        _THINGS,
        N_("stone"),
        (),
        "EG-6.2",
        N_("Your quarries bring stones each round; a space of value 3 costs 3 of them. You never hold more than 25."),
    ),
    (
        "grave",
        _THINGS,
        N_("grave"),
        ("graves",),
        "EG-9.2",
        N_(
            "You pay its value in stones and score it at once. At the end the sum of your graves scores "
            "again: 2 points up to 10, 5 up to 20, 9 above."
        ),
    ),
    (
        "temple-parts",
        _THINGS,
        N_("Temple"),
        tuple(data.PARTS),
        "EG-6.6",
        N_(
            "Two pylons, two columns and the entablature on top. Pylons and columns go from the bottom up; "
            "the entablature waits for both pylons."
        ),
    ),
    (
        "participation",
        _THINGS,
        N_("taking part"),
        (),
        "EG-8.1",
        N_("At the end of a round those who used stones at one, two or three sites score 1, 3 or 6 points."),
    ),
    (
        "queue",
        _THINGS,
        N_("queue"),
        ("queue",),
        "EG-6.1",
        N_(
            "Ships behind a full site. Each slot that is given away goes to the first of them; who is left "
            "acts after all slots."
        ),
    ),
)
"""Key, heading, name, words, rule, text of everything that no table of the game lists."""

_WAYS = {
    "ship": (
        N_("Placing a ship"),
        "EG-3.3",
        N_("Say where your next ship goes, or pass. The further you jump the more you leave to the others."),
    ),
    "leftover": (
        N_("Taking a card that was left"),
        "EG-4.4",
        N_("You hold a leftover card: take one of the cards nobody took, or none."),
    ),
    "feed": (
        N_("Feeding"),
        "EG-5.1",
        N_(
            "Your fields don't feed everybody and you hold something that helps: say what you use. What is "
            "still missing costs points."
        ),
    ),
    "move": (
        N_("Moving a ship within a site"),
        "EG-4.3",
        N_("You hold the card for it: go to another slot of this site before it acts, or stay and keep the card."),
    ),
    "sphinx": (
        N_("Drawing at the Sphinx"),
        "EG-7.1",
        N_("Say how many stones you pay and which crews work. You draw as many Sphinx cards."),
    ),
    "keep": (
        N_("Keeping a Sphinx card"),
        "EG-7.1",
        N_("Keep the card you can best fulfil, or none. The others go under the deck and score 1 point each."),
    ),
    "build": (
        N_("Building"),
        "EG-6.2",
        N_(
            "Name what you build and which crew works. The values together may not pass its strength nor "
            "your stones; they are your points."
        ),
    ),
    "dig": (
        N_("Going on at the graves"),
        "EG-6.4",
        N_("You took all open graves and strength and stones are left: take the next as well, or stop."),
    ),
    "after": (
        N_("Cards after building"),
        "EG-4.5",
        N_("Last chance of the round for cards that may go along with any order, such as the crew improver."),
    ),
}
"""By kind of order: its name, the rule, what is asked."""


def _kind(t: Tables, cards: list[int], rule: str, text: str) -> Entry:
    """One entry for all Nile cards that do the same; `cards` by their numbers in the tables."""
    said, name = [Message(text)], t.what[cards[0]]
    listed = tuple(f"{t.names[card]} ({t.value[card]})" if t.value[card] else t.names[card] for card in cards)
    said.append(Message(_ON, {"cards": listed}))
    unsure = tuple(t.names[card] for card in cards if not t.cards[card].confirmed)
    if unsure:
        said.append(Message(_UNSURE, {"cards": unsure}))
    words = (name, *(t.names[card] for card in cards))
    return Entry(key=t.names[cards[0]], group=_NILE, name=Message(name), text=tuple(said), rule=rule, words=words)


def _nile(t: Tables) -> tuple[Entry, ...]:
    """Return the Nile cards, those that do the same in one entry, in the order of the decks."""
    alike: dict[str, list[int]] = {}
    for card, what in enumerate(t.what):
        alike.setdefault(what, []).append(card)
    return tuple(_kind(t, cards, *_effect(t, cards[0])) for cards in alike.values())


def _effect(t: Tables, card: int) -> tuple[str, str]:
    """Return the rule and the sentence of what a Nile card does."""
    found = t.cards[card]
    if found.type == "field":
        return "EG-4.1", _FIELDS[t.colour[card]]
    return ("EG-5.2", _QUARRY) if found.type == "quarry" else _EFFECTS[found.effect]


def _sphinx(t: Tables) -> tuple[Entry, ...]:
    """Return the Sphinx cards, those with one condition in one entry."""
    alike: dict[str, list[int]] = {}
    for card, found in enumerate(t.sphinx):
        alike.setdefault(found.cond, []).append(card)
    return tuple(
        Entry(
            key=t.sphinx[cards[0]].id,
            group=_SPHINX,
            name=Message(data.CONDITION_NAMES[cond]),
            text=(Message(_TASKS[cond]), *(sphinx_said(t, card) for card in cards)),
            rule="EG-9.3",
            words=tuple(t.sphinx[card].id for card in cards),
        )
        for cond, cards in alike.items()
    )


def _place(t: Tables, space: int) -> Entry | None:
    """Return a round space or a site; a card space has no name of its own."""
    name = t.space_name[space]
    if t.kind[space] == data.ROUND:
        rule, text = _ROUNDS[t.action[space]]
        said = Message(text, {"crews": t.crew_names[space]} if t.crew_names[space] else {})
        return Entry(
            key=name.replace(" ", "-"),
            group=_RIVER,
            name=Message(name),
            text=(said, Message(_ONE_SHIP)),
            rule=rule,
            words=(name,),
        )
    if t.kind[space] == data.SITE:
        rule, text = _SITES[t.site_of[space]]
        return Entry(
            key=name, group=_RIVER, name=Message(name), text=(Message(text), Message(_SLOTS)), rule=rule, words=(name,)
        )
    return None


def entries(box: str) -> tuple[Entry, ...]:
    """The glossary, its cards and spaces as the components of a club's own box have them; "" for those that ship."""
    t = tables_of(box)
    return (
        *_nile(t),
        *_sphinx(t),
        *(entry for space in range(data.RIVER) if (entry := _place(t, space))),
        *(plain(group, key, name, words, rule, text) for key, group, name, words, rule, text in _PLAIN),
        *order_entries(_ORDERS, _WAYS, ((row.kind, row.example) for row in GRAMMAR)),
    )


GUIDE = Guide(goal=_GOAL, scenes=_SCENES, examples=_EXAMPLES, entries=entries(""))
