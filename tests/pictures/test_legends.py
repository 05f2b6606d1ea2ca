"""The text board of a letter explains its own signs."""

from __future__ import annotations

import importlib
import re

import pytest

from pbem.engine.core.rng import Rng
from pbem.engine.registry import GAMES, rules_of
from pbem.messages import LANGUAGES, Translator
from pbem.pictures.blocks import columns

SIGNS = re.compile(r"[^\w\s.,;:'\u2019\"+-]|^ *\d* *(?:-|o)(?= )|(?<=\[)[-.](?=[ \]])", re.MULTILINE)
"""What is no word, no number, no sum and no stop."""
CLOSES = {")": "(", "]": "[", "}": "{"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_each_sign_of_a_text_board_is_explained_before_it_comes(game: str, language: str) -> None:
    """Over a game played at random: whatever else than words and numbers stands in a line stands in the legend."""
    rules, board = rules_of(game), importlib.import_module(f"pbem.pictures.{game}.text")
    say, chance = Translator(language, names=("Anna", "Bo", "Carl"), game=game), Rng("legend", 0)
    state, seen = rules.setup(3, {}, chance).state, set[str]()
    for ply in range(1, 120):
        view = rules.view(state, 0)
        lines = board.text(view, say).splitlines()
        told = [say(line) for line in board.legend(view)]
        flat = " ".join(" ".join(lines).split())
        assert all(" ".join(line.split()) in flat for line in told)
        rest = "\n".join(lines)
        for line in told:
            words = r"\s+".join(map(re.escape, line.split()))
            rest, gone = re.subn(words, "", rest)
            assert gone == 1
        used = {CLOSES.get(sign, sign) for sign in (found.strip(" 0123456789") for found in SIGNS.findall(rest))}
        explained = " ".join(told)
        assert {sign for sign in used if sign not in explained} == set(), rest
        seen |= used
        asked = rules.awaited(state)
        if not asked:
            break
        orders = {seat: rules.sample(state, seat, chance) for seat in asked}
        state = rules.resolve(state, orders, Rng("legend", ply)).state

    assert ">" in seen
    assert len(seen) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_each_part_of_a_board_is_heard_by_a_name_of_its_own(game: str, language: str) -> None:
    """Who hears a page goes from part to part: all were called as the whole board, the players' purses too."""
    rules, drawn = rules_of(game), importlib.import_module(f"pbem.pictures.{game}.svg")
    people = ("Anna", "Bo", "Carl")
    state = rules.setup(3, {}, Rng("parts", 0)).state
    sheet = drawn.sheet(rules.view(state, 0), Translator(language, names=people, game=game))
    svgs = [part.svg for column in columns(sheet) for part in column.parts]
    names = [re.findall(r'<title id="[^"]+-title">([^<]+)</title>', svg) for svg in svgs]

    assert [len(found) for found in names] == [1] * len(sheet.blocks)
    assert len({found[0] for found in names}) == len(names) > len(people)
    assert {found[0] for found in names} >= set(people)
