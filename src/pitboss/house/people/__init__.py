"""People of the house: who they are, what each may do, how they sign in, and where two of them are needed."""
