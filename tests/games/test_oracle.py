"""Random hands settled a second time by a plain reading of each rulebook, sharing no code with the definitions."""

import json
import random
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.slow_poker import FACES, ORDER, Hand, best_by_definition
from pitboss.cards.deck import face
from pitboss.games import catalogue
from pitboss.round.finished import settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from round.played import MANY, random_order, random_stakes

PRINTED = Path(__file__).with_name("paytables")
METERS = {"meter": 5_000_019, "mega": 5_000_023, "major": 300_007, "minor": 70_003}
Nets = dict[str, int]


@dataclass
class Case:
    """One seat's hand as the oracle sees it."""

    cards: Hand
    discard: str | None
    status: str
    stakes: dict[str, int]
    dealer: Hand
    board: Hand
    box: Hand
    letters: dict[str, str]
    options: dict[str, str]
    odds: dict[str, dict[str, dict[str, str]]]  # as printed: wager, letter, hand

    def pay(self, wager: str, *hands: str, letter: str | None = None, missing: str = "lose") -> int:
        """Return the net of the first of these hands that the wager's table prints."""
        table = self.odds[wager][letter or self.letters[wager]]
        odds = next((table[hand] for hand in hands if hand in table), missing)
        return worth(odds, self.stakes[wager])


def worth(odds: str, stake: int) -> int:
    if odds in ("lose", "push"):
        return -stake if odds == "lose" else 0
    if odds.startswith("$"):
        return int(odds[1:].replace(",", "")) * 100
    if "%" in odds:
        percent, _, _, meter = odds.split()
        return METERS[meter] * int(percent) // 100 - stake
    win, word, per = odds.replace(",", "").split()
    paid = stake * int(win) // int(per)
    return paid - stake if word == "for" else paid


def name(ranked: tuple[int, tuple[int, ...]]) -> str:
    return ORDER[ranked[0]].replace("-", " ")


def compared(player: Any, dealer: Any) -> int:
    return (player > dealer) - (player < dealer)


def hold_em(case: Case) -> Nets:
    player, dealer = best_by_definition(case.cards + case.board), best_by_definition(case.dealer + case.board)
    order = compared(player, dealer)
    nets: Nets = {}
    ante = case.stakes["ante"]
    if case.status == "folded":
        nets |= {"ante": -ante, "blind": -ante}
    else:
        nets["ante"] = 0 if dealer[0] == 0 else order * ante
        below = "less than a straight"
        nets["blind"] = case.pay("blind", name(player), below) if order > 0 else order * ante
        nets["play"] = order * case.stakes["play"]
    if "trips" in case.stakes:
        nets["trips"] = case.pay("trips", name(player))
    if "six-card-bonus" in case.stakes:
        nets["six-card-bonus"] = case.pay("six-card-bonus", *six_card_hands(case.cards + case.box))
    if "ultimate-pairs" in case.stakes:
        nets["ultimate-pairs"] = case.pay("ultimate-pairs", *first_two(case.cards, case.dealer))
    if "bad-beat" in case.stakes:
        beaten = (
            [] if order == 0 or (order > 0 and case.options["bad-beat-pays"] == "player") else [min(player, dealer)]
        )
        folded = case.status == "folded" and case.options["bad-beat-on-fold"] == "loses"
        nets["bad-beat"] = case.pay("bad-beat", *([] if folded else map(name, beaten)))
    if "play-the-board" in case.stakes:
        board = best_by_definition(case.board)
        tens = ["pair of tens or better"] if board[0] == 1 and board[1][0] >= FACES.index("T") else []
        nets["play-the-board"] = case.pay("play-the-board", *tens, *([name(board)] if board[0] > 1 else []))
    if "progressive" in case.stakes:
        five = case.board[:3] if case.options["progressive-hand"] == "hole-and-flop" else case.board
        hand = name(best_by_definition(case.cards + five))
        nets["progressive"] = progressive(case, hand)
    return nets


def progressive(case: Case, hand: str) -> int:
    letter, stake = case.letters["progressive"], case.stakes["progressive"]
    odds = case.odds["progressive"][letter].get(hand, "lose")
    if letter == "A" and case.options["progressive-odds"] == "to":
        return worth(odds, stake) + (stake if "%" in odds else 0)
    return worth(odds.replace(" to ", " for "), stake)


def six_card_hands(six: Hand) -> list[str]:
    hands = [name(best_by_definition(six))]
    if {card[0] for card in six} == set("9TJQKA") and len({card[1] for card in six}) == 1:
        diamonds = six[0][1] == "d"
        hands = [
            "super royal of diamonds" if diamonds else "super royal of hearts, spades or clubs",
            "super royal",
            *hands,
        ]
    return hands


