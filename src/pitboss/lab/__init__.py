"""Mathematics for any game: expected values, strategy, simulation and distributions."""
