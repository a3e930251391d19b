"""A round's cards: dealing, the stub and its count, the rack."""

import pytest

from pitboss.round.events import SETTLED
from pitboss.rules.dealing import AUTOMATED_SHOE, METHODS
from pitboss.rules.game import GameDefinition
from pitboss.rules.irregularity import (
    KEEP,
    REMOVE,
    RESHUFFLE,
    STUB_COUNT_MISDEALT,
    STUB_COUNT_MISDEALT_AND_SHORT,
    STUB_COUNT_WRONG,
    VOID,
)
from pitboss.table.commands import (
    DEVICE,
    CloseRound,
    ConfirmDuty,
    CountDeck,
    CountStub,
    DirectShuffle,
    FindMisdeal,
    OpenRound,
    RackStub,
    ReadDeviceCount,
    ReceiveDeck,
    RemoveDeck,
    ReportDealt,
    ShuffleDeck,
)
from pitboss.table.conditions import round_duties
from pitboss.table.events import DeckRemoved, RoundClosed, StubCounted
from pitboss.table.rack import Racked, cards_in, hands
from pitboss.table.settings import CONTINUOUS, COUNTING, PLAIN
from pitboss.table.state import LOADED, RACKED, STACKED
from table.driver import A_PLAYER, PICKUP, THE_FLOOR, Driver, ready, table


def stub_of(driver: Driver) -> int:
    assert driver.state.round is not None
    return len(driver.state.settings.game.deck) - driver.state.round.dealt


@pytest.mark.parametrize("method", METHODS)
def test_a_round_is_played_with_every_way_of_dealing(game: GameDefinition, method: str) -> None:
    driver = ready(game, dealing=method, shuffler=PLAIN)
    driver.play()
    assert driver.deck().stage == RACKED
    assert cards_in(driver.state.rack) == len(game.deck)
    assert all(event.clause for event in driver.events)
    driver.load()
    assert driver.state.rack == ()
    driver.play()


def test_a_round_opens_on_a_loaded_deck_and_one_at_a_time(game: GameDefinition) -> None:
    driver = table(game)
    driver.open_deck()
    driver.refused(OpenRound, round="r", deck="A")
    driver.refused(OpenRound, round="r", deck="B")
    driver.load()
    driver.refused(OpenRound, A_PLAYER, round="r", deck="A")
    (opened,) = driver.do(OpenRound, round="r", deck="A")
    assert opened.clause == game.bets.cite
    driver.refused(OpenRound, round="s", deck="A")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (ReportDealt, {"cards": 1}),
        (RackStub, {}),
        (CountStub, {"cards": 1}),
        (FindMisdeal, {"misdealt": True, "cards_in_deck": 52}),
        (CloseRound, {"ended": SETTLED}),
    ],
)
def test_nothing_of_a_round_without_a_round(game: GameDefinition, kind: type, fields: dict[str, object]) -> None:
    assert "No round is open" in ready(game).refused(kind, **fields).reason


def test_no_more_cards_are_dealt_than_the_deck_holds(game: GameDefinition) -> None:
    driver = ready(game)
    driver.do(OpenRound, round="r", deck="A")
    for cards in (0, -1, len(game.deck) + 1):
        driver.refused(ReportDealt, cards=cards)
    driver.refused(ReportDealt, A_PLAYER, cards=3)
    driver.do(ReportDealt, cards=len(game.deck) - 1)
    driver.refused(ReportDealt, cards=2)
    driver.do(ReportDealt, cards=1)
    driver.do(RackStub)
    assert driver.state.rack == (Racked("stub", 0),)


def test_the_stub_is_racked_before_the_hands_and_ends_the_dealing(game: GameDefinition) -> None:
    driver = ready(game)
    driver.do(OpenRound, round="r", deck="A")
    driver.refused(RackStub)
    driver.refused(CountStub, cards=3)
    driver.do(ReportDealt, cards=9)
    driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP)
    driver.refused(RackStub, A_PLAYER)
    (racked,) = driver.do(RackStub)
    stub = next(duty for duty in game.procedures.dealing[driver.state.method] if duty.id == "stub")
    assert racked.clause == stub.cite
    assert driver.refused(ReportDealt, cards=1).clause == stub.cite
    driver.refused(RackStub)
    driver.refused(CountStub, cards=1)
    driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)


