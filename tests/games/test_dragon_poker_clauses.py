"""Clauses of Dragon Poker: what the program does about each, citing that clause."""

import json
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest

from pitboss.cards import Card
from pitboss.cli.games import games_command
from pitboss.games import catalogue
from pitboss.games.dragon_poker.deck import COPIES
from pitboss.games.dragon_poker.readings import value_of
from pitboss.round import view
from pitboss.round.commands import Act, CloseBets, DealCards, PlaceWagers, Settle, TurnCards
from pitboss.round.events import SETTLED, CardsDealt, CardsTurned, MeterAwaited, RoundClosed
from pitboss.rules.in_force import RulesInForce
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed, PrintedLine, printed
from pitboss.submission.table_choices import settings_for
from pitboss.table import commands, next_duties
from pitboss.table.conditions import script_duties
from pitboss.table.settings import CONTINUOUS, COUNTING, NO_SHUFFLER, PLAIN
from round.played import LEAST, Table, table_of
from submission.submitted import GONE, OPTIONS, WAGERS, Edits, faults_of, submitted
from table.driver import A_PLAYER, PICKUP, THE_FLOOR, Driver, ready, table

NAME = "dragon-poker"
GAME = catalogue.game(NAME)
every_method = pytest.mark.parametrize("method", ["manual-shoe", "hand", "automated-shoe"])


def seated(*seats: int, **choices: Any) -> Table:
    """Return a round whose seats have wagered and whose bets are still open."""
    live = table_of(NAME, **choices)
    for seat in seats:
        live.place(seat, LEAST[NAME])
    return live


def shown(driver: Driver, command: str = "ConfirmDuty") -> list[tuple[str, str]]:
    return [(duty.id, duty.cite) for duty in next_duties(driver.state) if duty.command == command]


def test_the_catalog_calls_every_wager_by_the_rulebooks_word_and_says_which_are_required(
    capsys: pytest.CaptureFixture[str],
) -> None:
    games_command(NAME, as_json=True)
    (told,) = json.loads(capsys.readouterr().out)
    rows = [(wager["title"], wager["required"], wager["equals"], wager["needs"]) for wager in told["wagers"]]
    assert rows == [
        ("Ante", True, None, []),
        ("Ante Bonus", True, "ante", []),
        ("Play", False, None, []),
        ("Three Card Bonus", False, None, ["ante", "ante-bonus"]),
        ("Dragon Bet", False, None, ["ante", "ante-bonus"]),
        ("Progressive", False, None, ["ante", "ante-bonus"]),
    ]


@pytest.mark.parametrize("wager", ["three-card-bonus", "dragon-bet"])
def test_a_side_wager_is_the_players_choice_until_the_call_and_not_after_it(wager: str) -> None:
    live = seated(1, 2)
    live.place(2, LEAST[NAME] | {wager: 300})
    live.close()
    assert (1, wager) not in live.state.stakes
    assert live.state.stakes[2, wager] == 300
    assert live.refusal(PlaceWagers(1, "player 1", LEAST[NAME] | {wager: 300})).clause == "Ch. 7 §E"


def plain_rank(faces: tuple[str, ...]) -> tuple[int, ...]:
    """Rank three cards without the gold dragon by what lies on the table: kind, then characters."""
    characters = ["RMPTHD".index("H" if face == "Ph" else face[0]) for face in faces]
    counts = sorted(((characters.count(character), character) for character in set(characters)), reverse=True)
    return (counts[0][0], *(item for _, item in counts))


def test_every_hand_has_its_place_in_the_order_of_kinds_and_characters() -> None:
    faces = [copy for copy in COPIES if copy != "Dg"]
    hands = sorted(combinations_with_replacement(faces, 3), key=plain_rank)
    assert plain_rank(hands[0]) == (1, 2, 1, 0)
    assert plain_rank(hands[-1]) == (3, 5)
    for low, high in pairwise(hands):
        lower, higher = (value_of(tuple(map(Card, hand))) for hand in (low, high))
        assert (lower == higher) == (plain_rank(low) == plain_rank(high)), (low, high)
        assert lower <= higher, (low, high)


def test_the_gold_dragon_makes_the_highest_hand_its_neighbors_allow() -> None:
    faces = [copy for copy in COPIES if copy != "Dg"]
    for pair in combinations_with_replacement(faces, 2):
        stood_for = [value_of(tuple(map(Card, (*pair, other)))) for other in faces]
        assert value_of((Card("Dg"), *map(Card, pair))) == max(stood_for)


