"""Clauses of Colorado Hold 'Em that no generic test cites by number: shown, recorded or refused."""

import random
from itertools import combinations
from typing import Any

import pytest

from pitboss.cards import STANDARD_DECK
from pitboss.games import catalogue
from pitboss.games.colorado_holdem.readings import instant_winner
from pitboss.round import view
from pitboss.round.commands import DealCards, Settle, TurnCards
from pitboss.round.events import CardsDealt, CardsTurned, RoundClosed, WagersSettled
from pitboss.round.finished import settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import To
from pitboss.rules.refusal import Refusal
from pitboss.submission.compare import Change, compare
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed, printed
from pitboss.table import TableSettings, commands, new_table, next_duties
from pitboss.table.rack import Racked
from pitboss.table.settings import COUNTING, PLAIN
from pitboss.table.state import OPENING
from round.played import Table, table_of
from submission.submitted import GONE, OPTIONS, WAGERS, Edits, faults_of, submitted
from table.driver import BY_ROLE, THE_FLOOR, Driver, ready, table

NAME = "colorado-holdem"
GAME = catalogue.game(NAME)
VERSIONS = [("required-bet", "§10", "§12"), ("permissible-bet", "§11", "§13")]
both_versions = pytest.mark.parametrize(("version", "play", "pay"), VERSIONS)
SECTIONS = [(MANUAL_SHOE, "§7"), (HAND, "§8"), (AUTOMATED_SHOE, "§9")]
each_way_of_dealing = pytest.mark.parametrize(("method", "section"), SECTIONS)


def confirmable(driver: Driver) -> list[tuple[str, str, str]]:
    return [(duty.id, duty.by, duty.cite) for duty in next_duties(driver.state) if duty.command == "ConfirmDuty"]


def opened(driver: Driver) -> dict[str, list[str]]:
    """Confirm what is shown for deck A until it may be shuffled; return the duties in order, by clause."""
    shown: dict[str, list[str]] = {}
    while driver.deck().stage == OPENING:
        ((duty, by, cite),) = confirmable(driver)
        shown.setdefault(cite, []).append(duty)
        driver.do(commands.ConfirmDuty, BY_ROLE[by], duty=duty, deck="A")
    return shown


def layout(version: str = "required-bet", edits: Edits | None = None) -> Printed:
    submission = submitted("colorado", {f"{OPTIONS}.version": version, **(edits or {})})
    return printed(submission, submission.tables[0])


def seated(version: str, *seats: int, **choices: Any) -> Table:
    live = table_of(NAME, options={"version": version}, **choices)
    for seat in seats:
        live.place(seat, {"ante": 1000})
    return live


def test_a_deck_is_opened_step_by_step_from_its_backs_to_the_stack() -> None:
    driver = table(GAME)
    driver.do(commands.ReceiveDeck, deck="A")
    assert opened(driver) == {
        "§2(a)": ["alike", "cover-cards"],
        "§4(b)": ["inspect", "verify", "spread"],
        "§4(c)": ["look", "turn", "wash", "stack"],
    }
    (shuffle,) = next_duties(driver.state)
    assert (shuffle.command, shuffle.cite, "one stack" in shuffle.text) == ("ShuffleDeck", "§5(a)", True)


def test_no_round_opens_on_two_decks_until_each_of_their_conditions_is_confirmed() -> None:
    driver = table(GAME, decks=2, shuffler=PLAIN)
    driver.open_deck("A")
    driver.open_deck("B")
    driver.prepare("B")
    driver.load("A")
    conditions = [("same-design", "§2(b)(1)"), ("other-back", "§2(b)(2)"), ("store", "§2(b)(3)")]
    assert [(duty, cite) for duty, _, cite in confirmable(driver)] == conditions
    for duty, cite in conditions:
        assert driver.refused(commands.OpenRound, round="r", deck="A").clause == cite
        (confirmed,) = driver.do(commands.ConfirmDuty, duty=duty)
        assert confirmed.clause == cite
    driver.do(commands.OpenRound, round="r", deck="A")


