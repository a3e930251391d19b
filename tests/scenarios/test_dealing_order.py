"""At a live table cards go where the clause of each dealing method sends them, in that order only."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
CO, DP, TF, UT = "colorado-holdem", "dragon-poker", "top-five-poker", "ultimate-texas-holdem"
FIRST, LAST, DEALER, BOARD, BURN = 1, 3, "dealer", "board", "burn"  # the player between these two has not wagered


class Step(NamedTuple):
    """Cards that leave the deck for a place, or cards of a place that are turned up, as a clause orders it."""

    place: int | str
    cards: int
    clause: str
    is_up: bool = False
    is_turned: bool = False


class Way(NamedTuple):
    """One dealing method, with its order written out as the rulebook has it."""

    game: str
    name: str
    order: tuple[Step, ...]
    dealing: str
    options: tuple[tuple[str, str], ...] = ()
    wagers: tuple[tuple[str, str], ...] = ()  # offered besides, with their paytables


def passes(clauses: Sequence[str], *places: int | str) -> tuple[Step, ...]:
    """Return one card to each place in turn, under one clause for each pass."""
    return tuple(Step(place, 1, clause) for clause in clauses for place in places)


def colorado(section: str) -> tuple[Step, ...]:
    """Return three passes, each with a community card of its own after the players."""
    found: list[Step] = []
    for item in (1, 3, 5):
        found += passes([f"{section}(c)({item})"], FIRST, LAST)
        found.append(Step(BOARD, 1, f"{section}(c)({item + 1})"))
    return tuple(found)


SHOWN = (Step(BOARD, 3, "§10(c)", is_turned=True),)
FLOP, LAST_TWO = Step(BOARD, 3, "Ch. 11 §C(2)", is_up=True), Step(BOARD, 2, "Ch. 11 §E(2)", is_up=True)
BURNS = (Step(BURN, 1, "Ch. 11 §C(1)"), FLOP, Step(BURN, 1, "Ch. 11 §E(1)"), LAST_TWO)
STACKS = (Step(FIRST, 2, "Ch. 10 §B(3)"), Step(LAST, 2, "Ch. 10 §B(3)"))
TURNED = (Step(BOARD, 3, "Ch. 11 §C(2)", is_turned=True), Step(BOARD, 5, "Ch. 11 §E(2)", is_turned=True))
SHOWDOWN = {
    DP: Step(DEALER, 3, "Ch. 11 §D(2)", is_turned=True),
    TF: Step(DEALER, 7, "Ch. 11 §B(4)", is_turned=True),
    UT: Step(DEALER, 2, "Ch. 11 §G(1)", is_turned=True),
}
SHOE, WAITS = "automated-shoe", (("dealer-cards", "in-shuffler"),)
EVERYBODY = (FIRST, LAST, DEALER)
WAYS = (
    Way(CO, "manual-shoe", (*colorado("§7"), *SHOWN), "manual-shoe"),
    Way(CO, "hand", (*colorado("§8"), *SHOWN), "hand"),
    Way(CO, "stacks", (*(Step(place, 3, "§9(c)") for place in (FIRST, LAST, BOARD)), *SHOWN), SHOE),
    Way(DP, "manual-shoe", (*passes(["Ch. 8 §D(2)"] * 3, *EVERYBODY), SHOWDOWN[DP]), "manual-shoe"),
    Way(DP, "hand", (*passes(["Ch. 9 §C(2)"] * 3, *EVERYBODY), SHOWDOWN[DP]), "hand"),
    Way(
        DP,
        "stacks",
        (
            Step(FIRST, 3, "Ch. 10 §B(1)"),
            Step(LAST, 3, "Ch. 10 §B(2)"),
            Step(DEALER, 3, "Ch. 10 §B(3)"),
            SHOWDOWN[DP],
        ),
        SHOE,
    ),
    Way(
        DP,
        "in-shuffler",
        (
            Step(FIRST, 3, "Ch. 10 §B(1)"),
            Step(LAST, 3, "Ch. 10 §B(2)"),
            Step(DEALER, 3, "Ch. 10 §B(4)", is_up=True),
        ),
        SHOE,
        WAITS,
    ),
    Way(TF, "manual-shoe", (*passes(["Ch. 8 §D(2)"] * 7, *EVERYBODY), SHOWDOWN[TF]), "manual-shoe"),
    Way(TF, "hand", (*passes(["Ch. 9 §B(1)"] * 7, *EVERYBODY), SHOWDOWN[TF]), "hand"),
    Way(TF, "stacks", (*(Step(place, 7, "Ch. 10 §B(1)") for place in EVERYBODY), SHOWDOWN[TF]), SHOE),
    Way(
        TF,
        "in-shuffler",
        (
            *(Step(place, 7, "Ch. 10 §B(1)") for place in (FIRST, LAST)),
            Step(DEALER, 7, "Ch. 11 §B(4)", is_up=True),
        ),
        SHOE,
        WAITS,
    ),
    Way(
        UT,
        "manual-shoe",
        (*passes(["Ch. 8 §D(2)"] * 2, *EVERYBODY), FLOP, LAST_TWO, SHOWDOWN[UT]),
        "manual-shoe",
    ),
    Way(UT, "hand", (*passes(["Ch. 9 §B(2)"] * 2, *EVERYBODY), *BURNS, SHOWDOWN[UT]), "hand"),
    Way(
        UT,
        "stacks",
        (Step(BOARD, 5, "Ch. 10 §B(2)"), Step(DEALER, 2, "Ch. 10 §B(3)"), *STACKS, *TURNED, SHOWDOWN[UT]),
        SHOE,
    ),
    Way(
        UT,
        "in-shuffler",
        (Step(BOARD, 5, "Ch. 10 §B(2)"), *STACKS, *TURNED, Step(DEALER, 2, "Ch. 11 §G(1)", is_up=True)),
        SHOE,
        WAITS,
    ),
    Way(
        UT,
        "box",
        (
            Step("box", 4, "Ch. 10 §B(1)"),
            Step(BOARD, 5, "Ch. 10 §B(2)"),
            Step(DEALER, 2, "Ch. 10 §B(3)"),
            *STACKS,
            *TURNED,
            SHOWDOWN[UT],
            Step("box", 4, "Ch. 11 §I(3)", is_turned=True),
        ),
        SHOE,
        wagers=(("six-card-bonus", "A"),),
    ),
)
EVERY = pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.game}-{way.name}")


def closed(new_table: NewTable, way: Way) -> ScenarioTable:
    """Return a table with three players, the second of whom has not wagered, and bets closed."""
    changes: dict[str, Any] = {"options": dict(way.options)} if way.options else {}
    changes |= {"wagers": dict(way.wagers)} if way.wagers else {}
    table = new_table(way.game, dealing=way.dealing, deck_hours=4, **changes).open(("alice", "bob", "carol"))
    table.begin()
    table.wager("alice")
    table.wager("carol")
    table.close_bets()
    return table


def try_otherwise(table: ScenarioTable, step: Step) -> None:
    """Check that nothing but the step that is due can be done: no other cards, none turned, nobody asked or paid."""
    other = "DealCards" if step.is_turned else "TurnCards"
    assert table.refused("dana", other)["clause"] == step.clause
    assert table.refused("dana", "Settle")["clause"]
    answer = {"seat": FIRST, "action": "check"}
    assert table.refused("alice", "Act", **answer)["clause"] == step.clause
    if not step.is_turned:
        table.read(step.cards - 1)  # one too few: the delivery is never split or put somewhere else
        assert table.refused("dana", "DealCards")["clause"] == step.clause


def answer_all(table: ScenarioTable) -> None:
    """Have every player act, and check that no card moves before the last one has."""
    while table.phase == "asking":
        for early in ("DealCards", "TurnCards", "Settle"):
            assert table.refused("dana", early)["clause"]
        table.least_answer()


@EVERY
def test_every_card_goes_where_its_clause_sends_it_and_nowhere_else(new_table: NewTable, way: Way) -> None:
    table = closed(new_table, way)
    for step in way.order:
        answer_all(table)
        if step.is_turned:
            table.confirm_first("TurnCards")
        try_otherwise(table, step)
        table.deal_one()
        last = table.entries("round.CardsTurned" if step.is_turned else "round.CardsDealt")[-1]
        assert (last.body["place"], last.clause) == (step.place, step.clause)
        if step.is_turned:
            assert last.body["count"] == step.cards
        else:
            assert (len(last.body["cards"]), last.body["face_up"]) == (step.cards, step.is_up)
    answer_all(table)
    assert table.phase == "settling", "no card but these is dealt"
    assert 2 not in table.live.play.cards, "whoever has not wagered is dealt nothing"
    dealt = [card["position"] for entry in table.entries("round.CardsDealt") for card in entry.body["cards"]]
    assert dealt == list(range(len(dealt))), "each card goes out in the order of the deck"
    while table.live.in_round:
        table.step()
    assert table.verified() is None
