"""The printed packet of a Rules Submission: PDF, and every table of it as CSV and JSON."""
