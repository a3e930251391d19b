"""The reports that a controller signs: their names, their titles, and how the lines of each are made."""

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.house.reports.all_reports import AllReports
from pitboss.house.reports.control_forms import UNEXPLAINED
from pitboss.house.reports.incidents import VOID
from pitboss.house.reports.table_facts import NOBODY
from pitboss.house.reports.table_yield import yields

MakeRows = Callable[[AllReports, int, int, int | None], Any]  # at a moment, of an interval


def _hold(*by: str) -> MakeRows:
    return lambda kept, now, since, until: kept.hold.rows(*by, since_ms=since, until_ms=until)


def _form_rows(series: str, status: str = "") -> MakeRows:
    return lambda kept, now, since, until: kept.forms.rows(series, since_ms=since, until_ms=until, status=status)


def _incident_rows(kind: str) -> MakeRows:
    return lambda kept, now, since, until: [
        {
            "at": row.at,
            "table": row.table,
            "round": row.round,
            "what": row.says,
            "clause": row.clause,
            "by": row.actor,
            "second": "" if row.second == NOBODY else row.second,
            "dealer": "" if row.dealer == NOBODY else row.dealer,
            **({"players_net_cents": row.players_net_cents} if kind == VOID else {"kind": row.kind}),
        }
        for row in kept.incidents.found(kind, since_ms=since, until_ms=until)
    ]


TO_SIGN: Mapping[str, tuple[str, MakeRows]] = {
    "hold-by-table": ("Hold by table", _hold("table")),
    "hold-by-game": ("Hold by game", _hold("game")),
    "hold-by-shift": ("Hold by gaming day and shift", _hold("day", "shift")),
    "hold-by-dealer": ("Hold by dealer", _hold("dealer")),
    "master-game": ("Master game report", _hold("day", "shift", "table", "game")),
    "paytables": ("Handle and return by wager", _hold("game", "wager")),
    "shifts": (
        "Table openings and closings",
        lambda kept, now, since, until: kept.openings.rows(kept.forms.settings, since_ms=since, until_ms=until),
    ),
    "yield": (
        "Table yield",
        lambda kept, now, since, until: yields(
            kept.hold, kept.openings, kept.forms.settings, now, since_ms=since, until_ms=until
        ),
    ),
    "dealers": (
        "Dealer pace and errors",
        lambda kept, now, since, until: kept.pace.rows(now, since_ms=since, until_ms=until),
    ),
    "rated-play": (
        "Rated play",
        lambda kept, now, since, until: kept.rated.rows(kept.alerts.theories, now, since_ms=since, until_ms=until),
    ),
    "sole-decisions": (
        "Decisions one person made alone",
        lambda kept, now, since, until: kept.sole.rows(since_ms=since, until_ms=until),
    ),
    "sole-decisions-by-person": (
        "Decisions made alone, by person and outcome",
        lambda kept, now, since, until: kept.sole.by_person(since_ms=since, until_ms=until),
    ),
    "slips": (
        "Fill and credit slips",
        lambda kept, now, since, until: (
            *kept.forms.rows("FILL", since_ms=since, until_ms=until),
            *kept.forms.rows("CREDIT", since_ms=since, until_ms=until),
        ),
    ),
    "tray-counts": ("Openers and closers", _form_rows("TRAY")),
    "drop-counts": ("Drop counts", _form_rows("COUNT")),
    "cage": ("Cage counts", _form_rows("CAGE")),
    "receipts": ("Cage receipts", _form_rows("RECEIPT")),
    "variances": ("Variances", _form_rows("VARIANCE")),
    "unexplained": ("Unexplained variances", _form_rows("VARIANCE", UNEXPLAINED)),
    "cash-log": (
        "Multiple-transaction cash log",
        lambda kept, now, since, until: kept.alerts.cash.logged(since_ms=since, until_ms=until),
    ),
    "cash-days": (
        "Cash by person and gaming day",
        lambda kept, now, since, until: kept.alerts.cash.days(since_ms=since, until_ms=until),
    ),
    "hand-pays": ("Hand pays", _form_rows("HANDPAY")),
    "exclusions": ("Exclusions", _form_rows("EXCLUSION")),
    "liability": (
        "Money held for players",
        lambda kept, now, since, until: kept.held.rows(since_ms=since, until_ms=until),
    ),
    "meters": (
        "Progressive meters",
        lambda kept, now, since, until: kept.meters.moves(since_ms=since, until_ms=until),
    ),
    "meter-readings": ("Progressive displays read and compared", _form_rows("READING")),
    "incidents": ("Incidents", _incident_rows("")),
    "voids": ("Voided rounds, wagers and seats", _incident_rows(VOID)),
}
