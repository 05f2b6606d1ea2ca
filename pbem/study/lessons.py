"""A first game of each title: one seat by hand, bots beside it, one new idea with each decision.

A lesson is data: which game is dealt, and what is said when a kind of decision comes up for the first time, the second
time and so on. Whatever the pupil orders is played, so the ideas hang on what is asked, never on a script of moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.bots.players import bot_of
from pbem.engine.core.rng import Rng
from pbem.engine.core.types import N_, Message, sentence
from pbem.engine.registry import guide_of, rules_of
from pbem.messages import Translator
from pbem.study import sandbox

PUPIL = 0
"""The seat that is played by hand."""
_TRIES = 12
"""Random orders drawn to find choices that differ."""
_CHOICES = 3
"""Choices set out beside an idea; all others stand in the form below."""


class Idea(msgspec.Struct, frozen=True):
    """One thing to know, told with the decision that shows it."""

    title: str | Message
    text: str | Message
    good: str
    """Why a seasoned player's choice is one."""
    careful: str
    """What the careful choice gives up."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A first game."""

    game: str
    seats: int
    seed: str
    length: int
    """Decisions of the pupil, some ten minutes of them; a game that is over sooner ends the lesson."""
    goal: str
    farewell: str
    ideas: Mapping[str, tuple[Idea, ...]]
    """By kind of decision, in the order in which they are told."""
    further: tuple[str, ...]
    """Keys of the glossary: what is told, one with each decision, once the ideas of its kind have been."""


class Suggestion(msgspec.Struct, frozen=True):
    """A choice with its reason."""

    text: str
    """The canonical order."""
    does: Message
    why: Message


