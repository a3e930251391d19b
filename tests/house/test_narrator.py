"""Each step of a round is a sentence, and it names only the cards that its reader may see."""

from collections.abc import Iterator

import pytest

from house.floors import run
from house.test_replay import played, reading_of
from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from pitboss.house.narrator import Narrator, cited, of_entry, words_of
from pitboss.house.replay import Step, replay_recorded, rounds_of
from pitboss.record.entries import Entry
from pitboss.round.events import CardsDealt, CardsTurned, IrregularityRuled, WagerResult, WagersReversed, WagersSettled
from pitboss.rules.settlement import LOSE, PUSH, WIN


def steps(name: str) -> Iterator[Step]:
    floor = run(played(name, 4))
    for round_id in rounds_of(floor.store.read("table/t"), 4):
        yield from replay_recorded(floor.store, round_id, reading_of(floor)).steps


def spelled(cards: tuple[str, ...]) -> str:
    return f"<{' '.join(cards)}>"


@pytest.mark.parametrize("name", game_names())
def test_a_reader_is_told_the_cards_they_may_see_and_no_others(name: str) -> None:
    kinds: set[str] = set()
    for step in steps(name):
        kinds.add(step.entry.kind)
        rules = step.play.rules
        counting, seeing = Narrator(rules).tell(*step), Narrator(rules, spelled).tell(*step)
        opening = Narrator(rules, spelled, opens_cards=True).tell(*step)
        assert counting[0].isupper() or counting[0] in "+-0123456789", counting
        assert not counting.endswith("."), "who shows a sentence ends it"
        assert "<" not in counting
        if isinstance(step.event, CardsDealt):
            cards = spelled(tuple(map(face, step.event.cards)))
            assert (cards in seeing) == step.event.face_up
            assert cards in opening
        elif isinstance(step.event, CardsTurned):
            assert "<" in seeing
            assert seeing == opening
        else:
            assert "<" not in seeing
    expected = {"house.RoundBegun", "round.CardsDealt", "round.CardsTurned", "round.WagersSettled", "house.RoundEnded"}
    assert expected <= kinds


@pytest.mark.parametrize("name", game_names())
def test_results_say_what_each_wager_brought_and_their_sum(name: str) -> None:
    step = next(steps(name))
    narrator, titles = Narrator(step.play.rules), {wager.name: wager.title for wager in step.play.rules.game.wagers}
    first, second, third = list(titles)[:3]
    results = tuple(
        WagerResult(wager, 10_00, how, net, None, "§1", None)
        for wager, how, net in ((first, WIN, 10_00), (second, PUSH, 0), (third, LOSE, -5_50))
    )
    assert narrator.of_play(WagersSettled(2, "a straight", results), step.play) == (
        f"Seat 2 is settled with a straight: {titles[first]} wins +$10, {titles[second]} pushes, "
        f"{titles[third]} loses -$5.50; total +$4.50"
    )
    assert narrator.of_play(WagersReversed(2, results[:1], 0, "§1"), step.play) == (
        f"Seat 2's results are reversed: {titles[first]} wins +$10"
    )
    ruled = IrregularityRuled("face-up-card", "void-round", 2, None, "void", "flo", "deck-1", (), None, "§1")
    assert narrator.of_play(ruled, step.play) == "Irregularity at seat 2, face up card: void round, ruled void by flo"


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("house.DisputeReported", {"seats": [2, 3]}, "dee reports a dispute at seats 2, 3; the next round waits"),
        ("house.Declined", {"has_lapsed": True}, "The request expired or was replaced"),
        ("house.Declined", {"reason": "no need"}, "dee declines the request: no need"),
        ("house.ContributionPaid", {"cents": -50, "progressive": "p"}, "-$0.50 to the progressive p"),
        (
            "house.IrregularityReported",
            {"irregularity": "player-left", "seat": 4, "note": "ran off"},
            "dee reports player left at seat 4, ran off; the table is on hold",
        ),
        ("table.DeckShuffled", {}, "Deck shuffled"),
    ],
)
def test_an_entry_that_is_no_event_of_play_is_a_sentence_too(kind: str, body: dict[str, object], said: str) -> None:
    entry = Entry(*("",) * len(Entry._fields))._replace(kind=kind, body=body, actor="dee")
    assert of_entry(entry) == said


def test_who_shows_a_sentence_adds_its_clause() -> None:
    assert cited("No more bets", "Ch. 7 §D") == "No more bets (Ch. 7 §D)."
    assert cited("The round begins", None) == "The round begins."
    assert words_of("CountDeckAgain") == "Count deck again"
