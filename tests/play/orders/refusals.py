"""Every refusal of an order: listed from the source, and provoked by spoiling the orders of the records."""

from __future__ import annotations

import ast
import functools
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pbem.engine import replay
from pbem.engine.core import records
from pbem.engine.core.errors import EngineError
from pbem.engine.core.rng import Rng
from pbem.engine.registry import rules_of
from pbem.kit.catalogue import MARKS
from pbem.play.orders import interpretation
from pbem.store.queries.order_writes import AskedRow
from tests.engine.egizia import places, test_refusals
from tests.engine.test_mutated_orders import mutants
from tests.engine.test_positions import notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.engine.core.message import Message
    from pbem.engine.core.types import AnyRules

ENGINE = Path(interpretation.__file__).parents[2] / "engine"
RECORDS = Path(__file__).parents[2] / "engine"
SILENT = frozenset(
    [
        "__init__",
        "account",
        "board",
        "box",
        "components",
        "data",
        "draw",
        "epochs",
        "facts",
        "forms",
        "grammar",
        "guide",
        "ledger",
        "orders",
        "plans",
        "reveal",
        "scoring",
        "sheet",
        "state",
        "words",
    ]
)
"""Modules of a game whose sentences are never the answer to an order: pages, letters, set-up and what happened."""
EVENT = re.compile(r"\{seat\} (?!decides)|You (are dealt|draw|keep) ")
"""How a sentence begins that says what happened."""
TELLING = frozenset({"Event", "event", "tell"})
"""What is called to say so."""
EVERY = 9
"""Each ninth position of the records is spoiled; all kinds of decision are among them."""
OF_A_KIND = 3
"""Positions of one kind of decision in which every spoiling is tried; in the others only the game's own texts are."""
TYPED_AT = 8
"""Positions of one kind of decision in which those are."""
JUNK = ("99", "-3", "12345", "1.5", "xyzzy", "joker", "Memphis")
WHOLE = ("", "xyzzy", "9" * 6000, "bonus")


class Refusal(NamedTuple):
    """One refusal as it came: what was typed (or sent by a program), and the sentence that answers it."""

    typed: str
    message: Message


