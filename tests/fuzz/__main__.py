"""Feed random input to warpview: python -m tests.fuzz [--kernels 20000] [--launches 2000] [--files 5000]
[--cubins 2000] [--modules 2000] [--seed 0]

Each input has a seed of its own, which is printed with what went wrong; ``--only kernels:17`` feeds that one again. A
process that ends with a signal names the input that it was at.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from fuzz.inputs import file_reader, kernel, launch, outcome  # noqa: E402
from fuzz.machine_code import cubin_reader, ptx_reader  # noqa: E402


def main() -> int:
    """Feed as many inputs of each kind as asked for; return 1 where something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--kernels", type=int, default=20_000)
    parser.add_argument("--launches", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--cubins", type=int, default=2_000)
    parser.add_argument("--modules", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only")
    options = parser.parse_args()
    faulthandler.enable()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        feeds: dict[str, Callable[[random.Random], None]] = {
            "launches": launch, "files": file_reader(Path(name)), "kernels": kernel,
            "cubins": cubin_reader(Path(name)), "modules": ptx_reader(Path(name)),
        }  # fmt: skip
        for kind, feed in feeds.items():
            seeds = range(options.seed, options.seed + getattr(options, kind))
            if options.only:
                seeds = [int(options.only.partition(":")[2])] if options.only.startswith(kind) else range(0)
            for seed in seeds:
                print(f"\r{kind}:{seed}", end="", file=sys.stderr, flush=True)
                if told := outcome(feed, seed):
                    wrong += 1
                    print(f"\r{kind}:{seed}  {told}", flush=True)
            print(f"\r{kind}: {len(seeds)} fed", flush=True)
    print(f"{wrong} went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
