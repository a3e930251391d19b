"""Records written by running tables of every game pass the verifier, and altered copies don't."""

import io
from pathlib import Path

import pytest

from house.floors import Floor, run
from pitboss.games.catalogue import game_names
from pitboss.record.heads import HeadsExport
from pitboss.record.store import export
from pitboss_verify import Report, verify
from verify.recorded import Kept


async def played(name: str, rounds: int) -> Floor:
    floor = Floor(7)
    await floor.open("t", name)
    for seat, person in ((1, "alice"), (3, "bob")):
        await floor.sit("t", person, seat)
    await floor.rounds("t", rounds)
    return floor


class Exported:
    """A floor's record and its signed heads as files."""

    def __init__(self, floor: Floor, folder: Path) -> None:
        self.log, self.heads = folder / "record.jsonl", folder / "heads.jsonl"
        out, kept = io.StringIO(), Kept()
        export(floor.store, out)
        HeadsExport(floor.store.heads(), floor.keyring.current.signer(), kept, floor.clock).export()
        self.log.write_text(out.getvalue(), "utf-8")
        self.heads.write_text(kept.text, "utf-8")

    def verify(self) -> Report:
        return verify(self.log, heads=[self.heads])


@pytest.mark.parametrize("name", game_names())
def test_what_a_table_wrote_is_sound(name: str, tmp_path: Path) -> None:
    exported = Exported(run(played(name, 3)), tmp_path)
    report = exported.verify()
    assert report.fault is None
    assert report.rounds == 3
    assert report.opened > 20
    assert report.sealed == 0
    assert report.transfers > 10
    lines = exported.log.read_text("utf-8").splitlines(keepends=True)
    exported.log.write_text("".join(lines[:-1]), "utf-8")
    assert "says it reached entry" in (exported.verify().fault or "")
