"""The event store: entries in hash chains, kept durably; it knows nothing of casinos."""
