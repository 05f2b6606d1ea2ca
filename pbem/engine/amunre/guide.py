"""Amun-Re for people who don't know it; what cards and provinces are comes from the tables of the game itself."""

from __future__ import annotations

from pbem.engine.amunre import board, data
from pbem.engine.amunre.grammar import GRAMMAR
from pbem.engine.core.guide import Entry, Guide, Scene, WorkedExample, order_entries, plain
from pbem.engine.core.types import N_, Message

_GOAL = (
    N_(
        "You are a lord on the Nile. In each round everybody wins one province, settles farmers on it "
        "for gold and puts up stones that become pyramids."
    ),
    N_(
        "After three rounds the old kingdom is scored; markers and farmers go, pyramids stay. Three more "
        "rounds on the same land make the new kingdom, and the second scoring ends the game. Most points "
        "win."
    ),
    N_(
        "Points come from pyramids (1 each, 3 for a set of one on each of your provinces, 5 for the most "
        "on a bank of the Nile), from temples, from bonus cards, and at the very end from gold."
    ),
)

_SCENES = (
    Scene(
        0,
        N_("1. Provinces are turned up"),
        (
            Message(
                N_(
                    "There are as many as there are players, and their bonuses lie on them. {first}, {second} and "
                    "{third} are for sale here; {seat} is first player and bids first."
                ),
                {"first": "Dakhla", "second": "Thebes", "third": "Sawu", "seat": 1},
            ),
        ),
    ),
    Scene(
        6,
        N_("2. The auction"),
        (
            Message(
                N_(
                    "Each player's mark lies on one bid. Who is outbid bids again, but not at once on the same "
                    "province, until each province holds exactly one mark. Nobody pays before that."
                ),
            ),
            Message(
                N_("Here {seat} was pushed off {province} and can have {other} for 0 gold."),
                {"seat": 1, "province": "Dakhla", "other": "Thebes"},
            ),
        ),
    ),
    Scene(
        13,
        N_("3. Cards, farmers and stones"),
        (
            Message(
                N_(
                    "In turn everybody buys power cards, then farmers, then stones. Several of one kind cost 1, 3, "
                    "6, 10, 15 gold. Three stones become a pyramid at once."
                ),
            ),
            Message(
                N_("On {province} three farmers are at work, and an architect made a pyramid of two stones."),
                {"province": "Thebes"},
            ),
        ),
    ),
    Scene(
        14,
        N_("4. The offering"),
        (
            Message(
                N_(
                    "All chose in secret, then showed it: {amounts} gold, {total} together. So the temple stands on "
                    "space {space}."
                ),
                {"amounts": (3, 4, 9), "total": 16, "space": 3},
            ),
            Message(
                N_(
                    "Who gave most takes three things (cards, farmers or stones) and becomes first player, the "
                    "second two, the others one."
                ),
            ),
        ),
    ),
    Scene(
        16,
        N_("5. Harvest, and the next round"),
        (
            Message(
                N_(
                    "Rewards were placed, then each farmer brought as much gold as the temple's space says: "
                    "{farmers} farmers on space {space} made {gold}. New provinces are turned up, and it begins "
                    "again."
                ),
                {"farmers": 3, "space": 3, "gold": 9},
            ),
        ),
    ),
)

