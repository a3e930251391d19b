"""HTTP routes, one file for each area of the page."""
