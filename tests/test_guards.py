"""The list of guards that `benchmarks.guards` takes away in turn is whole: the program is read here in another way."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import guards, mutants, mutation_plugin
from benchmarks.mutation import HOME, TESTS, Job, mutated, program
from benchmarks.mutation_reach import Ran, Reach, _marked, functions_of
from tests.store.test_locks import LOCKS

if TYPE_CHECKING:
    from benchmarks.mutation import Mutant

PBEM = Path(__file__).parents[1] / "pbem"
BARE = {
    "__init__": "nothing but the version",
    "bots": "players that see only a view",
    "budgets": "a type without a decision",
    "clock": "the time",
    "config": "settings are read before anybody is served; a fault ends the program",
    "engine": "rules: their mutants are benchmarks.mutants engine",
    "errors": "the errors themselves",
    "extensions": "what is set up once",
    "kit": "read by those who make games",
    "letter_kinds": "a table",
    "logs": "what is written down",
    "messages": "words",
    "packages": "games that are installed",
    "pictures": "a view is drawn",
    "server_log": "what is written down",
    "structs": "values are made from values",
    "templating": "templates are compiled",
    "translations": "words",
    "waking_hours": "hours are computed",
}
"""Parts of the program without guards of people's rights, and why."""
KINDS = {
    "check": r"^ +(?:\w+\.)*(?:require|refuse)_\w+\(",
    "lock": r"\.with_for_update\(",
    "standing": r"\.(?:left|ended|closed|revoked|used|dropped)_at\.is_\(None\)|\b[A-Z]\w+\.is_(?:live|open)\(",
    "scope": r"\b_?[A-Z]\w*(?:\.c)?\.(?:game_id|club_id|player_id|season_id|seat_id|seat) == "
    r"|\bSeat\.holds\(|(?<=at_present)(?=\((?:club|player)_id=)|(?<=at_present\()(?=\w+=[\w.()]+, (?:club|player)_id=)",
    "commit": r"^ +[\w.()]*commit\(",
    "proof": r"^ +[\w.]*\bprove\(",
    "limit": r"^@limiter\.limit\(|\bbudget=\"\d",
}
"""Kinds of guards that a line shows by itself."""
NAMED = (
    "pbem.capabilities.roles:require_organiser:refusal:1",
    "pbem.letter_queue:",
    "pbem.play.proof.snapshots:drop:refusal:1",
    "pbem.play.proof.snapshots:drop_next:lock:1",
    "pbem.web.account.links:end:refusal:1",
    "pbem.web.account.links:send_me:limit:1",
)
"""Guards that came late: ending one's links, dropping snapshots, budgets of letters."""


@cache
def listed() -> list[Mutant]:
    """All guards of the list; made once."""
    return guards.guards()


def lines() -> list[tuple[str, str]]:
    """Every line of the parts with guards, with its module."""
    paths = [
        path
        for path in sorted(PBEM.rglob("*.py"))
        if path.relative_to(PBEM).parts[0].removesuffix(".py") in guards.ROOMS
    ]
    return [
        (str(path), line) for path in paths if "migrations" not in path.parts for line in path.read_text().splitlines()
    ]


def test_every_part_of_the_program_is_looked_through_or_has_a_reason_not_to_be() -> None:
    """A new folder or module is in one of the two lists."""
    parts = {path.stem for path in PBEM.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}

    assert parts | {"translations"} == set(guards.ROOMS) | set(BARE)
    assert not set(guards.ROOMS) & set(BARE)


@pytest.mark.parametrize("kind", KINDS)
def test_no_guard_that_a_line_shows_is_missing_from_the_list(kind: str) -> None:
    """As many are listed as lines show, module by module."""
    shown = Counter(path for path, line in lines() for _ in re.findall(KINDS[kind], line))
    found = Counter(str(PBEM.parent / one.path) for one in listed() if one.kind == kind)

    assert found == shown


