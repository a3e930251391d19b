"""Top Five Poker clause by clause: what only its rulebook says about words, layout, cards, duties and settling."""

import json

import pytest

from pitboss.cards import Card
from pitboss.cli.trace import trace_command
from pitboss.games import catalogue
from pitboss.games.top_five_poker.readings import counted, hand_name, value_of
from pitboss.round import view
from pitboss.round.commands import DealCards, PlaceWagers, Settle, TurnCards
from pitboss.round.events import SETTLED, CardsDealt, CardsTurned, RoundClosed, WagersSettled
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, METHODS
from pitboss.rules.irregularity import REMOVE, RESHUFFLE, VOID
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed, printed
from pitboss.table import commands, next_duties
from pitboss.table.commands import CloseRound, ConfirmDuty, CountStub, LoadDeck, OpenRound, RackStub
from pitboss.table.conditions import HOUR_MS
from pitboss.table.rack import Racked
from pitboss.table.settings import CONTINUOUS, COUNTING, PLAIN
from round.played import Table, table_of
from submission.submitted import GONE, OPTIONS, WAGERS, Edits, faults_of, submitted
from table.driver import A_PLAYER, BY_ROLE, PICKUP, THE_FLOOR, Driver, ready, table

NAME = "top-five-poker"
GAME = catalogue.game(NAME)
BONUSES = {"top-five-bonus": 500, "poker-bonus": 500}


def of_chapter(number: int, items: str) -> list[str]:
    return [f"Ch. {number} {item}" for item in items.split()]


def layout(edits: Edits | None = None) -> Printed:
    submission = submitted("top-five", edits)
    return printed(submission, submission.tables[0])


def shown(driver: Driver, command: str = "ConfirmDuty") -> dict[str, str]:
    """Return the clause of each duty that is shown and recorded by this command."""
    return {duty.id: duty.cite for duty in next_duties(driver.state) if duty.command == command}


def confirmed(driver: Driver) -> dict[str, str]:
    """Confirm what is shown for deck A, one duty at a time, and return the clauses recorded."""
    done: dict[str, str] = {}
    while due := [duty for duty in next_duties(driver.state) if duty.command == "ConfirmDuty"]:
        driver.refused(OpenRound, round="r", deck="A")
        driver.refused(commands.ShuffleDeck, deck="A", way=commands.MANUAL)
        (event,) = driver.do(ConfirmDuty, BY_ROLE[due[0].by], duty=due[0].id, deck="A")
        assert event.clause == due[0].cite
        done[due[0].id] = event.clause
    return done


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card, names.split()))


def placed(*seats: int, dealing: str = MANUAL_SHOE, **bonuses: int) -> Table:
    table = table_of(NAME, dealing=dealing)
    for seat in seats:
        table.place(seat, {"ante": 1000} | {name.replace("_", "-"): cents for name, cents in bonuses.items()})
    return table


def test_trace_says_what_the_defined_words_mean(capsys: pytest.CaptureFixture[str]) -> None:
    trace_command(NAME, as_json=True)
    told = {row["clause"]: row["summary"] for row in json.loads(capsys.readouterr().out)}
    words = ("Ante", "Play wager", "bonus wager", "deal", "round", "stub", "suits", "face card")
    for item, word in enumerate(words, start=1):
        assert word in told[f"Ch. 1 §B({item})"]


def test_jacks_queens_and_kings_are_three_cards_of_each_suit() -> None:
    pictures = sorted(title for title in GAME.deck.titles.values() if title.startswith(("jack ", "queen ", "king ")))
    suits = ("clubs", "diamonds", "hearts", "spades")
    assert pictures == [f"{rank} of {suit}" for rank in ("jack", "king", "queen") for suit in suits]


def test_a_bonus_is_optional_and_placed_before_the_deal_beside_an_ante() -> None:
    table = placed(1)
    for bonus in BONUSES:
        assert table.refusal(PlaceWagers(2, "player 2", {bonus: 500})).clause == "Ch. 1 §B(1)"
    table.place(2, {"ante": 1000} | BONUSES)
    table.close()
    assert table.refusal(PlaceWagers(1, "player 1", {"ante": 1000} | BONUSES)).clause == "Ch. 7 §D"


