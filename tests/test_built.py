"""What tests begin with is put back as it was built, where nothing else could come of it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.extensions import db
from pbem.store.models import Player
from tests import built, conftest
from tests.factories import PlayerFactory

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.config import Config


def test_what_was_built_is_put_back_and_at_another_time_built_anew(
    tmp_path: Path, settings: Config, clock: conftest.Clock
) -> None:
    """The same rows, the same next person; another moment, or another database before, has it made again."""
    made: list[int] = []

    def build() -> int:
        made.append(PlayerFactory(name="Ada").id)
        db.session.commit()
        return made[-1]

    def people(folder: str, *before: str) -> list[tuple[int, str, str | None]]:
        (tmp_path / folder).mkdir()
        shutil.copy(settings.pbem_home / "pbem.sqlite", tmp_path / folder)
        PlayerFactory.reset_sequence(0)
        with contextmanager(conftest._open)(conftest.settings_in(tmp_path / folder)) as app, app.app_context():
            for name in before:
                PlayerFactory(name=name)
            db.session.commit()
            assert db.session.get_one(Player, built.once("Ada's", build)).name == "Ada"
            PlayerFactory(name="the next")
            db.session.commit()
            return [(one.id, one.name, one.address) for one in db.session.query(Player).order_by(Player.id)]

    first = people("one")
    assert people("two") == first
    assert made == [1]
    assert len(people("three", "Bob")) == len(first) + 1
    clock.move(hours=1)
    assert people("four") == first
    assert made == [1, 2, 1]
