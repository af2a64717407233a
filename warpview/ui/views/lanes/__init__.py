"""Show the lanes of a warp and the values that a step computes in them."""
