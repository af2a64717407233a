"""Model the time of instructions, memory and blocks."""
