"""Which settings a table may have, and what wagers may be made with there."""

from dataclasses import replace

import pytest

from pitboss.games import catalogue
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, METHODS
from pitboss.rules.game import GameDefinition
from pitboss.table import check_instrument, new_table, settings_faults
from pitboss.table.settings import CONTINUOUS, COUNTING, PLAIN, SHUFFLE, TableSettings, UnsoundSettings, choices_for
from table.driver import settings_of


def clauses(settings: TableSettings) -> dict[str | None, str | None]:
    return {fault.field: fault.clause for fault in settings_faults(settings)}


@pytest.mark.parametrize("dealing", METHODS)
@pytest.mark.parametrize("shuffler", [PLAIN, COUNTING])
@pytest.mark.parametrize("decks", [1, 2])
def test_every_way_of_dealing_is_sound_with_a_shuffler(
    game: GameDefinition, dealing: str, shuffler: str, decks: int
) -> None:
    assert settings_faults(settings_of(game, dealing=dealing, shuffler=shuffler, decks=decks)) == ()


def test_two_decks_without_a_shuffler_are_a_fault_under_the_two_deck_clause(game: GameDefinition) -> None:
    assert clauses(settings_of(game, decks=2)) == {"decks": game.procedures.two_decks.cite}


@pytest.mark.parametrize("decks", [0, 3])
def test_a_table_has_one_deck_or_two(game: GameDefinition, decks: int) -> None:
    assert clauses(settings_of(game, decks=decks, shuffler=PLAIN)) == {"decks": game.procedures.two_decks.cite}


def test_dealing_from_the_hand_without_a_shuffler_is_a_fault(game: GameDefinition) -> None:
    assert clauses(settings_of(game, dealing=HAND)) == {"shuffler": game.procedures.hand_needs_shuffler_cite}


def test_an_electronic_table_needs_a_clause_that_allows_it(game: GameDefinition) -> None:
    faults = settings_faults(settings_of(game, electronic=True, cards=SHUFFLE))
    assert bool(faults) == (game.procedures.electronic_cite is None)
    assert all(fault.field == "electronic" for fault in faults)


def test_only_some_rulebooks_have_an_electronic_table() -> None:
    allowed = {game.procedures.electronic_cite is not None for game in catalogue.games()}
    assert allowed == {True, False}


def test_a_device_that_reshuffles_by_itself_needs_a_clause(game: GameDefinition) -> None:
    faults = clauses(settings_of(game, dealing=AUTOMATED_SHOE, shuffler=CONTINUOUS))
    allowed = game.procedures.shuffling.self_shuffling_cite is not None
    assert faults == ({} if allowed else {"shuffler": game.procedures.shuffling.device_cite})


def test_a_self_dealing_table_is_marked_free_play(game: GameDefinition) -> None:
    faults = settings_faults(settings_of(game, self_dealing=True))
    assert [fault.field for fault in faults] == ["free_play"]
    assert settings_faults(settings_of(game, self_dealing=True, free_play=True, cards=SHUFFLE)) == ()


def test_an_electronic_table_does_not_deal_by_itself() -> None:
    game = next(game for game in catalogue.games() if game.procedures.electronic_cite)
    faults = clauses(settings_of(game, electronic=True, self_dealing=True, free_play=True))
    assert faults == {"self_dealing": game.procedures.electronic_cite}


def test_cards_without_a_table_of_cards_need_an_electronic_table_or_free_play(game: GameDefinition) -> None:
    assert "cards" in clauses(settings_of(game, cards=SHUFFLE))
    assert "cards" not in clauses(settings_of(game, cards=SHUFFLE, free_play=True))


def test_all_faults_are_listed_at_once(game: GameDefinition) -> None:
    broken = TableSettings(
        game,
        Choices(dealing="catapult", instruments=frozenset({"cheque"})),
        shuffler="spoon",
        decks=2,
        cards="tarot",
        deck_hours=0,
    )
    assert set(clauses(broken)) == {"dealing", "instruments", "shuffler", "cards", "deck_hours"}
    with pytest.raises(UnsoundSettings, match=r"catapult.*cheque") as raised:
        new_table(broken)
    assert raised.value.faults == settings_faults(broken)


def test_an_operator_may_shorten_a_decks_hours_but_not_lengthen_them(game: GameDefinition) -> None:
    lawful = game.procedures.deck_hours
    for method in (MANUAL_SHOE, AUTOMATED_SHOE):
        longest = lawful.hours[method] if lawful else 100
        assert clauses(settings_of(game, dealing=method, deck_hours=longest)) == {}
        too_long = clauses(settings_of(game, dealing=method, deck_hours=longest + 1))
        assert too_long == ({"deck_hours": lawful.cites[method]} if lawful else {})


def test_chips_and_plaques_are_taken_and_verbal_cash_is_not(game: GameDefinition) -> None:
    settings = settings_of(game)
    instruments = game.procedures.instruments
    assert check_instrument(settings, "chips") is None
    assert check_instrument(settings, "plaques") is None
    for cash in ("cash", "verbal-cash"):
        refusal = check_instrument(settings, cash)
        assert refusal is not None
        assert refusal.clause == instruments.verbal_cash_cite
    unknown = check_instrument(settings, "shells")
    assert unknown is not None
    assert unknown.clause == instruments.allowed["chips"]


def test_coupons_and_other_instruments_only_where_the_submission_allows_them(game: GameDefinition) -> None:
    settings = settings_of(game)
    for name, clause in game.procedures.instruments.if_submitted.items():
        refusal = check_instrument(settings, name)
        assert refusal is not None
        assert (refusal.clause, refusal.field) == (clause, "instrument")
        allowed = replace(settings, choices=Choices(instruments=frozenset({name})))
        assert settings_faults(allowed) == ()
        assert check_instrument(allowed, name) is None


def test_some_games_may_take_more_than_chips_and_plaques() -> None:
    more = {name for game in catalogue.games() for name in game.procedures.instruments.if_submitted}
    assert {"match-play-coupon", "approved-instrument"} <= more


def test_a_wager_made_with_a_chip_takes_nothing_else(game: GameDefinition) -> None:
    settings = settings_of(game)
    for wager, clause in game.procedures.instruments.chips_only.items():
        assert check_instrument(settings, "chips", wager) is None
        refusal = check_instrument(settings, "plaques", wager)
        assert refusal is not None
        assert refusal.clause == clause


def test_a_change_of_dealing_drops_the_wagers_it_cannot_serve(game: GameDefinition) -> None:
    settings = settings_of(game, dealing=AUTOMATED_SHOE)
    assert choices_for(settings, AUTOMATED_SHOE) is settings.choices
    changed = choices_for(settings, MANUAL_SHOE)
    assert changed.dealing == MANUAL_SHOE
    bound = {wager.name for wager in game.wagers if wager.dealing == AUTOMATED_SHOE}
    assert changed.offered == settings.rules.offered - bound