def test_a_cut_is_shown_in_four_steps_after_a_shuffle_by_hand_and_the_deal_after_it() -> None:
    driver = table(GAME)
    driver.open_deck()
    driver.do(commands.ShuffleDeck, deck="A", way=commands.MANUAL)
    steps = next_duties(driver.state)
    assert [(duty.cite, duty.command) for duty in steps] == [
        (f"§5(c)(1)({item})", "CutDeck") for item in ("i", "ii", "iii", "iv")
    ]
    assert ("one hand" in steps[0].text, "rack" in steps[3].text) == (True, True)
    assert driver.refused(commands.LoadDeck, deck="A").clause == "§5(b)(2)"
    assert driver.refused(commands.CutDeck, deck="A", cards=9).clause == "§5(c)(1)(ii)"
    driver.do(commands.CutDeck, deck="A", cards=10)
    (load,) = next_duties(driver.state)
    assert (load.command, load.cite) == ("LoadDeck", "§7(a)")


@pytest.mark.parametrize(("face", "turned"), [(commands.FACE_DOWN, ["turn-up"]), (commands.FACE_UP, [])])
def test_idle_cards_are_turned_up_for_a_newcomer_if_need_be_and_washed_after_the_look(
    face: str, turned: list[str]
) -> None:
    driver = ready(GAME)
    (spread,) = driver.do(commands.SpreadIdle, face=face)
    assert spread.clause == "§5(e)"
    assert opened(driver) == {"§5(e)": ["idle-spread", *turned, "look"], "§4(c)": ["turn", "wash", "stack"]}


def test_a_device_is_removed_before_cards_are_shuffled_another_way() -> None:
    driver = table(GAME, shuffler=PLAIN)
    driver.open_deck()
    driver.do(commands.FailDevice, device=commands.SHUFFLER)
    assert driver.refused(commands.ShuffleDeck, deck="A", way=commands.MANUAL).clause == "§14(g)"
    for how in ("covered", "marked"):
        assert driver.refused(commands.TakeOutDevice, THE_FLOOR, device=commands.SHUFFLER, how=how).clause == "§14(g)"
    driver.do(commands.TakeOutDevice, THE_FLOOR, device=commands.SHUFFLER, how="removed")
    driver.do(commands.ShuffleDeck, deck="A", way=commands.MANUAL)


@pytest.mark.parametrize(
    ("method", "chosen", "loaded"),
    [(MANUAL_SHOE, "§7(a)", "§7(a)"), (HAND, "§8(a)", "§8(b)(2)"), (AUTOMATED_SHOE, "§9(a)", "§9(b)(1)")],
)
def test_a_submission_chooses_where_the_shuffled_deck_is_put_before_a_round(
    method: str, chosen: str, loaded: str
) -> None:
    edits: Edits = {"table[0].dealing": method}
    assert faults_of("colorado", edits) == ()
    told = [line.clause for line in explain(submitted("colorado", edits)) if line.where == "table[0].dealing"]
    assert told == [chosen]
    driver = table(GAME, dealing=method, shuffler=PLAIN)
    driver.open_deck()
    driver.prepare()
    assert [(duty.command, duty.cite) for duty in next_duties(driver.state)] == [("LoadDeck", loaded)]
    driver.refused(commands.OpenRound, round="r", deck="A")
    (put,) = driver.do(commands.LoadDeck, deck="A")
    assert put.clause == loaded
    driver.do(commands.OpenRound, round="r", deck="A")


@pytest.mark.parametrize(
    ("method", "shown"),
    [
        (
            MANUAL_SHOE,
            {"no-more-bets": "§7(b)", "draw": "§7(c)", "second-right": "§7(c)(4)", "third-right": "§7(c)(6)"},
        ),
        (
            HAND,
            {
                "same-hand": "§8(b)(2)(i)",
                "over-tray": "§8(b)(2)(ii)",
                "no-more-bets": "§8(b)(3)",
                "draw": "§8(c)",
                "second-right": "§8(c)(4)",
                "third-right": "§8(c)(6)",
            },
        ),
        (AUTOMATED_SHOE, {"no-more-bets": "§9(b)(2)", "spread-board": "§9(c)"}),
    ],
)
def test_an_open_round_shows_the_dealer_how_to_deal(method: str, shown: dict[str, str]) -> None:
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    driver.do(commands.OpenRound, round="r", deck="A")
    duties = {duty: cite for duty, by, cite in confirmable(driver) if by == "dealer"}
    assert {duty: cite for duty, cite in duties.items() if not cite.startswith("§10")} == shown


