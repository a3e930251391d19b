"""An operator's Rules Submission: read, checked clause by clause, explained, compared and printed."""
