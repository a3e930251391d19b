"""The vocabulary game definitions are written in, and how an outcome becomes units and clauses."""
