"""What the operator sees to: who may, what is listed, what each deed does and whom it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.capabilities.tokens import tokens
from pbem.clubs import operation
from pbem.clubs.operation import AT_THE_MACHINE, Operator
from pbem.errors import NotSeated, WrongInput
from pbem.store.models import Audit, Club, GameState, Hook, HookCall, Letter, Member, Player
from tests.factories import ClubFactory, GameFactory, PlayerFactory, hours, letters

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from tests.clubs.conftest import Circle


def test_the_operator_is_who_reads_the_operators_mail(session: Session, circle: Circle) -> None:
    """By their newest link, however the setting is written; nobody where it names nobody, or an erased person."""
    alice, bob = circle.alice, circle.others[0]
    address, held = f" {str(alice.address).upper()} ", {alice.id: alice.epoch, bob.id: bob.epoch}

    assert operation.operator(session, held, address) == Operator(alice.id)
    assert operation.may_be(session, held, address)
    wrong: list[tuple[dict[int, int], str]] = [
        ({alice.id: alice.epoch + 1}, address),
        ({bob.id: bob.epoch}, address),
        ({}, address),
        (held, ""),
        (held, "other@nile.example"),
    ]
    for who, where in wrong:
        assert not operation.may_be(session, who, where)
        with pytest.raises(NotSeated):
            operation.operator(session, who, where)
    alice.address = None
    session.flush()
    assert not operation.may_be(session, held, "")


def failed_letter(session: Session, now: datetime, player: Player, state: str = "failed") -> int:
    """The number of a letter that was given up, or has another state."""
    row = Letter(cause=f"{state} {player.id} {now}", kind="fresh_link", player_id=player.id, data={}, message_id="a")
    row.state, row.last_error, row.attempts, row.next_try_at = state, "550 no such mailbox", 7, now
    row.created_at = now
    session.add(row)
    session.flush()
    return row.id


def test_letters_that_failed_are_listed_and_tried_again(session: Session, now: datetime, circle: Circle) -> None:
    """The newest first; only failed ones, and only those named, from the first attempt on."""
    bob, gone = circle.others[:2]
    first, second = failed_letter(session, now, bob), failed_letter(session, now + hours(1), gone)
    sent = failed_letter(session, now, bob, "sent")
    gone.address = None
    session.commit()

    listed = operation.failed_letters(session, AT_THE_MACHINE)
    assert [(one.id, one.name, one.address, one.kind, one.last_error) for one in listed] == [
        (second, gone.name, "", "fresh_link", "550 no such mailbox"),
        (first, bob.name, bob.address, "fresh_link", "550 no such mailbox"),
    ]
    assert [one.id for one in operation.failed_letters(session, AT_THE_MACHINE, limit=1)] == [second]
    assert operation.retry_letters(session, now + hours(5), Operator(circle.alice.id), [first, sent, 10**6]) == {first}
    session.expire_all()
    rows = {number: session.get_one(Letter, number) for number in (first, second, sent)}
    assert {number: (row.state, row.attempts, row.next_try_at) for number, row in rows.items()} == {
        first: ("pending", 0, now + hours(5)),
        second: ("failed", 7, now + hours(1)),
        sent: ("sent", 7, now),
    }
    entry = session.execute(select(Audit)).scalar_one()
    assert (entry.act, entry.player_id, entry.details, entry.public) == (
        "operator-retry-letters",
        circle.alice.id,
        {"letters": [first]},
        False,
    )


def test_webhooks_that_failed_are_listed_by_host_alone(session: Session, now: datetime, circle: Circle) -> None:
    """With why the newest was given up; none that works or has ended; tried again one at a time."""
    other: Club = ClubFactory.create(name="Other")
    made = {"secret": "s", "created_at": now, "kind": "raw"}
    plans = {
        "bad": (circle.club.id, None),
        "worse": (other.id, None),
        "over": (other.id, now),
        "good": (other.id, None),
    }
    hooks = {
        name: Hook(club_id=club, url=f"https://{name}.example/secret", ended_at=ended, **made)
        for name, (club, ended) in plans.items()
    }
    session.add_all(hooks.values())
    session.flush()
    states = [("bad", "failed"), ("worse", "failed"), ("worse", "failed"), ("worse", "sent"), ("over", "failed")]
    for number, (name, state) in enumerate([*states, ("good", "sent")]):
        call = HookCall(hook_id=hooks[name].id, cause=f"c{number}", body={}, state=state, next_try_at=now)
        call.created_at, call.fault = now, {"code": "refused", "status": 410 + number}
        session.add(call)
    session.commit()

    listed = operation.failed_hooks(session, AT_THE_MACHINE)
    assert [(one.id, one.club, one.host, str(one.fault)) for one in listed] == [
        (hooks["bad"].id, circle.club.name, "bad.example", "it answered 410"),
        (hooks["worse"].id, "Other", "worse.example", "it answered 412"),
    ]
    operation.retry_hook(session, now, AT_THE_MACHINE, hooks["worse"].id)
    session.expire_all()
    calls = session.execute(select(HookCall.state).order_by(HookCall.id)).scalars().all()
    assert calls == ["failed", "pending", "pending", "sent", "failed", "sent"]
    entry = session.execute(select(Audit)).scalar_one()
    assert (entry.act, entry.player_id, entry.details) == ("operator-retry-webhook", None, {"hook": hooks["worse"].id})


def test_people_are_found_by_a_piece_of_name_or_address(session: Session, now: datetime, circle: Circle) -> None:
    """As it is written, signs of databases too; of one club its members; with their games that are not over."""
    alice, bob, carl = circle.everybody[:3]
    odd = PlayerFactory.create(name="100 % sure_thing", address="odd@else.example", language="fr", zone="Europe/Paris")
    over = GameFactory.create(people=[bob, carl], bots=())
    over.state = GameState.FINISHED
    GameFactory.create(people=[bob, carl], bots=())
    GameFactory.create(people=[bob, alice], bots=())
    session.execute(select(Member).where(Member.player_id == carl.id)).scalar_one().left_at = now
    erased = PlayerFactory.create(address=None, name="Aaron")
    session.commit()

    def found(text: str = "", club_id: int | None = None, limit: int | None = None) -> list[int]:
        rows = operation.people(session, AT_THE_MACHINE, text=text, club_id=club_id, limit=limit)
        return [one.id for one in rows]

    assert found() == [p.id for p in sorted([*circle.everybody, odd], key=lambda p: (p.name, p.id))]
    assert found("%") == found("_") == found("SURE") == found("else.") == [odd.id]
    assert found("nobody") == found("Aaron") == []
    assert carl.id not in found(club_id=circle.club.id)
    assert len(found(club_id=circle.club.id)) == 7
    assert found(limit=1) == [odd.id]
    (seen,) = operation.people(session, AT_THE_MACHINE, text="odd@")
    assert (seen.name, seen.address, seen.language, seen.zone, seen.games, seen.address_state) == (
        *("100 % sure_thing", "odd@else.example", "fr", "Europe/Paris", 0, "good"),
    )
    assert {one.id: one.games for one in operation.people(session, AT_THE_MACHINE) if one.games} == {
        bob.id: 2,
        carl.id: 1,
        alice.id: 1,
    }
    assert erased.id not in found()


@pytest.mark.parametrize("who", ["another", "oneself", "machine"])
def test_whoever_is_helped_is_told_unless_it_is_themselves(
    session: Session, now: datetime, circle: Circle, who: str
) -> None:
    """One letter of one sentence for each deed, all of them entered; a command's operator tells people himself."""
    alice, bob = circle.alice, circle.others[0]
    by = {"another": Operator(alice.id), "oneself": Operator(bob.id), "machine": AT_THE_MACHINE}[who]
    token = operation.link(session, now, by, tokens(), bob.id)
    assert token
    operation.mend_address(session, now, by, bob.id, "bob@new.example")
    operation.revoke(session, now, by, bob.id)
    session.expire_all()

    said = [one.data["said"][0]["text"] for one in letters(session, "account") if "operator" in one.cause]
    expected = [
        "The server's operator was shown the link to your page.",
        "The server's operator has changed your mail address.",
        "The server's operator has voided your links.",
    ]
    assert said == (expected if who == "another" else [])
    entries = session.execute(select(Audit.act, Audit.player_id, Audit.details).order_by(Audit.id)).all()
    mine = [tuple(row) for row in entries if row.act.startswith("operator-")]
    assert mine == [(f"operator-{act}", by.player_id, {"player": bob.id}) for act in ("link", "address", "revoke")]
    assert (bob.address, bob.address_state, bob.epoch) == ("bob@new.example", "good", 2)


def test_nobody_is_helped_who_is_not_there(session: Session, now: datetime, circle: Circle) -> None:
    """An unknown number or an erased person; whoever is erased is gone, and nobody else is."""
    bob, carl = circle.others[:2]
    operation.erase(session, now, AT_THE_MACHINE, bob.id)
    session.expire_all()
    assert (bob.address, carl.address is None) == (None, False)
    entry = session.execute(select(Audit).where(Audit.act == "operator-erase")).scalar_one()
    assert entry.details == {"player": bob.id}
    for number in (bob.id, 10**6):
        for deed in (
            lambda: operation.link(session, now, AT_THE_MACHINE, tokens(), number),  # noqa: B023 - called at once
            lambda: operation.mend_address(session, now, AT_THE_MACHINE, number, "a@b.example"),  # noqa: B023 - as above
            lambda: operation.revoke(session, now, AT_THE_MACHINE, number),  # noqa: B023 - as above
            lambda: operation.erase(session, now, AT_THE_MACHINE, number),  # noqa: B023 - as above
        ):
            with pytest.raises(WrongInput, match="nobody with this number any more"):
                deed()