# Layout, sign and submission


def layout(edits: Edits | None = None) -> Printed:
    submission = submitted("dragon", edits)
    return printed(submission, submission.tables[0])


def test_the_layout_is_submitted_and_carries_the_facility_and_the_play_sentence() -> None:
    found = layout({"facility.name": "Bay House"})
    assert found.submitted_clause == "Ch. 2 §B"
    assert [(inscription.text, inscription.clause) for inscription in found.inscriptions] == [
        ("Bay House", "Ch. 2 §B(1)"),
        ("Play Bet Must Equal Ante Bet", "Ch. 2 §B(3)"),
    ]


def test_each_seat_has_five_betting_areas_whatever_is_offered() -> None:
    found = layout({WAGERS: {"ante-bonus": "B"}})
    areas = [area.title for area in found.areas if area.each_seat and area.clause == "Ch. 2 §B(2)"]
    assert sorted(areas) == ["Ante", "Ante Bonus", "Dragon Bet", "Play", "Three Card Bonus"]
    assert [area.clause for area in found.areas if area.title == "Dealer" and not area.each_seat] == ["Ch. 10 §B(3)"]


def test_layout_or_sign_tell_what_every_wager_offered_pays() -> None:
    found = layout({f"{WAGERS}.ante-bonus": "B"})
    assert (found.odds_clause, found.sign_clause) == ("Ch. 2 §B(3)", "Ch. 2 §B(3)")
    odds = {sign.title: sign for sign in found.odds}
    assert set(odds) == {"Ante", "Ante Bonus", "Play", "Three Card Bonus", "Dragon Bet", "Progressive"}
    assert odds["Ante"].lines == odds["Play"].lines == (PrintedLine("winning hand", "1 to 1", "Ch. 12 §A"),)
    assert [line.pays for line in odds["Ante Bonus"].lines] == ["30 to 1", "4 to 1", "1 to 1", "push"]
    assert odds["Three Card Bonus"].clause == "Ch. 12 §C(2)"
    assert odds["Dragon Bet"].lines[0].pays == "1000 to 1"
    assert "Dragon Bet" not in {sign.title for sign in layout({f"{WAGERS}.dragon-bet": GONE}).odds}


def test_the_list_of_furniture_names_dealers_place_boxes_rack_and_shoe() -> None:
    found = {piece.clause: piece for piece in layout({"table[0].dealing": "manual-shoe"}).furniture}
    assert set(found) == {"Ch. 2 §A", "Ch. 2 §C(1)", "Ch. 2 §C(2)", "Ch. 8 §A"}
    assert "across from" in found["Ch. 2 §A"].name
    assert all(box in found["Ch. 2 §C(1)"].name for box in ("drop box", "tip box"))
    assert found["Ch. 2 §C(1)"].elsewhere_clause == "Ch. 2 §D"
    assert "discard rack" in found["Ch. 2 §C(2)"].name
    assert "Ch. 8 §A" not in {piece.clause for piece in layout().furniture}


@pytest.mark.parametrize(
    ("edits", "where", "clause"),
    [
        ({"table[0].positions": 7}, "positions", "Ch. 2 §A"),
        ({"table[0].decks": 2, "table[0].shuffler": "none"}, "decks", "Ch. 3 §B"),
        ({"table[0].dealing": "hand", "table[0].shuffler": "none"}, "shuffler", "Ch. 9 §A(1)"),
        ({"table[0].dealing": "hand", "table[0].deck-hours": 5}, "deck-hours", "Ch. 3 §C(1)"),
        ({"table[0].deck-hours": 9}, "deck-hours", "Ch. 3 §C(2)"),
        ({"table[0].instruments": ["match-play-coupon"]}, "instruments", "Ch. 7 §A"),
        ({f"{WAGERS}.ante-bonus": GONE}, "wagers.ante-bonus", "Ch. 12 §B"),
        ({f"{WAGERS}.ante-bonus": "C"}, "wagers.ante-bonus.paytable", "Ch. 12 §B"),
        ({f"{WAGERS}.three-card-bonus": True}, "wagers.three-card-bonus.paytable", "Ch. 12 §C"),
        ({f"{WAGERS}.dragon-bet": "B"}, "wagers.dragon-bet.paytable", "Ch. 12 §D"),
        ({f"{OPTIONS}.adjacent-areas": 3}, "options.adjacent-areas", "Ch. 7 §G"),
    ],
)
def test_a_submission_that_breaks_a_clause_is_refused_with_it(edits: Edits, where: str, clause: str) -> None:
    assert [(fault.where, fault.clause) for fault in faults_of("dragon", edits)] == [(f"table[0].{where}", clause)]


