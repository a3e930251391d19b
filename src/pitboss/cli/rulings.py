"""`pitboss rulings`: where the rulebooks are unclear, how they are read and what each reading changes."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from pitboss.cli.games import known_game
from pitboss.cli.output import console, show_json, show_table
from pitboss.games import catalogue, game_names
from pitboss.rules.ruling import Ruling, general_rulings

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.lab.effects import Effect

Found = Sequence[tuple[str | None, Ruling]]  # None: it applies to every game
HOUSE = "house"


def rulings_command(name: str | None, *, effects: bool, as_json: bool) -> None:
    """Print the rulings of one game or of all games, with the general ones; or the house's own rules."""
    if name == HOUSE:
        _show_house_rules(as_json=as_json)
        return
    names = (known_game(name).name,) if name else game_names()
    found: list[tuple[str | None, Ruling]] = [(game, ruling) for game in names for ruling in catalogue.rulings(game)]
    found += [(None, ruling) for ruling in general_rulings()]
    priced = _priced(found) if effects else {}
    if as_json:
        show_json(
            [
                {"game": game, **asdict(ruling)}
                | ({"effects": [effect.as_dict() for effect in priced.get(ruling.id, ())]} if effects else {})
                for game, ruling in found
            ]
        )
        return
    out = console()
    heading = ""
    for game, ruling in found:
        title = known_game(game).title if game else "All games"
        if title != heading:
            heading = title
            out.print(f"\n{title}", style="bold")
        option = f"  option {ruling.option}" if ruling.option else ""
        out.print(f"\n{ruling.id}  {ruling.clause}{option}", style="bold")
        out.print(f"  Unclear:  {ruling.problem}", markup=False)
        out.print(f"  Read as:  {ruling.reading}", markup=False)
        out.print(f"  Because:  {ruling.reason}", markup=False)
        if effects:
            out.print(f"  Effect:   {ruling.effect}", markup=False)
        if ruling.id in priced:
            _show(priced[ruling.id], out)
    if name is None:
        _show_house_rules(as_json=False)


def _show_house_rules(*, as_json: bool) -> None:
    from pitboss.house.people.house_rules import HOUSE_RULES

    if as_json:
        show_json([{"id": rule, "says": says} for rule, says in HOUSE_RULES.items()])
        return
    out = console()
    out.print("\nHouse rules, for what no rulebook covers", style="bold")
    for rule, says in HOUSE_RULES.items():
        out.print(f"\n{rule}", style="bold")
        out.print(f"  {says}", markup=False)


def _priced(found: Found) -> dict[str, tuple["Effect", ...]]:
    from pitboss.cli.waiting import waiting
    from pitboss.lab.effects import effects
    from pitboss.lab.exact_counts import NotAnalysed

    priced = {}
    with waiting("Loading kernels (compiled on first use)") as announce:
        for name, ruling in found:
            option = ruling.option
            if name is None or option is None or option not in (game := known_game(name)).options_by_name:
                continue
            try:
                priced[ruling.id] = effects(game, option, announce)
            except NotAnalysed:
                continue
    return priced


def _show(found: Sequence["Effect"], out: "Console") -> None:
    if not found:
        out.print("  Price:    no wager's value changes.")
        return
    for under in {str(effect.under): effect.under for effect in found}.values():
        together = [effect for effect in found if effect.under == under]
        setting = " and".join(f" with {name} {value}" for name, value in under.items())
        rows = [
            (
                effect.wager,
                effect.paytable or "",
                *(f"{float(worth.house_edge):.4%}  {worth.ev}" for worth in effect.readings.values()),
            )
            for effect in together
        ]
        out.print(
            f"  Price:    house edge and expected value of each reading{setting}; a negative edge is the player's."
        )
        show_table("", ("wager", "paytable", *together[0].readings), rows, out)
        notes = (note for effect in together for worth in effect.readings.values() for note in worth.notes)
        for note in dict.fromkeys(notes):
            out.print(f"  {note}", markup=False)
