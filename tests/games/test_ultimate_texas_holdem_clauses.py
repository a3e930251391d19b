"""Ultimate Texas Hold 'Em clause by clause, where no generic test shows what the program does about one."""

from typing import Any

import pytest

from pitboss.cards import Card, TableShuffle
from pitboss.cards.poker import best, category_name
from pitboss.games import catalogue
from pitboss.round import legal_actions, view
from pitboss.round.commands import Act, DealCards, PlaceWagers, TurnCards
from pitboss.round.events import ActionTaken, CardsCollected, WagersSettled
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, METHODS
from pitboss.submission.printed import Printed, printed
from pitboss.submission.table_choices import settings_for
from pitboss.table import TableSettings, commands, new_table, next_duties
from pitboss.table.commands import ConfirmDuty, OpenRound, ShuffleDeck
from pitboss.table.settings import PLAIN, SHUFFLE
from round.played import LEAST, Table, table_of
from submission.submitted import GONE, WAGERS, Edits, faults_of, submitted
from table.driver import BY_ROLE, PICKUP, Driver, ready
from table.driver import table as empty_table

UTH = "ultimate-texas-holdem"
GAME = catalogue.game(UTH)
MAIN = LEAST[UTH]
every_method = pytest.mark.parametrize("method", METHODS)


def shown(driver: Driver) -> dict[str, Any]:
    return {duty.id: duty for duty in next_duties(driver.state)}


def layout(edits: Edits | None = None) -> Printed:
    submission = submitted("holdem", edits)
    return printed(submission, submission.tables[0])


def test_the_words_of_the_first_chapter_are_those_of_the_program() -> None:
    actions = {action.name for ask in table_of(UTH).rules.asks for action in ask.actions}
    assert {"check", "fold"} <= actions
    assert {"Play", "Trips", "Progressive"} <= {wager.title for wager in GAME.wagers}
    assert GAME.progressive is not None
    assert set(GAME.progressive.envy_cells) == {"royal-flush", "straight-flush"}


def test_words_borrowed_from_another_rulebook_have_a_recorded_reading() -> None:
    (ruling,) = [ruling for ruling in catalogue.rulings(UTH) if ruling.clause == "Ch. 1 §A"]
    assert "first three community cards" in ruling.reading


def test_a_check_wagers_nothing_and_leaves_the_player_in_until_the_last_question() -> None:
    table = table_of(UTH)
    table.place(1, MAIN)
    table.dealt()
    for _ in range(2):
        (taken,) = table.act("check")
        assert isinstance(taken, ActionTaken)
        assert (taken.becomes, taken.wager, taken.stake) == ("undecided", None, 0)
        table.deal_until("asking")
    assert [action.name for action in legal_actions(table.state)] == ["raise 1x", "fold"]


def test_the_layout_has_its_areas_where_they_belong() -> None:
    found = {area.name: area for area in layout({f"{WAGERS}.six-card-bonus": "A"}).areas}
    assert {(line.name, line.clause, line.where) for line in found.values() if line.each_seat} == {
        ("ante", "Ch. 2 §B(2)", ""),
        ("blind", "Ch. 2 §B(2)", "to the right of the Ante, after an equals sign"),
        ("play", "Ch. 2 §B(2)", ""),
        ("trips", "Ch. 2 §B(2)", ""),
        ("progressive", "Ch. 2 §B(5)", ""),
        ("six-card-bonus", "Ch. 2 §B(6)", ""),
    }
    assert (found["board"].clause, found["board"].where) == ("Ch. 2 §B(3)", "directly in front of the chip tray")
    assert (found["dealer"].clause, found["box"].clause) == ("Ch. 2 §B(4)", "Ch. 10 §B(1)")


