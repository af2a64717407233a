"""Tokens to a syntax tree: one module a layer of the grammar. Host code is skipped."""
