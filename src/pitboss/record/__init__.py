"""The event store: hash-chained entries in durable streams, with no knowledge of casinos."""