@pytest.mark.parametrize(("letter", "least"), [("A", "straight"), ("B", "flush")])
def test_the_layout_carries_its_inscriptions(letter: str, least: str) -> None:
    found = {inscription.clause: inscription.text for inscription in layout({f"{WAGERS}.blind": letter}).inscriptions}
    later = "2 times after it, 1 time after the last two cards"
    assert found == {
        "Ch. 2 §B(1)": "Harbor Casino",
        "Ch. 2 §B(8)(a)": "Ante pushes if the dealer has less than a pair",
        "Ch. 2 §B(8)(b)": f"Blind pushes if the winning hand is less than a {least}",
        "Ch. 2 §B(8)(c)": f"Play is 3 or 4 times the Ante before the flop, {later}",
        "Ch. 2 §B(8)(d)": "Payout limit per hand: $50,000",
    }


def test_the_layout_lists_required_furniture_and_what_may_be_placed_elsewhere() -> None:
    found = layout({"table[0].dealing": MANUAL_SHOE}).furniture
    assert [(" ".join(line.name.split()[:2]), line.clause, line.elsewhere_clause) for line in found] == [
        ("dealer's place", "Ch. 2 §A", None),
        ("drop box", "Ch. 2 §D(1)", "Ch. 2 §E"),
        ("discard rack", "Ch. 2 §D(2)", None),
        ("progressive wagering", "Ch. 2 §C(1)", None),
        ("progressive control", "Ch. 2 §C(2)", None),
        ("manual dealing", "Ch. 8 §A", None),
    ]


def test_a_new_deck_goes_through_every_step_on_the_record() -> None:
    driver = empty_table(GAME)
    driver.do(commands.ReceiveDeck, deck="A")
    for duty, role, clause, words in (
        ("alike", "dealer", "Ch. 3 §A(2)", "look alike"),
        ("cover-cards", "dealer", "Ch. 3 §A(3)", "two cover cards"),
        ("inspect", "dealer", "Ch. 4 §A", "defects"),
        ("verify", "floorperson", "Ch. 4 §A", "Verify"),
        ("spread", "dealer", "Ch. 4 §B", "face up by suit and in sequence"),
        ("look", "player", "Ch. 4 §C", "Look"),
        ("turn", "dealer", "Ch. 4 §C(1)", "face down"),
        ("wash", "dealer", "Ch. 4 §C(2)", "Wash"),
        ("stack", "dealer", "Ch. 4 §C(3)", "Stack"),
    ):
        now = shown(driver)[duty]
        assert (now.by, now.cite, words in now.text) == (role, clause, True)
        driver.refused(ShuffleDeck, deck="A", way=commands.MANUAL)
        (confirmed,) = driver.do(ConfirmDuty, BY_ROLE[role], duty=duty, deck="A")
        assert (confirmed.clause, confirmed.by) == (clause, BY_ROLE[role])
    driver.refused(commands.LoadDeck, deck="A")
    driver.do(ShuffleDeck, deck="A", way=commands.MANUAL)


def test_a_shuffle_makes_one_stack_and_the_cut_is_shown_step_by_step() -> None:
    driver = empty_table(GAME)
    driver.open_deck()
    now = shown(driver)["shuffle"]
    assert (now.cite, "one stack" in now.text) == ("Ch. 5 §A(1)", True)
    driver.do(ShuffleDeck, deck="A", way=commands.MANUAL)
    steps = [(duty.id, duty.cite) for duty in next_duties(driver.state)]
    assert steps == [("cut", "Ch. 5 §F"), ("cut-under", "Ch. 5 §F(1)"), ("load", "Ch. 5 §F(2)")]


def test_an_idle_table_spreads_its_cards_and_opens_again() -> None:
    driver = ready(GAME)
    now = shown(driver)["idle-spread"]
    assert (now.cite, "face down, or face up if a player asks" in now.text) == ("Ch. 5 §H(1)", True)
    driver.do(commands.SpreadIdle)
    driver.do(ConfirmDuty, duty="idle-spread", deck="A")
    assert shown(driver)["turn-up"].cite == "Ch. 4 §B"  # the first player looks at faces
    driver.do(ConfirmDuty, duty="turn-up", deck="A")
    assert shown(driver)["look"].cite == "Ch. 5 §H(2)"
    driver.do(ConfirmDuty, BY_ROLE["player"], duty="look", deck="A")
    assert list(shown(driver)) == ["turn"]


