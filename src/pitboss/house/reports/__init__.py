"""Reports: what the record comes to, kept up entry by entry."""
