"""Posting to other people's servers without being led into our own network: https only, public addresses, pinned."""

from __future__ import annotations

import hashlib
import hmac
import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.engine.core.message import N_, Message, sentence
from pbem.errors import WrongInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx

TIMEOUT = 5.0
"""Seconds each step of a call may take: a slow receiver holds up nobody else for longer."""
MAX_URL = 1000
HTTPS = 443


FAULTS: Mapping[str, str] = {
    "no-server": N_("its name leads to no server"),
    "not-public": N_("its name leads to an address that is not public"),
    "no-address": N_("its address can't be called"),
    "no-answer": N_("the call failed ({reason})"),
    "refused": N_("it answered {status}"),
    "other": "{words}",
}
"""Why a call was not taken, by the code it is stored under; `other`: a sentence of an earlier program."""


class HookFailed(Exception):
    """The call was not taken: for a reason of `FAULTS`, with what fills it, and no address among that.

    `permanent` says whether trying again could help.
    """

    def __init__(self, code: str, *, permanent: bool, **values: int | str) -> None:
        super().__init__(FAULTS[code].format(**values))
        self.stored = {"code": code, **values}
        self.permanent = permanent


def fault_of(stored: Mapping[str, Any]) -> Message | None:
    """Return the sentence that a failed call's row stands for; None for the row of one that was taken."""
    values = dict(stored)
    return Message(FAULTS[values.pop("code")], values) if values else None


def checked_url(url: str) -> str:
    """Return the address of a hook as it may be stored. Raises WrongInput with one sentence naming what is wrong."""
    return str(_parsed(url))


def _parsed(text: str) -> httpx.URL:
    """Return the parts of a hook's address, its host in plain letters (RFC 5891). Raises WrongInput."""
    import httpx  # noqa: PLC0415 - 4 MB in every process, for hooks alone

    if len(text) > MAX_URL:
        raise WrongInput("A webhook's address has at most {limit} characters.", limit=MAX_URL)
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):
        raise WrongInput(_NO_ADDRESS) from None
    port = HTTPS if url.port is None else url.port
    if url.scheme != "https" or not _HOST.fullmatch(url.raw_host.decode()) or not 0 < port <= _LAST_PORT:
        raise WrongInput(_NO_ADDRESS)
    if url.userinfo:
        raise WrongInput("A webhook's address can't hold a user name or password.")
    return url


_NO_ADDRESS = sentence("A webhook's address begins with https:// and names a server.")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?|[0-9a-f]*:[0-9a-f:.]*")
"""A name of labels of at most 63 characters, or a number."""
_LAST_PORT = 65535


def resolve(host: str, port: int) -> list[str]:
    """Return every address the name service gives for `host`; empty if there is none, or if it is no name at all."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return sorted({str(entry[4][0]) for entry in found})


def public_address(host: str, port: int, lookup: Callable[[str, int], list[str]] = resolve) -> str:
    """One address of `host` to connect to; refused unless every one it has is public (fail closed)."""
    addresses = lookup(host, port)
    if not addresses:
        raise HookFailed("no-server", permanent=False)
    for address in addresses:
        if not _is_public(ip_address(address.partition("%")[0])):
            raise HookFailed("not-public", permanent=True)
    return addresses[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the public network, and none that only wraps another one."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if address.ipv4_mapped is not None:
        return _is_public(address.ipv4_mapped)
    tunnelled = address.sixtofour
    return address in _UNICAST and address.is_global and (tunnelled is None or _is_public(tunnelled))


_UNICAST = IPv6Network("2000::/3")
"""What is given out of IPv6 (RFC 4291 2.4): not the ranges that stand for an IPv4 address behind some gateway."""


def body_for(kind: str, text: str, data: dict[str, Any]) -> bytes:
    """Return what is posted: one line of text for a chat, everything for a program."""
    shapes: dict[str, dict[str, Any]] = {
        "discord": {"content": _MARKDOWN.sub(r"\\\g<0>", text)[:2000], "allowed_mentions": {"parse": []}},
        "slack": {"text": text[:3000].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")},
    }
    return msgspec.json.encode(shapes.get(kind, {"text": text, **data}))


_MARKDOWN = re.compile(r"[\\\[\]()<>*_~`|#]")
"""What Discord makes links and mentions of: a name is only text."""


def signature(secret: str, body: bytes) -> str:
    """Return what proves to the receiver that a body is ours: HMAC-SHA256 in hexadecimal."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def post(
    url: str,
    body: bytes,
    secret: str,
    *,
    lookup: Callable[[str, int], list[str]] = resolve,
    transport: httpx.BaseTransport | None = None,
) -> None:
    """Post `body` to a hook over https, to the very address that was checked; raises HookFailed.

    The connection goes to the checked address while certificate and Host are those of the name, so a name that
    changes its address between check and call gains nothing. Redirects are not followed.
    """
    import httpx  # noqa: PLC0415 - as above

    try:
        named = _parsed(url)
    except WrongInput:  # kept before addresses were checked as they are now
        raise HookFailed("no-address", permanent=True) from None
    host, port = named.raw_host.decode(), named.port or HTTPS
    target = named.copy_with(host=public_address(host, port, lookup), port=port, fragment=None)
    headers = {
        "Host": host if port == HTTPS else f"{host}:{port}",
        "Content-Type": "application/json",
        "X-Pbem-Signature": signature(secret, body),
    }
    try:
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False, transport=transport, trust_env=False) as client,
            # what it answers is never read: it could go on for ever
            client.stream("POST", target, content=body, headers=headers, extensions={"sni_hostname": host}) as answer,
        ):
            status = answer.status_code
    except httpx.HTTPError as error:
        raise HookFailed("no-answer", permanent=False, reason=type(error).__name__) from None
    if not httpx.codes.is_success(status):
        gone = status in {httpx.codes.NOT_FOUND, httpx.codes.GONE, httpx.codes.UNAUTHORIZED}
        raise HookFailed("refused", permanent=gone, status=status)
