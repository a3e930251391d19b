"""What people rule on, which duty was broken, which reading was applied, and devices that fail."""

from dataclasses import replace

import pytest

from pitboss.round import legal_actions
from pitboss.round.commands import (
    ReportIrregularity,
)
from pitboss.round.events import (
    IrregularityRuled,
    RoundVoided,
    WagersReversed,
)
from round.irregular import (
    COLORADO,
    DRAGON,
    TOP,
    UTH,
    WRONG_NUMBER,
    asked,
    closed,
    every_game,
    finish,
)
from round.played import LEAST, table_of

# What no clause lists


@pytest.mark.parametrize("kind", ["misplaced-card", "other-misdeal"])
@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
@every_game
def test_people_rule_on_what_no_clause_lists(game: str, kind: str, ruling: str, outcome: str) -> None:
    table = closed(game)
    table.deal_on()
    said = ReportIrregularity(kind, ruling=ruling, ruled_by="floor 1")
    assert (table.refusal(said).clause, table.refusal(said).field) == ("G-18", "note")
    assert table.refusal(replace(said, note=" ")).field == "note"
    assert table.refusal(replace(said, note="x" * 501)).field == "note"
    assert "must rule" in table.refusal(replace(said, ruling=None, note="why")).reason
    ruled, *_ = table.do(replace(said, note="a card lay on the floor"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.clause, ruled.rests_on, ruled.note) == ("G-18", ("G-18",), "a card lay on the floor")
    finish(table)
    assert table.state.outcome == outcome
    assert table.state.deck == ("reshuffled" if outcome == "void" else "kept")


def test_a_community_card_exposed_early_is_ruled_on_where_there_are_community_cards() -> None:
    table = asked(UTH, dealing="automated-shoe")
    said = ReportIrregularity("community-card-exposed", ruling="void", ruled_by="floor 1", note="the turn was seen")
    table.do(said)
    assert table.state.outcome == "void"
    assert "no rule" in asked(TOP).refusal(said).reason
    flop = asked(UTH)
    assert "No community card is on the table" in flop.refusal(said).reason


@every_game
def test_a_deck_misdealt_and_short_voids_the_round_and_leaves_the_table(game: str) -> None:
    table = asked(game)
    ruled, *_ = table.do(ReportIrregularity("stub-count-misdealt-and-short"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.deck, ruled.rests_on) == ("void", "removed", ("G-18",))
    assert table.state.deck == "removed"


# Which duty a player broke


@pytest.mark.parametrize(
    ("limb", "clause"),
    [
        ("own-hand", "Ch. 11 §A(1)"),
        ("touched", "Ch. 11 §A(2)"),
        ("out-of-view", "Ch. 11 §A(3)"),
        ("talked", "Ch. 11 §A(4)"),
    ],
)
def test_a_violation_says_which_duty_was_broken(limb: str, clause: str) -> None:
    table = asked(TOP)
    for wrong in (None, "other"):
        refusal = table.refusal(ReportIrregularity("player-violation", 1, limb=wrong))
        assert (refusal.field, refusal.clause) == ("limb", "Ch. 11 §A(5)")
    ruled, *_ = table.do(ReportIrregularity("player-violation", 1, limb=limb))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.limb, ruled.limb_clause, ruled.clause) == (limb, clause, "Ch. 11 §A(5)")


def test_nobody_breaks_a_duty_about_cards_not_dealt_or_already_shown() -> None:
    table = closed(TOP)
    assert "no cards yet" in table.refusal(ReportIrregularity("player-violation", 1, limb="touched")).reason
    table.deal_until("asking")
    table.act("play")
    table.act("play")
    table.deal_until("settling")
    assert table.refusal(ReportIrregularity("player-violation", 1, limb="talked")).clause == "Ch. 11 §A(4)"
    table.do(ReportIrregularity("player-violation", 1, limb="touched"))


@every_game
def test_only_what_lists_limbs_takes_one(game: str) -> None:
    assert asked(game).refusal(ReportIrregularity("wrong-number-of-cards", limb="touched")).field == "limb"


# Readings are named where they were applied


def test_a_face_up_card_while_the_dealers_cards_wait_names_its_reading() -> None:
    table = closed(UTH, wagers={"trips": 100}, dealing="automated-shoe", options={"dealer-cards": "in-shuffler"})
    table.deal_until("asking")
    (ruled,) = table.do(ReportIrregularity("face-up-card", card=table.spare[-1]))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.clause, ruled.rests_on) == ("set-aside", "Ch. 13 §A", ("UT-30",))
    again, *_ = table.do(ReportIrregularity("face-up-card", card=table.spare[-2]))
    assert isinstance(again, IrregularityRuled)
    assert (again.remedy, again.clause, again.rests_on) == ("void", "Ch. 13 §B", ("UT-30",))


