"""Hold the window's position in a run, and move it by keys."""