# Loading the deck, racking the stub, counting it, and a count that is right.
CHAPTERS = {
    MANUAL_SHOE: ("Ch. 8 §B", "Ch. 8 §D(4)", "Ch. 8 §E", "Ch. 8 §F"),
    HAND: ("Ch. 9 §A(2)", "Ch. 9 §B(4)", "Ch. 9 §C", "Ch. 9 §D"),
    AUTOMATED_SHOE: ("Ch. 10 §A(1)", "Ch. 10 §B(5)", "Ch. 10 §C", "Ch. 10 §D"),
}


@every_method
def test_a_deck_is_loaded_and_its_stub_racked_by_the_chapter_it_is_dealt_by(method: str) -> None:
    load, rack, _, _ = CHAPTERS[method]
    driver = empty_table(GAME, dealing=method, shuffler=PLAIN)
    driver.open_deck()
    driver.do(ShuffleDeck, deck="A", way=commands.DEVICE)
    (duty,) = next_duties(driver.state)
    (loaded,) = driver.do(commands.LoadDeck, deck="A")
    assert duty.cite == loaded.clause == load
    driver.deal()
    assert "without exposing" in shown(driver)["stub"].text
    assert driver.do(commands.RackStub)[0].clause == rack


@every_method
def test_no_card_is_dealt_before_no_more_bets_and_no_progressive_taken_after(method: str) -> None:
    table = table_of(UTH, dealing=method)
    table.place(1, MAIN)
    assert table.refusal(DealCards((Card("As"),))).clause == "Ch. 7 §D"
    table.place(1, MAIN | {"progressive": 100})
    table.place(2, MAIN)
    table.close()
    assert table.refusal(PlaceWagers(2, "player 2", MAIN | {"progressive": 100})).clause == "Ch. 7 §E"
    assert table.state.due is not None


# The clauses are those of the manual shoe, of dealing from the hand and of the automated shoe, or of every way alike.
DUTIES = {
    "no-more-bets": ('Announce "no more bets"', "Ch. 8 §C(1)", "Ch. 9 §A(3)", "Ch. 10 §A(2)(a)"),
    "lock-progressive": ("Lock the progressive", "Ch. 8 §C(2)", "Ch. 9 §A(3)(a)", "Ch. 10 §A(2)(b)(i)"),
    "count-progressive": (
        "match the wagers the system accepted",
        "Ch. 8 §C(3)",
        "Ch. 9 §A(3)(b)",
        "Ch. 10 §A(2)(b)(ii)",
    ),
    "bank-progressive": ("in the chip tray", "Ch. 8 §C(4)", "Ch. 9 §A(3)(c)", "Ch. 10 §A(2)(b)(iii)"),
    "draw": ("with the", "Ch. 8 §D(1)", "Ch. 9 §B(1)", ""),
    "cover": ("under the cover card", "Ch. 8 §D(2)", "Ch. 9 §B(2)", ""),
    "same-hand": ("for the whole round", "", "Ch. 9 §A(2)(a)", ""),
    "over-tray": ("over the chip tray", "", "Ch. 9 §A(2)(b)", ""),
    "spread-board": ("face down in the middle", "", "", "Ch. 10 §B(2)"),
    "hold-back": ("until all players have acted", "", "", "Ch. 10 §B(4)"),
    "board-early": ("community cards first", "", "", "Ch. 10 §F"),
    "accepted": ("was accepted", "Ch. 7 §F(3)(b)"),
    "stay": ("Stay seated", "Ch. 7 §C(1)"),
    "own-cards": ("only your own cards", "Ch. 11 §A(1)"),
    "in-view": ("full view", "Ch. 11 §A(2)"),
    "fold-trips": ("face down under its live side wager", "Ch. 11 §F(3)(a)"),
    "fold-rack": ("no live side wager", "Ch. 11 §F(3)(b)"),
    "fold-six-card": ("under its Six Card Bonus", "Ch. 11 §F(3)(c)"),
    "show-dealer": ("turn the dealer's cards face up", "Ch. 11 §G(1)"),
    "set-dealer": ("best five of seven", "Ch. 11 §G(2)"),
    "announce-dealer": ("Announce the dealer's hand", "Ch. 11 §G(3)"),
    "show-player": ("Turn up the two cards", "Ch. 11 §H(2)(a)"),
    "set-player": ("best five of seven", "Ch. 11 §H(2)(b)"),
    "announce-player": ("Announce each player's hand", "Ch. 11 §H(2)(c)"),
    "verify-hit": ("progressive hand wins", "Ch. 11 §J(2)(a)"),
    "verify-light": ("light is on", "Ch. 11 §J(2)(b)"),
    "validate-hit": ("Validate", "Ch. 11 §J(2)(c)"),
    "pick-up": ("can be reconstructed", "Ch. 11 §K"),
}


