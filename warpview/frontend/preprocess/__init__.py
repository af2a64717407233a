"""Text to tokens: comments, directives and macros."""