@pytest.mark.parametrize(("game", "reading"), [(UTH, "UT-28"), (TOP, "TF-18"), (DRAGON, "DP-15")])
def test_a_complete_deck_that_was_misdealt_names_its_reading(game: str, reading: str) -> None:
    table = asked(game)
    ruled, *_ = table.do(ReportIrregularity("stub-count-misdealt"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.rests_on, ruled.deck) == ((reading,), "reshuffled")


@every_game
def test_a_void_that_takes_something_back_names_its_reading(game: str) -> None:
    table = asked(game, 1, 2)
    table.act(legal_actions(table.state)[-1].name)
    ruled, *rest = table.do(ReportIrregularity("wrong-number-of-cards", seat=2))
    assert isinstance(ruled, IrregularityRuled)
    assert ("G-7" in ruled.rests_on) == any(isinstance(event, WagersReversed) for event in rest)


@pytest.mark.parametrize(
    "kind",
    [
        "dealer-card-exposed",
        "community-card-exposed",
        "wrong-number-of-cards",
        "player-violation",
        "player-left",
        "stub-count-misdealt",
        "stub-count-wrong",
    ],
)
@every_game
def test_what_needs_cards_on_the_table_cannot_be_reported_while_wagers_are_placed(game: str, kind: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game] | ({"trips": 100} if game == UTH else {}))
    refusal = table.refusal(ReportIrregularity(kind, 1, ruling="abandoned", ruled_by="floor 1"))
    known = kind in table.rules.game.irregularities or kind.startswith("stub")
    assert ("still being placed" in refusal.reason) == known
    assert refusal.clause != ""


@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
def test_a_floorperson_rules_on_an_exposed_community_card_in_colorado(ruling: str, outcome: str) -> None:
    table = asked(COLORADO)
    exposed = ReportIrregularity("community-card-exposed", card=table.state.cards["board"][0])
    assert table.refusal(exposed).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling=ruling)).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling="abandoned", ruled_by="floor 1")).clause == "CH-12"
    assert table.refusal(replace(exposed, ruling=ruling, ruled_by="floor 1")).field == "note"
    ruled, *_ = table.do(replace(exposed, ruling=ruling, ruled_by="floor 1", note="one card, seen by nobody"))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.ruling, ruled.ruled_by, ruled.clause, ruled.rests_on) == (ruling, "floor 1", "CH-12", ("G-18",))
    assert ruled.note == "one card, seen by nobody"
    finish(table)
    assert table.state.outcome == outcome
    assert table.state.deck == ("reshuffled" if outcome == "void" else "kept")


@pytest.mark.parametrize(("ruling", "outcome"), [("continue", "settled"), ("void", "void")])
def test_a_floorperson_rules_on_an_exposed_dealers_card_in_top_five(ruling: str, outcome: str) -> None:
    table = asked(TOP)
    exposed = ReportIrregularity("dealer-card-exposed", ruling=ruling, ruled_by="floor 1")
    assert table.refusal(exposed).field == "note"
    table.do(replace(exposed, note="seen by all"))
    finish(table)
    assert table.state.outcome == outcome


# Devices


