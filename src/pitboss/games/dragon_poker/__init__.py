"""Dragon Poker, by the Maryland standard rules."""
