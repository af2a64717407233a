"""Export pictures, animations and reports for slides and hand-outs."""
