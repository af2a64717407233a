"""Parse tokens to a syntax tree, with one module for each layer of the grammar. Host code is skipped."""