def test_every_hand_can_be_put_together_from_the_rack(game: GameDefinition) -> None:
    driver = ready(game)
    cards = game.deck.cards
    driver.deal()
    driver.do(RackStub)
    pickup = (Racked(6, 3, cards[:3]), Racked(2, 3, cards[3:6]), Racked("dealer", 2, cards[6:8]), Racked("burn", 1))
    (closed,) = driver.do(CloseRound, ended=SETTLED, pickup=pickup)
    assert [pile.place for pile in driver.state.rack] == ["stub", 6, 2, "dealer", "burn"]
    assert hands(driver.state.rack)[2] == cards[3:6]
    assert hands(driver.state.rack)["dealer"] == cards[6:8]
    assert closed.clause == driver.state.settings.rules.settle.pickup_cite


@pytest.mark.parametrize(
    "pickup",
    [
        (),
        (Racked(1, 8),),
        (Racked(1, 10),),
        (Racked(1, 4), Racked(1, 5)),
        (Racked(1, 4), Racked("stub", 5)),
        (Racked(1, 10), Racked(2, -1)),
    ],
)
def test_a_round_is_not_settled_while_its_cards_are_not_in_the_rack(
    game: GameDefinition, pickup: tuple[Racked, ...]
) -> None:
    driver = ready(game)
    driver.deal()
    driver.do(RackStub)
    refusal = driver.refused(CloseRound, ended=SETTLED, pickup=pickup)
    assert refusal.clause == driver.state.settings.rules.settle.pickup_cite


