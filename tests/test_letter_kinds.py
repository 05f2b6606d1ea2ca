"""Every kind of letter, walked through all that the program asks about kinds: whoever adds one meets these tests."""

from __future__ import annotations

import itertools
from contextlib import nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import func, select

from pbem.capabilities.tokens import tokens
from pbem.engine.registry import title_of
from pbem.errors import NotSeated, WrongInput
from pbem.letter_kinds import KINDS, AnsweredBy, Facts, LetterKind, TrueWhile, stoppable
from pbem.letter_queue import LetterQueue
from pbem.letters import content, context, unsubscribe
from pbem.letters.delivery import mail_context
from pbem.letters.samples import samples
from pbem.letters.writer import compose_mail
from pbem.mail import families, render
from pbem.mail.address import BadAddress, LessonAddress, PlayerAddress, SeatAddress
from pbem.messages import LANGUAGES, Translator
from pbem.play.seats import preferences
from pbem.store.models import AddressChange, Game, GameState, Lane, Letter, Player, Seat
from tests.factories import START, ClubFactory, GameFactory, PlayerFactory, asked, seat_of

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Flask
    from sqlalchemy.orm import Session

    from pbem.config import Config

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
every_stoppable = pytest.mark.parametrize("kind", stoppable(), ids=[kind.name for kind in stoppable()])


@pytest.fixture
def seat(session: Session) -> Seat:
    """A seat of a person in a running game."""
    return seat_of(session, GameFactory(seed="kinds"), 1)


_numbers = itertools.count()


def queued(
    session: Session, now: datetime, kind: LetterKind, player: Player, *, by_clock: bool = False, **columns: Any
) -> Letter | None:
    """What a letter of this kind to `player` becomes in the outbox."""
    cause = f"walk:{next(_numbers)}"
    before = set(session.scalars(select(Letter.id)))
    post = LetterQueue(now, by_clock=by_clock)
    post.person(kind.name, player, cause, **columns)
    post.send(session)
    return session.scalars(select(Letter).where(Letter.id.not_in(before))).one_or_none()


CONTACT = "desk@nile.example"
ANSWERED_BY: dict[AnsweredBy, set[str]] = {
    AnsweredBy.CONTACT: {"announcement", "gazette", "season"},
    AnsweredBy.LESSON: {"lesson"},
    AnsweredBy.PROGRAM: {
        *("your_turn", "receipt", "refused", "help", "status", "phase_report", "reminder", "last_call", "covered"),
        *("replaced", "game_over", "digest", "invitation", "fresh_link", "login_code", "lesson_offer"),
        *("address_change", "account", "sitter", "absence", "organiser_alert", "stuck", "talk"),
    },
}
"""Who gets the answers to each kind; a new kind is to be thought about here."""


def test_an_answer_reaches_who_deals_with_it(app: Flask) -> None:
    """The program by an address it reads, or the club's contact; by strangers' letters nobody."""
    with app.app_context():
        house = mail_context(app.extensions["pbem.settings"], tokens())
    reads: dict[AnsweredBy, set[type]] = {
        AnsweredBy.LESSON: {LessonAddress},
        AnsweredBy.PROGRAM: {SeatAddress, PlayerAddress},
    }
    seen: dict[AnsweredBy, set[str]] = {}
    for _, sample in samples("priestsofra", "en", START):
        letter = msgspec.structs.replace(sample, contact=CONTACT)
        by = KINDS[letter.kind].answered_by
        seen.setdefault(by, set()).add(letter.kind)
        if by is AnsweredBy.CONTACT:
            assert house.reply_to(letter) == CONTACT
            letter = msgspec.structs.replace(letter, contact="")
        assert type(house.addresses.read(house.reply_to(letter))) in reads.get(by, {SeatAddress, PlayerAddress})
        stranger = msgspec.structs.replace(letter, to=msgspec.structs.replace(letter.to, confirmed=False))
        with pytest.raises(BadAddress):
            house.addresses.read(house.reply_to(stranger))

    assert seen == ANSWERED_BY


@pytest.mark.parametrize("kind", sorted(ANSWERED_BY[AnsweredBy.CONTACT]))
def test_a_letter_of_the_clubs_names_its_contact(session: Session, now: datetime, settings: Config, kind: str) -> None:
    """The one that the club has when the letter is sent."""
    club = ClubFactory()
    letter = queued(session, now, KINDS[kind], PlayerFactory(), club_id=club.id, title="X", paragraphs=[], tables=[])
    club.settings = {"contact": CONTACT}
    assert letter is not None
    data = context.context(session, now, letter)
    assert data is not None

    raw = compose_mail(data, mail_context(settings, tokens()), now).raw

    assert f"Reply-To: <{CONTACT}>".encode() in raw


