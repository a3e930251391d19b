"""The command line: the arguments of each command, and the module that runs it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pitboss.cli import mathematics, upkeep
from pitboss.cli.shared_arguments import Game, Json

app = typer.Typer(
    name="pitboss",
    help="Casino table poker, by the book: deal it, price it, prove it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        from pitboss import __version__

        print(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def games(game: Game = None, as_json: Json = False) -> None:
    """List the games, or show one game's wagers and paytables.

    Example: pitboss games dragon-poker
    """
    from pitboss.cli.games import games_command

    games_command(game, as_json=as_json)


@app.command()
def rulings(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's name, or `house` for the house's own rules."),
    ] = None,
    effects: Annotated[
        bool, typer.Option("--effects", help="Show what each reading changes, in exact figures.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show where the rulebooks are unclear and how they are read. Every ruling gives its reason.

    Example: pitboss rulings colorado-holdem --effects; pitboss rulings house
    """
    from pitboss.cli.rulings import rulings_command

    rulings_command(game, effects=effects, as_json=as_json)


@app.command()
def trace(game: Game = None, as_json: Json = False) -> None:
    """List every clause and what the program does about it. Each is listed with its code and tests.

    Example: pitboss trace top-five-poker
    """
    from pitboss.cli.trace import trace_command

    trace_command(game, as_json=as_json)


