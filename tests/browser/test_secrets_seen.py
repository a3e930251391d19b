"""No page receives a card its viewer may not see, until the cards are turned up for everyone."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from browser.dealt import stacked
from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.server.demonstration import demo_documents

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TABLE = "ultimate-texas-holdem"
STAKES = {1: {"ante": 10_00, "blind": 10_00}, 2: {"ante": 10_00, "blind": 10_00}}
ALICE, BOB, DEALER = {"As", "7d"}, {"9c", "4d"}, {"Kh", "Qd"}
FLOP, LAST = {"Ah", "9h", "2s"}, {"Js", "Jc"}
DECK = {rank + suit for rank in "23456789TJQKA" for suit in "shdc"}
# The rules say which cards the deck is made of and what each is called; that is no card of any round.
RULES, OF_THE_DECK = f"/api/tables/{TABLE}/rules", ("deck", "card_titles")


class Watched:
    """A visitor whose answers are kept, to be read when a test looks at them."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self._answers: list[Response] = []
        visitor.page.wait_for_load_state("networkidle")
        visitor.page.goto("about:blank")  # answers to a page that was left can be read no more
        visitor.page.on("response", lambda answer: self._answers.append(answer))

    def received(self) -> tuple[set[str], str]:
        """Return every card that is a value or a key of anything received, and all of the texts."""
        kept = [json.loads(text) for text in self.visitor.frames] + list(self._bodies())
        texts = [text for part in kept for text in _texts(part)]
        return {text for text in texts if text in DECK}, " ".join(texts)

    def _bodies(self) -> Iterator[Any]:
        for answer in self._answers:
            path = answer.url.removeprefix(self.visitor.stage.address).partition("?")[0]
            # Scripts, styles and drawings are the same files for everyone, whatever was dealt.
            if not path.startswith("/api/") or not answer.headers.get("content-type", "").startswith(
                "application/json"
            ):
                continue
            body = answer.json()
            if path == RULES:
                for field in OF_THE_DECK:
                    del body[field]
            yield body


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


def named_in(text: str, cards: set[str]) -> set[str]:
    return {card for card in cards if re.search(rf"\b{card}\b", text)}


def test_no_card_comes_to_a_page_before_its_viewer_may_see_it(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged([TABLE])
    cards = {1: sorted(ALICE), 2: sorted(BOB), "dealer": sorted(DEALER), "board": [*sorted(FLOP), *sorted(LAST)]}
    stage.stacked = stacked(demo_documents()[TABLE], STAKES, cards)
    spectator, player = Watched(visit(stage, None)), Watched(visit(stage, "alice"))
    looking = spectator.visitor.goto(f"/tables/{TABLE}")
    alice, bob = Seated(player.visitor, TABLE, 1), Seated(visit(stage, "bob"), TABLE, 2)
    for other in (alice, bob):
        other.bet({"ante": 10_00})
    for other in (alice, bob):
        other.act("check")
    alice.page.get_by_test_id("action-raise 2x").wait_for()
    expect(looking.get_by_text("Waiting for alice.")).to_be_visible()
    looking.get_by_role("img", name="ace of hearts").first.wait_for()  # she was asked before the flop as well

    for watched, own in ((spectator, set[str]()), (player, ALICE)):
        seen, said = watched.received()
        assert seen == own | FLOP  # its own and the flop: no hidden card, no undealt one
        assert named_in(said, BOB | DEALER | LAST | (ALICE - own)) == set()

    for other in (alice, bob):
        other.act("raise 2x")
    alice.comes_to(re.compile(r"\$"))
    looking.get_by_role("img", name="king of hearts").first.wait_for()
    looking.get_by_role("img", name="nine of clubs").first.wait_for()
    for watched in (spectator, player):
        seen, said = watched.received()
        assert seen >= ALICE | BOB | DEALER | FLOP | LAST  # so the look above would have found them
        assert named_in(said, DEALER) == DEALER
