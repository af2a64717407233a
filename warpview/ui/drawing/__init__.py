"""Describe pictures as display lists, and paint them by Qt: palette, theme, style."""
