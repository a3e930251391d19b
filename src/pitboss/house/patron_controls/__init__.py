"""Controls for patrons: exclusions, limits that players set, and hand pays."""
