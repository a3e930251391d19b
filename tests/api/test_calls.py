"""The Python API: what each call returns, how results display, and the error for a wrong question."""

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pitboss
from pitboss.api.results import Settled, Strategy
from pitboss.odds.charts import Chart, Grid, Section
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.submission.read import UnreadableSubmission

pytestmark = pytest.mark.xdist_group("exact")
GAME = "dragon-poker"
HAND = {
    "game": GAME,
    "dealer": ["Ti", "Ti", "Ra"],
    "seats": [
        {
            "seat": 1,
            "cards": ["Dg", "Dr", "Ph"],
            "wagers": {"ante": 1000, "ante-bonus": 1000, "dragon-bet": 500},
            "actions": ["play"],
        }
    ],
}


def test_a_named_paytable_is_the_only_one_priced_and_other_wagers_use_every_letter() -> None:
    rows = pitboss.edge(pitboss.game(GAME), paytables={"ante-bonus": "B"})
    assert [(row.wager, row.paytable) for row in rows] == [
        ("main", "B"),
        ("three-card-bonus", "A"),
        ("three-card-bonus", "B"),
        ("dragon-bet", "A"),
    ]
    assert rows[0].ev == Fraction(-6715041, 229574800)


def test_options_and_a_wager_are_heeded_and_echoed() -> None:
    (row,) = pitboss.edge(GAME, wager="dragon-bet", options={"gold-with-one-dragon": "gold"})
    assert row.ev == Fraction(-3925, 23426)
    assert row.options == {"gold-with-one-dragon": "gold"}


def test_rows_are_a_sequence_and_plain_data() -> None:
    rows = pitboss.edge(GAME, wager="three-card-bonus")
    assert len(rows) == 2
    assert rows[-1].paytable == "B"
    assert [row.paytable for row in rows[:1]] == ["A"]
    assert rows.as_dicts()[1]["ev"] == "-383/11713"


def test_a_prompt_shows_aligned_columns_and_a_notebook_a_table() -> None:
    rows = pitboss.edge(GAME, wager="three-card-bonus")
    title, blank, *table = repr(rows).splitlines()
    assert "exact" in title
    assert blank == ""
    assert len({line.index(word) for line, word in zip(table, ("expected value", "-593", "-383"), strict=True)}) == 1
    html = rows._repr_html_()
    assert html.count("<tr>") == 3
    assert "-593/11713</td>" in html


def test_a_main_game_prints_a_par_sheet_sorted_by_net_with_its_total() -> None:
    (row,) = pitboss.edge(GAME, wager="main", paytables={"ante-bonus": "A"})
    sheet = row.sheet()
    assert sheet.columns == ("result", "staked", "net", "combinations", "probability", "contribution")
    assert sheet.rows[0][:3] == ("three dragons, wins", "3", "+32")
    nets = [float(line[2]) for line in sheet.rows[:-1]]
    assert nets == sorted(nets, reverse=True)
    assert sum(int(line[3].replace(",", "")) for line in sheet.rows[:-1]) == row.total
    assert sheet.rows[-1] == ("total", "", "", f"{row.total:,}", "100.000000%", f"{float(row.ev):+.6f}")
    assert str(row).splitlines()[2].split() == list(sheet.columns)


def test_facts_of_a_result_are_told_apart() -> None:
    (row,) = pitboss.edge("top-five-poker", wager="main")
    assert "dealer qualifies, equal cards higher" in [line[0] for line in row.sheet().rows]


def test_rarer_results_are_summed_and_nothing_is_lost() -> None:
    (row,) = pitboss.edge(GAME, wager="main", paytables={"ante-bonus": "A"})
    many = replace(row, lines=row.lines + row.lines, total=2 * row.total)
    *shown, rare, total = many.sheet().rows
    assert rare[0] == f"{2 * len(row.lines) - len(shown)} rarer results, all in .lines"
    counted = [int(line[3].replace(",", "")) for line in (*shown, rare)]
    assert sum(counted) == many.total == int(total[3].replace(",", ""))