def test_a_rack_holds_no_card_twice_and_no_foreign_one(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    driver.do(RackStub)
    cards = game.deck.cards
    for hand in ((*cards[:8], cards[0]), (*cards[:8], "10h"), cards[:8]):
        driver.refused(CloseRound, ended=SETTLED, pickup=(Racked(1, 9, hand),))
    driver.do(CloseRound, ended=SETTLED, pickup=(Racked(1, 9, cards[:9]),))


def test_a_round_ends_settled_or_void_and_a_deck_is_kept_reshuffled_or_removed(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    driver.refused(CloseRound, ended="bored")
    driver.refused(CloseRound, ended=VOID, fate="eaten")
    driver.refused(CloseRound, A_PLAYER, ended=VOID)


def test_hands_picked_up_after_a_void_are_those_that_were_dealt(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    driver.refused(CloseRound, ended=VOID, pickup=(Racked(1, 8),))
    driver.do(CloseRound, ended=VOID, pickup=(Racked(1, 9),))
    assert driver.state.rack == (Racked("stub", len(game.deck) - 9), Racked(1, 9))


@pytest.mark.parametrize("fate", [KEEP, RESHUFFLE])
def test_after_a_void_the_cards_are_shuffled_again(game: GameDefinition, fate: str) -> None:
    driver = ready(game)
    driver.deal()
    (closed,) = driver.do(CloseRound, ended=VOID, fate=fate, clause="Ch. 13 §B")
    assert closed.clause == "Ch. 13 §B"
    assert driver.deck().stage == RACKED
    driver.load()
    driver.play()


def test_a_void_may_remove_the_deck(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    closed, removed = driver.do(CloseRound, ended=VOID, fate=REMOVE, clause="§14(c)")
    assert isinstance(closed, RoundClosed)
    assert isinstance(removed, DeckRemoved)
    assert driver.state.decks == ()
    assert driver.state.rack == ()


def test_a_round_without_cards_is_called_off_and_the_deck_stays_ready(game: GameDefinition) -> None:
    driver = ready(game)
    driver.do(OpenRound, round="r", deck="A")
    driver.refused(CloseRound, ended=SETTLED)
    driver.refused(RemoveDeck, deck="A")
    driver.do(CloseRound, ended=VOID)
    assert driver.deck().stage == LOADED
    driver.do(OpenRound, round="s", deck="A")
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE)
    assert driver.deck().stage == STACKED
    assert driver.state.rounds_since_count == 0


def test_the_stub_is_counted_in_the_fifth_round(game: GameDefinition) -> None:
    driver = ready(game)
    count = game.procedures.stub[driver.state.method]
    for name in "1234":
        driver.play(name=name)
        driver.load()
    assert not [event for event in driver.events if isinstance(event, StubCounted)]
    driver.deal(name="5")
    assert driver.refused(RackStub).clause == count.cite
    assert driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP).clause == count.cite
    driver.refused(CountStub, A_PLAYER, cards=stub_of(driver))
    driver.refused(CountStub, cards=-1)
    (counted,) = driver.do(CountStub, cards=stub_of(driver))
    assert isinstance(counted, StubCounted)
    assert counted.right
    assert counted.clause == count.right_cite
    assert driver.state.rack == (Racked("stub", len(game.deck) - 9),)
    driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    assert driver.state.rounds_since_count == 0


def test_a_count_made_early_restarts_the_five_rounds(game: GameDefinition) -> None:
    driver = ready(game)
    driver.play()
    driver.load()
    driver.deal()
    driver.do(CountStub, cards=stub_of(driver))
    driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    for _ in range(4):
        driver.load()
        driver.play()
    assert len([event for event in driver.events if isinstance(event, StubCounted)]) == 1
    driver.load()
    driver.deal()
    driver.refused(RackStub)


def test_a_counting_shuffler_takes_the_place_of_the_count(game: GameDefinition) -> None:
    driver = ready(game, shuffler=COUNTING)
    for _ in range(12):
        driver.play()
        driver.load()
    assert not [event for event in driver.events if isinstance(event, StubCounted)]


def test_a_self_shuffling_device_takes_the_place_of_the_count(self_shuffling_game: GameDefinition) -> None:
    driver = ready(self_shuffling_game, dealing=AUTOMATED_SHOE, shuffler=CONTINUOUS)
    for _ in range(7):
        driver.play()
        driver.load()
    assert not [event for event in driver.events if isinstance(event, StubCounted)]


def test_a_plain_shuffler_does_not(game: GameDefinition) -> None:
    driver = ready(game, shuffler=PLAIN)
    for _ in range(5):
        driver.play()
        driver.load()
    assert len([event for event in driver.events if isinstance(event, StubCounted)]) == 1


def five_rounds_uncounted(game: GameDefinition) -> Driver:
    driver = ready(game)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE)
    return driver


def test_no_round_opens_while_a_count_is_overdue(game: GameDefinition) -> None:
    driver = five_rounds_uncounted(game)
    driver.load()
    count = game.procedures.stub[driver.state.method]
    assert driver.refused(OpenRound, round="6", deck="A").clause == count.cite
    driver.refused(CountDeck, A_PLAYER, deck="A", cards=len(game.deck))
    driver.do(CountDeck, deck="A", cards=len(game.deck))
    assert driver.deck().stage == STACKED
    driver.load()
    driver.do(OpenRound, round="6", deck="A")


def test_a_racked_deck_may_be_counted_whole(game: GameDefinition) -> None:
    driver = five_rounds_uncounted(game)
    driver.do(CountDeck, deck="A", cards=len(game.deck))
    assert driver.state.rack == ()
    driver.load()
    driver.play()


def test_a_whole_deck_miscounted_is_removed(game: GameDefinition) -> None:
    driver = five_rounds_uncounted(game)
    counted, removed = driver.do(CountDeck, deck="A", cards=len(game.deck) - 1)
    assert counted.clause == removed.clause == game.procedures.stub[driver.state.method].wrong_cite
    assert driver.state.decks == ()
    driver.refused(CountDeck, deck="A", cards=1)


def test_a_deck_that_is_not_opened_is_not_counted(game: GameDefinition) -> None:
    driver = table(game)
    driver.do(ReceiveDeck, deck="A")
    driver.refused(CountDeck, deck="A", cards=len(game.deck))


def disputed(game: GameDefinition, method: str) -> Driver:
    driver = ready(game, dealing=method, shuffler=PLAIN)
    driver.deal()
    (counted,) = driver.do(CountStub, cards=stub_of(driver) - 1)
    assert isinstance(counted, StubCounted)
    assert not counted.right
    assert counted.clause == game.procedures.stub[method].check_cite
    return driver


@pytest.mark.parametrize("method", METHODS)
def test_misdealt_from_a_complete_deck_voids_the_round_and_reshuffles(game: GameDefinition, method: str) -> None:
    driver = disputed(game, method)
    count = game.procedures.stub[method]
    driver.refused(FindMisdeal, A_PLAYER, misdealt=True, cards_in_deck=len(game.deck))
    (ruled,) = driver.do(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))
    assert (ruled.irregularity, ruled.fate) == (STUB_COUNT_MISDEALT, RESHUFFLE)
    assert ruled.clause == count.misdealt_cite
    assert driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP).clause == count.misdealt_cite
    assert driver.refused(CloseRound, ended=VOID, fate=REMOVE).clause == count.misdealt_cite
    driver.do(CloseRound, ended=VOID, fate=RESHUFFLE, pickup=(Racked(1, 10),))
    assert driver.deck().stage == RACKED
    driver.load()
    driver.play()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("misdealt", [True, False])
