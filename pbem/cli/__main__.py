"""`python -m pbem.cli` is the command `pbem`."""

from __future__ import annotations

from pbem.cli import main

main()
