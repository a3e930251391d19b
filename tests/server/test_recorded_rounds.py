"""Rounds in the record: found newest first, page by page, and played over to what everybody saw at the time."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.evolve import Reading
from pitboss.house.replay import DamagedRecord, recall, rounds_of
from pitboss.record.entries import canonical
from pitboss.record.evidence import UnknownRound
from pitboss.record.seal import round_seal
from pitboss.round import view
from pitboss.round.state import Round
from pitboss.server import recorded_rounds as recorded
from pitboss.server.narrator import told
from pitboss.server.recorded_rounds import PlayedStep, Wanted, played_over, search, segment_of
from pitboss.server.routes.rounds import _is_at_the_table, _own_step

PEOPLE = (("alice", 1), ("bob", 2), ("carol", 5))


def reading_of(floor: Floor) -> Reading:
    return Reading(read_terms, lambda one, key: round_seal(floor.keyring, one))


def bare(state: Round | None) -> dict[str, Any]:
    """Return a round's state but for its rules, which are equal and not the same."""
    assert state is not None
    return {name: value for name, value in state._asdict().items() if name != "rules"}


async def played(name: str, count: int, tables: tuple[str, ...] = ("t",), seed: int = 1) -> Floor:
    floor = Floor(seed)
    for table in tables:
        await floor.open(table, name)
        for person, seat in PEOPLE:
            await floor.sit(table, f"{person}-{table}" if len(tables) > 1 else person, seat)
    for _ in range(count):
        for table in tables:
            await floor.rounds(table, 1)
    return floor


@pytest.mark.parametrize("name", game_names())
def test_a_round_alone_is_played_over_as_the_whole_record_plays_it(name: str) -> None:
    floor = run(played(name, 5))
    entries = tuple(floor.store.read("table/t"))
    for one in rounds_of(entries, 5):
        alone, whole = played_over(floor.store, one, reading_of(floor)), recall(entries, one, read_terms)
        assert alone.is_over
        assert alone.disagreements() == ()
        assert [step.entry for step in alone.steps] == [step.entry for step in whole.steps]
        assert [bare(step.play) for step in alone.steps] == [bare(step.live.play) for step in whole.steps]
        assert [alone.cards(step) for step in alone.steps] == [
            {place: list(cards) for place, cards in whole.cards(step).items()} for step in whole.steps
        ]


def with_other_hidden_cards(step: PlayedStep, seat: int) -> PlayedStep | None:
    """Return a step in which whatever lies face down to a seat is another card, or None where nothing does."""
    play = step.play
    spare = [card for card in play.rules.game.deck.cards if card not in play.drawn]
    cards, discards = dict(play.cards), dict(play.discards)
    for place, held in play.cards.items():
        if place == seat:
            continue
        shown = play.face_up.get(place, 0)
        hidden = list(held[shown:]) if isinstance(place, str) or not shown else []
        if isinstance(place, int) and shown:
            hidden = [card for card in held if card == discards.get(place)]
        swapped = {card: spare.pop() for card in hidden if spare}
        cards[place] = tuple(swapped.get(card, card) for card in held)
        if place in discards:
            discards[place] = swapped.get(discards[place], discards[place])
    if cards == dict(play.cards):
        return None
    return step._replace(play=play._replace(cards=cards, discards=discards))


@pytest.mark.parametrize("name", game_names())
def test_what_a_player_is_told_of_a_round_holds_nothing_that_was_hidden(name: str) -> None:
    floor = run(played(name, 3))
    compared = seen_by_another = 0
    for one in rounds_of(floor.store.read("table/t"), 3):
        found = played_over(floor.store, one, reading_of(floor))
        for _, seat in PEOPLE:
            for step in filter(_is_at_the_table, found.steps):
                other = with_other_hidden_cards(step, seat)
                if other is None:
                    continue
                compared += 1
                assert _own_step(found, step, (seat,)) == _own_step(found, other, (seat,))
                rest = [place for place, _ in enumerate(step.play.seats, 1) if place != seat]
                seen_by_another += any(
                    _own_step(found, step, (place,)) != _own_step(found, other, (place,)) for place in rest
                )
    assert compared > 20
    assert seen_by_another > 10, "whoever may see a card that was changed is told of another"


