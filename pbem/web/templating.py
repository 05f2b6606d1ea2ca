"""How templates become pages: as letters do, but sentences and parts stand where they are shown.

Sentences that stand in a template, by the hundred, are said once for each language; and an included part has no context
made for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from flask.templating import Environment
from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from pbem.templating.environment import QuickEnvironment, TemplateCode, escapes

if TYPE_CHECKING:
    from jinja2.compiler import Frame


class PageCode(TemplateCode):
    """The code of a page's template: a sentence is put in as it is said, escaped."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if escapes(frame) and _is_call_of(node, _SENTENCE):
            self.write("(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if escapes(frame) and _is_call_of(node, _SENTENCE):
            self.write(")")
        else:
            super()._output_child_post(node, frame, finalize)


_SPEAKER, _SENTENCE = "pbem.web.pages.translator", "pbem.web.pages.sentence"
"""Who speaks in a template as `say`, and what stands there for one sentence and nothing more."""


def _call_of(name: str, node: nodes.Node, *given: nodes.Expr) -> nodes.Call:
    return nodes.Call(nodes.ImportedName(name), list(given), [], None, None, lineno=node.lineno)


def _is_call_of(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Call) and node.node == nodes.ImportedName(name)


def _is_sentence(node: nodes.Node) -> TypeGuard[nodes.Call]:
    """Return whether the node is `say("a sentence")`, and nothing more."""
    match node:
        case nodes.Call(node=nodes.Name(name="say"), args=[nodes.Const()], kwargs=[], dyn_args=None, dyn_kwargs=None):
            return True
    return False


class _Ours(NodeTransformer):
    """Puts included parts where they are shown, and who speaks where something is said: no part looks for either."""

    def __init__(self, environment: Any) -> None:
        self._environment = environment

    def visit_Name(self, node: nodes.Name) -> nodes.Node:  # noqa: N802 - overrides
        """Return who speaks for `say`."""
        return _call_of(_SPEAKER, node) if node.name == "say" else node

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802 - overrides
        """Return it with what is always the same said once."""
        node.nodes = [
            _call_of(_SENTENCE, one, *one.args) if _is_sentence(one) else self.visit(one) for one in node.nodes
        ]
        return node

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802 - overrides
        """Return the part as it reads there: what it sets ends with it."""
        name = node.template.as_const()
        source, file, _ = self._environment.loader.get_source(self._environment, name)
        return nodes.Scope(self._environment._parse(source, name, file).body, lineno=node.lineno)  # noqa: SLF001 - as it parses


class PageEnvironment(QuickEnvironment, Environment):
    """Flask's, for pages."""

    code_generator_class = PageCode

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed: nodes.Template = _Ours(self).visit(super()._parse(source, name, filename))
        parsed.set_environment(self)
        return parsed
