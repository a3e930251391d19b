"""Many played hands read at once, by kind of hand."""

from collections.abc import Mapping

import numpy as np

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games.top_five_poker.exact import ENDS, HIGH_CARDS, ORDERS, all_kinds, cards_of, kinds_by_mask
from pitboss.games.top_five_poker.readings import READINGS
from pitboss.odds.hand_codes import Cards, Codes
from pitboss.rules.dealing import DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatReading, TableCards

BITS = np.array([1 << HIGH_CARDS.index(card) if card in HIGH_CARDS else 0 for card in STANDARD_DECK.cards], np.int64)


class ManyHands:
    """Reads the counted cards of seven against the dealer's seven."""

    def __init__(self, rules: RulesInForce) -> None:
        self._kinds = all_kinds()
        self._sizes = self._kinds.size()
        dealers = (TableCards(dealer=cards_of(sample)) for sample in self._kinds.sample.tolist())
        self._qualifies = np.array([bool(READINGS.dealer(table, {}).qualifies) for table in dealers], np.int64)

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row."""
        own, dealer = self._row(kept), self._row(table[DEALER])
        value, against = self._kinds.value[own], self._kinds.value[dealer]
        size, size_against = self._sizes[own], self._sizes[dealer]
        cases = [size > size_against, size < size_against, value > against, value < against]
        found: Codes = np.select(cases, [0, 1, 2, 3], 4) + len(ORDERS) * self._qualifies[dealer]
        return found

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        return SeatReading("", ENDS[code], {})

    def _row(self, cards: Cards) -> Codes:
        found: Codes = kinds_by_mask()[BITS[cards].sum(axis=1)].astype(np.int64)
        return found
