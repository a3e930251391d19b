"""The front for Python users: what it returns, how it shows itself, and what it says to a wrong question."""

import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

import pitboss
from pitboss.rules.refusal import Refusal

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


def test_a_named_paytable_is_priced_alone_and_the_others_by_every_letter() -> None:
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
    assert len({line.index(word) for line, word in zip(table, ("exact worth", "-593", "-383"), strict=True)}) == 1
    html = rows._repr_html_()
    assert html.count("<tr>") == 3
    assert "-593/11713</td>" in html


def test_html_is_escaped() -> None:
    from pitboss.front import Rows

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
def test_wrong_terms_are_told_in_a_sentence(terms: dict[str, object]) -> None:
    with pytest.raises(pitboss.WrongTerms, match=r"^\S.*\.$"):
        pitboss.edge(GAME, **terms)


def test_envy_is_priced_for_the_stakes_of_the_rulebook_alone() -> None:
    with pytest.raises(pitboss.WrongTerms, match="100 or 500 cents"):
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
    with pytest.raises(pitboss.MissingExtra, match=r"pip install pitboss\[data\]"):
        pitboss.rulings(GAME).to_polars()


def test_a_hand_is_settled_or_refused() -> None:
    result = pitboss.settle(HAND)
    assert result["seats"][0]["net"] == 7500
    for wrong in ({}, {"game": "whist"}, {**HAND, "choices": {"ante-bonus": "Z"}}, {**HAND, "dealer": ["Ti"]}):
        assert isinstance(pitboss.settle(wrong), Refusal)


def test_rulings_end_with_those_of_every_game() -> None:
    rows = pitboss.rulings(GAME)
    assert rows[0].id == "DP-1"
    assert rows[-1].id.startswith("G-")
    assert "gold-with-one-dragon" in repr(rows)
    assert rows.as_dicts()[0]["reason"]


def test_importing_loads_nothing_until_something_is_used() -> None:
    code = (
        "import sys, pitboss; before = {name for name in sys.modules if name.startswith('pitboss.')}; "
        "pitboss.game('dragon-poker'); print(before, 'pitboss.lab' in sys.modules, 'numba' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "set() False False\n"


def test_only_what_the_front_offers_is_an_attribute() -> None:
    assert set(pitboss.__all__) <= set(dir(pitboss))
    with pytest.raises(AttributeError, match="no attribute 'roulette'"):
        _ = pitboss.roulette