def test_envy_has_its_own_line_in_a_par_sheet() -> None:
    terms = {"paytables": {"progressive": "A"}, "stake_cents": 500, "others": 2}
    (row,) = pitboss.edge("ultimate-texas-holdem", wager="progressive", **terms)
    envy, total = row.sheet().rows[-2:]
    assert envy == ("envy bonuses on other players' hands", "", "", "", f"{float(row.envy):+.6f}")
    assert total[-1] == f"{float(row.ev):+.6f}"


def test_html_is_escaped() -> None:
    from pitboss.sheets.sheet import Rows

    rows = Rows("a < b", ("x",), ["<script>"], cells=lambda row: (row,), data=lambda row: {"x": row})
    assert "<script>" not in rows._repr_html_()
    assert "a &lt; b" in rows._repr_html_()


@pytest.mark.parametrize(
    "terms",
    [
        {"paytables": {"insurance": "A"}},
        {"paytables": {"ante-bonus": "Z"}},
        {"options": {"ante-bonus": "B"}},
        {"options": {"gold-with-one-dragon": "silver"}},
        {"wager": "play"},
        {"ties": "maybe"},
        {"stake_cents": 0},
        {"others": 6},
        {"others": -1},
        {"meters": {"jackpot": 5}},
    ],
)
def test_wrong_terms_are_reported_in_a_sentence(terms: dict[str, object]) -> None:
    with pytest.raises(pitboss.WrongTerms, match=r"^\S.*\.$"):
        pitboss.edge(GAME, **terms)


def test_envy_is_priced_only_for_the_stakes_of_the_rulebook() -> None:
    with pytest.raises(pitboss.WrongTerms, match="must be 100 or 500"):
        pitboss.edge("ultimate-texas-holdem", wager="progressive", stake_cents=300, others=1)


def test_meters_stake_and_others_are_priced_and_echoed() -> None:
    terms = {"paytables": {"progressive": "A"}, "stake_cents": 500, "others": 2, "meters": {"meter": 2_000_000}}
    (row,) = pitboss.edge("ultimate-texas-holdem", wager="progressive", ties="less", **terms)
    assert row.envy > 0
    assert row.options == {"ties": "less", "stake": 500, "others": 2, "meter": {"meter": 2_000_000}}


def test_a_frame_has_a_column_for_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = SimpleNamespace(DataFrame=lambda columns, strict: columns)
    monkeypatch.setitem(sys.modules, "polars", stub)
    rows = pitboss.edge(GAME, wager="three-card-bonus", options={"dealer-cards": "in-shuffler"})
    frame = rows.to_polars()
    assert frame["ev"] == ["-593/11713", "-383/11713"]
    assert frame["options"] == ['{"dealer-cards": "in-shuffler"}'] * 2
    assert list(frame) == list(rows.as_dicts()[0])


def test_a_real_frame_where_polars_is_installed() -> None:
    polars = pytest.importorskip("polars")
    frame = pitboss.edge(GAME, wager="three-card-bonus").to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame["paytable"].to_list() == ["A", "B"]


def test_without_polars_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(pitboss.MissingExtra, match=r"pip install 'pitboss\[data\]'"):
        pitboss.rulings(GAME).to_polars()


def test_a_hand_is_settled_or_refused() -> None:
    result = pitboss.settle(HAND)
    assert not isinstance(result, Refusal)
    assert result["seats"][0]["net"] == 7500
    for wrong in ({}, {"game": "whist"}, {**HAND, "choices": {"ante-bonus": "Z"}}, {**HAND, "dealer": ["Ti"]}):
        assert isinstance(pitboss.settle(wrong), Refusal)


def test_rulings_end_with_those_of_every_game() -> None:
    rows = pitboss.rulings(GAME)
    assert rows[0].id == "DP-1"
    assert rows[-1].id.startswith("G-")
    assert "gold-with-one-dragon" in repr(rows)
    assert rows.as_dicts()[0]["reason"]


def test_a_game_shows_its_wagers_and_not_its_whole_definition() -> None:
    game = pitboss.game(GAME)
    assert repr(game) == f"game({GAME!r})"
    text, html = str(game), game._repr_html_()
    for wager in game.wagers:
        assert wager.name in text
        assert f'<td style="text-align: left">{wager.name}</td>' in html
    assert "Option gold-with-one-dragon: pair, gold (Ch. 12 §D)" in text.splitlines()
    assert len(text) < 2000