@every_method
@pytest.mark.parametrize("duty", DUTIES)
def test_a_duty_of_the_round_is_shown_and_confirmed_on_the_record(duty: str, method: str) -> None:
    words, *clauses = DUTIES[duty]
    clause = (clauses * 3)[METHODS.index(method)]
    choices = Choices(dealing=method, options={"dealer-cards": "in-shuffler"})
    driver = Driver(new_table(TableSettings(GAME, choices, shuffler=PLAIN)))
    driver.open_deck()
    driver.load()
    driver.do(OpenRound, round="r", deck="A")
    now = shown(driver).get(duty)
    assert (now.cite if now else "") == clause
    if now:
        assert words in now.text
        (confirmed,) = driver.do(ConfirmDuty, BY_ROLE[now.by], duty=duty)
        assert (confirmed.duty, confirmed.clause) == (duty, clause)
        (closed,) = driver.do(commands.CloseRound, ended="void")
        assert duty not in closed.unconfirmed


@every_method
def test_the_fifth_stub_is_counted_and_racked_when_the_count_is_right(method: str) -> None:
    _, _, count, right = CHAPTERS[method]
    driver = ready(GAME, dealing=method, shuffler=PLAIN)
    for _ in range(4):
        driver.play()
        driver.load()
    driver.deal()
    assert driver.refused(commands.RackStub).clause == count
    assert (shown(driver)["count-stub"].cite, "face down" in shown(driver)["count-stub"].text) == (count, True)
    assert driver.do(commands.CountStub, cards=43)[0].clause == right
    driver.do(commands.CloseRound, ended="settled", pickup=PICKUP)


def test_an_electronic_table_deals_the_same_cards_under_the_dealers_control() -> None:
    settings = settings_for(submitted("holdem", {"table[0].electronic": True}).tables[0])
    assert (settings.electronic, settings.cards, settings.self_dealing) == (True, SHUFFLE, False)
    table = Table(settings.rules)
    table.spare = list(TableShuffle().order(GAME.deck))
    table.place(1, MAIN)
    table.answered("raise 4x")
    assert (len(table.state.cards["dealer"]), len(table.state.cards["board"])) == (2, 5)


SUBMITTED = ("progressive", "six-card-bonus", "ultimate-pairs", "bad-beat", "play-the-board")


