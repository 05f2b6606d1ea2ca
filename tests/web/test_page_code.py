"""Templates as they are compiled for pages: what they say and what is put into them reads as by Jinja's own code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup
from werkzeug.local import LocalProxy

from pbem.engine.core.message import Message
from pbem.engine.preview import Figure, Preview
from pbem.messages import LANGUAGES
from pbem.web import pages
from pbem.web.templating import PageEnvironment

if TYPE_CHECKING:
    from flask import Flask

TEMPLATE = """
{% macro about(name, seat=1) %}<b title="{{ say('Skip to your choice') }}">{{ name }}</b>{{ say.name(seat) }}
{{ caller() if caller }}
{% endmacro %}
{% macro ended(name, mark="<!>", why="") %}{{ name }}{{ mark }}{{ why }}{% endmacro %}
{% block all %}
{{ ended("a<") }}{{ ended("b", "?") }}{{ ended("c", "?", "&") }}{{ ended("d", why="<>") }}{{ ended() }}
{{ say("Not sent: there is no connection. What you chose is kept here; send it again once you are online.") }}
{{ say("You can change it until the others have answered: send another one, or take it back.") }}
{% for value in values %}{{ value }} {{ about(value) }} {{ loop.index }}{{ say(message) }}{% endfor %}
{% call about("<x>", seat=0) %}{{ say("Rules of {game}", game=say("The board")) }}{% endcall %}
{{ say("That can't be played yet") ~ "<" }} {{ say("That can't be played yet") | upper }}
{{ say("That can't be played yet") if values else "" }}
{% for brings in gains %}{% set name = "<n>" %}{% include "parts/brings.html" %}{{ name }}{{ rows }}{% endfor %}
{{ say("Rules of {game}", game=say("That can't be played yet")) }}
{% endblock %}"""
VALUES = ["<i>", "a & b", Markup("<i>"), 7, None, True, ["'"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_reads_as_by_jinjas_own_code(app: Flask, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """In every language: sentences, names and values in blocks, loops, macros, calls and parts, and escaped once."""

    def shown() -> str:
        with app.test_request_context():
            pages.speak(language, names=["Anna <3", "Bob & Co"])
            template = app.jinja_env.from_string(TEMPLATE)
            message = Message("Rules of {game}", {"game": "<u>"})
            gains = [Preview(figures=(Figure("gold <", 1, 2), Figure("suns 3", 1, None))), Preview(warnings=(message,))]
            return template.render(values=VALUES, message=message, gains=gains)

    ours = shown()
    monkeypatch.setattr(app.jinja_env, "code_generator_class", CodeGenerator)
    monkeypatch.setattr(app.jinja_env, "context_class", _PlainContext)
    monkeypatch.delattr(PageEnvironment, "_parse")
    monkeypatch.setattr(app.jinja_env, "cache", {})
    monkeypatch.setitem(app.jinja_env.globals, "say", LocalProxy(pages.translator))
    assert ours == shown()
    assert "Anna &lt;3" in ours
    assert "&amp;amp;" not in ours


class _PlainContext(Context):
    """Jinja's own, with the proxy called as any other object."""
