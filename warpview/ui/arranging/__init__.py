"""Where the views stand."""
