"""What a view says about a round besides its cards: the dealer's shown hand, actions, and who sits out."""

import hashlib
from dataclasses import replace

import pytest

from house.floors import Floor, run
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.live_table.state import ROUNDS_TIMED, LiveTable
from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.house.live_table.table_view import SeatSeen, view
from pitboss.round.state import WAGERING
from pitboss.rules.dealing import BOARD, DEALER

STEPS = 120


async def played(name: str) -> tuple[Floor, list[LiveTable]]:
    floor = Floor(7)
    await floor.open("t", name)
    for seat, player in enumerate(("alice", "bob", "carol"), start=1):
        await floor.sit("t", player, seat)
    found = []
    for _ in range(STEPS):
        if not await floor.act("t"):
            await floor.step("t")
        found.append(floor.house.live("t"))
    return floor, found


def seat_of(live: LiveTable, seat: int) -> SeatSeen:
    return next(other for other in view(live, None).seats if other.seat == seat)


@pytest.mark.parametrize("name", game_names())
def test_the_dealers_hand_is_named_only_when_all_its_cards_are_face_up(name: str) -> None:
    sizes = game(name).table_cards
    told = untold = 0
    for live in run(played(name))[1]:
        if live.play is None:
            continue
        seen = view(live, None)
        shown = [seen.cards.get(place, ()) for place in (DEALER, BOARD) if place in sizes]
        is_shown = DEALER in sizes and sum(map(len, shown)) == sum(sizes.get(item, 0) for item in (DEALER, BOARD))
        if is_shown and all(card is not None for cards in shown for card in cards):
            read = live.play.rules.game.readings.dealer(live.play.table_cards(), live.play.rules.options)
            assert (seen.dealer_hand, seen.dealer_qualifies) == (read.hand, read.qualifies)
            told += 1
        else:
            assert (seen.dealer_hand, seen.dealer_qualifies) == (None, None)
            untold += 1
    assert untold > 10
    assert bool(told) == (DEALER in sizes)


@pytest.mark.parametrize("name", game_names())
def test_answers_are_listed_in_order_and_start_over_with_each_round(name: str) -> None:
    floor, live_tables = run(played(name))
    taken: dict[int, list[str]] = {}
    entries = {entry.sequence: entry for entry in floor.store.read("table/t")}
    before, checked = 0, 0
    for live in live_tables:
        for sequence in range(before + 1, live.head.sequence + 1):
            entry = entries[sequence]
            if entry.kind == "house.RoundBegun":
                taken = {}
            elif entry.kind == "round.ActionTaken":
                taken.setdefault(int(entry.body["seat"]), []).append(str(entry.body["action"]))
        before = live.head.sequence
        for seat in (1, 2, 3):
            assert seat_of(live, seat).acted == tuple(taken.get(seat, ()))
            checked += len(taken.get(seat, ()))
    assert checked


def test_a_seated_player_without_a_wager_in_play_sits_out() -> None:
    live = next(
        item for item in run(played(game_names()[0]))[1] if item.play and item.in_round and item.play.phase != WAGERING
    )
    assert not seat_of(live, 1).sitting_out
    late = live._replace(seats={**live.seats, 5: "dora"})
    assert seat_of(late, 5).sitting_out
    assert not seat_of(late._replace(in_round=False), 5).sitting_out


def test_the_round_before_is_named_and_the_last_rounds_are_timed() -> None:
    floor, live_tables = run(played(game_names()[0]))
    rounds = list(dict.fromkeys(live_table.round for live_table in live_tables if live_table.round))
    assert len(rounds) > 2
    for live in live_tables:
        if live.round:
            place = rounds.index(live.round)
            assert view(live, None).last_round == (rounds[place - 1] if place else None)
    begun = [entry.at for entry in floor.store.read("table/t") if entry.kind == "house.RoundBegun"]
    assert live_tables[-1].begun == tuple(begun[-ROUNDS_TIMED:])


def test_one_commitment_stands_for_the_whole_deck() -> None:
    live = next(item for item in run(played(game_names()[0]))[1] if item.commitments)
    told = view(live, None).commitment
    assert told == hashlib.sha256("".join(live.commitments).encode()).hexdigest() == commitment_of(live.commitments)
    assert live.order is not None
    changed = (*live.commitments[:-1], live.commitments[0])
    other = live._replace(order=live.order._replace(commitments=changed))
    assert view(other, None) == replace(view(live, None), commitment=commitment_of(other.commitments))
    assert view(other, None).commitment != told
    assert view(live._replace(order=None), None).commitment == ""


def test_a_snapshot_keeps_what_was_called_out() -> None:
    floor, live_tables = run(played(game_names()[0]))
    reading = floor.house.reading
    answered = [live_table for live_table in live_tables if live_table.play is not None and live_table.play.acted]
    assert answered
    for live in answered[:3]:
        again = table_from_data(table_to_data(live), reading)
        assert view(again, None) == view(live, None)
        assert again.begun == live.begun
