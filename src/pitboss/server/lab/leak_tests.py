"""The leak test of a floor's record, worked on in a separate process: what it found so far goes in and comes out."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from pitboss.api.recorded_leaks import RaisedAlarm, RecordedLeaks
from pitboss.house.reports.alerts import LEAK, SHUFFLE_OFF
from pitboss.lab.leaks import DEALER_AND_PLAYER, KINDS, SHUFFLE, TWO_PLAYERS, Finding, title_of
from pitboss.lab.shuffle_watch import OUTCOMES, ShuffleWatch
from pitboss.lab.suspicions import ALL, STAKES
from pitboss.lab.wealth import FLOOR_ALPHA
from pitboss.record.sql_store import SqlStore
from pitboss.server.lab.priority import give_way
from pitboss.server.table_documents import read_terms

POLITENESS = 15  # nobody waits for it
SHOWN_OF_KIND = 25


def worked_on(database: str, kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """Continue the test of a record from where it was, and return the evidence, the report and the alerts."""
    store = SqlStore(database)
    try:
        found = RecordedLeaks(read_terms)
        if kept is not None and not found.restore(kept, store):
            found = RecordedLeaks(read_terms)
        found.read(store)
        found.work()
    finally:
        store.close()
    return {
        "kept": found.to_data(),
        "report": report_of(found),
        "alerts": [alert_of(raised) for raised in found.alarms],
    }


def report_of(kept: RecordedLeaks) -> dict[str, Any]:
    """Return the report in its wire form, with the strongest tests of each kind."""
    found = kept.leaks.findings(with_points=True)
    shown = {line[:2] for kind in KINDS for line in [test for test in found if test.kind == kind][:SHOWN_OF_KIND]}
    return {
        "rounds": kept.leaks.rounds,
        "decisions": kept.leaks.decisions,
        "bound": FLOOR_ALPHA,
        "count": len(found),
        "tests": [_line(test) for test in found if test[:2] in shown],
        "shuffles": [_shuffle(table, watch) for table, watch in sorted(kept.shuffles.items())],
    }


def alert_of(raised: RaisedAlarm) -> dict[str, Any]:
    """Return an alarm as the floor's alerts take it."""
    alarm = raised.alarm
    return {
        "kind": SHUFFLE_OFF if alarm.kind == SHUFFLE else LEAK,
        "table": raised.table,
        "about": ":".join((alarm.kind, *alarm.subject)),
        "at": raised.at,
        "says": alarm_text(raised),
    }


def alarm_text(raised: RaisedAlarm) -> str:
    """Return an alarm in a sentence without the final period."""
    alarm, about = raised.alarm, title_of(raised.alarm.suspicion)
    by_chance = f"by chance at most once in {alarm.threshold:,.0f} such tests"
    if alarm.kind == SHUFFLE:
        return f"the shuffle at {alarm.subject[0]} isn't even ({about}); {by_chance}"
    if alarm.kind == TWO_PLAYERS:
        player, other = alarm.subject
        return f"{player} plays as if they saw {other}'s cards; {by_chance}"
    dealt = f" when {alarm.subject[0]} deals" if alarm.kind == DEALER_AND_PLAYER else ""
    what = "bets" if alarm.suspicion == STAKES else "plays"
    return f"{alarm.subject[-1]} {what} as if they saw hidden cards{dealt} ({about}); {by_chance}"


def _line(test: Finding) -> dict[str, Any]:
    points = [{"rounds": rounds, "log10": log10} for rounds, log10 in test.points]
    place, _, card = test.suspicion.rpartition(":")
    which = {"place": place or None, "card": int(card) if place and card != ALL else None}
    return {**test._asdict(), "subject": list(test.subject), "points": points, **which}


def _shuffle(table: str, watch: ShuffleWatch) -> dict[str, Any]:
    tested = watch.laboratory
    return {
        "table": table,
        "rounds": watch.rounds,
        "needed": OUTCOMES,
        "passes": tested and tested.passes,
        "places_p": tested.places.p if tested and tested.places else None,
        "steps_p": tested.steps.p if tested and tested.steps else None,
    }


if __name__ == "__main__":
    give_way(POLITENESS)
    asked = json.load(sys.stdin)
    json.dump(worked_on(asked["database"], asked["kept"]), sys.stdout)
