"""Rounds until a hold alert by the win against theory, and by the luck that the ledger finds, with a cheat playing.

The cheat sees a hidden card and uses it. Rounds are what four standard errors take: of the win by the exact gain and
the spread measured, of luck by the mean and the spread measured.
"""

import json
import sys
from math import sqrt

from pitboss.cards.deck import face
from pitboss.games.catalogue import game
from pitboss.house.reports.theory import ALERT_ERRORS
from pitboss.lab.answer_lines import Answer, Lines
from pitboss.lab.exact_counts import MAIN
from pitboss.lab.exposures import exposed_worth
from pitboss.lab.planted_leaks import Player, simulated
from pitboss.lab.settled_seats import seats_of_hand
from pitboss.lab.split import Splitter
from pitboss.lab.split_sums import LUCK, SplitSums
from pitboss.lab.suspicions import Slot
from pitboss.lab.worth import worth_of
from pitboss.odds.exposure import Exposure
from pitboss.odds.pricing import required_stakes
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal

UNIT_CENTS = 1000
SURE_ERRORS = 3  # of the luck measured; below that its mean is too uncertain to compute with
CHEATS = (
    ("ultimate-texas-holdem", ("dealer", 0), Exposure(dealer=1)),
    ("colorado-holdem", ("board", 0), Exposure(board=1)),
    ("top-five-poker", ("dealer", 0), Exposure(dealer=1)),
    ("dragon-poker", ("dealer", 0), Exposure(dealer=1)),
)


def played(name: str, player: Player, rounds: int) -> SplitSums:
    """Split the rounds of a simulated player who makes the required wagers."""
    rules = RulesInForce(game(name))
    lines, splitter, sums = Lines(rules), Splitter(rules), SplitSums()
    faces = [face(card) for card in rules.game.deck.cards]
    wagers = {wager: int(units) * UNIT_CENTS for wager, units in required_stakes(rules)}
    for answered in simulated(lines, player, rounds, 7):
        play = answered.play
        for at in range(len(play.own)):
            own = [faces[card] for card in play.own[at]]
            actions = [written for answer in play.answers for written in _written(answer, own)]
            seat = {"seat": 1, "cards": own, "wagers": wagers, "actions": actions}
            table = {place: [faces[card] for card in cards[at]] for place, cards in play.table.items()}
            settled = seats_of_hand(rules, {"game": name, **table, "seats": [seat]})
            assert not isinstance(settled, Refusal), settled
            sums.add([(settled[1], splitter.split(settled[1]))])
    return sums


def _written(answer: Answer, own: list[str]) -> list[str]:
    return [answer.action] if answer.discard is None else [answer.action, f"discard {own[answer.discard]}"]


def measured(name: str, slot: Slot, exposure: Exposure, rounds: int) -> dict[str, object]:
    """Return how many rounds each alert takes to be four standard errors off."""
    sums = played(name, Player(sees=(slot,)), rounds)
    line = sums.line({})
    rules = RulesInForce(game(name))
    gain = float(exposed_worth(rules, exposure).ev - worth_of(rules, MAIN).ev) * UNIT_CENTS
    by_win = (ALERT_ERRORS * line.win_error_cents / sqrt(rounds) / gain) ** 2
    lucks = {kind: luck for kind in LUCK if (luck := sums.luck_off(kind)) is not None}
    best = max(lucks, key=lambda kind: abs(lucks[kind].errors))
    by_luck = (ALERT_ERRORS / lucks[best].errors) ** 2 * rounds
    is_known = abs(lucks[best].errors) >= SURE_ERRORS
    return {
        "game": name,
        "sees": " ".join(exposure.words),
        "rounds by the win": round(by_win),
        "rounds by the luck": round(by_luck) if is_known else None,
        "kind of luck": best,
        "errors": round(lucks[best].errors, 1),
        "times fewer": round(by_win / by_luck, 1) if is_known else None,
    }


def main(rounds: int = 4000) -> None:
    """Measure every cheat and print a line for each."""
    for name, slot, exposure in CHEATS:
        print(json.dumps(measured(name, slot, exposure, rounds)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
