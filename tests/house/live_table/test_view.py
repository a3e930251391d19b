"""What people see of a running table: their own cards, face-up cards, and nothing that depends on the rest."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from house.floors import Floor, run
from pitboss.cards.deck import Card, face
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_view import LiveTableView, view
from pitboss.round import decide, legal_actions
from pitboss.round.commands import Act
from pitboss.round.events import WagersSettled
from pitboss.round.state import ASKING, WAGERING, Round
from pitboss.rules.dealing import BOARD
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.settlement import WIN

PEOPLE = ("alice", "bob", None)


async def moments(name: str, steps: int, seed: int) -> list[tuple[Floor, LiveTable]]:
    floor = Floor(seed)
    await floor.open("t", name)
    await floor.sit("t", "alice", 1)
    await floor.sit("t", "bob", 2)
    found = []
    for _ in range(steps):
        if not await floor.act("t"):
            await floor.step("t")
        found.append((floor, floor.house.live("t")))
    return found


def hidden_from(play: Round, person: str | None, live: LiveTable) -> set[Card]:
    own = live.seats_of(person) if person else ()
    found = set()
    for place, cards in play.cards.items():
        if place in own:
            continue
        shown = play.face_up.get(place, 0)
        kept = play.discards.get(place) if isinstance(place, int) else None
        found |= {card for index, card in enumerate(cards) if index >= shown or card == kept or place == "burn"}
    return found


def shown_faces(seen: LiveTableView) -> list[str]:
    places = [*seen.cards.values(), *(seat.cards for seat in seen.seats)]
    found = [card for cards in places for card in cards if card is not None]
    return [*found, *(seat.discard for seat in seen.seats if seat.discard), *(face(Card(o.card)) for o in seen.opened)]


@pytest.mark.parametrize("name", game_names())
def test_no_view_holds_a_card_its_viewer_may_not_see(name: str) -> None:
    checked = 0
    for floor, live in run(moments(name, 70, 3)):
        if live.play is None:
            continue
        sealer = floor.house.reading.opener(live.round, live.key)
        for person in PEOPLE:
            seen = view(live, person, sealer)
            hidden = hidden_from(live.play, person, live)
            visible = {card for cards in live.play.cards.values() for card in cards} - hidden
            allowed = sorted(map(face, visible))
            for shown_face in shown_faces(seen):
                assert shown_face in allowed
            committed = sorted(visible, key=live.positions.__getitem__) if live.commitments else []
            assert [opening.card for opening in seen.opened] == committed
            checked += len(hidden)
    assert checked > 100


@pytest.mark.parametrize("name", game_names())
def test_other_hidden_cards_make_no_difference_to_what_is_seen(name: str) -> None:
    chance = random.Random(9)
    compared = 0
    for _, live in run(moments(name, 70, 4)):
        play = live.play
        if play is None or live.terms is None:
            continue
        for person in PEOPLE:
            hidden = sorted(hidden_from(play, person, live))
            unseen = [card for card in live.terms.settings.game.deck.cards if card not in play.drawn]
            if not hidden or len(unseen) < len(hidden) or play.results:
                continue
            other = dict(zip(hidden, chance.sample(unseen, len(hidden)), strict=True))
            swapped = play._replace(
                cards={place: tuple(other.get(card, card) for card in cards) for place, cards in play.cards.items()},
                discards={seat: other.get(card, card) for seat, card in play.discards.items()},
            )
            masked = live._replace(play=swapped, order=None)
            assert replace(view(live, person), commitment="") == view(masked, person)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_takes_a_seat_after_a_round_sees_nothing_of_its_last_hand(name: str) -> None:
    async def after_a_round() -> tuple[Floor, LiveTable]:
        floor = Floor(1)
        await floor.open("t", name)
        await floor.sit("t", "alice", 1)
        while not floor.house.live("t").last_round or floor.house.live("t").in_round:
            play = floor.house.live("t").play
            if play is not None and play.phase == WAGERING and not play.players:
                required = [wager for wager in play.rules.game.wagers if wager.required and not wager.by_action]
                stakes = {wager.name: 10_00 for wager in required}
                await floor.must("t", "alice", "player", commands.PlaceWagers(seat=1, stakes=stakes))
            elif play is not None and play.phase == ASKING:
                least = next(
                    legal_action.name for legal_action in legal_actions(play) if legal_action.name in ("check", "fold")
                )
                await floor.must("t", "alice", "player", commands.Act(seat=1, action=least))
            else:
                await floor.step("t")
        assert any(card is None for card in view(floor.house.live("t"), None).seats[0].cards)
        await floor.must("t", "alice", "player", commands.LeaveSeat(seat=1))
        for person in ("alice", None):
            assert view(floor.house.live("t"), person).seats == ()
        await floor.sit("t", "mallory", 1)
        return floor, floor.house.live("t")

    floor, live = run(after_a_round())
    assert live.play is not None
    assert live.play.players[1] == "alice"
    seen = view(live, "mallory", floor.house.reading.opener(live.round, live.key))
    seat = seen.seats[0]
    assert (seat.player, seat.cards, seat.discard, seat.results) == ("mallory", (), None, ())
    assert seat.stack_cents
    hidden = hidden_from(live.play, None, live) & set(live.play.cards[1])
    assert hidden
    assert not hidden & {Card(opening.card) for opening in seen.opened}


@pytest.mark.parametrize("name", game_names())
def test_a_hand_is_named_only_to_its_owner_once_the_owner_sees_all_its_cards(name: str) -> None:
    told = 0
    for _, live in run(moments(name, 70, 5)):
        play = live.play
        if play is None or play.results:
            continue
        game = play.rules.game
        for person, seat in (("alice", 1), ("bob", 2)):
            if play.players.get(seat) != person:
                continue
            own, *others = (
                next(other.hand for other in view(live, somebody).seats if other.seat == seat)
                for somebody in (person, *(other for other in PEOPLE if other != person))
            )
            assert others == [None, None]
            discards = any(action.discards for ask in play.rules.actions.values() for action in ask.values())
            is_whole = len(play.cards.get(seat, ())) == game.cards_each and (seat in play.discards or not discards)
            is_open = play.face_up.get(BOARD, 0) == game.table_cards.get(BOARD, 0)
            assert (own is not None) == (is_whole and is_open and play.status[seat] != FOLDED)
            told += own is not None
    assert told


@pytest.mark.parametrize("name", game_names())
def test_the_hand_that_is_named_before_is_the_hand_that_is_settled(name: str) -> None:
    before: dict[tuple[str, int], str] = {}
    compared = 0
    for _, live in run(moments(name, 70, 6)):
        for seat in view(live, "alice").seats:
            key = (live.round, seat.seat)
            if seat.player != "alice" or seat.hand is None:
                continue
            if not seat.results:
                before[key] = seat.hand
            elif key in before:
                assert seat.hand == before[key]
                compared += 1
    assert compared


def test_a_claim_is_offered_only_to_a_player_whose_cards_support_it() -> None:
    games = [name for name in game_names() if claims_of(RulesInForce(game(name)))]
    assert games
    for name in games:
        asked = next(live for _, live in run(moments(name, 70, 7)) if live.play and live.play.seat_asked)
        play = asked.play
        assert play is not None
        assert play.seat_asked is not None
        person, hand, cards = play.players[play.seat_asked], play.rules.game.cards_each, play.rules.game.deck.cards
        found = {True: 0, False: 0}
        for held in combinations(random.Random(1).sample(cards, 26), hand):
            swapped = play._replace(cards={**play.cards, play.seat_asked: held})
            (claim,) = claims_of(play.rules)
            settled = decide(swapped, Act(play.seat_asked, claim))
            assert isinstance(settled, tuple), "whoever speaks at the table is judged, rightly or wrongly"
            (ends,) = (event for event in settled if isinstance(event, WagersSettled))
            is_true = any(result.result == WIN for result in ends.results)
            seen = view(asked._replace(play=swapped, order=None), person)
            assert (claim in seen.actions) == is_true
            assert set(seen.actions) | {claim} == {legal_action.name for legal_action in legal_actions(swapped)}
            found[is_true] += 1
        assert all(found.values())


def claims_of(rules: RulesInForce) -> list[str]:
    return [item.name for ask in rules.actions.values() for item in ask.values() if item.settles_at_once]


def test_only_the_viewers_own_chips_are_counted_out() -> None:
    _, live = run(moments(game_names()[0], 5, 1))[-1]
    stacks = {seat.player: seat.stack_cents for seat in view(live, "alice").seats}
    assert stacks["alice"] is not None
    assert stacks["bob"] is None
    assert all(seat.stack_cents is None for seat in view(live, None).seats)
