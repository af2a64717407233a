"""Apply C's rules of types, names, constants and overloads, and find how a function's syntax uses its variables."""
