"""Posting to other people's servers without being led into our own network: https only, public addresses, pinned."""

from __future__ import annotations

import hashlib
import hmac
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import msgspec

from pbem.engine.types import N_, Said
from pbem.errors import WrongInput

if TYPE_CHECKING:
    from collections.abc import Callable

TIMEOUT = 5.0
"""Seconds each step of a call may take: a slow receiver holds up nobody else for longer."""
MAX_URL = 1000
HTTPS = 443


class HookFailed(Exception):
    """The call was not taken; `permanent` says whether trying again could help. The message holds no address."""

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


def checked_url(url: str) -> str:
    """The address of a hook as it may be stored. Raises WrongInput with one sentence naming what is wrong."""
    parts = urlsplit(url.strip())
    if len(url) > MAX_URL:
        raise WrongInput(Said(N_("A webhook's address has at most {limit} characters."), {"limit": MAX_URL}))
    if parts.scheme != "https" or not parts.hostname:
        raise WrongInput(Said(N_("A webhook's address begins with https:// and names a server.")))
    if parts.username or parts.password:
        raise WrongInput(Said(N_("A webhook's address can't hold a user name or password.")))
    return url.strip()


def resolve(host: str, port: int) -> list[str]:
    """Every address the name service gives for `host`; empty if there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return sorted({str(entry[4][0]) for entry in found})


def public_address(host: str, port: int, lookup: Callable[[str, int], list[str]] = resolve) -> str:
    """One address of `host` to connect to; refused unless every one it has is public (fail closed)."""
    addresses = lookup(host, port)
    if not addresses:
        raise HookFailed("its name leads to no server", permanent=False)
    for address in addresses:
        found = ip_address(address.partition("%")[0])
        inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None) or found
        if not (found.is_global and inner.is_global) or found.is_multicast:
            raise HookFailed("its name leads to an address that is not public", permanent=True)
    return addresses[0]


def body_for(kind: str, text: str, data: dict[str, Any]) -> bytes:
    """What is posted: one line of text for a chat, everything for a program."""
    shapes: dict[str, dict[str, Any]] = {
        "discord": {"content": text[:2000], "allowed_mentions": {"parse": []}},
        "slack": {"text": text[:3000].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")},
    }
    return msgspec.json.encode(shapes.get(kind, {"text": text, **data}))


def signature(secret: str, body: bytes) -> str:
    """What proves to the receiver that a body is ours: HMAC-SHA256 in hexadecimal."""
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
    parts = urlsplit(checked_url(url))
    host, port = parts.hostname or "", parts.port or HTTPS
    address = public_address(host, port, lookup)
    netloc = f"[{address}]" if ":" in address else address
    target = parts._replace(netloc=f"{netloc}:{port}", fragment="").geturl()
    headers = {
        "Host": host if port == HTTPS else f"{host}:{port}",
        "Content-Type": "application/json",
        "X-Pbem-Signature": signature(secret, body),
    }
    try:
        with httpx.Client(timeout=TIMEOUT, follow_redirects=False, transport=transport, trust_env=False) as client:
            answer = client.post(target, content=body, headers=headers, extensions={"sni_hostname": host})
    except httpx.HTTPError as error:
        raise HookFailed(f"the call failed ({type(error).__name__})", permanent=False) from None
    if not answer.is_success:
        gone = answer.status_code in {httpx.codes.NOT_FOUND, httpx.codes.GONE, httpx.codes.UNAUTHORIZED}
        raise HookFailed(f"it answered {answer.status_code}", permanent=gone)
