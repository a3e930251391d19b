"""Evidence bundles: a ZIP with the entries of one round and the signed heads exported with them."""

import zipfile
from pathlib import Path

ENTRIES, HEADS, RELATED = "entries.jsonl", "heads.jsonl", "related.jsonl"


def is_bundle(path: Path) -> bool:
    """Say whether a file is an evidence bundle."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as packed:
        return ENTRIES in packed.namelist()


def related_lines(path: Path) -> list[bytes]:
    """Return the entries of other streams that came with a bundle."""
    with zipfile.ZipFile(path) as packed:
        return packed.read(RELATED).splitlines() if RELATED in packed.namelist() else []


def unpack(path: Path, folder: Path) -> tuple[Path, tuple[Path, ...]]:
    """Write a bundle's entries and heads to a folder, and return where they are; a bundle may have no heads."""
    with zipfile.ZipFile(path) as packed:
        packed.extract(ENTRIES, folder)
        has_heads = HEADS in packed.namelist() and bool(packed.read(HEADS).strip())
        if has_heads:
            packed.extract(HEADS, folder)
    return folder / ENTRIES, (folder / HEADS,) if has_heads else ()