def test_the_stub_of_a_full_table_is_three_cards() -> None:
    driver = ready(GAME)
    driver.do(OpenRound, round="r", deck="A")
    driver.do(commands.ReportDealt, cards=49)
    assert driver.do(RackStub)[0].cards == 52 - 7 * 7


def test_the_layout_names_the_facility_and_has_an_area_for_each_wager_offered() -> None:
    areas = {area.name: (area.each_seat, area.clause) for area in layout().areas}
    assert areas == {
        "ante": (True, "Ch. 2 §B(2)"),
        "play": (True, "Ch. 2 §B(2)"),
        "top-five-bonus": (True, "Ch. 2 §B(3)(a)"),
        "poker-bonus": (True, "Ch. 2 §B(3)(b)"),
        "dealer": (False, "Ch. 8 §D(3)"),
    }
    assert {area.name for area in layout({WAGERS: GONE}).areas} == {"ante", "play", "dealer"}
    assert [(inscription.text, inscription.clause) for inscription in layout().inscriptions] == [
        ("Harbor Casino", "Ch. 2 §B(1)")
    ]
    assert (layout().submitted_clause, layout().positions) == ("Ch. 2 §B", 6)


def test_the_sign_prices_every_wager_offered_by_the_letter_chosen() -> None:
    assert layout().odds_clause == "Ch. 2 §B(4)"
    assert [(sign.wager, sign.paytable, sign.clause, sign.lines[0].pays) for sign in layout().odds] == [
        ("ante", None, "Ch. 12 §A", "1 to 1"),
        ("play", None, "Ch. 12 §A", "1 to 1"),
        ("top-five-bonus", "A", "Ch. 12 §B(1)", "100 to 1"),
        ("poker-bonus", "B", "Ch. 12 §B(2) Poker Bonus", "500 to 1"),
    ]
    assert [sign.wager for sign in layout({WAGERS: GONE}).odds] == ["ante", "play"]


def test_the_furniture_has_its_places_and_the_manual_shoe_only_where_it_deals() -> None:
    found = {piece.clause: piece for piece in layout().furniture}
    assert "across from the players" in found.pop("Ch. 2 §A(2)").name
    assert "discard rack" in found.pop("Ch. 2 §C(2)").name
    assert "approved location" in found.pop("Ch. 8 §A").name
    boxes = found.pop("Ch. 2 §C(1)")
    assert ("drop box and tip box" in boxes.name, boxes.elsewhere_clause) == (True, "Ch. 2 §E")
    assert not found
    assert "Ch. 8 §A" not in {piece.clause for piece in layout({"table[0].dealing": AUTOMATED_SHOE}).furniture}


@pytest.mark.parametrize(
    ("edits", "clause"),
    [
        pytest.param({"table[0].positions": 7}, "Ch. 2 §A(1)", id="seven positions"),
        pytest.param({f"{OPTIONS}.adjacent-boxes": GONE}, "Ch. 7 §F", id="boxes not stated"),
        pytest.param({"table[0].dealing": HAND}, "Ch. 9 §A(1)", id="hand without shuffler"),
        pytest.param({f"{WAGERS}.top-five-bonus": "D"}, "Ch. 12 §B", id="top five letter D"),
        pytest.param({f"{WAGERS}.top-five-bonus": True}, "Ch. 12 §B", id="top five without letter"),
        pytest.param({f"{WAGERS}.poker-bonus": "D"}, "Ch. 12 §B Poker Bonus", id="poker letter D"),
        pytest.param({f"{WAGERS}.poker-bonus": True}, "Ch. 12 §B Poker Bonus", id="poker without letter"),
    ],
)
def test_a_submission_against_the_rulebook_is_refused_with_its_clause(edits: Edits, clause: str) -> None:
    assert [fault.clause for fault in faults_of("top-five", edits)] == [clause]


