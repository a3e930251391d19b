"""`pitboss explain`: results split into house edge, the cost of decisions and luck, for a round or a whole record."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.cli.waiting import waiting
from pitboss.sheets.spreadsheet_cell import safe_text

if TYPE_CHECKING:
    from pitboss.house.finished_rounds import FinishedRound
    from pitboss.lab.split import Parts, SettledSeat, Splitter
    from pitboss.lab.split_sums import SplitSums
    from pitboss.record.entries import Entry
    from pitboss.rules.in_force import RulesInForce

PLAYER, TABLE, DEALER, GAME = "player", "table", "dealer", "game"
GROUPS = (PLAYER, TABLE, DEALER, GAME)
HEADS = {
    "edge": "House edge",
    "decisions": "Decisions",
    "cards": "Luck of the player's cards",
    "board": "Luck of the board",
    "dealer": "Luck of the dealer's cards",
    "rounding": "Fractions of a cent not paid",
    "limit": "Cut by the payout limit",
    "coupons": "Won by coupons",
    "meters": "Paid by meters above their reset",
    "ruling": "Decided by a ruling",
}


class Explained(NamedTuple):
    """A settled seat with the round it belongs to and its parts."""

    of: Mapping[str, str]  # round, table, game, dealer, player and seat
    began_ms: int
    ended_ms: int
    is_free_play: bool
    settled: "SettledSeat"
    parts: "Parts"

    def as_dict(self) -> dict[str, Any]:
        """Return the seat as plain data: every part a fraction of a cent in lowest terms."""
        return {
            **self.of,
            "free_play": self.is_free_play,
            "net_cents": int(self.parts.total),
            "parts": {name: str(part) for name, part in self.parts.flat().items()},
        }


def explain_command(
    what: str, *, by: str | None, data: Path | None, database: str | None, log: Path | None, as_json: bool, as_csv: bool
) -> None:
    """Print the parts of a round, of every hand of a file, or the totals of a record."""
    if sum(place is not None for place in (data, database, log)) > 1:
        raise Failure("Use only one of --data, --database and --log.", 2)
    if as_json and as_csv:
        raise Failure("Use only one of --json and --csv.", 2)
    if by is not None and by not in GROUPS:
        raise Failure(f"--by must be one of {', '.join(GROUPS)}, not {by!r}.", 2)
    from pitboss.house.replay import DamagedRecord, StillSealed
    from pitboss.lab.exact_counts import NotAnalysed
    from pitboss.record.evidence import UnknownRound
    from pitboss.record.store import StoreFault

    try:
        with waiting("Splitting results (kernels are compiled on first use)"):
            found, is_record = _explained(what, data, database, log)
    except (UnknownRound, StillSealed, StoreFault, NotAnalysed, DamagedRecord) as fault:
        raise Failure(str(fault)) from None
    if not found:
        raise Failure("There are no finished rounds to explain.")
    if is_record or by is not None:
        _show_lines(found, by or PLAYER, as_json=as_json, as_csv=as_csv)
    elif as_json:
        show_json([each.as_dict() for each in found])
    elif as_csv:
        _write_csv([_flat(each.as_dict()) for each in found])
    else:
        for each in found:
            _show_seat(each)


def _explained(what: str, data: Path | None, database: str | None, log: Path | None) -> tuple[list[Explained], bool]:
    path = Path(what)
    if path.is_dir():
        return list(_of_streams(_streams_of_store(path, None))), True
    if path.is_file():
        if path.suffix == ".db":
            return list(_of_streams(_streams_of_store(None, f"sqlite:///{path}"))), True
        if _has_hands(path):
            return list(_of_hands(path)), False
        return list(_of_streams(_streams_of_log(path))), True
    from pitboss.cli.replay import recalled_entries

    rounds = _of_streams([recalled_entries(what, data, database, log)])
    return [each for each in rounds if each.of["round"] == what], False


def _of_streams(streams: Iterable[Iterable["Entry"]]) -> Iterator[Explained]:
    from pitboss.house.finished_rounds import finished_rounds
    from pitboss.house.replay import checked
    from pitboss.server.table_documents import read_terms

    splitters = _Splitters()
    for stream in streams:
        for finished in finished_rounds(checked(stream), read_terms):
            yield from _of_round(finished, splitters)


def _of_round(finished: "FinishedRound", splitters: "_Splitters") -> Iterator[Explained]:
    from pitboss.lab.settled_seats import settled_seats

    splitter = splitters.of(finished.play.rules)
    for seat, settled in settled_seats(finished.play, finished.events).items():
        of = {
            "round": finished.round,
            TABLE: finished.table,
            GAME: finished.play.rules.game.name,
            DEALER: finished.dealer,
            PLAYER: finished.play.players[seat],
            "seat": str(seat),
        }
        times = finished.began_ms, finished.ended_ms
        yield Explained(of, *times, finished.free_play, settled, splitter.split(settled))


def _of_hands(path: Path) -> Iterator[Explained]:
    from pitboss.games import UnknownGame, game
    from pitboss.lab.settled_seats import seats_of_hand
    from pitboss.round.finished import rules_for
    from pitboss.rules.refusal import Refusal

    splitters = _Splitters()
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            given = json.loads(text)
            rules = rules_for(game(given["game"]), given.get("choices"))
        except (ValueError, KeyError, TypeError, UnknownGame) as wrong:
            raise Failure(f"Line {number} of {path} is not a finished hand: {wrong}.") from None
        seats = rules if isinstance(rules, Refusal) else seats_of_hand(rules, given)
        if isinstance(rules, Refusal) or isinstance(seats, Refusal):
            raise Failure(f"Line {number} of {path} is refused: {rules if isinstance(rules, Refusal) else seats}.")
        splitter = splitters.of(rules)
        for seat, settled in seats.items():
            of = {"round": str(number), TABLE: "", GAME: given["game"], DEALER: "", PLAYER: "", "seat": str(seat)}
            yield Explained(of, 0, 0, False, settled, splitter.split(settled))


class _Splitters:
    """Keeps the splitters of the last rules; a table's rounds share their rules in force."""

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=64)(self._made)

    def _made(self, rules: "RulesInForce") -> "Splitter":
        from pitboss.lab.split import Splitter

        return Splitter(rules)


