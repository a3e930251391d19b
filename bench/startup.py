"""How long the commands take to start: `pitboss bench start`, from a checkout."""

from pitboss.cli.bench import bench_command

if __name__ == "__main__":
    bench_command(("start",), quick=False, as_json=False)
