"""Lower the syntax tree of a kernel to the intermediate representation."""
