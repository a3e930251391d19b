"""The types of the wire, one file for each area."""
