"""Servers that are told a user and a password: nobody but the one whose certificate says that it is it.

Python's own clients, and with them those of Flask-Mailman and imap-tools, take any certificate unless told otherwise.
"""

from __future__ import annotations

import smtplib
import ssl
from typing import Any

from flask_mailman.backends import smtp


def certified() -> ssl.SSLContext:
    """Return what asks a server for a certificate of its name that this machine trusts."""
    return ssl.create_default_context()


class _Line(smtplib.SMTP):
    """A connection that goes over to TLS with such a server only."""

    def starttls(self, *_files: Any, context: ssl.SSLContext | None = None) -> tuple[int, bytes]:
        """Go over to TLS. Raises OSError for another's certificate."""
        return super().starttls(context=context or certified())


class EmailBackend(smtp.EmailBackend):  # type: ignore[misc]  # untyped
    """Flask-Mailman's back end for SMTP, by the name it looks for."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        """What it connects by; with TLS from the start it asks for the certificate itself."""
        return smtplib.SMTP_SSL if self.use_ssl else _Line
