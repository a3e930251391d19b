"""The command line: the arguments of each command, and the module that runs it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pitboss.cli import upkeep

app = typer.Typer(
    name="pitboss",
    help="Casino table poker, by the book: deal it, price it, prove it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print data instead of a table.")]
Game = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name, as `pitboss games` prints it.")]


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
    """The catalogue: each game's rulebook, wagers, paytables and options.

    Example: pitboss games dragon-poker
    """
    from pitboss.cli.games import games_command

    games_command(game, as_json=as_json)


@app.command()
def rulings(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's name, or `house` for the rules of the house itself."),
    ] = None,
    effects: Annotated[bool, typer.Option("--effects", help="Say what each reading moves.")] = False,
    as_json: Json = False,
) -> None:
    """Where the rulebooks are unclear, how they are read, and why.

    Example: pitboss rulings colorado-holdem --effects; pitboss rulings house
    """
    from pitboss.cli.rulings import rulings_command

    rulings_command(game, effects=effects, as_json=as_json)


@app.command()
def trace(game: Game = None, as_json: Json = False) -> None:
    """Every clause: enforced, settled, recorded, shown or beyond software, with the code and tests that say so.

    Example: pitboss trace top-five-poker
    """
    from pitboss.cli.trace import trace_command

    trace_command(game, as_json=as_json)


@app.command()
def settle(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Hands as JSON or JSON Lines; - or nothing for standard input."),
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Settle by this Rules Submission.")] = None,
    table: Annotated[str | None, typer.Option(help="The submission's table, where it has several of the game.")] = None,
    as_json: Json = False,
) -> None:
    """Adjudicate finished hands: cards, wagers and actions in, money and clauses out.

    Example: pitboss settle hands.jsonl --json
    """
    from pitboss.cli.settle import settle_command

    settle_command(file, submission=submission, table=table, as_json=as_json)


@app.command()
def edge(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    wager: Annotated[str | None, typer.Option(help="Only this wager; `main` for those played together.")] = None,
    paytable: Annotated[str | None, typer.Option(help="Only this paytable.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Choose a reading.")
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Price what this Rules Submission chooses.")] = None,
    table: Annotated[str | None, typer.Option(help="The submission's table, where it has several of the game.")] = None,
    ties: Annotated[
        str, typer.Option(help="Of actions of equal worth take the one that wagers more or less.")
    ] = "more",
    stake: Annotated[int | None, typer.Option(help="Stake in cents, for prizes that do not scale.")] = None,
    meter: Annotated[list[str] | None, typer.Option(metavar="NAME=CENTS", help="What a meter shows.")] = None,
    rate: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PART", help="The part of each stake that feeds a meter.")
    ] = None,
    others: Annotated[int, typer.Option(help="Other players whose hands bring envy bonuses.")] = 0,
    recompute: Annotated[bool, typer.Option("--recompute", help="Count again, whatever the cache holds.")] = False,
    distribution: Annotated[bool, typer.Option("--distribution", help="Show every net result and how often.")] = False,
    as_json: Json = False,
) -> None:
    """The exact worth of wagers: edge, risk, hit frequency, deviation, as fractions.

    Example: pitboss edge ultimate-texas-holdem --wager trips --json
    """
    from pitboss.cli.edge import Asked, edge_command

    asked = Asked(
        wager=wager,
        paytable=paytable,
        settings=settings or (),
        submission=submission,
        table=table,
        ties=ties,
        stake=stake,
        meters=meter or (),
        rates=rate or (),
        others=others,
        recompute=recompute,
        distribution=distribution,
    )
    edge_command(game, asked, as_json=as_json)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Rules Submission in TOML.")],
    as_json: Json = False,
) -> None:
    """Check a Rules Submission: every fault at once with its clause, or the choices it makes.

    Example: pitboss check examples/dragon-poker.toml
    """
    from pitboss.cli.submissions import check_command

    check_command(file, as_json=as_json)


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The submission in force.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The submission to come.")],
    as_json: Json = False,
) -> None:
    """Show what changed between two Rules Submissions, and under which clause.

    Example: pitboss compare old.toml new.toml
    """
    from pitboss.cli.submissions import compare_command

    compare_command(old, new, as_json=as_json)


@app.command()
def packet(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Rules Submission in TOML.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT.pdf", help="The PDF to write.")],
    tables: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each table of the packet here, as CSV and JSON.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the packet of a Rules Submission: PAR sheets, strategy, layout and sign as PDF.

    Example: pitboss packet examples/dragon-poker.toml -o dragon.pdf --tables dragon-tables
    """
    from pitboss.cli.packet import packet_command

    packet_command(file, out=out, tables=tables, as_json=as_json)


