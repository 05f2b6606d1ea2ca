"""Nothing is kept that nothing uses: names, parameters, macros, what pages are given, classes of the style sheet."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from tests.test_house import HOME, functions, statements, tree
from tests.test_structure import OURS, modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TEMPLATES = {
    str(path.relative_to(HOME / "templates")): path.read_text("utf-8") for path in HOME.glob("templates/*/**/*.*")
}
STATIC = HOME / "pbem" / "web" / "static"
OF_A_LIBRARY = {
    **dict.fromkeys(("process_bind_param", "process_result_value", "impl", "cache_ok"), "SQLAlchemy"),
    "ServerLogger": "gunicorn, by a setting",
    "line_length_limit": "aiosmtpd",
    "factory": "aiosmtpd",
    "ensure_sync": "Flask",
    "emit": "logging",
    **dict.fromkeys(
        ("make_globals", "context_class", "visit_Getattr", "visit_Include", "visit_Name"),
        "Jinja",
    ),
    **dict.fromkeys(("to_python", "parameter_storage_class", "get_wsgi_headers"), "werkzeug"),
    **dict.fromkeys(("dump_payload", "get_signature"), "itsdangerous"),
    "made_at": "a backup's own file, for people",
    "HTML_LIMIT": "what letters are held to",
    **dict.fromkeys(("moveTo", "lineTo", "qCurveTo", "curveTo", "closePath"), "fontTools"),
    **dict.fromkeys(("handle_starttag", "handle_endtag", "handle_data"), "html.parser"),
}
"""Names that stand once in the program, since somebody else asks for them."""


def words(text: str) -> list[str]:
    """Every word that could be a name."""
    return re.findall(r"[A-Za-z_]\w*", text)


def defined(module: ast.Module) -> Iterator[str]:
    """The names a module gives to classes, functions, fields and constants; what a decorator registers is used."""
    own = list(statements(module))
    for node in own:
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and not node.decorator_list):
            yield node.name
    for node in (*module.body, *(one for body in own if isinstance(body, ast.ClassDef) for one in body.body)):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_every_name_is_used() -> None:
    """Each class, function, field and constant is named once more than where it is made, be it by a template."""
    ours = [path for path in OURS if not {"kit", "versions"} & set(path.parts)]
    texts = [(HOME / path).read_text("utf-8") for path in OURS]
    told = [path.read_text("utf-8") for path in HOME.glob("pbem/**/*.toml")]
    count = Counter(word for text in (*texts, *told, *TEMPLATES.values()) for word in words(text))
    once = {name for path in ours for name in defined(tree(path)) if count[name] == 1 and not name.startswith("__")}

    assert once == set(OF_A_LIBRARY)


def calls() -> dict[tuple[str, str], list[ast.Call | None]]:
    """By module and function, the calls of it in the program; None for one that is handed on as a value."""
    found: dict[tuple[str, str], list[ast.Call | None]] = {}
    for name, module in modules().items():
        known = {node.name: (name, node.name) for node in module.body if isinstance(node, ast.FunctionDef)}
        rooms = {}
        for line in statements(module):
            if not isinstance(line, ast.ImportFrom) or line.module is None:
                continue
            for alias in line.names:
                full = f"{line.module}.{alias.name}"
                if full in modules():
                    rooms[alias.asname or alias.name] = full
                else:
                    known[alias.asname or alias.name] = (line.module, alias.name)
        nodes = list(ast.walk(module))
        called = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in known:
                found.setdefault(known[node.id], []).append(called.get(id(node)))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in rooms:
                found.setdefault((rooms[node.value.id], node.attr), []).append(called.get(id(node)))
    return found


def given(function: ast.FunctionDef, name: str, call: ast.Call) -> bool:
    """Whether a call hands in a parameter, perhaps among several."""
    place = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    many = any(isinstance(arg, ast.Starred) for arg in call.args) or any(word.arg is None for word in call.keywords)
    return (
        many or name in {word.arg for word in call.keywords} or (name in place and place.index(name) < len(call.args))
    )


def optional(function: ast.FunctionDef) -> Iterator[str]:
    """The parameters that have a default."""
    args = (*function.args.posonlyargs, *function.args.args)
    yield from (arg.arg for arg in args[len(args) - len(function.args.defaults) :])
    yield from (
        arg.arg for arg, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if default
    )


FOR_TESTS = {
    "pbem.cli.demo.autoplay.correspond(way)",
    "pbem.clubs.integrations.webhooks.call_one(post)",
    "pbem.clubs.ratings.rating_sweep.rate_finished(limit)",
    "pbem.config.from_environ(environ)",
    "pbem.play.admin.retention.prune(batch)",
    "pbem.play.seats.opening.take_seat(seat)",
}
"""Parameters that only tests hand in: another server or way to the pages, fewer rows, a certain seat."""


def test_every_default_is_overridden() -> None:
    """What no call of the program hands in is no parameter."""
    found = set()
    for (name, word), made in calls().items():
        if name not in modules():
            continue
        function = next((one for one in modules()[name].body if getattr(one, "name", "") == word), None)
        if isinstance(function, ast.FunctionDef) and not function.decorator_list and None not in made:
            kept = [call for call in made if call is not None]
            found |= {
                f"{name}.{word}({arg})"
                for arg in optional(function)
                if not any(given(function, arg, call) for call in kept)
            }

    assert found == FOR_TESTS


def test_every_macro_is_called() -> None:
    """Each macro of a template is called somewhere, by one that imports it or beside it."""
    everything = "\n".join(TEMPLATES.values())
    made = Counter(re.findall(r"{%-? *macro +(\w+)", everything))

    assert [name for name, count in made.items() if len(re.findall(rf"\b{name}\(", everything)) <= count] == []


def together(template: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """A template with all it extends, includes or imports."""
    if template in seen or template not in TEMPLATES:
        return seen
    seen |= {template}
    for other in re.findall(r'{%-? *(?:extends|include|import|from) +"([^"]+)"', TEMPLATES[template]):
        seen = together(other, seen)
    return seen


def rendered() -> Iterator[tuple[str, list[str]]]:
    """Each template that a module renders, with the names it is given."""
    for node in (node for path in OURS for function in functions(tree(path)) for node in ast.walk(function)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="show") | ast.Name(id="render_template"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name, [word.arg for word in node.keywords if word.arg and word.arg != "status"]


def test_pages_are_given_what_they_show() -> None:
    """A page gets no value that neither its template nor a part of it names."""
    pages = list(rendered())

    assert len(pages) > 50
    assert [
        (page, name)
        for page, names in pages
        for name in names
        if not any(re.search(rf"\b{name}\b", TEMPLATES[part]) for part in together(page))
    ] == []


def test_every_class_of_the_style_sheet_is_used() -> None:
    """Each class is named by a template, a drawing or a script, or made there by its beginning: `seat-{{ number }}`."""
    sheet = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", (STATIC / "css" / "pbem.css").read_text("utf-8"), flags=re.DOTALL)
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", sheet))
    ours: Sequence[Path] = [HOME / path for path in OURS]
    source = "\n".join([*TEMPLATES.values(), *(path.read_text("utf-8") for path in (*ours, *STATIC.glob("js/*.js")))])
    named = set(re.findall(r"[\w-]+", source)) | set(re.findall(r"([\w-]+-){", source))

    assert len(classes) > 100
    assert sorted(name for name in classes if name not in named and f"{name.rpartition('-')[0]}-" not in named) == []