def test_each_kind_has_its_three_templates_and_no_folder_is_left_over() -> None:
    """A new kind is one entry and its templates."""
    folder = render.folder() / "mail"
    found = {path.name for path in folder.iterdir() if path.is_dir()} - {"parts"}

    assert found == set(KINDS)
    for name in KINDS:
        assert {path.name for path in (folder / name).iterdir()} == {"subject.txt", "body.txt", "body.html"}, name


def test_whatever_an_entry_names_is_done() -> None:
    """Every condition, every source of facts and every family has its one function; every family has a kind."""
    assert set(context._TRUE) == set(TrueWhile)
    assert set(context._GATHER) == set(Facts)
    assert set(content._FAMILIES) == {kind.family for kind in KINDS.values()} == set(families.Content.__args__)


@every_kind
def test_its_label_is_said_in_each_language(kind: LetterKind) -> None:
    """People never see an identifier: "organiser_alert"."""
    said = [Translator(language)(kind.label) for language in LANGUAGES]

    assert all("_" not in words for words in said)
    assert len(set(said)) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_a_sample_in_each_language(language: str) -> None:
    """`pbem mail preview` shows every kind."""
    found = {data.kind for _, data in samples("priestsofra", language, START)}

    assert found == set(KINDS)


@every_kind
def test_the_outbox_treats_it_as_its_entry_says(session: Session, now: datetime, kind: LetterKind) -> None:
    """The lane, the sleeper's morning, an address that never answered, and a digest in place of single letters."""
    letter = queued(session, now, kind, PlayerFactory())
    assert letter is not None
    assert (letter.kind, letter.lane) == (kind.name, kind.lane)
    assert kind.is_answer == (letter.lane == Lane.ANSWER)

    moved = queued(session, now, kind, PlayerFactory(), by_clock=True)
    assert moved is not None
    assert moved.lane == (kind.lane if kind.is_answer else Lane.CLOCK)

    night, morning = now.replace(hour=2), now.replace(hour=8)
    for quiet, leaves in ((True, night if kind.is_answer else morning), (False, night)):
        asleep = queued(session, night, kind, PlayerFactory(quiet=quiet))
        assert asleep is not None
        assert asleep.next_try_at == leaves

    unknown = queued(session, now, kind, PlayerFactory(accepted_at=None, address_state="new"))
    assert (unknown is None) == kind.needs_acceptance

    once_a_day = queued(session, now, kind, PlayerFactory(digest_hour=19))
    assert once_a_day is not None
    assert once_a_day.kind == ("digest" if kind.digestible else kind.name)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.budget], ids=lambda kind: kind.name)
def test_what_is_over_its_budget_is_refused_or_left_out(session: Session, now: datetime, kind: LetterKind) -> None:
    """Of those put in together, too; another person's, and what is paid for by a code, aren't counted against it."""
    budget, (anna, bruno) = kind.budget, (PlayerFactory(), PlayerFactory())
    assert budget is not None

    def post(player: Player, count: int, *, paid: bool = False) -> int:
        before = session.scalars(select(func.count(Letter.id))).one()
        letters = LetterQueue(now)
        for _ in range(count):
            letters.person(kind.name, player, f"walk:{next(_numbers)}")
        letters.send(session, paid=paid)
        return session.scalars(select(func.count(Letter.id))).one() - before

    with pytest.raises(WrongInput) if budget.refuses else nullcontext() as refused:
        assert post(anna, budget.most + 1) == budget.most
    if refused is not None:
        (fault,) = refused.value.faults
        hours = budget.per.total_seconds() // 3600
        assert fault.params == {"limit": budget.most, "hours": hours, "kind": kind.label}
        assert post(anna, budget.most) == budget.most
    with pytest.raises(WrongInput) if budget.refuses else nullcontext():
        assert post(anna, 1) == 0
    assert post(anna, 1, paid=True) == 1
    assert post(bruno, budget.most) == budget.most


