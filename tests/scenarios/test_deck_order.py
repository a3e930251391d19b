"""A drawn deck's order is fixed by its shuffle, moved by its cuts, and committed before the first wager."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from house.stacking import shuffle_by
from pitboss.games.catalogue import game_names
from pitboss.record.entries import Entry, Head, digest, line_of
from pitboss_verify.checking import verify
from scenarios.floor import DRAWN, ScenarioTable

GAMES = game_names()
BY_HAND = {"shuffler": "none"}  # so that the dealer cuts the deck
NewTable = Callable[..., ScenarioTable]


def commitments(table: ScenarioTable) -> dict[str, Any]:
    answer = table.floor.people["alice"].http.get(f"/api/tables/{table.table}/commitments")
    found: dict[str, Any] = answer.raise_for_status().json()
    return found


def deck_of(table: ScenarioTable) -> dict[str, Any]:
    (deck,) = commitments(table)["decks"]
    found: dict[str, Any] = deck
    return found


def rotated(cards: list[Any], number: int) -> list[Any]:
    return cards[number:] + cards[:number]


def shuffled_by_hand(new_table: NewTable, name: str) -> ScenarioTable:
    """Return a table whose deck the dealer has shuffled by hand and not cut yet."""
    table = new_table(name, DRAWN, **BY_HAND).open()
    table.must("dana", "ReceiveDeck", deck="A", preinspected=True, preshuffled=True)
    table.must("dana", "CutDeck", deck="A", cards=15)
    table.must("flo", "DirectShuffle", deck="A")
    table.must("dana", "ShuffleDeck", deck="A", way="manual")
    return table


def drawn_by_the_program(table: ScenarioTable) -> list[tuple[str, ...]]:
    """Return a list that every order drawn from now on is added to."""
    assert table.floor.floor is not None
    found: list[tuple[str, ...]] = []

    def spied(live: Any, deck: Any) -> tuple[Any, ...]:
        found.append(table.floor._order(live, deck))
        return found[-1]

    shuffle_by(table.floor.floor.house, spied)
    return found


def dealt(table: ScenarioTable) -> list[str]:
    """Return every card of the round in play, in the order it left the deck."""
    positions = table.live.positions
    return sorted(positions, key=lambda card: positions[card])


def exported(table: ScenarioTable, path: Path, change: Callable[[list[Entry]], None] | None = None) -> Path:
    """Write the table's stream as an attacker who can rewrite the whole chain would change it."""
    entries = [entry._replace(body=json.loads(json.dumps(entry.body))) for entry in table.entries()]
    if change is not None:
        change(entries)
    log = path / "record.jsonl"
    log.write_text("".join(f"{line_of(entry)}\n" for entry in rechained(entries)))
    return log


def rechained(entries: list[Entry]) -> Iterator[Entry]:
    previous = Head().hash
    for number, entry in enumerate(entries, 1):
        fields = {**entry._asdict(), "sequence": number, "previous": previous}
        del fields["hash"]
        previous = digest(fields)
        yield Entry(hash=previous, **fields)


def last(entries: list[Entry], kind: str) -> Any:
    return [entry for entry in entries if entry.kind == kind][-1].body


@pytest.mark.parametrize("name", GAMES)
def test_the_shuffle_commits_the_order_and_the_cut_moves_it_by_the_stated_number(
    new_table: NewTable, name: str
) -> None:
    table = shuffled_by_hand(new_table, name)
    shuffled = deck_of(table)
    assert len(set(shuffled["commitments"])) == len(table.game.deck)
    assert shuffled["commitments"] == list(table.entries("house.DeckCommitted")[-1].body["commitments"])
    assert shuffled["cut_cards"] == 0

    table.must("dana", "CutDeck", deck="A", cards=17)
    cut = deck_of(table)
    assert cut["commitments"] == rotated(shuffled["commitments"], 17)
    assert (cut["shuffle"], cut["cut_cards"]) == (shuffled["shuffle"], 17)
    table.must("dana", "LoadDeck", deck="A")
    table.must("dana", "BeginRound")

    fixed = commitments(table)
    assert fixed["commitments"] == cut["commitments"]
    assert table.view("alice")["commitment"] == cut["commitment"]
    kinds = [entry.kind for entry in table.entries()]
    assert kinds.index("house.DeckCommitted") < kinds.index("house.RoundBegun")
    assert "round.WagersPlaced" not in kinds
    body = table.entries("house.OrderFixed")[-1].body
    assert (body["deck"], body["cut_cards"], body["commitment"]) == ("A", 17, cut["commitment"])
    assert table.entries("house.OrderFixed")[-1].clause == "G-21"


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_dealt_are_the_shuffled_order_after_the_cut_and_open_their_commitments(
    new_table: NewTable, name: str
) -> None:
    table = new_table(name, DRAWN, **BY_HAND).open()
    orders = drawn_by_the_program(table)
    table.must("dana", "ReceiveDeck", deck="A", preinspected=True, preshuffled=True)
    table.must("dana", "CutDeck", deck="A", cards=21)
    table.begin()
    assert len(orders) == 1, "no order is drawn when a round begins"
    table.play_to("settling")
    expected = rotated(list(orders[0]), 21)
    cards = dealt(table)
    assert cards == expected[: len(cards)]
    fixed = commitments(table)["commitments"]
    for shown in table.view("alice")["opened"]:
        found = hashlib.sha256(bytes.fromhex(shown["salt"]) + shown["card"].encode()).hexdigest()
        assert found == fixed[shown["position"]]
        assert shown["card"] == expected[shown["position"]]


