"""The people of the house: who they are, what each may do, how they sign in, and which commands take two of them."""
