"""Share code among several folders of tests."""
