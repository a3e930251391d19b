"""Filings with the commission, and what tables and meters may do under them."""
