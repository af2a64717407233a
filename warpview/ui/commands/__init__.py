"""List everything that the user can do, and carry it out."""