@pytest.mark.parametrize(
    ("key", "value", "clause"),
    [
        ("dealing", "manual-shoe", "Ch. 8 §A"),
        ("dealing", "hand", "Ch. 9 §A"),
        ("dealing", "automated-shoe", "Ch. 10 §A"),
        ("shuffler", NO_SHUFFLER, "Ch. 5 §A(1)"),
        ("shuffler", PLAIN, "Ch. 5 §C"),
        ("shuffler", COUNTING, "Ch. 5 §D(1)"),
        ("shuffler", CONTINUOUS, "Ch. 5 §I"),
    ],
)
def test_each_way_of_dealing_and_each_shuffler_is_accepted_under_its_clause(key: str, value: str, clause: str) -> None:
    edits: Edits = {f"table[0].{key}": value}
    assert faults_of("dragon", edits) == ()
    assert [line.clause for line in explain(submitted("dragon", edits)) if line.where == f"table[0].{key}"] == [clause]


def test_a_progressive_the_submission_defines_is_offered_and_paid_from_its_meter() -> None:
    live = Table(RulesInForce(GAME, settings_for(submitted("dragon").tables[0]).choices))
    live.spare = list(GAME.deck.pick(["Dg", "Dr", "Db", "Dr", "Dr", "Ra", "Mo", "Pa", "Ti"], set()))
    for seat in (1, 2):
        live.place(seat, LEAST[NAME] | {"progressive": 100})
    live.answered("play", "fold")
    *_, awaited = live.do(Settle())
    assert live.state.results[2, "progressive"].net == 400
    assert awaited == MeterAwaited(1, "progressive", "meter", 100, "Ch. 7 §F(4)")
    live.pay_meter(600_000)
    assert live.state.results[1, "progressive"].net == 599_900


# Decks: opening, shuffle, cut, two decks, an idle table


def test_a_deck_is_checked_inspected_verified_shown_and_washed_in_this_order() -> None:
    driver = table(GAME)
    driver.do(commands.ReceiveDeck, deck="A")
    assert [(duty.id, duty.by, duty.cite) for duty in script_duties(driver.state, driver.deck())] == [
        ("alike", "dealer", "Ch. 3 §A(2)"),
        ("composition", "dealer", "Ch. 3 §A(3)"),
        ("cover-cards", "dealer", "Ch. 5 §F"),
        ("inspect", "dealer", "Ch. 4 §A"),
        ("verify", "floorperson", "Ch. 4 §A"),
        ("spread", "dealer", "Ch. 4 §A(2)"),
        ("look", "player", "Ch. 4 §A(1)"),
        ("turn", "dealer", "Ch. 4 §C(1)"),
        ("wash", "dealer", "Ch. 4 §C(2)"),
        ("stack", "dealer", "Ch. 4 §C(3)"),
    ]
    texts = {duty.id: duty.text for duty in script_duties(driver.state, driver.deck())}
    assert "Fan the deck face up by character" in texts["spread"]
    assert "53 cards" in texts["composition"]


@every_method
def test_a_stacked_deck_is_shuffled_and_loaded_before_a_round_opens(method: str) -> None:
    driver = table(GAME, dealing=method, shuffler=PLAIN)
    driver.open_deck()
    clause = {"manual-shoe": "Ch. 8 §B", "hand": "Ch. 9 §A(2)", "automated-shoe": "Ch. 10 §A(1)"}[method]
    assert driver.refused(commands.LoadDeck, deck="A").clause == clause
    assert shown(driver, "ShuffleDeck") == [("shuffle", "Ch. 5 §A(1)")]
    assert "in one stack" in next_duties(driver.state)[0].text
    driver.do(commands.ShuffleDeck, deck="A", way=commands.DEVICE)
    assert driver.refused(commands.CutDeck, deck="A", cards=20).clause == "Ch. 5 §E(1)"
    driver.refused(commands.OpenRound, round="r", deck="A")
    (loaded,) = driver.do(commands.LoadDeck, deck="A")
    assert loaded.clause == clause
    driver.do(commands.OpenRound, round="r", deck="A")


