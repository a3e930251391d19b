"""Ultimate Texas Hold 'Em, by the Maryland standard rules."""
