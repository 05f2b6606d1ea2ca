from __future__ import annotations

import base64
import hashlib
import subprocess
from typing import TYPE_CHECKING

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.mail.compose import compose
from pbem.mail.dkim import SIGNED, Signer
from tests.mail.test_compose import ENVELOPE, LETTER

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh RSA-2048 key."""
    path = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run(("openssl", "genrsa", "-traditional", "-out", path, "2048"), check=True, capture_output=True)
    return path


def record(key: Path) -> bytes:
    """What stands in the DNS for the key."""
    command = ("openssl", "rsa", "-in", key, "-pubout", "-outform", "DER")
    public = subprocess.run(command, check=True, capture_output=True).stdout
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def test_a_signed_letter_verifies_and_a_changed_one_does_not(key: Path) -> None:
    """Receivers find the signature right, until anything in the letter is changed."""
    signed = Signer(str(key), "pbem", "play.example.org").sign(compose(LETTER, ENVELOPE))

    def found(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"pbem._domainkey.play.example.org."
        assert timeout
        return record(key)

    assert dkim.verify(signed, dnsfunc=found)
    assert not dkim.verify(signed.replace(b"Nile Club", b"Nile Clan"), dnsfunc=found)
    assert not dkim.verify(signed + b"more\r\n", dnsfunc=found)


def pem(key: PrivateKeyTypes) -> bytes:
    """A private key as OpenSSL writes it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("key.pem", pem(Ed25519PrivateKey.generate())),
        ("key.pem", pem(ec.generate_private_key(ec.SECP256R1()))),
        ("key.pem", base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw())),
        ("key.pem", b""),
        ("key.ed25519", pem(Ed25519PrivateKey.generate())),
        ("key.ed25519", base64.b64encode(b"too short")),
        ("key.ed25519", b""),
    ],
    ids=["Ed25519", "P-256", "bare", "empty", "PEM", "short", "none"],
)
def test_a_key_that_can_not_sign_is_refused_when_it_is_read(tmp_path: Path, name: str, text: bytes) -> None:
    """Before the first letter: a key of another kind, in the other form, cut off."""
    (tmp_path / name).write_bytes(text)
    with pytest.raises(ValueError, match=r"\w"):
        Signer(str(tmp_path / name), "pbem", "play.example.org")


def test_the_one_click_headers_are_signed(key: Path) -> None:
    """RFC 8058 3.1: List-Unsubscribe and List-Unsubscribe-Post are covered."""
    signed = Signer(str(key), "pbem", "play.example.org").sign(compose(LETTER, ENVELOPE))
    headers = signed.split(b"\r\n\r\n")[0].replace(b"\r\n ", b"").replace(b" ", b"").lower()
    covered = headers.split(b";h=")[1].split(b";")[0].split(b":")

    assert {b"list-unsubscribe", b"list-unsubscribe-post", b"from", b"subject", b"message-id"} <= set(covered)


@pytest.fixture
def signed(key: Path) -> bytes:
    """A letter with a signature."""
    return Signer(str(key), "pbem", "play.example.org").sign(compose(LETTER, ENVELOPE))


@pytest.mark.parametrize("name", SIGNED)
def test_no_header_can_be_added(key: Path, signed: bytes, name: str) -> None:
    """Every name is signed once more than it stands there: a second one, above or below, breaks the signature."""
    head, body = signed.split(b"\r\n\r\n", 1)
    added = name.encode() + b": x"

    def found(_name: bytes, timeout: int = 5) -> bytes:
        return record(key) if timeout else b""

    assert dkim.verify(signed, dnsfunc=found)
    assert not dkim.verify(added + b"\r\n" + signed, dnsfunc=found)
    assert not dkim.verify(head + b"\r\n" + added + b"\r\n\r\n" + body, dnsfunc=found)


def test_an_ed25519_key_signs_too(tmp_path: Path) -> None:
    """RFC 8463: over the hash of the same text as RSA, which the tests above let another program verify."""
    private = Ed25519PrivateKey.generate()
    path = tmp_path / "key.ed25519"
    path.write_bytes(base64.b64encode(private.private_bytes_raw()))
    signer = Signer(str(path), "pbem", "play.example.org")

    private.public_key().verify(signer._sign(b"text"), hashlib.sha256(b"text").digest())
    assert b"a=ed25519-sha256" in signer.sign(compose(LETTER, ENVELOPE))
