"""Arrange the views in the window."""
