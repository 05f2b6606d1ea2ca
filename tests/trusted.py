"""What a test does by itself, in no request, it may do: it acts as somebody of whom nothing is asked.

A request, and a server in a process of its own, say by what they act, or can't do any act that asks.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import has_request_context

from benchmarks.unasked import Unasked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session


def _begin(session: Session, *_: object) -> None:
    from pbem.capabilities import acts  # noqa: PLC0415 - tests of the rules need no database

    if not has_request_context():
        session.info.setdefault(acts._CREDENTIAL, Unasked())


@contextmanager
def by_tests() -> Iterator[None]:
    """Trust the sessions that this process's tests begin outside requests; within itself it changes nothing."""
    from sqlalchemy import event  # noqa: PLC0415 - as above

    from pbem.extensions import PagesSession  # noqa: PLC0415 - as above

    if event.contains(PagesSession, "after_begin", _begin):
        yield
        return
    event.listen(PagesSession, "after_begin", _begin)
    try:
        yield
    finally:
        event.remove(PagesSession, "after_begin", _begin)
