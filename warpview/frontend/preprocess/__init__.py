"""Preprocess text to tokens: comments, directives and macros."""
