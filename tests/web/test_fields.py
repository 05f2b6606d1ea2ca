"""What pages offer to choose from, apart from any page."""

from __future__ import annotations

from zoneinfo import available_timezones

from pbem.web import fields


def test_every_zone_that_people_live_in_can_be_chosen() -> None:
    """By the part of the world, each once; no name kept for old programs alone."""
    found = fields.zones.__wrapped__()
    names = [name for _, part in found for name in part]

    assert all(name.startswith(f"{part}/") for part, there in found[:-1] for name in there)
    assert {"Europe/Rome", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "UTC"} <= set(names)
    assert len(names) == len(set(names))
    assert {name for name in available_timezones() - set(names) if name.startswith(("Europe/", "Asia/"))} == set()
    assert not {"US/Eastern", "Etc/UTC", "EST", "GB"} & set(names)
