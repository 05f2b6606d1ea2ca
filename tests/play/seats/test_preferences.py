"""A person's own settings: what is kept, and what is refused with its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pbem.errors import WrongInput
from pbem.play.seats import preferences
from pbem.play.seats.preferences import Settings
from tests.factories import PlayerFactory

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

WANTED = Settings(
    name="Ada",
    language="it",
    zone="Europe/Rome",
    wakes=480,
    sleeps=1320,
    weekends=False,
    quiet=True,
    digest_hour=7,
    rated=False,
    kinds_off=("phase_report",),
)


def test_what_is_wished_is_kept_for_that_person(session: Session) -> None:
    """As it is read again; the name made fit for one line; nobody else's changes."""
    ada, bob = PlayerFactory.create_batch(2)
    before = preferences.read_settings(session, bob.id)
    assert preferences.change_settings(session, ada.id, msgspec.structs.replace(WANTED, name=" Ada\n ")) == WANTED
    session.expire_all()

    assert preferences.read_settings(session, ada.id) == WANTED
    assert preferences.read_settings(session, bob.id) == before


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"name": " \n"}, "The name is empty"),
    ({"name": "x" * 61}, "at most 60 fit here: shorten it."),
    ({"name": "Yellow bot"}, "'Yellow bot' is what a bot is called here: choose another name."),
    ({"language": "xx"}, "'xx' is no language of ours"),
    ({"zone": "Mars"}, "'Mars' is no time zone"),
    *(({name: value}, "must be times of day") for name, value in (("wakes", -1), ("wakes", 1440), ("sleeps", 0))),
    ({"sleeps": 1441}, "must be times of day"),
    ({"wakes": 480, "sleeps": 539}, "too short: leave at least one hour"),
    ({"wakes": 1439, "sleeps": 58}, "too short: leave at least one hour"),
    ({"digest_hour": -1}, "between 0 and 23"),
    ({"digest_hour": 24}, "between 0 and 23"),
    ({"kinds_off": ("your_turn", "phase_report", "aaa")}, "no kind of letter called 'aaa'"),
    ({"kinds_off": ("login_code",)}, "no kind of letter called 'login_code'"),
]


@pytest.mark.parametrize(("wrong", "sentence"), FAULTS)
def test_one_wrong_value_is_one_sentence_and_changes_nothing(
    session: Session, wrong: dict[str, Any], sentence: str
) -> None:
    """Whatever else is right."""
    ada = PlayerFactory.create()
    before = preferences.read_settings(session, ada.id)
    with pytest.raises(WrongInput, match=sentence) as refused:
        preferences.change_settings(session, ada.id, msgspec.structs.replace(WANTED, **wrong))
    session.flush()
    session.expire_all()

    assert len(refused.value.faults) == 1
    assert preferences.read_settings(session, ada.id) == before


@pytest.mark.parametrize(
    "right",
    [
        {"wakes": 0, "sleeps": 1440},
        {"wakes": 480, "sleeps": 540},
        {"wakes": 480, "sleeps": 480},
        {"wakes": 1410, "sleeps": 30},
        {"digest_hour": 0},
        {"digest_hour": 23},
        {"digest_hour": None},
        {"kinds_off": ()},
    ],
)
def test_what_is_just_right_is_no_fault(right: dict[str, Any]) -> None:
    """The ends of every range."""
    assert not list(preferences.faults_of(msgspec.structs.replace(WANTED, **right)))
