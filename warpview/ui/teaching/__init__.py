"""Teach by lessons, a guided first minute and hints."""
