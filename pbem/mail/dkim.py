"""DKIM signatures (RFC 6376) over everything that matters, the one-click headers of RFC 8058 among it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import dkim
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from dkim.canonicalization import Relaxed

SIGNED = (
    *("from", "sender", "to", "cc", "subject", "date", "message-id", "reply-to", "in-reply-to", "references"),
    *("auto-submitted", "feedback-id", "list-id", "list-unsubscribe", "list-unsubscribe-post", "mime-version"),
    *("content-type", "content-transfer-encoding"),
)
"""Each is named once more than it stands in the letter (RFC 6376, 8.15): one added on the way breaks the signature."""


class Signer:
    """Signs for one domain with one key; Ed25519 where the key file says so in its name (`.ed25519`)."""

    def __init__(self, key_file: str, selector: str, domain: str) -> None:
        """Read the private key: PEM for RSA, base64 for Ed25519. Raises OSError or ValueError if it can't be read."""
        path = Path(key_file)
        self._domain, self._selector = domain.encode(), selector.encode()
        self._algorithm, self._sign = (
            _ed25519(path.read_bytes()) if path.suffix == ".ed25519" else _rsa(path.read_bytes())
        )

    def sign(self, raw: bytes) -> bytes:
        """Return the mail with its signature on top.

        The body is signed as it is (RFC 6376, 3.4.3): what compose writes, quoted-printable and base64 in short lines,
        passes unchanged, and passing over each space of it would cost as much as writing the letter.
        """
        head, _, body = raw.partition(b"\r\n\r\n")
        headers, _ = dkim.rfc822_parse(head + b"\r\n\r\n")
        signed, names = _oversigned(headers)
        digest = base64.b64encode(hashlib.sha256(body.rstrip(b"\r\n") + b"\r\n").digest())
        value = (
            b" v=1; a=%s; c=relaxed/simple; d=%s; s=%s;\r\n h=%s;\r\n bh=%s;\r\n b="
            % (self._algorithm, self._domain, self._selector, b":\r\n  ".join(names), digest)
        )  # fmt: skip
        text = b"".join(
            b"%s:%s" % header for header in Relaxed.canonicalize_headers([*signed, (b"DKIM-Signature", value)])
        )
        signature = base64.b64encode(self._sign(text.rstrip()))
        lines = b"\r\n  ".join(signature[at : at + 72] for at in range(0, len(signature), 72))
        return b"DKIM-Signature:" + value + lines + b"\r\n" + raw


def _oversigned(headers: list[tuple[bytes, bytes]]) -> tuple[list[tuple[bytes, bytes]], list[bytes]]:
    """The headers that are signed, the lowest of a name first (RFC 6376, 5.4.2), and the names the signature lists."""
    found: list[tuple[bytes, bytes]] = []
    names: list[bytes] = []
    for name in map(str.encode, SIGNED):
        present = [header for header in reversed(headers) if header[0].lower() == name]
        found += present
        names += [name] * (len(present) + 1)
    return found, names


def _rsa(pem: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:
    try:
        key = load_pem_private_key(pem, password=None)
    except (TypeError, UnsupportedAlgorithm) as fault:
        raise ValueError("The DKIM key is locked by a password, or of an unknown kind.") from fault
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError("The DKIM key is no RSA key: name a file of an Ed25519 key so that it ends in .ed25519.")  # noqa: TRY004 - what is wrong is the file
    return b"rsa-sha256", lambda text: key.sign(text, padding.PKCS1v15(), hashes.SHA256())


def _ed25519(text: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:
    """RFC 8463: the hash is signed, not the text."""
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(text))
    return b"ed25519-sha256", lambda text: key.sign(hashlib.sha256(text).digest())