@app.command()
def play(
    game: Game = None,
    seats: Annotated[int, typer.Option(help="How many seats play; bots take all but yours.")] = 3,
    seat: Annotated[int, typer.Option(help="Your seat, counted from the dealer's left.")] = 1,
    stake: Annotated[int | None, typer.Option(help="Your usual stake in cents.")] = None,
    submission: Annotated[Path | None, typer.Option(help="Play by this Rules Submission.")] = None,
    table: Annotated[str | None, typer.Option(help="The submission's table, where it has several of the game.")] = None,
    record: Annotated[Path | None, typer.Option(help="Where the rounds are recorded.")] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat a demonstration exactly.")] = None,
    as_json: Json = False,
) -> None:
    """A table in the terminal; without a terminal, a demonstration round of each game.

    Example: pitboss play ultimate-texas-holdem --seats 4
    """
    from pitboss.cli.play import play_command

    options: dict[str, Any] = {"submission": submission, "table": table, "record": record, "seed": seed}
    raise typer.Exit(play_command(game, seats=seats, seat=seat, stake_cents=stake, as_json=as_json, **options))


@app.command()
def strategy(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    cards: Annotated[str | None, typer.Option(help="The player's cards, such as 'As Kd'.")] = None,
    board: Annotated[str | None, typer.Option(help="The board's cards in the player's view.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Choose a reading.")
    ] = None,
    paytable: Annotated[list[str] | None, typer.Option(metavar="WAGER=LETTER", help="Choose a paytable.")] = None,
    submission: Annotated[Path | None, typer.Option(help="Go by what this Rules Submission chooses.")] = None,
    table: Annotated[str | None, typer.Option(help="The submission's table, where it has several of the game.")] = None,
    as_json: Json = False,
) -> None:
    """The optimal strategy as a chart; for given cards, what every choice is worth.

    Example: pitboss strategy ultimate-texas-holdem --cards "As Kd" --board "2c 7d 9h"
    """
    from pitboss.cli.strategy import strategy_command

    strategy_command(
        game,
        cards=cards,
        board=board,
        settings=settings or (),
        paytables=paytable or (),
        submission=submission,
        table=table,
        as_json=as_json,
    )


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    rounds: Annotated[int, typer.Option(help="How many rounds are played.")] = 10_000,
    seats: Annotated[int, typer.Option(help="How many seats play, each with every wager offered.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same result on any number of workers.")] = 1,
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="How every seat plays: optimal, or one of those that `list` prints.")
    ] = "optimal",
    workers: Annotated[int, typer.Option(help="How many processes share the rounds.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Share the rounds with this Dask cluster, as tcp://host:8786.")
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Play by what this Rules Submission chooses.")] = None,
    table: Annotated[str | None, typer.Option(help="The submission's table, where it has several of the game.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Choose a reading, or a wager's paytable.")
    ] = None,
    stake: Annotated[
        list[str] | None, typer.Option(metavar="WAGER=CENTS", help="What each seat stakes; else the least allowed.")
    ] = None,
    rate: Annotated[
        list[str] | None, typer.Option(metavar="METER=PART", help="The part of each stake that feeds a meter.")
    ] = None,
    meter: Annotated[
        list[str] | None, typer.Option(metavar="METER=CENTS", help="What a meter shows before the first round.")
    ] = None,
    shift: Annotated[int, typer.Option(help="How many rounds make a shift.")] = 250,
    lines: Annotated[bool, typer.Option("--lines", help="Show how often each line of a paytable was met.")] = False,
    as_json: Json = False,
) -> None:
    """Whole tables, round after round: hold beside theory, extremes, runs, shifts, meters.

    Ctrl-C prints what was reached and ends with status 130.

    Example: pitboss simulate dragon-poker --rounds 20000 --seats 3 --seed 7
    """
    from pitboss.cli.simulate import Asked, simulate_command

    asked = Asked(
        rounds=rounds,
        seats=seats,
        seed=seed,
        workers=workers,
        strategy=strategy,
        cluster=cluster,
        submission=submission,
        table=table,
        shift=shift,
        settings=settings or (),
        stakes=stake or (),
        rates=rate or (),
        meters=meter or (),
    )
    raise typer.Exit(simulate_command(game, asked, lines=lines, as_json=as_json))


