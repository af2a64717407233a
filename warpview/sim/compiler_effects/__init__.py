"""Predict what NVIDIA's compiler makes of code as written: only times depend on it."""
