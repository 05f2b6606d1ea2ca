"""The letters as they were read and approved: text and headers of every kind, with whatever may be told besides.

    python -m tests.letters.approved

writes `letters.txt` anew. Read what has changed before you commit it. A letter that is like one before it stands there
as the lines in which it differs.
"""

from __future__ import annotations

import base64
import difflib
import re
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.message import Message
from pbem.letter_kinds import KINDS
from pbem.letters.samples import samples
from pbem.letters.writer import compose_mail
from pbem.play.deadlines.waiting_reasons import STILL
from pbem.store.models import GameState
from tests.factories import START
from tests.letters.test_writer import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.letters.context import LetterData

FILE = Path(__file__).with_name("letters.txt")
HEADERS = ("From", "To", "Reply-To", "Subject", "List-Id", "List-Unsubscribe", "Feedback-ID", "Auto-Submitted")
JOURNAL = [Message("The deadline was moved to {when}.", {"when": (START + timedelta(days=2)).isoformat()})]
SAID = {"text": "{name} says: {order}", "params": {"name": "Bruno", "order": "ra"}}
TABLE = {"title": "Nile 3", "game": "Egizia", "seats": 3, "cadence": {"hours": 48.0}}
TOLD: dict[str, tuple[dict[str, Any], ...]] = {
    "your_turn": (
        {
            "first": True,
            "then": ["ra", "draw"],
            "standing": ["when tiles > 3: ra"],
            "plans": [("draw", "then ra")],
            "more": 2,
        },
        {"journal": JOURNAL, "all_legal": ("draw", "ra", "draw farmer")},
    ),
    "receipt": (
        {"canonical": "this phase\ndraw", "then": ["ra", "pass"], "replaces": "ra", "brings": [SAID], "asides": True},
        {"sender": "somebody@else.example"},
        {"overtaken": True},
        {"played": ["draw", "ra"], "lapsed": ["pass"], "settled": True},
        {"undone": (Message("No."),), "beside": "ra\nabsence: soon"},
        {"canonical": "", "undone": (Message("No."),), "beside": "absence: soon"},
    ),
    "refused": (
        {"faults": (Message("No."), Message("{n} is too many.", {"n": 3}, rule="PR-1.1")), "text": "bid 99\n\nplease"},
        {"reason": "StalePhase", "dropped": ["draw", "ra"], "legal": ("draw", "ra")},
    ),
    "covered": (
        *({"by": by, "order": "ra", "missed": 3} for by in ("draft", "standing", "pass", "heuristic", "")),
        {"by": "", "order": ""},
    ),
    "replaced": (
        {"who": "Anna", "by": ""},
        {"who": "", "by": "Bruno"},
        {"who": "Anna", "by": "Bruno"},
        {"who": "Anna", "by": "", "said": [SAID]},
    ),
    "invitation": (
        {"instead": "Chloé", "cadence": {"hours": 12.0, "most": 96.0}, "note": "Come and play!\nBruno"},
        {"inviter": "", "cadence": {}},
        {"tables": (TABLE, {**TABLE, "title": "Nile 4", "instead": "Chloé"})},
    ),
    "talk": (
        {"private": True, "text": "Hello!\n\nShall we?"},
        {"text": "", "said": [SAID], "ends": (START + timedelta(days=2)).isoformat()},
    ),
    "gazette": ({"tables": (), "paragraphs": ("One.", "Two.")},),
}
"""What letters of a kind may tell besides what their samples do."""


def letters() -> Iterator[tuple[str, str, LetterData]]:
    """Every letter by name, with the one it is like: as its sample is, to a stranger, with more, seen otherwise."""
    every = sorted(samples("priestsofra", "en", START), key=lambda one: one[0] != "status")
    for name, data in every:
        yield name, "status" if data.situation is not None and name != "status" else "", data
        if not KINDS[data.kind].needs_acceptance or name == "status":
            unknown = msgspec.structs.replace(data.to, confirmed=False)
            yield f"{name} to a stranger", name, msgspec.structs.replace(data, to=unknown)
        if not name.startswith("your_turn") or name == "your_turn-turn":
            for number, more in enumerate(TOLD.get(data.kind, ()), 1):
                yield f"{name} with more, {number}", name, msgspec.structs.replace(data, data={**data.data, **more})
    for game in ("amunre", "egizia"):  # where choices are listed with what they cost
        yield f"your_turn-build of {game}", "", dict(samples(game, "en", START))["your_turn-build"]
    yield from _seen_otherwise()


