"""Bring the arguments of a launch into memory, registers and constant banks."""
