"""A table that runs: cards, play, seats and chips of one table as one fold of its entries."""
