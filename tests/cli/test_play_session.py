"""A session at the terminal's table, line by line."""

from collections import Counter
from pathlib import Path

import pytest

from cli.seated import CTRL_C, CTRL_D, Seated, Typed, sit, stack
from pitboss.cards.deck import face
from pitboss.cli.play.faces import CardFaces
from pitboss.games import game, game_names
from pitboss.house import bots
from pitboss.round.events import EnvyPaid, MeterPaid, WagersPlaced
from pitboss.round.round_data import UnknownRecord
from pitboss.round.state import ASKING, OVER, WAGERING

ANSWERS = {
    "colorado-holdem": ("b1",),
    "dragon-poker": ("p",),
    "top-five-poker": ("p",),
    "ultimate-texas-holdem": ("c", "c", "1"),
}
EXAMPLES = Path(__file__).parents[2] / "examples"
ROYAL = "2c 3c 4c 5c Ts Js Qs 2d 7h 4h 5d Ks As 8s 9s"  # box, board, dealer, seat 1, seat 2


@pytest.mark.parametrize("name", game_names())
def test_a_whole_round_of_every_game_is_played_settled_and_explained(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seated = sit(monkeypatch, tmp_path, ["", *ANSWERS[name], "?", "", "e", "", "q"], game=name)
    state = seated.table.state
    assert seated.status == 0
    assert state.phase == OVER
    settlement, why, _, everyone = seated.pages[-5:-1]
    for (seat, wager), result in state.results.items():
        title = game(name).wagers_by_name[wager].title
        assert title in everyone
        assert result.clause in everyone
        if seat == 1:
            assert title in settlement
            assert result.clause in settlement
            assert result.clause in why
    net = seated.table.net_cents(1)
    sign = "+" if net > 0 else "-" if net < 0 else ""
    assert f"You played 1 round: {sign}$" in seated.farewell


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", game_names())
def test_no_page_shows_a_card_that_is_still_face_down(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = ANSWERS[name]
    seated = sit(monkeypatch, tmp_path, ["", *answers, "", *answers, "q"], game=name, seed=seed, seats=4, seat=2)
    faces = CardFaces(game(name).deck)
    asked = 0
    for page, state in zip(seated.pages, seated.states, strict=True):
        assert state is not None
        if state.phase != ASKING:
            continue
        asked += 1
        own = Counter(faces.label(face(card)).split()[-1] for card in state.cards[2])
        visible = Counter(
            faces.label(face(card)).split()[-1]
            for place, cards in state.cards.items()
            if isinstance(place, str)
            for card in cards[: state.face_up.get(place, 0)]
        )
        for title in {faces.label(title).split()[-1] for title in game(name).deck.titles}:
            told = page.rpartition("─" * 60)[2].count(title)
            assert page.count(title) - told == own[title] + visible[title], f"{title} on\n{page}"
            assert bool(told) <= bool(own[title] + visible[title])
    assert asked >= 2 * len(answers)


def test_a_folded_hand_without_live_wagers_is_never_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stack(monkeypatch, "Ra Ra Mo Ra Mo Pa Dr Dr Dr")  # seat 1, seat 2, dealer
    monkeypatch.setattr(bots, "SIDE_WAGERS_IN_TEN", 0)
    seated = sit(monkeypatch, tmp_path, ["", "p", "q"], game="dragon-poker", seats=2)
    status, results = seated.table.state.status[2], seated.table.state.results
    assert status == "folded"
    assert {wager for seat, wager in results if seat == 2} == {"ante", "ante-bonus"}
    assert "▒▒ ▒▒ ▒▒" in next(line for line in seated.pages[-1].splitlines() if line.startswith(" Seat 2"))


def test_a_discard_is_shown_only_to_its_owner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stack(monkeypatch, "As Ad 2c Ks Kd 3c 9h 8h 4d")  # seat 1, seat 2, board
    seated = sit(monkeypatch, tmp_path, ["", "b", "3", "q"], game="colorado-holdem", seats=2)
    assert seated.table.state.discards == {1: "2c", 2: "3c"}
    assert "pair of aces, 2♣ discarded" in seated.pages[-1]
    assert "3♣" not in "".join(seated.pages)


def test_a_mistyped_discard_is_asked_again_and_an_empty_line_goes_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ["", "b", "9", "x", "", "b7", "bet", "2", "q"]
    seated = sit(monkeypatch, tmp_path, lines, game="colorado-holdem", seats=1)
    assert "which card do you discard?" in seated.pages[2]
    assert "Type a number from 1 to 3." in seated.pages[3]
    assert "Type a number from 1 to 3." in seated.pages[4]
    assert "which card" not in seated.pages[5]
    assert "Type a number from 1 to 3." in seated.pages[6]
    assert seated.table.state.discards[1] == seated.table.state.cards[1][1]


@pytest.mark.parametrize("leaving", ["q", "Q", "quit", CTRL_C, CTRL_D])
@pytest.mark.parametrize("name", game_names())
def test_leaving_in_the_middle_of_a_round_leaves_a_record_that_replays(
    name: str, leaving: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seated = sit(monkeypatch, tmp_path, ["", leaving], game=name)
    live = seated.table.state
    (recorded,) = seated.rounds
    assert seated.status == 0
    assert live.phase == ASKING
    assert recorded.state()._replace(rules=live.rules) == live
    assert recorded.opened["free_play"] is True
    assert recorded.opened["game"] == name
    assert recorded.rules.choices == live.rules.choices
    assert "You played no complete rounds." in seated.farewell
    assert "stays on record" in seated.farewell


@pytest.mark.parametrize("prompt", range(6))
def test_q_leaves_at_any_prompt(prompt: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = ["?", "", "", "b", "1", "e", ""][:prompt]
    seated = sit(monkeypatch, tmp_path, [*lines, "q"], game="colorado-holdem")
    assert seated.status == 0
    assert len(seated.pages) == prompt + 1
    assert "You played" in seated.farewell


def test_leaving_before_a_wager_leaves_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["t 5", "q"])
    assert seated.states[-1] is not None
    assert seated.states[-1].phase == WAGERING
    assert list(tmp_path.iterdir()) == []
    assert "Recorded" not in seated.farewell


def test_the_record_is_on_disk_before_its_effect_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compared = 0

    def compare(seated: Seated, index: int) -> None:
        nonlocal compared
        if seated.tables and seated.table.state.players:
            live = seated.table.state
            assert seated.rounds[-1].state()._replace(rules=live.rules) == live
            compared += 1

    sit(monkeypatch, tmp_path, ["", "c", "2", "", "3", "q"], before=compare)
    assert compared >= 5


def test_two_sessions_in_one_file_are_kept_one_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sit(monkeypatch, tmp_path, ["", "4", "q"])
    seated = sit(monkeypatch, tmp_path, ["", "4", "", "q"])
    assert [played.opened["round"] for played in seated.rounds] == [1, 1, 2]
    assert seated.rounds[0].events == seated.rounds[1].events


def test_a_torn_record_is_refused_and_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["", "4", "q"])
    seated.record.write_text(seated.record.read_text("utf-8")[:-9], encoding="utf-8")
    with pytest.raises(UnknownRecord, match="is not JSON"):
        _ = seated.rounds


def test_the_same_seed_and_lines_give_the_same_rounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("one", "two"))
    lines = ["25 t", "", "c", "c", "1", "", "4", "q"]
    first_run, two = (sit(monkeypatch, folder, lines) for folder in (first, second))
    assert first_run.record.read_bytes() == two.record.read_bytes()
    assert "a repeatable demonstration (seed 7)" in first_run.pages[0]


def test_a_table_without_a_seed_does_not_claim_to_repeat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["", "q"], seed=None)
    assert "repeatable" not in seated.pages[0]
    assert "Free play" in seated.pages[0]
    (recorded,) = seated.rounds
    assert recorded.opened["shuffle"] == "system"


