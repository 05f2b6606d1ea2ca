"""The description of the API as generators of clients want it: plain unique names, and where the server is.

SpecTree names an inner shape after the one it stands in (`GameOut.WaitingOut`) and a call after its path with its
braces; generators drop what they can't turn into an identifier, and what is there twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.routing import Map

_REFERENCE = "#/components/schemas/"
_ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")


def described(spec: Mapping[str, Any], rules: Map, base_url: str, version: str) -> dict[str, Any]:
    """The description with a name of its own for every shape and call, served from `base_url` by `version`."""
    names = _names(spec["components"]["schemas"])
    found: dict[str, Any] = _renamed(spec, names)
    schemas = found["components"]["schemas"]
    found["components"]["schemas"] = {
        names.get(name, name): {**shape, "title": names.get(name, name)} for name, shape in schemas.items()
    }
    calls = _calls(rules)
    for path, methods in found["paths"].items():
        for method, call in methods.items():
            call["operationId"] = calls[path, method]
    found["servers"] = [{"url": base_url}]
    found["info"]["version"] = version
    return found


def _names(schemas: Mapping[str, Any]) -> dict[str, str]:
    """A plain name for each inner shape: its own where all shapes called so are alike, else with the outer one's."""
    alike: dict[str, list[Any]] = {}
    for name, shape in schemas.items():
        known = alike.setdefault(name.rpartition(".")[2], [])
        if shape not in known:
            known.append(shape)
    return {
        name: inner if len(alike[inner]) == 1 else outer + inner
        for name in schemas
        for outer, dot, inner in [name.rpartition(".")]
        if dot
    }


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A copy with every reference to an inner shape by its plain name."""
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    if isinstance(value, str) and value.startswith(_REFERENCE):
        name = value.removeprefix(_REFERENCE)
        return _REFERENCE + names.get(name, name)
    return value


def _calls(rules: Map) -> dict[tuple[str, str], str]:
    """By path and method, what a call is named: as its function."""
    return {
        (_ARGUMENT.sub(r"{\1}", rule.rule), method.lower()): rule.endpoint.partition(".")[2]
        for rule in rules.iter_rules()
        for method in rule.methods or ()
    }