def test_a_submission_explains_its_devices_by_their_clause() -> None:
    dealing = {MANUAL_SHOE: "Ch. 8 §A", HAND: "Ch. 9 §A", AUTOMATED_SHOE: "Ch. 10 §A"}
    shuffler = {PLAIN: "Ch. 5 §B", COUNTING: "Ch. 5 §B(1)", CONTINUOUS: "Ch. 5 §G"}
    for key, clauses in (("dealing", dealing), ("shuffler", shuffler)):
        for value, clause in clauses.items():
            submission = submitted("top-five", {"table[0].shuffler": PLAIN, f"table[0].{key}": value})
            assert {line.where: line.clause for line in explain(submission)}[f"table[0].{key}"] == clause


def test_the_bonuses_are_taken_only_where_the_submission_offers_them() -> None:
    told = {line.where: line.clause for line in explain(submitted("top-five"))}
    for bonus, item in (("top-five-bonus", "a"), ("poker-bonus", "b")):
        clause = f"Ch. 7 §E(2)({item})"
        assert told[f"{WAGERS}.{bonus}"] == clause
        refusal = table_of(NAME, offered=frozenset()).refusal(PlaceWagers(1, "one", {"ante": 500, bonus: 500}))
        assert refusal.clause == clause


def test_opening_shows_each_duty_in_turn_and_records_it_with_its_clause() -> None:
    driver = table(GAME)
    driver.do(commands.ReceiveDeck, deck="A")
    done = confirmed(driver)
    assert list(done) == ["alike", "cover-cards", "inspect", "verify", "spread", "look", "turn", "wash", "stack"]
    clauses = list(done.values())
    assert clauses == of_chapter(3, "§A(1) §A(2)") + of_chapter(4, "§A §A §B §C §C(1) §C(2) §C(3)")
    driver.refused(LoadDeck, deck="A")
    (duty,) = next_duties(driver.state)
    assert (duty.id, duty.cite) == ("shuffle", "Ch. 5 §A(1)")
    assert "one stack" in duty.text


def test_a_hand_shuffle_is_cut_ten_cards_deep_and_recut_on_order_before_it_is_dealt() -> None:
    driver = table(GAME)
    driver.open_deck()
    assert driver.do(commands.ShuffleDeck, deck="A", way=commands.MANUAL)[0].clause == "Ch. 5 §A(1)"
    assert driver.refused(LoadDeck, deck="A").clause == "Ch. 5 §C(2)"
    assert shown(driver, "CutDeck") == {"cut": "Ch. 5 §D", "cut-under": "Ch. 5 §D(1)", "load": "Ch. 5 §D(2)"}
    assert driver.refused(commands.CutDeck, deck="A", cards=9).clause == "Ch. 5 §D"
    driver.do(commands.CutDeck, deck="A", cards=10)
    assert driver.refused(commands.OrderRecut, deck="A").clause == "Ch. 5 §E"
    driver.do(commands.OrderRecut, THE_FLOOR, deck="A")
    driver.do(commands.CutDeck, deck="A", cards=30)
    driver.refused(OpenRound, round="r", deck="A")
    driver.load()
    driver.play()
    assert driver.do(commands.ShuffleDeck, deck="A", way=commands.MANUAL)[0].clause == "Ch. 5 §A(2)"
    assert driver.refused(commands.DirectShuffle, deck="A").clause == "Ch. 5 §A(3)"


def test_a_device_spares_the_cut_and_its_wrong_count_removes_the_deck() -> None:
    driver = table(GAME, shuffler=COUNTING)
    driver.open_deck()
    driver.do(commands.ShuffleDeck, deck="A", way=commands.DEVICE)
    assert driver.refused(commands.CutDeck, deck="A", cards=20).clause == "Ch. 5 §C(1)"
    assert driver.refused(LoadDeck, deck="A").clause == "Ch. 5 §B(1)"
    _, removed = driver.do(commands.ReadDeviceCount, deck="A", cards=51)
    assert removed.clause == "Ch. 5 §B(2)"
    assert driver.state.decks == ()