def first_two(hole: Hand, dealer: Hand) -> list[str]:
    high, low = sorted((FACES.index(card[0]) for card in hole), reverse=True)
    ace, king, jack = 12, 11, 9
    if high == low == ace:
        hands = ["pair of aces"]
        if {card[1] for card in hole} == {"h", "d"}:
            hands.insert(0, "player aces of hearts and diamonds")
        if all(card[0] == "A" for card in dealer):
            hands.insert(0, "player aces and dealer aces")
        return hands
    if high == low:
        return ["pair of jacks, queens or kings" if high >= jack else "pair of tens or lower"]
    if high == ace and low >= jack:
        suited = "suited" if hole[0][1] == hole[1][1] else "offsuit"
        return [f"ace and king {suited}" if low == king else f"ace and queen or jack {suited}"]
    return []


def top_five(case: Case) -> Nets:
    def counted(cards: Hand) -> tuple[int, Any]:
        kept = tuple(card for card in cards if card[0] in "TJQKA")
        return len(kept), best_by_definition(kept) if kept else (0, ())

    player, dealer = counted(case.cards), counted(case.dealer)
    queen_jack = (2, best_by_definition(("Qs", "Jd")))
    order = compared(player, dealer)
    ante = case.stakes["ante"]
    nets = {"ante": -ante}
    if case.status != "folded":
        nets = {"ante": 0 if dealer < queen_jack else order * ante, "play": order * ante}
    if "top-five-bonus" in case.stakes:
        words = ("", "", "", "", "four cards", "five cards", "six cards", "seven cards")
        nets["top-five-bonus"] = case.pay("top-five-bonus", words[player[0]])
    if "poker-bonus" in case.stakes:
        made = player[1]
        high_pair = made[0] == 1 and made[1][0] >= FACES.index("K")
        nets["poker-bonus"] = case.pay("poker-bonus", "pair of aces or kings" if high_pair else name(made))
    return nets


CHARACTERS = ("rabbits", "monkeys", "pandas", "tigers", "phoenix", "dragons")
KIND = {"Ra": 0, "Mo": 1, "Pa": 2, "Ti": 3, "Ph": 4, "Dr": 5, "Db": 5}


def dragon_hand(faces: list[str]) -> tuple[int, ...]:
    if "Dg" in faces:
        rest = [face for face in faces if face != "Dg"]
        return max(dragon_hand([*rest, wild]) for wild in ("Ra", "Mo", "Pa", "Ti", "Ph", "Dr"))
    kinds = sorted((KIND[face] for face in faces), reverse=True)
    same = [kind for kind in set(kinds) if kinds.count(kind) > 1]
    if not same:
        return (0, *kinds)
    if kinds.count(same[0]) == 3:
        return 2, same[0]
    return 1, same[0], next(kind for kind in kinds if kind != same[0])


def dragon(case: Case) -> Nets:
    faces = [card[:2] for card in case.cards]
    player, dealer = dragon_hand(faces), dragon_hand([card[:2] for card in case.dealer])
    order = compared(player, dealer)
    ante = case.stakes["ante"]
    hands: list[str] = []
    if player[0] == 2:
        hands = [f"three {CHARACTERS[player[1]]}", "trips"]
    elif player[0] == 1:
        hands = [f"pair of {CHARACTERS[player[1]]}", *(["pair of pandas or better"] if player[1] >= 2 else [])]
    nets = {"ante": -ante, "ante-bonus": -ante}
    if case.status != "folded":
        nets = {"ante": order * ante, "play": order * ante, "ante-bonus": order * ante}
        if order > 0:
            nets["ante-bonus"] = case.pay("ante-bonus", *hands, "winning hand")
    if "three-card-bonus" in case.stakes:
        nets["three-card-bonus"] = case.pay("three-card-bonus", *hands)
    if "dragon-bet" in case.stakes:
        nets["dragon-bet"] = case.pay("dragon-bet", *dragon_bet(faces, case.options), letter="A")
    return nets


def dragon_bet(faces: list[str], options: dict[str, str]) -> list[str]:
    dragons = [face for face in faces if face[0] == "D"]
    gold = "Dg" in dragons
    if dragons == ["Dr"] * 3:
        return ["three red dragons"]
    if dragons == ["Db"] * 3:
        return ["three blue dragons"]
    if len(dragons) == 3:
        return ["three dragons with gold dragon"] if gold else ["three dragons"]
    if len(dragons) == 2 and not (gold and options["gold-with-one-dragon"] == "gold"):
        return ["pair of dragons"]
    return ["gold dragon"] if gold else []


