"""What the apps of one test process make once: routes, templates, statements, migrations. Each test has its own app.

What is made depends on nothing but its source, so no test sees what another did.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from flask import Blueprint
from jinja2 import BytecodeCache
from sqlalchemy.util import LRUCache

if TYPE_CHECKING:
    from types import CodeType

    from alembic.config import Config
    from flask import Flask
    from jinja2.bccache import Bucket
    from sqlalchemy.engine import Dialect, Engine
    from werkzeug.routing import Map

STATEMENTS = 10_000
"""How many statements are kept: all that the program and its tests have, where an app's own five hundred are not."""
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
    """Let the apps of this process share the routes of each blueprint: adding them is most of making an app.

    What else a blueprint brings (hooks, answers to errors) each app is given anew.
    """
    add_anew = Blueprint.register
    kept: dict[Blueprint, tuple[Map, dict[str, Any]]] = {}

    def add(blueprint: Blueprint, app: Flask, options: dict[str, Any]) -> None:
        if blueprint not in kept:
            before = set(app.view_functions)
            add_anew(blueprint, app, options)
            views = {name: view for name, view in app.view_functions.items() if name not in before}
            kept[blueprint] = app.url_map, views
            return
        app.blueprints[blueprint.name] = blueprint
        blueprint._merge_blueprint_funcs(app, blueprint.name)
        app.url_map, views = kept[blueprint]
        app.view_functions |= views

    Blueprint.register = add  # type: ignore[method-assign, assignment]  # for this process of tests only


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
            share(bind, engine)


def share(use: str | None, engine: Engine) -> Engine:
    """Let an engine use what others that are for the same `use` compiled, and give it."""
    kind = (use, engine.dialect.driver)
    if kind not in _statements:
        engine.connect().close()
        _statements[kind] = (engine.dialect, LRUCache(STATEMENTS))
    engine.dialect, engine._compiled_cache = _statements[kind]
    return engine


@cache
def revisions() -> None:
    """Let the migrations that Alembic finds in a folder be read once in this process."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - as above

    read = ScriptDirectory.from_config
    kept: dict[str | None, ScriptDirectory] = {}

    def find(config: Config) -> ScriptDirectory:
        folder = config.get_main_option("script_location")
        if folder not in kept:
            kept[folder] = read(config)
        return kept[folder]

    ScriptDirectory.from_config = staticmethod(find)  # type: ignore[method-assign]  # for this process of tests only
