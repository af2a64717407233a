"""Show the paths of a warp, and who waits at a barrier."""
