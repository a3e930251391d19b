"""How results display: text at a prompt, tables in a notebook, data frames on request."""
