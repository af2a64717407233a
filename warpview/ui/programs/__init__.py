"""Run whole programs in the window: a file's own ``main``, its launches, its output and its timeline."""
