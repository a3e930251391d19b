"""The 53 cards of Chapter 3: six characters, three colors of dragon, each copy a separate card."""

from pitboss.cards.deck import Card, Deck

COPIES = {"Dr": 3, "Db": 3, "Dg": 1, "Ph": 7, "Ti": 8, "Pa": 9, "Mo": 10, "Ra": 12}
TITLES = {
    "Dr": "red dragon",
    "Db": "blue dragon",
    "Dg": "gold dragon",
    "Ph": "phoenix",
    "Ti": "tiger",
    "Pa": "panda",
    "Mo": "monkey",
    "Ra": "rabbit",
}

DECK = Deck(
    name="dragon",
    cards=tuple(Card(f"{face}{copy}") for face, copies in COPIES.items() for copy in range(1, copies + 1)),
    titles=TITLES,
)
