"""Whole floors with faults, one run per seed: everything that must hold does, and every fault and command occurs."""

from collections import Counter

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.round.state import ASKING, AWAITING_VERIFICATION, DEALING, SETTLING, WAGERING
from pitboss.rules.irregularity import FORFEIT, GOES_ON, RETURN_WAGER, SET_ASIDE, SETTLE_ONLY, VOID
from simulation.one_run import BOUNDARIES, run_seed

SEEDS = 80  # enough for every fault and command to occur; `make simulate` runs thousands
FAULTS_LEAST = {
    **{f"killed {boundary}": 5 for boundary in BOUNDARIES},
    "killed sync failed": 3,
    "torn write": 2,
    "lost write": 1,
    "disk full": 5,
    "disk nearly full": 5,
    "bit flipped": 5,
    "old backup restored": 3,
    "clock forward": 5,
    "clock back": 5,
    "process stopped": 5,
    "table taken over": 1,
    "flood": 5,
    "slow reader dropped": 50,
    "two dealers": 50,
    "submission swapped in a round": 5,
    "command id reused": 50,
    "network drop": 30,
    "network duplicate": 50,
    "network delay": 30,
    "network reorder": 500,
}

GAMES = game_names()
CARDS_GO_WRONG = (
    "card-drawn-in-error",
    "face-up-card",
    "misplaced-card",
    "other-misdeal",
    "shoe-jam",
    "shuffler-jam",
    "wrong-number-of-cards",
)
TRIED_LEAST = {
    **{f"report: automatic, {phase}": 5 for phase in (ASKING, DEALING, SETTLING, AWAITING_VERIFICATION)},
    **{f"report: drawn, {phase}": 5 for phase in (ASKING, DEALING, SETTLING, AWAITING_VERIFICATION)},
    **{f"report: reader, {phase}": 10 for phase in (WAGERING, ASKING, DEALING, SETTLING)},
    "report: automatic, wagering": 1,
    "report: drawn, wagering": 1,
    "report: reader, awaiting-meter": 12,
    "report: reader, awaiting-verification": 5,
    "report: a progressive payout waits": 15,
    **{f"report: {name}, player-left": 20 for name in GAMES},
    **{f"report: {name}, deck-count-wrong": 1 for name in GAMES},
    **{f"report: {name}, {kind}": 1 for name in GAMES for kind in CARDS_GO_WRONG},
    "report: top-five-poker, player-violation": 10,
    "report: dragon-poker, stub-count-wrong": 1,
    "report: ultimate-texas-holdem, dealer-card-exposed": 1,
    "report: ultimate-texas-holdem, progressive-mismatch": 3,
    **{f"answer: {outcome}": 20 for outcome in ("ruled", "declined", "withdrawn")},
    **{f"remedy: {remedy}": 20 for remedy in (GOES_ON, VOID, FORFEIT)},
    **{f"remedy: {remedy}": 1 for remedy in (SET_ASIDE, SETTLE_ONLY, RETURN_WAGER)},
    **{f"dispute: {dealt}, over": 5 for dealt in ("automatic", "drawn", "reader")},
    "dispute: drawn, between rounds": 10,
    "dispute: reader, between rounds": 5,
    "resolved: stands": 20,
    "resolved: void": 20,
    "resolved: resettle": 3,
    "SeatGivenUp": 10,
    "ReadCorrected": 10,
    "CardCorrected": 5,
    "DeviceFailed in a round": 10,
    "DeviceJammed in a round": 5,
    **{
        f"refused for a report: {name}": 10
        for name in ("CashOut", "Tip", "LeaveSeat", "Credit", "CloseTable", "Settle")
    },
    **{f"refused for a report: {name}": 5 for name in ("ValidateMeter", "ValidatePayout")},
    "refused for a wrong stub: Settle": 1,
    "refused for a wrong deck: Tip": 1,
    **{f"refused for a dispute: {name}": 5 for name in ("BeginRound", "CloseTable", "ShuffleDeck", "CashOut", "Tip")},
}


@pytest.mark.slow
def test_nothing_is_lost_doubled_shown_or_stuck_whatever_happens() -> None:
    faults: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for seed in range(1, SEEDS + 1):
        run = run_seed(seed)
        faults += run.faults
        accepted += run.accepted
        tried += run.tried
        assert run.rounds > 5
    seen, wanted = faults + tried, FAULTS_LEAST | TRIED_LEAST
    rare = {name: (seen[name], least) for name, least in wanted.items() if seen[name] < least}
    assert not rare, f"what hardly happened: {rare}"
    never = sorted(set(commands.KINDS) - set(accepted))
    assert not never, f"commands that were never accepted: {never}"


def test_a_seed_is_one_run() -> None:
    first, again = run_seed(3), run_seed(3)
    assert first == again
    assert run_seed(4).heads != first.heads
