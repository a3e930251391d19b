"""Duties that more than one rulebook asks for: the sentence, who does it and when; each game adds its own citation."""

from functools import partial

from pitboss.rules.procedure import (
    CLOSED,
    DEALER,
    DEALT,
    FLOORPERSON,
    FOLD,
    PAYING,
    PLAYER,
    SETTLED,
    WAGERED,
    Duty,
)

# A deck is received and opened.
cards_alike = partial(Duty, "alike", "Check that all cards in the deck look alike.", DEALER)
one_cover_card = partial(Duty, "cover-cards", "Check that one cover card came with the deck.", DEALER)
inspect_cards = partial(Duty, "inspect", "Inspect every card in the deck for defects.", DEALER)
verify_inspection = partial(Duty, "verify", "Verify the dealer's inspection.", FLOORPERSON)
fan_by_suit = partial(Duty, "spread", "Fan the deck face up by suit and in sequence.", DEALER)
look_over_spread = partial(Duty, "look", "Look over the spread cards.", PLAYER)
turn_down = partial(Duty, "turn", "Turn the cards face down.", DEALER)
wash_cards = partial(Duty, "wash", "Wash the cards.", DEALER)
stack_cards = partial(Duty, "stack", "Stack the cards.", DEALER)

# A table is idle.
gather_idle = partial(Duty, "idle-gather", "Take the cards out of the shoe and the discard rack.", DEALER)
look_over_idle = partial(Duty, "look", "Look over the cards.", PLAYER)

# Two decks take turns.
different_backs = partial(Duty, "other-back", "Use two decks with different back colors.", DEALER)

# Dealing from a manual shoe.
load_shoe = partial(Duty, "place-shoe", "Put the stacked deck in the dealing shoe.", DEALER)
draw_from_shoe = partial(
    Duty, "draw", "Draw each card with the hand nearest the shoe and place it with the other.", DEALER, moment=CLOSED
)
rack_shoe_stub = partial(
    Duty, "stub", "Take the stub from the shoe and rack it without exposing it, unless it must be counted.", DEALER
)

# Dealing by hand.
hold_deck = partial(Duty, "hold", "Hold the stacked deck in one hand.", DEALER)
keep_hand = partial(Duty, "same-hand", "Keep the deck in that hand for the whole round.", DEALER)
keep_over_tray = partial(Duty, "over-tray", "Keep the cards in front of you, over the chip tray.", DEALER)
draw_face_down = partial(
    Duty, "draw", "Take each card from the top with the other hand and place it face down.", DEALER, moment=CLOSED
)
rack_stub = partial(Duty, "stub", "Rack the stub without exposing it, unless it must be counted.", DEALER)

# Dealing from an automated shoe.
load_device = partial(Duty, "load-device", "Put the cards in the automated shoe.", DEALER)
leave_in_shuffler = partial(
    Duty,
    "hold-back",
    "Leave the dealer's cards in the shuffler until all players have acted.",
    DEALER,
    when="dealer-cards=in-shuffler",
    moment=CLOSED,
)

# Every dealing method, and the round.
no_more_bets = partial(Duty, "no-more-bets", 'Announce "no more bets".', DEALER, moment=WAGERED)
stay_seated = partial(Duty, "stay", "Stay seated until the round is over.", PLAYER)
examine_cards = partial(Duty, "examine", "Look at your cards only after all cards are dealt.", PLAYER, moment=DEALT)
own_hand = partial(Duty, "own-hand", "Play only your own hand.", PLAYER, moment=DEALT)
own_cards = partial(Duty, "own-cards", "Touch only your own cards. Only the dealer may help you.", PLAYER, moment=DEALT)
cards_in_view = partial(Duty, "in-view", "Keep your cards in full view of the dealer.", PLAYER, moment=DEALT)
rack_folded = partial(Duty, "fold-rack", "Rack a folded hand that has no live side wager.", DEALER, moment=FOLD)
announce_player = partial(
    Duty, "announce-player", "Announce each player's hand as it is settled.", DEALER, moment=PAYING
)
pick_up = partial(
    Duty, "pick-up", "Pick up the cards in order, so any hand can be reconstructed.", DEALER, moment=SETTLED
)