def test_every_branch_that_refuses_is_in_the_list() -> None:
    """`raise` and `abort` that follow the line of an `if` at once."""
    text = "\n".join(line for _, line in lines())
    shown = re.findall(r"(?m)^ +(?:el)?if [^\n]*:\n +(?:raise |abort\()", text)
    found = [one for one in listed() if one.kind == "refusal"]

    assert len(found) >= len(shown) > 200


def test_guards_of_late_are_in_the_list() -> None:
    """Named, so that a change of the shapes that are looked for can't lose them."""
    names = [one.name for one in listed()]

    assert [name for name in NAMED if not any(one.startswith(name) for one in names)] == []


def test_every_lock_is_tried_by_two_at_once() -> None:
    """A new one needs a deed that waits for it, or passes by."""
    assert {one.name for one in listed() if one.kind == "lock"} == {name.split()[0] for name in LOCKS}


def test_a_program_without_one_guard_is_still_a_program() -> None:
    """Every edit leaves a file that Python reads; one that can't be read would be caught by any test."""
    raw: dict[Path, bytes] = {}
    for one in listed()[::7]:
        whole = raw.setdefault(one.path, (PBEM.parent / one.path).read_bytes())
        broken = mutated(whole, one.edit)
        assert broken != whole
        compile(broken, str(one.path), "exec")


def test_every_guard_says_by_which_statement_it_is_reached() -> None:
    """One that named none would meet no test; the marked copy of each module is a module that marks these."""
    for path in sorted({one.path for one in listed()})[::7]:
        numbers: dict[str, int] = {}
        compile(_marked((PBEM.parent / path).read_bytes(), path, numbers), str(path), "exec")
        told = {place for one in listed() if one.path == path for place in one.edit.reached}
        assert told
        assert told <= set(numbers)
    assert [one.name for one in listed() if not one.edit.reached] == []


def test_a_mutant_meets_the_tests_that_reach_it_the_narrow_and_quick_first() -> None:
    """Those named after the function before all others; what takes too long is left out, but never all.

    What is reached while the program is loaded, is met by all that reach its module, these last.
    """
    names = ["m:f:d:0", "m:f:d:1", "m:g:d:0", "n:h:d:0"]
    tests = {
        "": Ran(0, {1, 2}),
        "t.py::test_wide": Ran(1, {0, 1}),
        "t.py::test_slow": Ran(9, {0}),
        "t.py::test_quick": Ran(1, {0}),
        "t.py::test_other": Ran(1, {1}),
        "t.py::test_walk[m:f]": Ran(5, {0, 1}),
        "t.py::test_looks": Ran(0, set()),
        "t.py::test_else": Ran(0, {3}),
    }
    reach = Reach(names, {}, tests)
    found = reach.of(["m:f:d:0"])

    assert [test.partition("::")[2] for test in found] == ["test_walk[m:f]", "test_quick", "test_wide", "test_slow"]
    assert reach.within(found, 7) == found[:3]
    assert reach.within(found, 1) == found[:1]
    assert set(reach.of(["m:g:d:0"])) == set(tests) - {"", "t.py::test_looks", "t.py::test_else"}
    assert reach.of(["m:f:d:1"])[-2:] == ["t.py::test_quick", "t.py::test_slow"]
    assert reach.is_loading(["m:f:d:1"])
    assert not reach.is_loading(["m:f:d:0"])
    assert reach.looking() == ["t.py::test_looks"]
    assert reach.all_tests() == sorted(tests.keys() - {""}, key=lambda test: (tests[test].seconds, test))
    reach.forget(lambda name: name == "t.py")
    assert set(reach.tests) == {""}


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ({}, ""),
        ({"a": "import b\n\n\ndef f():\n    return 1\n\n\n# moved\ndef g():\n    return 2\n"}, ""),
        ({"a": "def f():\n    return 3\n\n\ndef g():\n    return 2\n"}, "f"),
        ({"a": "@cache\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"}, "f"),
        ({"a": "def f():\n    return 1\n"}, "g"),
        ({"b": "def h():\n    return 1\n\n\ndef i():\n    return 1\n"}, "h"),
        ({"c": "def loading():\n    return 2\n"}, "fghn"),
    ],
)
def test_a_kept_map_is_too_old_for_what_changed_and_for_that_alone(
    tmp_path: Path, changed: dict[str, str], again: str
) -> None:
    """Run again is what reached a function that isn't as it was, or walks a module with a new one, and no other test.

    If what the program does while it is loaded has changed, everything.
    """
    program = {
        "a": "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
        "b": "def h():\n    return 1\n",
        "c": "def loading():\n    return 1\n",
    }
    numbers: dict[str, int] = {}
    for name, text in program.items():
        _marked(text.encode(), Path("pbem", f"{name}.py"), numbers)
    reached = {place.split(":")[1]: {number} for place, number in numbers.items()}
    tests = {f"{name}.py::test": Ran(0, reached.get(name, set())) for name in "fghn"} | {"": Ran(0, reached["loading"])}
    reach = Reach(list(numbers), dict.fromkeys(("f.py", "g.py", "h.py", "n.py"), ""), tests)

    (tmp_path / "pbem").mkdir()
    for name, text in (program | changed).items():
        (tmp_path / "pbem" / f"{name}.py").write_text(text)
    reach.renew(functions_of(tmp_path))

    kept = {f"{name}.py" for name in "fghn" if name not in again}
    assert set(reach.files) == {test.partition("::")[0] for test in reach.tests if test} == kept