def test_a_self_shuffling_device_suspends_cut_recut_and_idle_spread() -> None:
    driver = table(GAME, dealing=AUTOMATED_SHOE, shuffler=CONTINUOUS)
    assert driver.do(commands.ReceiveDeck, deck="A", preinspected=True, preshuffled=True)[0].clause == "Ch. 4 §F"
    driver.finish_duties("A")
    assert driver.refused(commands.CutDeck, deck="A", cards=20).clause == "Ch. 5 §H"
    driver.do(LoadDeck, deck="A")
    assert driver.refused(commands.OrderRecut, THE_FLOOR, deck="A").clause == "Ch. 5 §H"
    assert driver.refused(commands.SpreadIdle).clause == "Ch. 5 §H"


def test_idle_cards_are_gathered_spread_inspected_and_opened_again() -> None:
    driver = ready(GAME)
    assert shown(driver, "SpreadIdle") == {"idle-gather": "Ch. 5 §F(1)", "idle-spread": "Ch. 5 §F(2)"}
    assert driver.refused(commands.SpreadIdle, face=commands.FACE_UP).clause == "Ch. 5 §F"
    driver.do(commands.SpreadIdle, face=commands.FACE_UP, asked_by=A_PLAYER)
    done = confirmed(driver)
    assert list(done) == ["idle-gather", "idle-spread", "look", "turn", "wash", "stack"]
    assert list(done.values()) == of_chapter(5, "§F(1) §F(2) §F(3)") + of_chapter(4, "§C(1) §C(2) §C(3)")
    assert shown(driver, "ShuffleDeck") == {"shuffle": "Ch. 5 §A(1)"}


def test_two_decks_are_confirmed_kept_ready_and_dealt_in_turn() -> None:
    driver = table(GAME, shuffler=PLAIN, decks=2)
    driver.open_deck("A")
    assert driver.do(commands.ReceiveDeck, deck="B")[0].clause == "Ch. 4 §E"
    driver.finish_duties("B")
    driver.load("A")
    assert driver.refused(OpenRound, round="1", deck="A").clause == "Ch. 3 §B(3)"
    driver.prepare("B")
    conditions = {"same-design": "Ch. 3 §B(1)", "other-back": "Ch. 3 §B(2)", "store": "Ch. 3 §B(3)"}
    for duty, clause in conditions.items():
        assert driver.refused(OpenRound, round="1", deck="A").clause == clause
        assert driver.do(ConfirmDuty, duty=duty)[0].clause == clause
    driver.play("A")
    driver.do(LoadDeck, deck="B")
    assert driver.refused(OpenRound, round="2", deck="B").clause == "Ch. 3 §B(5)"
    driver.prepare("A")
    driver.play("B")
    driver.prepare("B")
    assert driver.refused(LoadDeck, deck="B").clause == "Ch. 3 §B(4)"


DUTIES = {  # what is loaded, confirmed in order, racked
    MANUAL_SHOE: ("§B", "no-more-bets §C draw §D(1) take-stub §D(3)(a)", "§D(3)(b)"),
    HAND: ("§A(2)", "same-hand §A(3) over-tray §A(4) no-more-bets §A(5) take-stub §B(2)(a)", "§B(2)(b)"),
    AUTOMATED_SHOE: ("§A(1)", "no-more-bets §A(2) take-stub §B(2)(a)", "§B(2)(b)"),
}
CHAPTERS = {MANUAL_SHOE: 8, HAND: 9, AUTOMATED_SHOE: 10}


