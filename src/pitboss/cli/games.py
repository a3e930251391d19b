"""`pitboss games`: the list of games and the details of one."""

import re
import sys
from typing import Any

from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.games import UnknownGame, game, game_names
from pitboss.games.catalogue import unsound
from pitboss.rules.game import GameDefinition
from pitboss.rules.paytable import Paytable
from pitboss.rules.wager import Wager


def games_command(name: str | None, *, as_json: bool) -> None:
    """Print every game, or one with all its paytables."""
    if not name:
        tell_unsound()
    if as_json:
        show_json([_data(known_game(each)) for each in ((name,) if name else game_names())])
    elif name:
        _one(known_game(name))
    else:
        _all()


def tell_unsound() -> None:
    """Report on standard error which games can't be used, and why."""
    for name, wrong in unsound().items():
        print(f"{name} is left out because its definition has errors:\n{wrong}", file=sys.stderr)


def known_game(name: str) -> GameDefinition:
    """Return a game, or fail with a sentence that lists the available games."""
    try:
        return game(name)
    except UnknownGame as unknown:
        raise Failure(str(unknown.args[0]), 2) from None


def _all() -> None:
    out = console()
    rows = []
    for name in game_names():
        definition = game(name)
        wagers = ", ".join(_lettered(wager) for wager in definition.wagers)
        options = ", ".join(
            [option.name for option in definition.options] + [option.name for option in definition.money_options]
        )
        rows.append((name, definition.rulebook.jurisdiction, wagers, options))
    show_table("", ("game", "rulebook", "wagers (paytables)", "options"), rows, out)
    out.print("`pitboss games GAME` prints a game's paytables; `pitboss rulings GAME` explains its unclear clauses.")


def _one(definition: GameDefinition) -> None:
    out = console()
    version = f", version {definition.rulebook.version}" if definition.rulebook.version else ""
    out.print(f"{definition.title} ({definition.name})", style="bold")
    out.print(f"{definition.rulebook.authority}: {definition.rulebook.title}{version}")
    out.print(
        f"{len(definition.deck)} cards, {definition.cards_each} to each seat, at most {definition.positions.most} seats"
    )
    for wager in definition.wagers:
        out.print()
        out.print(f"{wager.title} ({wager.name}), {_nature(wager)} ({wager.cite})", style="bold")
        for group in _by_hands(wager):
            columns = ["item", "hand", *(_heading(table) for table in group)]
            rows = []
            for index, line in enumerate(group[0].lines):
                rows.append([_item(line.cite), line.title, *(str(table.lines[index].payoff) for table in group)])
            show_table("", columns, rows, out)
    rows = []
    for option in definition.options:
        values = "; ".join(
            f"{value}: {option.meaning[value]}" if value in option.meaning else value for value in option.values
        )
        rows.append([option.name, values, option.cite, option.ruling or ""])
    for money in definition.money_options:
        least = f"an amount in cents, at least {money.minimum_cents}; no limit by default"
        rows.append([money.name, least, next(iter(money.cites.values())), money.ruling or ""])
    if not rows:
        return
    out.print()
    show_table("Options (the first value is the default)", ("option", "values", "clause", "ruling"), rows, out)


def _item(cite: str) -> str:
    # The last item of a clause such as "Ch. 12 §G(1)(g) bis"; lines printed without one are cited by name.
    found = re.search(r"\([a-z]+\)(?: bis)?(?= [A-Z]|$)", cite)
    return found[0] if found else ""


def _by_hands(wager: Wager) -> list[list[Paytable]]:
    groups: dict[tuple[str, ...], list[Paytable]] = {}
    for table in wager.paytables:
        groups.setdefault(tuple(line.hand for line in table.lines), []).append(table)
    return list(groups.values())


def _heading(table: Paytable) -> str:
    return " ".join(part for part in (table.letter, table.when, table.cite) if part)


def _lettered(wager: Wager) -> str:
    letters = wager.letters
    if not letters:
        return wager.name
    return f"{wager.name} ({letters[0]}-{letters[-1]})" if len(letters) > 1 else f"{wager.name} ({letters[0]})"


def _nature(wager: Wager) -> str:
    if wager.pays_on:
        return f"pays on the {wager.pays_on}, has no stake of its own"
    if wager.by_action:
        return "placed by the player's action"
    if wager.required:
        return f"required, equal to {wager.equals}" if wager.equals else "required"
    needs = f", needs {' and '.join(wager.needs)}" if wager.needs else ""
    terms = ", defined in the submission" if wager.defined_by_submission else ""
    return f"optional{needs}{terms}"


def _data(definition: GameDefinition) -> dict[str, Any]:
    return {
        "game": definition.name,
        "title": definition.title,
        "rulebook": {
            "title": definition.rulebook.title,
            "authority": definition.rulebook.authority,
            "jurisdiction": definition.rulebook.jurisdiction,
            "version": definition.rulebook.version,
        },
        "deck": len(definition.deck),
        "positions": definition.positions.most,
        "wagers": [
            {
                "wager": wager.name,
                "title": wager.title,
                "required": wager.required,
                "clause": wager.cite,
                "needs": list(wager.needs),
                "equals": wager.equals,
                "paytables": [
                    {
                        "paytable": table.letter,
                        "when": table.when,
                        "lines": [
                            {"hand": line.hand, "odds": str(line.payoff), "clause": line.cite} for line in table.lines
                        ],
                    }
                    for table in wager.paytables
                ],
            }
            for wager in definition.wagers
        ],
        "options": [
            {"option": option.name, "values": list(option.values), "clause": option.cite, "ruling": option.ruling}
            for option in definition.options
        ]
        + [
            {
                "option": money.name,
                "values": None,
                "minimum_cents": money.minimum_cents,
                "clause": next(iter(money.cites.values())),
                "ruling": money.ruling,
            }
            for money in definition.money_options
        ],
    }
