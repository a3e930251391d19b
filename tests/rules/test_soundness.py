"""A definition that no table could run gets a list of everything that is wrong with it, field by field."""

from dataclasses import replace
from typing import Any

import pytest

from pitboss.games import game
from pitboss.rules.dealing import METHODS, Deal, Deliver
from pitboss.rules.paytable import paytable
from pitboss.rules.play import Action, Ask, Settle, Stakes
from pitboss.rules.settlement import BY_PAYTABLE, PAY, When
from pitboss.rules.soundness import UnsoundDefinition
from pitboss.rules.wager import Wager

DRAGON = game("dragon-poker")
ANTE = DRAGON.wagers[0]


def told(**changes: Any) -> list[str]:
    with pytest.raises(UnsoundDefinition) as unsound:
        replace(DRAGON, **changes)
    return [str(fault) for fault in unsound.value.faults]


def wagers(name: str, **changes: Any) -> tuple[Wager, ...]:
    return tuple(replace(wager, **changes) if wager.name == name else wager for wager in DRAGON.wagers)


def rows(name: str, *found: When) -> dict[str, tuple[When, ...]]:
    return {**DRAGON.settlement, name: found}


def play(*, without: type | None = None, extra: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    return (*(step for step in DRAGON.play if without is None or not isinstance(step, without)), *extra)


ASKED = Ask("more", (Action("all-in", "gone", "§1", stakes=Stakes("ante", 1, "blind"), when="x=y"),), "§1", "§1", "a=b")
MOVED = Deal("more", {"manual-shoe": (Deliver("kitty", 1, "§1", when="a=b"),), "by-foot": ()})


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"positions": replace(DRAGON.positions, most=20)}, "positions: A full table needs 63 cards, but the deck"),
        ({"wagers": (*DRAGON.wagers, ANTE)}, "wagers.ante: Two wagers have this name."),
        ({"wagers": wagers("dragon-bet", needs=("anty",))}, "wagers.dragon-bet.needs: There is no wager called 'anty'"),
        (
            {"wagers": wagers("dragon-bet", cells=("three-dragon",))},
            "There is no cell called 'three-dragons' among the wager's cells (nearest: 'three-dragon').",
        ),
        ({"wagers": wagers("ante-bonus", pays_on="ante")}, "wagers.ante-bonus.pays_on: A bonus that pays on another"),
        ({"wagers": wagers("play", pays_on="ante")}, "wagers.play.paytables: A bonus that pays on another"),
        (
            {
                "wagers": wagers(
                    "dragon-bet",
                    pays_on="ante",
                    by_action=True,
                    cells=("x",),
                    paytables=(paytable("A", "§1", {"x": "3 for 1"}),),
                )
            },
            'wagers.dragon-bet.paytables[A].x: This bonus has no stake to keep or return. Write odds such as "4 to 1"',
        ),
        ({"play": play(without=Settle)}, "play: There is no Settle step"),
        ({"play": play(extra=(ASKED,))}, "play.more.all-in.becomes: becomes must be undecided or played"),
        ({"play": play(extra=(ASKED,))}, "play.more.all-in.stakes.of: There is no wager called 'blind'"),
        ({"play": play(extra=(ASKED,))}, "play.more.all-in.stakes.wager: An action places 'ante'"),
        ({"play": play(extra=(ASKED,))}, "play.more.when: There is no option with the value 'a=b'."),
        ({"play": play(extra=(MOVED,))}, "play.more.moves: The dealing method 'hand' is missing."),
        ({"play": play(extra=(MOVED,))}, "play.more.moves: There is no dealing method called 'by-foot'"),
        ({"play": play(extra=(MOVED,))}, "play.more.manual-shoe: table_cards has no place called 'kitty'"),
        ({"cards_each": 4}, "cards_each: With 'manual-shoe' the play deals 3 cards to a seat. cards_each says 4."),
        ({"table_cards": {"dealer": 5}}, "table_cards.dealer: With 'hand' the play deals 3 cards, not 5."),
        ({"settlement": {}}, "settlement.ante: This wager has no rows"),
        ({"settlement": {**DRAGON.settlement, "anty": ()}}, "settlement.anty: There is no wager called 'anty'"),
        (
            {"settlement": rows("ante", When((), "win", "§1"))},
            "settlement.ante, row 1: A row's result must be one of lose, push",
        ),
        ({"settlement": rows("ante", When((), PAY, "§1"))}, "settlement.ante, row 1: PAY needs odds"),
        ({"settlement": rows("ante", When((), BY_PAYTABLE, "§1"))}, "settlement.ante, row 1: BY_PAYTABLE needs a"),
        ({"settlement": rows("ante", When(("a=b",), "lose", "§1"))}, "There is no option with the value 'a=b'"),
        (
            {"procedures": replace(DRAGON.procedures, dealing=dict.fromkeys(METHODS, ()))},
            "procedures.dealing['hand']: There are no duties. The first must put the deck where it is dealt from",
        ),
        ({"procedures": replace(DRAGON.procedures, dealing={})}, "procedures.dealing: No dealing method is named"),
        ({"procedures": replace(DRAGON.procedures, stub={})}, "procedures.stub['hand']: There is no stub count"),
    ],
)
def test_a_fault_names_its_field_and_what_is_wrong(changes: dict[str, Any], fault: str) -> None:
    assert any(fault in line for line in told(**changes)), told(**changes)


def test_all_faults_are_listed_at_once() -> None:
    found = told(settlement={}, cards_each=4, play=play(extra=(Deal("more", dict.fromkeys(METHODS, ())),)))
    assert {line.partition(":")[0] for line in found} >= {"cards_each", "settlement.ante", "settlement.play"}


def test_a_sound_definition_has_no_fault() -> None:
    assert replace(DRAGON, title="Another").title == "Another"
