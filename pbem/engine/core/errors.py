"""Why an order or a stored state can't be used; the message is the sentence the player reads."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.core.message import Message, Param, sentence


class EngineError(ValueError):
    """A refusal with one or more sentences, each with its message id, parameters and rule id."""

    def __init__(self, *faults: Message) -> None:
        """Keep `faults`, all of them, in the order they were found."""
        super().__init__(" ".join(str(fault) for fault in faults))
        self.faults: tuple[Message, ...] = faults


class InvalidOrder(EngineError):
    """The text can't be read as an order of this decision."""


def invalid(text: str, rule: str = "", /, **holes: Param) -> InvalidOrder:
    """Return the refusal of a text that can't be read; one in quotes is marked for the catalogue, too."""
    return InvalidOrder(sentence(text, rule, **holes))


class IllegalOrder(EngineError):
    """The order was read, but a rule forbids it; each fault names the rule."""


class AmbiguousOrder(EngineError):
    """The text could mean several orders; `candidates` are their canonical texts."""

    def __init__(self, *faults: Message, candidates: Sequence[str]) -> None:
        """Keep `candidates` for the answer to the player."""
        super().__init__(*faults)
        self.candidates = tuple(candidates)


REFUSALS = (InvalidOrder, IllegalOrder, AmbiguousOrder)
"""What becomes of a text that is no order to be carried out now."""


class UnknownVersion(EngineError):
    """A stored game or a record was played by a version of its rules that this program doesn't hold."""


class CorruptState(EngineError):
    """A stored state or record doesn't hold together; each fault names one broken invariant."""
