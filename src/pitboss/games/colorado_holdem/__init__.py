"""Colorado Hold 'Em, by the Massachusetts rules of the game."""
