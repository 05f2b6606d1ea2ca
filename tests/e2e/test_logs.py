"""What the door for mail says, from its first line to its last: lines of JSON that name nobody.

The other processes' lines are looked at where they play.
"""

from __future__ import annotations

from contextlib import suppress
from smtplib import SMTP, SMTPException
from typing import TYPE_CHECKING

from tests.e2e.stack import other_than_json, pbem
from tests.servers import PATIENCE, free_port

if TYPE_CHECKING:
    from pbem.config import Config

ADDRESS = "somebody@elsewhere.example"


def test_the_door_for_mail_logs_as_all_do_and_names_nobody(settings: Config) -> None:
    """A person's mail to an address that nobody has, and one that is broken off, leave neither address in the log."""
    port = free_port()
    with pbem(settings.pbem_home, "mail", "listen", "--port", str(port)) as (run, line):
        assert line == f"Listening for SMTP at 127.0.0.1, port {port}."
        with SMTP("127.0.0.1", port, timeout=PATIENCE) as door, suppress(SMTPException):
            door.sendmail(ADDRESS, ["play.nobody@nile.example"], f"From: {ADDRESS}\r\n\r\nhelp\r\n")
        run.terminate()
        said = run.communicate(timeout=PATIENCE)[1]

    assert [f'"{one}"' in said for one in ("listening for mail", "no longer listening for mail")] == [True, True]
    assert other_than_json(said) == []
    assert ADDRESS not in said
    assert "nobody@nile" not in said
