"""Views of tables for the people who look at them, built from the house's own allow-lists."""

import json
from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any

from pitboss.house.bots import bot_number
from pitboss.house.live_table.deck_order import sealer_of
from pitboss.house.live_table.sealed_events import Sealer
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.live_table.table_view import (
    LiveTableView,
    OpenedCard,
    OwnView,
    ResultSeen,
    SeatSeen,
    own_view,
    public_view,
    view,
)
from pitboss.rules.in_force import RulesInForce
from pitboss.server.open_floor import OpenFloor
from pitboss.server.schemas.tables import PaceShown, TableSummary

HOUR_MS = 60 * 60 * 1000
FEWEST_TIMED = 3  # rounds used to estimate the pace
_OF_CARD = tuple(field.name for field in fields(OpenedCard))
_OF_RESULT = tuple(field.name for field in fields(ResultSeen))
_OF_SEAT = tuple(field.name for field in fields(SeatSeen))
_SHARED = tuple(field.name for field in fields(LiveTableView) if field.name not in OwnView._fields)
_card, _result, _seat, _shared = (attrgetter(*names) for names in (_OF_CARD, _OF_RESULT, _OF_SEAT, _SHARED))
_written = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def table_view(floor: OpenFloor, live: LiveTable, person: str | None) -> dict[str, Any]:
    """Return a table as a person may see it."""
    # The view's own type is the allow-list; a test keeps the API's model of the same fields in line with it.
    seen = view(live, person, _sealer(floor, live))
    return {
        **_shared_fields(floor, live, seen),
        "seats": [_seat_fields(seat) for seat in seen.seats],
        "actions": seen.actions,
        "opened": [_card_fields(card) for card in seen.opened],
    }


class Looks:
    """A table at one moment, serialized for its viewers; the part they all see is serialized once."""

    def __init__(self, floor: OpenFloor, live: LiveTable) -> None:
        self._live, self._sealer = live, _sealer(floor, live)
        self._public = public_view(live, self._sealer)
        self._shared = _written(_shared_fields(floor, live, self._public))[:-1]
        self._seats = [_written(_seat_fields(seat)) for seat in self._public.seats]
        self._opened = _written([_card_fields(card) for card in self._public.opened])

    def text(self, person: str | None) -> str:
        """Return a person's view of the table as JSON text, the same as table_view."""
        public, own = self._public, own_view(self._public, self._live, person, self._sealer)
        pairs = zip(public.seats, own.seats, self._seats, strict=True)
        seats = [text if shared is seen else _written(_seat_fields(seen)) for shared, seen, text in pairs]
        opened = self._opened
        if own.opened is not public.opened:
            opened = _written([_card_fields(card) for card in own.opened])
        actions = _written(own.actions)
        return f'{self._shared},"seats":[{",".join(seats)}],"actions":{actions},"opened":{opened}}}'


def _sealer(floor: OpenFloor, live: LiveTable) -> Sealer | None:
    return sealer_of(floor.house.seal, live.round, live.key, live.order) if live.key else None


def _shared_fields(floor: OpenFloor, live: LiveTable, seen: LiveTableView) -> dict[str, Any]:
    held = asdict(seen.held) if seen.held is not None else None
    return {**dict(zip(_SHARED, _shared(seen), strict=True)), "held": held, "meters": meters(floor, live)}


def _seat_fields(seat: SeatSeen) -> dict[str, Any]:
    found = dict(zip(_OF_SEAT, _seat(seat), strict=True))
    found["envy"] = [asdict(bonus) for bonus in seat.envy]
    found["results"] = [dict(zip(_OF_RESULT, _result(result), strict=True)) for result in seat.results]
    return found


def _card_fields(card: OpenedCard) -> dict[str, Any]:
    return dict(zip(_OF_CARD, _card(card), strict=True))


def table_summary(floor: OpenFloor, live: LiveTable) -> TableSummary:
    """Return a table as the lobby shows it."""
    terms = live.terms
    rules = terms.settings.rules if terms else None
    main = next((wager for wager in rules.game.wagers if wager.required), None) if rules else None
    limits = rules.limits(main.name) if rules and main else None
    return TableSummary(
        table=live.table,
        title=rules.game.title if rules else live.table,
        game=rules.game.name if rules else None,
        is_open=live.is_open,
        free_play=bool(terms and terms.settings.free_play),
        analysis=bool(terms and terms.analysis),
        seats=rules.seats_most if rules else 0,
        players=[live.seats[seat] for seat in sorted(live.seats)],
        bots={player: number for player in live.seats.values() if (number := bot_number(player, live.table))},
        phase=live.play.phase if live.play is not None and live.in_round else None,
        round=live.rounds,
        minimum_cents=limits.minimum if limits else None,
        maximum_cents=limits.maximum if limits else None,
        meters=meters(floor, live),
        paytables=_letters(rules) if rules else {},
        dealer=live.lease.holder,
        is_automatic=bool(terms and terms.automatic),
        real_cards=bool(terms and terms.real_cards),
        pace=_pace(terms) if terms and terms.automatic else None,
        rounds_per_hour=rounds_per_hour(live.begun),
    )


def _pace(terms: TableTerms) -> PaceShown:
    return PaceShown(wagers_ms=terms.pace.wagers_ms, decision_ms=terms.pace.decision_ms)


def rounds_per_hour(begun: tuple[int, ...]) -> int | None:
    """Return the rounds per hour, from the start times of the last rounds."""
    if len(begun) < FEWEST_TIMED or begun[-1] <= begun[0]:
        return None
    return round((len(begun) - 1) * HOUR_MS / (begun[-1] - begun[0]))


def meters(floor: OpenFloor, live: LiveTable) -> dict[str, int]:
    """Return what a table's progressive meters show; empty if its rules offer no progressive wager."""
    name = live.terms.progressive if live.terms else None
    if live.terms is None or name is None:
        return {}
    rules = live.terms.settings.rules
    progressive = rules.game.progressive
    if progressive is None or progressive.wager not in rules.offered:
        return {}
    paid_from = rules.paytables[progressive.wager].meters
    return {meter: cents for meter, cents in floor.house.progressive(name).state.shown().items() if meter in paid_from}


def _letters(rules: RulesInForce) -> dict[str, str]:
    return {name: table.letter for name, table in rules.paytables.items() if table.letter and name in rules.offered}
