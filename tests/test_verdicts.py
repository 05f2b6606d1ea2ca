"""What a test's verdict rests on, checked over every test: no clock, and never one of two things that would both do."""

from __future__ import annotations

import ast
import re

import pytest

from tests.test_house import MODULES, functions, statements, tree

TESTS = [path for path in MODULES if path.parts[0] == "tests"]

_CLOCKS = ("process_time", "perf_counter", "monotonic", "thread_time", "time")
CLOCK_READERS = {
    *_CLOCKS[:-1],
    *(f"{name}_ns" for name in _CLOCKS),
    *("clock_gettime", "getrusage", "default_timer", "timeit", "elapsed"),
}
"""Names that tell how long something took, wherever they come from."""
MODULES_OF_CLOCKS = {"time.time", "os.times"}
"""The same where the name alone may be another thing's."""
MAY_READ_IT = {
    "tests/deploy/containers.py": "a command that prints how long each check took",
    "tests/deploy/paste.py": "as above",
    "tests/deploy/debian.py": "a command that waits until a log has been still for a while",
}


def clock_readers(module: ast.AST) -> set[str]:
    """The names in a module that read a clock, called or handed on."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            found |= names & CLOCK_READERS | {name for name in names if f"{node.module}.{name}" in MODULES_OF_CLOCKS}
        elif isinstance(node, ast.Name | ast.Attribute):
            found |= {ast.unparse(node)} & MODULES_OF_CLOCKS
            found |= {node.id if isinstance(node, ast.Name) else node.attr} & CLOCK_READERS
    return found


def test_no_test_reads_the_clock_for_its_verdict() -> None:
    """How much work something is, is counted (`tests.steps`): a busy machine must not fail a test."""
    assert {str(path) for path in TESTS if clock_readers(tree(path))} == MAY_READ_IT.keys()


@pytest.mark.parametrize(
    "planted",
    [
        "began = time.process_time()",
        "from time import perf_counter as now",
        "measure(time.monotonic)",
        "assert answer.elapsed < LIMIT",
        "began = time.time()",
        "from time import time",
        "used = resource.getrusage(resource.RUSAGE_SELF)",
        "spent = os.times().user",
    ],
)
def test_whatever_reads_a_clock_is_found(planted: str) -> None:
    """Called, handed on, imported under another name, or asked of an answer."""
    assert clock_readers(ast.parse(planted))
    assert not clock_readers(ast.parse("clock.move(hours=1); time = game.time; times = [now]; timeout = 5"))


FIRST_STATUS = 100
"""The lowest of HTTP's and SMTP's statuses: a number below it is a count or a place."""


def _are_told(nodes: list[ast.expr]) -> int:
    """How many of these are texts, or statuses: what a test says of an answer."""
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return sum(isinstance(one, str) or (type(one) is int and one >= FIRST_STATUS) for one in values)


def _ways(node: ast.expr) -> int:
    """How many texts or statuses a condition compares with, each of which would do."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return sum(min(_ways(one), 1) for one in node.values)
    if isinstance(node, ast.Call):
        return _ways_of_call(node)
    if not isinstance(node, ast.Compare):
        return 0
    left, operator, right = node.left, node.ops[0], node.comparators[0]
    if isinstance(operator, ast.In) and isinstance(right, ast.Set | ast.Tuple | ast.List):
        return _are_told(right.elts)
    sides = {ast.In: [left], ast.Eq: [left, right]}.get(type(operator), [])
    return min(_are_told(sides), 1)


def _ways_of_call(call: ast.Call) -> int:
    """The same of `starts with`, of a pattern, and of `any` over a list of texts."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = call.args[0] if call.args else None
    if name in {"startswith", "endswith"} and isinstance(given, ast.Tuple):
        return _are_told(given.elts)
    if name in {"search", "match", "fullmatch"} and isinstance(given, ast.Constant) and isinstance(given.value, str):
        return len(re.sub(r"\\.|\[[^\]]*\]|\([^()]*\)", "", given.value).split("|"))
    if name == "any" and isinstance(given, ast.GeneratorExp):
        lists = [one.iter for one in given.generators if isinstance(one.iter, ast.Set | ast.Tuple | ast.List)]
        return max((_are_told(one.elts) for one in lists), default=0)
    return 0


def _conditions(module: ast.AST) -> list[ast.expr]:
    """What a module asserts: conditions, their parts joined by `and` or `or`, and what asserted names stand for."""
    asserted = [node.test for node in statements(module) if isinstance(node, ast.Assert)]
    for function in functions(module):
        named = {
            node.test.id
            for node in statements(function)
            if isinstance(node, ast.Assert) and isinstance(node.test, ast.Name)
        }
        asserted += [
            node.value
            for node in statements(function)
            if isinstance(node, ast.Assign) and {getattr(target, "id", "") for target in node.targets} & named
        ]
    inner = [node for one in asserted for node in ast.walk(one) if isinstance(node, ast.BoolOp)]
    return [*asserted, *inner, *(value for node in inner if isinstance(node.op, ast.And) for value in node.values)]


def either(module: ast.AST) -> list[int]:
    """The lines of a module whose assertion is content with either of two texts or statuses."""
    return sorted({node.lineno for node in _conditions(module) if _ways(node) > 1})


ANY_WILL_DO = {
    "tests/deploy/containers.py": "a command; which redirect it is, is its proxy's affair",
    "tests/deploy/paste.py": "as above, and of the documented commands' servers",
}


def test_no_test_is_content_with_either_of_two() -> None:
    """Which of two texts or statuses it is, the test knows, or it proves nothing of either."""
    found = {str(path): lines for path in TESTS if (lines := either(tree(path))) and str(path) not in ANY_WILL_DO}

    assert found == {}


@pytest.mark.parametrize(
    "planted",
    [
        "assert 'sent' in page or 'kept' in page",
        "assert ready and ('sent' in page or page == 'kept')",
        "assert state in {'open', 'running'}",
        "assert answer.status_code in (403, 404)",
        "assert answer.status_code == 200 or answer.status_code == 303",
        "assert line.startswith(('bid', 'pass'))",
        "assert re.search('sent|kept', page)",
        "assert any(word in page for word in ('sent', 'kept'))",
        "def test():\n    fine = 'sent' in page or 'kept' in page\n    assert fine",
    ],
)
def test_whatever_is_content_with_either_is_found(planted: str) -> None:
    """In every form that a test could take; what is content with one alone is none."""
    assert either(ast.parse(planted))
    assert not either(ast.parse("assert seat in {0, 1}\nassert 'a' in page and 'b' in page\nassert not ('a' in page)"))
    assert not either(ast.parse("assert re.search('[|]x(a)', page)\nassert len(rows) == 2 or game == 'amunre'"))
