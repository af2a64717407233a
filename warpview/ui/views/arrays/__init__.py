"""Show arrays of global and shared memory as pictures."""
