"""The third door compared: each command has its page and call or a reason, each organiser's page a command."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.cli.operator.doctor import UNWELL
from pbem.clubs.games import control_room
from tests.servers import PATIENCE
from tests.test_house import HOME
from tests.web.play.test_twins import CALL, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config

MANUAL = (HOME / "docs/programs.md").read_text(encoding="utf-8")
TABLE, _, REST = (
    MANUAL.partition("## Every command, its page and its call")[2].partition("\n## ")[0].partition("Without a command")
)
COMMANDS = dict(re.findall(r"(?m)^\| `(pbem [^`]+)` \| (.+) \|$", TABLE))
"""By command, its page and its call."""
PAGE = re.compile(r"`(/[^`]*)`")
FOR_MANY = ("/club/", "/organise/", "/operator")
"""Pages of those who also sit at a terminal."""


def leaves(
    command: click.Command, words: tuple[str, ...], context: click.Context
) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its words."""
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*words, name), click.Context(found, parent=context, info_name=name))


ALL = dict(leaves(main, ("pbem",), click.Context(main)))


MEANS_NOTHING = {"pbem game act --hours": 0, "pbem game act --seat": -1}
PRESUMED = {
    "pbem backup --keep": 14,
    "pbem club acts --limit": 50,
    "pbem club new --language": "en",
    "pbem club workload --order": "games",
    "pbem demo --port": 8000,
    "pbem demo --game": "amunre",
    "pbem demo --seats": 4,
    "pbem demo --seed": "demo",
    "pbem game new --cadence": "club",
    "pbem game new --unfilled": "tell",
    "pbem mail failed --limit": 50,
    "pbem mail listen --host": "127.0.0.1",
    "pbem mail listen --port": 8025,
    "pbem season announce --system": "swiss",
    "pbem season announce --rounds": 3,
    "pbem season announce --cadence": "club",
    "pbem season announce --workload": 4,
    "pbem season announce --stagger": 0,
    "pbem selfplay --games": 100,
    "pbem selfplay --seed": "1",
    "pbem selfplay --bots": "random",
    "pbem serve --port": 8000,
    "pbem serve --host": "127.0.0.1",
    "pbem serve --mail-host": "127.0.0.1",
    "pbem setup --size": "small",
    "pbem setup --relay": "local",
    "pbem setup --server": "nginx",
    "pbem view save --order": control_room.USUAL,
    **MEANS_NOTHING,
}
"""What commands presume that isn't said, which scripts rely on."""


def test_what_a_command_presumes_stands_in_its_help() -> None:
    """Or in what it asks; and it is as it has always been."""
    options = [(name, option) for name, command in ALL.items() for option in command.params]
    found, told = dict[str, object](), set[str]()
    for name, option in options:
        if isinstance(option, click.Option) and not option.is_flag and option.default not in ("", ()):
            if isinstance(option.default, int | str):
                found[f"{name} {option.opts[-1]}"] = option.default
            if option.prompt or "default: " in (option.get_help_record(click.Context(ALL[name])) or ("", ""))[1]:
                told.add(f"{name} {option.opts[-1]}")

    assert found == PRESUMED
    assert found.keys() - told == MEANS_NOTHING.keys()


BOUNDS = {
    "pbem backup --keep": (1, None),
    "pbem club acts --limit": (1, None),
    "pbem club watch behind": (-1, 500),
    "pbem demo --port": (0, 65535),
    "pbem game migrate-rules --version": (1, None),
    "pbem mail failed --limit": (1, None),
    "pbem mail listen --port": (1, 65535),
    "pbem selfplay --games": (1, 1_000_000),
    "pbem serve --mail-port": (1, 65535),
    "pbem serve --port": (0, 65535),
}
"""The least and the most of each number that click bounds."""


def test_a_number_is_taken_to_its_bounds() -> None:
    """The least and the most are taken, and one beyond is not."""
    numbers = {
        f"{name} {one.opts[-1]}": one.type
        for name, command in ALL.items()
        for one in command.params
        if isinstance(one.type, click.IntRange)
    }

    assert {name: (kind.min, kind.max) for name, kind in numbers.items()} == BOUNDS
    assert {name for name, kind in numbers.items() if kind.min_open or kind.max_open or kind.clamp} == set()


def test_an_option_is_of_the_kind_its_command_takes() -> None:
    """A flag where it takes a yes or no, any number of them where it takes several, a number where it takes one."""
    kinds = {"bool": click.BOOL, "int": click.INT, "float": click.FLOAT, "Path": click.Path(), "TextIO": click.File()}
    told = 0
    for name, command in ALL.items():
        assert command.callback is not None
        wanted = inspect.signature(command.callback).parameters
        for one in command.params:
            takes = wanted[one.name].annotation if one.name in wanted else ""
            several = takes.startswith(("tuple", "dict"))
            told += bool(takes)
            assert (one.multiple or one.nargs == -1) is several, (name, one.name)
            if isinstance(one, click.Option) and (takes or not one.expose_value):
                assert one.is_flag is (takes in {"bool", ""}), (name, one.name)
            single = takes.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None")
            if single in kinds:
                assert isinstance(one.type, type(kinds[single])), (name, one.name)
    assert told > 100


