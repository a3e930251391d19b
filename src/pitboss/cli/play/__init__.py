"""`pitboss play`: a free-play table in the terminal, or a demonstration if there is no terminal."""

from pathlib import Path


def play_command(
    game: str | None,
    *,
    seats: int,
    seat: int,
    stake_cents: int | None,
    submission: Path | None,
    table: str | None,
    record: Path | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Play until the player leaves, or demonstrate, and return the exit status."""
    from pitboss.cli.play.start import Wish, start

    wish = Wish(game, seats, seat, stake_cents, submission, table, record, seed)
    return start(wish, as_json=as_json)
