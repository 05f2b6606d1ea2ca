"""Every fault by its name, with the rounds of the full version and of the short one inside `./test`."""

from __future__ import annotations

from benchmarks.faults import broker, clocks, disk, inbound, mailing, orders, races, records, statements, workers
from benchmarks.faults.fault import Fault

FAULTS = {
    fault.name: fault
    for fault in (
        Fault("F1", workers.killed_workers, 100, 1),
        Fault("F2", statements.every_statement, 20, batch=5),
        Fault("F3", workers.unheard_commits, 100, 2, batch=50),
        Fault("F4", mailing.killed_senders, 100, 1),
        Fault("F5", mailing.lost_answers, 20, 1),
        Fault("F6", mailing.bad_relay, 2, 1, batch=2),
        Fault("F7", broker.killed, 200, 5, batch=200),
        Fault("F8", broker.emptied_and_full, 20, 1),
        Fault("F9", broker.restarted, 5, 1, batch=5),
        Fault("F10", broker.frozen, 10, 1),
        Fault("F11", workers.fivefold_tasks, 100, batch=50),
        Fault("F12", workers.zombies, 20, 1, batch=10),
        Fault("F13", workers.beats, 5, 1),
        Fault("F14", workers.poison, 3, 1, batch=3),
        Fault("F15", orders.last_moment, 500, batch=50),
        Fault("F16", orders.double_clicks, 50, 2, batch=50),
        Fault("F17", orders.killed_pages, 100, 3, batch=50),
        Fault("F18", records.bad_database, 10, 1, batch=5),
        Fault("F18b", disk.full_disk, 3, 1, batch=3),
        Fault("F19", clocks.clocks, 5, 1, batch=5),
        Fault("F20", inbound.mail_in, 5, 1, batch=5),
        Fault("F21", races.version_raised, 50, 1, batch=5),
        Fault("F22", races.two_drains, 50, 1, batch=5),
        Fault("F23", races.drain_killed, 50, 1, batch=5),
        Fault("F24", races.lease_ends, 20, 1, batch=5),
        Fault("F25", races.acknowledgements_lost, 10, 1, batch=5),
        Fault("F20z", inbound.everything, 10, 1, batch=5),
    )
}
