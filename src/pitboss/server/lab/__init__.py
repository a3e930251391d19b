"""The lab's worker processes."""
