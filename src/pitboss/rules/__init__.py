"""The words games are written in, and how an outcome becomes units and clauses."""