def test_a_value_is_one_line_at_a_prompt_and_a_par_sheet_when_printed() -> None:
    (row,) = pitboss.edge(GAME, wager="three-card-bonus", paytables={"three-card-bonus": "B"})
    assert repr(row) == f"<Worth of {GAME} three-card-bonus B: -383/11713>"
    lines = str(row).splitlines()
    assert lines[0] == f"{GAME} three-card-bonus B"
    assert len(lines) == 3 + len(row.lines) + 1 + 2
    assert lines[-1].startswith("House edge 3.2699%")
    assert lines[-3].startswith("total ")
    assert row._repr_html_().count("<tr>") == 1 + len(row.lines) + 1


def test_a_long_par_sheet_is_cut_and_says_so() -> None:
    from pitboss.lab.worth import LINES_SHOWN, worth_of

    (row,) = pitboss.edge(GAME, wager="main", paytables={"ante-bonus": "A"})
    longer = replace(row, lines=row.lines * 2)
    more = 2 * len(row.lines) - LINES_SHOWN
    assert any(line.startswith(f"{more} rarer results, all in .lines ") for line in str(longer).splitlines())
    assert "rarer" not in str(row)
    plain = worth_of(RulesInForce(pitboss.game(GAME), Choices()), "main")
    assert f"{more} more lines are in .lines." in str(replace(plain, lines=plain.lines * 2)).splitlines()


def test_choices_come_best_first_with_what_the_others_cost() -> None:
    choices = pitboss.strategy(GAME, "Dr Ph Ti")
    assert [(choice.action, choice.worth, choice.cost) for choice in choices] == [
        ("play", Fraction(-1513, 3920), 0),
        ("fold", -2, 2 - Fraction(1513, 3920)),
    ]
    assert choices.as_dicts()[0] == {"action": "play", "worth": "-1513/3920", "cost": "0"}
    assert repr(choices) == repr(pitboss.strategy(GAME, ["Dr", "Ph", "Ti"]))
    assert "-0.385969" in repr(choices)


def test_a_strategy_shows_its_rule_and_its_cost() -> None:
    strategy = pitboss.strategy(GAME)
    assert strategy.cost == 0
    assert "Play phoenix-panda-rabbit or better; fold anything less." in repr(strategy).splitlines()
    assert "Complete: it plays every hand optimally." in strategy._repr_html_()
    assert strategy.as_dict()["sections"][0]["cost"] == "0"


def test_a_strategy_of_several_decisions_shows_grids_and_what_it_costs_in_all() -> None:
    grid = Grid(("A", "K"), ("2", "3"), (("4", "."), (".", "4")), {"4": "raise 4x", ".": "check"})
    sections = (
        Section("Before", ("By the grid.",), Fraction(1, 1000), grid=grid),
        Section("After", ("Check.",), Fraction(0)),
    )
    shown = Strategy("A game", Chart(sections))
    assert repr(shown).splitlines()[4:7] == ["   2  3", "A  4  .", "K  .  4"]
    assert "Costs 0.1000% of the Ante against optimal play, exactly 1/1000." in repr(shown).splitlines()[-1]
    assert shown._repr_html_().count("<table>") == 1


