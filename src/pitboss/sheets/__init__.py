"""How results show themselves: text at a prompt, tables in a notebook, data frames on request."""
