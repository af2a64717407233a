"""Show the instructions of a kernel, and what each costs."""