def test_what_a_decorator_made_is_made_anew() -> None:
    """A function within another was made while the program was loaded: changing the outer one would change nothing."""
    found = {one.name: one.edit.live for one in mutants.of_module(Path("pbem/web/pages.py"))}
    handled = {name: live for name, live in found.items() if ":form_of:return:" in name}

    assert sorted(handled.values()) == [False, False, False, True]
    assert found["pbem.web.pages:initial:return:1"]


@pytest.mark.parametrize(("kept", "said"), [("super().said()", 2), ("pass", 1)])
def test_a_loaded_method_is_changed_also_if_it_loses_its_only_super(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, said: int
) -> None:
    """Its code asks for one cell less then than the function has."""
    path = tmp_path / "loaded.py"
    path.write_text(
        "class A:\n  def said(self): self.n = 1\nclass B(A):\n  def said(self):\n    super().said()\n    self.n += 3\n"
    )
    loaded: dict[str, Any] = {"__name__": "loaded"}
    exec(compile(path.read_text(), str(path), "exec"), loaded)  # noqa: S102 - the lines above
    monkeypatch.setitem(mutation_plugin._functions, (str(path), "B.said"), [loaded["B"].said])
    one = loaded["B"]()
    one.n = 0

    text = path.read_text().replace("super().said()", kept).replace("+= 3", "+= 1")
    mutation_plugin._change(
        Job("loaded:B.said:statement:1", str(path), "B.said", text, live=True, tests=[], whole=True, sound=[])
    )
    one.said()

    assert one.n == said


def test_every_room_of_the_program_has_tests_that_care_for_it() -> None:
    """A new room, or a file of tests that is renamed, is noticed."""
    rooms = {path.parts[1].removesuffix(".py") for path in program()} - {"__init__"}

    assert set(TESTS) == rooms
    assert [one for tests in TESTS.values() for one in tests if not (HOME / one).exists()] == []


def test_every_equivalent_mutant_is_still_there() -> None:
    """Else its name stands for another one by now, or for none: each is known by what stands there, too."""
    found = {one.name: one for one in listed() if one.name in guards.EQUIVALENT}
    texts = {name: (HOME / one.path).read_bytes()[one.edit.start : one.edit.end] for name, one in found.items()}
    assert {name: text.decode() for name, text in texts.items()} == {
        name: text for name, (text, _) in guards.EQUIVALENT.items()
    }
    modules = {name.partition(":")[0] for name in mutants.EQUIVALENT}
    paths = [Path(*module.split(".")).with_suffix(".py") for module in sorted(modules)]
    lines = {one.name: one.line for path in paths for one in mutants.of_module(path) if one.name in mutants.EQUIVALENT}
    assert lines == {name: line for name, (line, _) in mutants.EQUIVALENT.items()}
