"""The rules of C about types, names, constants and overloads, and what a function's syntax says about its variables."""
