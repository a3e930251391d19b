"""Reads a Rules Submission from TOML; faults in its shape are collected, never raised."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pitboss.submission import toml_keys
from pitboss.submission.document import Facility, Submission, SubmittedTable, SubmittedWager
from pitboss.submission.fault import Fault
from pitboss.submission.toml_keys import Keys


class UnreadableSubmission(Exception):
    """The file is missing or is not TOML."""


def read_submission(source: Path | str) -> Submission:
    """Return the submission in a file (a Path) or in TOML text (a str)."""
    name = str(source) if isinstance(source, Path) else "The text"
    written = _text_of(source) if isinstance(source, Path) else source
    try:
        content = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableSubmission(f"{name} is not valid TOML: {error}.") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableSubmission(
            f"{name} cannot be read as TOML: a value is too long or nested too deeply."
        ) from error
    return submission_from(content)


def submission_from(content: Mapping[str, object]) -> Submission:
    """Return the submission that parsed TOML states."""
    faults: list[Fault] = []
    top = Keys(content, "", None, faults)
    facility = _facility(top)
    tables = tuple(_table(table, index, faults) for index, table in enumerate(_tables(top)))
    top.finish()
    return Submission(facility, tables, tuple(faults))


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableSubmission(f"{path} is not UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise UnreadableSubmission(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a name no file can have
        raise UnreadableSubmission(f"{str(path)!r} is not a valid file name.") from error


def _facility(top: Keys) -> Facility:
    if top.take("facility", toml_keys.table, missing="add [facility] with name and jurisdiction") is None:
        return Facility()
    inside = top.inside("facility")
    facility = Facility(
        name=inside.take("name", toml_keys.text, missing="add it, because it is printed on the layout"),
        jurisdiction=inside.take(
            "jurisdiction", toml_keys.text, missing="name the state whose rulebooks the tables follow"
        ),
    )
    inside.finish()
    return facility


def _tables(top: Keys) -> tuple[object, ...]:
    found = top.take("table", _list_of_tables, missing="add a [[table]] for each table")
    if found == ():
        top.fault("table", "A submission needs at least one [[table]]")
    return found or ()


def _list_of_tables(value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise toml_keys.WrongKind("must be written as [[table]], in double brackets")
    return tuple(value)


def _table(content: object, index: int, faults: list[Fault]) -> SubmittedTable:
    where = f"table[{index}]"
    if not isinstance(content, dict):
        faults.append(Fault(None, where, "Write each table as keys under [[table]]", path=("table",)))
        return SubmittedTable()
    name = content.get("name")
    named = name.strip() if isinstance(name, str) and name.strip() else None
    inside = Keys(content, where, named, faults, ("table",))
    table = SubmittedTable(
        name=inside.take("name", toml_keys.text, missing="give the table a name"),
        game=inside.take("game", toml_keys.text, missing="name the game dealt at this table"),
        positions=inside.take("positions", toml_keys.number),
        dealing=inside.take("dealing", toml_keys.text, missing="state how the cards are dealt"),
        shuffler=inside.take("shuffler", toml_keys.text),
        decks=inside.take("decks", toml_keys.number),
        minimum=inside.take("minimum", toml_keys.cents, missing="state the minimum for the required wagers, in cents"),
        maximum=inside.take("maximum", toml_keys.cents, missing="state the maximum for the required wagers, in cents"),
        step=inside.take("step", toml_keys.cents),
        chip=inside.take("chip", toml_keys.cents),
        deck_hours=inside.take("deck-hours", toml_keys.number),
        cards=inside.take("cards", toml_keys.text),
        electronic=inside.take("electronic", toml_keys.flag) or False,
        free_play=inside.take("free-play", toml_keys.flag) or False,
        analysis=inside.take("analysis", toml_keys.flag) or False,
        instruments=inside.take("instruments", toml_keys.texts) or (),
        coupon_wagers=inside.take("coupon-wagers", toml_keys.texts),
        coupon_maximum=inside.take("coupon-maximum", toml_keys.cents),
        wagers=_wagers(inside.inside("wagers")),
        options=_options(inside.inside("options")),
    )
    inside.finish()
    return table


def _wagers(inside: Keys) -> Mapping[str, SubmittedWager]:
    found = {}
    for name in inside.content:
        wager = _wager(inside, name)
        if wager is not None:
            found[name] = wager
    return found


def _wager(wagers: Keys, name: str) -> SubmittedWager | None:
    value = wagers.content[name]
    if value is True:
        return SubmittedWager(name)
    if value is False:
        wagers.fault(name, f"Listing {name} offers it; to not offer it, remove this line")
        return None
    if isinstance(value, str):
        letter = wagers.take(name, toml_keys.text)
        return SubmittedWager(name, frozenset({"paytable"}), letter)
    if not isinstance(value, dict):
        wagers.fault(name, f'{name} must be a paytable letter such as "A", a table of keys, or true')
        return SubmittedWager(name)
    inside = wagers.inside(name)
    wager = SubmittedWager(
        name=name,
        stated=frozenset(inside.content),
        paytable=inside.take("paytable", toml_keys.text),
        minimum=inside.take("minimum", toml_keys.cents),
        maximum=inside.take("maximum", toml_keys.cents),
        step=inside.take("step", toml_keys.cents),
        stake=inside.take("stake", toml_keys.cents),
        rate=inside.take("rate", toml_keys.texts_by_meter) or {},
        initial=inside.take("initial", toml_keys.cents_by_meter) or {},
        reset=inside.take("reset", toml_keys.cents_by_meter) or {},
        envy=inside.take("envy", toml_keys.text),
        hand=inside.take("hand", toml_keys.text),
        odds=inside.take("odds", toml_keys.texts_by_name) or {},
    )
    inside.finish()
    return wager


def _options(inside: Keys) -> Mapping[str, str | int]:
    found = {name: inside.take(name, toml_keys.choice) for name in inside.content}
    return {name: value for name, value in found.items() if value is not None}