def test_a_place_is_a_file_or_a_folder() -> None:
    """Never either: what is written to a file must not try a folder first."""
    places = {f"{name} {one.name}": one.type for name, command in ALL.items() for one in command.params}
    kinds = {name: (kind.file_okay, kind.dir_okay) for name, kind in places.items() if isinstance(kind, click.Path)}

    assert len(kinds) > 5
    assert {name for name, (file, folder) in kinds.items() if file == folder} == set()


def test_every_command_is_in_the_table() -> None:
    """No command is missing, and none that doesn't exist is there."""
    assert set(ALL) ^ set(COMMANDS) == set()


def test_what_stands_beside_a_command_exists() -> None:
    """Its page and its call are ones of the other table, or a reason is given."""
    calls = {call for row in ROWS.values() for call in CALL.findall(row)}
    for command, beside in COMMANDS.items():
        page, call = beside.split(" | ")
        assert set(PAGE.findall(page)) <= set(ROWS), command
        assert set(CALL.findall(call)) <= calls, command
        for part, found in ((page, PAGE.search(page)), (call, CALL.search(call))):
            assert found or re.match(r"none: .{9,}", part), command


def test_every_page_for_many_has_its_command() -> None:
    """A page of organisers or of the operator that no command does the same as is named with the reason."""
    pages = {page for page in ROWS if page.startswith(FOR_MANY)}
    done, without = set(PAGE.findall(" ".join(COMMANDS.values()))), set(PAGE.findall(REST))

    assert pages - done == without


def test_every_act_of_organisers_has_its_command() -> None:
    """A call beside such a page that changes something is a command's too, or is named with the reason."""

    def acts(text: str) -> set[tuple[str, str]]:
        return {(method, path) for method, path in CALL.findall(text) if method != "GET"}

    asked = acts(" ".join(row for page, row in ROWS.items() if page.startswith(FOR_MANY)))
    assert asked - acts(" ".join(COMMANDS.values())) == acts(REST)


FOR_PEOPLE = {
    "pbem serve": "runs until it is ended",
    "pbem demo": "runs until it is ended, or plays a game for a person to watch",
    "pbem mail listen": "runs until it is ended",
    "pbem check-game": "shows what pytest says",
}
"""Commands without `--json`, and why."""
ASK_FIRST = {
    *("pbem club announce", "pbem club close"),
    *("pbem club take-out", "pbem season start", "pbem season finish", "pbem season take-out"),
    *("pbem game act", "pbem game call-off", "pbem game migrate-rules"),
    *("pbem player address", "pbem player revoke", "pbem player erase", "pbem db downgrade"),
}
"""Commands whose act nothing takes back."""
LEFT_AS_IT_IS = {
    *(
        "pbem audit",
        "pbem doctor",
        "pbem link",
        "pbem replay",
        "pbem selfplay",
        "pbem setup",
        "pbem serve",
        "pbem demo",
    ),
    *("pbem club list", "pbem club members", "pbem club invitations", "pbem club acts", "pbem db current"),
    *("pbem club workload", "pbem club ranking", "pbem club results"),
    *("pbem webhook list", "pbem key list", "pbem view list"),
    *("pbem game list", "pbem game show", "pbem game export", "pbem player list", "pbem mail failed"),
    *("pbem season list", "pbem season show", "pbem mail listen", "pbem mail preview", "pbem mail test"),
    *("pbem new-game", "pbem check-game"),
}
"""Commands that change nothing of a club; they may write files of their own."""
TAKEN_BACK = {
    "pbem backup": "adds a file, and keeps as many as it is told",
    "pbem restore": "takes an empty database only",
    "pbem upgrade": "makes a backup first",
    "pbem db upgrade": "pbem db downgrade",
    "pbem db copy": "takes an empty database only",
    "pbem club new": "a club is closed in its settings",
    "pbem club invite": "pbem club remind --withdraw",
    "pbem club remind": "pbem club invite",
    "pbem club role": "pbem club role",
    "pbem club undo": "pbem game act",
    "pbem club settings": "pbem club settings",
    "pbem club watch": "pbem club watch",
    "pbem webhook add": "pbem webhook remove",
    "pbem webhook remove": "pbem webhook add, with another secret",
    "pbem webhook test": "one call, as when a game ends",
    "pbem webhook retry": "calls that should have been taken before",
    "pbem key revoke": "a key is made anew on the page of services",
    "pbem view save": "pbem view remove",
    "pbem view remove": "pbem view save",
    "pbem season announce": "pbem season finish",
    "pbem season enter": "pbem season take-out",
    "pbem game new": "pbem game call-off",
    "pbem game table": "pbem game call-off",
    "pbem game unstick": "a game that fails again is set aside again",
    "pbem game compact": "pbem game rebuild",
    "pbem game rebuild": "pbem game compact",
    "pbem mail receive": "one mail, as it comes every day",
    "pbem mail retry": "a letter that should have come before",
}
"""The others, and what takes their act back."""