class LessonStep(msgspec.Struct, frozen=True, kw_only=True):
    """Where a lesson waits for its pupil, and what it says there."""

    at: sandbox.SandboxPosition
    number: int
    idea: Idea | None
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the lesson ends here."""
        return self.idea is None and not self.suggestions


_AMUNRE = Lesson(
    game="amunre",
    seats=3,
    seed="lesson/amunre/3",
    length=11,
    goal=N_(
        "You are a lord of Egypt. Win provinces, farm them for gold, and build pyramids: they score after "
        "three rounds and again after six."
    ),
    farewell=N_(
        "You have seen a whole round: a province won, farmers and stones bought, an offering made, a harvest "
        "brought in. After three such rounds pyramids, sets and banks score, then all begins anew on the same "
        "land with your pyramids still standing."
    ),
    further=("pyramid", "set", "bank", "temple", "caravan", "gold", "first-player"),
    ideas={
        "bid": (
            Idea(
                N_("Bid for one province"),
                N_(
                    "Everybody wins exactly one province each round. Bids go 0, 1, 3, 6, 10, 15: each step "
                    "costs more than the one before. If somebody goes higher you get to bid again, but not at "
                    "once on the same province."
                ),
                N_(
                    "It asks for little, and leaves gold to build with: a province without farmers or stones "
                    "earns nothing."
                ),
                N_(
                    "A bid of 0 is always safe where nobody stands, and you keep all your gold. What is left "
                    "over is seldom the best land."
                ),
            ),
            Idea(
                N_("Being outbid is no loss"),
                N_(
                    "Nothing is paid until each province has one bid. Who is outbid goes elsewhere, or comes back to "
                    "the first province later."
                ),
                N_("It takes land that still has room for farmers, at a price the harvest can pay back."),
                N_("It costs nothing now, but the best fields go to those who pay."),
            ),
            Idea(
                N_("Look at what a province prints"),
                N_(
                    "Fields hold farmers, temples score with the offering, an income needs no farmers, and the "
                    "card limit says how many power cards you may buy."
                ),
                N_("It adds to what you have: fields if you are poor, temples or stones if you are rich."),
                N_("It keeps your gold for stones; three stones are a pyramid."),
            ),
        ),
        "buy": (
            Idea(
                N_("Power cards come first"),
                N_(
                    "You buy cards, then farmers, then stones. Several of one kind cost 1, 3, 6, 10, 15: the "
                    "fifth farmer alone costs 5. You may always sell a card back for 1 gold."
                ),
                N_("One card is cheap, and any card can be sold again when a coin is missing."),
                N_("Without cards more is left for farmers and stones, which work at once."),
            ),
        ),
        "build": (
            Idea(
                N_("Farmers bring gold, stones bring points"),
                N_(
                    "Every farmer earns 1 to 4 gold each harvest. Three stones on one province become a "
                    "pyramid, and a pyramid is a point, counts for sets and for the banks of the Nile."
                ),
                N_("It spends most on what grows: farmers early, stones as soon as they pay for themselves."),
                N_(
                    "Keeping the gold is safe, but gold scores only at the very end: 6, 4 and 2 points for who "
                    "has most."
                ),
            ),
        ),
        "offer": (
            Idea(
                N_("The offering, in secret"),
                N_(
                    "All offer gold at the same time. The sum moves the temple, and the temple says what each "
                    "farmer earns. Who gives most gets three rewards, the second two, the others one."
                ),
                N_("A few coins buy a reward worth more than they cost, and lift everybody's harvest, also yours."),
                N_("Offering 1 is the cheapest way to a reward. The theft card takes 3 gold instead and gets none."),
            ),
        ),
        "sell": (
            Idea(
                N_("Paying for your bid"),
                N_("You bid more than your gold. Cards make up for it, 1 gold each: choose which ones go."),
                N_("It sells what helps you least."),
                N_("It keeps what is dear at the scoring."),
            ),
        ),
        "adjust": (
            Idea(
                N_("Move the temple"),
                N_(
                    "Your card raises or lowers the sum of the offerings by 3, just enough to change the "
                    "temple's space."
                ),
                N_("It suits your farmers, or spoils the others' temples."),
                N_("It leaves you no worse than they are."),
            ),
        ),
        "take": (
            Idea(
                N_("Your rewards"),
                N_(
                    "A reward is a power card, a farmer or a stone, as you like. Say how many cards you take; "
                    "you see them before you place the rest."
                ),
                N_("Stones and farmers work at once, where you need them."),
                N_("A card may be worth 3 points at the scoring, or nothing."),
            ),
        ),
        "harvest": (
            Idea(
                N_("Harvest"),
                N_(
                    "Place what you were given. Then every farmer brings gold by the temple's space, and some "
                    "provinces bring an income of their own."
                ),
                N_("It goes where a pyramid is nearest, or where a farmer still has a field."),
                N_("It harms nothing, and nothing is left to chance."),
            ),
        ),
    },
)

_PRIESTS = Lesson(
    game="priestsofra",
    seats=3,
    seed="lesson/priestsofra/3",
    length=14,
    goal=N_(
        "You collect tiles over three epochs. They are sold in lots, and you pay with suns: numbered once, "
        "each good for one lot."
    ),
    farewell=N_(
        "You have drawn, bid and seen a lot go. An epoch ends when all suns are spent or the Ra track is full, "
        "so a sun kept too long buys nothing. Buildings, pyramids and chambers stay to the end; people are "
        "counted and leave."
    ),
    further=("farmer", "market", "plague", "priest", "centre", "pyramid", "chamber-A", "ankh", "lot", "epoch"),
    ideas={
        "turn": (
            Idea(
                N_("Draw or call"),
                N_(
                    "On your turn you draw a tile into the lot, or you call Ra: then everybody bids once for "
                    "all that lies there."
                ),
                N_("The lot is small. It gets better with each tile, and nobody has paid yet."),
                N_("Calling now would sell very little for one of your suns."),
            ),
            Idea(
                N_("Ra tiles are the clock"),
                N_(
                    "A drawn Ra tile goes on the track and starts an auction at once. When the track is full "
                    "the epoch is over, whatever suns you still hold."
                ),
                N_("There is still room on the track, so another tile costs you nothing."),
                N_("It waits for the others to fill the lot. They wait too."),
            ),
            Idea(
                N_("When to call"),
                N_(
                    "If everybody else passes, the caller must take the lot. Call when the lot suits you "
                    "better than them, or when your sun will win."
                ),
                N_("It fits what lies in the lot and which suns the others have left."),
                N_("It leaves the choice to the next player, who may call first."),
            ),
        ),
        "face": (
            Idea(
                N_("Two faces"),
                N_(
                    "Many tiles have two faces; who draws chooses which one it shows. People count against the "
                    "others each epoch, buildings count in pairs and stay."
                ),
                N_("It is the face that helps you more than them: you don't know yet who will win it."),
                N_("A priest could flip it to the other face later, but priests are rare."),
            ),
        ),
        "bid": (
            Idea(
                N_("One bid each"),
                N_(
                    "Bids go round once. Your bid is one of your suns and must be higher than the best so far. "
                    "The winner gets the lot and, for later, the sun that lay in the middle."
                ),
                N_("It weighs what the tiles bring against the sun in the middle, which you would get in exchange."),
                N_("Passing costs nothing and keeps your suns, but each must be spent before the epoch ends."),
            ),
            Idea(
                N_("A low sun buys as much as a high one"),
                N_(
                    "A sun only has to be the highest bid. Use the lowest that wins; at the end of the game "
                    "the highest sum of suns scores 5 and the lowest loses 5."
                ),
                N_("It is enough to win, or it leaves this lot to somebody who needs it less than they pay."),
                N_("It keeps the sun for a fuller lot."),
            ),
        ),
        "flip": (
            Idea(
                N_("Priests flip tiles"),
                N_("Each priest you have just won may flip one of your tiles to its other face. It is now or never."),
                N_("It completes a pair, or makes you strongest in one kind of people."),
                N_("Flipping nothing is allowed; the priest scores 2 all the same."),
            ),
        ),
    },
)

_EGIZIA = Lesson(
    game="egizia",
    seats=3,
    seed="lesson/egizia/3",
    length=12,
    goal=N_(
        "You send eight ships down the Nile each round, for cards, for stronger crews and for a place at the "
        "building sites, where stones become points."
    ),
    farewell=N_(
        "You have sailed, fed your crews and built. There are five rounds; the river is laid anew in each, and "
        "what you build now is the ground for what comes on top."
    ),
    further=("joker", "ring", "stone-market", "grain-market", "participation", "Pyramid", "Obelisk", "grave"),
    ideas={
        "ship": (
            Idea(
                N_("Downstream only"),
                N_(
                    "Each ship must go further down the river than your last one. What you sail past is gone "
                    "for this round, so the first spaces are the bold ones."
                ),
                N_("It takes something good without leaving too much of the river behind."),
                N_("It goes a short way and keeps everything below open."),
            ),
            Idea(
                N_("Fields feed, quarries pay"),
                N_(
                    "Cards you take stay with you: fields feed your crews, quarries bring stones each round. A "
                    "hungry crew costs points."
                ),
                N_("It is a card that works in all the rounds that are left."),
                N_("It saves the good spaces for the next ships, if nobody else wants them."),
            ),
            Idea(
                N_("Round spaces make crews stronger"),
                N_(
                    "Blue, black and yellow crews and the joker begin weak. A crew of 5 builds what costs 5, "
                    "once a round. Strong crews eat more."
                ),
                N_("Stronger crews build more in every round to come."),
                N_("It needs no grain, but it builds nothing either."),
            ),
            Idea(
                N_("A place at a site"),
                N_(
                    "Without a ship at a site you can't build there. Taking part at one, two or three sites "
                    "also scores 1, 3 or 6 points."
                ),
                N_("It makes sure of a slot before the others fill them."),
                N_("It leaves the site to chance: when all slots are taken one waits in a queue."),
            ),
            Idea(
                N_("Ships that stay at home"),
                N_("Who passes, or runs out of river, is done for the round. Unused ships bring nothing."),
                N_("It uses one more ship while there is river left."),
                N_("It ends nothing early and takes what is there."),
            ),
        ),
        "feed": (
            Idea(
                N_("Feeding"),
                N_(
                    "Your four crews eat as much grain as they are strong. What is missing costs points by the "
                    "grain market."
                ),
                N_("A card now saves points at once."),
                N_("It keeps the card for a hungrier round."),
            ),
        ),
        "build": (
            Idea(
                N_("Building"),
                N_(
                    "One crew, with the joker if you like, builds things whose values add up to its strength "
                    "at most; you pay as many stones and score as many points."
                ),
                N_("It turns as many stones into points as your crew can carry."),
                N_("It keeps stones for another site of this round."),
            ),
        ),
        "sphinx": (
            Idea(
                N_("The Sphinx"),
                N_(
                    "Pay stones, draw as many cards, keep one at most. It is a secret task that scores at the "
                    "end; each card you put back scores 1 point."
                ),
                N_("More cards to choose from, and a point for each you put back."),
                N_("It saves stones for the other sites."),
            ),
        ),
        "keep": (
            Idea(
                N_("Choose your task"),
                N_("Keep a card you can fulfil on the way you are going anyway."),
                N_("It fits what you have and what the river still offers."),
                N_("Keeping none is allowed and scores 1 point more."),
            ),
        ),
    },
)

_SMALLER = Idea(
    N_("A smaller question"),
    N_("It comes up only now and then. The rules named below say all about it."),
    N_("It is what a seasoned player would do."),
    N_("It is the careful answer: the one that would be given for you if you were away."),
)
"""For kinds of decision that a first game seldom meets."""

LESSONS: Mapping[str, Lesson] = {lesson.game: lesson for lesson in (_AMUNRE, _PRIESTS, _EGIZIA)}
"""By the game's name. A game without one has its rules and its practice games."""


