"""Layout and sign of a table: areas, inscriptions, odds, limits and furniture, each with its clause."""

import json

import pytest

from pitboss.rules.payoff import For
from pitboss.submission import printed as printing
from pitboss.submission.case import case_of
from pitboss.submission.document import SubmittedTable
from pitboss.submission.printed import Printed, PrintedLimits, PrintedLine, PrintedOdds, printed
from submission.submitted import CLEAN, GONE, OPTIONS, WAGERS, Edits, submitted


def layout(name: str, edits: Edits | None = None) -> Printed:
    submission = submitted(name, edits)
    return printed(submission, submission.tables[0])


def odds(name: str, wager: str, edits: Edits | None = None) -> PrintedOdds:
    return next(sign for sign in layout(name, edits).odds if sign.wager == wager)


def texts(name: str, edits: Edits | None = None) -> list[str]:
    return [inscription.text for inscription in layout(name, edits).inscriptions]


@pytest.mark.parametrize("name", CLEAN)
def test_a_layout_is_plain_data(name: str) -> None:
    data = json.loads(json.dumps(layout(name).as_dict()))
    assert data["positions"] == 6
    assert data["odds"][0]["lines"][0]["clause"]
    assert not any("{" in inscription["text"] + inscription["alternative"] for inscription in data["inscriptions"])


@pytest.mark.parametrize("name", CLEAN)
def test_every_offered_wager_has_its_odds_and_every_line_its_clause(name: str) -> None:
    submission = submitted(name)
    case = case_of(submission.tables[0])
    assert case is not None
    found = printed(submission, submission.tables[0]).odds
    assert {item.wager for item in found} == {wager.name for wager in case.offered}
    for item in found:
        assert item.lines, item.wager
        assert all(line.clause and line.pays for line in item.lines)


def test_areas_follow_the_wagers_offered() -> None:
    names = {area.name for area in layout("holdem").areas}
    assert {"ante", "blind", "play", "trips", "progressive", "board", "dealer"} <= names
    assert "six-card-bonus" not in names
    more = {area.name for area in layout("holdem", {f"{WAGERS}.six-card-bonus": "A"}).areas}
    assert more - names == {"six-card-bonus", "box"}
    blind = next(area for area in layout("holdem").areas if area.name == "blind")
    assert (blind.each_seat, blind.clause) == (True, "Ch. 2 §B(2)")


def test_inscriptions_follow_paytable_limit_and_facility() -> None:
    assert "Harbor Casino" in texts("holdem")
    assert any("less than a straight" in text for text in texts("holdem"))
    assert any("less than a flush" in text for text in texts("holdem", {f"{WAGERS}.blind": "B"}))
    assert not any("less than a straight" in text for text in texts("holdem", {f"{WAGERS}.blind": "B"}))
    assert "Payout limit per hand: $50,000" in texts("holdem")
    assert not any("Payout limit" in text for text in texts("holdem", {f"{OPTIONS}.payout-limit": GONE}))


def test_inscriptions_follow_the_version_and_a_second_fact() -> None:
    clauses = [inscription.clause for inscription in layout("colorado").inscriptions if "limit" in inscription.text]
    assert clauses == ["§12(c)"]
    permissible: Edits = {f"{OPTIONS}.version": "permissible-bet"}
    assert "A pair of nines or tens pushes" in texts("colorado", permissible)
    assert "A pair of nines pushes" in texts("colorado", permissible | {f"{OPTIONS}.permissible-tens": "pay"})


def test_odds_are_those_of_the_paytable_chosen() -> None:
    trips = odds("holdem", "trips")
    assert (trips.title, trips.paytable, trips.clause) == ("Trips", "B", "Ch. 12 §C(2)")
    assert trips.lines[4] == PrintedLine("flush", "6 to 1", "Ch. 12 §C(2)(e)")
    assert odds("holdem", "ante").lines == (PrintedLine("winning hand", "1 to 1", "Ch. 12 §A"),)
    assert odds("top-five", "play").lines == (PrintedLine("winning hand", "1 to 1", "Ch. 12 §A"),)


