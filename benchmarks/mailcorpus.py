"""Reads a folder of published mails and prints how many first lines are exact, ours beside two listed libraries.

It also prints what automatic mails are taken for, ours beside flufl.bounce, and whether a planted order is ever played.

python benchmarks/mailcorpus.py DIR        # DIR holds manifest.json and auto_manifest.json
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from email import message_from_bytes
from pathlib import Path
from typing import Any

from email_reply_parser import EmailReplyParser
from flufl.bounce import all_failures
from mailparser_reply import EmailReplyParser as MailParserReply

from pbem.mail import incoming, reply

ORDER = "bid 6 on Memphis"


def _wanted(line: str) -> bool:
    return line.casefold() == ORDER.casefold()


def _first(lines: list[str]) -> str | None:
    return next((line.strip() for line in lines if line.strip()), None)


def _bodies(folder: Path) -> list[tuple[dict[str, Any], str]]:
    """Each sample of a person's reply with its text."""
    samples = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    bodies = []
    for sample in samples:
        raw = (folder / sample["file"]).read_bytes()
        bodies.append(
            (sample, incoming.read(raw).text if sample["format"] == "eml" else raw.decode("utf-8", "replace"))
        )
    return bodies


def replies(folder: Path) -> None:
    """Exact first lines, and quoted text taken, of three readers over the same bodies."""
    readers = {
        "pbem": lambda body: "\n".join(reply.written(body)),
        "mail-parser-reply": lambda body: (
            MailParserReply(languages=["en", "it", "fr", "de"]).read(body).replies[0].body
        ),
        "email-reply-parser": EmailReplyParser.parse_reply,
    }
    for name, read in readers.items():
        exact, leaked, slowest, missed = 0, 0, 0.0, []
        bodies = [(s, b) for s, b in _bodies(folder) if s["expected_reply_first_line"] is not None]
        for sample, body in bodies:
            began = time.perf_counter()
            got = read(body)
            slowest = max(slowest, time.perf_counter() - began)
            if _first(got.splitlines()) == sample["expected_reply_first_line"]:
                exact += 1
            else:
                missed.append(sample["file"])
            leaked += bool(sample.get("must_not_contain")) and sample["must_not_contain"] in got
        print(f"{name:20} exact first lines {exact}/{len(bodies)}  leaks {leaked}  slowest {slowest * 1e3:.1f} ms")
        print(f"{'':20} not exact: {', '.join(missed) or '-'}")


def automatic(folder: Path) -> None:
    """What automatic mails are taken for, and that nothing is read from them."""
    natures: Counter[str] = Counter()
    taken = 0
    slowest = 0.0
    for sample in json.loads((folder / "auto_manifest.json").read_text(encoding="utf-8")):
        raw = (folder / sample["file"]).read_bytes()
        began = time.perf_counter()
        mail = incoming.read(raw)
        taken += bool(mail.nature == "personal" and reply.read(mail.text, _wanted))
        slowest = max(slowest, time.perf_counter() - began)
        natures[f"{sample['kind']} -> {mail.nature}"] += 1
    for line, count in sorted(natures.items()):
        print(f"{count:5}  {line}")
    print(f"orders, commands or answers from automatic mails: {taken}; slowest {slowest * 1e3:.1f} ms")


def bounces(folder: Path) -> None:
    """Reports found at a letter's bounce address, and which are called permanent rightly, ours beside flufl.bounce."""
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for sample in json.loads((folder / "auto_manifest.json").read_text(encoding="utf-8")):
        if sample["kind"] != "bounce":
            continue
        name, raw = Path(sample["file"]).stem, (folder / sample["file"]).read_bytes()
        mail = incoming.read(raw, is_report_address=True)
        transient, permanent = all_failures(message_from_bytes(raw))
        found["pbem"] += mail.nature == "bounce"
        found["flufl.bounce"] += bool(transient or permanent)
        found["all"] += 1
        if name in UNDECIDED:
            continue
        lasting = name not in TRANSIENT
        right = mail.bounce is not None and mail.bounce.permanent == lasting
        found["decided"] += 1
        found["pbem right"] += right
        found["flufl.bounce right"] += bool(permanent if lasting else transient and not permanent)
        wrong += [] if right else [name]
    print("bounces seen, and permanent or transient: " + ", ".join(f"{name} {count}" for name, count in found.items()))
    print(f"{'':20} not right: {', '.join(wrong) or '-'}")


TRANSIENT = frozenset(
    {
        *(
            "lhost-biglobe-01",
            "lhost-gmx-01",
            "lhost-imailserver-02",
            "lhost-kddi-02",
            "lhost-mailru-02",
            "lhost-x4-01",
        ),
        *("lhost-messagingserver-02", "lhost-outlook-01", "rhost-outlook-01", "lhost-yahoo-02", "lhost-fml-03"),
        *("lhost-v5sendmail-01", "lhost-x3-02", "lhost-x6-01", "rhost-cloudflare-01", "rhost-yahooinc-02"),
        *("rhost-tencent-01", "rhost-tencent-02", "lhost-surfcontrol-02"),
        *("lhost-mailfoundry-02", "rhost-godaddy-03"),
    }
)
"""Reports that tell of what may pass, by our own reading: a full mailbox, a time that ran out, a loop."""
UNDECIDED = frozenset(
    {
        *("lhost-dragonfly-02", "lhost-googleworkspace-01", "lhost-kddi-01", "lhost-notes-01"),
        *("lhost-opensmtpd-02", "lhost-yandex-02", "lhost-zoho-02"),
    }
)
"""Reports of the sender's own settings, of no reason that can be read, and of two recipients with unlike reasons."""


PLANTS = {
    "quote": "{body}\n\nOn Tue, 24 Nov 2026 at 18:00, Nile Club <play@example.org> wrote:\n> {order}\n{order}\n",
    "signature": "{body}\n\n-- \nAnna\n{order}\n",
    "banner": "{body}\n\nThis e-mail and its attachments are confidential.\n{order}\n",
    "outlook quote": "{body}\n\nFrom: Nile Club\nSent: Tuesday\nTo: Anna\nSubject: [Nile 3]\n\n{order}\n",
    "quote on top": "> {order}\n\n{body}\n",
}


def planted(folder: Path) -> None:
    """A legal order in quote, signature and banner of every mail: never taken."""
    automatic_mails = json.loads((folder / "auto_manifest.json").read_text(encoding="utf-8"))
    texts = [body for _, body in _bodies(folder)]
    texts += [incoming.read((folder / sample["file"]).read_bytes()).text for sample in automatic_mails]
    for name, plant in PLANTS.items():
        played = sum(bool(reply.read(plant.format(body=body, order=ORDER), _wanted).orders) for body in texts)
        print(f"planted in {name}: played {played} of {len(texts)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    corpus = Path(sys.argv[1])
    replies(corpus)
    automatic(corpus)
    bounces(corpus)
    planted(corpus)
