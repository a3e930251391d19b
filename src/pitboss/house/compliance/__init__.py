"""What was filed with the commission, and what tables and meters may do under it."""