def test_raised_odds_are_the_ones_printed() -> None:
    flush = next(line for line in odds("colorado", "bonus").lines if line.hand == "flush")
    assert flush == PrintedLine("flush", "30 to 1", "§12(d) Flush")


def test_the_progressive_is_printed_as_it_is_paid() -> None:
    kept = [line.pays for line in odds("holdem", "progressive").lines]
    assert kept[0] == "100 % of meter"
    assert kept[2] == "300 for 1"
    returned = [line.pays for line in odds("holdem", "progressive", {f"{OPTIONS}.progressive-odds": "to"}).lines]
    assert returned[2] == "300 to 1"


def test_envy_bonuses_are_printed_for_the_table_stake() -> None:
    found = [sign for sign in layout("holdem").odds if sign.title == "Envy Bonus"]
    assert [line.pays for line in found[0].lines] == ["$1,000", "$300"]
    five = [sign for sign in layout("holdem", {f"{WAGERS}.progressive.stake": 500}).odds if sign.title == "Envy Bonus"]
    assert [line.pays for line in five[0].lines] == ["$5,000", "$1,500"]
    assert not any(sign.title == "Envy Bonus" for sign in layout("dragon").odds)


def test_a_hand_the_settlement_takes_out_of_a_line_is_not_promised() -> None:
    hands = [line.hand for line in odds("colorado", "ante").lines]
    assert hands[-1] == "pair of tens or better"
    pushed = odds("colorado", "ante", {f"{OPTIONS}.version": "permissible-bet"})
    assert pushed.lines[-1] == PrintedLine(
        "pair of jacks or better", "1 to 1", "§13(b) Pair of Tens, Jacks, Queens, Kings or Aces"
    )
    paid: Edits = {f"{OPTIONS}.version": "permissible-bet", f"{OPTIONS}.permissible-tens": "pay"}
    assert odds("colorado", "ante", paid).lines[-1].hand == "pair of tens or better"


def test_where_the_word_for_is_forbidden_the_same_payment_is_stated_with_to() -> None:
    case = case_of(submitted("colorado").tables[0])
    assert case is not None
    assert printing._worded(case, For(9)) == "8 to 1"
    assert layout("colorado").odds_words_clause == "§12(a)"
    assert "for" not in layout("colorado").odds_words


def test_limits_are_printed_for_every_wager_placed_before_the_deal() -> None:
    assert layout("holdem").limits == (
        PrintedLimits("ante", "Ante", 1000, 50000, "Ch. 7 §F(1)"),
        PrintedLimits("blind", "Blind", 1000, 50000, "Ch. 7 §F(1)"),
        PrintedLimits("trips", "Trips", 500, 10000, "Ch. 7 §F(2)"),
        PrintedLimits("progressive", "Progressive", 100, 100, "Ch. 7 §F(3)"),
    )


def test_furniture_follows_the_wagers_and_the_way_of_dealing() -> None:
    with_progressive = {piece.clause for piece in layout("holdem").furniture}
    without = {piece.clause for piece in layout("holdem", {f"{WAGERS}.progressive": GONE}).furniture}
    assert with_progressive - without == {"Ch. 2 §C(1)", "Ch. 2 §C(2)"}
    assert "Ch. 8 §A" not in with_progressive
    assert "Ch. 8 §A" in {piece.clause for piece in layout("holdem", {"table[0].dealing": "manual-shoe"}).furniture}


def test_the_clauses_that_demand_layout_and_sign_are_given() -> None:
    found = layout("holdem")
    assert (found.odds_clause, found.submitted_clause, found.sign_clause) == ("Ch. 2 §B(7)", "Ch. 2 §B", "Ch. 2 §B(9)")


def test_a_table_of_no_known_game_is_not_printed() -> None:
    with pytest.raises(AssertionError):
        printed(submitted("holdem"), SubmittedTable(game="whist"))
