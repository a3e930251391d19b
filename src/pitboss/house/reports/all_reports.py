"""All reports of a house, kept up to date with the record: each entry is read once, and the sums can be saved."""

from collections.abc import Mapping
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.reports.alerts import Alerts
from pitboss.house.reports.control_forms import Forms
from pitboss.house.reports.dealer_pace import DealerPace
from pitboss.house.reports.hold import GAMING_DAY_BEGINS_HOUR, Hold
from pitboss.house.reports.incidents import Incidents
from pitboss.house.reports.liability import HeldForPlayers
from pitboss.house.reports.openings import Openings
from pitboss.house.reports.progressives import Meters
from pitboss.house.reports.rated_play import RatedPlay
from pitboss.house.reports.sign_ins import Arrivals
from pitboss.house.reports.significant import SignificantEvents
from pitboss.house.reports.sole_decisions import SoleDecisions
from pitboss.house.reports.statements import Statements
from pitboss.house.reports.theory import ChanceOf, Compared, RangeOf, Theories, Theory, compared, played_free
from pitboss.record.entries import Body, Entry, Head, head_of
from pitboss.record.store import Store

# Entries that move no money of the house, end nothing and mention no card that anyone counts: half of a record.
_NOTHING_TO_REPORT = frozenset(
    {
        entry_kinds.DECK_COMMITTED,
        entry_kinds.ORDER_FIXED,
        entry_kinds.SEAL_OPENED,
        entry_kinds.CARD_READ,
        entry_kinds.ACTION_TAKEN,
        entry_kinds.BETS_CLOSED,
        entry_kinds.CARDS_COLLECTED,
        entry_kinds.CARDS_DEALT,
        entry_kinds.CARDS_TURNED,
        entry_kinds.ROUND_CLOSED,
    }
)
VERSION = "reports-14"  # change this whenever the same entries give a different sum


class AllReports:
    """Every report, as of the last entry read from each stream."""

    def __init__(
        self,
        read_terms: ReadTerms,
        theories: Theories | None = None,
        *,
        day_begins_hour: int = GAMING_DAY_BEGINS_HOUR,
        range_of: RangeOf | None = None,  # how the lab finds the range of a sum of results
        chance_of: ChanceOf | None = None,  # and the chance of one
    ) -> None:
        self._range_of, self._chance_of = range_of, chance_of
        self.heads: dict[str, Head] = {}
        self.hold = Hold(day_begins_hour)
        self.alerts = Alerts(read_terms, theories, chance_of)
        self.incidents = Incidents()
        self.significant = SignificantEvents()
        self.meters = Meters()
        self.held = HeldForPlayers(self.meters)
        self.arrivals = Arrivals()
        self.forms, self.openings, self.sole = Forms(), Openings(), SoleDecisions()
        self.rated, self.pace, self.statements = RatedPlay(), DealerPace(), Statements()
        self._all = (
            *(self.hold, self.alerts, self.incidents, self.significant, self.meters, self.arrivals),
            *(self.held, self.forms, self.openings, self.rated, self.pace, self.statements),
        )

    def catch_up(self, store: Store, most: int | None = None) -> int:
        """Read new entries of every stream, at most this many if a limit is given, and return how many were read."""
        count = 0
        for stream, head in sorted(store.heads().items()):
            known = self.heads.get(stream, Head())
            if known.sequence < head.sequence:
                for entry in store.read(stream, known.sequence):
                    if count == most:
                        return count
                    self.add(entry)
                    count += 1
        return count

    def add(self, entry: Entry) -> None:
        """Process an entry; one that was read before changes nothing."""
        known = self.heads.get(entry.stream, Head())
        if entry.sequence <= known.sequence:
            return
        assert entry.sequence == known.sequence + 1, "a stream's entries are out of order"
        self.sole.add(entry)  # an answer for an absent player moves no money of the house
        if entry.kind not in _NOTHING_TO_REPORT:
            for report in self._all:
                report.add(entry)
        elif entry.body.get("postings"):
            self.held.add(entry)  # a raise moves a player's chips onto the felt
        self.heads[entry.stream] = head_of(entry)

    def against_theory(self) -> tuple[Compared, ...]:
        """Return each wager and table compared with theory."""
        results, theories = self.alerts.actual.results, self.alerts.theories
        free = played_free(self.documents())
        return compared(results, theories, free, range_of=self._range_of, chance_of=self._chance_of)

    def learn(self, rules: str, theories: tuple[Theory, ...]) -> None:
        """Store the theory for a version of the rules; nothing if none is known."""
        self.alerts.learn(rules, theories)

    def documents(self) -> Mapping[str, Body]:
        """Return the submitted document of each version of the rules that any table ever ran by."""
        return self.alerts.actual.documents

    def to_data(self) -> dict[str, Any]:
        """Return all sums as plain data, to continue from after a restart."""
        return {
            "version": VERSION,
            "heads": {stream: list(head) for stream, head in self.heads.items()},
            "hold": self.hold.to_data(),
            "alerts": self.alerts.to_data(),
            "incidents": self.incidents.to_data(),
            "significant": self.significant.to_data(),
            "meters": self.meters.to_data(),
            "held": self.held.to_data(),
            "arrivals": self.arrivals.to_data(),
            "forms": self.forms.to_data(),
            "openings": self.openings.to_data(),
            "sole": self.sole.to_data(),
            "rated": self.rated.to_data(),
            "pace": self.pace.to_data(),
            "statements": self.statements.to_data(),
        }

    def restore(self, data: Mapping[str, Any], store: Store) -> bool:
        """Continue from saved sums, unless another version made them or they belong to another record."""
        heads = {stream: Head(*head) for stream, head in data["heads"].items()}
        if data["version"] != VERSION or store.standing(heads) != heads.keys():
            return False
        self.heads = heads
        self.hold.restore(data["hold"])
        self.alerts.restore(data["alerts"])
        self.incidents.restore(data["incidents"])
        self.significant.restore(data["significant"])
        self.meters.restore(data["meters"])
        self.held.restore(data["held"])
        self.arrivals.restore(data["arrivals"])
        self.forms.restore(data["forms"])
        self.openings.restore(data["openings"])
        self.sole.restore(data["sole"])
        self.rated.restore(data["rated"])
        self.pace.restore(data["pace"])
        self.statements.restore(data["statements"])
        return True
