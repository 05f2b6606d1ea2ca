"""An authority that gives certificates by ACME as a public one does: it asks the name server, then the server itself.

Needs Debian's package `pebble`.
"""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.servers import answers, comes_up, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PORT, OFFICE = 14000, 15000


@contextmanager
def authority(folder: Path, name: str, names: str) -> Iterator[str]:
    """Run it, called `name`, looking names up at the address `names`; gives its directory's address.

    What its own door is signed with comes from `folder`/ca.crt; the root of what it signs is laid into
    `folder`/issued/ca.crt.
    """
    _paper(folder, name)
    config = {
        "listenAddress": f":{PORT}",
        "managementListenAddress": f"127.0.0.1:{OFFICE}",
        "certificate": str(folder / "acme.crt"),
        "privateKey": str(folder / "acme.key"),
        "httpPort": 80,
        "tlsPort": 443,
    }
    (folder / "acme.json").write_text(json.dumps({"pebble": config}), encoding="utf-8")
    log = folder / "acme.log"
    # it turns good nonces down by chance, which no authority does: twice in a row ends Debian's certbot
    env = os.environ | {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
    with running("pebble", "-config", folder / "acme.json", "-dnsserver", names, log=log, env=env) as process:
        comes_up(process, lambda: answers(OFFICE), log)
        (folder / "issued").mkdir(exist_ok=True)
        trust = ssl.create_default_context(cafile=folder / "ca.crt")
        with urllib.request.urlopen(f"https://localhost:{OFFICE}/roots/0", context=trust) as root:
            (folder / "issued/ca.crt").write_bytes(root.read())
        yield f"https://{name}:{PORT}/dir"


def _paper(folder: Path, name: str) -> None:
    """The certificate of its own door."""
    new = ("-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", folder / "acme.key")
    called = f"subjectAltName=DNS:{name},DNS:localhost"
    signed = ("-CA", folder / "ca.crt", "-CAkey", folder / "ca.key", "-days", "30", "-addext", called)
    make = ("openssl", "req", "-x509", *new, *signed, "-out", folder / "acme.crt")
    subprocess.run(make, check=True, capture_output=True)
