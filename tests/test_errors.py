from __future__ import annotations

import pytest

from pbem import errors
from pbem.engine.core.message import Message
from pbem.errors import NotSeated, PlayError, TooLate, WrongInput


def refused(*faults: str) -> None:
    """Refuse with these faults; nothing without any."""
    errors.raise_for(map(Message, faults))


def test_a_refusal_says_all_its_faults() -> None:
    """In their order; a text is filled with what belongs in its holes."""
    both = WrongInput("{number} is no hour.", Message("Nor is it a day."), number=25)

    assert str(both) == "25 is no hour. Nor is it a day."
    assert both.faults == (Message("{number} is no hour.", {"number": 25}), Message("Nor is it a day."))
    assert str(errors.nobody()) == "This link leads to no seat of yours. Ask for a fresh one."
    assert isinstance(errors.nobody(), NotSeated)


def test_why_a_value_is_refused_can_be_asked() -> None:
    """By what reads it; of what it takes there is nothing to say, and what is no refusal is raised as it is."""
    assert errors.refusals(refused) == ()
    assert errors.refusals(refused, "Too late.", "Too dear.") == (Message("Too late."), Message("Too dear."))
    with pytest.raises(ZeroDivisionError):
        errors.refusals(lambda number: 1 / number, 0)


def test_nothing_is_raised_for_no_fault() -> None:
    """With any, all of them are."""
    errors.raise_for(())
    with pytest.raises(WrongInput, match=r"Too late\. Too dear\."):
        refused("Too late.", "Too dear.")
    assert issubclass(TooLate, PlayError)
