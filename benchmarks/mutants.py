"""Random mutants of one room, run against that room's tests: how many are noticed.

    python -m benchmarks.mutants play --n 25 --seed 1

The operators are the usual ones: comparisons and boolean operators turned round, numbers off by one, conditions and
returned values replaced, statements dropped. Written here in a few lines because the libraries looked at (mutmut,
cosmic-ray) run one fixed command for all mutants or rewrite the package they test, while ours must run the tests of a
room with real servers. Leaves with 1 below the bar of 85 %.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.mutation import HOME, TESTS, Mutant, Source, mutated, named, nodes, options, program, report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.mutation import Edit

BAR = 0.85
EQUIVALENT: dict[str, tuple[str, str]] = {
    "pbem.engine.egizia.monuments:_faults:constant:3": ("site.lay(row - 1, 0)", "as below"),
    "pbem.engine.egizia.monuments:_faults:constant:4": (
        "site.lay(rows + STACKS.index(name), 0)",
        "a stack is filled from below, whichever space is named",
    ),
    "pbem.engine.egizia.phases:can_act:return:2": (
        "return False",
        "asked only whether it is so, and None is no more so than False",
    ),
    "pbem.clubs.seasons.standings:_tally:constant:3": (
        "result.players, table_points(result.places), result.places, result.scores, strict=True",
        "a strict zip of lists that are always as long",
    ),
    "pbem.web.errors:_unknown:statement:1": (
        "db.session.rollback()",
        "what is rolled back there is at the latest when the request ends",
    ),
    "pbem.web.organiser.game_admin:act:constant:1": (
        'return pages.go("organiser.game", slug=slug, coded=1, _anchor="look")',
        "asked only whether it is there",
    ),
    "pbem.web.pages:address:compare:4": (
        'is_common = rule.arguments <= {"game"}',
        "which addresses are remembered changes none of them",
    ),
    "pbem.play.turns.resolution:Run._own:constant:2": (
        "two = list(islice(self.rules.legal(self.state, seat), 2))",
        "the second legal order shows a choice",
    ),
    "pbem.inbound.seat_mail:work:statement:3": (
        "at.session.flush()",
        "whoever works a mail commits at once, which flushes first",
    ),
    "pbem.letters.context:_seat:boolean:1": (
        "if letter.game_id is None or letter.seat is None:",
        "a row without a seat's number holds no seat, as the statement finds, too",
    ),
    "pbem.mail.reply:_attribution:return:1": (
        "return False",
        "asked only whether it is so, and None is no more so than False",
    ),
    "pbem.inbound.line_kinds:wanted:return:3": ("return False", "as above"),
    "pbem.store.outages:Outages.met:return:3": ("return False", "as above"),
    "pbem.store.queries.game_pages:_rings:constant:2": (
        'keys = {"seats": list(seats) or [0], "players": list(players) or [0]}',
        "without a key to it, person 1 is nobody as well as person 0",
    ),
    "pbem.jobs.embedded:Embedded.__init__:statement:1": (
        "celery.set_default()",
        "the app's Celery is the default since it was made",
    ),
    "pbem.jobs.embedded:Embedded.__init__:constant:2": (
        'pool="threads", concurrency=HANDS, without_gossip=True, without_mingle=True, without_heartbeat=True',
        "in one process there is no other worker to ask at the start",
    ),
    "pbem.cli.demo.correspondent:_one:constant:2": (
        "if attempt > _STUBBORN and chance.below(3) == 0:",
        "a chance a little smaller that a field is left alone",
    ),
    "pbem.jobs.embedded:Embedded.__init__:constant:4": (
        "self._beat: Any = Service(celery, max_interval=1, scheduler_cls=SteadyScheduler)",
        "a second more or less until the sweeps' clock ends",
    ),
    "pbem.app:_flask_settings:constant:1": (
        '"MAX_CONTENT_LENGTH": 2_000_000,',
        "the limit is told in megabytes: a byte more is none",
    ),
    "pbem.app:_engine_options:constant:1": ('"query_cache_size": 2000,', "one statement more is remembered"),
    "pbem.app:_engine_options:constant:3": ('"pool_size": 10,', "one connection more is kept open"),
    "pbem.study.sandbox:play:constant:1": ("@lru_cache(maxsize=256)", "one position more is remembered"),
    "pbem.study.lookback:_moments:constant:5": (
        "changes = [0 if None in {old, new} else new - old for old, new in zip(before, after, strict=True)]",
        "a strict zip of lists that are always as long",
    ),
    "pbem.bots.amunre:harvest:constant:6": (
        "stones = {p: n for p, n in zip(own, counts, strict=True) if n}",
        "a strict zip of lists that are always as long",
    ),
    "pbem.app:_engine_options:constant:4": ('"max_overflow": 20,', "one connection more for a rush"),
    "pbem.app:_engine_options:constant:6": (
        '"pool_use_lifo": True,',
        "which of the open connections is taken next, nobody sees",
    ),
    "pbem.app:_reading:constant:1": (
        'only_look = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True, "connect_args": arguments}',
        "a rollback of nothing more",
    ),
    "pbem.app:_mail_settings:constant:1": ('"MAIL_TIMEOUT": 45,', "a second more or less for a slow relay"),
    "pbem.store.statements:Statement._run:constant:1": (
        "text, handed = listen(connection, cursor, text, handed, None, False)",
        "no listener of ours looks at it",
    ),
    "pbem.jobs.tasks:_set_aside_unknown:constant:1": (
        "app.extensions[_LOOKED] = True",
        "asked only whether it is there",
    ),
    "pbem.jobs.tasks:_delivery_worker:constant:1": (
        "_own.carrier = delivery.delivery_worker(secrets.token_hex(8), settings(), tokens(), mail.get_connection())",
        "a longer name tells it from the others as well",
    ),
    "pbem.cli.mail:failed:constant:1": (
        '@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)',
        "a line more of a list that says how long it may be",
    ),
    "pbem.logs:configure:constant:2": (
        "cache_logger_on_first_use=True,",
        "a logger made once or each time says the same",
    ),
    "pbem.bots.search:Rollouts.best:constant:4": (
        "for value, gains in zip(values[1:], ahead.values(), strict=True):",
        "a strict zip of lists that are always as long",
    ),
    "pbem.bots.series:series:constant:1": ("cpu_s=round(cpu, 3),", "a figure of a thousandth second more"),
    "pbem.cli.output:document:constant:1": (
        "click.echo(msgspec.json.format(msgspec.json.encode(held), indent=2).decode())",
        "how far its lines are set in, no program sees",
    ),
    "pbem.cli.serve:listening_socket:constant:1": (
        "door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)",
        "any number but 0 turns it on",
    ),
    "pbem.cli.game:act:constant:5": (
        '@click.option("--seat", type=int, default=-1, metavar="NUMBER", help="For replace and fresh.")',
        "no seat has the number -2, as none has -1",
    ),
    "pbem.cli.serve:listening_socket:constant:2": (
        "door.listen(128)",
        "one connection more that waits for a rush to pass",
    ),
    "pbem.cli.demo.autoplay:until_delivered:constant:2": (
        "box.mails.get(timeout=1)",
        "a second more between two looks",
    ),
    "pbem.extensions:_prepare_sqlite:statement:3": (
        'cursor.execute("PRAGMA synchronous = FULL")',
        "SQLite's own default, said in case one is built otherwise",
    ),
    "pbem.extensions:_prepare_sqlite:statement:5": (
        "cursor.close()",
        "a cursor that nobody holds is closed all the same",
    ),
    "pbem.web.seat.authorize:authorize_person:constant:1": (
        'opened = links.enter_player(db.session(), player_id, browser_keys.held("players").get(player_id, -1))',
        "nobody's count is -2, as nobody's is -1",
    ),
    "pbem.capabilities.links:person_of:constant:2": (
        "player_id, epoch, more = 0, -1, []",
        "nobody's count is -2, as nobody's is -1",
    ),
    "pbem.clubs.operation:may_be:return:2": (
        "return False",
        "asked only whether it is so, and None is no more so than False",
    ),
    "pbem.letters.unsubscribe:resume:statement:1": (
        "session.flush()",
        "whoever resumes commits at once, which flushes first",
    ),
    "pbem.play.admin.club_box:keep:constant:1": (
        'rules.setup(rules.meta.seats[0], {box.OPTION: text}, Rng("box", 0))',
        "numbers that set up one table set up any",
    ),
    "pbem.play.admin.club_box:keep:constant:2": (
        'rules.setup(rules.meta.seats[0], {box.OPTION: text}, Rng("box", 0))',
        "whatever is drawn, what is printed can be set up or can't",
    ),
    "pbem.play.seats.opening:check:constant:1": (
        'rules.setup(len(plan.seats), plan.options, Rng("check", 0))',
        "as above",
    ),
    "pbem.play.turns.resolution:Run.__init__:constant:1": (
        "self.holds = False",
        "who carries a game on sets it before the run goes",
    ),
    "pbem.clubs.seasons.season_acts:carry_out:constant:1": (
        "session: Session, now: datetime, season: Season, act: str, by: int, player_id: int = 0",
        "who drops out is named, the other acts ask for nobody",
    ),
    "pbem.cli.season:_step:constant:1": (
        "def _step(season: Season, act: str, player_id: int = 0) -> None:",
        "as above",
    ),
    "pbem.web.api.seasons:_step:constant:1": (
        "def _step(season: Season, act: str, player_id: int = 0) -> Any:",
        "as above",
    ),
    "pbem.web.fields:whole:constant:1": (
        "number = int(text) if len(text) <= len(str(MOST)) + 1 else MOST + 1",
        "a number above the largest is none, by however much",
    ),
    "pbem.smtpd:keeper:return:3": ("return False", "asked only whether it is so, and None is no more so than False"),
    "pbem.store.queries.common:is_any:constant:1": (
        "return session.execute(select(literal(1)).where(*conditions).limit(1)).first() is not None",
        "asked only whether a row comes, not what stands in it",
    ),
    "pbem.store.queries.common:is_any:constant:2": (
        "return session.execute(select(literal(1)).where(*conditions).limit(1)).first() is not None",
        "as above, and one row more of those that there are",
    ),
    "pbem.store.transfer:is_empty:constant:1": (
        "return not any(connection.execute(table.select().limit(1)).first() for table in tables(connection))",
        "as above",
    ),
    "pbem.store.queries.game_pages:_rings:constant:1": (
        'keys = {"seats": list(seats) or [0], "players": list(players) or [0]}',
        "without a key to it, seat 1 is nobody's as well as seat 0",
    ),
    "pbem.study.guides:_words:constant:1": (
        "@functools.lru_cache(maxsize=64)",
        "one game's words in one language more are remembered",
    ),
    "pbem.capabilities.acts:require_proof_of_owner:constant:1": (
        "require_proof(session, act, session.scalar(select(Seat.player_id).where(Seat.id == seat_id)) or 0)",
        "whoever asks at a seat that nobody has is refused",
    ),
    "pbem.clubs.integrations.webhooks:try_out:statement:2": (
        "session.flush()",
        "whoever tries one commits at once, which flushes first",
    ),
    "pbem.letters.sections:draw:constant:1": ("@functools.lru_cache(maxsize=256)", "one picture more is remembered"),
    "pbem.mail.compose:_words:constant:2": (
        "@functools.lru_cache(maxsize=1024)",
        "one header's words more are remembered",
    ),
    "pbem.mail.compose:_picture_part:constant:1": (
        "@functools.lru_cache(maxsize=64)",
        "one picture more is remembered",
    ),
    "pbem.messages:_day:constant:1": ("@functools.lru_cache(maxsize=1024)", "one day more is remembered"),
    "pbem.kit.contract.plugin:pytest_configure:constant:1": (
        "gc.set_threshold(20_000, 10, 20)",
        "how seldom garbage is looked for, to the allocation",
    ),
    "pbem.kit.contract.plugin:pytest_configure:constant:2": ("gc.set_threshold(20_000, 10, 20)", "as above"),
    "pbem.kit.contract.plugin:pytest_configure:constant:3": ("gc.set_threshold(20_000, 10, 20)", "as above"),
    "pbem.clubs.club_views:_line:constant:1": (
        "placed = zip(names, outcome.places, strict=True) if outcome else ()",
        "a strict zip of lists that are always as long",
    ),
    "pbem.clubs.ratings.rating_sweep:_rate_pool:constant:1": (
        "for player, new, place in zip(players, rated(before, places), places, strict=True):",
        "a strict zip of lists that are always as long",
    ),
    "pbem.clubs.integrations.webhooks:_news:constant:1": (
        "_call(now, hook, game.id, line) for game, line in zip(games, club_views.lines_of(session, games), strict=True)",  # noqa: E501 - as it stands there
        "a strict zip of lists that are always as long",
    ),
    "pbem.clubs.seasons.rounds:_in_places:constant:1": (
        "places = dict(zip(table.players, table.result.places, strict=True)) if table.result else {}",
        "a strict zip of lists that are always as long",
    ),
    "pbem.clubs.seasons.season_tables:_stand_ins:constant:1": (
        "for seat, (drawn, (holder, bot, name)) in enumerate(zip(players, seated, strict=True))",
        "a strict zip of lists that are always as long",
    ),
    "pbem.letters.sections:_row:constant:6": (
        "steady = all((price or 0) * last == number * most for number, price in zip(numbers, prices, strict=True))",
        "a strict zip of lists that are always as long",
    ),
    "pbem.letters.sections:_row:constant:9": (
        'text = label(say("{first} to {last}", first=numbers[0], last=last) if is_range else _numbers(numbers))',
        "a strict zip of lists that are always as long",
    ),
    "pbem.engine.egizia.orders:Also.clauses:constant:1": (
        'return [f"{word} {thing}" for word, found in zip(CLAUSES.values(), things, strict=True) for thing in found]',
        "a strict zip of lists that are always as long",
    ),
    "pbem.clubs.games.actions:_replace:boolean:3": (
        "people = members.members(session, game.club_id) if not bot and game.club_id else ()",
        "no club has no members, and for a bot nobody looks at them",
    ),
}
"""Mutants that nobody could tell from the program, each with its line there, and why: drawn, they are left out."""
_TURNED = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.GtE: "<",
    ast.Gt: "<=",
    ast.LtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


def mutants(room: str) -> list[Mutant]:
    """Every mutant of the room that the operators make."""
    return [mutant for path in program(room) for mutant in of_module(path)]


def of_module(path: Path) -> list[Mutant]:
    """Every mutant of one module, named from the project's folder on."""
    return named(path, _of(Source(path)))


