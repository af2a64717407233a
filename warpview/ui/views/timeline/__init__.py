"""Show when each warp of a multiprocessor issued and waited."""
