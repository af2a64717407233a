"""Show the source, and let it be edited."""