@pytest.mark.parametrize("name", GAMES)
def test_a_recut_moves_the_order_again_and_a_directed_shuffle_draws_another(new_table: NewTable, name: str) -> None:
    table = shuffled_by_hand(new_table, name)
    shuffled = deck_of(table)
    table.must("dana", "CutDeck", deck="A", cards=17)
    table.must("flo", "OrderRecut", deck="A")
    table.must("dana", "CutDeck", deck="A", cards=20)
    recut = deck_of(table)
    assert recut["commitments"] == rotated(shuffled["commitments"], 37)
    assert recut["cut_cards"] == 37 % len(table.game.deck)

    table.must("flo", "DirectShuffle", deck="A")
    assert commitments(table)["decks"] == [], "a deck that is to be shuffled has no order"
    assert table.refused("dana", "BeginRound")
    table.must("dana", "ShuffleDeck", deck="A", way="manual")
    anew = deck_of(table)
    assert anew["shuffle"] != recut["shuffle"]
    assert not set(anew["commitments"]) & set(recut["commitments"])


@pytest.mark.parametrize("name", GAMES)
def test_until_the_first_wager_a_recut_in_the_round_counts_and_afterwards_none_does(
    new_table: NewTable, name: str
) -> None:
    table = shuffled_by_hand(new_table, name)
    table.must("dana", "CutDeck", deck="A", cards=17)
    table.must("dana", "LoadDeck", deck="A")
    table.must("dana", "BeginRound")
    first = commitments(table)["commitments"]
    table.must("flo", "OrderRecut", deck="A")
    refused = table.refused("alice", "PlaceWagers", seat=1, stakes=table.least())
    assert refused["clause"] == "G-21"
    assert "CutDeck" in [duty["command"]["kind"] for duty in table.console()["duties"]]
    table.must("dana", "CutDeck", deck="A", cards=11)
    table.must("dana", "LoadDeck", deck="A")
    assert commitments(table)["commitments"] == rotated(first, 11)
    assert [entry.body["cut_cards"] for entry in table.entries("house.OrderFixed")] == [17, 28]
    table.wager("alice")
    for who, kind, more in (
        ("flo", "OrderRecut", {}),
        ("flo", "DirectShuffle", {}),
        ("dana", "CountDeck", {"cards": len(table.game.deck)}),
    ):
        assert table.refused(who, kind, deck="A", **more)["clause"] == "G-21"
    table.must("alice", "WithdrawWagers", seat=1)
    assert table.refused("flo", "OrderRecut", deck="A")["clause"] == "G-21", "a wager was placed on this order"


@pytest.mark.parametrize("name", GAMES)
def test_a_round_that_is_called_off_takes_its_order_with_it(new_table: NewTable, name: str) -> None:
    table = shuffled_by_hand(new_table, name)
    table.must("dana", "CutDeck", deck="A", cards=17)
    table.must("dana", "LoadDeck", deck="A")
    table.must("dana", "BeginRound")
    used = commitments(table)
    table.must("dana", "EndRound")
    assert commitments(table)["decks"] == []
    assert "loaded" in table.refused("dana", "BeginRound")["reason"]
    table.prepare()
    table.must("dana", "BeginRound")
    assert not set(commitments(table)["commitments"]) & set(used["commitments"])


@pytest.mark.parametrize("name", GAMES)
def test_two_decks_have_an_order_each_and_a_round_is_dealt_from_its_own(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN, decks=2).open()
    for deck in ("A", "B"):
        table.must("dana", "ReceiveDeck", deck=deck, preinspected=True, preshuffled=True)
        table.must("dana", "CutDeck", deck=deck, cards=20)
    table.must("dana", "LoadDeck", deck="A")
    table.must("dana", "ShuffleDeck", deck="B", way="device")  # the deck that waits comes out of the shuffler
    first, two = commitments(table)["decks"]
    assert not set(first["commitments"]) & set(two["commitments"])
    for duty in table.game.procedures.two_decks.duties:
        table.must("dana", "ConfirmDuty", duty=duty.id)
    for deck in (first, two):
        if deck is two:
            table.must("dana", "LoadDeck", deck="B")
        table.must("dana", "BeginRound", deck=deck["deck"])
        assert commitments(table)["commitments"] == deck["commitments"]
        while table.live.in_round:
            table.step()
        left = {entry["deck"] for entry in commitments(table)["decks"]}
        assert deck["deck"] not in left
        table.must("dana", "ShuffleDeck", deck=deck["deck"], way="device")


