"""Show the counters of a run, and those that matter for a step."""
