"""The published receipts: one that is sound, and one for everything that can be changed in it."""

import json
from pathlib import Path

import pytest

from pitboss_verify import verify

VECTORS = Path(__file__).with_name("vectors")
KEYS = json.loads((VECTORS / "keys.json").read_text())
RECEIPTS = sorted(path.stem for path in VECTORS.glob("*sound*.json"))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "keys"
    path.write_text("\n".join(KEYS["keys"]))
    return path


@pytest.mark.parametrize("name", RECEIPTS)
def test_the_verifier_agrees_with_the_name_of_a_published_receipt(name: str, key: Path) -> None:
    report = verify(VECTORS / f"{name}.json", key=key, witness_key=KEYS["witness"])
    assert report.is_sound == (name == "sound"), report.fault


def test_there_is_a_receipt_for_every_change() -> None:
    assert len(RECEIPTS) > 10


def test_another_witness_is_found(key: Path) -> None:
    other = KEYS["keys"][0]
    assert verify(VECTORS / "sound.json", key=key, witness_key=other).fault