@pytest.mark.parametrize("name", GAMES)
def test_the_exported_record_passes_the_verifier_and_each_change_of_the_order_is_found(
    new_table: NewTable, name: str, tmp_path: Path
) -> None:
    table = shuffled_by_hand(new_table, name)
    table.must("dana", "CutDeck", deck="A", cards=17)
    table.play_round()
    sound = verify(exported(table, tmp_path))
    assert sound.fault is None, sound.fault
    assert sound.rounds == 1
    assert sound.opened > 5
    assert sound.uncommitted == 0

    def cut_elsewhere(entries: list[Entry]) -> None:
        last(entries, "table.DeckCut")["cards"] = 18

    def commit_otherwise(entries: list[Entry]) -> None:
        committed = last(entries, "house.DeckCommitted")["commitments"]
        committed[17], committed[18] = committed[18], committed[17]

    def fix_otherwise(entries: list[Entry]) -> None:
        last(entries, "house.OrderFixed")["cut_cards"] = 18

    def cut_and_fix_elsewhere(entries: list[Entry]) -> None:
        committed = last(entries, "house.DeckCommitted")["commitments"]
        whole = hashlib.sha256("".join(rotated(committed, 18)).encode()).hexdigest()
        last(entries, "table.DeckCut")["cards"] = 18
        last(entries, "house.OrderFixed").update(cut_cards=18, commitment=whole)

    def fix_too_late(entries: list[Entry]) -> None:
        place = next(index for index, entry in enumerate(entries) if entry.kind == "house.OrderFixed")
        wager = next(index for index, entry in enumerate(entries) if entry.kind == "round.WagersPlaced")
        entries.insert(wager, entries.pop(place))

    for change, said in (
        (cut_elsewhere, "fixes an order that differs from the shuffle and cuts of deck A"),
        (commit_otherwise, "fixes an order that differs from the shuffle and cuts of deck A"),
        (fix_otherwise, "fixes an order that differs from the shuffle and cuts of deck A"),
        (cut_and_fix_elsewhere, "not the card committed there"),
        (fix_too_late, "before the order of its deck is fixed"),
    ):
        found = verify(exported(table, tmp_path, change)).fault
        assert found is not None, change.__name__
        assert said in found


@pytest.mark.parametrize("name", GAMES)
def test_after_every_round_a_drawn_deck_is_shuffled_before_it_is_dealt_again(new_table: NewTable, name: str) -> None:
    table = shuffled_by_hand(new_table, name)
    table.must("dana", "CutDeck", deck="A", cards=17)
    table.play_round()
    used = table.entries("house.DeckCommitted")[-1].body
    assert commitments(table)["decks"] == []
    assert table.refused("dana", "LoadDeck", deck="A")
    assert table.refused("dana", "BeginRound")
    table.must("dana", "ShuffleDeck", deck="A", way="manual")
    assert table.entries("table.DeckShuffled")[-1].clause == table.game.procedures.shuffling.after_round_cite
    anew = deck_of(table)
    assert anew["shuffle"] != used["shuffle"]
    assert not set(anew["commitments"]) & set(used["commitments"])


@pytest.mark.parametrize("name", GAMES)
def test_a_drawn_deck_shuffled_by_hand_or_received_shuffled_is_cut_and_one_from_the_shuffler_is_not(
    new_table: NewTable, name: str
) -> None:
    table = shuffled_by_hand(new_table, name)
    cutting = table.game.procedures.cutting
    assert table.refused("dana", "LoadDeck", deck="A")["clause"] == cutting.required_cite
    assert table.refused("dana", "CutDeck", deck="A", cards=9)["clause"] == cutting.cite
    assert deck_of(table)["cut_cards"] == 0, "a cut that was refused moves nothing"

    table = new_table(name, DRAWN).open()
    table.must("dana", "ReceiveDeck", deck="A", preinspected=True, preshuffled=True)
    assert table.refused("dana", "LoadDeck", deck="A")["clause"] == cutting.required_cite
    table.must("dana", "CutDeck", deck="A", cards=15)
    table.must("flo", "DirectShuffle", deck="A")
    table.must("dana", "ShuffleDeck", deck="A", way="device")
    assert table.refused("dana", "CutDeck", deck="A", cards=15)["clause"] == cutting.uncut_cite
    table.must("dana", "LoadDeck", deck="A")
    assert deck_of(table)["cut_cards"] == 0
