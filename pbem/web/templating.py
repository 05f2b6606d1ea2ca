"""How templates become pages: Jinja, but for seven things without which a decision page costs a fifth more.

Measured in turn with Jinja's own on Priests of Ra's page (processor time, no database: 4.1 and 5.0 ms): sentences that
stand in a template, by the hundred, are said once for each language; what is called isn't asked each time what it
takes of the context, which of ours is nothing; attributes are read by Python, so keys stand in brackets; what has
nothing to escape is put in as it is; what follows without a break is one piece; what all templates share is looked for
in one place when a part is imported; and an included part stands where it is shown, and has no context made for it.
`tests/web/test_page_code.py` holds pages against Jinja's.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, TypeGuard

from flask.templating import Environment
from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping

    from flask.sansio.app import App
    from jinja2.compiler import Frame, MacroRef


class PageContext(Context):
    """What the code of a template calls."""

    call: Callable[..., Any] = operator.call  # built in, so it isn't bound
    """What is called is asked nothing; a macro goes by its own template's escaping, which all of ours have on."""


class PageCode(CodeGenerator):
    """The code of a template: Jinja's, but for sentences, what is put in, and the arguments of calls."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - overrides
        """Begin with what escapes in C and makes no Markup of it: an attribute of the environment is longer to find."""
        self.writeline("from markupsafe import _escape_inner as escaped")
        super().visit_Template(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: D102, FBT001, FBT002, N802 - overrides
        if forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
        else:
            self.visit(node.node, frame)
            self.write("(")
            for given in (*node.args, *node.kwargs):
                self.visit(given, frame)
                self.write(", ")
            self.write(")")

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802 - overrides
        """Write what follows without a break as one piece, which passes three generators and is encoded."""
        if frame.buffer or frame.require_output_check or len(node.nodes) == 1:
            super().visit_Output(node, frame)
            return
        frame.buffer = "pieces"
        self.writeline("pieces = []")
        super().visit_Output(node, frame)
        self.writeline("yield concat(pieces)")
        frame.buffer = None

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - overrides
        """Write an attribute as Python reads it: keys stand in brackets, and what isn't there is a fault."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context:
            super()._import_common(node, frame)
        else:
            self.write("environment.part(")
            self.visit(node.template, frame)
            self.write(")")

    def signature(self, node: Any, frame: Frame, extra_kwargs: Mapping[str, Any] | None = None) -> None:
        """Write the arguments of a call; nothing of ours takes the variables of the loop and the block around it."""
        super().signature(node, frame, {name: how for name, how in (extra_kwargs or {}).items() if name == "caller"})

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Write a macro as what calls it shortest."""
        self.write("environment.shortened(")
        super().macro_def(macro_ref, frame)
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(" if _is_call_of(node, _SENTENCE) else "(put if type(put := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(
                ")"
                if _is_call_of(node, _SENTENCE)
                else ") is Markup else escaped(put) if type(put) is str else escape(put))"
            )
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


class PageEnvironment(Environment):
    """Flask's own, for pages."""

    context_class = PageContext
    code_generator_class = PageCode

    def __init__(self, app: App, **options: Any) -> None:
        """Begin without templates."""
        super().__init__(app, **options)
        self.cache = {}  # of all templates: Jinja's own keeps the 400 used last, and takes note of each use
        self.part = functools.cache(lambda name: self.get_template(name).module)

    @staticmethod
    def shortened(macro: Macro) -> Callable[..., str]:
        """Return what calls a macro: where no argument is given by its name, its code with just those."""
        if macro.caller or macro.catch_kwargs or macro.catch_varargs or not macro._default_autoescape:  # noqa: SLF001 - there is no open way
            return macro
        code, none = macro._func, (missing,) * len(macro.arguments)  # noqa: SLF001 - likewise

        def called(*given: Any, **named: Any) -> str:
            if named:
                return macro(*given, **named)
            return str.__new__(Markup, code(*given, *none[len(given) :]))

        return called

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed: nodes.Template = _Ours(self).visit(super()._parse(source, name, filename))
        parsed.set_environment(self)
        return parsed

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template has from all; what is added once it is loaded it doesn't see."""
        return {**self.globals, **(d or {})}
