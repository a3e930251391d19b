"""The house: live tables, money, progressives, people, compliance and reports, all on the event store."""