@app.command()
def settle(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Hands as JSON or JSON Lines; omit it or use - for standard input."),
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Settle under this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Settle finished hands: the money and clauses of every wager.

    Example: pitboss settle hands.jsonl --json
    """
    from pitboss.cli.settle import settle_command

    settle_command(file, submission=submission, table=table, as_json=as_json)


mathematics.add_to(app)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Rules Submission in TOML.")],
    as_json: Json = False,
) -> None:
    """Check a Rules Submission. Lists every error with its clause, or explains the choices if there are no errors.

    Example: pitboss check examples/dragon-poker.toml
    """
    from pitboss.cli.submissions import check_command

    check_command(file, as_json=as_json)


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The current submission.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new submission.")],
    as_json: Json = False,
) -> None:
    """Show what changed between two Rules Submissions. Each change has its clause and its price.

    Example: pitboss compare old.toml new.toml
    """
    from pitboss.cli.submissions import compare_command

    compare_command(old, new, as_json=as_json)


@app.command()
def packet(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Rules Submission in TOML.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT.pdf", help="The PDF to write.")],
    tables: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write every table of the packet to this folder, as CSV and JSON."),
    ] = None,
    exposures: Annotated[
        bool, typer.Option("--exposures", help="Add the vulnerability sheet; it may take minutes the first time.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a Rules Submission's packet as PDF. It has PAR sheets, the strategy, the layout and the posted sign.

    Example: pitboss packet examples/dragon-poker.toml -o dragon.pdf --tables dragon-tables
    """
    from pitboss.cli.packet import packet_command

    packet_command(file, out=out, tables=tables, exposures=exposures, as_json=as_json)


@app.command()
def play(
    game: Game = None,
    seats: Annotated[int, typer.Option(help="How many seats are in play; bots take all but yours.")] = 3,
    seat: Annotated[int, typer.Option(help="Your seat number, counting from the dealer's left.")] = 1,
    stake: Annotated[int | None, typer.Option(help="Your usual stake in cents.")] = None,
    submission: Annotated[Path | None, typer.Option(help="Play under this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="The file to record the rounds in.")] = None,
    seed: Annotated[int | None, typer.Option(help="Play a demonstration that repeats exactly.")] = None,
    as_json: Json = False,
) -> None:
    """Play for free in the terminal. In a pipe, prints a demonstration round.

    Example: pitboss play ultimate-texas-holdem --seats 4
    """
    from pitboss.cli.play import play_command

    options: dict[str, Any] = {"submission": submission, "table": table, "record": record, "seed": seed}
    raise typer.Exit(play_command(game, seats=seats, seat=seat, stake_cents=stake, as_json=as_json, **options))


@app.command()
def verify(
    log: Annotated[
        Path,
        typer.Argument(
            metavar="LOG", help="A record as JSON Lines, an SQLite database, an evidence file or a receipt."
        ),
    ],
    heads: Annotated[list[Path] | None, typer.Option(help="Exported signed heads; may be repeated.")] = None,
    key: Annotated[Path | None, typer.Option(help="The public keys the heads must be signed with.")] = None,
    excerpt: Annotated[
        bool, typer.Option("--excerpt", help="The log is only part of a record, as in an evidence file.")
    ] = False,
    checkpoints: Annotated[Path | None, typer.Option(help="Exported checkpoints.")] = None,
    witnessed: Annotated[
        Path | None, typer.Option(help="The last checkpoint that a witness cosigned; needs --checkpoints.")
    ] = None,
    witness_key: Annotated[str | None, typer.Option(help="The witness's verifier key.")] = None,
    as_json: Json = False,
) -> None:
    """Verify a record. Checks every hash link, signed head, revealed card and money transfer.

    Example: pitboss verify record.jsonl --heads heads.jsonl --key heads.pub
    """
    from pitboss.cli.verify import verify_command

    verify_command(
        log,
        heads=heads or (),
        key=key,
        is_excerpt=excerpt,
        as_json=as_json,
        checkpoints=checkpoints,
        witnessed=witnessed,
        witness_key=witness_key,
    )


@app.command()
def export(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="LOG", help="The file to write.")],
    database: Annotated[str | None, typer.Option(help="The record's database URL.")] = None,
    data: Annotated[Path | None, typer.Option(help="The data folder of `pitboss serve` or `pitboss demo`.")] = None,
    as_json: Json = False,
) -> None:
    """Export a record as JSON Lines. Use it for `pitboss verify`, an auditor or a regulator.

    Example: pitboss export --database postgresql://host/floor -o record.jsonl
    """
    from pitboss.cli.record import export_command

    export_command(database, data, output, as_json=as_json)


@app.command()
def move(
    source: Annotated[str, typer.Option("--from", metavar="URL", help="The database that holds the record.")],
    target: Annotated[str, typer.Option("--to", metavar="URL", help="An empty database.")],
    as_json: Json = False,
) -> None:
    """Copy a record into an empty database. Accounts and sessions are copied too, and every hash link is checked.

    Example: pitboss move --from sqlite:///floor/record.db --to postgresql://host/floor
    """
    from pitboss.cli.record import move_command

    move_command(source, target, as_json=as_json)


@app.command()
def replay(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's ID in the record.")],
    data: Annotated[Path | None, typer.Option(help="The data folder of `pitboss serve` or `pitboss demo`.")] = None,
    database: Annotated[str | None, typer.Option(help="The record's database URL.")] = None,
    log: Annotated[Path | None, typer.Option(help="A record exported as JSON Lines.")] = None,
    as_json: Json = False,
) -> None:
    """Replay a recorded round step by step. Checks that the rules still give the same money and clauses.

    Example: pitboss replay table-1-7c20 --data floor
    """
    from pitboss.cli.replay import replay_command

    replay_command(round_id, data=data, database=database, log=log, as_json=as_json)


@app.command()
def leaks(
    record: Annotated[
        Path, typer.Argument(metavar="RECORD", help="A floor's data folder, its database, or an exported log.")
    ],
    as_json: Json = False,
) -> None:
    """Test whether anyone's decisions or bets followed hidden cards. Watches the shuffle too.

    Example: pitboss leaks floor
    """
    from pitboss.cli.leaks import leaks_command

    leaks_command(record, as_json=as_json)


@app.command()
def serve(
    data: Annotated[Path | None, typer.Option(help="The folder for the record, keys and heads.")] = None,
    database: Annotated[str | None, typer.Option(help="A database URL; SQLite in the data folder by default.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    origin: Annotated[
        list[str] | None, typer.Option(help="Another web origin that may use this server; may be repeated.")
    ] = None,
    keys: Annotated[
        Path | None,
        typer.Option(help="The key file, shared by all processes of a floor; in the data folder by default."),
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="URL", help="The URL at which the floor's other processes reach this one.")
    ] = None,
    signer: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="A program that holds the signing key, such as a key service's."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy that may state visitors' addresses; may be repeated."),
    ] = None,
    administrator: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the first administrator, while the floor has none.")
    ] = "",
    keyboard_entry: Annotated[
        bool, typer.Option("--keyboard-entry", help="Let dealers enter cards at real-money tables without a reader.")
    ] = False,
    shared_rounds: Annotated[
        bool, typer.Option("--shared-rounds", help="Let players share links that show a finished round to anyone.")
    ] = False,
    no_reactions: Annotated[
        bool, typer.Option("--no-reactions", help="Switch off players' reactions at tables.")
    ] = False,
    metrics_token: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file with the token that a scraper of /metrics sends.")
    ] = None,
) -> None:
    """Open a floor and serve its page and API. With PostgreSQL, several processes can serve one floor.

    Example: pitboss serve --data floor --port 8000
    """
    from pitboss.cli.serve import serve_command

    options: dict[str, Any] = {"database": database, "keys": keys, "address": address, "signer": signer}
    options |= {"proxies": proxy or [], "administrator": administrator, "metrics_token": metrics_token}
    options |= {"requires_readers": not keyboard_entry}
    options |= {"shares_rounds": shared_rounds, "allows_reactions": not no_reactions}
    raise typer.Exit(serve_command(data, host, port, origin or [], **options))


@app.command()
def demo(
    data: Annotated[
        Path | None, typer.Option(help="The data folder; a folder in your user data directory by default.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete the last demo and start over.")] = False,
) -> None:
    """Open a free-play floor, with bots and sign-in links. It has a table for every game and house dealers.

    Example: pitboss demo --fresh
    """
    from pitboss.cli.serve import demo_command

    raise typer.Exit(demo_command(data, host, port, fresh=fresh))


upkeep.add_to(app)