@pytest.mark.parametrize("wager", SUBMITTED)
def test_a_further_wager_is_taken_only_where_the_submission_offers_it(wager: str) -> None:
    stakes = MAIN | {"trips": 500, wager: 100}
    without = table_of(UTH, dealing=AUTOMATED_SHOE, offered=frozenset({"trips"}))
    refusal = without.refusal(PlaceWagers(1, "player 1", stakes))
    assert (refusal.field, refusal.clause) == (wager, f"Ch. 7 §F({SUBMITTED.index(wager) + 3})")
    table_of(UTH, dealing=AUTOMATED_SHOE, offered=frozenset({"trips", wager})).place(1, stakes)
    listed = {f"{WAGERS}.{wager}": GONE} if wager == "progressive" else {}
    assert wager not in settings_for(submitted("holdem", listed).tables[0]).rules.offered


def test_trips_may_be_left_out_and_no_side_wager_is_placed_without_ante_and_blind() -> None:
    table = table_of(UTH)
    table.place(1, MAIN)
    table.place(1, MAIN | {"trips": 300})
    for wager in ("trips", "progressive"):
        assert table.refusal(PlaceWagers(2, "player 2", {wager: 100})).clause == "Ch. 7 §F(1)"


def test_questions_go_clockwise_past_those_who_have_played_and_cards_wait_for_every_answer() -> None:
    table = table_of(UTH)
    for seat in (1, 3, 5):
        table.place(seat, MAIN)
    table.dealt()
    for clause, seats in (("Ch. 11 §B", [1, 3, 5]), ("Ch. 11 §D", [1, 5]), ("Ch. 11 §F", [1, 5])):
        for seat in seats:
            assert table.state.seat_asked == seat
            assert table.refusal(Act(6 - seat if seat != 3 else 1, "check")).clause == clause
            for command in (DealCards(table.next_cards(3)), TurnCards()):
                assert table.refusal(command).clause == clause
            table.act("raise 4x" if seat == 3 else "raise 1x" if clause == "Ch. 11 §F" else "check")
        while table.state.phase == "dealing":
            table.deal_on()
    assert table.state.phase == "settling"


@pytest.mark.parametrize(
    ("side", "kept"),
    [({}, False), ({"trips": 100}, True), ({"trips": 100, "six-card-bonus": 100}, True), ({"bad-beat": 100}, True)],
    ids=["nothing", "trips", "six-card-bonus", "bad-beat"],
)
def test_a_fold_loses_ante_and_blind_and_the_cards_stay_face_down_under_a_live_side_wager(
    side: dict[str, int], kept: bool
) -> None:
    table = table_of(UTH, dealing=AUTOMATED_SHOE)
    table.place(1, MAIN | side)
    table.dealt()
    for _ in range(2):
        table.act("check")
        table.deal_until("asking")
    taken, settled, *collected = table.act("fold")
    assert isinstance(taken, ActionTaken)
    assert isinstance(settled, WagersSettled)
    lost = [(result.wager, result.result, result.clause) for result in settled.results]
    assert lost == [("ante", "lose", "Ch. 11 §F(2)"), ("blind", "lose", "Ch. 11 §F(2)")]
    assert [isinstance(item, CardsCollected) for item in collected] == ([] if kept else [True])
    assert view(table.state).seats[0].cards == (None, None)
    assert (1, "play") not in table.state.stakes
    table.deal_until("settling")
    table.settle()
    assert {wager for _, wager in table.state.results} == {"ante", "blind", *side}


RANKS = [
    ("royal-flush", "Ah Kh Qh Jh Th", "As Ks Qs Js Ts"),
    ("straight-flush", "Kh Qh Jh Th 9h", "5c 4c 3c 2c Ac"),
    ("four-of-a-kind", "Ah Ac Ad As Kh", "2h 2c 2d 2s 3h"),
    ("full-house", "Ah Ac Ad Ks Kh", "2h 2c 2d 3s 3h"),
    ("flush", "Ah Kh Qh Jh 9h", "7c 5c 4c 3c 2c"),
    ("straight", "Ah Kc Qh Jh Th", "5c 4h 3c 2c Ac"),
    ("three-of-a-kind", "Ah Ac Ad Ks Qh", "2h 2c 2d 4s 3h"),
    ("two-pair", "Ah Ac Kd Ks Qh", "3h 3c 2d 2s 4h"),
    ("pair", "Ah Ac Kd Qs Jh", "2h 2c 5d 4s 3h"),
    ("high-card", "Ah Kc Qd Js 9h", "7h 5c 4d 3s 2h"),
]


