"""Writes the published receipts, of a new floor: `PYTHONPATH=src:tests python -m verify.make_vectors`."""

import json
import tempfile
import time
from pathlib import Path

from pitboss.games.catalogue import game_names
from pitboss.record.signing_keys import verifier_for
from pitboss_verify.witness import Witness
from server.at_the_table import play_round
from server.running import Client, Running
from server.test_receipts import CHANGES

VECTORS = Path(__file__).with_name("vectors")
TIME_S = 1_700_000_000


def main() -> None:
    """Play a round, have its checkpoint cosigned, and write its receipt with every change that must be found."""
    with tempfile.TemporaryDirectory() as folder:
        running = Running(Path(folder) / "floor")
        alice, table = Client(running, "alice"), game_names()[0]
        alice.must(table, {"kind": "TakeSeat", "seat": 2})
        alice.must(table, {"kind": "BuyIn", "cents": 500_00})
        with alice.live(table) as socket:
            play_round(alice, socket, table, 2)
        name = alice.http.get("/api/me/rounds").json()[0]["round"]
        answer = alice.http.get(f"/api/me/rounds/{name}/receipt")
        while answer.status_code == 409:
            time.sleep(0.5)
            answer = alice.http.get(f"/api/me/rounds/{name}/receipt")
        receipt = answer.raise_for_status().json()
        assert running.floor is not None
        signing = running.floor.signing
        witness = Witness(Path(folder) / "witness", "commission")
        witness.trust(verifier_for(signing.origin, signing.publics()[-1]).text())
        receipt["checkpoint"] += witness.add(f"old 0\n\n{receipt['checkpoint']}", TIME_S).text
        keys = {"keys": list(signing.publics()), "witness": str(witness.key)}
        running.stop()
    VECTORS.mkdir(exist_ok=True)
    (VECTORS / "keys.json").write_text(json.dumps(keys, indent=1) + "\n")
    (VECTORS / "sound.json").write_text(json.dumps(receipt, indent=1, ensure_ascii=False) + "\n")
    for change in CHANGES:
        changed = json.loads(json.dumps(receipt))
        change(changed)
        written = json.dumps(changed, indent=1, ensure_ascii=False) + "\n"
        (VECTORS / f"unsound-{change.__name__.replace('_', '-')}.json").write_text(written)


if __name__ == "__main__":
    main()
