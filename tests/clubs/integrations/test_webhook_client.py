"""Webhooks that can not be turned inwards."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from pbem.clubs.integrations import webhook_client
from pbem.errors import WrongInput
from tests.catalogue import ROOT
from tests.proper import LED_ON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PUBLIC = "198.41.0.4"


def leads_to(*addresses: str) -> Callable[[str, int], list[str]]:
    """A name service that always gives these addresses."""
    return lambda _host, _port: list(addresses)


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/x", "https://", "ftp://example.org", "https://me:pw@example.org/", "nonsense"),
        *("https://example.org:99999/", "https://example.org:0/", "https://[::1", "https://[zz]/", "https://a..b/"),
        *(
            f"https://{'x' * 70}.org/",
            "https://exa mple.org/",
            "https://example.org/\x01",
            "https://ex\u2028ample.org/",
            f"https://example.org/{'x' * 1000}",
        ),
    ],
)
def test_only_plain_https_addresses_are_kept(url: str) -> None:
    """Anything but https with a server's name, and no password, is refused in one sentence."""
    with pytest.raises(WrongInput, match=r"^A webhook's address .*\.$"):
        webhook_client.checked_url(url)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1",
     "0.0.0.0",  # noqa: S104 - an address to refuse
     "::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b:1::1",
     "::7f00:1", "fec0::1"],
)  # fmt: skip
def test_no_address_inside_is_ever_called(address: str) -> None:
    """One private address among public ones is enough to refuse, for good."""
    with pytest.raises(webhook_client.HookFailed) as failed:
        webhook_client.public_address("example.org", 443, leads_to(PUBLIC, address))

    assert failed.value.permanent


def test_an_unknown_name_may_be_tried_again() -> None:
    """A name that leads nowhere now is no reason to give up for good, and nothing is called."""
    with pytest.raises(webhook_client.HookFailed) as failed:
        webhook_client.public_address("example.org", 443, leads_to())

    assert not failed.value.permanent


def call(answer: int) -> tuple[list[httpx.Request], httpx.MockTransport]:
    """A receiver that keeps what it was sent and answers with one status, naming an address inside."""
    seen: list[httpx.Request] = []

    def receive(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(answer, headers={"Location": "https://127.0.0.1/"})

    return seen, httpx.MockTransport(receive)


def test_the_call_goes_to_the_checked_address_under_its_name() -> None:
    """Connected to the address that was checked, with Host and certificate name of the hook, and signed."""
    seen, transport = call(204)

    webhook_client.post("https://example.org:8443/a?b=1", b"{}", "s", lookup=leads_to(PUBLIC), transport=transport)

    (request,) = seen
    assert str(request.url) == f"https://{PUBLIC}:8443/a?b=1"
    assert request.headers["Host"] == "example.org:8443"
    assert request.extensions["sni_hostname"] == "example.org"
    assert request.headers["X-Pbem-Signature"] == hmac.new(b"s", b"{}", hashlib.sha256).hexdigest()


def test_the_manual_says_how_a_receiver_knows_us() -> None:
    """Its check takes what was sent, and neither another body, secret nor signature."""
    (check,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/programs.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(check, names)  # noqa: S102 - our own manual
    seen, transport = call(204)
    body = webhook_client.body_for("raw", "Nile is over.", {"title": "Nile \u2014 \u00e9t\u00e9"})

    webhook_client.post("https://example.org/a", body, "s", lookup=leads_to(PUBLIC), transport=transport)

    (request,) = seen
    sent = ("s", request.read(), request.headers["X-Pbem-Signature"])
    tried = [sent, ("t", *sent[1:]), ("s", sent[1] + b" ", sent[2]), (*sent[:2], "\u00e9")]
    assert [names["is_from_pbem"](*one) for one in tried] == [True, False, False, False]


def test_a_name_in_any_letters_is_called_by_its_plain_one() -> None:
    """Servers know each other by plain letters: Host and certificate name are those, and a path keeps its marks."""
    seen, transport = call(204)

    webhook_client.post("https://exämple.org/ü", b"{}", "s", lookup=leads_to("2606:4700::1111"), transport=transport)

    (request,) = seen
    assert str(request.url) == "https://[2606:4700::1111]/%C3%BC"
    assert request.headers["Host"] == request.extensions["sni_hostname"] == "xn--exmple-cua.org"


def test_an_answer_without_end_is_not_waited_for() -> None:
    """Only the first line of the answer counts: a receiver that goes on talking holds up nobody."""

    def endless() -> Iterator[bytes]:
        yield b"and another thing"
        raise AssertionError("somebody read on")

    transport = httpx.MockTransport(lambda _request: httpx.Response(200, content=endless()))

    webhook_client.post("https://example.org/", b"{}", "s", lookup=leads_to(PUBLIC), transport=transport)


def test_an_address_that_cannot_be_called_is_given_up() -> None:
    """However it came to be stored: it is a failure of its own hook, and the others are called."""
    with pytest.raises(webhook_client.HookFailed) as failed:
        webhook_client.post("https://example.org:99999/", b"{}", "s", lookup=leads_to(PUBLIC))

    assert failed.value.permanent


def test_a_name_that_is_none_leads_nowhere() -> None:
    """The name service can't even be asked for it."""
    assert webhook_client.resolve("a..b", 443) == []


@pytest.mark.parametrize(
    ("status", "permanent"),
    [*((led_on, False) for led_on in sorted(LED_ON)), (500, False), (429, False), (404, True), (410, True)],
)
def test_what_is_not_success_is_a_failure(status: int, *, permanent: bool) -> None:
    """Redirects are not followed; a hook that is gone is given up."""
    seen, transport = call(status)

    with pytest.raises(webhook_client.HookFailed) as failed:
        webhook_client.post("https://example.org/", b"{}", "s", lookup=leads_to(PUBLIC), transport=transport)

    assert failed.value.permanent is permanent
    assert len(seen) == 1


def test_a_chat_gets_text_that_calls_nobody() -> None:
    """Discord mentions are switched off, and both services' markup is escaped: nobody's name becomes a link."""
    assert b'"parse":[]' in webhook_client.body_for("discord", "@everyone", {})
    assert b"&lt;!channel&gt;" in webhook_client.body_for("slack", "<!channel>", {})
    named = msgspec.json.decode(webhook_client.body_for("discord", "[free](https://x.example) <@1>", {}))
    assert named["content"] == r"\[free\]\(https://x.example\) \<@1\>"
