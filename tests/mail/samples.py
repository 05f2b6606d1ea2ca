"""The sample mails of this folder, and what is played in them: an order that may be read, and one that may not."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.text.notation import fold

GOOD, BAD = "bid 6 on memphis", "bid 10 on abydos"
"""The order a player wrote, and the one that only stands in quotes, signatures, banners and automatic mails."""
FOLDER = Path(__file__).with_name("eml")


def raw(name: str, to: str = "token") -> bytes:
    """One sample as it came over the wire, its recipient's token being `to`."""
    return (FOLDER / f"{name}.eml").read_bytes().replace(b"TOKEN", to.encode())


def wanted(line: str) -> bool:
    """A grammar of bids and building."""
    return fold(line).startswith("bid ") or (fold(line).startswith("farmers ") and not fold(line).endswith(","))
