"""Packets of the example submissions, each made once, and the words on their pages."""

import re
from functools import cache
from pathlib import Path

import pymupdf
import pytest

from pitboss.packet.contents import Packet, packet_of
from pitboss.packet.typeset import pdf_of
from pitboss.submission.read import read_submission

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = ("ultimate-texas-holdem",)  # solved for two paytables, which takes a while
# All packets are made in one worker, which makes each of them once.
NAMES = [
    pytest.param(path.stem, marks=[pytest.mark.slow] if path.stem in LONG else [])
    for path in sorted(EXAMPLES.glob("*.toml"))
]
FINGERPRINT = "0123456789abcdef"


@cache
def packet(name: str) -> Packet:
    """Return the packet of an example."""
    return packet_of(read_submission(EXAMPLES / f"{name}.toml"), FINGERPRINT)


@cache
def document(name: str) -> bytes:
    """Return the packet of an example as PDF."""
    return pdf_of(packet(name))


@cache
def pages(name: str) -> tuple[str, ...]:
    """Return the words on each page, one space between them, with plain hyphens and apostrophes."""
    with pymupdf.open(stream=document(name)) as opened:
        return tuple(plain(page.get_text()) for page in opened)


def plain(text: str) -> str:
    """Return a text with one space between words, a hyphen for a minus and a straight apostrophe."""
    return re.sub(r"\s+", " ", text.replace("−", "-").replace("’", "'")).strip()