def translator(lesson: Lesson, language: str) -> Translator:
    """Who speaks in a lesson: everybody is called by their colour, which any verb may follow; the pupil's says so."""
    pupil, *others = rules_of(lesson.game).meta.colours[: lesson.seats]
    say = Translator(language, game=lesson.game)
    names = [say("{colour} (you)", colour=Message(pupil)), *map(say, others)]
    return Translator(language, names=names, game=lesson.game)


def sandbox_of(lesson: Lesson) -> sandbox.Sandbox:
    """Return where the lesson begins."""
    return sandbox.setup(rules_of(lesson.game), lesson.seats, lesson.seed, (PUPIL,))


def step(lesson: Lesson, line: tuple[str, ...]) -> LessonStep:
    """Return what the pupil is told and asked after the orders `line`. Raises as `sandbox.play` does."""
    root = sandbox_of(lesson)
    at = sandbox.play(root, line)
    if at.seat is None or len(line) >= lesson.length:
        return LessonStep(at=at, number=len(line), idea=None)
    idea = _idea(lesson, [_kind_at(root, line[:count]) for count in range(len(line) + 1)])
    return LessonStep(at=at, number=len(line), idea=idea, suggestions=_suggestions(root, at, idea))


def _kind_at(root: sandbox.Sandbox, line: tuple[str, ...]) -> str:
    """Return the kind of decision that was asked after `line`."""
    return str(root.rules.asked(sandbox.play(root, line).state)[PUPIL].kind)


