"""`pitboss strategy` values every choice, prints a chart, and says in one sentence what it can't read."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli import _run

pytestmark = pytest.mark.xdist_group("exact")
EXAMPLES = Path(__file__).parents[2] / "examples"
RIVER = ("ultimate-texas-holdem", "--cards", "As Kd", "--board", "2c 7d 9h Jc 3d")


def strategy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "strategy", *arguments])
    status = _run()
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_every_choice_has_its_value_and_its_cost(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = strategy(capsys, monkeypatch, *RIVER, "--json")
    told = json.loads(out)
    assert status == 0
    assert told["asked"] == "after the river"
    assert told["best"] == "raise 1x"
    assert told["actions"] == [
        {"action": "raise 1x", "worth": "-1471/990", "cost": "0"},
        {"action": "fold", "worth": "-2", "cost": str(Fraction(2) - Fraction(1471, 990))},
    ]


def test_the_best_choice_is_marked(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = strategy(capsys, monkeypatch, *RIVER)
    (line,) = (line for line in out.splitlines() if "raise 1x" in line)
    assert line.split() == ["best", "raise", "1x", "-1.485859", "-1471/990"]
    (other,) = (line for line in out.splitlines() if "fold" in line)
    assert other.split() == ["fold", "-2.000000", "0.514141", "-2"]


def test_another_paytable_has_another_value(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    flop = ("ultimate-texas-holdem", "--cards", "Ks Ts", "--board", "Qs Js 2h", "--json")
    worths = []
    for letter in "AB":
        _, out, _ = strategy(capsys, monkeypatch, *flop, "--paytable", f"blind={letter}")
        worths.append({action["action"]: Fraction(action["worth"]) for action in json.loads(out)["actions"]})
    assert worths[0].keys() == worths[1].keys() == {"raise 2x", "check"}
    assert worths[0] != worths[1]


def test_a_chart_without_cards(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = strategy(capsys, monkeypatch, "dragon-poker")
    assert status == 0
    assert "Play phoenix-panda-rabbit or better" in out
    assert "Cost compared with optimal play: none" in out


def test_a_chart_with_a_grid_and_its_cost(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    asked = ("colorado-holdem", "--set", "version=permissible-bet")
    _, out, _ = strategy(capsys, monkeypatch, *asked)
    assert "Bet QJ2 QJ3 QJ4 QJ5 QJ6 QJ7 QJ8: the higher two suited." in out
    assert "Cost of the whole strategy: 0.0012% of the Ante, exactly 303/25448150." in out
    _, out, _ = strategy(capsys, monkeypatch, *asked, "--json")
    told = json.loads(out)
    assert told["cost"] == "303/25448150"
    assert told["choices"] == {"version": "permissible-bet"}
    assert [len(row) for row in told["sections"][1]["grid"]["cells"]] == [13] * 13


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dragon-poker", "--cards", "Dg Dg Ra"), "Dg appears twice."),
        (("dragon-poker", "--cards", "Xx Ra Ra"), "'Xx' is not a card of the dragon deck."),
        (("top-five-poker", "--cards", "As Kd"), "A hand of Top Five Poker has 7 cards, not 2."),
        (("dragon-poker", "--cards", "Ra Ra Ph", "--board", "Ra"), "the board shows none, not 1 card."),
        (("dragon-poker", "--cards", ""), "A hand of Dragon Poker has 3 cards, not 0."),
        (("ultimate-texas-holdem", "--board", "2c 3c 4c"), "--board needs --cards as well."),
        (("dragon-poker", "--set", "nonsense"), "'nonsense' isn't valid for --set."),
        (("dragon-poker", "--set", "gold-with-one-dragon=silver"), "not 'silver'."),
        (("dragon-poker", "--paytable", "ante-bonus=Z"), "ante-bonus has no paytable 'Z'. Choose"),
        (("whist",), "There is no game called 'whist'"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, monkeypatch, arguments, sentence) -> None:  # type: ignore[no-untyped-def]
    status, out, err = strategy(capsys, monkeypatch, *arguments)
    assert status == 2
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_a_submission_decides_what_choices_are_worth(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("colorado-holdem", "--cards", "As Ad 7c", "--json")
    plain = json.loads(strategy(capsys, monkeypatch, *asked)[1])
    file = str(EXAMPLES / "colorado-holdem.toml")
    raised = json.loads(strategy(capsys, monkeypatch, *asked, "--submission", file)[1])
    assert raised["best"] == plain["best"]
    # The example pays a full house 12 to 1, more than the rulebook's least.
    assert Fraction(raised["actions"][0]["worth"]) > Fraction(plain["actions"][0]["worth"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(("--table", "Colorado 1"), 2), (("--submission", "no-such-file.toml"), 1)],
)
def test_a_submission_that_is_not_there_is_one_sentence(
    arguments: tuple[str, ...], expected: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, err = strategy(capsys, monkeypatch, "colorado-holdem", *arguments)
    assert (status, out, err.count("\n")) == (expected, "", 1)
