"""Signed heads: what is written, when, and what stays readable after a crash or after the file is moved."""

import asyncio
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.record.entries import Head, canonical
from pitboss.record.group_commit import InlineRunner
from pitboss.record.heads import HeadsExport, head_line, set_digest, set_line
from pitboss.record.system import AppendedFile, ThreadRunner
from pitboss_verify.heads import Heads
from verify.recorded import MASTER, Clock, Kept

ONE, TWO = Head(1, "1" * 64), Head(2, "2" * 64)


def export_to(file: Kept, heads: dict[str, Head]) -> HeadsExport:
    return HeadsExport(heads, MASTER.signer(), file, Clock())


def written(file: Kept) -> list[tuple[str | int, int | str]]:
    lines = [json.loads(line) for line in file.text.splitlines() if line.endswith("}")]
    return [(line.get("stream", line.get("streams")), line.get("sequence", "set")) for line in lines]


def test_a_head_is_a_canonical_line_that_its_public_key_vouches_for() -> None:
    line = head_line("money", ONE, 5, MASTER.signer())
    data = json.loads(line)
    assert canonical(data) == line
    assert set(data) == {"stream", "sequence", "hash", "at", "key", "signature"}
    signature = bytes.fromhex(data.pop("signature"))
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(data["key"])).verify(signature, canonical(data).encode())


def test_the_set_counts_streams_and_covers_all_their_heads() -> None:
    data = json.loads(set_line({"a": ONE, "b": TWO}, 5, MASTER.signer()))
    assert data["streams"] == 2
    assert data["heads"] == set_digest({"b": TWO, "a": ONE}) != set_digest({"a": ONE, "b": ONE})


def test_the_first_export_says_everything_and_later_ones_what_has_moved() -> None:
    file = Kept()
    export = export_to(file, {"money": ONE, "table/a": ONE})
    assert export.export() == 2
    assert written(file) == [("money", 1), ("table/a", 1), (2, "set")]
    assert export.export() == 0
    export.follow("table/a", TWO)
    export.follow("money", ONE)
    assert export.export() == 1
    assert written(file)[3:] == [("table/a", 2), (2, "set")]


def test_a_house_with_nothing_in_it_says_so_once() -> None:
    file = Kept()
    export = export_to(file, {})
    assert (export.export(), export.export()) == (0, 0)
    assert written(file) == [(0, "set")]


def test_a_process_that_starts_again_says_everything_again_on_lines_of_its_own() -> None:
    file = Kept()
    export_to(file, {"money": ONE}).export()
    file.append('{"torn')
    export_to(file, {"money": TWO}).export()
    assert written(file)[2:] == [("money", 2), (1, "set")]
    assert '{"torn\n\n{' in file.text


def test_a_file_that_was_moved_away_is_begun_again_with_everything(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    export = HeadsExport({"money": ONE, "table/a": ONE}, MASTER.signer(), AppendedFile(path), Clock())
    export.export()
    path.rename(tmp_path / "heads-monday.jsonl")
    export.follow("table/a", TWO)
    assert export.export() == 2
    assert len(path.read_text().splitlines()) == 3
    export.follow("table/a", Head(3, "3" * 64))
    assert export.export() == 1
    assert len(path.read_text().splitlines()) == 5


def test_what_is_heard_late_takes_no_stream_back() -> None:
    file = Kept()
    export = export_to(file, {"money": TWO})
    export.follow_all({"money": ONE, "people": ONE})
    assert export.export() == 2
    assert written(file) == [("money", 2), ("people", 1), (2, "set")]


class Refusing(Kept):
    is_full = False

    def append(self, text: str) -> None:
        if self.is_full:
            raise OSError(28, "No space left on device")
        super().append(text)


def test_heads_that_could_not_be_written_are_written_the_next_time() -> None:
    file = Refusing()
    export = export_to(file, {"money": ONE})
    export.export()
    export.follow("money", TWO)
    file.is_full = True
    with pytest.raises(OSError, match="No space"):
        export.export()
    with pytest.raises(OSError, match="No space"):
        asyncio.run(export.export_beside(InlineRunner()))
    file.is_full = False
    assert export.export() == 1
    assert written(file)[2:] == [("money", 2), (1, "set")]


def test_exports_beside_the_loop_keep_their_order() -> None:
    async def scenario() -> None:
        file, runner = Kept(), ThreadRunner("heads")
        export = export_to(file, {"money": ONE})
        first = asyncio.create_task(export.export_beside(runner))
        await asyncio.sleep(0)
        export.follow("money", TWO)
        assert (await first, await export.export_beside(runner)) == (1, 1)
        assert written(file) == [("money", 1), (1, "set"), ("money", 2), (1, "set")]
        runner.close()

    asyncio.run(scenario())


class Torn(Kept):
    """A file on which half of the next text is written before there is no room left."""

    is_full = False

    def append(self, text: str) -> None:
        super().append(text[: len(text) // 3] if self.is_full else text)
        if self.is_full:
            raise OSError(28, "No space left on device")


def test_a_half_written_head_stays_separate_from_the_next(tmp_path: Path) -> None:
    file = Torn()
    export = export_to(file, {"money": ONE})
    export.export()
    export.follow("money", TWO)
    file.is_full = True
    with pytest.raises(OSError, match="No space"):
        export.export()
    file.is_full = False
    export.export()
    (tmp_path / "heads.jsonl").write_text(file.text)
    heads = Heads(file.text, None, "heads.jsonl")
    assert (heads.count, heads.torn) == (2, 1)
