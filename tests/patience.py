"""How long a test waits for what must come: long enough beside busy cores, and no longer than a fault should take."""

WAIT_S = 240.0