def test_an_incomplete_deck_voids_the_round_and_leaves(game: GameDefinition, method: str, misdealt: bool) -> None:
    driver = disputed(game, method)
    count = game.procedures.stub[method]
    (ruled,) = driver.do(FindMisdeal, misdealt=misdealt, cards_in_deck=len(game.deck) - 1)
    kind = STUB_COUNT_MISDEALT_AND_SHORT if misdealt else STUB_COUNT_WRONG
    assert (ruled.irregularity, ruled.fate) == (kind, REMOVE)
    assert ruled.clause == count.wrong_cite
    driver.refused(CloseRound, ended=VOID, fate=RESHUFFLE)
    closed, removed = driver.do(CloseRound, ended=VOID, fate=REMOVE)
    assert closed.clause == removed.clause == count.wrong_cite
    assert driver.state.decks == ()


def test_a_wrong_count_is_explained_before_the_round_closes(game: GameDefinition) -> None:
    driver = disputed(game, AUTOMATED_SHOE)
    check = game.procedures.stub[AUTOMATED_SHOE].check_cite
    assert driver.refused(CloseRound, ended=VOID).clause == check
    driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP)
    driver.refused(ReportDealt, cards=1)
    driver.refused(RackStub)


def test_a_complete_deck_and_right_hands_call_for_a_recount(game: GameDefinition) -> None:
    driver = disputed(game, AUTOMATED_SHOE)
    driver.refused(FindMisdeal, misdealt=False, cards_in_deck=len(game.deck))
    driver.do(CountStub, cards=stub_of(driver))
    driver.refused(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))
    driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)


def test_once_ruled_a_wrong_count_is_not_counted_again(game: GameDefinition) -> None:
    driver = disputed(game, AUTOMATED_SHOE)
    driver.do(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))
    driver.refused(CountStub, cards=stub_of(driver))
    driver.refused(FindMisdeal, misdealt=True, cards_in_deck=len(game.deck))


def test_duties_of_the_round_are_confirmed_once_and_the_rest_is_recorded(game: GameDefinition) -> None:
    driver = ready(game)
    driver.deal()
    duties = round_duties(driver.state)
    dealer = next(duty for duty in duties if duty.by == "dealer")
    (confirmed,) = driver.do(ConfirmDuty, duty=dealer.id)
    assert confirmed.clause == dealer.cite
    assert driver.refused(ConfirmDuty, duty=dealer.id).clause == dealer.cite
    driver.refused(ConfirmDuty, duty="juggle")
    driver.do(RackStub)
    (closed,) = driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    assert isinstance(closed, RoundClosed)
    assert set(closed.unconfirmed) == {duty.id for duty in duties} - {dealer.id}
    driver.refused(ConfirmDuty, duty=dealer.id)


def test_a_deck_removed_under_an_open_round_leaves_nothing_to_deal(game: GameDefinition) -> None:
    driver = ready(game, shuffler=COUNTING)
    driver.do(OpenRound, round="r", deck="A")
    driver.do(DirectShuffle, THE_FLOOR, deck="A")
    driver.do(ShuffleDeck, deck="A", way=DEVICE)
    driver.do(ReadDeviceCount, deck="A", cards=3)
    driver.refused(ReportDealt, cards=1)
    driver.do(CloseRound, ended=VOID, fate=REMOVE)
    assert driver.state.round is None