@pytest.mark.parametrize(
    "kind", [one for one in KINDS.values() if one.facts is not Facts.INVITATION], ids=lambda kind: kind.name
)
def test_a_letter_about_a_game_tells_which(session: Session, now: datetime, kind: LetterKind) -> None:
    """By the game as its reader sees it, before it has begun by its name; one about no game tells of none."""
    game = GameFactory(seed="told")
    seat = asked(session, game)[0].seat
    player = session.get_one(Player, seat_of(session, game, seat).player_id)
    game.state = GameState.STUCK if kind.true_while is TrueWhile.STUCK else game.state
    if "change" in kind.sample:
        wish = {"id": kind.sample["change"], "address": "anna@new.example", "epoch": player.epoch}
        session.add(AddressChange(player_id=player.id, asked_at=now, expires_at=now, **wish))
        session.flush()
    facts: dict[str, Any] = {
        name: now + value if isinstance(value, timedelta) else value for name, value in kind.sample.items()
    }
    facts = {
        name: value for name, value in facts.items() if name not in {"game", "title"} or kind.family is families.Report
    }
    about = queued(session, now, kind, player, game_id=game.id, ply=game.ply, seat=seat, **facts)
    alone = queued(session, now, kind, player, **facts)
    assert about is not None
    assert alone is not None
    found, other = context.context(session, now, about), context.context(session, now, alone)
    assert found is not None

    if kind.family is families.Digest:
        assert [item.title for item in found.data["items"]] == [game.title]
    assert found.situation is not None
    assert found.situation.game.id == game.id
    assert "game" not in found.data
    assert other is None or (other.situation is None and "game" not in other.data)

    game.ply = -1
    forming = queued(session, now, kind, player, game_id=game.id, **facts)
    assert forming is not None
    early = context.context(session, now, forming)
    named = kind.true_while in {TrueWhile.FOREVER, TrueWhile.LASTS} and kind.facts not in {Facts.QUEUE, Facts.ORDER}
    if named:
        assert early is not None
        assert early.situation is None
        assert (early.data["game"], early.data["title"]) == (title_of(game.game), game.title)


@every_stoppable
def test_it_is_stopped_everywhere_and_comes_back(session: Session, now: datetime, kind: LetterKind) -> None:
    """By the link of a letter about no game; saving the settings as they are doesn't bring it back."""
    player: Player = PlayerFactory()
    text = unsubscribe.token(tokens(), player.id, player.epoch, None, kind.name)

    assert unsubscribe.stop(session, now, tokens(), text).label == kind.label
    preferences.change_settings(session, player.id, preferences.read_settings(session, player.id))
    assert preferences.read_settings(session, player.id).kinds_off == (kind.name,)
    assert queued(session, now, kind, player) is None

    unsubscribe.resume(session, tokens(), text)
    assert queued(session, now, kind, player) is not None


@every_stoppable
def test_it_is_stopped_for_one_game_and_comes_back(
    session: Session, now: datetime, seat: Seat, kind: LetterKind
) -> None:
    """By the link of a letter about a game: no new one, none that waits already; the settings name it and undo it."""
    player, game = session.get_one(Player, seat.player_id), session.get_one(Game, seat.game_id)
    waits = queued(session, now, kind, player, game_id=game.id, ply=game.ply, seat=seat.seat)
    assert waits is not None
    unsubscribe.stop(session, now, tokens(), unsubscribe.token(tokens(), player.id, player.epoch, seat.id, kind.name))

    post = LetterQueue(now)
    post.seat(kind.name, game, seat, player)
    assert post.rows == []
    assert context.context(session, now, waits) is None
    (stopped,) = unsubscribe.stopped_in_games(session, player.id)
    assert (stopped.kind, stopped.game, stopped.label) == (kind.name, game.title, kind.label)
    assert unsubscribe.stopped_in_games(session, 0) == ()
    unsubscribe.resume_in_games(session, game.organiser_id or 0, {(seat.id, kind.name)})
    assert seat.kinds_off == [kind.name]  # the seat of somebody else

    unsubscribe.resume_in_games(session, player.id, {(seat.id, kind.name)})
    post.seat(kind.name, game, seat, player)
    assert len(post.rows) == 1
    post.send(session)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if not kind.stoppable], ids=lambda kind: kind.name)
def test_what_must_arrive_arrives(session: Session, now: datetime, seat: Seat, kind: LetterKind) -> None:
    """No token stops it, the settings refuse it, and if it is stored as stopped all the same it is sent."""
    player = session.get_one(Player, seat.player_id)
    for at in (seat.id, None):
        with pytest.raises(NotSeated):
            unsubscribe.stop(
                session, now, tokens(), unsubscribe.token(tokens(), player.id, player.epoch, at, kind.name)
            )
    player.kinds_off = seat.kinds_off = [kind.name]

    assert list(preferences.faults_of(preferences.settings_of(player)))
    assert queued(session, now, kind, player) is not None


def test_a_digest_tells_no_more_of_a_game_that_is_over(session: Session, now: datetime, seat: Seat) -> None:
    """The game stands in it while it runs; over, there is nothing left to tell, and the letter is dropped."""
    player = session.get_one(Player, seat.player_id)
    letter = queued(session, now, KINDS["digest"], player)
    assert letter is not None
    running = context.context(session, now, letter)
    assert running is not None
    assert [item.seat_id for item in running.data["items"]] == [seat.id]

    session.get_one(Game, seat.game_id).state = GameState.FINISHED
    session.flush()
    assert context.context(session, now, letter) is None
