"""Top Five Poker, by the Maryland standard rules."""
