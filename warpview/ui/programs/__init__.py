"""Whole programs in the window: running a file's own ``main``, its launches, its output and its timeline."""