@each_way_of_dealing
def test_no_card_is_dealt_before_no_more_bets_is_called(method: str, section: str) -> None:
    live = seated("required-bet", 1, dealing=method)
    cards = live.next_cards(3 if method == AUTOMATED_SHOE else 1)
    refusal = live.refusal(DealCards(cards))
    assert (refusal.clause, "wagers are still being placed" in refusal.reason) == ("§6(c)", True)
    live.close()
    (dealt,) = live.do(DealCards(cards))
    assert isinstance(dealt, CardsDealt)
    assert dealt.clause.startswith(section)


@pytest.mark.parametrize(("method", "clause"), [(MANUAL_SHOE, "§7(c)"), (HAND, "§8(c)")])
def test_each_single_card_goes_face_down_under_the_item_that_orders_it(method: str, clause: str) -> None:
    live = seated("required-bet", 5, 2, dealing=method)
    live.dealt()
    assert [(event.place, event.face_up, event.clause) for event in live.events if isinstance(event, CardsDealt)] == [
        (place, False, f"{clause}({item})")
        for turn in range(3)
        for place, item in ((2, 2 * turn + 1), (5, 2 * turn + 1), ("board", 2 * turn + 2))
    ]


def test_each_stack_of_three_goes_face_down_clockwise_and_to_the_community_area_last() -> None:
    live = seated("required-bet", 5, 2, dealing=AUTOMATED_SHOE)
    live.dealt()
    dealt = [
        (event.place, len(event.cards), event.face_up, event.clause)
        for event in live.events
        if isinstance(event, CardsDealt)
    ]
    assert dealt == [(place, 3, False, "§9(c)") for place in (2, 5, "board")]


@each_way_of_dealing
def test_the_stub_is_racked_unexposed_once_cards_are_dealt(method: str, section: str) -> None:
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    driver.deal()
    (stub,) = [duty for duty in next_duties(driver.state) if duty.command == "RackStub"]
    assert (stub.cite, "without exposing it" in stub.text) == (f"{section}(d)", True)
    (racked,) = driver.do(commands.RackStub)
    assert racked.clause == f"{section}(d)"
    assert driver.state.rack == (Racked("stub", 43),)


@each_way_of_dealing
def test_the_stub_is_counted_face_down_in_the_fifth_round(method: str, section: str) -> None:
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    assert driver.refused(commands.RackStub).clause == f"{section}(e)"
    (count,) = [duty for duty in next_duties(driver.state) if duty.command == "CountStub"]
    assert (count.cite, "face down on the layout" in count.text) == ("§7(e)", True)
    wrong = driver.ask(commands.CountStub, cards=42)
    assert not isinstance(wrong, Refusal)
    assert wrong[0].clause == "§7(e)(2)"
    (counted,) = driver.do(commands.CountStub, cards=43)
    assert counted.clause == "§7(e)(1)"
    assert driver.state.rack == (Racked("stub", 43),)


def test_a_counting_shuffler_is_read_after_each_shuffle_instead() -> None:
    driver = table(GAME, shuffler=COUNTING)
    driver.open_deck()
    driver.do(commands.ShuffleDeck, deck="A", way=commands.DEVICE)
    assert driver.refused(commands.LoadDeck, deck="A").clause == "§7(f)"
    (counted,) = driver.do(commands.ReadDeviceCount, deck="A", cards=52)
    assert counted.clause == "§7(f)"
    driver.do(commands.LoadDeck, deck="A")


