"""DKIM signatures (RFC 6376) over everything that matters, the one-click headers of RFC 8058 among it."""

from __future__ import annotations

from pathlib import Path

import dkim

_SIGNED = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references"),
    *(b"auto-submitted", b"list-id", b"list-unsubscribe", b"list-unsubscribe-post", b"mime-version", b"content-type"),
)


class Signer:
    """Signs for one domain with one key; Ed25519 where the key file says so in its name (`.ed25519`)."""

    def __init__(self, key_file: str, selector: str, domain: str) -> None:
        """Read the private key: PEM for RSA, base64 for Ed25519. Raises OSError if it can't be read."""
        path = Path(key_file)
        self._key = path.read_bytes()
        self._algorithm = b"ed25519-sha256" if path.suffix == ".ed25519" else b"rsa-sha256"
        self._selector = selector.encode()
        self._domain = domain.encode()

    def sign(self, raw: bytes) -> bytes:
        """The mail with its signature on top."""
        present = {
            line.split(b":", 1)[0].lower() for line in raw.split(b"\r\n\r\n", 1)[0].split(b"\r\n") if b":" in line
        }
        signature: bytes = dkim.sign(
            raw,
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            signature_algorithm=self._algorithm,
            include_headers=[name for name in _SIGNED if name in present],
        )
        return signature + raw
