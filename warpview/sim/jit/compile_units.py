"""Compile units in a process of its own, started by ``build.py``.

It first writes its table, the number of arguments of each unit by name, as a line of JSON. Then it reads names, one a
line, and answers each with a line that gives the length of its object code in bytes, followed by that code. It ends
when there is no more to read, hence also when the process that started it is gone.
"""

from __future__ import annotations

import json
import os

# The modules that declare the units.
from warpview.sim.jit import canary, multiprocessor, pace, profile, replaying  # noqa: F401
from warpview.sim.jit.compile import UNITS, call_nothing, object_code


def main() -> None:
    """Answer until there is no more to read."""
    if hasattr(os, "nice"):
        os.nice(5)  # the window comes first
    call_nothing()
    # By number: a program without a console has neither sys.stdin nor sys.stdout.
    with open(0, "rb", closefd=False) as questions, open(1, "wb", closefd=False) as answers:
        answers.write(json.dumps({name: unit.n_arguments for name, unit in UNITS.items()}).encode() + b"\n")
        answers.flush()
        for line in questions:
            code = object_code(UNITS[line.decode().strip()])
            answers.write(b"%d\n" % len(code) + code)
            answers.flush()
