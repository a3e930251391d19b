"""What the commands that look after a floor's record and keys take."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print data instead of sentences.")]
Data = Annotated[Path | None, typer.Option(help="The folder that `pitboss serve` keeps.")]
Keys = Annotated[Path | None, typer.Option(help="The key file; in the data folder if none.")]

keys = typer.Typer(
    name="keys", help="The master keys of a floor that is closed.", no_args_is_help=True, rich_markup_mode=None
)


def add_to(app: typer.Typer) -> None:
    """Let a command line have these commands."""
    app.command()(backup)
    app.command()(restore)
    app.add_typer(keys)


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
