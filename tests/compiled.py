"""What the apps of one test process compile once: routes, templates and statements. Each test has an app of its own.

What is compiled depends on nothing but its source, so no test sees what another did.
"""

from __future__ import annotations

from functools import cache
from types import MethodType
from typing import TYPE_CHECKING, Any

from jinja2 import BytecodeCache
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from types import CodeType

    from flask import Flask
    from jinja2.bccache import Bucket
    from sqlalchemy.engine import Dialect

_statements: dict[tuple[str | None, str], tuple[Dialect, Any]] = {}


class _Templates(BytecodeCache):
    """Compiled templates by name and by a digest of their source."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what was compiled of this very source, if anything was."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        assert bucket.code is not None
        self._kept[bucket.key, bucket.checksum] = bucket.code


_templates = _Templates()


@cache
def routes() -> None:
    """Let the apps of this process share what werkzeug makes of a route: it is nine tenths of making an app."""
    compile_anew = Rule.compile
    kept: dict[object, Rule] = {}

    def compile_once(rule: Rule) -> None:
        assert rule.map is not None
        converters = tuple(rule.map.converters.items())
        key = (rule.rule, repr(rule.defaults), rule.subdomain, rule.host, rule.merge_slashes, converters)
        if key not in kept:
            compile_anew(rule)
            kept[key] = rule
            return
        known = kept[key]
        rule._parts, rule._trace, rule._converters = known._parts, known._trace, known._converters
        rule.arguments = set(known.arguments)
        rule._build, rule._build_unknown = (
            MethodType(build.__func__, rule)  # type: ignore[attr-defined]  # a method, which its type doesn't say
            for build in (known._build, known._build_unknown)
        )

    Rule.compile = compile_once  # type: ignore[method-assign, assignment]  # for this process of tests only


def templates(app: Flask) -> None:
    """Let `app` use what other apps compiled of its templates: half of a page's first showing."""
    app.jinja_env.bytecode_cache = _templates


def statements(app: Flask) -> None:
    """Let `app` use what other apps compiled of its statements, which SQLAlchemy keeps by engine and dialect.

    The first app of a kind of database connects, so that the dialect that all share knows its server.
    """
    from pbem.extensions import db  # noqa: PLC0415 - tests of routes alone need no database

    with app.app_context():
        for bind, engine in db.engines.items():
            kind = (bind, engine.dialect.driver)
            if kind not in _statements:
                engine.connect().close()
                _statements[kind] = (engine.dialect, engine._compiled_cache)
            engine.dialect, engine._compiled_cache = _statements[kind]
