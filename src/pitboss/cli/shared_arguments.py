"""Arguments that many commands take."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Game = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name, as `pitboss games` prints it.")]