def test_a_deck_shuffled_by_hand_is_cut_at_ten_cards_or_more_and_then_loaded() -> None:
    driver = table(GAME)
    driver.open_deck()
    driver.do(commands.ShuffleDeck, deck="A", way=commands.MANUAL)
    assert shown(driver, "CutDeck") == [("cut", "Ch. 5 §F"), ("cut-under", "Ch. 5 §F(1)"), ("load", "Ch. 5 §F(2)")]
    assert driver.refused(commands.LoadDeck, deck="A").clause == "Ch. 5 §E(2)"
    assert driver.refused(commands.CutDeck, deck="A", cards=9).clause == "Ch. 5 §F"
    driver.do(commands.CutDeck, deck="A", cards=10)
    driver.refused(commands.OpenRound, round="r", deck="A")
    assert driver.refused(commands.OrderRecut, deck="A").clause == "Ch. 5 §G"
    driver.do(commands.LoadDeck, deck="A")
    (directed,) = driver.do(commands.DirectShuffle, THE_FLOOR, deck="A")
    assert directed.clause == "Ch. 5 §A(3)"


def test_two_decks_differ_in_their_backs_take_turns_and_share_no_rack() -> None:
    driver = table(GAME, shuffler=PLAIN, decks=2)
    for deck in "AB":
        (received, *_) = driver.do(commands.ReceiveDeck, deck=deck)
        assert received.clause == ("Ch. 4 §A" if deck == "A" else "Ch. 4 §E")
        driver.finish_duties(deck)
    driver.prepare("A")
    driver.do(commands.LoadDeck, deck="A")
    assert driver.refused(commands.OpenRound, round="1", deck="A").clause == "Ch. 3 §B(2)"
    driver.prepare("B")
    for duty, clause in (("same-design", "Ch. 3 §B(1)"), ("other-back", "Ch. 3 §B(1)"), ("store", "Ch. 3 §B(2)")):
        assert driver.refused(commands.OpenRound, round="1", deck="A").clause == clause
        driver.do(commands.ConfirmDuty, duty=duty)
    driver.play("A")
    driver.do(commands.LoadDeck, deck="B")
    assert driver.refused(commands.OpenRound, round="2", deck="B").clause == "Ch. 3 §B(4)"
    driver.prepare("A")
    driver.play("B")
    driver.prepare("B")
    assert driver.refused(commands.LoadDeck, deck="B").clause == "Ch. 3 §B(3)"


def test_cards_of_an_idle_table_are_gathered_spread_looked_at_and_opened_again() -> None:
    driver = ready(GAME)
    assert shown(driver, "SpreadIdle") == [("idle-gather", "Ch. 5 §H(1)"), ("idle-spread", "Ch. 5 §H(2)")]
    assert driver.refused(commands.SpreadIdle, face=commands.FACE_UP).clause == "Ch. 5 §H"
    driver.do(commands.SpreadIdle, face=commands.FACE_UP, asked_by=A_PLAYER)
    clauses = [duty.cite for duty in script_duties(driver.state, driver.deck())]
    assert clauses == [*(f"Ch. 5 §H({item})" for item in (1, 2, 3)), *(f"Ch. 4 §C({item})" for item in (1, 2, 3))]
    driver.refused(commands.OpenRound, round="r", deck="A")


def test_a_failed_device_is_to_be_covered_removed_or_marked_each_under_its_item() -> None:
    driver = table(GAME, shuffler=PLAIN)
    driver.do(commands.FailDevice, device="shuffler")
    ways = [("shuffler-covered", "Ch. 13 §H(1)"), ("shuffler-removed", "Ch. 13 §H(2)")]
    assert shown(driver, "TakeOutDevice") == [*ways, ("shuffler-marked", "Ch. 13 §H(2) bis")]


# Dealing, the stub and the round


DEALING_DUTIES = {
    "manual-shoe": [("no-more-bets", "Ch. 8 §C"), ("draw", "Ch. 8 §D(1)")],
    "hand": [
        ("same-hand", "Ch. 9 §A(2)(a)"),
        ("over-tray", "Ch. 9 §A(2)(b)"),
        ("no-more-bets", "Ch. 9 §B"),
        ("draw", "Ch. 9 §C(1)"),
        ("face-down", "Ch. 9 §C(3)"),
    ],
    "automated-shoe": [("no-more-bets", "Ch. 7 §D")],
}
ROUND_DUTIES = [
    ("stay", "Ch. 7 §C(1)"),
    ("own-hand", "Ch. 11 §A(1)"),
    ("own-cards", "Ch. 11 §A(2)"),
    ("in-view", "Ch. 11 §A(3)"),
    ("fold-rack", "Ch. 11 §D(1)"),
    ("show-dealer", "Ch. 11 §D(2)"),
    ("show-player", "Ch. 11 §D(3)(a)"),
    ("set-player", "Ch. 11 §D(3)(f)"),
    ("pick-up", "Ch. 11 §E"),
]


