"""The probes, run as their ``main`` launches them, count what an NVIDIA H200 counted."""

import csv
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.run import simulate

FOLDER = Path(__file__).parent
SOURCE = SourceText("h200_probes.cu", (FOLDER / "h200_probes.cu").read_text())

with (FOLDER / "h200_probes.csv").open() as table:
    PROBES = list(csv.DictReader(table))

EXACT = [
    *(f"global_{kind}_{unit}" for kind in ("ld", "st", "red", "atom") for unit in ("requests", "sectors")),
    *(f"shared_{kind}_{unit}" for kind in ("ld", "st", "atom") for unit in ("wavefronts", "bank_conflicts")),
]

# Where nvcc changed the accesses themselves, with the cause; the simulator executes what the source says.
COMPILED_AWAY = {
    # The element index[i & 1023] does not change in the loop of 8 turns: nvcc loads it once.
    "local_array(index=i%7)": {"global_ld_requests": 8, "global_ld_sectors": 8},
}

# The arrays of the probes are 256 MiB; no index reaches further than this.
BYTES = (4 << 20) + 4096
THREADS = 64 * 256
DTYPES = {"float": np.float32, "double": np.float64, "int": np.int32, "short": np.int16, "signed char": np.int8,
          "float2": np.float32, "float3": np.float32, "float4": np.float32}  # fmt: skip


def hash_u(x):
    """The hash of the probes, on uint32 arrays."""
    x = (x ^ x >> 16) * np.uint32(0x7FEB352D)
    x = (x ^ x >> 15) * np.uint32(0x846CA68B)
    return x ^ x >> 16


def index_values(case: str) -> np.ndarray:
    """What ``main`` puts into C: the formula after "index=", "trips=" or "in=", as it stands in the case's name."""
    formula = case.partition("=")[2].replace("/", "//").replace("2^20", "2**20")
    i = np.arange(THREADS)
    values = eval(formula, {"i": i, "hash": lambda x: hash_u(x.astype(np.uint32)).astype(np.int64)})
    return np.broadcast_to(values, THREADS).astype(np.int32)


@cache
def compiled(kernel: str):
    return compile_source(SOURCE, kernel)


def arguments(probe: dict[str, str]) -> list[object]:
    """The arguments as ``main`` writes them: a cast of A, B or C, or the number in the name of the case."""
    result: list[object] = []
    for text in probe["arguments"].split(", "):
        pointer = re.fullmatch(r"\((.*)\*\)([ABC])", text)
        if pointer is None:
            result.append(int(probe["case"].partition("=")[2]))
            continue
        array = np.zeros(BYTES, dtype=np.uint8).view(DTYPES[pointer[1]])
        if pointer[2] == "C":
            array[:THREADS] = index_values(probe["case"])
        result.append(array)
    return result


def name(probe: dict[str, str]) -> str:
    return f"{probe['kernel']}({probe['case']})"


@pytest.mark.sample(3)
@pytest.mark.parametrize("probe", PROBES, ids=name)
def test_counts_equal_the_hardware(probe):
    run = simulate(
        compiled(probe["kernel"]),
        int(probe["grid"]),
        int(probe["block"]),
        arguments(probe),
        shared_bytes=int(probe["dynamic_shared_bytes"]),
        device="h200",
        check=False,
    )
    factors = COMPILED_AWAY.get(name(probe), {})
    found = {counter: run.counters[counter] for counter in EXACT}
    assert found == {counter: int(probe[counter]) * factors.get(counter, 1) for counter in EXACT}