def test_a_simulation_shows_hold_next_to_theory_and_repeats() -> None:
    result = pitboss.simulate(GAME, 400, seats=2, seed=3)
    assert [item.wager for item in result] == ["main", "three-card-bonus", "dragon-bet"]
    assert result.simulation.rounds == 400
    assert result.as_dict()["seats"] == 2
    assert result[1].sums.staked == 400 * 2 * 100
    title, _, head, *_ = repr(result).splitlines()
    assert title == "Dragon Poker: 400 rounds, 2 seats, seed 3, optimal play"
    assert head.split()[:2] == ["wager", "handle"]
    won = result.simulation.house.total
    assert sum(item.sums.net for item in result) == -won
    assert repr(result).splitlines()[-1].startswith("The house won" if won >= 0 else "The house lost")
    assert repr(pitboss.simulate(GAME, 400, seats=2, seed=3)) == repr(result)
    assert repr(pitboss.simulate(GAME, 400, seats=2, seed=4)) != repr(result)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: pitboss.strategy(GAME, "Dr Ph"),
        lambda: pitboss.strategy(GAME, "Dr Ph As"),
        lambda: pitboss.strategy(GAME, board="Dr"),
        lambda: pitboss.strategy(GAME, paytables={"ante-bonus": "Z"}),
        lambda: pitboss.simulate(GAME, 0),
        lambda: pitboss.simulate(GAME, 10, seats=7),
        lambda: pitboss.simulate(GAME, 10, seed=-1),
        lambda: pitboss.simulate(GAME, 10, workers=0),
        lambda: pitboss.simulate(GAME, 10, strategy="hopeful"),
        lambda: pitboss.simulate(GAME, 10, rates={"jackpot": "0.2"}),
        lambda: pitboss.simulate("ultimate-texas-holdem", 10, rates={"meter": "much"}),
        lambda: pitboss.simulate("ultimate-texas-holdem", 10, rates={"meter": "1"}),
        lambda: pitboss.environment(GAME, paytables={"ante-bonus": "Z"}),
        lambda: pitboss.environment(5),
        lambda: pitboss.edge(5),
        lambda: pitboss.edge(GAME, stake_cents=1.5),
        lambda: pitboss.edge(GAME, others="1"),
        lambda: pitboss.simulate(GAME, 10.5),
        lambda: pitboss.simulate(GAME, 10, seats=1.5),
        lambda: pitboss.simulate(GAME, 10, seed="1"),
        lambda: pitboss.settle("x"),
        lambda: pitboss.check(5),
        lambda: pitboss.strategy(GAME, 5),
    ],
)
def test_what_does_not_fit_is_reported_in_a_sentence(ask: Callable[[], object]) -> None:
    with pytest.raises(pitboss.WrongTerms, match=r"^\S.*\.$"):
        ask()


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda: pitboss.edge("roulette"), "UnknownGame"),
        (lambda: pitboss.check("nowhere.toml"), "UnreadableSubmission"),
        (lambda: pitboss.simulate(GAME, 10, cluster="nowhere"), "ClusterFailed"),
    ],
)
def test_what_goes_wrong_outside_can_be_caught_by_a_name_of_the_front(ask: Callable[[], object], kind: str) -> None:
    assert kind in pitboss.__all__
    with pytest.raises(getattr(pitboss, kind), match=r"^\S.*\.$"):
        ask()


@pytest.mark.parametrize("action", [99, -1, "play", 0.5, None])
def test_an_unknown_action_is_reported_in_a_sentence(action: object) -> None:
    environment = pitboss.environment(GAME)
    environment.reset(seed=1)
    with pytest.raises(pitboss.WrongTerms, match=r"^An action must be a whole number from 0 to 1, not .*\.$"):
        environment.step(action)


def test_a_settled_hand_is_a_mapping_that_shows_itself() -> None:
    result = pitboss.settle(HAND)
    assert not isinstance(result, Refusal)
    assert json.loads(json.dumps(result)) == result
    lines = repr(result).splitlines()
    assert lines[0] == "Dealer: pair of tigers"
    assert lines[-1].split() == ["1", "total", "pair", "of", "dragons", "$75"]
    assert result._repr_html_().count("<tr>") == 1 + len(result["seats"][0]["wagers"]) + 1


def test_a_dealer_who_does_not_qualify_and_an_envy_bonus_are_shown() -> None:
    seat = {
        "seat": 2,
        "hand": "pair",
        "net": 100,
        "wagers": {},
        "envy": [{"from_seat": 1, "hand": "royal", "net": 100}],
    }
    title, _, _, envy, total = repr(
        Settled({"dealer": {"hand": "ace high", "qualifies": False}, "seats": [seat]})
    ).splitlines()
    assert title == "Dealer: ace high, does not qualify"
    assert envy.split() == ["2", "envy", "royal", "$1", "seat", "1"]
    assert total.split() == ["2", "total", "pair", "$1"]


