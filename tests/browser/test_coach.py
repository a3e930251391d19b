"""The coach beside the felt: a plain reason in each game, with the figures that the lab counts."""

import json
from collections.abc import Callable, Mapping, Sequence

import pytest
from playwright.sync_api import expect

from browser.dealt import Place, stacked
from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game_names
from pitboss.lab.practice import reason_of
from pitboss.rules.dealing import BOARD
from pitboss.server.demonstration import demo_documents
from pitboss.server.table_documents import read_terms

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
WARM_MS = 300_000  # where nothing was compiled before
SLOW = {"wagers_ms": 60_000, "decision_ms": 600_000, "step_ms": 30, "between_rounds_ms": 60_000}


def cards(*faces: str) -> list[Card]:
    """Return the cards of these faces."""
    return [Card(face) for face in faces]


# The cards, how the player comes to the decision, and what the coach says of it.
HANDS: Mapping[str, tuple[Mapping[Place, Sequence[Card]], Sequence[str], str]] = {
    "ultimate-texas-holdem": (
        {1: cards("2c", "3h"), BOARD: cards("Kd", "Qc", "9h", "8s", "5d")},
        ("check", "check"),
        "The dealer beats you with 35 of the 45 unseen cards",
    ),
    "top-five-poker": ({1: cards("7c", "6c", "3c", "Ad", "Jh", "7d", "5c")}, (), "If you play, you win in"),
    "dragon-poker": ({1: cards("Ti1", "Pa1", "Mo2")}, (), "If you play, you win in"),
    "colorado-holdem": ({1: cards("9s", "Ad", "6h")}, (), "If you bet, you win in"),
}


@pytest.mark.parametrize("table", game_names())
def test_the_coach_says_in_plain_words_why(
    table: str, staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    held_and_board, answers, begins = HANDS[table]
    rules = read_terms(demo_documents()[table]).settings.rules
    follows = {wager.name: 10_00 for wager in rules.game.wagers if wager.required}
    stage = staged([table], pace=SLOW)
    stage.stacked = stacked(demo_documents()[table], {1: follows}, held_and_board)
    visitor = visit(stage, "alice")
    kept = json.dumps(json.dumps({"coach": True}))
    visitor.context.add_init_script(f"localStorage.setItem('pitboss.preferences', {kept})")
    alice = Seated(visitor, table, 1)
    alice.bet({wager.name: 10_00 for wager in rules.game.wagers if wager.required and wager.equals is None})
    for answer in answers:
        alice.act(answer)
    coach = alice.page.get_by_role("region", name="Coach")
    reason = coach.get_by_test_id("quoted").get_by_role("paragraph").first
    expect(reason).to_contain_text(begins, timeout=WARM_MS)
    seen: set[Card] = set()
    faces = [[card[:2] for card in held_and_board.get(place, ())] for place in (1, BOARD)]
    held, shown = (rules.game.deck.pick(tuple(place), seen) for place in faces)
    counted = reason_of(rules, held, shown)
    assert counted is not None
    expect(reason).to_have_text(counted)
    move = counted.rpartition(", so ")[2].rstrip(".")
    expect(coach.locator("li.best .action").first).to_contain_text(move)