@pytest.mark.parametrize("method", METHODS)
def test_each_way_of_dealing_has_its_own_duties_and_deck_hours(method: str) -> None:
    load, during, racked = DUTIES[method]
    chapter = f"Ch. {CHAPTERS[method]}"
    driver = table(GAME, dealing=method, shuffler=PLAIN)
    driver.open_deck()
    driver.prepare()
    assert driver.do(LoadDeck, deck="A")[0].clause == f"{chapter} {load}"
    late = driver.refused(OpenRound, round="r", deck="A", at=9 * HOUR_MS)
    assert late.clause == ("Ch. 3 §C(1)" if method == HAND else "Ch. 3 §C(2)")
    driver.deal()
    told = [f"{duty} {clause.removeprefix(chapter).strip()}" for duty, clause in shown(driver).items()]
    assert " ".join(told).startswith(during)
    assert shown(driver, "RackStub") == {"stub": f"{chapter} {racked}"}
    assert driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP).clause == f"{chapter} {racked}"
    assert driver.do(RackStub)[0].clause == f"{chapter} {racked}"


@pytest.mark.parametrize("method", METHODS)
def test_cards_go_face_down_to_seats_with_a_wager_after_no_more_bets(method: str) -> None:
    item, first = {MANUAL_SHOE: ("§D(2)", 1), HAND: ("§B(1)", 1), AUTOMATED_SHOE: ("§B(1)", 7)}[method]
    table = placed(2, 5, dealing=method)
    assert table.refusal(DealCards(table.next_cards(first))).clause == "Ch. 7 §C"
    table.dealt()
    dealt = [event for event in table.events if isinstance(event, CardsDealt)]
    assert {event.clause for event in dealt} == {f"Ch. {CHAPTERS[method]} {item}"}
    assert not any(event.face_up for event in dealt)
    assert [event.place for event in dealt][:3] == [2, 5, "dealer"]
    assert {place: len(held) for place, held in table.state.cards.items()} == {2: 7, 5: 7, "dealer": 7}


COUNTS = {  # due, how, right, to be looked into, misdealt, deck wrong
    MANUAL_SHOE: of_chapter(8, "§E §F(1) §F(2) §F(3) §F(4) §F(5)"),
    HAND: of_chapter(9, "§C §D(1) §D(2) §D(3) §D(4) §D(5)"),
    AUTOMATED_SHOE: of_chapter(8, "§E §E") + of_chapter(10, "§C(1) §C(2) §C(3) §C(4)"),
}


def fifth_round(method: str, shuffler: str = PLAIN) -> Driver:
    driver = ready(GAME, dealing=method, shuffler=shuffler)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    return driver


@pytest.mark.parametrize("method", METHODS)
def test_the_stub_is_counted_in_the_fifth_round_unless_the_shuffler_counts(method: str) -> None:
    due, how, right, *_ = COUNTS[method]
    driver = fifth_round(method)
    assert driver.refused(RackStub).clause == due
    assert shown(driver, "CountStub") == {"count-stub": how}
    (found,) = driver.do(CountStub, cards=43)
    assert (found.clause, driver.state.rack) == (right, (Racked("stub", 43),))
    driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    fifth_round(method, COUNTING).do(RackStub)


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_count_is_looked_into_and_voids_the_round(method: str) -> None:
    *_, check, misdealt, wrong = COUNTS[method]
    for cards_in_deck, clause, fate in ((52, misdealt, RESHUFFLE), (51, wrong, REMOVE)):
        driver = fifth_round(method)
        (found,) = driver.do(CountStub, cards=42)
        assert found.clause == check
        assert shown(driver, "FindMisdeal") == {"check-count": check}
        (ruled,) = driver.do(commands.FindMisdeal, misdealt=fate == RESHUFFLE, cards_in_deck=cards_in_deck)
        assert (ruled.clause, ruled.fate) == (clause, fate)
        driver.refused(CloseRound, ended=SETTLED, pickup=PICKUP)
        driver.do(CloseRound, ended=VOID, fate=fate)
        assert bool(driver.state.decks) == (fate == RESHUFFLE)


