"""Runs `pitboss bench` and writes the figures to RESULTS.md, above the figures of the other scripts here."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pitboss.cli.bench import number
from pitboss.cli.bench.commands import PITBOSS

HERE = Path(__file__).parent
PAGE = HERE / "RESULTS.md"
END = "<!-- the rest of this page is written by hand -->"


def measured() -> dict[str, Any]:
    """Return what `pitboss bench --json` prints."""
    command = [sys.executable, *PITBOSS, "bench", "--json"]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def page(found: dict[str, Any], day: str) -> str:
    """Return the page: the machine and the versions, and a row for each figure."""
    place = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    lines = [
        "# Benchmark results",
        "",
        f"{place['processor']}, {place['cores']} cores, {place['system']}; {versions}; {day}.",
        "",
        "`pitboss bench` produces these figures, and `python bench/results.py` this page. All times are CPU time.",
        "Our figure and theirs come from the same run; a ratio above 1 is in favor of Pitboss.",
        "[docs/bench.md](../docs/bench.md) says what is measured and how.",
        "",
        "| part | what | figure | compared with | theirs | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for measure in found["measures"]:
        theirs, ratio = ("" if measure[key] is None else number(measure[key]) for key in ("theirs", "ratio"))
        figure = f"{number(measure['figure'])} {measure['unit']}"
        lines.append(
            f"| {measure['part']} | {measure['what']} | {figure} | {measure['beside'] or ''} | {theirs} | {ratio} |"
        )
    return "\n".join((*lines, "", END))


def main() -> None:
    """Measure, and put the new figures above the handwritten part."""
    kept = PAGE.read_text("utf-8").partition(END)[2] if PAGE.exists() else ""
    PAGE.write_text(page(measured(), datetime.now(UTC).date().isoformat()) + (kept or "\n"), "utf-8")


if __name__ == "__main__":
    main()
