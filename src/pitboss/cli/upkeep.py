"""The arguments of the commands that maintain a floor's record and keys."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print data instead of sentences.")]
Data = Annotated[Path | None, typer.Option(help="The folder that `pitboss serve` keeps.")]
Keys = Annotated[Path | None, typer.Option(help="The key file; in the data folder if none.")]

keys = typer.Typer(
    name="keys", help="The master keys of a floor that is closed.", no_args_is_help=True, rich_markup_mode=None
)

people = typer.Typer(
    name="people",
    help="Accounts of a floor, open or closed, from the machine that holds its keys.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Database = Annotated[str | None, typer.Option(help="The record's database, by its URL; in the folder if none.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to a command line."""
    app.command()(backup)
    app.command()(restore)
    app.add_typer(keys)
    app.add_typer(people)


def backup(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the copy is written.")],
    data: Data = None,
    keys: Annotated[Path | None, typer.Option(help="Copy the keys here, into another folder than the record.")] = None,
    as_json: Json = False,
) -> None:
    """Copy the record of a floor, open or closed, and check the copy against the exported heads.

    Example: pitboss backup --data floor -o copies/record.db --keys safe/master.keys
    """
    from pitboss.cli.copies import backup_command

    backup_command(data, output, keys, as_json=as_json)


def restore(
    copy: Annotated[Path, typer.Argument(metavar="COPY", help="A copy that `pitboss backup` wrote.")],
    data: Data = None,
    keys: Annotated[Path | None, typer.Option(help="The copy of the keys; those in the data folder if none.")] = None,
    as_json: Json = False,
) -> None:
    """Put a copy in the place of a closed floor's record, which is kept under another name.

    Example: pitboss restore copies/record.db --data floor --keys safe/master.keys
    """
    from pitboss.cli.copies import restore_command

    restore_command(copy, data, keys, as_json=as_json)


@keys.command()
def rotate(
    data: Data = None,
    keys: Keys = None,
    database: Annotated[
        str | None, typer.Option(help="The record's database, by its URL; in the folder if none.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Put a fresh key in use; the older ones still open what they sealed.

    Example: pitboss keys rotate --data floor
    """
    from pitboss.cli.keys import rotate_command

    rotate_command(data, keys, database, as_json=as_json)


@keys.command()
def public(data: Data = None, keys: Keys = None, as_json: Json = False) -> None:
    """Print the public keys that heads are signed with, for `pitboss verify --key`.

    Example: pitboss keys public --data floor > heads.pub
    """
    from pitboss.cli.keys import public_command

    public_command(data, keys, as_json=as_json)


@people.command()
def unlock(name: Name, data: Data = None, keys: Keys = None, database: Database = None, as_json: Json = False) -> None:
    """Let somebody sign in again after too many wrong passwords or a lock; it is recorded.

    Example: pitboss people unlock administrator --data floor
    """
    from pitboss.cli.people import unlock_command

    unlock_command(name, data, keys, database, as_json=as_json)


@people.command()
def link(
    name: Name,
    data: Data = None,
    keys: Keys = None,
    database: Database = None,
    address: Annotated[str, typer.Option(help="Where the floor's page is reached.")] = "http://127.0.0.1:8000",
    as_json: Json = False,
) -> None:
    """Print a link that signs somebody in once, also where the password is lost; it is recorded.

    Example: pitboss people link administrator --data floor
    """
    from pitboss.cli.people import link_command

    link_command(name, data, keys, database, address, as_json=as_json)
