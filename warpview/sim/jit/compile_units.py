"""A process that compiles units: ``python -m warpview.sim.jit.compile_units FOLDER``.

It first prints its table, the units' numbers of arguments by name, as a line of JSON. Then it reads names, one a line,
and answers each with a line once its object file is in the folder. It ends when there is no more to read, hence also
when who started it is no more.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

# Those that declare the units.
from warpview.sim.jit import multiprocessor, profile, replaying  # noqa: F401
from warpview.sim.jit.code_cache import write_whole
from warpview.sim.jit.compile import UNITS, object_code


def main(folder: Path) -> None:
    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    print(json.dumps({name: unit.n_arguments for name, unit in UNITS.items()}), flush=True)
    for line in sys.stdin:
        name = line.strip()
        write_whole(folder / f"{name}.o", object_code(UNITS[name]))
        print(name, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
