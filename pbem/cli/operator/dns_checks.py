"""What `pbem doctor --dns` looks at: the names, the mail's papers and the certificate, as the world sees them."""

from __future__ import annotations

import socket
import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import dns.exception
import dns.resolver
import dns.reversename

from pbem import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.config import Config

SECONDS = 5.0
"""How long a name server or the web server may take to answer."""
EXPIRES = timedelta(days=14)
"""A certificate that ends sooner isn't renewed by itself."""


class NameServer:
    """The records a name server gives, as text."""

    def __init__(self, server: str | None) -> None:
        """Ask the system's name servers, or the one at `host:port`."""
        self._resolver = dns.resolver.Resolver(configure=server is None)
        self._resolver.lifetime = SECONDS
        if server is not None:
            host, _, port = server.rpartition(":")
            self._resolver.nameservers, self._resolver.port = [host], int(port)

    def __call__(self, name: str, kind: str) -> list[str]:
        """Every record of a kind; none where there is none or nobody answers."""
        try:
            answer = self._resolver.resolve(name, kind)
        except (dns.exception.DNSException, OSError):
            return []
        if kind == "TXT":
            return [b"".join(record.strings).decode("ascii", "replace") for record in answer]
        return [record.to_text().rstrip(".") for record in answer]


def pages(config: Config, names: NameServer) -> Iterator[str]:
    """The pages' host has an address."""
    host = urlsplit(config.base_url).hostname or ""
    if not names(host, "A") + names(host, "AAAA"):
        yield f"{host} has no address: add an A record with this machine's"


def mail_in(config: Config, names: NameServer) -> Iterator[str]:
    """Answers find their way here."""
    found = [record.split()[-1] for record in names(config.mail_domain, "MX")]
    if not found:
        yield f"{config.mail_domain} has no MX record: answers to letters find no way here"
    for host in found:
        if not names(host, "A") + names(host, "AAAA"):
            yield f"The MX of {config.mail_domain} is {host}, which has no address"


def policy(config: Config, names: NameServer) -> Iterator[str]:
    """SPF and DMARC say who may send in our name."""
    domain = config.mail_domain
    spf = [text for text in names(domain, "TXT") if text.startswith("v=spf1")]
    if len(spf) != 1:
        yield f'{domain} has not one SPF record but {len(spf)}: add TXT "v=spf1 ip4:ADDRESS -all" (the relay)'
    if not any(text.startswith("v=DMARC1") for text in names(f"_dmarc.{domain}", "TXT")):
        yield f'_dmarc.{domain} has no record: add TXT "v=DMARC1; p=quarantine"'


def signature(config: Config, names: NameServer) -> Iterator[str]:
    """The published key is the one that signs."""
    if not config.dkim_key:
        yield "DKIM_KEY is not set: large providers file unsigned letters as spam; 'pbem setup' makes a key"
        return
    name = f"{config.dkim_selector}._domainkey.{config.mail_domain}"
    texts = names(name, "TXT")
    if not texts:
        yield f"{name} has no record: publish the key's public part there"
    elif public_part(Path(config.dkim_key)) not in "".join(texts).replace(" ", ""):
        yield f"{name} publishes another key than DKIM_KEY signs with: letters fail the check of every receiver"


def public_part(key: Path) -> str:
    """The public part of a private key in PEM form, as a DKIM record has it."""
    said = subprocess.run(  # noqa: S603 - our own settings
        ("openssl", "pkey", "-in", key, "-pubout"),  # noqa: S607 - Debian's own
        check=True,
        capture_output=True,
        text=True,
    )
    return "".join(line for line in said.stdout.splitlines() if not line.startswith("-----"))


def reverse(config: Config, names: NameServer) -> Iterator[str]:
    """The address the mail leaves from names a host that leads back to it, where the letters leave from here."""
    if config.smtp_url and (urlsplit(config.smtp_url).hostname or "") not in {"localhost", "127.0.0.1", "::1"}:
        return  # somebody else's relay has papers of its own
    for address in names(config.mail_domain, "A"):
        back = names(dns.reversename.from_address(address).to_text(), "PTR")
        if not any(address in names(host, "A") for host in back):
            yield f"The reverse entry of {address} names no host that leads back to it: the machine's provider sets it"


def certificate(config: Config, _names: NameServer) -> Iterator[str]:
    """The pages answer by TLS with a certificate that holds for a while."""
    url = urlsplit(config.base_url)
    if url.scheme != "https":
        yield f"BASE_URL is {config.base_url}: personal links travel readable; put the pages behind https"
        return
    try:
        with (
            socket.create_connection((url.hostname or "", url.port or 443), SECONDS) as line,
            ssl.create_default_context().wrap_socket(line, server_hostname=url.hostname) as secure,
        ):
            ends = (secure.getpeercert() or {})["notAfter"]
    except OSError as fault:
        yield f"{config.base_url} can't be opened by TLS ({fault}): see the web server's log and its certificate"
        return
    end = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(ends)), UTC)
    if end - clock.now() < EXPIRES:
        yield f"The certificate of {url.hostname} ends on {end:%Y-%m-%d}: its renewal does not work"


CHECKS: dict[str, Callable[[Config, NameServer], Iterator[str]]] = {
    "pages": pages,
    "mail in": mail_in,
    "SPF, DMARC": policy,
    "DKIM": signature,
    "reverse": reverse,
    "TLS": certificate,
}


def examine(config: Config, server: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """Run every check; gives its name and what it found."""
    names = NameServer(server)
    for name, check in CHECKS.items():
        yield name, list(check(config, names))
