"""Show the grid, its blocks on a multiprocessor, and what that holds."""