@both_versions
def test_an_open_round_shows_players_and_dealer_the_duties_of_its_version(version: str, play: str, pay: str) -> None:
    driver = Driver(new_table(TableSettings(GAME, Choices(options={"version": version}))))
    driver.open_deck()
    driver.load()
    driver.do(commands.OpenRound, round="r", deck="A")
    required = version == "required-bet"
    declare, board, pick_up = ("(b)(3)(i)", "(g)", "(h)") if required else ("(b)(2)(i)", "(h)", "(i)")
    only_here = {"fold-down": ("player", "(b)(2)"), "fold-rack": ("dealer", "(b)(2)"), "rack-winner": ("dealer", "(g)")}
    expected = {
        **(only_here if required else {}),
        "examine": ("player", "(a)"),
        "own-cards": ("player", "(a)(1)"),
        "in-view": ("player", "(a)(2)"),
        "discard": ("player", "(b)(1)"),
        "turn-winner": ("player", declare),
        "verify-winner": ("dealer", declare),
        "show-board": ("dealer", "(c)"),
        "show-player": ("dealer", "(d)"),
        "rack-loser": ("dealer", "(e)"),
        "rack-push": ("dealer", "(f)"),
        "rack-board": ("dealer", board),
        "pick-up": ("dealer", pick_up),
    }
    shown = {duty: (by, cite) for duty, by, cite in confirmable(driver)}
    assert shown.pop("stay") == ("player", "§6(b)")
    assert {duty: row for duty, row in shown.items() if not row[1].startswith("§7")} == {
        duty: (by, play + item) for duty, (by, item) in expected.items()
    }


@both_versions
def test_a_declared_winner_is_paid_before_the_board_and_the_board_waits_for_every_answer(
    version: str, play: str, pay: str
) -> None:
    live = seated(version, 1, 2, order="Ac 2d Ks Ad 3h Qs Ah 7c Js")
    live.dealt()
    for action in ("declare", "bet"):
        assert live.refusal(TurnCards()).clause == f"{play}(b)"
        live.act(action)
        assert view(live.state).table["board"] == (None, None, None)
        assert live.state.results[1, "ante"].odds_clause == f"{pay}(b) Three-of-a-kind (Instant Winner)"
    assert live.do(TurnCards()) == (CardsTurned("board", 3, f"{play}(c)"),)
    assert None not in view(live.state).table["board"]


@both_versions
def test_kept_cards_are_turned_and_settled_counterclockwise_and_picked_up_before_the_board(
    version: str, play: str, pay: str
) -> None:
    live = seated(version, 2, 6, 4)
    live.answered("bet", "bet" if version == "required-bet" else "check", "bet")
    assert ((4, "bet") in live.state.stakes) == (version == "required-bet"), "seat 4 was asked second"
    *settled, closed = live.do(Settle())
    assert [event.seat for event in settled if isinstance(event, WagersSettled)] == [6, 4, 2]
    for seat in view(live.state).seats:
        assert [card is None for card in seat.cards] == [True, False, False], "the discard alone stays down"
    assert isinstance(closed, RoundClosed)
    assert closed.pickup == (6, 4, 2, "board")
    assert closed.clause == play + ("(h)" if version == "required-bet" else "(i)")


@pytest.mark.parametrize(("ace_low", "straight_flushes"), [(False, 44), (True, 48)])
def test_two_kinds_of_all_three_card_hands_are_instant_winners(*, ace_low: bool, straight_flushes: int) -> None:
    found = [instant_winner(cards, ace_low=ace_low) for cards in combinations(STANDARD_DECK.cards, 3)]
    assert {cell: found.count(cell) for cell in set(found)} == {
        "instant-three-of-a-kind": 52,
        "instant-three-card-straight-flush": straight_flushes,
        None: 22_100 - 52 - straight_flushes,
    }


def test_a_bonus_wager_changes_nothing_about_ante_and_bet() -> None:
    chance = random.Random(NAME)
    rules = RulesInForce(GAME)
    for _ in range(100):
        cards = chance.sample(STANDARD_DECK.cards, 6)
        seat = {"seat": 1, "cards": cards[:3], "actions": ["bet", f"discard {cards[0]}"]}
        rows = []
        for wagers in ({"ante": 700}, {"ante": 700, "bonus": 100}):
            result = settle_hand(rules, {"board": cards[3:], "seats": [{**seat, "wagers": wagers}]})
            assert not isinstance(result, Refusal)
            rows.append({wager: row for wager, row in result["seats"][0]["wagers"].items() if wager != "bonus"})
        assert rows[0] == rows[1]