@pytest.mark.parametrize("place", range(10), ids=[kind for kind, _, _ in RANKS])
def test_the_lowest_hand_of_a_kind_beats_the_highest_of_the_next(place: int) -> None:
    kind, highest, lowest = RANKS[place]
    values = [best(GAME.deck.pick(hand.split(), set())) for hand in (highest, lowest)]
    assert [category_name(value) for value in values] == [kind, kind]
    assert values[0] >= values[1]
    if place + 1 < len(RANKS):
        assert values[1] > best(GAME.deck.pick(RANKS[place + 1][1].split(), set()))


LETTERS = {
    "blind": ("AB", "Ch. 12 §B"),
    "trips": ("ABCDE", "Ch. 12 §C"),
    "six-card-bonus": ("AB", "Ch. 12 §E"),
    "ultimate-pairs": ("ABCDEF", "Ch. 12 §E Ultimate Pairs"),
    "bad-beat": ("ABC", "Ch. 12 §F Bad Beat"),
    "play-the-board": ("ABC", "Ch. 12 §G"),
}


@pytest.mark.parametrize("wager", LETTERS)
def test_a_submission_chooses_one_of_the_printed_paytables(wager: str) -> None:
    letters, clause = LETTERS[wager]
    for letter in "ABCDEFG":
        faults = faults_of("holdem", {f"{WAGERS}.{wager}": letter})
        assert [fault.clause for fault in faults] == ([] if letter in letters else [clause])


METERS = {
    "A": {"meter": (10_000_00, "(i)")},
    "B": {"major": (1_000_00, "(ii)(1)"), "minor": (250_00, "(ii)(2)")},
    "C": {"mega": (10_000_00, "(iii)(1)"), "major": (1_000_00, "(iii)(2)"), "minor": (250_00, "(iii)(3)")},
    "D": {"mega": (10_000_00, "(iv)(1)"), "major": (1_000_00, "(iv)(2)"), "minor": (250_00, "(iv)(3)")},
}


@pytest.mark.parametrize(("letter", "meter"), [(letter, meter) for letter in METERS for meter in METERS[letter]])
def test_a_meter_may_neither_start_nor_return_below_its_minimum(letter: str, meter: str) -> None:
    least = {name: cents for name, (cents, _) in METERS[letter].items()}
    stated = {"paytable": letter, "rate": "0.1", "initial": least, "reset": least, "envy": letter}
    assert faults_of("holdem", {f"{WAGERS}.progressive": stated}) == ()
    short = least | {meter: least[meter] - 1}
    clause = f"Ch. 12 §D(3)(b){METERS[letter][meter][1]}"
    found = faults_of("holdem", {f"{WAGERS}.progressive": stated | {"initial": short, "reset": short}})
    assert [(fault.where.split(".")[3], fault.clause) for fault in found] == [("initial", clause), ("reset", clause)]


@pytest.mark.parametrize(("device", "clause"), [("shuffler", "Ch. 13 §H(2)"), ("shoe", "Ch. 13 §I(1)")])
def test_after_a_jam_in_play_dealt_cards_and_the_rest_are_shuffled_together(device: str, clause: str) -> None:
    driver = ready(GAME, dealing=AUTOMATED_SHOE, shuffler=PLAIN)
    driver.deal()
    (jammed,) = driver.do(commands.JamDevice, device=device, deck="A")
    assert (jammed.clause, jammed.in_play) == (clause, True)
    driver.do(commands.CloseRound, ended="void", fate="reshuffled", clause=clause, pickup=PICKUP)
    assert sum(pile.count for pile in driver.state.rack) == 52
    assert list(shown(driver)) == ["shuffle"]
