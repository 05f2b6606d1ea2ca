"""The programs pbem is built on, with their licences: writes docs/dependencies.md from the lock and what is installed.

    python -m tests.licences

Fails, naming the package, where one says nothing of its licence or has one that binds who runs or changes pbem.
"""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).parents[1]
PAGE = HOME / "docs" / "dependencies.md"
GOOD = (
    "MIT", "MIT-0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "ISC", "Apache-2.0", "PSF-2.0", "MIT-CMU", "HPND",
    "MPL-2.0", "LGPL-3.0-only", "LGPL-2.1-only", "LGPL-2.1-or-later", "ZPL-2.1", "Unlicense",
)  # fmt: skip
"""Licences under which a program of any kind may use the package."""
LONGEST = 100
"""Characters of a licence's name; more are its text."""
_SPELLINGS = {
    "dual license": "Apache-2.0 OR BSD-3-Clause",
    "apache 2.0": "Apache-2.0", "apache license 2.0": "Apache-2.0", "apache software license": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0", "apache-2": "Apache-2.0", "apache 2": "Apache-2.0",
    "mit license": "MIT", "the mit license": "MIT", "bsd license": "BSD", "bsd-like": "BSD", "new bsd": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause", "bsd 3-clause": "BSD-3-Clause", "bsd-3": "BSD-3-Clause",
    "bsd 2-clause license": "BSD-2-Clause", "simplified bsd": "BSD-2-Clause", "zpl 2.1": "ZPL-2.1", "psf": "PSF-2.0",
    "python software foundation license": "PSF-2.0", "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "isc license (iscl)": "ISC", "isc license": "ISC", "lgplv2+": "LGPL-2.1-or-later",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
}  # fmt: skip
_HEAD = """# What pbem is built on

Every package that a server installs, with its licence. `python -m tests.licences` writes this page from
`requirements.lock`; a test holds it current, and refuses a licence that would bind who runs or changes pbem.
The fonts among the static files are under the SIL Open Font Licence; what Debian brings (PostgreSQL, Redis, Postfix,
nginx) is not part of pbem. The packages of tests and measurements are in `requirements-test.lock`.

| package | licence | asked for by |
|---|---|---|
"""


_PYTHON = {"python_full_version": "3.11.99"}
"""The page is of the newest Python 3.11, whichever this is: the first ones want a package more."""


def locked() -> Iterator[str]:
    """The names in the lock that belong to this kind of machine, set-up tools left out."""
    build = {canonicalize_name(Requirement(one).name) for one in _pyproject()["dependency-groups"]["build"]}
    for line in (HOME / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"[a-z0-9][^\s\\]*==[^\\]*", line):
            wanted = Requirement(found.group().strip())
            if wanted.name not in build and (wanted.marker is None or wanted.marker.evaluate(_PYTHON)):
                yield canonicalize_name(wanted.name)


def licence(name: str) -> str:
    """The licence a package names, in SPDX's words where it uses others. Raises LookupError if it names none."""
    about = metadata.metadata(name)
    classifiers = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or [] if "License :: OSI" in line]
    given: list[str] = [*(about.get_all("License-Expression") or []), *(about.get_all("License") or []), *classifiers]
    for said in given:
        if re.match(r"\s*GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1", said):  # the whole text of it
            return "LGPL-2.1-only"
        if len(said) < LONGEST and said != "UNKNOWN":
            return _SPELLINGS.get(said.casefold(), said)
    raise LookupError(f"{name} doesn't say what licence it has.")


def is_good(said: str) -> bool:
    """Whether one of the licences offered is one that binds nobody, or all of those that hold together."""
    if all(name in GOOD for name in re.split(r"\s+(?:AND|OR)\s+", said.replace("(", "").replace(")", ""))):
        return True
    offers = [re.split(r"\s+AND\s+", offer) for offer in re.split(r"\s+OR\s+", said)]
    return "(" not in said and any(all(name in GOOD for name in together) for together in offers)


def page() -> str:
    """The page as it should be."""
    own = {canonicalize_name(Requirement(one).name) for one in _pyproject()["project"]["dependencies"]}
    askers: dict[str, set[str]] = {}
    names = sorted(set(locked()))
    for asker in names:
        for text in metadata.requires(asker) or []:
            askers.setdefault(canonicalize_name(Requirement(text).name), set()).add(asker)
    lines = []
    for name in names:
        said = licence(name)
        if not is_good(said):
            raise LookupError(f"{name} is under {said!r}, which is not among the licences that are known to be free.")
        by = "pbem" if name in own else ", ".join(sorted(askers.get(name, ())))
        lines.append(f"| {name} | {said} | {by} |\n")
    return _HEAD + "".join(lines)


def _pyproject() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