def _idea(lesson: Lesson, kinds: Sequence[str]) -> Idea:
    """Return what is new at the last of these decisions: an idea of its kind, or else something of the glossary.

    The reasons for its choices are then those that were given for its kind before.
    """
    told = [kinds[:number].count(kind) for number, kind in enumerate(kinds)]
    ideas = [lesson.ideas.get(kind, (_SMALLER,)) for kind in kinds]
    beyond = [number for number, count in enumerate(told) if count >= len(ideas[number])]
    if told[-1] < len(ideas[-1]):
        return ideas[-1][told[-1]]
    guide, last = guide_of(lesson.game), ideas[-1][-1]
    things = {entry.key: entry for entry in guide.entries} if guide else {}
    if len(beyond) > len(lesson.further) or not things:
        return last
    thing = things[lesson.further[len(beyond) - 1]]
    title = sentence("Good to know: {thing}", thing=thing.name)
    return msgspec.structs.replace(last, title=title, text=thing.text[0])


def _suggestions(root: sandbox.Sandbox, at: sandbox.SandboxPosition, idea: Idea) -> tuple[Suggestion, ...]:
    """A seasoned player's choice, the careful one, and others at random up to three: no two that say the same."""
    rules, view = root.rules, root.rules.view(at.state, PUPIL)
    chance = Rng(f"{root.seed}/ideas", at.ply)
    found: dict[str, Suggestion] = {}
    adventure = N_("A different road. Try it and see: in a first game nothing is lost.")
    drawn = (
        (bot_of(rules.meta.name, "heuristic").choose(rules, view, chance), idea.good),
        (rules.cautious(view), idea.careful),
        *((rules.sample(at.state, PUPIL, chance), adventure) for _ in range(_TRIES)),
    )
    for order, why in drawn:
        if len(found) < _CHOICES:
            does = rules.describe(view, order)
            found.setdefault(str(does), Suggestion(str(order), does, Message(why)))
    return tuple(found.values())
