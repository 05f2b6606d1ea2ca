from __future__ import annotations

import threading

import pytest

from pbem.jobs.time_limit import TimeLimit, TookTooLong


def test_a_loop_without_end_is_ended() -> None:
    """In the thread that loops, and only there."""
    dog = TimeLimit()

    def forever() -> None:
        with dog.within(0.1):
            while True:
                pass

    with pytest.raises(TookTooLong):
        forever()


def test_what_is_quick_enough_is_left_alone() -> None:
    """Many short blocks, one after another, and in several threads at once."""
    dog = TimeLimit()
    done: list[int] = []

    def work(number: int) -> None:
        for _ in range(200):
            with dog.within(20):
                done.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 800
    assert dog._ends == {}  # whom it still watched, it would end in the middle of something else


def test_one_watchdog_watches_and_a_dead_one_is_replaced() -> None:
    """A forked child has none of its parent's threads: its first block begins another; no block begins a second.

    It holds up no process that ends.
    """
    dog = TimeLimit()
    with dog.within(20):
        first = dog._thread
        assert first is not None
        assert first.daemon
    with dog.within(20):
        assert dog._thread is first
    dead = threading.Thread(target=list)
    dead.start()
    dead.join()
    dog._thread = dead
    with dog.within(20):
        assert dog._thread is not dead
        assert dog._thread.is_alive()
