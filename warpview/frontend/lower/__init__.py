"""The syntax tree of a kernel to the intermediate representation."""