def colorado(case: Case) -> Nets:
    version = case.options["version"]
    required = version == "required-bet"
    ante = case.stakes["ante"]
    tables = case.odds[version]

    def pays(wager: str, hand: str) -> int:
        return worth(tables[wager].get(hand, "lose"), case.stakes[wager])

    if case.status == "folded":
        bonus = 0 if case.options["bonus-on-fold"] == "returned" else -100
        return {"ante": -ante} | ({"bonus": bonus} if "bonus" in case.stakes else {})
    if case.status == "declared":
        instant = instant_winner(case)
        wrong = 0 if case.options["bonus-on-wrong-declaration"] == "returned" else -100
        bonus = pays("bonus", instant) if instant and "bonus" in case.stakes else wrong
        main = pays("ante", instant) if instant else -ante
        return {"ante": main} | ({"bonus": bonus} if "bonus" in case.stakes else {})
    made = best_by_definition(tuple(card for card in case.cards if card != case.discard) + case.board)
    pair = FACES[made[1][0]] if made[0] == 1 else ""
    pushes = "789" if required else "9" + ("T" if case.options["permissible-tens"] == "push" else "")
    nets: Nets = {}
    for wager in ("ante", "bet"):
        if wager in case.stakes:
            hand = "pair of tens, jacks, queens, kings or aces" if pair and pair in "TJQKA" else name(made)
            nets[wager] = 0 if pair and pair in pushes else pays(wager, hand)
    if "bonus" in case.stakes:
        nets["bonus"] = pays("bonus", "pair of jacks or better" if pair and pair in "JQKA" else name(made))
    return nets


def instant_winner(case: Case) -> str:
    ranks = sorted(FACES.index(card[0]) for card in case.cards)
    if len(set(ranks)) == 1:
        return "three of a kind (instant winner)"
    consecutive = ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
    if ranks == [0, 1, 12]:
        consecutive = case.options["ace-low-three-card"] == "yes"
    suited = len({card[1] for card in case.cards}) == 1
    return "three-card straight flush (instant winner)" if suited and consecutive else ""


ORACLES: dict[str, Callable[[Case], Nets]] = {
    "ultimate-texas-holdem": hold_em,
    "top-five-poker": top_five,
    "dragon-poker": dragon,
    "colorado-holdem": colorado,
}


def printed(game: str) -> dict[str, dict[str, dict[str, str]]]:
    with (PRINTED / f"{game}.toml").open("rb") as file:
        read = tomllib.load(file)
    return {
        first: {second: {line["hand"]: line["odds"] for line in lines.values()} for second, lines in inner.items()}
        for first, inner in read.items()
    }


ODDS = {game: printed(game) for game in ORACLES}


def random_case(game: str, chance: random.Random) -> tuple[RulesInForce, Case, dict[str, Any]]:
    definition = catalogue.game(game)
    letters = {wager.name: chance.choice(wager.letters) for wager in definition.wagers if wager.letters}
    options = {option.name: chance.choice(option.values) for option in definition.options}
    rules = RulesInForce(definition, Choices(paytables=letters, options=options, dealing="automated-shoe"))
    order = random_order(definition, chance)

    def take(count: int) -> Hand:
        return tuple(order.pop() if chance.random() < 0.1 else order.pop(0) for _ in range(count))

    places = {place: take(count) for place, count in definition.table_cards.items()}
    cards = take(definition.cards_each)
    stakes = random_stakes(rules, chance)
    actions: list[str] = []
    status, discard, all_stakes = "undecided", None, dict(stakes)
    for ask in rules.asks:
        if status != "undecided":
            break
        action = chance.choice(list(rules.actions[ask.name].values()))
        actions.append(action.name)
        status = action.becomes
        if action.discards:
            discard = chance.choice(cards)
            actions.append(f"discard {discard}")
        if action.stakes:
            times = re.search(r"(\d)x", action.name)
            all_stakes[action.stakes.wager] = stakes["ante"] * int(times[1] if times else 1)
    case = Case(
        cards,
        discard,
        status,
        all_stakes,
        places.get("dealer", ()),
        places.get("board", ()),
        places.get("box", ()),
        letters,
        options,
        ODDS[game],
    )
    hand: dict[str, Any] = {place: [face(card) for card in held] for place, held in places.items()}
    row = {"seat": 1, "cards": [face(card) for card in cards], "wagers": stakes, "actions": actions}
    hand["seats"] = [row]
    if definition.progressive and "progressive" in rules.paytables:
        hand["meters"] = {meter: METERS[meter] for meter in rules.paytables["progressive"].meters}
    return rules, case, hand


@pytest.mark.parametrize("game", list(ORACLES))
@given(seed=st.integers(0, 2**20))
@MANY
def test_hands_settle_as_a_plain_reading_of_the_rulebook_settles_them(game: str, seed: int) -> None:
    rules, case, hand = random_case(game, random.Random(f"{game} {seed}"))
    result = settle_hand(rules, json.loads(json.dumps(hand)))
    assert not isinstance(result, Refusal), result
    (seat,) = result["seats"]
    assert {wager: row["net"] for wager, row in seat["wagers"].items()} == ORACLES[game](case)
