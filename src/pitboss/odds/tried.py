"""Tests a game's readings on many deals: are suits interchangeable, and are cards alike that are declared alike?"""

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

from pitboss.cards.deck import SUITS, Card
from pitboss.odds.outcomes import NotCountable
from pitboss.rules.dealing import BOARD, BOX, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, SeatStatus
from pitboss.rules.reading import SeatCards, TableCards

RANDOM_DEALS = 600
ONE_SUIT_MOST = 3000  # deals of one suit that are tested in the others
EVERY_HAND_MOST = 30_000  # up to this many hands of a player, each is tested
CHANGES = tuple(dict(zip(SUITS, changed, strict=True)) for changed in permutations(SUITS) if changed != tuple(SUITS))


class _Deal(NamedTuple):
    own: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]
    box: tuple[Card, ...]


@lru_cache(maxsize=16)
def suits_read_alike(rules: RulesInForce, wagers: tuple[str, ...]) -> bool:
    """Return whether no suit permutation changed a reading; raise an error if no solution could be trusted."""
    chance = random.Random(rules.game.name)
    _check_order(rules, wagers, chance)
    _check_alike(rules, wagers, chance)
    deck = rules.game.deck
    has_suits = all(len(card) == 2 and card[1] in SUITS for card in deck.cards)
    if not has_suits or not rules.game.readings.suits_alike:
        return False
    return all(
        _read(rules, wagers, _in_suits(deal, change or chance.choice(CHANGES))) == _read(rules, wagers, deal)
        for deal, change in _tries(rules, chance)
    )


def _tries(rules: RulesInForce, chance: random.Random) -> Iterator[tuple[_Deal, dict[str, str] | None]]:
    deck, sizes = rules.game.deck, _sizes(rules)
    for _ in range(RANDOM_DEALS):
        yield _dealt(chance.sample(deck.cards, sum(sizes)), sizes), None
    # Readings that name a suit are rare and mostly concern hands of one suit, so all of those are tested.
    own = sizes[0]
    seen = own + sizes[2]
    of_one_suit = [card for card in deck.cards if card[1] == SUITS[0]]
    for cards in _some(list(of_one_suit), seen, chance):
        others = [card for card in deck.cards if card not in cards]
        chance.shuffle(others)
        mixed = list(cards)
        chance.shuffle(mixed)
        deal = _dealt([*mixed[:own], *others[: sizes[1]], *mixed[own:], *others[sizes[1] : sizes[1] + sizes[3]]], sizes)
        for suit in SUITS[1:]:
            yield deal, {SUITS[0]: suit, suit: SUITS[0]}
    for cards in _some(list(of_one_suit), sizes[1], chance) if sizes[1] else ():
        others = chance.sample([card for card in deck.cards if card not in cards], sum(sizes) - sizes[1])
        deal = _dealt([*others[:own], *cards, *others[own:]], sizes)
        for suit in SUITS[1:]:
            yield deal, {SUITS[0]: suit, suit: SUITS[0]}
    if comb(len(deck), own) <= EVERY_HAND_MOST:
        for cards in combinations(deck.cards, own):
            held = set(cards)
            others = chance.sample([card for card in deck.cards if card not in held], sum(sizes) - own)
            yield _dealt([*cards, *others], sizes), None


def _some(cards: list[Card], size: int, chance: random.Random) -> Iterator[tuple[Card, ...]]:
    if size > len(cards):
        return
    if comb(len(cards), size) <= ONE_SUIT_MOST:
        yield from combinations(cards, size)
        return
    for start in range(len(cards) - size + 1):
        yield tuple(cards[start : start + size])  # in sequence, which random deals would hardly produce
    for _ in range(ONE_SUIT_MOST):
        yield tuple(chance.sample(cards, size))


def _check_order(rules: RulesInForce, wagers: tuple[str, ...], chance: random.Random) -> None:
    for _ in range(RANDOM_DEALS // 3):
        deal = _dealt(chance.sample(rules.game.deck.cards, sum(_sizes(rules))), _sizes(rules))
        turned = _Deal(*(tuple(reversed(part)) for part in deal))
        if _read(rules, wagers, deal) != _read(rules, wagers, turned):
            raise NotCountable(
                f"{rules.game.title} reads cards in the order they were dealt, but the general solver ignores that"
                " order. Add an exact.py to the game's folder."
            )


def _check_alike(rules: RulesInForce, wagers: tuple[str, ...], chance: random.Random) -> None:
    for cards in rules.game.readings.alike:
        for _ in range(RANDOM_DEALS):
            deal = _dealt(chance.sample(rules.game.deck.cards, sum(_sizes(rules))), _sizes(rules))
            shuffled = list(cards)
            chance.shuffle(shuffled)
            to = dict(zip(cards, shuffled, strict=True))
            other = _Deal(*(tuple(to.get(card, card) for card in part) for part in deal))
            if _read(rules, wagers, deal) != _read(rules, wagers, other):
                raise NotCountable(
                    f"{rules.game.title} declares that {cards[0]} and {len(cards) - 1} other cards read alike, but"
                    f" {' '.join(deal.own)} and {' '.join(other.own)} do not."
                )


def _read(rules: RulesInForce, wagers: tuple[str, ...], deal: _Deal) -> list[Any]:
    # The announced name of a hand may well name a card; only what settles wagers is compared.
    readings, options = rules.game.readings, rules.options
    table = TableCards(deal.dealer, deal.board, deal.box)
    dealer = readings.dealer(table, options)
    found: list[Any] = [(dealer.value, dealer.qualifies)]
    for status, discards in _statuses(rules):
        for discard in deal.own if discards else (None,):
            seat = SeatCards(deal.own, status, discard)
            reading = readings.seat(table, dealer, seat, options, wagers)
            found.append((status, sorted(reading.facts), [reading.cells.get(wager) for wager in wagers]))
    if any(discards for _, discards in _statuses(rules)):
        found[1:] = sorted(found[1:], key=repr)  # a discard has no place of its own once suits are changed
    return found


@lru_cache(maxsize=16)
def _statuses(rules: RulesInForce) -> tuple[tuple[SeatStatus, bool], ...]:
    found = dict.fromkeys(
        (action.becomes, action.discards)
        for actions in rules.actions.values()
        for action in actions.values()
        if action.becomes != UNDECIDED
    )
    return tuple(found) or ((UNDECIDED, False),)


def _sizes(rules: RulesInForce) -> tuple[int, int, int, int]:
    at = rules.game.table_cards
    return rules.game.cards_each, at.get(DEALER, 0), at.get(BOARD, 0), at.get(BOX, 0)


def _dealt(cards: list[Card], sizes: tuple[int, int, int, int]) -> _Deal:
    parts, at = [], 0
    for size in sizes:
        parts.append(tuple(cards[at : at + size]))
        at += size
    return _Deal(*parts)


def _in_suits(deal: _Deal, change: dict[str, str]) -> _Deal:
    return _Deal(*(tuple(Card(card[0] + change.get(card[1], card[1])) for card in part) for part in deal))
