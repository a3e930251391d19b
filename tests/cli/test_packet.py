"""`pitboss packet` writes a PDF and its tables, or says in one sentence why it doesn't."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.cli import _run
from pitboss.odds.compiled import cache_folder

pytestmark = pytest.mark.xdist_group("exact")
EXAMPLES = Path(__file__).parents[2] / "examples"
DRAGON = EXAMPLES / "dragon-poker.toml"


def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pitboss", "packet", *map(str, arguments)])
    status = _run()
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_packet_is_written_and_listed(capsys, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "dragon.pdf"
    status, said, wrong = command(capsys, monkeypatch, DRAGON, "-o", out)
    assert (status, wrong) == (0, "")
    assert out.read_bytes().startswith(b"%PDF-")
    assert said.split(": ")[-1].strip() == "the packet for Harbor Casino, 1 table."


def test_tables_are_written_next_to_it(capsys, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out, folder = tmp_path / "dragon.pdf", tmp_path / "tables"
    status, said, _ = command(capsys, monkeypatch, DRAGON, "-o", out, "--tables", folder, "--json")
    told = json.loads(said)
    assert status == 0
    assert told["packet"] == str(out)
    assert told["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert told["submission"] == hashlib.sha256(DRAGON.read_bytes()).hexdigest()[:16]
    assert told["tables"] == [{"table": "Dragon 1", "game": "dragon-poker"}]
    assert sorted(told["files"]) == sorted(str(path) for path in folder.iterdir())
    sheet = json.loads((folder / "1-dragon-1-par-dragon-bet.json").read_text("utf-8"))
    assert sheet["totals"]["contribution"] == "-3373/23426"
    assert sheet["rows"][0] == {
        "hand": "three red dragons",
        "pays": "1000 to 1",
        "clause": "Ch. 12 §D(1)(a)",
        "combinations": 1,
        "probability": "1/23426",
        "contribution": "500/11713",
    }


def test_no_packet_is_left_where_its_tables_cannot_be_written(capsys, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    out, taken = tmp_path / "dragon.pdf", tmp_path / "taken"
    taken.write_text("a file, no folder")
    status, _, wrong = command(capsys, monkeypatch, DRAGON, "-o", out, "--tables", taken / "inside")
    assert status == 1
    assert wrong.startswith("The tables cannot be written to")
    assert not out.exists()


def test_an_unsound_submission_is_refused(capsys, monkeypatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "wrong.toml"
    file.write_text(DRAGON.read_text("utf-8").replace("positions = 6", "positions = 9"), "utf-8")
    status, said, wrong = command(capsys, monkeypatch, file, "-o", tmp_path / "out.pdf")
    assert (status, said) == (1, "")
    assert wrong.count("\n") == 1
    assert "has errors; `pitboss check` lists them" in wrong
    assert "Ch. 2 §A" in wrong
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.parametrize(
    ("file", "out", "tables", "status", "sentence"),
    [
        ("none.toml", "out.pdf", None, 1, "cannot be read"),
        (DRAGON, ".", None, 2, "is a folder. Name the PDF file to write."),
        (DRAGON, "none/out.pdf", None, 1, "there is no folder"),
        (DRAGON, "out.pdf", "taken", 2, "is not a folder. Name a folder for the tables."),
        (DRAGON, "out.pdf", "taken/inside", 1, "tables cannot be written"),
    ],
)
def test_what_cannot_be_read_or_written_is_reported_in_a_sentence(  # type: ignore[no-untyped-def]
    capsys, monkeypatch, tmp_path: Path, file, out: str, tables: str | None, status: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file", "utf-8")
    found, said, wrong = command(capsys, monkeypatch, file, "-o", out, *(("--tables", tables) if tables else ()))
    assert (found, said) == (status, "")
    assert wrong.count("\n") == 1
    assert sentence in wrong


def test_a_packet_needs_a_file_to_write(capsys, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    status, _, wrong = command(capsys, monkeypatch, DRAGON)
    assert status == 2
    assert "-o" in wrong


def test_a_packet_needs_no_home_no_network_and_no_font(tmp_path: Path) -> None:
    # With a proxy that nothing answers at, anything that asked the network would fail.
    environment = {
        "PATH": os.defpath,
        "PITBOSS_CACHE": str(cache_folder()),
        "HOME": "/nonexistent",
        "FONTCONFIG_FILE": "/nonexistent",
        "https_proxy": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }
    made: list[bytes] = []
    for given in (environment, {key: value for key, value in environment.items() if key != "HOME"}):
        out = tmp_path / f"{len(made)}.pdf"
        ended = subprocess.run(
            [sys.executable, "-c", "from pitboss.cli import main; main()", "packet", str(DRAGON), "-o", str(out)],
            env=given,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        made.append(out.read_bytes())
    assert made[0] == made[1]
