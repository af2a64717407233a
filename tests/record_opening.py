"""Record the run that the window shows while it compiles the simulator: python tests/record_opening.py [FILE]

It is the opening kernel's small launch. To be recorded again when the frontend compiles the kernel differently, or when
the trace of it has changed: ``tests/unit/run/test_recording.py`` compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from warpview import library
from warpview.files import write_file
from warpview.run import simulate_preset
from warpview.run.recording import OPENING, write_recording


def recorded() -> bytes:
    """Run the opening kernel and return the file."""
    series = simulate_preset(library.entry(OPENING.kernel), OPENING.preset, OPENING.device, engine="sm")
    return write_recording(series.launches[0], OPENING.kernel, OPENING.preset)


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else OPENING.path
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, recorded())
    print(path)
