"""Real mail servers for the tests: an SMTP sink, Postfix and Dovecot, each with its own settings."""

from __future__ import annotations

import email
import email.policy
import grp
import os
import pwd
import shutil
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from aiosmtpd.controller import Controller

from tests.servers import (
    LOOPBACK,
    PATIENCE,
    comes_up,
    free_port,
    greets,
    must_run,
    running,
    started,
    until,
    workshop,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage

    from aiosmtpd.smtp import SMTP, Envelope, Session


class Mail(NamedTuple):
    """One mail as it came over the wire."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes

    @property
    def parsed(self) -> EmailMessage:
        """The mail read by the standard library."""
        return email.message_from_bytes(self.raw, policy=email.policy.default)


class Sink:
    """An SMTP server that takes every mail and keeps it; `refusal` is its answer to DATA while it isn't empty."""

    def __init__(self) -> None:
        """Start with nothing kept and nothing refused."""
        self.host, self.port = LOOPBACK, 0
        self.mails: list[Mail] = []
        self.refusal = ""

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's hook
        """Keep one mail."""
        if self.refusal:
            return self.refusal
        content = envelope.content
        assert isinstance(content, bytes)
        self.mails.append(Mail(envelope.mail_from or "", tuple(envelope.rcpt_tos), content))
        return "250 kept"

    def to(self, address: str) -> list[Mail]:
        """The mails kept for `address`, oldest first."""
        return [mail for mail in self.mails if address in mail.recipients]

    def clear(self) -> None:
        """Forget every mail and refuse none."""
        self.mails.clear()
        self.refusal = ""

    def wait(self, count: int, seconds: float = PATIENCE) -> list[Mail]:
        """Come back with the mails once there are at least `count`."""
        until(lambda: len(self.mails) >= count, f"{count} mails in the sink, {len(self.mails)} at first", seconds)
        return self.mails


@contextmanager
def smtp_sink() -> Iterator[Sink]:
    """Start a sink on a free port."""
    sink = Sink()
    sink.port = free_port()
    controller = Controller(sink, hostname=LOOPBACK, port=sink.port, data_size_limit=64 << 20, ready_timeout=PATIENCE)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()


class Postfix(NamedTuple):
    """A Postfix that relays everything to a sink, but two domains to doors of ours and one into mailboxes."""

    port: int
    lmtp_port: int
    """Where mail to `lmtp_domain` is handed on by LMTP: start the door there."""
    smtp_port: int
    """The same by SMTP."""
    log: Path
    lmtp_domain: str = "lmtp.example"
    smtp_domain: str = "smtp.example"
    box_domain: str = "box.example"
    """Mail to anybody here is put into Dovecot's mailbox."""


_MAIN_CF = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = /tmp
mail_owner = postfix
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.example
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
disable_dns_lookups = yes
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_rate_limit = 0
relayhost = [127.0.0.1]:{sink}
transport_maps = inline:{{ lmtp.example=lmtp:inet:127.0.0.1:{lmtp}, smtp.example=smtp:[127.0.0.1]:{smtp} }}
virtual_mailbox_domains = box.example
virtual_mailbox_base = /
virtual_mailbox_maps = static:{box}/Maildir/
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
"""

_MASTER_CF = """
{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
virtual unix - n n - - virtual
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@contextmanager
def postfix(sink: Sink, box: Path) -> Iterator[Postfix]:
    """Start a Postfix (as root) that relays to `sink` and keeps box.example's mail in the mailbox folder `box`."""
    with ExitStack() as stack:
        yield started(lambda own: _postfix(own, sink, box), stack)


def _postfix(own: ExitStack, sink: Sink, box: Path) -> Postfix:
    account = box.stat()
    ports = {"port": free_port(), "lmtp": free_port(), "smtp": free_port(), "sink": sink.port}
    folder = own.enter_context(workshop())
    folder.chmod(0o755)
    for name in ("queue", "data", "conf"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    settings = {"folder": folder, "box": box, "uid": account.st_uid, "gid": account.st_gid, **ports}
    (folder / "conf/main.cf").write_text(_MAIN_CF.format(**settings))
    (folder / "conf/master.cf").write_text(_MASTER_CF.format(**settings))
    control, log = ("postfix", "-c", folder / "conf"), folder / "log"
    must_run(*control, "start", log=log)
    own.callback(must_run, *control, "stop", log=log)
    until(lambda: greets(ports["port"], b"Postfix"), "Postfix listens")
    return Postfix(ports["port"], ports["lmtp"], ports["smtp"], log)


class Dovecot(NamedTuple):
    """An IMAP server with one mailbox."""

    port: int
    user: str
    password: str
    box: Path
    """The mailbox's home: a Maildir stands in it."""


_DOVECOT_CONF = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
first_valid_uid = 1
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
passdb {{
  driver = static
  args = password=reader
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/box
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """Start Debian's Dovecot for one reader whose mailbox is a Maildir."""
    with ExitStack() as stack:
        yield started(_dovecot, stack)


def _dovecot(own: ExitStack) -> Dovecot:
    is_root = os.geteuid() == 0
    myself = pwd.getpwuid(os.geteuid())
    owner = pwd.getpwnam("mail") if is_root else myself
    folder = own.enter_context(workshop())
    folder.chmod(0o755)
    box = folder / "box"
    box.mkdir()
    os.chown(box, owner.pw_uid, owner.pw_gid)
    settings = {
        "folder": folder,
        "port": (port := free_port()),
        "uid": owner.pw_uid,
        "gid": owner.pw_gid,
        "internal": "dovecot" if is_root else myself.pw_name,
        "group": "dovecot" if is_root else grp.getgrgid(os.getegid()).gr_name,
        "login": "dovenull" if is_root else myself.pw_name,
    }
    (folder / "conf").write_text(_DOVECOT_CONF.format(**settings))
    process = own.enter_context(running("dovecot", "-F", "-c", folder / "conf", log=folder / "out"))
    comes_up(process, lambda: greets(port, b"Dovecot"), folder / "log")
    return Dovecot(port, "club", "reader", box)