def _marked(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") in MARKS and isinstance(one.args[0], ast.Constant):
            yield str(one.args[0].value)


def _sentences(path: Path) -> set[str]:
    """The message ids of a module that no event tells."""
    tree = ast.parse(path.read_text("utf-8"))
    told: set[str] = set()
    for scope in (tree, *(one for one in tree.body if isinstance(one, ast.FunctionDef))):
        named = _named(tree.body) | _named(ast.walk(scope) if scope is not tree else ())
        for call in ast.walk(scope):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in TELLING:
                told |= set(_marked(call))
                told |= {text for one in ast.walk(call) for text in named.get(getattr(one, "id", ""), ())}
    return {text for text in _marked(tree) if text.endswith(".") and not EVENT.match(text)} - told


def _named(lines: Iterable[ast.AST]) -> dict[str, set[str]]:
    """By name, the sentences that these lines give it."""
    found: dict[str, set[str]] = {}
    for line in lines:
        if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None:
            target = line.targets[0] if isinstance(line, ast.Assign) else line.target
            found.setdefault(getattr(target, "id", ""), set()).update(_marked(line.value))
    return found


def sentences() -> dict[str, str]:
    """Every sentence that may refuse an order of the three games, with the module it stands in."""
    games = [path for game in ("amunre", "egizia", "priestsofra") for path in (ENGINE / game).glob("*.py")]
    others = [ENGINE / "text" / "notation.py", Path(interpretation.__file__)]
    paths = [path for path in sorted(games) if path.stem not in SILENT] + others
    return {text: f"{path.parent.name}/{path.name}" for path in paths for text in _sentences(path)}


@functools.cache
def _positions(game: str) -> tuple[Any, ...]:
    """Positions to spoil orders in: each ninth ply of every record, and its end."""
    rules, found = rules_of(game), list[Any]()
    for path in sorted((RECORDS / game / "records").glob("*-*.txt")):
        last = None
        for number, step in enumerate(replay.play(records.parse(path.read_text("utf-8")))):
            last = step.state
            if number % EVERY == 0:
                found.append(rules.copy(last))
        found.append(last)
    return tuple(found)


def _rare(game: str) -> Iterator[Any]:
    """Positions that the records don't come by."""
    yield from (notation(game).read(one) for one in RARE[game])
    if game == "egizia":
        yield from (table().state for table in places.PLACES.values())


RARE: dict[str, tuple[str, ...]] = {
    "amunre": (
        "4 players\nup: Abydos, Sawu, Dakhla\nWhite: rebid, block\nRed: bids 0 on Sawu, blocks 1\nasked: bid by White",
        "4 players\nup: Abydos, Sawu, Dakhla, Baharya\nWhite: rebid, block, rebids 1, blocks 1\nasked: bid by White",
        "4 players\nRed: owns Memphis\nWhite: owns Buto, all other cards\ndeck: block\nasked: buy by Red, then White",
        "4 players\nRed: owns Memphis\nWhite: owns Buto\nasked: build by Red, then White",
        "4 players\nup: Abydos, Sawu\nRed: bids 6 on Sawu\nBlack: bids 6 on Abydos\nasked: bid by White",
        "4 players\nRed: owns Memphis, gold 0\nWhite: owns Buto\nasked: buy by Red, then White",
    ),
    "egizia": (
        (
            "2 players\n0: stones 40, crews 9 9 9 9, ships Obelisk, passed\n1: passed\n"
            "obelisk: 1 1 1 1 1 1 1 1 1 1\nat Obelisk: slots 0 -\nasked: build by 0, at Obelisk, slot 1"
        ),
        (
            "2 players\n0: stones 40, crews 9 9 9 9, ships Pyramid, passed\n1: passed\ntemple part 1: 1 1 1 1\n"
            "temple part 2: 1 1 1 1\ntemple part 5: 1 - -\nat Pyramid: slots 0 -\nasked: build by 0, at Pyramid, slot 1"
        ),
        "2 players\ngame: ring right\n0: crews 9 9 9 9, has A12 B13\nat Sphinx: slots 1 1",
        (
            "2 players\n0: stones 0, crews 1 1 1 1, ships Sphinx, passed\n1: passed\nat Sphinx: slots 0 -\n"
            "asked: sphinx by 0, at Sphinx, slot 1"
        ),
        "2 players\nriver: A05 A06 - A09 A17 A12 A04 A14 A21 A22\n0: has A13 B16, ships Obelisk",
        "2 players\n0: has A13, ships Edfu + Thebae + Passalon + Alyl + Selinon + Sphinx + Obelisk + Pyramid",
        (
            "2 players\n0: stones 9, has B20, ships Sphinx + Pyramid, passed\n1: passed\n"
            "at Sphinx: slots 0 1\nat Pyramid: slots 0 1\n"
            "asked: build by 0, at Pyramid, slot 1"
        ),
    ),
    "priestsofra": (
        "3 players\nlot: 8 pyramids\nturn: 0 to draw or call",
        "3 players\n0: suns 2 5\nturn: 0 to bid, of 0, called",
        "3 players\n0: suns 2 5\nturn: 0 to bid, of 1, best 12 by 2",
    ),
}
"""Positions in which there is something to refuse that the records don't come by."""
_PLACES = (
    *["Edfu", "Thebae", "Passalon", "Alyl", "Selinon", "Heliopolis", "Sphinx", "Obelisk", "Pyramid"],
    "Beni Hasan",
    "card 1",
    "card 9",
)
_CARDS = ("", *(f" using {card}" for card in ("reuse", "upstream", "two ships", "double", "extra ship")))
TYPED: dict[str, tuple[str, ...]] = {
    "amunre": (
        "bid up to 0 on Sawu",
        "3 farmers 2 Memphis, stones Buto",
        "99 farmers 1 Memphis",
        "buy 1 card, buy farmers 1 Mendes",
        "bid up to 0 on Sawu, Abydos",
        "bid 0 Sawu, 0 Dakhla up to 0",
        "bid 9 Sawu, 8 Dakhla within 1",
        "bid up to 0 on Memphis, 0 on Abydos",
        "bid 1 Sawu with block and rebid",
        "bid 3 Sawu, architect",
        "bid 6 Sawwu",
        "nothing",
        "-2 farmers Memphis",
        "offer 0",
        "offer 3, block",
        "keep nothing",
        "keep nothing, bank bonus",
        "stones 300 Memphis",
        "farmers 2 Memphis 1 Memphis, no farmers",
        "3 farmers 2 Memphis",
        "2 cards, 3 cards",
        "buy 3 cards",
        "buy 2 cards, farmers 1 Memphis",
        "buy nothing, sell architect",
        "cards",
        "architect architect",
        "architect Memphis, architect Memphis",
        "rebid Memphis",
        "2 Memphis",
        "farmers",
        "take 9 cards",
        "sell 9 architect",
    ),
    "egizia": (
        *(text for _, text, _ in (*test_refusals.UNREADABLE, *test_refusals.ILLEGAL)),
        *(f"ship to {place}{card}" for place in _PLACES for card in _CARDS),
        "ship to Sphinx, slot 1",
        "ship to Passalon, ring left, ring left",
        "ship to Passalon, ring right, ring right",
        "ship to Edfu using two ships, improve blue, improve blue",
        "build obelisk 2 with blue using combine, stone market",
        "build up to 9 at least 9 with blue, stone market",
        "build entablature 1 + 1 with blue",
        "build left pylon x9, entablature 1 with blue",
        "build entablature 1 with blue + joker",
        "pass, improve blue",
        "build obelisk x0 with blue",
        "renounce, move Sphinx 2",
        "ship to Pyramid, slot 1 using two ships",
        "build obelisk 11 with blue, stone market",
        "build obelisk 1 with blue",
        "pass, field A99",
        "build grave with blue, stone market",
        "build up to 0 with blue",
        "pass, sell 40",
        "ship to Heliopolis, ring right, ring right",
        "ship to Heliopolis, ring right",
        "build left column x4 with blue",
        "build obelisk 1 x0 with blue",
        "build grave with blue, with black",
        "build obelisk 1+3 with blue, stone market",
        "sphinx up to 3 with blue",
        "stay, move Obelisk 2",
        "stay, move Sphinx 1",
        "keep S01, order S02",
        "keep",
    ),
    "priestsofra": (
        "bid",
        "draw farmer, warrior, chamber A, chamber B",
        "bid lowest up to 1",
        "bid lowest",
        "pass",
        "draw",
        "draw farmer, warrior",
        "draw pyramid",
        "show",
        "show pyramid",
        "flip",
        "flip farmer to market",
        "flip 2",
        "flip 0 farmer",
        "flip 9 farmer",
        "flip 1 ",
        "flip to farmer",
        "flip farmer, farmer, farmer",
    ),
}
"""Texts that spoil no order by a rule: each is tried in positions of every kind."""


def _spoiled(order: str, others: Iterable[str]) -> Iterator[str]:
    """An order with a word left out, another in its place, something after it; two orders at once; another's order."""
    words = order.split()
    for at in range(len(words)):
        yield " ".join([*words[:at], *words[at + 1 :]])
        yield from (" ".join([*words[:at], junk, *words[at + 1 :]]) for junk in JUNK)
    yield from (f"{order} {more}" for more in (order, "xyzzy", "3"))
    for other in others:
        yield from (other, f"{order}, {other}")


def refused(rules: AnyRules, state: Any, seat: int, text: str) -> tuple[Message, ...]:
    """What mail and page answer to a text; nothing to one that is taken."""
    stored = msgspec.json.encode(state)
    row = AskedRow(0, seat, False, None, False, False, False, None, stored, False)  # noqa: FBT003 - a row's flags
    try:
        interpretation.interpret(rules, seat, row, text)
    except EngineError as refusal:
        return refusal.faults
    return ()


def questions(game: str) -> Iterator[tuple[Any, int, str]]:
    """A position in which each kind of question is asked, with the seat and the kind."""
    seen: set[str] = set()
    for state in (*_positions(game), *_rare(game)):
        for seat, decision in rules_of(game).asked(state).items():
            if decision.kind not in seen:
                seen.add(decision.kind)
                yield state, seat, decision.kind


def _typed(rules: AnyRules, state: Any, seat: int, texts: Iterable[str]) -> Iterator[Refusal]:
    """What mail and page answer to each of these texts, and what the reader alone says of it."""
    for text in dict.fromkeys(texts):
        if faults := refused(rules, state, seat, text):
            yield from (Refusal(text, fault) for fault in faults)
            yield from _read(rules, state, seat, text)


def _read(rules: AnyRules, state: Any, seat: int, text: str) -> Iterator[Refusal]:
    """What the reader alone says of it, where no likely slip is mended: in a standing order, or of a later order."""
    try:
        rules.read(state, seat, text)
    except EngineError as refused:
        yield from (Refusal(text, fault) for fault in refused.faults)


def _sent(rules: AnyRules, state: Any, seat: int, order: Any) -> Iterator[Refusal]:
    """What a program is told that sends an order with one value spoiled."""
    for mutant in mutants(msgspec.json.decode(msgspec.json.encode(order))):
        try:
            wrong = msgspec.convert(mutant, rules.order_type)
        except msgspec.ValidationError:
            continue
        yield from (Refusal(repr(wrong), fault) for fault in rules.check(state, seat, wrong))


def _unasked(rules: AnyRules, state: Any, order: Any) -> Iterator[Refusal]:
    """What a seat is told that isn't asked, or that nobody asks any more."""
    seat = next((seat for seat in range(2) if seat not in rules.asked(state)), None)
    if seat is None:
        return
    yield from (Refusal(str(order), fault) for fault in rules.check(state, seat, order))
    for text in (str(order), "xyzzy"):
        yield from _read(rules, state, seat, text)


@functools.cache
def walk(game: str) -> dict[str, list[Refusal]]:
    """Every refusal that spoiling the orders of a game's positions brings, by message id."""
    rules = rules_of(game)
    found: dict[str, list[Refusal]] = {}
    seen: dict[str, int] = {}
    samples: dict[str, Any] = {}
    for number, state in enumerate(_positions(game)):
        for seat, decision in islice(rules.asked(state).items(), 2):
            kind, order = decision.kind, rules.sample(state, seat, Rng("refusals", number))
            samples[kind] = order
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= OF_A_KIND:
                _add(found, _typed(rules, state, seat, (*WHOLE, *_spoiled(str(order), map(str, samples.values())))))
                _add(found, _sent(rules, state, seat, order))
                _add(found, (Refusal(str(o), f) for o in samples.values() for f in rules.check(state, seat, o)))
            if seen[kind] <= TYPED_AT:
                _add(found, _typed(rules, state, seat, TYPED[game]))
        _add(found, _unasked(rules, state, next(iter(samples.values()))) if samples else ())
    for state in _rare(game):
        for seat in rules.asked(state):
            _add(found, _typed(rules, state, seat, TYPED[game]))
            for order in islice(rules.legal(state, seat), 4):
                _add(found, _sent(rules, state, seat, order))
    return found


def _add(found: dict[str, list[Refusal]], refusals: Iterable[Refusal]) -> None:
    for one in refusals:
        found.setdefault(one.message.text, []).append(one)