def test_the_first_page_says_free_play_with_the_clause_on_electronic_tables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in game_names():
        page = sit(monkeypatch, tmp_path, ["q"], game=name).pages[0]
        clause = game(name).procedures.electronic_cite
        assert "Free play: the program deals" in page
        assert clause is None or clause in page


def test_enter_repeats_the_last_wagers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["25 t 5 p", "", "4", "", "4", "q"])
    placed = [
        event.stakes
        for played in seated.rounds
        for event in played.events
        if isinstance(event, WagersPlaced) and event.seat == 1
    ]
    assert placed == [{"ante": 2500, "blind": 2500, "trips": 500, "progressive": 100}] * 2


def test_wagers_typed_after_a_round_change_the_next_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["", "4", "gibberish", "15", "", "c", "q"])
    assert "'gibberish' isn't a wager" in seated.pages[3]
    assert seated.table.state.stakes[1, "ante"] == 1500


def test_an_invalid_stake_is_reported_on_the_page_of_wagers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["3", "q"])
    assert "Ante must be at least $5 at this table, not $3 (Ch. 7 §F(1))." in seated.pages[1]
    assert "Together" not in seated.pages[1]


def test_w_shows_the_wagers_again_after_a_round(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["", "4", "w", "q"])
    assert "needs" in seated.pages[3]


def test_a_prerequisite_is_explained_before_it_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["s", "", "t", "", "q"])
    line = next(line for line in seated.pages[0].splitlines() if "Six Card Bonus" in line)
    assert "Ante, Blind, Trips" in line
    assert "Ch. 7 §F(4)(b)" in line
    for page in seated.pages[1:3]:
        assert "Six Card Bonus needs Trips as well (Ch. 7 §F(4)(b))." in page
    assert "needs Trips" not in seated.pages[3]
    assert seated.table.state.phase == ASKING


def test_an_unknown_answer_names_the_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["", "", "99", "4x", "q"])
    for page in seated.pages[2:5]:
        assert "Type 4 for Raise 4x, 3 for Raise 3x, c for Check." in page


