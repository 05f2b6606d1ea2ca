"""Style, script, fonts and icons: served by content hash, compressed once, cached for a year."""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files
from pathlib import PurePath
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, request

from pbem.web.current import current_request

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

blueprint = Blueprint("assets", __name__)

ROOT = files("pbem.web") / "static"
_ADDRESS = "/static/"
_YEAR = 31_536_000
_SHRINKS = (".css", ".js", ".svg", ".txt")
_KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
"""By ending; a machine's own lists, which Python reads, say other things and take a third of a megabyte."""


class Asset:
    """One file of ours as it goes out: plain, compressed, its type and the hash of its content."""

    def __init__(self, file: Traversable) -> None:
        """Read the file once."""
        self.plain = file.read_bytes()
        self.packed = gzip.compress(self.plain, 9, mtime=0) if file.name.endswith(_SHRINKS) else None
        self.kind = _KINDS[PurePath(file.name).suffix]
        self.hash = hashlib.sha256(self.plain).hexdigest()[:12]


MANIFEST = {
    f"{room.name}/{file.name}": Asset(file) for room in ROOT.iterdir() if room.is_dir() for file in room.iterdir()
}
"""Every file below `static/` by its path, read before processes part; a path that isn't here does not exist."""


def asset(path: str, *, bare: bool = False) -> str:
    """Return the address of a file of ours, with its content's hash so that a changed file is a new address.

    `bare` leaves the hash out, for fonts: the style sheet names them without.
    """
    address = f"{current_request().script_root}{_ADDRESS}{path}"
    return address if bare else f"{address}?v={MANIFEST[path].hash}"


@blueprint.get(f"{_ADDRESS}<path:path>")
def send(path: str) -> Response:
    """Serve one file, compressed where the reader takes it."""
    found = MANIFEST.get(path)
    if found is None:
        abort(404)
    packed = found.packed if "gzip" in request.headers.get("Accept-Encoding", "") else None
    answer = Response(found.plain if packed is None else packed, mimetype=found.kind)
    if packed is not None:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Cache-Control"] = f"public, max-age={_YEAR}, immutable"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.set_etag(found.hash)
    answer.make_conditional(request)
    return answer


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    """Serve the icon where browsers look for it unasked."""
    return send("icons/favicon.svg")
