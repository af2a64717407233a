"""Where the window stands in a run, and how keys move it."""
