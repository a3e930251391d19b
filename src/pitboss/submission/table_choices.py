"""Turns a submitted table into the choices and settings that a live table uses."""

from pitboss.rules.choices import Choices
from pitboss.rules.dealing import MANUAL_SHOE
from pitboss.rules.limits import Limits
from pitboss.submission.case import Case, case_of
from pitboss.submission.document import SubmittedTable
from pitboss.table.settings import READER, SHUFFLE, TableSettings

CARDS = {"reader": READER, "drawn": SHUFFLE}  # real cards, each read as it is drawn, or cards drawn by the program


def choices_for(table: SubmittedTable) -> Choices:
    """Return the choices of a table without faults."""
    return choices_of(_checked(table))


def settings_for(table: SubmittedTable) -> TableSettings:
    """Return the settings of a table without faults; real cards are read unless the table has none."""
    return settings_of(_checked(table))


def choices_of(case: Case) -> Choices:
    """Return the choices of a table with its game, with defaults for invalid choices."""
    before_deal = [wager for wager in case.offered if not wager.by_action]
    one_stake = [wager for wager in before_deal if case.takes_one_stake(wager)]
    return Choices(
        paytables={wager.name: letter for wager in case.offered if (letter := case.letter(wager))},
        options=case.options,
        amounts=case.amounts,
        offered=frozenset(wager.name for wager in case.offered),
        own_tables={
            wager.name: own
            for wager in case.offered
            if case.stated(wager).odds and (own := case.paytable(wager)) is not None
        },
        own_hands={wager.name: hand for wager in case.offered if (hand := case.stated(wager).hand)},
        limits={
            wager.name: Limits(case.minimum(wager), case.maximum(wager))
            for wager in before_deal
            if wager not in one_stake
        },
        stakes={wager.name: case.stake(wager) for wager in one_stake},
        steps={wager.name: case.step(wager) for wager in before_deal if wager not in one_stake},
        resets=_resets(case),
        envy=next((letter for wager in one_stake if (letter := case.stated(wager).envy)), None),
        instruments=frozenset(case.table.instruments),
        coupon_wagers=None if case.table.coupon_wagers is None else frozenset(case.table.coupon_wagers),
        coupon_most=case.table.coupon_maximum,
        dealing=case.table.dealing or MANUAL_SHOE,
        positions=case.positions,
    )


def settings_of(case: Case) -> TableSettings:
    """Return the settings of the table, with defaults for invalid choices."""
    table = case.table
    return TableSettings(
        game=case.game,
        choices=choices_of(case),
        shuffler=case.shuffler,
        decks=case.decks,
        cards=CARDS.get(table.cards or "", SHUFFLE if table.electronic or table.free_play else READER),
        electronic=table.electronic,
        free_play=table.free_play,
        deck_hours=table.deck_hours,
    )


def _checked(table: SubmittedTable) -> Case:
    case = case_of(table)
    assert case is not None, "only a table whose game is known has choices"
    return case


def _resets(case: Case) -> dict[str, int]:
    found: dict[str, int] = {}
    for wager in case.offered:
        if case.is_progressive(wager):
            found.update(case.by_meter(case.stated(wager).reset, case.meters(wager)))
    return found