def test_a_submission_is_checked_from_a_file_or_from_its_content() -> None:
    path = Path(__file__).parents[2] / "examples" / f"{GAME}.toml"
    checked = pitboss.check(str(path))
    assert checked.accepted
    assert checked.as_dict()["accepted"]
    assert "Ante Bonus uses paytable A (Ch. 12 §B(1))" in repr(checked).splitlines()
    content = tomllib.loads(path.read_text("utf-8"))
    content["table"][0]["wagers"]["ante-bonus"] = "Z"
    refused = pitboss.check(content)
    assert not refused.accepted
    assert repr(refused).splitlines()[0] == "The submission cannot be put in force: 1 error"
    assert refused.as_dict()["faults"][0]["where"] in refused._repr_html_()


EXAMPLE = Path(__file__).parents[2] / "examples" / f"{GAME}.toml"


def test_a_submission_chooses_what_is_priced_and_played(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(EXAMPLE.read_text("utf-8").replace('ante-bonus = "A"', 'ante-bonus = "B"'), "utf-8")
    rows = pitboss.edge(GAME, submission=file)
    assert [(row.wager, row.paytable) for row in rows] == [
        ("main", "B"),
        ("three-card-bonus", "A"),
        ("dragon-bet", "A"),
    ]
    assert pitboss.edge(GAME, submission=file, paytables={"ante-bonus": "A"})[0].paytable == "A"
    played = pitboss.simulate(GAME, 50, submission=str(file))
    assert played[0].theory.ev == rows[0].ev
    choices: Any = pitboss.strategy(GAME, "Dr Ph Ti", submission=file)
    assert choices[0].action == "play"


@pytest.mark.parametrize(
    ("change", "table", "sentence"),
    [
        (('ante-bonus = "A"', 'ante-bonus = "Z"'), None, "cannot be put in force. Its first error: "),
        (("", ""), "Nowhere", "There is no such table. Tables of dragon-poker in "),
        (("[[table]]", "[[table"), None, "is not valid TOML"),
    ],
)
def test_a_submission_that_does_not_fit_is_reported(
    change: tuple[str, str], table: str | None, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(EXAMPLE.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises((pitboss.WrongTerms, UnreadableSubmission), match=sentence):
        pitboss.edge(GAME, submission=file, table=table)


def test_of_several_tables_of_a_game_one_is_named(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    table = text[text.index("[[table]]") :]
    name = tomllib.loads(text)["table"][0]["name"]
    file = tmp_path / "rules.toml"
    file.write_text(f"{text}\n{table.replace(name, 'Second')}", "utf-8")
    with pytest.raises(pitboss.WrongTerms, match=rf"Choose one table\. Tables of .*: {name}, Second"):
        pitboss.edge(GAME, submission=file)
    assert len(pitboss.edge(GAME, submission=file, table="Second")) == 3
    with pytest.raises(pitboss.WrongTerms, match=r"There is no such table\. Tables of .*: none"):
        pitboss.edge("top-five-poker", submission=file)


def test_an_environment_is_made_with_its_terms() -> None:
    environment = pitboss.environment(GAME, side_wagers={"dragon-bet": 500})
    observation, _ = environment.reset(seed=1)
    assert observation in environment.observation_space
    assert "dragon-bet" in environment.rules.offered


def test_the_stub_lists_the_api_for_type_checkers() -> None:
    stub = Path(pitboss.__file__).with_suffix(".pyi").read_text("utf-8")
    stated = next(node for node in ast.parse(stub).body if isinstance(node, ast.Assign))
    assert ast.literal_eval(stated.value) == pitboss.__all__


def test_importing_loads_nothing_until_something_is_used() -> None:
    code = (
        "import sys, pitboss; before = {name for name in sys.modules if name.startswith('pitboss.')}; "
        "pitboss.game('dragon-poker'); "
        "print(before, sorted(name for name in sys.modules if name.startswith('pitboss.lab.')), 'numba' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "set() ['pitboss.lab.arguments'] False\n"


def test_only_what_the_api_offers_is_an_attribute() -> None:
    assert set(pitboss.__all__) <= set(dir(pitboss))
    with pytest.raises(AttributeError, match="no attribute 'roulette'"):
        _ = pitboss.roulette  # type: ignore[attr-defined]
