"""Plans of Priests of Ra: draw on until the lot is worth a thought, and answer the auctions that come meanwhile."""

from __future__ import annotations

from pbem.engine.core import plans as core
from pbem.engine.core.errors import InvalidOrder
from pbem.engine.core.forms import Filled
from pbem.engine.core.message import N_, Message, sentence
from pbem.engine.core.plans import Plan, PlanField, PlanOption, PlanPart
from pbem.engine.priestsofra.data import FACES, LOT_SPACES, ONE_FACED
from pbem.engine.priestsofra.state import OVER, suns_of
from pbem.engine.priestsofra.view import View

ASK = "ask me"


class DrawPlan(Plan, frozen=True, tag="draw", omit_defaults=True):
    """Until the seat has won an auction or the epoch ends. Numbers of tiles are those in the lot."""

    suns: int
    """Face-up suns when it was made: fewer of them tell that an auction was won."""
    tiles: int
    kinds: tuple[str, ...] = ()
    """Faces that stop the drawing."""
    plagues: int = 0
    """Plagues in the lot that stop it, too; 0 for any number."""
    then: str = ASK
    """Once the drawing has stopped, by whatever."""
    passes: int = -1
    """Pass where Ra started the auction and no more tiles lie in the lot; -1 for never."""
    shows: tuple[str, ...] = ()
    """The face wanted of a tile with two, at most one of each tile; of others it is asked."""
    limits: tuple[int, ...] = ()
    """By the number of tiles in the lot, from 1: the highest sun to bid, 0 for none at all, -1 to be asked."""


PLANS = DrawPlan
_TILES = 5
_TWO = N_("{one} and {other} are two faces of one tile: name one of them.")


def parts(view: View) -> tuple[PlanPart, ...]:
    """Return what the view's seat can plan now."""
    if view.seat is None or view.phase == OVER or not view.up[view.seat]:
        return ()
    lot, suns = view.lot, sorted(suns_of(view.up[view.seat]))
    most = str(min(LOT_SPACES, max(_TILES, len(lot) + 1)))
    stops = tuple(option for at, option in enumerate(_FACES) if at not in lot)
    fields = (
        PlanField("tiles", "number", _UNTIL, steps=core.numbers(1, LOT_SPACES), value=(most,)),
        _PLAGUES,
        PlanField("kinds", "many", _OR_ONE, options=stops),
        *_AFTER,
        _PASSES,
        PlanField("limits", "limits", _HIGHEST, options=_LOT, steps=(0, *suns)),
    )
    return (PlanPart("draw", sentence("Until you win an auction"), fields),)


# What is the same in every plan is made once: every decision page offers them.
_FACES = tuple(PlanOption(face, Message(face)) for face in FACES)
_UNTIL = sentence("Draw until so many tiles lie there")
_PLAGUES = PlanField("plagues", "number", sentence("or so many plagues"), steps=core.numbers(0, 4), value=("0",))
_OR_ONE = sentence("or one of these")
_THEN = (PlanOption(ASK, sentence("I am asked")), PlanOption("ra", sentence("call Ra")))
_AFTER = (
    PlanField("then", "one", sentence("after that"), options=_THEN, value=(ASK,)),
    PlanField("shows", "many", sentence("Of tiles with two faces show"), options=_FACES[:ONE_FACED]),
)
_PASSES = PlanField(
    "passes",
    "number",
    sentence("Pass on Ra tiles with at most so many tiles"),
    steps=core.numbers(-1, LOT_SPACES - 1),
    value=("-1",),
)
_HIGHEST = sentence("Highest sun to bid for the lot as it grows")
_LOT = (
    PlanOption("1", sentence("1 tile")),
    *(PlanOption(str(n), sentence("{count} tiles", count=n)) for n in range(2, LOT_SPACES + 1)),
)


def plan(view: View, part: str, fields: Filled) -> DrawPlan:
    """Return the plan that a filled-in part means. Raises InvalidOrder."""
    given = core.given(parts(view), part, fields)
    for one, other in ((FACES[face], FACES[face ^ 1]) for face in range(0, ONE_FACED, 2)):
        if one in given["shows"] and other in given["shows"]:
            raise InvalidOrder(Message(_TWO, {"one": one, "other": other}, "PR-2.3"))
    return DrawPlan(suns=view.up[view.seat or 0].bit_count(), **given)


def text(plan: DrawPlan) -> str:
    """Return the standing order that a plan is."""
    won = f"when my_suns < {plan.suns}: ask me"
    lines = [core.ROUND, "for turn:", won, f"when tiles >= {plan.tiles}: {plan.then}"]
    if plan.plagues:
        lines.append(f"when plagues >= {plan.plagues}: {plan.then}")
    if plan.kinds:
        kinds = plan.kinds[0] if len(plan.kinds) == 1 else f"{{{', '.join(plan.kinds)}}}"
        lines.append(f"when {kinds} in lot: {plan.then}")
    lines.append(f"draw {', '.join(plan.shows)}" if plan.shows else "draw")
    bids = [f"when auction is ra and tiles <= {plan.passes}: pass"] if plan.passes >= 0 else []
    for tiles, sun in enumerate(plan.limits, 1):
        if sun > 0:
            bids.append(f"when tiles = {tiles}: bid lowest up to {sun}")
        if sun >= 0:
            bids.append(f"when tiles = {tiles}: pass")
    return "\n".join([*lines, *(["for bid:", won, *bids] if bids else [])])


def words(plan: DrawPlan, view: View) -> tuple[Message, ...]:
    """Return the plan in sentences."""
    until = sentence("{tiles} tile(s) (lies|lie) there", tiles=plan.tiles)
    if plan.kinds:
        until = sentence("{until} or one of these: {kinds}", until=until, kinds=plan.kinds)
    if plan.plagues:
        until = sentence("{until} or {count} plague(s)", until=until, count=plan.plagues)
    drawn = N_("Draw until {until}, then call Ra.") if plan.then == "ra" else N_("Draw until {until}, then ask me.")
    said = [sentence(drawn, until=until)]
    if plan.shows:
        said.append(sentence("Of tiles with two faces show {faces}.", faces=plan.shows))
    if plan.passes >= 0:
        said.append(sentence("Pass on a Ra tile with at most {tiles} tile(s).", tiles=plan.passes))
    for tiles, sun in enumerate(plan.limits, 1):
        if sun > 0:
            said.append(sentence("With {tiles} tile(s): bid up to {sun}, else pass.", tiles=tiles, sun=sun))
        elif not sun:
            said.append(sentence("With {tiles} tile(s): pass.", tiles=tiles))
    if view.sealed and max(plan.limits, default=-1) >= 0:
        said.append(
            sentence("Where it would pass but you called Ra and nobody bids, it bids your lowest sun.", "PR-3.6")
        )
    return (*said, sentence("It ends when you win an auction, or with the epoch."))