def has(name: str, option: str) -> bool:
    """Whether a command has an option."""
    return option in {one.name for one in ALL[name].params}


def test_every_command_speaks_json() -> None:
    """Each command answers a program in JSON, but for those named with a reason."""
    assert {name for name in ALL if not has(name, "as_json")} == set(FOR_PEOPLE)


def test_every_command_asks_before_what_nothing_takes_back() -> None:
    """Each command is sorted by what it does; those whose act is final ask, and no others."""
    sorts = (ASK_FIRST, LEFT_AS_IT_IS, set(TAKEN_BACK))
    assert sorted(name for sort in sorts for name in sort) == sorted(ALL)
    assert {name for name in ALL if has(name, "yes")} == ASK_FIRST


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_and_their_words(shell: str) -> None:
    """What the manual has put into a shell's file asks pbem, which answers with commands, groups and options."""

    def asked(**typed: str) -> str:
        return CliRunner().invoke(main, [], prog_name="pbem", env=typed).output

    def completed(*words: str) -> str:
        at = words[-1] if shell == "fish" else str(len(words))
        return asked(_PBEM_COMPLETE=f"{shell}_complete", COMP_WORDS=" ".join(("pbem", *words)), COMP_CWORD=at)

    assert f"_PBEM_COMPLETE={shell}_complete" in asked(_PBEM_COMPLETE=f"{shell}_source")
    assert "season" in completed("sea")
    assert "take-out" in completed("club", "take")
    assert "--json" in completed("club", "list", "--js")


def test_every_default_is_one_that_could_be_given() -> None:
    """A command that is given no option could have been given what it takes then."""
    for words, command in ALL.items():
        for one in command.params:
            default = one.get_default(click.Context(command))
            if isinstance(one.type, click.Choice) and isinstance(default, str):
                assert default in one.type.choices, (words, one.name)


def test_every_default_is_told_in_the_help() -> None:
    """What an option stands for unless it is given, where that is more than nothing, and no question offers it."""
    options = [
        (words, one) for words, command in ALL.items() for one in command.params if isinstance(one, click.Option)
    ]
    told = {(words, one.name): one.show_default for words, one in options if _has_default(one) and not one.prompt}

    assert len(told) > 10
    assert {where for where, is_told in told.items() if not is_told} == set()


def _has_default(option: click.Option) -> bool:
    return not option.is_flag and isinstance(option.default, (str, int, Path)) and option.default not in {"", 0, -1}


def test_what_a_command_cannot_do_without_is_required() -> None:
    """Each option that is never given as nothing has a default, asks for itself, or is refused when it is missing."""
    missing = []
    for words, command in ALL.items():
        assert command.callback is not None
        kinds = inspect.signature(command.callback).parameters
        wanted = [one for one in command.params if one.name in kinds and "None" not in kinds[one.name].annotation]
        missing += [(words, one.name) for one in wanted if not _is_there(one)]
    assert missing == []


def _is_there(one: click.Parameter) -> bool:
    return (
        one.required or one.default is not None or one.multiple or bool(getattr(one, "prompt", "")) or one.nargs == -1
    )


def test_a_list_of_words_holds_one_at_least() -> None:
    """A command that takes any number of them isn't done for none, unless none means all, or what is usual."""
    lists = {
        f"{words} {one.name}": one.required
        for words, command in ALL.items()
        for one in command.params
        if one.nargs == -1 or one.multiple
    }
    narrows = {"pbem club announce to", "pbem mail preview games", "pbem mail preview languages"}
    options = {"pbem game new options", "pbem selfplay options"}

    assert len(lists) > len(narrows | options)
    assert {name for name, is_required in lists.items() if not is_required} == {"pbem audit games"} | narrows | options


CALLED = f"""
import sys
from pbem.cli import main
for words in {[("doctor",), ("club", "list"), ("mail", "failed"), ("backup", "--help")]}:
    try:
        sys.argv = ["pbem", *words]
        main()
    except SystemExit as end:
        if end.code not in {(None, 0, UNWELL)}:
            sys.exit(f"{{words}}: {{end.code}}")
"""
"""A program that lies elsewhere, as `pbem` does, and does what some commands do that load what others don't."""


def test_no_command_runs_what_lies_in_the_folder_it_is_called_in(settings: Config, tmp_path: Path) -> None:
    """Whoever may write there could else have it run theirs as an operator: `grp` is one of what libraries try."""
    folder, program = tmp_path / "anybodys", tmp_path / "bin" / "program"
    folder.mkdir()
    for name in ("grp", "pbem", "celery"):
        (folder / f"{name}.py").write_text("raise SystemExit(77)", encoding="ascii")
    program.parent.mkdir()
    program.write_text(CALLED, encoding="ascii")
    environ = {"PATH": os.environ["PATH"], "PBEM_HOME": str(settings.pbem_home)}
    command = (sys.executable, program)
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False, timeout=PATIENCE)

    assert done.returncode == 0, done.stderr