def _seen_otherwise() -> Iterator[tuple[str, str, LetterData]]:
    every = dict(samples("priestsofra", "en", START))
    data, over, digest = every["status"], every["game_over"], every["digest"]
    seen, end = data.situation, over.situation
    assert seen is not None
    assert seen.waiting is not None
    assert seen.asked is not None
    assert end is not None
    assert end.outcome is not None
    later = START + timedelta(hours=7)
    replace = msgspec.structs.replace
    asked = replace(seen.waiting, letter_at=START, next_nudge_at=later)
    views = {
        "for me, with letter and reminder": replace(seen, waiting=asked),
        "for others": replace(seen, asked=None, waiting=replace(asked, who=(1, 2))),
        "for others, unseen": replace(
            seen, asked=None, seat=None, since_heading="What happened last", waiting=replace(asked, who=(0,))
        ),
        "answered": replace(seen, asked=replace(seen.asked, answer="ra")),
        "sealed": replace(seen, asked=replace(seen.asked, sealed=True)),
        "of no club": replace(seen, game=replace(seen.game, club_id=None)),
        "with a bot that plays": replace(seen, players=tuple(replace(one, bot="random") for one in seen.players[:2])),
    }
    for name, view in views.items():
        yield f"status {name}", "status", replace(data, situation=view)
    yield "gazette with a contact", "gazette", replace(every["gazette"], contact="desk@nile.example")
    yield "status of no seat", "status", replace(data, seat_id=None, seat_epoch=None, club="")
    yield "talk of no seat", "talk", replace(every["talk"], seat_id=None, seat_epoch=None)
    places = {"lost": (3, 1, 2), "shared": (1, 1, 3), "won": (1, 2, 3)}
    for name, order in places.items():
        outcome = replace(end.outcome, places=order)
        yield f"game_over {name}", "game_over", replace(over, situation=replace(end, outcome=outcome))
    yield "game_over by agreement", "game_over", by_agreement(over)
    (item,) = digest.data["items"]
    idle = replace(item, question=None, title="Nile 4", seat_id=2)
    undated = replace(item, due_at=None, title="Nile 5", seat_id=3)
    items = {"and news": (item, idle, undated), "without a question": (idle,), "without a deadline": (undated,)}
    for name, some in items.items():
        yield f"digest {name}", "digest", replace(digest, data={**digest.data, "items": some})


def by_agreement(over: LetterData) -> LetterData:
    """A letter about a game that is over, as if all had agreed to end it without a result."""
    replace, end = msgspec.structs.replace, over.situation
    assert end is not None
    game, said = replace(end.game, state=GameState.ENDED), Message(STILL[GameState.ENDED])
    waiting = replace(end.waiting, said=said) if end.waiting else None
    return replace(over, situation=replace(end, game=game, heading=said, outcome=None, waiting=waiting))


def written() -> dict[str, str]:
    """Each letter by name, or the lines in which it differs from the one it is like."""
    whole: dict[str, str] = {}
    found = {}
    for name, like, data in letters():
        whole[name] = found[name] = _text(data)
        if like:
            changes = difflib.unified_diff(whole[like].splitlines(), whole[name].splitlines(), n=0, lineterm="")
            found[name] = "\n".join([f"as {like}, but", *(line for line in list(changes)[2:] if line[0] in "+-")])
    return found


def _text(data: LetterData) -> str:
    """The headers and the text of a letter; in place of a link's signature stands what it signs."""
    mail = message_from_bytes(compose_mail(data, HOUSE, START).raw, policy=policy.default)
    text = mail.get_body(("plain",))
    assert text is not None
    head = "\n".join(f"{name}: {mail[name]}" for name in HEADERS if mail[name])
    return _SIGNED.sub(_payload, f"{head}\n\n{text.get_content()}".replace("\r\n", "\n").rstrip())


_SIGNED = re.compile(r"t1~([\w-]+)\.[\w-]+\.[\w-]+")


def _payload(found: re.Match[str]) -> str:
    return base64.urlsafe_b64decode(found[1] + "==").decode()


def approved() -> dict[str, str]:
    """The letters of the file, by name."""
    parts = re.split(r"^=== (.+)\n", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


if __name__ == "__main__":
    FILE.write_text("\n".join(f"=== {name}\n{text}\n" for name, text in written().items()), "utf-8")