def test_the_layout_marks_every_wager_and_place_with_the_word_the_book_defines() -> None:
    assert [(area.title, area.each_seat, area.where, area.clause) for area in layout().areas] == [
        ("Ante", True, "", "§6(d)"),
        ("Bet", True, "", "§6(d)"),
        ("Bonus", True, "", "§6a(b)"),
        ("Discard", True, "in front of the player", "§1 Discard"),
        ("Community cards", False, "in front of the chip tray", "§1 Community card"),
    ]
    assert "bonus" not in {area.name for area in layout(edits={WAGERS: GONE}).areas}


@pytest.mark.parametrize(("method", "shoe"), [(MANUAL_SHOE, ["§7(a)"]), (HAND, []), (AUTOMATED_SHOE, ["§9(a)"])])
def test_the_table_has_a_rack_a_tray_and_the_shoe_it_is_dealt_from(method: str, shoe: list[str]) -> None:
    furniture = layout(edits={"table[0].dealing": method}).furniture
    assert [piece.clause for piece in furniture] == ["§1 Community card", "§5(c)(1)(iv)", *shoe]
    assert all("approved" in piece.name for piece in furniture if piece.clause in shoe)


@both_versions
def test_the_layout_says_what_loses_what_pushes_and_the_payout_limit(version: str, play: str, pay: str) -> None:
    texts = {inscription.clause: inscription.text for inscription in layout(version).inscriptions}
    low, pushes = ("sevens", "sevens, eights or nines") if version == "required-bet" else ("nines", "nines or tens")
    assert texts == {
        f"{play}(e)": f"Less than a pair of {low} loses",
        f"{play}(f)": f"A pair of {pushes} pushes",
        f"{pay}(c)": "Payout limit per hand: $50,000",
    }


@both_versions
def test_odds_are_printed_with_to_and_never_with_for(version: str, play: str, pay: str) -> None:
    found = layout(version)
    assert (found.odds_words, found.odds_words_clause) == (("to", "win"), f"{pay}(a)")
    paid = [line.pays for sign in found.odds for line in sign.lines]
    assert len(paid) == 33
    assert {line.split()[1] for line in paid if line != "push"} == {"to"}


@both_versions
def test_no_line_may_pay_less_than_the_book_prints_and_any_may_pay_more(version: str, play: str, pay: str) -> None:
    for wager in GAME.wagers:
        (book,) = [paytable for paytable in wager.paytables if paytable.when == f"version={version}"]
        assert book.cite == f"{pay}({'d' if wager.name == 'bonus' else 'b'})"
        lines = {line.hand: line for line in book.lines if isinstance(line.payoff, To)}
        edits: dict[int, Edits] = {}
        for change in (-1, 0, 1):
            odds = {hand: f"{line.payoff.win + change} to 1" for hand, line in lines.items()}
            edits[change] = {f"{OPTIONS}.version": version, f"{WAGERS}.{wager.name}": {"odds": odds}}
        assert {(fault.where, fault.clause) for fault in faults_of("colorado", edits[-1])} == {
            (f"{WAGERS}.{wager.name}.odds.{hand}", line.cite) for hand, line in lines.items()
        }
        assert faults_of("colorado", edits[0]) == faults_of("colorado", edits[1]) == ()


@both_versions
def test_a_lowered_payout_limit_and_a_withdrawn_bonus_are_listed_with_their_clauses(
    version: str, play: str, pay: str
) -> None:
    limit, bonus = f"{OPTIONS}.payout-limit", f"{WAGERS}.bonus"
    before = submitted("colorado", {f"{OPTIONS}.version": version, limit: 60_000_00})
    lowered = submitted("colorado", {f"{OPTIONS}.version": version})
    (change,) = compare(before, lowered)
    assert change == Change("Colorado 1", "options.payout-limit", "$60,000", "$50,000", f"{pay}(c)")
    withdrawn = submitted("colorado", {f"{OPTIONS}.version": version, bonus: GONE})
    assert Change("Colorado 1", "wagers.bonus", "offered", None, "§6a(a)") in compare(lowered, withdrawn)
