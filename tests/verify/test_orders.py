"""The verifier follows a drawn deck from its shuffle through its cuts into a round, and finds every planted fault."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pitboss.cards.deck import Card
from pitboss.house.live_table.deck_order import DealtFrom, Order
from pitboss.record.entries import Draft
from pitboss.record.seal import RoundSeal
from pitboss_verify import Report, verify
from verify.recorded import DECK, MASTER, Recorder, dealt

TABLE, CUT = "table/t9", 3


def entry(kind: str, **body: Any) -> Draft:
    return Draft(TABLE, kind, body)


def order_of(shuffle: str, cards: Sequence[Card] = DECK) -> Order:
    seal = RoundSeal(MASTER, shuffle)
    return Order(shuffle, MASTER.id, seal.seal_order(cards), seal.commitments(cards))


def shuffled(shuffle: str, deck: str = "A") -> list[Draft]:
    order = order_of(shuffle)
    committed = {"shuffle": shuffle, "commitments": list(order.commitments), "sealed_order": order.sealed, "round": ""}
    return [
        entry("table.DeckShuffled", deck=deck, way="manual"),
        entry("house.DeckCommitted", deck=deck, **committed),
    ]


def cut(cards: int = CUT, deck: str = "A") -> Draft:
    return entry("table.DeckCut", deck=deck, cards=cards)


def begun(name: str, deck: str = "A") -> Draft:
    return entry("house.RoundBegun", round=name, number=1, deck=deck, key=MASTER.id)


def fixed(name: str, order: Order, deck: str = "A", **changes: Any) -> Draft:
    whole = hashlib.sha256("".join(order.commitments).encode()).hexdigest()
    body = {"shuffle": order.shuffle, "cut_cards": order.cut_cards, "commitment": whole, **changes}
    return entry("house.OrderFixed", round=name, deck=deck, **body)


WAGER = entry("round.WagersPlaced", seat=1, stakes={"ante": 500})


def played(name: str, order: Order, cards: Sequence[Card] = DECK) -> list[Draft]:
    """Return the entries of a round that deals two hidden cards and one open one from an order."""
    own = RoundSeal(MASTER, name)
    sealer = DealtFrom(own, RoundSeal(MASTER, order.shuffle), order)
    after = [cards[order.place_of(position)] for position in range(len(cards))]
    hidden = [{"position": place, "sealed": sealer.seal(place, after[place])} for place in (0, 1)]
    shown = [{"position": 2, "card": after[2], "salt": sealer.salt(2)}]
    return [
        entry("round.CardsDealt", **dealt(1, hidden)),
        entry("round.CardsDealt", **dealt("board", shown)),
        entry("house.SealOpened", round=name, dealt_key=own.dealt_key()),
        entry("house.RoundEnded", round=name, outcome="settled"),
    ]


ONE = order_of("s1").cut(CUT)


@pytest.fixture
def checked(tmp_path: Path) -> Callable[..., Report]:
    def check(*drafts: Draft, is_excerpt: bool = False, skip: int = 0) -> Report:
        recorder = Recorder()
        recorder.write(*drafts)
        log = tmp_path / "record.jsonl"
        log.write_text("".join(recorder.log().splitlines(keepends=True)[skip:]), "utf-8")
        return verify(log, is_excerpt=is_excerpt)

    return check


def test_a_round_dealt_from_a_cut_deck_is_held_against_the_shuffle(checked: Callable[..., Report]) -> None:
    two = order_of("s2")
    other = [*shuffled("s2", "B"), begun("r2", "B"), fixed("r2", two, "B"), WAGER, *played("r2", two)]
    report = checked(*shuffled("s1"), cut(), begun("r1"), fixed("r1", ONE), WAGER, *played("r1", ONE), *other)
    assert report.fault is None
    assert (report.rounds, report.opened, report.uncommitted, report.sealed) == (2, 6, 0, 0)


def test_a_recut_before_the_first_wager_counts(checked: Callable[..., Report]) -> None:
    again = ONE.cut(2)
    recut = [entry("table.RecutOrdered", deck="A"), cut(2)]
    drafts = [*shuffled("s1"), cut(), begun("r1"), fixed("r1", ONE), *recut, fixed("r1", again), WAGER]
    report = checked(*drafts, *played("r1", again))
    assert (report.fault, report.rounds, report.opened) == (None, 1, 3)


READY = [*shuffled("s1"), cut(), begun("r1")]
NONE_LEFT = "fixes an order that isn't from the last shuffle of deck A"
ANOTHER = "fixes an order that differs from the shuffle and cuts of deck A"
INVALID = "has an invalid commitment to a deck order"
NOT_THERE = "not the card committed there"
PLANTED: list[tuple[list[Draft], str]] = [
    ([*shuffled("s1"), cut(4), begun("r1"), fixed("r1", ONE)], ANOTHER),
    ([*shuffled("s1"), begun("r1"), fixed("r1", ONE)], ANOTHER),
    ([*READY, fixed("r1", ONE, commitment="00" * 32)], ANOTHER),
    ([*READY, fixed("r1", ONE, cut_cards=4)], ANOTHER),
    ([*READY, fixed("r1", ONE), WAGER, *played("r1", order_of("s1"))], NOT_THERE),
    ([*READY, fixed("r1", ONE), WAGER, *played("r1", ONE, (*DECK[1:], DECK[0]))], NOT_THERE),
    ([*READY, fixed("r1", ONE, shuffle="s0")], NONE_LEFT),
    ([cut(), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.ShuffleDirected", deck="A"), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.DeckCounted", deck="A"), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.DeckRemoved", deck="A"), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.DeviceJammed", deck="A"), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.DeviceFailed", reshuffle=["A"]), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY[:-1], entry("table.CardsSpread", face="face-up"), begun("r1"), fixed("r1", ONE)], NONE_LEFT),
    ([*READY, fixed("r1", ONE), begun("r2"), fixed("r2", ONE)], NONE_LEFT),  # called off, and dealt all the same
    ([*READY, WAGER], "takes a wager in round r1 before the order of its deck is fixed"),
    ([*READY, fixed("r1", ONE), WAGER, fixed("r1", ONE)], "fixes the order of round r1 after its first wager"),
    ([*READY, fixed("r0", ONE)], "fixes the order of a round other than the current one"),
    ([*shuffled("s1"), cut(0)], "cuts 0 cards from a deck of 8"),
    ([*shuffled("s1"), cut(8)], "cuts 8 cards from a deck of 8"),
    ([entry("house.DeckCommitted", deck="A", shuffle="s1", commitments=[])], INVALID),
    ([entry("house.DeckCommitted", deck=7, shuffle="s1", commitments=["a"])], INVALID),
    (
        [begun("r1"), WAGER, entry("house.DeckCommitted", round="r1", commitments=list(ONE.commitments))],
        "commits to the deck of round r1 after its first wager",
    ),
]


@pytest.mark.parametrize(("drafts", "sentence"), PLANTED)
def test_what_is_planted_is_found(drafts: list[Draft], sentence: str, checked: Callable[..., Report]) -> None:
    assert sentence in (checked(*drafts).fault or "")


def test_an_excerpt_may_begin_after_the_shuffle_and_then_holds_no_card_against_it(
    checked: Callable[..., Report],
) -> None:
    drafts = [*READY, fixed("r1", ONE), WAGER, *played("r1", ONE)]
    report = checked(*drafts, is_excerpt=True, skip=len(READY) - 1)
    assert (report.fault, report.opened, report.uncommitted) == (None, 0, 3)
    inside = checked(*drafts, is_excerpt=True, skip=len(READY) + 2)
    assert (inside.fault, inside.opened) == (None, 0)
    whole = checked(*drafts, is_excerpt=True, skip=1)
    assert (whole.fault, whole.opened, whole.uncommitted) == (None, 3, 0)
