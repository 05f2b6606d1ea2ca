"""Order text to orders, liberally. Whether an order is allowed is the matter of `choices`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.engine.core.errors import IllegalOrder, invalid
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.priestsofra.choices import check, winning_suns
from pbem.engine.priestsofra.data import FACES, ONE_FACED, TILE_OF
from pbem.engine.priestsofra.orders import FACE_NAMES, GRAMMAR, VERBS, AnyOrder, Bid, Call, Draw, Flip, Pass, Show
from pbem.engine.priestsofra.state import BID, FACE, FLIP, PHASES, State
from pbem.engine.text.candidates import settled
from pbem.engine.text.notation import fold, in_digits, unreadable, whole

MOST_FLIPS = 8
"""No lot holds more priests, so no list of turned tiles is longer."""


def _read(state: State, seat: int, text: str) -> AnyOrder:
    folded = in_digits(fold(text))
    for verb, pattern in _SPOKEN.items():
        if match := pattern.fullmatch(folded):
            return _READERS[verb](state, seat, match["rest"] or "")
    if state.phase in _BARE and (order := _BARE[state.phase](folded)):
        return order
    raise unreadable(text, (row.example for row in GRAMMAR if row.kind == PHASES[state.phase]))


def _draw(_state: State, _seat: int, rest: str) -> Draw:
    """PR-2.3: faces wanted of a tile not yet seen."""
    chosen: dict[int, int] = {}
    for word in _split(rest):
        face = _two_faced(word)
        other = chosen.setdefault(TILE_OF[face], face)
        if other != face:
            text = N_("{one} and {other} are two faces of one tile: name one of them.")
            raise invalid(text, "PR-2.3", one=FACES[other], other=FACES[face])
    return Draw(tuple(sorted(chosen.values())))


def _two_faced(word: str) -> int:
    face = FACES.index(FACE_NAMES.read(word))
    if face >= ONE_FACED:
        text = N_("A {tile} has one face only: there is nothing to choose.")
        raise invalid(text, "PR-1.1", tile=FACES[face])
    return face


def _split(rest: str) -> list[str]:
    return [word for word in re.split(VERBS["split"], rest) if word]


def _show(_state: State, _seat: int, rest: str) -> Show:
    if not rest:
        raise invalid("'show' wants a face: show farmer.", "PR-2.3")
    return Show(FACES.index(FACE_NAMES.read(rest)))


_LIMIT = re.compile(
    f"(?:(?P<lowest>{VERBS['lowest']})|(?P<highest>{VERBS['highest']}))?(?: ?(?:{VERBS['up_to']}) (?P<limit>.+))?"
)


def _bid(state: State, seat: int, rest: str) -> Bid:
    """PR-3.1: a sun by its number, or the lowest or highest one that wins up to a limit."""
    if not rest:
        raise invalid("'bid' wants a sun: bid 9, or bid lowest.", "PR-3.1")
    match = _LIMIT.fullmatch(rest)
    if not match:
        return Bid(whole(rest, "bid"))
    limit = whole(match["limit"], "bid") if match["limit"] else None
    suns = [sun for sun in winning_suns(state, seat) if limit is None or sun <= limit]
    if not suns:
        raise IllegalOrder(_no_sun(state, limit))
    return Bid(max(suns) if match["highest"] else min(suns))


def highest(text: str, bid: Bid, held: Sequence[int]) -> int:
    """PR-3.1: the highest of the suns `held` that the text of a `bid` comes to, now or later; 0 for none."""
    spoken = _SPOKEN["bid"].fullmatch(in_digits(fold(text)))
    match = _LIMIT.fullmatch(spoken["rest"] or "") if spoken else None
    if not match:
        return bid.sun if bid.sun in held else 0
    limit = whole(match["limit"], "bid") if match["limit"] else max(held, default=0)
    return max((sun for sun in held if sun <= limit), default=0)


def _no_sun(state: State, limit: int | None) -> Message:
    if state.phase != BID:
        return sentence("There is no auction now: a bid must wait for one.", "PR-3.1")
    if limit is None:
        return sentence("None of your face-up suns beats {best}: you may pass.", "PR-3.1", best=state.best)
    return sentence("None of your face-up suns up to {limit} beats {best}.", "PR-3.1", limit=limit, best=state.best)


_NONE = re.compile(VERBS["none"])
_TURNED = re.compile(rf"(?:(?P<count>[0-9]+) )?(?P<face>.+?)(?: (?:{VERBS['to']}) (?P<other>.+))?")


def _flip(_state: State, _seat: int, rest: str) -> Flip:
    """PR-4.1: tiles to flip, by the face they show now; `2 farmers` and `granary to fortress` are understood."""
    if not rest:
        text = N_("'flip' wants the tiles to flip: flip farmer, library. To flip nothing: flip none.")
        raise invalid(text, "PR-4.1")
    if _NONE.fullmatch(rest):
        return Flip()
    return Flip(tuple(sorted(face for word in _split(rest) for face in _turned(word))))


def _turned(word: str) -> list[int]:
    match = _TURNED.fullmatch(word)
    assert match  # a word has a character, and any will do for a face
    face = _two_faced(match["face"])
    if match["other"] and FACES.index(FACE_NAMES.read(match["other"])) != face ^ 1:
        text = N_("The other face of {face} is {other}: name that one.")
        raise invalid(text, "PR-1.1", face=FACES[face], other=FACES[face ^ 1])
    count = int(match["count"][:9]) if match["count"] else 1
    if not 1 <= count <= MOST_FLIPS:
        text = N_("You can't flip {count} tiles: from 1 to {most} are read.")
        raise invalid(text, "PR-4.1", count=count, most=MOST_FLIPS)
    return [face] * count


_BARE: dict[int, Callable[[str], AnyOrder | None]] = {
    FACE: lambda folded: Show(FACES.index(name)) if (name := FACE_NAMES.find(folded)) else None,
    BID: lambda folded: Bid(int(folded)) if re.fullmatch("[0-9]{1,2}", folded) else None,
    FLIP: lambda folded: Flip() if _NONE.fullmatch(folded) else None,
}
"""What short answers mean where they are asked."""
_READERS: dict[str, Callable[[State, int, str], AnyOrder]] = {
    "draw": _draw,
    "ra": lambda _state, _seat, _rest: Call(),
    "bid": _bid,
    "pass": lambda _state, _seat, _rest: Pass(),
    "show": _show,
    "flip": _flip,
}
_SPOKEN = {
    verb: re.compile(f"(?:{VERBS[verb]})" + ("(?P<rest>)" if verb in {"ra", "pass"} else "(?: (?P<rest>.+))?"))
    for verb in _READERS
}
"""Behind two verbs nothing stands."""

read = settled(_read, check)
"""Reads one order. Raises InvalidOrder, AmbiguousOrder, or IllegalOrder where no sun fits a limit."""
