"""Views of tables for the people who look at them, built from the house's own allow-lists."""

from dataclasses import fields
from typing import Any

from pitboss.house.desk.state import Desk
from pitboss.house.desk.terms import TableTerms
from pitboss.house.desk.view import DeskView, OpenedCard, ResultSeen, SeatSeen, view
from pitboss.server.floor import OpenFloor
from pitboss.server.schemas import PaceShown, TableSummary

HOUR_MS = 60 * 60 * 1000
FEWEST_TIMED = 3  # rounds whose times say something
_OF_TABLE = tuple(one.name for one in fields(DeskView))
_OF_SEAT = tuple(one.name for one in fields(SeatSeen))
_OF_RESULT = tuple(one.name for one in fields(ResultSeen))
_OF_CARD = tuple(one.name for one in fields(OpenedCard))


def table_view(floor: OpenFloor, desk: Desk, person: str | None) -> dict[str, Any]:
    """Return a table as a person may see it."""
    # The view's own type is the allow-list; the model of the same fields that the API shows is held to it by a test.
    sealer = floor.house.seal(desk.round, desk.key) if desk.key else None
    seen = view(desk, person, sealer)
    return {
        **{name: getattr(seen, name) for name in _OF_TABLE},
        "seats": [
            _flat(one, _OF_SEAT) | {"results": [_flat(of, _OF_RESULT) for of in one.results]} for one in seen.seats
        ],
        "opened": [_flat(one, _OF_CARD) for one in seen.opened],
        "meters": meters(floor, desk),
    }


def _flat(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def table_summary(floor: OpenFloor, desk: Desk) -> TableSummary:
    """Return a table as the lobby shows it."""
    terms = desk.terms
    rules = terms.settings.rules if terms else None
    main = next((one for one in rules.game.wagers if one.required), None) if rules else None
    limits = rules.limits(main.name) if rules and main else None
    return TableSummary(
        table=desk.table,
        title=rules.game.title if rules else desk.table,
        game=rules.game.name if rules else None,
        is_open=desk.is_open,
        free_play=bool(terms and terms.settings.free_play),
        seats=rules.seats_most if rules else 0,
        players=[desk.seats[seat] for seat in sorted(desk.seats)],
        phase=desk.play.phase if desk.play is not None and desk.in_round else None,
        round=desk.rounds,
        minimum_cents=limits.minimum if limits else None,
        maximum_cents=limits.maximum if limits else None,
        meters=meters(floor, desk),
        paytables={name: table.letter for name, table in rules.paytables.items() if table.letter} if rules else {},
        dealer=desk.lease.holder,
        is_automatic=bool(terms and terms.automatic),
        real_cards=bool(terms and terms.real_cards),
        pace=_pace(terms) if terms and terms.automatic else None,
        rounds_per_hour=rounds_per_hour(desk.begun),
    )


def _pace(terms: TableTerms) -> PaceShown:
    return PaceShown(wagers_ms=terms.pace.wagers_ms, decision_ms=terms.pace.decision_ms)


def rounds_per_hour(begun: tuple[int, ...]) -> int | None:
    """Return how many rounds an hour holds, by when the last ones began."""
    if len(begun) < FEWEST_TIMED or begun[-1] <= begun[0]:
        return None
    return round((len(begun) - 1) * HOUR_MS / (begun[-1] - begun[0]))


def meters(floor: OpenFloor, desk: Desk) -> dict[str, int]:
    """Return what the meters of a table's progressive show."""
    name = desk.terms.progressive if desk.terms else None
    return floor.house.progressive(name).state.shown() if name else {}
