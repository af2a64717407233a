"""Launch the random C++ programs of a folder on a GPU, with cupy: ``python launch.py JOB OUT``; see ``hardware.py``."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import cupy
import numpy as np

job, out = map(Path, sys.argv[1:])
results = {}
with zipfile.ZipFile(job / "programs.zip") as archive:
    for entry in archive.namelist():
        path = Path(archive.extract(entry, "/tmp/random_cpp"))  # a path each: cupy keeps modules by their paths
        values = cupy.zeros(32, np.int32)
        function = cupy.RawModule(path=str(path)).get_function("_Z6kernelPiii")
        function((1,), (32,), (values, np.int32(0), np.int32(32)))
        results[path.stem] = values.get()
np.savez_compressed(out / "results.npz", **results)