_EXAMPLES = (
    WorkedExample(
        N_("You buy 2 cards, 4 farmers and 3 stones in one round. What does it cost?"),
        N_("Each kind counts by itself: 3 for two cards, 10 for four farmers, 6 for three stones. That is 19 gold."),
        "AR-6.2",
    ),
    WorkedExample(
        N_("You have 5 gold and 3 cards in hand. How high can you bid?"),
        N_(
            "Each card can be sold for 1 gold, so 8 at most; the highest bid space within 8 is 6. Winning "
            "for 6 you sell one card and pay."
        ),
        "AR-5.5",
    ),
    WorkedExample(
        N_("Memphis holds 2 stones; you put 1 more there. Mendes holds a pyramid and 1 stone; you put 2 more there."),
        N_(
            "Three stones lie on each, so both finish a pyramid: Memphis has one, Mendes two. The three "
            "stones cost 6 gold."
        ),
        "AR-6.6",
    ),
    WorkedExample(
        N_("The offerings are 9 gold, 4 gold and two thefts. Where does the temple go?"),
        N_("A theft counts 3 less: 9 and 4 less 6 is 7, and 3 to 12 is space 2. Each farmer brings 2 gold."),
        "AR-7.4",
    ),
    WorkedExample(
        N_(
            "The temple is on space 2. You hold Memphis with 1 farmer, Abu with 2 farmers, and Sawu. What do "
            "you harvest?"
        ),
        N_("Memphis 2, Abu 4 and its income of 4, Sawu 7 by caravan because the temple stands low: 17 gold."),
        "AR-8.2",
    ),
)

_CARDS = N_("Power cards")
_LANDS = N_("Provinces")
_THINGS = N_("On the board")
_ORDERS = N_("What you may be asked")

_COUNTED = N_("There are {count} of it among the {all} power cards.")
_BY_ITSELF = N_("It plays itself when it holds, unless you said beforehand that you keep it.")

_POWERS = {
    data.BLOCK: (
        "AR-5.6",
        N_(
            "Play it with a bid. For the rest of this auction whoever outbids you, wherever you stand, must "
            "go at least two spaces up instead of one."
        ),
    ),
    data.REBID: (
        "AR-5.7",
        N_(
            "Play it with a bid once you were outbid. For the rest of this auction you may go straight back "
            "to the province you were pushed from."
        ),
    ),
    data.FREE_FARMER: (
        "AR-6.5",
        N_(
            "Play it while you build: one farmer more on one of your provinces, for nothing, beside the "
            "fields. It works even where all fields are taken or there are none."
        ),
    ),
    data.ARCHITECT: (
        "AR-6.7",
        N_(
            "Play it while you build: on one of your provinces two stones make a pyramid instead of three. "
            "You need not buy stones for it."
        ),
    ),
    data.ADJUSTMENT: (
        "AR-7.3",
        N_(
            "Add it to your offering. When all offerings are open you raise or lower their total by 3, which "
            "may move the temple. Nobody's own offering changes."
        ),
    ),
    data.EIGHT_GOLD: (
        "AR-8.4",
        N_("Play it at the harvest on one of your provinces: it brings 8 gold, in place of all else it would bring."),
    ),
    data.INCREASE: (
        "AR-8.3",
        N_("Play it at the harvest on one of your provinces: each farmer there brings 1 gold more."),
    ),
    data.CARDS_BONUS: (
        "AR-9.5",
        N_(
            "3 points at a scoring if your provinces show at least 7 card signs: their card limits and the "
            "free cards they print, added up."
        ),
    ),
    data.FARMERS_BONUS: (
        "AR-9.5",
        N_("3 points at a scoring if you have at least 9 farmers on your provinces together."),
    ),
    data.HALF_BONUS: (
        "AR-9.5",
        N_("3 points at a scoring if all three provinces of yours lie in Upper Egypt, or all three in Lower Egypt."),
    ),
    data.BANK_BONUS: (
        "AR-9.5",
        N_("3 points at a scoring if all three provinces of yours lie on the same bank of the Nile."),
    ),
    data.RIVERSIDE_BONUS: (
        "AR-9.5",
        N_("3 points at a scoring if all three provinces of yours touch the Nile, or none of them does."),
    ),
}
"""By kind of card: the rule, and what it does."""

