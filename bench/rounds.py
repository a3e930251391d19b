"""Whole rounds through decide and evolve compared with PokerKit's hands: `pitboss bench rounds`, from a checkout."""

from pitboss.cli.bench import bench_command

if __name__ == "__main__":
    bench_command(("rounds",), quick=False, as_json=False)
