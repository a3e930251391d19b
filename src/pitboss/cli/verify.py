"""`pitboss verify`: check a record with the verifier, which shares no code with the house that wrote it."""

import re
from collections.abc import Sequence
from pathlib import Path

from pitboss.cli.output import Failure, console, show_json
from pitboss.cli.waiting import waiting
from pitboss_verify import UnusableFile, verify


def verify_command(
    log: Path,
    *,
    heads: Sequence[Path],
    key: Path | None,
    is_excerpt: bool,
    as_json: bool,
    checkpoints: Path | None = None,
    witnessed: Path | None = None,
    witness_key: str | None = None,
) -> None:
    """Print what was checked in a record, or exit with its first fault."""
    if re.match(r"\w\w+:/", log.as_posix()):
        way = "`pitboss export --database URL -o record.jsonl`"
        raise Failure(f"`pitboss verify` reads files, not database URLs. Export the record with {way} first.", 2)
    try:
        with waiting(f"Checking {log.name}") as announce:
            report = verify(
                log,
                heads=heads,
                key=key,
                is_excerpt=is_excerpt,
                checkpoints=checkpoints,
                witnessed=witnessed,
                witness_key=witness_key,
                seen=lambda count: announce(f"Checking {log.name}: {count:,} entries"),
            )
    except UnusableFile as fault:
        raise Failure(str(fault), 2) from None
    if as_json:
        show_json(report.as_dict())
    elif report.is_sound:
        out = console()
        for sentence in report.sentences():
            out.print(sentence, markup=False, soft_wrap=True)
    if report.fault:
        raise Failure(report.fault)
