"""Check the history of a launch for races between threads, by the order that synchronisation gives."""
