"""`pbem setup`: six questions, then every file a server needs: settings, keys, web server, mail server, DNS."""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address
from pathlib import Path

import click
import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from pbem import config, logs
from pbem.cli import output
from pbem.cli.operator.dns_checks import public_part
from pbem.cli.operator.units import units
from pbem.structs import Value


class Answers(Value, kw_only=True):
    """What the six questions found out."""

    host: str
    address: str
    """This machine's, as the world sees it."""
    operator: str
    """Gets what is sent to postmaster and abuse."""
    large: bool
    """PostgreSQL, Redis and five processes; else one process on SQLite."""
    relay: str
    """Where letters leave; empty: this machine's own Postfix."""
    server: str
    """nginx or caddy."""


FILES = {
    "pbem.env": "pbem.env",
    "nginx": "nginx.conf",
    "caddy": "Caddyfile",
    "postfix.sh": "postfix.sh",
    "dns.txt": "dns.txt",
    "install.sh": "install.sh",
}
"""By template, what the file written from it is called."""


HERE = "local"
"""What names this machine's own Postfix as the relay."""


def _setting(name: str, called: str) -> Callable[[str], str]:
    """Return what reads an answer that becomes a setting: refused as the setting would be, and asked again at once.

    `called`: what the sentence of a refusal calls it.
    """

    def read(value: str) -> str:
        try:
            return str(config.read(name, value.strip(), called))
        except config.ConfigError as fault:
            raise click.BadParameter(str(fault)) from fault

    return read


def _host(value: str) -> str:
    """Return the name of the pages and of the mail, in lower case."""
    return _setting("MAIL_DOMAIN", "The name")(value.casefold())


def _address(value: str) -> str:
    """Return the address that the DNS lines name, as it is written there."""
    try:
        return str(IPv4Address(value.strip()))
    except AddressValueError:
        raise click.BadParameter(f"{value!r} is no IPv4 address: write four numbers, as in 192.0.2.7") from None


def _operator(value: str) -> str:
    """Return a mail address at which somebody reads: elsewhere than at the host, which is known by then."""
    text = _setting("OPERATOR", "The address")(value)
    if fault := config.operator_fault(text, click.get_current_context().params.get("host", "")):
        raise click.BadParameter(fault)
    return text


def _relay(value: str) -> str:
    """Return where letters leave; nothing for this machine's own Postfix."""
    return "" if value.strip() in {HERE, ""} else _setting("SMTP_URL", "The relay")(value)


def _unused(_context: click.Context, _parameter: click.Parameter, out: Path) -> Path:
    """Refuse a folder with settings in it, before the first question."""
    if (out / "pbem.env").exists():
        raise click.UsageError(f"{out} holds settings already: name another folder with '--out', or remove it")
    return out


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("pbem-setup"),
    show_default=True,
    is_eager=True,
    callback=_unused,
)
@click.option(
    "--host",
    prompt="1. The name of the pages, as in play.example.org",
    type=_host,
    metavar="TEXT",
    is_eager=True,  # the operator's address is held against it
    help="The name of the pages.",
)
@click.option(
    "--address",
    prompt="2. This machine's address, as the world sees it, as in 192.0.2.7",
    type=_address,
    metavar="TEXT",
    help="Its IPv4 address.",
)
@click.option(
    "--operator",
    prompt="3. Your own mail address, for postmaster and abuse",
    type=_operator,
    metavar="TEXT",
    help="Your mail address.",
)
@click.option(
    "--size",
    prompt="4. 'small' (one process on SQLite) or 'large' (PostgreSQL, Redis)",
    type=click.Choice(["small", "large"]),
    default="small",
    help="One process on SQLite, or PostgreSQL, Redis and five processes.",
)
@click.option(
    "--relay",
    prompt="5. The relay letters leave by, as in smtp://user:password@host:587 (or 'local' for this machine's Postfix)",
    type=_relay,
    metavar="TEXT",
    default=HERE,
    help="The relay's address, or `local`.",
)
@click.option(
    "--server", prompt="6. The web server", type=click.Choice(["nginx", "caddy"]), default="nginx", help="For TLS."
)
@output.as_json
def setup(*, host: str, address: str, operator: str, size: str, relay: str, server: str, out: Path) -> None:
    """Ask six questions and write settings, keys, units, web server, mail server and DNS lines into a folder.

    Nothing outside of that folder is touched; its install.sh puts each file where it belongs, and can be read first.
    """
    answers = Answers(host=host, address=address, operator=operator, large=size == "large", relay=relay, server=server)
    files = [str(path) for path in write(answers, out)]
    output.say(*files)
    output.tell(
        f"Put what {out / 'dns.txt'} says into your DNS, read {out / 'install.sh'}, and run it as root.", files=files
    )


def write(answers: Answers, out: Path) -> list[Path]:
    """Write every file into `out`, readable by its owner alone; gives their paths. Raises ClickException."""
    services = units(small=not answers.large)
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    public = _dkim_key(out / "dkim.pem")
    render = Environment(
        loader=PackageLoader("pbem.cli", "setup_files"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # noqa: S701 - files for programs, no pages
    )
    holes = {
        **msgspec.structs.asdict(answers),
        "secret": secrets.token_hex(32),
        "metrics": secrets.token_hex(16),
        "public": public,
        "keys": logs.KEYS,
    }
    written = []
    for template, name in FILES.items():
        if template in {"nginx", "caddy"} and template != answers.server:
            continue
        path = out / name
        path.touch(mode=0o600)
        path.write_text(render.get_template(template + ".j2").render(holes), encoding="utf-8")
        written.append(path)
    (out / "units").mkdir(exist_ok=True)
    for name, text in services.items():
        (out / "units" / name).write_text(text, encoding="utf-8")
        written.append(out / "units" / name)
    return [out / "dkim.pem", *written]


def _dkim_key(path: Path) -> str:
    """Make the key that signs letters; gives its public part as the DNS wants it. Raises ClickException."""
    try:
        subprocess.run(("openssl", "genrsa", "-out", path, "2048"), check=True, capture_output=True)  # noqa: S603, S607 - Debian's own
        return public_part(path)
    except (OSError, subprocess.CalledProcessError) as fault:
        raise click.ClickException(f"The DKIM key can't be made ({fault}): run 'apt-get install openssl'") from fault