@app.command()
def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PART]...", help="evaluator, exact, simulation, rounds, settle, start; all if none."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short samples, each once.")] = False,
    as_json: Json = False,
) -> None:
    """How fast this installation is, beside peers in the same run, as ratios.

    Example: pitboss bench evaluator --json
    """
    from pitboss.cli.bench import bench_command

    bench_command(parts or (), quick=quick, as_json=as_json)


@app.command()
def verify(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A record as JSON Lines, or an SQLite database.")],
    heads: Annotated[list[Path] | None, typer.Option(help="Signed heads that were exported; may be repeated.")] = None,
    key: Annotated[Path | None, typer.Option(help="The public keys the heads must be signed with.")] = None,
    excerpt: Annotated[bool, typer.Option("--excerpt", help="The log is part of a record, as in evidence.")] = False,
    as_json: Json = False,
) -> None:
    """Check a record: every link, every signed head, every opened card, every transfer of money.

    Example: pitboss verify record.jsonl --heads heads.jsonl --key heads.pub
    """
    from pitboss.cli.verify import verify_command

    verify_command(log, heads=heads or (), key=key, is_excerpt=excerpt, as_json=as_json)


@app.command()
def export(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="LOG", help="Where the log is written.")],
    database: Annotated[str | None, typer.Option(help="The record's database, by its URL.")] = None,
    data: Annotated[Path | None, typer.Option(help="The folder that `pitboss serve` or `demo` keeps.")] = None,
    as_json: Json = False,
) -> None:
    """Write a record as JSON Lines, for `pitboss verify` and for whoever asks for it.

    Example: pitboss export --database postgresql://host/floor -o record.jsonl
    """
    from pitboss.cli.record import export_command

    export_command(database, data, output, as_json=as_json)


@app.command()
def move(
    source: Annotated[str, typer.Option("--from", metavar="URL", help="The database the record is in.")],
    target: Annotated[str, typer.Option("--to", metavar="URL", help="An empty database.")],
    as_json: Json = False,
) -> None:
    """Copy a record with its accounts and sessions into an empty database, every link checked.

    Example: pitboss move --from sqlite:///floor/record.db --to postgresql://host/floor
    """
    from pitboss.cli.record import move_command

    move_command(source, target, as_json=as_json)


@app.command()
def replay(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's name in the record.")],
    data: Annotated[Path | None, typer.Option(help="The folder that `pitboss serve` or `demo` keeps.")] = None,
    database: Annotated[str | None, typer.Option(help="The record's database, by its URL.")] = None,
    log: Annotated[Path | None, typer.Option(help="The record as JSON Lines.")] = None,
    as_json: Json = False,
) -> None:
    """A recorded round step by step, and whether the rules decide it again to the same money and clauses.

    Example: pitboss replay table-1-7c20 --data floor
    """
    from pitboss.cli.replay import replay_command

    replay_command(round_id, data=data, database=database, log=log, as_json=as_json)


@app.command()
def serve(
    data: Annotated[Path | None, typer.Option(help="The folder for the record, keys and heads.")] = None,
    database: Annotated[str | None, typer.Option(help="A database URL; SQLite in the data folder if none.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    origin: Annotated[list[str] | None, typer.Option(help="Another origin whose pages may talk to it.")] = None,
    keys: Annotated[
        Path | None, typer.Option(help="The key file, one for all processes of a floor; in the data folder if none.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="URL", help="Where other processes of the floor reach this one.")
    ] = None,
) -> None:
    """Open the floor: tables that run, over HTTP and WebSocket; in several processes on PostgreSQL.

    Example: pitboss serve --data floor --port 8000
    """
    from pitboss.cli.serve import serve_command

    options: dict[str, Any] = {"database": database, "keys": keys, "address": address}
    raise typer.Exit(serve_command(data, host, port, origin or [], **options))


@app.command()
def demo(
    data: Annotated[Path | None, typer.Option(help="The folder to keep it in; a folder of the user's if none.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the last demonstration first.")] = False,
) -> None:
    """Open a floor for free play: a table of every game, house dealers, bots and sign-in links.

    Example: pitboss demo --fresh
    """
    from pitboss.cli.serve import demo_command

    raise typer.Exit(demo_command(data, host, port, fresh=fresh))


upkeep.add_to(app)
