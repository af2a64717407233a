"""Lessons, the first minute, hints."""
