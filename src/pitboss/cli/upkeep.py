"""The arguments of the commands that maintain a floor's record and keys."""

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.shared_arguments import Json

Data = Annotated[Path | None, typer.Option(help="The data folder of `pitboss serve`.")]
Keys = Annotated[Path | None, typer.Option(help="The key file; in the data folder by default.")]

keys = typer.Typer(
    name="keys",
    help="Manage a floor's keys. Close the floor to rotate the master key.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

people = typer.Typer(
    name="people",
    help="Manage a floor's accounts, even while it is open. Run it on the machine that has the floor's keys.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
reader = typer.Typer(
    name="reader",
    help="Stand in for a table's card reader, in demonstrations and tests.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
sensor = typer.Typer(
    name="sensor",
    help="Stand in for a table's bet sensor, in demonstrations and tests.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Database = Annotated[str | None, typer.Option(help="The record's database URL; SQLite in the data folder by default.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to a command line."""
    app.command()(backup)
    app.command()(restore)
    app.add_typer(keys)
    app.add_typer(people)
    app.command()(witness)
    app.add_typer(reader)
    app.add_typer(sensor)


def backup(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The backup file to write.")],
    data: Data = None,
    keys: Annotated[
        Path | None, typer.Option(help="Also back up the keys, to this file in a different folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Back up a floor's record, even while it is open. The backup is checked against the exported heads.

    Example: pitboss backup --data floor -o copies/record.db --keys safe/master.keys
    """
    from pitboss.cli.copies import backup_command

    backup_command(data, output, keys, as_json=as_json)


def restore(
    copy: Annotated[Path, typer.Argument(metavar="COPY", help="A backup that `pitboss backup` wrote.")],
    data: Data = None,
    keys: Annotated[
        Path | None, typer.Option(help="The backup of the keys; the keys in the data folder by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Restore a closed floor's record from a backup. The replaced record is kept under another name.

    Example: pitboss restore copies/record.db --data floor --keys safe/master.keys
    """
    from pitboss.cli.copies import restore_command

    restore_command(copy, data, keys, as_json=as_json)


@keys.command()
def rotate(
    data: Data = None,
    keys: Keys = None,
    database: Annotated[
        str | None, typer.Option(help="The record's database URL; SQLite in the data folder by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Start using a new master key. Older keys still decrypt what they encrypted.

    Example: pitboss keys rotate --data floor
    """
    from pitboss.cli.keys import rotate_command

    rotate_command(data, keys, database, as_json=as_json)


@keys.command(name="rotate-signing")
def rotate_signing(
    data: Data = None,
    keys: Keys = None,
    as_json: Json = False,
) -> None:
    """Start signing with a new key, even while the floor is open. The old key signs the handover.

    Example: pitboss keys rotate-signing --data floor
    """
    from pitboss.cli.keys import rotate_signing_command

    rotate_signing_command(data, keys, as_json=as_json)


@keys.command()
def verifier(data: Data = None, keys: Keys = None, as_json: Json = False) -> None:
    """Print the record's verifier key. Give it to a witness, with `pitboss witness --trust`.

    Example: pitboss keys verifier --data floor
    """
    from pitboss.cli.keys import verifier_command

    verifier_command(data, keys, as_json=as_json)


def witness(
    data: Annotated[Path, typer.Option(help="The witness's own folder, on its own machine.")],
    name: Annotated[str, typer.Option(help="The name it signs with; chosen once.")] = "witness",
    trust: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="A record's verifier key; may be repeated.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8080,
) -> None:
    """Run a witness. It cosigns a floor's checkpoints, as long as each one continues the last.

    Example: pitboss witness --data witness --name commission --trust "$(cat floor.verifier)"
    """
    from pitboss_verify.witness import run

    raise typer.Exit(run(data, name, trust or (), host, port))


@keys.command()
def public(data: Data = None, keys: Keys = None, as_json: Json = False) -> None:
    """Print the public keys for signed heads. Use them with `pitboss verify --key`.

    Example: pitboss keys public --data floor > heads.pub
    """
    from pitboss.cli.keys import public_command

    public_command(data, keys, as_json=as_json)


@people.command()
def unlock(name: Name, data: Data = None, keys: Keys = None, database: Database = None, as_json: Json = False) -> None:
    """Unlock an account. It can be locked by wrong passwords or by an administrator; unlocking is recorded.

    Example: pitboss people unlock ada --data floor
    """
    from pitboss.cli.people import unlock_command

    unlock_command(name, data, keys, database, as_json=as_json)


@people.command()
def reset(
    name: Name,
    data: Data = None,
    keys: Keys = None,
    database: Database = None,
    address: Annotated[str, typer.Option(help="The URL of the floor's page.")] = "http://127.0.0.1:8000",
    as_json: Json = False,
) -> None:
    """Reset an account and print a one-time sign-in link. Its password, second factors and locks are removed; this is
    recorded and raises an alert.

    Example: pitboss people reset ada --data floor
    """
    from pitboss.cli.people import reset_command

    reset_command(name, data, keys, database, address, as_json=as_json)


@people.command()
def link(
    name: Name,
    data: Data = None,
    keys: Keys = None,
    database: Database = None,
    address: Annotated[str, typer.Option(help="The URL of the floor's page.")] = "http://127.0.0.1:8000",
    as_json: Json = False,
) -> None:
    """Print a one-time sign-in link. Use it if a password is lost; the link is recorded.

    Example: pitboss people link ada --data floor
    """
    from pitboss.cli.people import link_command

    link_command(name, data, keys, database, address, as_json=as_json)


@reader.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the reader's secret key.")],
    as_json: Json = False,
) -> None:
    """Make a reader's key. Two people enroll the public part that it prints.

    Example: pitboss reader new table-1.key
    """
    from pitboss.cli.simulated_device import new_command

    new_command(file, "reader", as_json=as_json)


@reader.command()
def send(
    cards: Annotated[list[str], typer.Argument(metavar="CARD...", help="The cards, in the order they are drawn.")],
    key: Annotated[Path, typer.Option(help="The file with the reader's secret key.")],
    name: Annotated[str, typer.Option(help="The name the reader is enrolled under.")],
    table: Annotated[str, typer.Option(help="The table.")],
    address: Annotated[str, typer.Option(help="The URL of the floor.")] = "http://127.0.0.1:8000",
    after: Annotated[int, typer.Option(help="The number of the reader's last message.")] = 0,
    as_json: Json = False,
) -> None:
    """Send cards, as the table's card reader would.

    Example: pitboss reader send As Kd --key table-1.key --name r1 --table t1
    """
    from pitboss.cli.reader import send_command

    send_command(key, name, table, cards, address, after, as_json=as_json)


@sensor.command("new")
def new_sensor(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the sensor's secret key.")],
    as_json: Json = False,
) -> None:
    """Make a sensor's key. Two people enroll the public part that it prints.

    Example: pitboss sensor new table-1-bets.key
    """
    from pitboss.cli.simulated_device import new_command

    new_command(file, "sensor", as_json=as_json)


@sensor.command("send")
def send_bets(
    seen: Annotated[list[str], typer.Argument(metavar="SEAT:CHIPS...", help="Seats and the dollars on each wager.")],
    key: Annotated[Path, typer.Option(help="The file with the sensor's secret key.")],
    name: Annotated[str, typer.Option(help="The name the sensor is enrolled under.")],
    table: Annotated[str, typer.Option(help="The table.")],
    address: Annotated[str, typer.Option(help="The URL of the floor.")] = "http://127.0.0.1:8000",
    after: Annotated[int, typer.Option(help="The number of the sensor's last message.")] = 0,
    as_json: Json = False,
) -> None:
    """Send the chips at each seat, as the table's bet sensor would.

    Example: pitboss sensor send 1:ante=10 2: --key bets.key --name bets-1 --table t1
    """
    from pitboss.cli.sensor import send_command

    send_command(key, name, table, seen, address, after, as_json=as_json)
