"""Pictures as display lists, and how Qt paints them: palette, theme, style."""