def test_a_raise_beyond_the_bankroll_is_not_offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["490", "", "4", "c", "q"])
    assert "Raise 4x $1,960 is more than you have." in seated.pages[2]
    assert "[4]" not in seated.pages[2]
    assert "Type c for Check." in seated.pages[3]
    assert seated.table.state.status[1] == "undecided"


def test_wagers_beyond_the_bankroll_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["500 t 100", "", "q"])
    assert "These wagers total $1,100, and you have $1,000." in seated.pages[2]
    assert not seated.table.state.players


def test_an_empty_bankroll_is_refilled_and_the_net_still_shows_the_loss(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def lose_it_all(seated: Seated, index: int) -> None:
        if index == 2:
            seated.table._banked[1] -= seated.table.bankroll_cents(1) - 300

    seated = sit(monkeypatch, tmp_path, ["", "4", "", "", "", "c", "q"], before=lose_it_all)
    assert "You have $3, and the required wagers total $10." in seated.pages[3]
    assert "[Enter] buy in for another $1,000" in seated.pages[3]
    assert seated.table.net_cents(1) == 300 - 1_000_00


def test_the_rules_of_the_moment_name_clause_and_ruling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["?", "", "?t", "", "", "c", "c", "?", "", "q"])
    wagers, trips, river = seated.pages[1], seated.pages[3], seated.pages[8]
    assert "Ch. 7 §F(6)" in wagers
    assert "UT-2" in wagers
    assert "Paytable A (Ch. 12 §C(1))" in trips
    assert "three of a kind" in trips
    assert "3 to 1" in trips
    assert "After the river" in river
    assert "Ch. 11 §F(2)" in river
    assert "UT-7" in river


def test_a_wager_at_fixed_odds_is_explained_by_its_odds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = sit(monkeypatch, tmp_path, ["?a", "", "q"]).pages[1]
    assert "1 to 1" in page
    assert "Ch. 12 §A" in page


def test_a_payout_limit_shows_what_it_cut_and_by_which_clause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stack(monkeypatch, "As Js Ks Ts 2c Qs")  # to the seat and to the board in turn
    submission = EXAMPLES / "colorado-holdem.toml"
    wished = {"game": "colorado-holdem", "submission": submission, "seats": 1, "stake_cents": 500_00}
    seated = sit(monkeypatch, tmp_path, ["", "b3", "?", "", "q"], **wished)
    results = seated.table.state.results
    assert results[1, "ante"].paid + results[1, "bet"].paid == 75_000_00
    assert results[1, "bet"].cut > 0
    page = " ".join(seated.pages[2].split())
    assert "over the payout limit" in page
    assert "§12(c)" in page
    assert "§12(c)" in seated.pages[3]


def test_a_royal_flush_takes_the_meter_and_an_envy_bonus_comes_besides(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stack(monkeypatch, ROYAL)
    seated = sit(monkeypatch, tmp_path, ["p", "", "4", "?", "", "q"], seats=2)
    page, state, events = seated.pages[3], seated.table.state, seated.rounds[0].events
    paid = next(event for event in events if isinstance(event, MeterPaid) and event.seat == 1)
    assert paid.validated_by == "free play supervisor"
    assert paid.percent == 100
    assert state.results[1, "progressive"].net == paid.paid - 100
    assert "100 % of meter" in page
    assert "validated by free play supervisor" in page
    (envy,) = (event for event in events if isinstance(event, EnvyPaid) and event.seat == 1)
    assert envy.from_seat == 2
    assert "Envy bonus" in page
    assert envy.clause in page
    assert envy.clause in seated.pages[4]
    assert seated.table.meters.exact["meter"] == 10_000_00


def test_a_menu_offers_every_game_and_asks_again_for_what_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seated = sit(monkeypatch, tmp_path, ["9", "dragon-poker", "q"], game=None)
    for name in game_names():
        assert game(name).title in seated.pages[0]
    assert "Type a number from 1 to 4." in seated.pages[1]
    assert seated.pages[2].lstrip().startswith("Dragon Poker")


def test_leaving_the_menu_is_not_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seated = sit(monkeypatch, tmp_path, ["q"], game=None)
    assert seated.status == 0
    assert seated.farewell.strip() == "You played no rounds."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seat", [1, 3, 6])
def test_a_full_table_fits_in_eighty_columns_and_thirty_rows(
    seat: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ["t s p u b l", "", "c", "c", "f", "q"]
    seated = sit(monkeypatch, tmp_path, lines, seats=6, seat=seat)
    for page in seated.pages:
        assert len(page.splitlines()) <= 30
        assert max(map(len, page.splitlines())) <= 80
        assert "…" not in page


def test_a_narrow_terminal_still_shows_every_card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stack(monkeypatch, ROYAL)
    seated = sit(monkeypatch, tmp_path, ["", "c", "c", "1", "q"], seats=2, width=48)
    for card in ("10♠", "J♠", "Q♠", "2♦", "7♥", "K♠", "A♠"):
        assert card in seated.pages[3]
    for card in ("2♣", "3♣", "4♣", "5♣", "4♥", "5♦", "8♠", "9♠"):
        assert card not in seated.pages[3]
        assert card in seated.pages[4]