def _of(source: Source) -> Iterator[tuple[str, str, Edit]]:
    for symbol, function in source.symbols():
        for node in nodes(function):
            if (changed := _changed(node)) is not None and isinstance(node, ast.expr | ast.stmt):
                yield changed[0], symbol, source.replaced(symbol, function, node, changed[1])


def _changed(node: ast.AST) -> tuple[str, str] | None:  # noqa: PLR0911 - one line for each kind of node
    """The kind of the mutation and the text in the node's place; None for a node left as it is."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return "compare", f"(({ast.unparse(left)}) {_TURNED[type(op)]} ({ast.unparse(right)}))"
        case ast.BoolOp(op=op, values=values):
            word = " or " if isinstance(op, ast.And) else " and "
            return "boolean", f"({word.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.Constant(value=bool(value)):
            return "constant", str(not value)
        case ast.Constant(value=int(value)):
            return "constant", str(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return "not", f"bool({ast.unparse(operand)})"
        case ast.Expr(value=ast.Call()):
            return "statement", "pass"
        case ast.Return(value=ast.expr()):
            return "return", "return None"
        case _:
            return None


def _changes(mutant: Mutant) -> bool:
    """Whether it says anything else: `return None` stands as it stood."""
    raw = (HOME / mutant.path).read_bytes()
    return mutated(raw, mutant.edit) != raw


def main() -> int:
    """Run some mutants of a room."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=sorted(TESTS))
    parser.add_argument("--n", type=int, default=25, help="how many, at random")
    parser.add_argument("--seed", type=int, default=1)
    options(parser)
    wanted = parser.parse_args()
    found = mutants(wanted.room)
    drawn = random.Random(wanted.seed).sample(found, min(wanted.n, len(found)))
    some = [mutant for mutant in drawn if mutant.name not in EQUIVALENT and _changes(mutant)]
    survived = report(some, wanted.kept, wanted.seconds)
    share = 1 - len(survived) / max(1, len(some))
    print(f"{wanted.room}: {len(some) - len(survived)} of {len(some)} noticed, {share:.0%} (bar {BAR:.0%})")
    return 0 if share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
