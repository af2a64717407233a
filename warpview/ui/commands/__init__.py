"""Everything that the user can do, and what it does."""
