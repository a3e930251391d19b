"""The command line of the verifier: exit status 0 for a sound record, 1 for a fault, 2 for incorrect usage."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pitboss_verify.checking import UnusableFile, verify


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a record, and print what was checked and the first fault."""
    asked = _parser().parse_args(arguments)
    try:
        report = verify(
            asked.log,
            heads=asked.heads,
            key=asked.key,
            is_excerpt=asked.excerpt,
            checkpoints=asked.checkpoints,
            witnessed=asked.witnessed,
            witness_key=asked.witness_key,
        )
    except UnusableFile as fault:
        print(fault, file=sys.stderr)
        return 2
    if asked.json:
        print(json.dumps(report.as_dict(), indent=2, ensure_ascii=False))
    elif report.is_sound:
        print("\n".join(report.sentences()))
    if report.fault:
        print(report.fault, file=sys.stderr)
    return 0 if report.is_sound else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pitboss_verify", description="Verify a Pitboss record.")
    parser.add_argument("log", type=Path, help="a JSON Lines file, an SQLite database, an evidence bundle or a receipt")
    parser.add_argument("--heads", type=Path, action="append", default=[], help="exported signed heads; repeatable")
    parser.add_argument("--key", type=Path, help="a file of the public keys that must have signed the heads")
    parser.add_argument("--excerpt", action="store_true", help="the log is part of a record, as in an evidence bundle")
    parser.add_argument("--checkpoints", type=Path, help="exported checkpoints")
    parser.add_argument("--witnessed", type=Path, help="the checkpoint that a witness hands out")
    parser.add_argument("--witness-key", help="the witness's verifier key")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser
