"""One migration per file, each named after its revision."""
