"""Money and memory: the record of everything that happened, the ledger, progressives, people, tables that run."""