@pytest.mark.parametrize("game", WRONG_NUMBER)
def test_a_shuffler_that_jams_on_the_other_deck_leaves_the_round_alone(game: str) -> None:
    table = asked(game)
    before = table.state
    (ruled,) = table.do(ReportIrregularity("shuffler-jam", other_deck=True))
    assert isinstance(ruled, IrregularityRuled)
    assert (ruled.remedy, ruled.deck) == ("goes-on", "reshuffled")
    assert table.state == before
    finish(table)
    assert (table.state.outcome, table.state.deck) == ("settled", "kept")


@pytest.mark.parametrize(
    ("game", "outcome", "clause"),
    [(UTH, "void", "Ch. 13 §H(2)"), (DRAGON, None, "Ch. 13 §F"), (COLORADO, None, "§14(e)")],
)
def test_a_shuffler_that_jams_before_the_deal(game: str, outcome: str | None, clause: str) -> None:
    table = table_of(game)
    table.place(1, LEAST[game])
    ruled, *_ = table.do(ReportIrregularity("shuffler-jam"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.clause == clause
    assert table.state.outcome == outcome


def test_a_floorperson_rules_on_a_jammed_shuffler_in_top_five() -> None:
    table = closed(TOP)
    assert table.refusal(ReportIrregularity("shuffler-jam")).clause == "TF-14"
    table.do(ReportIrregularity("shuffler-jam", ruling="void", ruled_by="floor 1", note="cards were torn"))
    assert table.state.outcome == "void"


SHOE = {UTH: "Ch. 13 §I(1)", TOP: "Ch. 13 §D", DRAGON: "Ch. 13 §G", COLORADO: "§14(f)"}


@every_game
def test_an_automated_shoe_that_jams_voids_the_round_until_the_last_card_is_out(game: str) -> None:
    table = closed(game, dealing="automated-shoe")
    table.deal_on()
    *_, void = table.do(ReportIrregularity("shoe-jam"))
    assert void == RoundVoided("reshuffled", SHOE[game])
    late = asked(game, dealing="automated-shoe")
    (ruled,) = late.do(ReportIrregularity("shoe-jam"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.remedy == "goes-on"
    finish(late)


@pytest.mark.parametrize("dealing", ["manual-shoe", "hand"])
@every_game
def test_no_automated_shoe_jams_where_none_is_used(game: str, dealing: str) -> None:
    table = closed(game, dealing=dealing)
    refusal = table.refusal(ReportIrregularity("shoe-jam"))
    assert refusal.clause == SHOE[game]
    assert "automated shoe" in refusal.reason


@pytest.mark.parametrize(("kind", "deck"), [("stub-count-misdealt", "reshuffled"), ("stub-count-wrong", "removed")])
@every_game
def test_a_wrong_stub_count_voids_and_says_what_happens_to_the_deck(game: str, kind: str, deck: str) -> None:
    table = asked(game)
    *_, void = table.do(ReportIrregularity(kind))
    count = table.rules.game.procedures.stub["manual-shoe"]
    clause = count.misdealt_cite if deck == "reshuffled" else count.wrong_cite
    assert void == RoundVoided(deck, clause)
    assert table.state.deck == deck


# What cannot be


@every_game
def test_an_irregularity_no_rulebook_names_is_refused(game: str) -> None:
    refusal = asked(game).refusal(ReportIrregularity("earthquake"))
    assert (refusal.clause, "no rule" in refusal.reason) == (None, True)


@every_game
def test_nothing_is_reported_once_the_round_is_over(game: str) -> None:
    table = asked(game)
    finish(table)
    assert "over" in table.refusal(ReportIrregularity("wrong-number-of-cards")).reason


@every_game
def test_an_unrequested_floor_ruling_is_not_recorded(game: str) -> None:
    table = closed(game)
    ruled, *_ = table.do(ReportIrregularity("card-drawn-in-error", ruling="void", ruled_by="floor 1"))
    assert isinstance(ruled, IrregularityRuled)
    assert ruled.remedy == "goes-on"
    assert ruled.ruling is None
