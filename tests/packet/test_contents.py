"""A packet says what the lab and the submission say: sheets add up, figures agree, every line has its clause."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from packet.made import EXAMPLES, NAMES, packet
from pitboss.lab.configuration import configuration_hash
from pitboss.lab.risk import clear_rounds
from pitboss.lab.worth import worth_of
from pitboss.packet.cells import Table
from pitboss.packet.contents import Part, packet_of
from pitboss.packet.rulings import rulings_table
from pitboss.packet.spread import band_at
from pitboss.rules.in_force import RulesInForce
from pitboss.submission.case import cases_of
from pitboss.submission.explain import explain
from pitboss.submission.read import read_submission
from pitboss.submission.table_choices import choices_for, choices_of

pytestmark = pytest.mark.xdist_group("exact")


def column(table: Table, name: str) -> list[Any]:
    """Return the cells of a column, without its total."""
    place = [column.name for column in table.columns].index(name)
    return [row[place] for row in table.rows]


def in_force(name: str, part: Part) -> RulesInForce:
    """Return the rules that hold at a part's table."""
    tables = read_submission(EXAMPLES / f"{name}.toml").tables
    (table,) = (table for table in tables if table.name == part.table)
    return RulesInForce(part.game, choices_for(table))


@pytest.mark.parametrize("name", NAMES)
def test_every_table_of_the_submission_has_a_part(name: str) -> None:
    submission = read_submission(EXAMPLES / f"{name}.toml")
    made = packet(name)
    assert made.facility == submission.facility.name
    assert made.jurisdiction == submission.facility.jurisdiction
    assert [(part.table, part.game.name) for part in made.parts] == [
        (table.name, table.game) for table in submission.tables
    ]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_tables_are_all_different(name: str) -> None:
    names = [table.name for table in packet(name).tables()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", NAMES)
def test_every_accepted_choice_is_explained_once(name: str) -> None:
    sentences = [line.sentence for line in explain(read_submission(EXAMPLES / f"{name}.toml")) if line.table]
    told = [sentence for part in packet(name).parts for sentence in column(part.choices, "choice")]
    assert told == sentences


@pytest.mark.parametrize("name", NAMES)
def test_a_ruling_named_beside_a_choice_is_given_with_its_reason(name: str) -> None:
    for part in packet(name).parts:
        named = {word for cell in column(part.choices, "rulings") if cell for word in cell.split(", ")}
        shown = column(part.rulings, "ruling")
        assert set(shown[: len(named)]) == named
        assert len(set(shown)) == len(shown)
        assert all(column(part.rulings, "reason"))


@pytest.mark.parametrize(
    ("name", "decisive", "foreign"),
    [
        ("top-five-poker", {"TF-1", "TF-2", "TF-3", "TF-4", "TF-5", "TF-7", "TF-8"}, {"TF-10", "TF-12", "TF-16"}),
        ("dragon-poker", {"DP-1", "DP-2", "DP-3", "DP-5", "DP-6", "DP-9"}, {"DP-7", "DP-10", "DP-13", "DP-14"}),
        ("dragon-poker-progressive", {"DP-1", "DP-2", "DP-3", "DP-7", "DP-9"}, {"DP-5", "DP-6", "DP-10", "DP-13"}),
        ("colorado-holdem", {"CH-2", "CH-3", "CH-4", "CH-6"}, {"CH-1", "CH-11", "CH-14", "CH-16"}),
    ],
)
def test_rulings_that_make_the_figures_are_given_and_those_on_what_is_not_there_are_not(
    name: str, decisive: set[str], foreign: set[str]
) -> None:
    (part,) = packet(name).parts
    shown = set(column(part.rulings, "ruling"))
    assert decisive <= shown
    assert not foreign & shown


def test_rulings_follow_the_wagers_and_paytables_of_each_table_of_a_game() -> None:
    first, second = cases_of(read_submission(EXAMPLES / "ultimate-texas-holdem.toml"))
    shown = [
        set(column(rulings_table(RulesInForce(case.game, choices_of(case)), frozenset(), "x"), "ruling"))
        for case in (first, second)
    ]
    assert {"UT-5", "UT-6"} <= shown[0]
    assert not {"UT-5", "UT-6"} & shown[1]
    assert "UT-1" not in shown[0]
    assert "UT-1" in shown[1]
    assert {"UT-8", "UT-17", "UT-18", "UT-24"} <= shown[0] & shown[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_adds_up(name: str) -> None:
    for part in packet(name).parts:
        for sheet in (*part.main_sheets, *part.side_sheets):
            counted, chances = column(sheet.lines, "combinations"), column(sheet.lines, "probability")
            totals = dict(zip([column.name for column in sheet.lines.columns], sheet.lines.totals, strict=True))
            assert sum(counted) == totals["combinations"]
            assert sum(chances) == totals["probability"] == 1
            assert sum(column(sheet.lines, "contribution")) == totals["contribution"]
            assert all(
                Fraction(item, totals["combinations"]) == chance for item, chance in zip(counted, chances, strict=True)
            )


@pytest.mark.parametrize("name", NAMES)
def test_the_sheets_are_worth_what_the_lab_says(name: str) -> None:
    for part in packet(name).parts:
        rules = in_force(name, part)
        main = worth_of(rules, "main")
        totals: list[Any] = [sheet.lines.totals[-1] for sheet in part.main_sheets]
        assert sum(totals) == main.ev
        assert column(part.main_figures, "ev") == [main.ev]
        assert column(part.main_figures, "house_edge") == [-main.ev]
        for sheet in part.side_sheets:
            assert sheet.figures is not None
            assert sheet.lines.totals[-1] == column(sheet.figures, "ev")[0]
            if not part.progressive or part.progressive.title != sheet.title:
                least = rules.limits(sheet.wager).minimum or rules.choices.stakes[sheet.wager]
                assert sheet.lines.totals[-1] == worth_of(rules, sheet.wager, stake_cents=least).ev


@pytest.mark.parametrize("name", NAMES)
def test_every_line_that_ends_a_wager_has_its_clause(name: str) -> None:
    for part in packet(name).parts:
        for sheet in (*part.main_sheets, *part.side_sheets):
            lines = zip(column(sheet.lines, "hand"), column(sheet.lines, "clause"), strict=True)
            assert {hand for hand, clause in lines if not clause} <= {"not placed"}


@pytest.mark.parametrize("name", NAMES)
def test_lines_are_in_the_order_of_the_paytable(name: str) -> None:
    for part in packet(name).parts:
        rules = in_force(name, part)
        for sheet in (*part.main_sheets, *part.side_sheets):
            table = rules.paytables.get(sheet.wager)
            if table is not None:
                order = [line.cite for line in table.lines]
                places = [order.index(item) for item in column(sheet.lines, "clause") if item in order]
                assert places == sorted(places)
                assert places


@pytest.mark.parametrize("name", NAMES)
def test_net_results_are_those_of_the_main_game(name: str) -> None:
    for part in packet(name).parts:
        nets, chances = column(part.distribution, "net"), column(part.distribution, "probability")
        assert nets == sorted(nets)
        assert sum(net * chance for net, chance in zip(nets, chances, strict=True)) == part.main.ev
        better = column(part.distribution, "or_better")
        assert better[0] == 1
        assert better[-1] == chances[-1]


def test_the_band_narrows_and_clears_zero_where_it_says() -> None:
    (part,) = packet("dragon-poker").parts
    worth = part.main
    rounds = clear_rounds(worth)
    assert rounds is not None
    assert band_at(worth, 2 * rounds)[0] > 0 > band_at(worth, rounds // 2)[0]
    low, high = band_at(worth, 10_000)
    assert low < worth.house_edge < high
    near, far = band_at(worth, 100_000)
    assert far - near < high - low
    stated = dict(zip([column.name for column in part.band.columns], part.band.rows[0], strict=True))
    assert stated["clear_rounds"] == rounds
    assert abs(Fraction(stated["low_10000"]) - low) < Fraction(1, 10**11)


def test_a_wager_of_the_submission_s_own_has_its_meter_priced() -> None:
    (part,) = packet("dragon-poker-progressive").parts
    terms = part.progressive
    assert terms is not None
    figures = dict(zip([column.name for column in terms.figures.columns], terms.figures.rows[0], strict=True))
    rules = in_force("dragon-poker-progressive", part)

    def edge(cents: int) -> Fraction:
        return worth_of(rules, "progressive", meters={"meter": cents}).house_edge

    assert figures["edge_at_initial"] == edge(500_000)
    assert figures["edge_at_reset"] == edge(250_000)
    assert isinstance(even := figures["break_even_meter"], int)
    assert edge(even) <= 0 < edge(even - 1)
    assert column(terms.meters, "interval") == [Fraction(23_426, 2)]
    assert column(terms.meters, "interval_full_table") == [Fraction(23_426, 12)]
    assert column(terms.meters, "growth") == [25]
    assert terms.envy is None


@pytest.mark.slow
def test_meters_envy_and_prizes_of_a_large_table() -> None:
    first, second = packet("ultimate-texas-holdem").parts
    terms, other = first.progressive, second.progressive
    assert terms is not None
    assert terms.envy is not None
    assert other is not None
    assert column(terms.meters, "meter") == ["mega", "major", "minor"]
    assert column(terms.meters, "interval") == [649_740, Fraction(2_598_960, 36), 4_165]
    assert column(other.meters, "pays") == ["100%", "10%"]
    envy = column(terms.envy, "envy")
    assert envy == [others * envy[1] for others in range(6)]
    assert column(terms.envy, "house_edge") == [column(terms.envy, "house_edge")[0] - paid for paid in envy]
    (prize,) = (sheet for sheet in first.side_sheets if "Prizes in dollars" in " ".join(sheet.notes))
    assert "$5" in prize.notes[0]
    rules = in_force("ultimate-texas-holdem", first)
    edge = float(worth_of(rules, prize.wager, stake_cents=2_500).house_edge)
    assert f"$25, the house edge is {edge:.4%}" in prize.notes[1]
    assert any("$100,000" in note and "Ch. 12 §F(1)" in note for note in first.main_notes)


def test_a_table_for_analysis_says_that_it_may_never_be_opened() -> None:
    text = (EXAMPLES / "colorado-holdem.toml").read_text("utf-8")
    text = text.replace('name = "Colorado 1"', 'name = "Colorado 1"\nanalysis = true').replace('"30 to 1"', '"20 to 1"')
    (part,) = packet_of(read_submission(text)).parts
    assert any("not at a live table" in remark for remark in part.remarks)
    assert packet("colorado-holdem").parts[0].remarks == ()


def test_volatility_is_196_hundredths_of_the_standard_deviation() -> None:
    (part,) = packet("top-five-poker").parts
    figures = dict(zip([column.name for column in part.main_figures.columns], part.main_figures.rows[0], strict=True))
    deviation, index = figures["standard_deviation"], figures["volatility_index"]
    assert isinstance(deviation, Decimal)
    assert isinstance(index, Decimal)
    assert abs(Fraction(deviation) ** 2 - part.main.variance) < Fraction(1, 10**10)
    assert abs(index - deviation * Decimal("1.96")) < Decimal("1e-11")


@pytest.mark.parametrize("name", NAMES)
def test_no_range_of_the_hold_is_beyond_what_can_be_won_or_lost(name: str) -> None:
    for part in packet(name).parts:
        worst = {row[0]: row for row in part.band.rows}
        for title, row in worst.items():
            ends = [cell for cell in row[2:-1] if cell is not None]
            units = 1 if title != part.main_title else -min(part.main.distribution)
            assert max(map(Fraction, ends)) <= units, title


def test_a_packet_says_what_it_is_signed_for() -> None:
    (part,) = packet("dragon-poker").parts
    assert [row[0] for row in part.sign_off.rows] == ["Prepared by", "Checked by", "Approved by"]
    (case,) = cases_of(read_submission(EXAMPLES / "dragon-poker.toml"))
    assert part.sign_off.notes[0].endswith(configuration_hash(RulesInForce(part.game, choices_of(case))))


def test_every_wager_is_held_against_its_jurisdiction() -> None:
    (part,) = packet("colorado-holdem").parts
    demands = {(row[0], row[1]): row for row in part.gates.rows}
    assert demands["Bonus", "minimum return"][2:] == ("80.0000%", "98.8363%", "pass", "205 CMR 143.01")
    assert demands["Bonus", "top award"][3:5] == ("1 in 248,882", "pass")
