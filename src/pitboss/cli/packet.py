"""`pitboss packet`: the printed packet of a submission, with its tables as CSV and JSON."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.cli.output import Failure, console, show_json
from pitboss.cli.submissions import read
from pitboss.submission.check import check

if TYPE_CHECKING:
    from pitboss.packet.contents import Packet
    from pitboss.submission.document import Submission


def packet_command(file: Path, *, out: Path, tables: Path | None, exposures: bool = False, as_json: bool) -> None:
    """Write the packet of a sound submission, and its tables if a folder is named."""
    submission = read(file)
    faults = check(submission)
    if faults:
        raise Failure(f"{file} has errors; `pitboss check` lists them. The first: {faults[0]}.")
    # Checked before the games are solved, which may take a while.
    if out.is_dir():
        raise Failure(f"{out} is a folder. Name the PDF file to write.", 2)
    if not out.absolute().parent.is_dir():
        raise Failure(f"{out} cannot be written: there is no folder {out.parent}.")
    if tables is not None and tables.exists() and not tables.is_dir():
        raise Failure(f"{tables} is not a folder. Name a folder for the tables.", 2)
    packet, made = _made(submission, hashlib.sha256(file.read_bytes()).hexdigest()[:16], exposures=exposures)
    # The tables first, so that an unwritable folder leaves no packet without them.
    written = _write_tables(packet, tables) if tables else []
    try:
        out.write_bytes(made)
    except OSError as wrong:
        raise Failure(f"{out} cannot be written: {wrong.strerror or wrong}.") from None
    if as_json:
        show_json(
            {
                "packet": str(out),
                "sha256": hashlib.sha256(made).hexdigest(),
                "submission": packet.fingerprint,
                "facility": packet.facility,
                "jurisdiction": packet.jurisdiction,
                "tables": [{"table": part.table, "game": part.game.name} for part in packet.parts],
                "files": [str(path) for path in written],
            }
        )
        return
    plural = "s" * (len(packet.parts) != 1)
    said = console()
    said.print(f"{out}: the packet for {packet.facility}, {len(packet.parts)} table{plural}.", markup=False)
    if tables:
        said.print(f"{tables}: {len(written)} files, every table of the packet as CSV and as JSON.", markup=False)


def _made(submission: "Submission", fingerprint: str, *, exposures: bool) -> tuple["Packet", bytes]:
    from pitboss.cli.waiting import waiting
    from pitboss.lab.exact_counts import NotAnalysed
    from pitboss.packet.contents import packet_of
    from pitboss.packet.typeset import pdf_of

    with waiting("Loading kernels (they are compiled and each game is solved on first use)") as announce:
        try:
            packet = packet_of(submission, fingerprint, announce, with_exposures=exposures)
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None
        announce("Typesetting the pages")
        return packet, pdf_of(packet)


def _write_tables(packet: "Packet", folder: Path) -> list[Path]:
    from pitboss.packet.table_files import write_tables

    try:
        return write_tables(packet.tables(), folder)
    except OSError as wrong:
        raise Failure(f"The tables cannot be written to {folder}: {wrong.strerror or wrong}.") from None
