"""What each command prints, and how each kind of wrong input ends: one sentence and status 1 or 2."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss import __version__
from pitboss.cli import _run
from pitboss.games import game_names

EXAMPLE = {
    "game": "ultimate-texas-holdem",
    "choices": {"blind": "A", "trips": "A"},
    "dealer": ["Ah", "Kd"],
    "board": ["2c", "7d", "9h", "Js", "Qc"],
    "seats": [
        {
            "seat": 1,
            "cards": ["As", "Ad"],
            "wagers": {"ante": 1000, "blind": 1000, "trips": 500},
            "actions": ["raise 4x"],
        }
    ],
}
EXAMPLES = Path(__file__).parents[2] / "examples"


class Ended:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["pitboss", *arguments])
        status = _run()
        printed = capsys.readouterr()
        return Ended(status, printed.out, printed.err)

    return run


def is_one_sentence(text: str) -> bool:
    return text.endswith(".\n") and text.count("\n") == 1 and "Traceback" not in text


def hand_file(folder: Path, *hands: object) -> str:
    path = folder / "hands.jsonl"
    path.write_text("".join(hand if isinstance(hand, str) else json.dumps(hand) + "\n" for hand in hands))
    return str(path)


def test_help_and_version(pitboss) -> None:  # type: ignore[no-untyped-def]
    assert "settle" in pitboss("--help").out
    assert pitboss("--version").out == f"pitboss {__version__}\n"


def test_every_command_has_help_with_an_example(pitboss) -> None:  # type: ignore[no-untyped-def]
    for command in ("games", "rulings", "trace", "settle", "check", "compare", "play"):
        ended = pitboss(command, "--help")
        assert ended.status == 0
        assert f"Example: pitboss {command}" in ended.out


def test_games_lists_all(pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("games")
    assert ended.status == 0
    assert all(name in ended.out for name in game_names())
    data = json.loads(pitboss("games", "--json").out)
    assert [row["game"] for row in data] == list(game_names())
    trips = next(wager for wager in data[-1]["wagers"] if wager["wager"] == "trips")
    assert [table["paytable"] for table in trips["paytables"]] == ["A", "B", "C", "D", "E"]


@pytest.mark.parametrize("name", game_names())
def test_games_prints_one_with_its_paytables(name: str, pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("games", name)
    assert ended.status == 0
    assert "Options (the first value is the default)" in ended.out


def test_rulings_say_why(pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("rulings", "colorado-holdem")
    assert "CH-1 " in ended.out
    assert "G-1 " in ended.out
    assert "UT-1 " not in ended.out
    data = json.loads(pitboss("rulings", "--json").out)
    assert {"TF-1", "DP-1", "CH-1", "UT-1", "G-1"} <= {row["id"] for row in data}
    assert all(row["problem"] and row["reading"] and row["reason"] and row["effect"] for row in data)


def test_trace_prints_the_matrix_and_totals(pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("trace", "top-five-poker")
    assert "Ch. 11 §C(4)(a)" in ended.out
    assert "Totals" in ended.out
    data = json.loads(pitboss("trace", "--json").out)
    assert {row["game"] for row in data} == set(game_names())
    fields = {"game", "clause", "summary", "status", "code", "tests", "reason", "entry", "text", "under"}
    assert set(data[0]) == fields
    assert {row["status"] for row in data if row["entry"]} == {"recorded"}
    assert {row["status"] for row in data if row["text"]} == {"shown"}
    assert "table.DutyConfirmed" in ended.out


def test_settle_gives_the_documented_result(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("settle", hand_file(tmp_path, EXAMPLE), "--json")
    assert ended.status == 0
    result = json.loads(ended.out)
    assert result["dealer"] == {"hand": "ace high", "qualifies": False}
    seat = result["seats"][0]
    assert (seat["hand"], seat["net"], seat["envy"]) == ("pair of aces", 3500, [])
    assert seat["wagers"]["blind"] == {
        "stake": 1000,
        "result": "push",
        "net": 0,
        "odds": None,
        "clause": "Ch. 11 §H(3)(c)",
        "odds_clause": "Ch. 12 §B(1)(g)",
    }


def test_settle_reads_one_object_over_several_lines(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "hand.json"
    path.write_text("\n\n" + json.dumps(EXAMPLE, indent=2))
    assert pitboss("settle", str(path)).status == 0


def test_settle_reads_standard_input() -> None:
    command = [str(Path(sys.executable).with_name("pitboss")), "settle", "-", "--json"]
    ended = subprocess.run(command, input=json.dumps(EXAMPLE), capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout)["seats"][0]["net"] == 3500


def test_settle_shows_a_table_with_cut_meters_and_envy(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    royal = {
        "game": "ultimate-texas-holdem",
        "choices": {"payout-limit": 5_000_000},
        "dealer": ["2c", "3d"],
        "board": ["Qs", "Js", "Ts", "4h", "4d"],
        "meters": {"meter": 2_000_000},
        "seats": [
            {
                "seat": 1,
                "cards": ["As", "Ks"],
                "wagers": {"ante": 50_000, "blind": 50_000, "progressive": 100},
                "actions": ["raise 4x"],
            },
            {
                "seat": 2,
                "cards": ["7c", "8d"],
                "wagers": {"ante": 1000, "blind": 1000, "progressive": 100},
                "actions": ["check", "check", "fold"],
            },
        ],
    }
    ended = pitboss("settle", hand_file(tmp_path, royal))
    assert ended.status == 0
    assert "envy" in ended.out
    assert "Ch. 12 §F" in ended.out
    assert "Meters after: meter $10,000" in ended.out


def test_settle_refuses_a_line_and_settles_the_others(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    unequal = json.loads(json.dumps(EXAMPLE))
    unequal["seats"][0]["wagers"]["blind"] = 500
    ended = pitboss("settle", hand_file(tmp_path, EXAMPLE, "\n", unequal, "nonsense\n", EXAMPLE), "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.status == 1
    assert ended.err == "2 of 4 hands were refused.\n"
    assert [line.get("line") for line in lines] == [None, 3, 4, None]
    assert lines[1]["refused"]["field"] == "seats[0].wagers.blind"
    assert lines[1]["refused"]["clause"] == "Ch. 7 §F(1)"
    assert (
        "Line 3 refused at seats[0].wagers.blind" in pitboss("settle", hand_file(tmp_path, EXAMPLE, "\n", unequal)).out
    )


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2]",
        '{"game": 7}',
        '{"game": "whist", "seats": []}',
        '{"game": "dragon-poker", "game": "dragon-poker"}',
        '{"game": "dragon-poker", "choices": 5}',
        '{"game": "dragon-poker", "dealer": NaN}',
        "[" * 100_000,
        '{"game": "dragon-poker", "dealer": ["Dr"',
        '"' + "x" * 1000,
        "9" * 5000,
    ],
)
def test_settle_refuses_what_is_not_a_hand(text: str, tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("settle", hand_file(tmp_path, text + "\n"), "--json")
    assert ended.status == 1
    assert json.loads(ended.out)["line"] == 1
    assert ended.err == "1 of 1 hand was refused.\n"


def test_settle_without_a_hand(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    for arguments in ((hand_file(tmp_path, "\n \n"),), (str(tmp_path / "absent.json"),), (str(tmp_path),)):
        ended = pitboss("settle", *arguments)
        assert ended.status == 1
        assert is_one_sentence(ended.err)
    ended = pitboss("settle", hand_file(tmp_path, EXAMPLE), "--table", "UTH 1")
    assert (ended.status, is_one_sentence(ended.err)) == (2, True)


def test_settle_survives_bytes_that_are_not_text(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "bytes").write_bytes(bytes(range(256)))
    ended = pitboss("settle", str(tmp_path / "bytes"), "--json")
    assert ended.status == 1
    assert "refused" in ended.out


def test_settle_follows_a_submission(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    submission, table = str(EXAMPLES / "ultimate-texas-holdem.toml"), "UTH 1"
    plain = {key: value for key, value in EXAMPLE.items() if key != "choices"}
    ended = pitboss("settle", hand_file(tmp_path, plain), "--json", "--submission", submission, "--table", table)
    assert json.loads(ended.out)["seats"][0]["net"] == 3500
    other = EXAMPLE | {"choices": {"trips": "E"}}
    ended = pitboss("settle", hand_file(tmp_path, other), "--json", "--submission", submission, "--table", table)
    assert json.loads(ended.out)["refused"]["field"] == "choices.trips"
    duel = {"game": "colorado-holdem", "seats": []}
    ended = pitboss("settle", hand_file(tmp_path, duel), "--json", "--submission", submission, "--table", table)
    assert json.loads(ended.out)["refused"]["field"] == "game"
    low = json.loads(json.dumps(plain))
    low["seats"][0]["wagers"] = {"ante": 100, "blind": 100}
    ended = pitboss("settle", hand_file(tmp_path, low), "--json", "--submission", submission, "--table", table)
    assert "at least" in json.loads(ended.out)["refused"]["reason"]


def test_settle_needs_a_sound_submission_and_a_known_table(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    hand = hand_file(tmp_path, EXAMPLE)
    unsound = tmp_path / "unsound.toml"
    unsound.write_text("[facility]\nname = 3\n")
    ended = pitboss("settle", hand, "--submission", str(unsound))
    assert (ended.status, is_one_sentence(ended.err)) == (1, True)
    ended = pitboss("settle", hand, "--submission", str(EXAMPLES / "ultimate-texas-holdem.toml"), "--table", "none")
    assert (ended.status, is_one_sentence(ended.err)) == (2, True)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_examples_check_clean(path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss("check", str(path))
    assert (ended.status, ended.err) == (0, "")
    data = json.loads(pitboss("check", str(path), "--json").out)
    assert data["accepted"] is True
    assert data["choices"]


def test_check_names_every_fault_at_once(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    text = (EXAMPLES / "ultimate-texas-holdem.toml").read_text()
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace('blind = "A"', 'blind = "Q"').replace("positions = 6", "positions = 9"))
    ended = pitboss("check", str(bad))
    assert ended.status == 1
    assert ended.out.count("✗") == 2
    assert is_one_sentence(ended.err)
    assert json.loads(pitboss("check", str(bad), "--json").out)["accepted"] is False


def test_check_and_compare_files_that_cannot_be_read(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    broken = tmp_path / "broken.toml"
    broken.write_text("[[[")
    for arguments in (
        ("check", str(broken)),
        ("check", str(tmp_path)),
        ("compare", str(broken), str(tmp_path / "none")),
    ):
        ended = pitboss(*arguments)
        assert ended.status == 1
        assert is_one_sentence(ended.err)


def test_compare_shows_what_changed(tmp_path: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    old = EXAMPLES / "ultimate-texas-holdem.toml"
    new = tmp_path / "new.toml"
    new.write_text(old.read_text().replace("maximum = 50000", "maximum = 40000"))
    ended = pitboss("compare", str(old), str(new))
    assert "maximum: $500 -> $400" in ended.out
    told = json.loads(pitboss("compare", str(old), str(new), "--json").out)
    assert told["changes"]
    assert told["edges"] == []
    assert pitboss("compare", str(old), str(old)).out == "Nothing changed.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("games", "whist"),
        ("rulings", "whist"),
        ("trace", "whist"),
        ("settle", "--nonsense"),
        ("check",),
        ("compare", "one"),
        ("nonsense",),
    ],
)
def test_wrong_usage_ends_with_status_2(arguments: tuple[str, ...], pitboss) -> None:  # type: ignore[no-untyped-def]
    ended = pitboss(*arguments)
    assert ended.status == 2
    assert ended.err
    assert "Traceback" not in ended.err


def test_a_bug_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch, pitboss) -> None:  # type: ignore[no-untyped-def]
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.delenv("PITBOSS_DEBUG", raising=False)
    monkeypatch.setattr("pitboss.cli.games.games_command", broken)
    ended = pitboss("games")
    assert (ended.status, is_one_sentence(ended.err)) == (1, True)
    monkeypatch.setenv("PITBOSS_DEBUG", "1")
    with pytest.raises(RuntimeError):
        pitboss("games")


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, pitboss) -> None:  # type: ignore[no-untyped-def]
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitboss.cli.games.games_command", stopped)
    assert pitboss("games").status == 130


def test_a_reader_that_stops_reading_ends_it_quietly(tmp_path: Path) -> None:
    hands = hand_file(tmp_path, *[EXAMPLE] * 3000)
    command = [str(Path(sys.executable).with_name("pitboss")), "settle", hands, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == -signal.SIGPIPE


def test_output_without_a_terminal_is_plain(pitboss) -> None:  # type: ignore[no-untyped-def]
    assert "\x1b" not in pitboss("games").out
    assert isinstance(sys.stdout, io.TextIOBase)


@pytest.mark.parametrize(
    "arguments",
    [("edge",), ("edge", "dragon-poker", "--stake", "1.5"), ("nonsense",), ("games", "--colour"), ("play", "a", "b")],
)
def test_a_call_that_cannot_be_read_is_answered_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pitboss", *arguments])
    assert _run() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.endswith("--help`.\n")