_THEFT = N_("theft")
_PLAIN = (
    (
        "pyramid",
        N_("pyramid"),
        ("pyramid", "pyramids"),
        "AR-6.6",
        N_(
            "Three stones on one province become one, at once. It stays to the end and scores 1 point in "
            "each kingdom, for whoever owns the province then. It also counts for sets and banks."
        ),
    ),
    (
        "stone",
        N_("stone"),
        ("stones",),
        "AR-6.6",
        N_(
            "It lies on a province until there are three. Stones left over stay there, for the next "
            "kingdom's owner too."
        ),
    ),
    (
        "farmer",
        N_("farmer"),
        ("farmer", "farmers"),
        "AR-6.4",
        N_(
            "It stands on a field of your province and brings gold at each harvest: as much as the number of "
            "the temple's space. Farmers go when the old kingdom ends."
        ),
    ),
    (
        "temple",
        N_("temple"),
        ("temple", "temples"),
        "AR-7.4",
        N_(
            "The temple's marker stands on space 1 to 4, by the total of all offerings: up to 2, 3 to 12, 13 "
            "to 22, from 23. The space says what a farmer earns, and what each temple printed on a province "
            "scores."
        ),
    ),
    (
        "theft",
        _THEFT,
        ("theft",),
        "AR-7.5",
        N_(
            "Played in place of gold it takes 3 gold from the bank and lowers the total by 3. It earns no "
            "reward, and comes back to you."
        ),
    ),
    (
        "first-player",
        N_("first player"),
        ("first player",),
        "AR-7.7",
        N_("Everything goes clockwise from here. Whoever offers most gold becomes first player for the next round."),
    ),
    (
        "bid-space",
        N_("bid space"),
        (),
        "AR-5.1",
        N_(
            "Bids can only be 0, 1, 3, 6, 10, 15, 21, 28, 36, 45 and so on: each step is one gold dearer "
            "than the step before."
        ),
    ),
    (
        "caravan",
        N_("caravan"),
        ("caravan",),
        "AR-8.2",
        N_("Income marked with a camel comes only when the temple stands on space 1 or 2. It needs no farmer."),
    ),
    (
        "set",
        N_("set"),
        (),
        "AR-9.2",
        N_(
            "One pyramid on each of your three provinces is a set: 3 points more. Your province with the "
            "fewest pyramids says how many sets you have."
        ),
    ),
    (
        "bank",
        N_("bank of the Nile"),
        (),
        "AR-9.3",
        N_(
            "On the west and on the east bank the province with the most pyramids scores 5 points; stones "
            "break a tie, and if that fails all tied owners score."
        ),
    ),
    (
        "gold",
        N_("gold"),
        (),
        "AR-9.6",
        N_(
            "It buys everything. Only at the end of the game does it score: 6 points for the most, 4 for the "
            "second, 2 for the third; cards left are sold first."
        ),
    ),
)
"""Key, name, words, rule, text of everything that no table of the game lists."""

_WAYS = {
    "bid": (
        N_("Bidding"),
        "AR-5.2",
        N_(
            "Name a province and an amount. It is paid only if you keep the province; you may go up to your "
            "gold and 1 more for each card in hand."
        ),
    ),
    "sell": (
        N_("Selling cards"),
        "AR-6.8",
        N_("Your bid is higher than your gold: say which cards are sold for 1 gold each."),
    ),
    "buy": (
        N_("Buying power cards"),
        "AR-6.3",
        N_(
            "You may buy as many as the highest card limit among your provinces. They are drawn face down, "
            "before you buy farmers and stones."
        ),
    ),
    "build": (
        N_("Farmers and stones"),
        "AR-6.4",
        N_(
            "Say how many you buy and where they go. Farmers need a free field of yours; stones go anywhere "
            "on your provinces."
        ),
    ),
    "draft": (
        N_("Putting cards back"),
        "AR-6.11",
        N_("In games with this option you draw two cards more than you keep, and say which two go back."),
    ),
    "offer": (
        N_("Offering"),
        "AR-7.1",
        N_(
            "All choose in secret: some gold, or theft. More gold lifts everybody's harvest and brings you "
            "more rewards."
        ),
    ),
    "adjust": (
        N_("Moving the total"),
        "AR-7.3",
        N_("You added an adjustment card, and it matters: raise the total by 3 or lower it."),
    ),
    "take": (
        N_("Reward cards"),
        "AR-7.6",
        N_("You earned 1, 2 or 3 rewards. Say how many of them are power cards; the rest become farmers and stones."),
    ),
    "harvest": (
        N_("Rewards and harvest"),
        "AR-8.1",
        N_(
            "Place the rewards that are left, and play a harvest card if you hold one. Then every province "
            "of yours brings its gold."
        ),
    ),
    "keep": (
        N_("Keeping bonus cards"),
        "AR-9.5",
        N_(
            "Nobody waits for this answer. Bonus cards that hold are played at the scoring; name those you "
            "want to save for the next one."
        ),
    ),
}
"""By kind of order: its name, the rule, what is asked."""