def _has_hands(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    return '"stream"' not in first


def _streams_of_log(path: Path) -> Iterator[list["Entry"]]:
    from pitboss.cli.replay import table_streams

    yield from table_streams(path).values()


def _streams_of_store(data: Path | None, database: str | None) -> Iterator[Iterable["Entry"]]:
    from pitboss.house.stream_names import TABLES
    from pitboss.record.sql_store import SqlStore

    file = data / "record.db" if data else None
    if file is not None and not file.is_file():
        raise Failure(f"There is no record at {file}. Give a floor's data folder or an exported record.", 2)
    store = SqlStore(database or f"sqlite:///{file}")
    try:
        for stream in sorted(store.heads()):
            if stream.startswith(TABLES):
                yield store.read(stream)
    finally:
        store.close()


def _show_lines(found: list[Explained], by: str, *, as_json: bool, as_csv: bool) -> None:
    # Play money is never added to money.
    lines = [
        sums.line({by: name, "free_play": is_free_play})
        for (name, is_free_play), sums in sorted(_summed(found, by).items())
    ]
    if as_json:
        show_json([line.as_dict() for line in lines])
        return
    if as_csv:
        _write_csv([_flat(line.as_dict()) for line in lines])
        return
    rows = [
        (
            f"{line.of[by] or '-'}{' (play money)' if line.of['free_play'] else ''}",
            f"{line.rounds:,}",
            _money(Fraction(line.staked_cents, max(line.hands, 1))),
            _money(line.net_cents),
            _money(line.edge_cents),
            _money(line.decisions_cents),
            _money(line.luck_cents),
            _money(line.besides_cents),
            _money(line.comp_base_cents),
            f"{_money(line.without_luck_cents)} ± {_money(line.without_luck_error_cents * 1.96)}",
        )
        for line in lines
    ]
    columns = (by, "rounds", "staked a hand", "net", "edge", "decisions", "luck", "other", "comp base")
    show_table(f"Results by {by}", (*columns, "win without luck (95%)"), rows, console())
    if by == PLAYER:
        bets = [
            (line.of[by] or "-", wager, _money(cents)) for line in lines for wager, cents in line.average_bets.items()
        ]
        show_table("Average bets", (by, "wager", "average"), bets, console())


def _summed(found: Iterable[Explained], by: str) -> dict[tuple[str, bool], "SplitSums"]:
    from pitboss.lab.split_sums import SplitSums

    rounds: dict[tuple[str, bool, str], list[Explained]] = {}
    for each in found:
        rounds.setdefault((each.of[by], each.is_free_play, each.of["round"]), []).append(each)
    sums: dict[tuple[str, bool], SplitSums] = {}
    for (name, is_free_play, _), seats in rounds.items():
        pairs = [(each.settled, each.parts) for each in seats]
        sums.setdefault((name, is_free_play), SplitSums()).add(pairs, seats[0].began_ms, seats[0].of[TABLE])
    return sums


def _show_seat(each: Explained) -> None:
    of, parts = each.of, each.parts
    who = f"Seat {of['seat']}{f' · {of[PLAYER]}' if of[PLAYER] else ''}"
    rows = [(HEADS[name], _money(part)) for name, part in parts.flat().items() if name in HEADS and part]
    for wager, side in parts.sides.items():
        rows.append((f"{wager}: house edge", _money(side.edge)))
        if side.decisions:
            rows.append((f"{wager}: decisions", _money(side.decisions)))
        rows.append((f"{wager}: luck", _money(side.luck)))
    rows.append(("Net", _money(parts.total)))
    out = console()
    out.print(f"Round {of['round']} · {of[GAME]} · {who}", soft_wrap=True, markup=False)
    show_table("", ("part", "net"), rows, out)


def _money(cents: Fraction | float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(float(cents)) / 100:,.2f}"


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{name} {inner}": held for inner, held in value.items()}
        else:
            flat[name] = value
    return flat


def _write_csv(rows: list[dict[str, Any]]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: safe_text(cell) if isinstance(cell, str) else cell for name, cell in row.items()} for row in rows
    )