@every_method
def test_an_open_round_shows_how_cards_are_dealt_and_what_everyone_keeps_to(method: str) -> None:
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    driver.do(commands.OpenRound, round="r", deck="A")
    assert shown(driver) == DEALING_DUTIES[method] + ROUND_DUTIES


# dealing method: stub racked, count due, count right, count wrong
STUB = {
    "manual-shoe": ("Ch. 8 §D(3)", "Ch. 8 §E", "Ch. 8 §F", "Ch. 8 §G"),
    "hand": ("Ch. 9 §C(4)", "Ch. 9 §D", "Ch. 9 §E", "Ch. 9 §F"),
    "automated-shoe": ("Ch. 10 §B(5)", "Ch. 10 §C", "Ch. 10 §D", "Ch. 10 §E"),
}


@every_method
def test_the_stub_is_what_is_left_and_goes_to_the_rack_before_the_round_is_settled(method: str) -> None:
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    driver.deal()
    assert driver.refused(commands.CloseRound, ended=SETTLED, pickup=PICKUP).clause == STUB[method][0]
    assert shown(driver, "RackStub") == [("stub", STUB[method][0])]
    (racked,) = driver.do(commands.RackStub)
    assert (racked.clause, racked.cards) == (STUB[method][0], 53 - 9)
    assert driver.refused(commands.ReportDealt, cards=1).clause == STUB[method][0]
    assert driver.refused(commands.CloseRound, ended=SETTLED, pickup=PICKUP[:1]).clause == "Ch. 11 §E"


@every_method
def test_the_stub_is_counted_in_every_fifth_round_and_looked_into_until_it_makes_53(method: str) -> None:
    _, due, right, wrong = STUB[method]
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    assert shown(driver, "CountStub") == [("count-stub", due)]
    assert driver.refused(commands.RackStub).clause == due
    (counted,) = driver.do(commands.CountStub, cards=53 - 10)
    assert counted.clause == wrong
    assert shown(driver, "FindMisdeal") == [("check-count", wrong)]
    assert driver.refused(commands.CloseRound, ended="void").clause == wrong
    (counted,) = driver.do(commands.CountStub, cards=53 - 9)
    assert (counted.clause, driver.state.rack[0].count) == (right, 53 - 9)


@every_method
def test_no_card_leaves_the_deck_before_no_more_bets(method: str) -> None:
    live = seated(2, 5, dealing=method)
    cards = live.next_cards(3 if method == "automated-shoe" else 1)
    assert live.refusal(DealCards(cards)).clause == "Ch. 7 §D"
    live.do(CloseBets())
    live.do(DealCards(cards))


@every_method
def test_every_card_dealt_cites_the_chapter_it_is_dealt_by(method: str) -> None:
    by_stack = ["Ch. 10 §B(1)", "Ch. 10 §B(2)", "Ch. 10 §B(3)"]
    one_by_one = {"manual-shoe": ["Ch. 8 §D(2)"] * 9, "hand": ["Ch. 9 §C(2)"] * 9}
    live = seated(2, 5, dealing=method)
    live.dealt()
    dealt = [event for event in live.events if isinstance(event, CardsDealt)]
    assert [event.clause for event in dealt] == one_by_one.get(method, by_stack)
    assert not any(event.face_up for event in dealt)
    assert {place: len(cards) for place, cards in live.state.cards.items()} == {2: 3, 5: 3, "dealer": 3}


def test_the_dealer_reveals_only_when_every_player_has_played_or_folded() -> None:
    live = seated(1, 4)
    live.dealt()
    for seat in (1, 4):
        assert view(live.state).table["dealer"] == (None, None, None)
        assert live.refusal(TurnCards()).clause == live.refusal(Settle()).clause == "Ch. 11 §B"
        live.do(Act(seat, "play"))
    assert live.do(TurnCards()) == (CardsTurned("dealer", 3, "Ch. 11 §D(2)"),)
    assert None not in view(live.state).table["dealer"]


def test_players_cards_lie_face_up_once_they_are_settled_and_are_picked_up_hand_by_hand() -> None:
    live = seated(1, 4)
    live.answered("play")
    assert view(live.state).seats[0].cards == (None, None, None)
    *_, closed = live.do(Settle())
    assert all(None not in seat.cards for seat in view(live.state).seats)
    assert closed == RoundClosed((4, 1, "dealer"), "Ch. 11 §E")
