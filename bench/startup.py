"""How long the commands take to start, as a user waits for them."""

import subprocess
import sys
import time
from pathlib import Path


def best_of(arguments: list[str], times: int = 7) -> float:
    """Return the shortest wall time of several runs, in seconds."""
    command = [str(Path(sys.executable).with_name("pitboss")), *arguments]
    found = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> dict[str, float]:
    """Measure the two commands that must feel instant."""
    return {f"pitboss {name} s": round(best_of([name]), 3) for name in ("--help", "games")}


if __name__ == "__main__":
    print(main())
