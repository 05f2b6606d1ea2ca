"""Orders in the midst of other words are found, so that they can be asked back; talk holds none."""

from __future__ import annotations

import pytest

from pbem.engine.registry import rules_of
from pbem.engine.text.mentions import mentioned


@pytest.mark.parametrize(
    ("game", "kind", "text", "meant"),
    [
        ("amunre", "bid", "I would like to bid 6 for Memphis", ("bid 6 for memphis",)),
        ("amunre", "bid", "bid 6 on Memphis or rather 8 on Abu", ("bid 6 on memphis", "8 on abu")),
        ("amunre", "bid", "make it 8", ("8",)),
        ("egizia", "ship", "I would like to send a ship to the Sphinx please", ("send a ship to the sphinx",)),
        ("egizia", "ship", "sorry, I meant Edfu", ("edfu",)),
        ("priestsofra", "turn", "Please call Ra, thank you", ("call ra",)),
        ("priestsofra", "turn", "Vorrei pescare una tessera", ("pescare una tessera",)),
        ("priestsofra", "turn", "=> ra", ("ra",)),
        ("priestsofra", "bid", "OK then, pass", ("pass",)),
        ("priestsofra", "bid", "no wait, make it 9 please, or I pass", ("pass", "9")),
        ("priestsofra", "bid", "bid 9 and then we will see", ("bid 9",)),
        ("priestsofra", "bid", "bid lowest up to 13, good luck all", ("bid lowest up to 13",)),
    ],
)
def test_an_order_in_other_words_is_found(game: str, kind: str, text: str, meant: tuple[str, ...]) -> None:
    """With as many words as belong to it; a short answer only where it stands by itself or corrects."""
    assert mentioned(rules_of(game), (kind,), text, str) == meant


@pytest.mark.parametrize(("game", "kind"), [("amunre", "bid"), ("egizia", "ship"), ("priestsofra", "turn")])
@pytest.mark.parametrize(
    "text",
    [
        *("Thanks!", "Anna", "See you next week", "well played", "", "See you at 8", "x " * 500, "My offer of a beer"),
        *("Nothing new here.", "No hurry.", "I have 3 children and 2 dogs.", "Sorry for the delay, I was ill"),
    ],
)
def test_talk_holds_no_order(game: str, kind: str, text: str) -> None:
    """Thanks and gossip are nothing to ask about."""
    assert mentioned(rules_of(game), (kind,), text, str) == ()
