"""What the window writes for slides and hand-outs: pictures, animations, reports."""
