"""Counting machinery: compiled evaluators, enumeration, suit symmetry and random streams."""
