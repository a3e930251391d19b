"""The wire schemas, one file for each area."""
