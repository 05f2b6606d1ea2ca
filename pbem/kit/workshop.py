"""What `pbem new-game` and `pbem check-game` write: a running game to start from; tables, records and catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Template

from pbem.bots.players import bot_of
from pbem.bots.selfplay import SelfplayTable, record
from pbem.engine.core import records
from pbem.engine.core.types import AnyRules
from pbem.engine.text import tables
from pbem.kit import catalogue
from pbem.messages import LANGUAGES
from pbem.messages import catalogue as common

FILES = ("pyproject.toml", "game.py", "RULES.md", "it.po", "fr.po")
"""The files of the game to start from, each beside this module with `.txt`."""
TRIES = 100
"""Games played among bots in search of one that ends in a way of which there is no record."""
_SECTIONS = (
    ("## Orders", tables.ORDERS_HEAD, tables.orders),
    ("## Facts for standing orders", tables.FACTS_HEAD, tables.facts),
)


def new_game(name: str, into: Path) -> Path:
    """Write the game called `name` into a new folder of that name; gives the folder.

    Raises ValueError for a name that is none, FileExistsError for a folder that is there.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]{2,29}", name):
        raise ValueError(f"{name!r} is no name for a game: write 3 to 30 small letters and figures, a letter first")
    home = into / name
    package = home / name
    package.mkdir(parents=True)
    holes = {"name": name, "title": name.capitalize(), "prefix": name[:2].upper()}
    for file in FILES:
        text = (files("pbem.kit") / "skeleton" / f"{file}.txt").read_text("utf-8")
        place = home if file == "pyproject.toml" else package
        target = place / ("__init__.py" if file == "game.py" else file)
        target.write_text(Template(text).safe_substitute(holes), "utf-8")
    return home


def write_tables(rules: AnyRules, folder: Path) -> None:
    """Bring the tables of RULES.md up to what the code says; a table that is missing comes at the end."""
    path = folder / "RULES.md"
    text = path.read_text("utf-8") if path.exists() else f"# {rules.meta.title}\n"
    for title, head, table in _SECTIONS:
        found = re.search(re.escape(head) + r"(?:\|.*\n?)*", text)
        if found:
            text = text[: found.start()] + table(rules) + text[found.end() :]
        else:
            text = f"{text.rstrip()}\n\n{title}\n\n{table(rules)}"
    path.write_text(text, "utf-8")


def write_records(rules: AnyRules, folder: Path) -> Iterator[str]:
    """Keep a game among bots for each number of seats and each ending that has none; gives what can't be found."""
    home = folder / "records"
    home.mkdir(exist_ok=True)
    kept = [records.parse(path.read_text("utf-8")) for path in sorted(home.glob("*.txt")) if path.name != "SOURCE.txt"]
    kept = [one for one in kept if one.version == rules.meta.version]
    seats = {one.seats for one in kept}
    endings = {one.result.ending for one in kept if one.result}
    number = 0
    while number < TRIES and (set(rules.meta.seats) - seats or set(rules.meta.endings) - endings):
        size = next(iter(sorted(set(rules.meta.seats) - seats)), rules.meta.seats[number % len(rules.meta.seats)])
        bot = bot_of(rules.meta.name, "random")
        played, made = record(SelfplayTable(rules, (bot,) * size), f"record-{number}")
        if size not in seats or played.outcome.ending not in endings:
            (home / f"{size}-{played.outcome.ending}-{number}.txt").write_text(records.write(made), "utf-8")
            seats.add(size)
            endings.add(played.outcome.ending)
        number += 1
    source = home / "SOURCE.txt"
    if not source.exists():
        source.write_text("Games among random bots, written by `pbem check-game`.\n", "utf-8")
    yield from sorted(set(rules.meta.endings) - endings)


def write_words(rules: AnyRules, folder: Path) -> dict[str, list[str]]:
    """Bring the catalogues up to the sentences of the code; by language what is still to be translated."""
    found = catalogue.of_game(rules, folder)
    return {
        language: catalogue.renew(folder / f"{language}.po", language, found, common(language))
        for language in LANGUAGES[1:]
    }