@pytest.mark.parametrize("name", game_names())
def test_what_is_told_depends_on_no_hidden_card(name: str) -> None:
    floor = run(played(name, 4))
    kinds: set[str] = set()
    for one in rounds_of(floor.store.read("table/t"), 4):
        for step in played_over(floor.store, one, reading_of(floor)).steps:
            said = told(step.entry, step.event, step.play.rules)
            kinds.add(step.entry.kind)
            assert said
            assert said[0].isupper() or said[0].isdigit()
            names = set(said.replace(",", " ").replace(":", " ").split())
            assert not names & set(map(str, step.play.rules.game.deck.cards)), said
    assert {"house.RoundBegun", "round.CardsDealt", "round.WagersSettled", "house.RoundEnded"} <= kinds


def everything(floor: Floor, wanted: Wanted, most: int, scanned: int = 10**9) -> Iterator[recorded.Summary]:
    while True:
        page = search(floor.store, wanted, most, scanned)
        assert len(page.rounds) <= most
        yield from page.rounds
        if page.next is None:
            return
        wanted = wanted._replace(before=page.next)


@pytest.mark.parametrize("window", [7, 60, 4_000])
def test_a_search_gives_every_round_once_newest_first(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(recorded, "WINDOW", window)
    floor = run(played(game_names()[0], 6, ("a", "b")))
    names = [one for table in "ab" for one in rounds_of(floor.store.read(f"table/{table}"), 99)]
    for most in (1, 5, 100):
        found = list(everything(floor, Wanted(), most))
        assert sorted(one.round for one in found) == sorted(names)
        assert [one.at for one in found] == sorted((one.at for one in found), reverse=True)
    few = list(everything(floor, Wanted(table="b"), 4, scanned=1))
    assert {one.table for one in few} == {"b"}
    assert len(few) == 6


def test_a_search_by_time_player_and_outcome_gives_what_fits() -> None:
    floor = run(played(game_names()[0], 5, ("a", "b")))
    every = list(everything(floor, Wanted(), 100))
    middle = every[4]
    since = [one.round for one in everything(floor, Wanted(since=middle.at), 3)]
    until = [one.round for one in everything(floor, Wanted(until=middle.at), 3)]
    assert since == [one.round for one in every[:5]]
    assert until == [one.round for one in every[4:]]
    mine = list(everything(floor, Wanted(player="bob-a"), 100))
    assert {one.table for one in mine} == {"a"}
    assert len(mine) == 5
    assert not search(floor.store, Wanted(player="nobody"), 5).rounds
    assert not search(floor.store, Wanted(table="nowhere"), 5).rounds
    assert not search(floor.store, Wanted(outcome="void"), 5).rounds


@pytest.mark.parametrize("name", game_names())
def test_a_summary_has_the_money_of_the_round(name: str) -> None:
    floor = run(played(name, 6))
    for one in everything(floor, Wanted(), 100):
        end = played_over(floor.store, one.round, reading_of(floor)).steps[-1].play
        assert one.players == dict(end.players)
        assert one.outcome == end.outcome == "settled"
        assert one.ended_at is not None
        for seat in end.seats:
            seen = next(shown for shown in view(end).seats if shown.seat == seat)
            assert one.stakes[seat] == end.seat_stakes(seat)
            assert one.nets[seat] == sum(result.net for result in seen.results) + seen.envy_cents


def test_an_unknown_round_is_unknown() -> None:
    floor = run(played(game_names()[0], 1))
    for name in ("t-99-ffff", "x-1-00", "nothing", ""):
        with pytest.raises(UnknownRound):
            segment_of(floor.store, name)


class Rewritten:
    """A record in which one entry's body was written otherwise."""

    def __init__(self, floor: Floor, kind: str, change: dict[str, Any]) -> None:
        self._store, self._kind, self._change = floor.store, kind, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def lines(self, *where: Any, **rest: Any) -> Iterator[str]:
        for line in self._store.lines(*where, **rest):
            data = json.loads(line)
            if data["kind"] == self._kind:
                data["body"].update(self._change)
            yield canonical(data)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("round.CardsDealt", {"cards": [{"position": 0, "sealed": "00"}]}),
        ("round.WagersPlaced", {"stakes": "many"}),
        ("house.RoundBegun", {"key": None, "round": 7}),
    ],
)
def test_a_round_that_cannot_be_followed_is_said_to_be_damaged(kind: str, change: dict[str, Any]) -> None:
    floor = run(played(game_names()[0], 1))
    one = rounds_of(floor.store.read("table/t"), 1)[0]
    store: Any = Rewritten(floor, kind, change)
    with pytest.raises(DamagedRecord, match=one):
        played_over(store, one, reading_of(floor))
