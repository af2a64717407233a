"""Record the history of a multiprocessor, and put it back to any step."""
