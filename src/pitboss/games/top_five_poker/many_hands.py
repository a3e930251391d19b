"""Many played hands read at once, by kind of hand."""

from collections.abc import Mapping

import numpy as np

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games.top_five_poker.exact import ENDS, HIGH_CARDS, ORDERS, all_kinds, cards_of, kinds_by_mask
from pitboss.games.top_five_poker.hand_kernels import read_hands
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
        qualifies = [bool(READINGS.dealer(table, {}).qualifies) for table in dealers]
        self._qualified = len(ORDERS) * np.array(qualifies, np.int64)

    def codes(self, kept: Cards, table: Mapping[str, Cards]) -> Codes:
        """Return a number for each row."""
        own, dealer = map(np.ascontiguousarray, (kept, table[DEALER]))
        return read_hands(own, dealer, BITS, kinds_by_mask(), self._sizes, self._kinds.value, self._qualified)

    def reading(self, code: int) -> SeatReading:
        """Return what a number means."""
        return SeatReading("", ENDS[code], {})
