"""A live table: the cards, play, seats and chips of one table as one fold of its entries."""
