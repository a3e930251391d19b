"""Reports: projections of the record, updated entry by entry."""