_FIELDS = N_("{fields} field(s); whoever owns it may buy up to {cards} power card(s) a round.")
_SIDES = (
    (N_("It lies on the west bank in Lower Egypt."), N_("It lies on the west bank in Upper Egypt.")),
    (N_("It lies on the east bank in Lower Egypt."), N_("It lies on the east bank in Upper Egypt.")),
)
_RIVER = (N_("It doesn't touch the river."), N_("It touches the river."))
_INCOME = (
    N_("It brings {gold} gold each harvest, without farmers."),
    N_("A caravan brings {gold} gold when the temple stands on space 1 or 2."),
)
_PRINTED = (
    ("bonus_cards", N_("Who wins it gets {count} power card(s).")),
    ("bonus_stones", N_("Who wins it finds {count} stone(s) on it.")),
    ("bonus_gold", N_("Who wins it gets {count} gold.")),
    ("printed_farmers", N_("{count} farmer(s) work there from the start, beside the fields.")),
    ("temples", N_("{count} temple(s): each scores the number of the temple's space.")),
)
_UNSURE = N_("Not confirmed by any source at hand, so the printed board may differ: {what}.")
_CELLS = {
    "fields": N_("fields"),
    "card_limit": N_("card limit"),
    "riverside": N_("whether it touches the river"),
    "half": N_("which half of Egypt"),
}


def _power(kind: int) -> Entry:
    rule, text = _POWERS[kind]
    said = [Message(text), Message(_COUNTED, {"count": data.COPIES[kind], "all": data.ALL_CARDS})]
    if kind in data.BONUSES:
        said.insert(1, Message(_BY_ITSELF))
    name = data.CARDS[kind]
    return Entry(
        key=name.replace(" ", "-"), group=_CARDS, name=Message(name), text=tuple(said), rule=rule, words=(name,)
    )


def _province(table: board.Board, p: int) -> Entry:
    """Return what the table of the board says of one province, in sentences."""
    name = data.PROVINCES[p]
    said = [
        Message(_FIELDS, {"fields": table.fields[p], "cards": table.card_limit[p]}),
        Message(_SIDES[table.bank[p]][table.half[p]]),
        Message(_RIVER[table.riverside[p]]),
    ]
    if table.income[p]:
        said.append(Message(_INCOME[table.camel[p]], {"gold": table.income[p]}))
    for column, text in _PRINTED:
        count = getattr(table, column)[p]
        if count:
            said.append(Message(text, {"count": count}))
    if table.not_confirmed[p]:
        said.append(Message(_UNSURE, {"what": tuple(_CELLS[cell] for cell in table.not_confirmed[p])}))
    return Entry(key=name, group=_LANDS, name=Message(name), text=tuple(said), rule="AR-1.1", words=(name,))


def entries(box: str) -> tuple[Entry, ...]:
    """Return the glossary, its provinces as the table of a club's own box has them; "" for the one of these rules."""
    table = board.load(box)
    return (
        *(_power(kind) for kind in range(data.KINDS)),
        *(_province(table, p) for p in range(data.LANDS)),
        *(plain(_THINGS, *row) for row in _PLAIN),
        *order_entries(_ORDERS, _WAYS, ((row.kind, row.example) for row in GRAMMAR)),
    )


GUIDE = Guide(goal=_GOAL, scenes=_SCENES, examples=_EXAMPLES, entries=entries(""))
