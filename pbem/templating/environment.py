"""How templates become pages and letters: Jinja, but for six things without which a decision page costs a fifth more.

Measured in turn with Jinja's own on Priests of Ra's page (processor time, no database: 4.1 and 5.0 ms): what is called
isn't asked each time what it takes of the context, which of ours is nothing; attributes are read by Python, so keys
stand in brackets; what has nothing to escape is put in as it is; what follows without a break is one piece; what all
templates share is looked for in one place when a part is imported; and templates are kept without a note of each use.
`tests/web/test_page_code.py` and `tests/letters/test_writer.py` hold pages and letters against Jinja's.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping

    from jinja2.compiler import Frame, MacroRef


class TemplateContext(Context):
    """What the code of a template calls."""

    call: Callable[..., Any] = operator.call  # built in, so it isn't bound
    """What is called is asked nothing; a macro goes by its own template's escaping, which all of ours have on."""


class TemplateCode(CodeGenerator):
    """The code of a template: Jinja's, but for what is put in, and the arguments of calls."""

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
        if escapes(frame):
            self.write("(put if type(put := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if escapes(frame):
            self.write(") is Markup else escaped(put) if type(put) is str else escape(put))")
        else:
            super()._output_child_post(node, frame, finalize)


def escapes(frame: Frame) -> bool:
    """Return whether all that is put in there is escaped, as is known while the template is compiled."""
    return bool(frame.eval_ctx.autoescape and not frame.eval_ctx.volatile)


class QuickEnvironment(Environment):
    """Jinja's, for templates of ours."""

    context_class = TemplateContext
    code_generator_class = TemplateCode

    def __init__(self, *given: Any, **options: Any) -> None:
        """Begin without templates."""
        super().__init__(*given, **options)
        self.cache = {}  # of all templates: Jinja's own keeps the 400 used last, and takes note of each use
        self.part = functools.cache(lambda name: self.get_template(name).module)

    @staticmethod
    def shortened(macro: Macro) -> Callable[..., str]:
        """Return what calls a macro: where no argument is given by its name, its code with just those."""
        if macro.caller or macro.catch_kwargs or macro.catch_varargs or not macro._default_autoescape:  # noqa: SLF001 - there is no open way
            return macro
        code: Any = macro._func  # noqa: SLF001 - likewise
        code.__defaults__ = (missing,) * len(macro.arguments)

        def called(*given: Any, **named: Any) -> str:
            return macro(*given, **named) if named else str.__new__(Markup, code(*given))

        return called

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template has from all; what is added once it is loaded it doesn't see."""
        return {**self.globals, **(d or {})}
