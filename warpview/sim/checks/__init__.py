"""Checks that need the history of a launch: races between threads, by the order that synchronisation gives."""
