"""One step a file, each named after its revision."""
