"""What a game tells of points: the sheet while it goes on, the account when it is over."""

from __future__ import annotations

from itertools import islice

import msgspec

from pbem.engine import replay
from pbem.engine.core.rng import Rng
from pbem.engine.core.sheet import Step
from pbem.engine.core.types import AnyRules
from pbem.kit.contract.positions import positions, wholes

FEW = 80


def test_the_sheet_speaks_of_every_seat_and_of_nothing_hidden(game: str, rules: AnyRules) -> None:
    """Each source has a figure by seat; two worlds that look alike to a reader give the same sheet, byte for byte."""
    for position in islice(positions(game), FEW):
        for seat in (None, *range(position.seats)):
            view = rules.view(position.state, seat)
            sheet = rules.score_sheet(view)
            other = rules.view(rules.imagine(view, Rng("sheet-other", position.ply)), seat)

            assert len(sheet.scored) in {0, position.seats}
            assert {len(source.points) for source in sheet.sources} <= {position.seats}
            assert msgspec.json.encode(rules.score_sheet(other)) == msgspec.json.encode(sheet)


def test_at_the_end_the_sheet_is_the_result(game: str, rules: AnyRules) -> None:
    """Where points are told at all, a finished game's are all told, to everybody, and nothing more is to come."""
    for whole in wholes(game):
        totals = rules.score_sheet(rules.view(whole.last, None)).totals

        assert totals in {(), whole.outcome.scores}


def test_the_account_adds_up_to_the_result(game: str, rules: AnyRules) -> None:
    """Nobody's points come from nowhere."""
    for whole in wholes(game)[:3]:
        steps = [Step(step.ply.number, rules.copy(step.state), step.events) for step in replay.play(whole.record)]
        rows = [source.points for source in rules.account(steps).sources]

        sums = tuple(sum(points or 0 for points in column) for column in zip(*rows, strict=True))
        assert sums == whole.outcome.scores
