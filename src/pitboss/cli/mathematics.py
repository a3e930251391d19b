"""The lab's commands and their arguments: values, strategy, simulation, exposed cards, luck and skill, benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.shared_arguments import Json


def edge(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    wager: Annotated[
        str | None, typer.Option(help="Only this wager; `main` is the Ante and the wagers played with it.")
    ] = None,
    paytable: Annotated[str | None, typer.Option(help="Only this paytable.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game.")
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Price the choices in this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    ties: Annotated[
        str, typer.Option(help="If two actions are worth the same, take the one that wagers `more` or `less`.")
    ] = "more",
    stake: Annotated[int | None, typer.Option(help="Stake in cents; matters for prizes in dollars.")] = None,
    meter: Annotated[list[str] | None, typer.Option(metavar="NAME=CENTS", help="The amount a meter shows.")] = None,
    rate: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PART", help="The share of each stake that feeds a meter, such as 0.20."),
    ] = None,
    others: Annotated[int, typer.Option(help="How many other players' hands can earn you envy bonuses.")] = 0,
    seen: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD:K",
            help="Price the main game for a player who sees K cards early, of the dealer, board, flop or"
            " turn-river, or the cards of K neighbours. May be repeated.",
        ),
    ] = None,
    recompute: Annotated[bool, typer.Option("--recompute", help="Recompute instead of using the cache.")] = False,
    distribution: Annotated[
        bool, typer.Option("--distribution", help="Show every net result and its probability.")
    ] = False,
    par: Annotated[
        bool,
        typer.Option(
            "--par", help="Show risk figures: session percentiles, bankrolls, waits for a hit, regulatory limits."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Price wagers exactly: house edge, risk, expected value. Nothing is sampled.

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
        seen=seen or (),
        recompute=recompute,
        distribution=distribution,
        par=par,
    )
    edge_command(game, asked, as_json=as_json)


def exposure(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set an option of the game, or the paytable of a wager."),
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Price the choices in this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    hands: Annotated[int, typer.Option(help="Hands that a seat is dealt in an hour.")] = 40,
    recompute: Annotated[bool, typer.Option("--recompute", help="Recompute instead of using the cache.")] = False,
    as_json: Json = False,
) -> None:
    """Print the vulnerability sheet: what every card that can be seen too early is worth to a player.

    Example: pitboss exposure dragon-poker
    """
    from pitboss.cli.exposure import exposure_command

    exposure_command(game, settings or (), submission, table, hands, recompute=recompute, as_json=as_json)


def rng(
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Shuffle this game's deck, not 52 cards.")] = None,
    decks: Annotated[int, typer.Option(help="How many decks the program shuffles.")] = 10_000,
    observed: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Test these decks instead: one deck per line, the top card first."),
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT.pdf", help="Also write a PDF report.")] = None,
    as_json: Json = False,
) -> None:
    """Test a shuffle: the program's own, or decks observed from a shuffler, against a uniform one.

    Example: pitboss rng --decks 10000 -o shuffle.pdf
    """
    from pitboss.cli.rng import rng_command

    rng_command(game, decks=decks, observed=observed, out=out, as_json=as_json)


def strategy(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    cards: Annotated[str | None, typer.Option(help="The player's cards, such as 'As Kd'.")] = None,
    board: Annotated[str | None, typer.Option(help="The board cards that are face up.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Set an option of the game.")
    ] = None,
    paytable: Annotated[list[str] | None, typer.Option(metavar="WAGER=LETTER", help="Choose a paytable.")] = None,
    submission: Annotated[Path | None, typer.Option(help="Use the choices in this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a strategy chart. With --cards, prints what each action is worth.

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


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` prints it.")],
    rounds: Annotated[int, typer.Option(help="How many rounds to play.")] = 10_000,
    seats: Annotated[int, typer.Option(help="How many seats are in play, each with every wager offered.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same result on any number of workers.")] = 1,
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="How every seat plays; `list` prints the strategies.")
    ] = "optimal",
    workers: Annotated[int, typer.Option(help="How many processes to use.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on this Dask cluster, such as tcp://host:8786.")
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="Play under this Rules Submission.")] = None,
    table: Annotated[
        str | None, typer.Option(help="Which of the submission's tables, if it has several for this game.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set an option of the game, or choose a wager's paytable."),
    ] = None,
    stake: Annotated[
        list[str] | None,
        typer.Option(metavar="WAGER=CENTS", help="What each seat stakes; the table minimum by default."),
    ] = None,
    rate: Annotated[
        list[str] | None,
        typer.Option(metavar="METER=PART", help="The share of each stake that feeds a meter, such as 0.20."),
    ] = None,
    meter: Annotated[
        list[str] | None, typer.Option(metavar="METER=CENTS", help="The amount a meter starts at.")
    ] = None,
    shift: Annotated[int, typer.Option(help="How many rounds a shift has.")] = 250,
    lines: Annotated[bool, typer.Option("--lines", help="Show how often each paytable line was hit.")] = False,
    as_json: Json = False,
) -> None:
    """Simulate whole tables and compare the results with theory. Also shows extremes, streaks, shifts and meters.

    Ctrl-C stops it, prints the results so far and exits with status 130.

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


def explain(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RECORD|ROUND",
            help="A floor's data folder, an exported record, a file of finished hands, or a round's ID.",
        ),
    ],
    by: Annotated[str | None, typer.Option(help="Totals by player, table, dealer or game.")] = None,
    data: Annotated[Path | None, typer.Option(help="The data folder that holds the round.")] = None,
    database: Annotated[str | None, typer.Option(help="The database URL of the record that holds the round.")] = None,
    log: Annotated[Path | None, typer.Option(help="An exported record that holds the round.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")] = False,
    as_json: Json = False,
) -> None:
    """Split results into house edge, decisions and luck. The parts add up to the money exactly.

    Example: pitboss explain record.jsonl --by player
    """
    from pitboss.cli.explained import explain_command

    explain_command(what, by=by, data=data, database=database, log=log, as_json=as_json, as_csv=as_csv)


def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PART]...", help="evaluator, exact, simulation, rounds, settle or start; all of them by default."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Take short samples, once each.")] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast this installation is. Other libraries are measured in the same run for comparison.

    Example: pitboss bench evaluator --json
    """
    from pitboss.cli.bench import bench_command

    bench_command(parts or (), quick=quick, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    """Add the lab's commands to the program."""
    for command in (edge, exposure, rng, strategy, simulate, explain, bench):
        app.command()(command)