def test_duties_of_a_round_are_shown_and_those_left_open_are_recorded() -> None:
    driver = ready(GAME)
    driver.deal()
    duties = [duty for duty in next_duties(driver.state) if duty.command == "ConfirmDuty" and duty.cite[:5] != "Ch. 8"]
    players = {duty.id: duty.cite for duty in duties if duty.by == "player"}
    assert list(players) == ["stay", "examine", "own-hand", "own-cards", "in-view", "no-talk", "put-back"]
    assert list(players.values()) == ["Ch. 7 §B(2)", *of_chapter(11, "§A §A(1) §A(2) §A(3) §A(4) §B")]
    dealers = {duty.id: duty.cite for duty in duties if duty.by == "dealer"}
    ids = "fold-rack fold-bonus show-dealer show-player announce-player take-losing keep-cards pick-up"
    assert list(dealers) == ids.split()
    items = "§B(2)(b) §B(3) §B(4) §C §C(1) §C(5)(a) §C(5)(b) §D"
    assert list(dealers.values()) == of_chapter(11, items)
    driver.do(ConfirmDuty, A_PLAYER, duty="stay")
    driver.do(RackStub)
    (closed,) = driver.do(CloseRound, ended=SETTLED, pickup=PICKUP)
    assert set(players | dealers) - set(closed.unconfirmed) == {"stay"}


def test_players_see_their_own_cards_and_the_dealers_once_all_have_decided() -> None:
    table = placed(1, 2)
    table.dealt()
    own, other = view(table.state, (1,)).seats
    assert None not in own.cards
    assert set(other.cards) == set(view(table.state, (1,)).table["dealer"]) == {None}
    table.act("play")
    assert table.refusal(TurnCards()).clause == "Ch. 11 §B"
    table.act("fold")
    assert table.do(TurnCards()) == (CardsTurned("dealer", 7, "Ch. 11 §B(4)"),)
    assert None not in view(table.state).table["dealer"]


def test_each_player_is_settled_alone_main_wagers_then_top_five_then_poker_bonus() -> None:
    table = placed(1, 2, top_five_bonus=500, poker_bonus=500)
    table.answered("play")
    *settled, closed = table.do(Settle())
    assert [event.seat for event in settled if isinstance(event, WagersSettled)] == [2, 1]
    for event in settled:
        assert isinstance(event, WagersSettled)
        assert [result.wager for result in event.results] == ["ante", "play", "top-five-bonus", "poker-bonus"]
        assert event.hand == hand_name(value_of(table.state.cards[event.seat]))
    assert closed == RoundClosed((2, 1, "dealer"), "Ch. 11 §D")
    assert not any(None in seat.cards for seat in view(table.state).seats)


def test_twos_to_nines_are_taken_away_and_the_rest_is_announced() -> None:
    hand = cards("Ks 9s Kd 2c 8h Qc 3d")
    assert counted(hand) == cards("Ks Kd Qc")
    assert hand_name(value_of(hand)) == "three cards, pair of kings"
    assert hand_name(value_of(cards("2c 3c 4c 5c 6c 7c 9h"))) == "no cards"


def test_hands_of_five_counted_cards_rank_as_listed() -> None:
    high = ("Ah Kh Qh Jh Th", "Tc Td Th Ts Jc", "Jc Jd Jh Tc Td", "Ah Kc Qh Jh Th")
    low = ("Tc Td Th Qs Jc", "Jc Jd Tc Td Qs", "Tc Td Qs Jc Kh")
    values = [value_of(cards(f"{hand} 2c 3d")) for hand in high + low]
    assert values == sorted(set(values), reverse=True)


@pytest.mark.parametrize(("how", "item"), [("covered", 1), ("marked", 2)])
def test_a_failed_shoe_is_covered_or_marked_before_another_way_is_used(how: str, item: int) -> None:
    driver = ready(GAME, dealing=AUTOMATED_SHOE)
    driver.do(commands.FailDevice, device=commands.SHOE)
    assert shown(driver, "TakeOutDevice") == {"shoe-covered": "Ch. 13 §E(1)", "shoe-marked": "Ch. 13 §E(2)"}
    driver.refused(commands.ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
    assert driver.do(commands.TakeOutDevice, device=commands.SHOE, how=how)[0].clause == f"Ch. 13 §E({item})"
    driver.do(commands.ChangeDealing, THE_FLOOR, method=MANUAL_SHOE)
