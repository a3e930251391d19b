"""`pitboss verify` as a user calls it: output, and exit status 0, 1 or 2."""

import json
import sys
from pathlib import Path

import pytest

from pitboss.cli import _run
from verify.recorded import MASTER, recorded


@pytest.fixture
def pitboss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pitboss", *map(str, arguments)])
        status = _run()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    recorder = recorded(2, 1)
    (tmp_path / "record.jsonl").write_text(recorder.log())
    (tmp_path / "heads.jsonl").write_text(recorder.heads.text)
    (tmp_path / "heads.pub").write_text(MASTER.signer().public)
    return tmp_path


def test_a_sound_record_ends_with_0_and_says_what_was_checked(record: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    log, heads, key = record / "record.jsonl", record / "heads.jsonl", record / "heads.pub"
    status, out, err = pitboss("verify", log, "--heads", heads, "--key", key)
    assert (status, err) == (0, "")
    assert out.startswith("record.jsonl: 20 entries in 3 streams, in canonical form, in order and hash-chained")
    status, out, _ = pitboss("verify", log, "--heads", heads, "--json")
    assert status == 0
    data = json.loads(out)
    assert (data["sound"], data["entries"], data["fault"]) == (True, 20, None)


def test_a_fault_is_one_sentence_and_ends_with_1(record: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    log, heads = record / "record.jsonl", record / "heads.jsonl"
    whole = log.read_text()
    log.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert pitboss("verify", log)[0] == 0
    status, out, err = pitboss("verify", log, "--heads", heads)
    assert (status, out) == (1, "")
    assert (
        err
        == "Stream table/t1 ends at entry 8, but the signed head on line 4 of heads.jsonl says it reached entry 9.\n"
    )
    status, out, err = pitboss("verify", log, "--heads", heads, "--json")
    assert (status, json.loads(out)["sound"]) == (1, False)


def test_a_file_that_is_not_there_ends_with_2(record: Path, pitboss) -> None:  # type: ignore[no-untyped-def]
    for arguments in (["nowhere"], [record], [record / "record.jsonl", "--heads", record / "nowhere"]):
        status, _, err = pitboss("verify", *arguments)
        assert status == 2
        assert err.count("\n") == 1
    assert pitboss("verify", record / "record.jsonl", "--key", record / "heads.jsonl")[0] == 2
    assert pitboss("verify")[0] == 2


@pytest.mark.parametrize("address", ["postgresql://pitboss@localhost/floor", "sqlite:///floor/record.db"])
def test_a_database_s_address_leads_to_the_export(address: str, pitboss) -> None:  # type: ignore[no-untyped-def]
    status, _, err = pitboss("verify", address)
    assert status == 2
    assert "pitboss export --database" in err


def test_help_shows_an_example(pitboss) -> None:  # type: ignore[no-untyped-def]
    assert "Example: pitboss verify" in pitboss("verify", "--help")[1]
