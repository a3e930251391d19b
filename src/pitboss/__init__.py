"""Casino table poker, by the book: deal it, price it, prove it."""

__version__ = "0.1.0"
