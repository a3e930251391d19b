"""What a mathematician asks: worth, strategy, simulation and distributions, for any game."""
