"""Fails when a room's branch coverage, as the last test run measured it, is below its floor."""

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

FLOOR_PERCENT = 95
PROJECT = Path(__file__).parents[1] / "pyproject.toml"
ROOMS = tuple(tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["coverage"]["run"]["source"])


def main() -> int:
    """Print each room's coverage and return 1 when one is too low."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "-q", "--include", "src/*", "-o", str(report)]
        subprocess.run(command, check=True)
        files = json.loads(report.read_text())["files"]
    low = 0
    for room in ROOMS:
        within = f"src/{room.replace('.', '/')}/"
        sums = [entry["summary"] for path, entry in files.items() if Path(path).as_posix().startswith(within)]
        whole = sum(total["num_statements"] + total["num_branches"] for total in sums)
        covered = sum(total["covered_lines"] + total["covered_branches"] for total in sums)
        percent = 100 * covered / whole
        low += percent < FLOOR_PERCENT
        print(f"{room:<20} {percent:6.2f} % of lines and branches covered")
    if low:
        print(f"{low} room{'s are' if low > 1 else ' is'} below {FLOOR_PERCENT}%.", file=sys.stderr)
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main())
