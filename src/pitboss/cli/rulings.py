"""`pitboss rulings`: where the rulebooks are unclear and how they are read."""

from dataclasses import asdict

from pitboss.cli.games import known_game
from pitboss.cli.output import console, show_json
from pitboss.games import catalogue, game_names
from pitboss.rules.ruling import Ruling, general_rulings


def rulings_command(name: str | None, *, effects: bool, as_json: bool) -> None:
    """Print the rulings of one game or of all, with those that hold everywhere."""
    names = (known_game(name).name,) if name else game_names()
    found: list[tuple[str | None, Ruling]] = [(one, ruling) for one in names for ruling in catalogue.rulings(one)]
    found += [(None, ruling) for ruling in general_rulings()]
    if as_json:
        show_json([{"game": one, **asdict(ruling)} for one, ruling in found])
        return
    out = console()
    heading = ""
    for one, ruling in found:
        title = known_game(one).title if one else "All games"
        if title != heading:
            heading = title
            out.print(f"\n{title}", style="bold")
        option = f"  option {ruling.option}" if ruling.option else ""
        out.print(f"\n{ruling.id}  {ruling.clause}{option}", style="bold")
        out.print(f"  Unclear:  {ruling.problem}", markup=False)
        out.print(f"  Read as:  {ruling.reading}", markup=False)
        out.print(f"  Because:  {ruling.reason}", markup=False)
        if effects:
            out.print(f"  Moves:    {ruling.effect}", markup=False)
