"""The house's money: accounts, postings, transfers, chips and the books of a shift."""
