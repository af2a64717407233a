"""Memory partitions decide the time of transposing 2048 x 2048 floats on a GeForce GTX 280.

GB/s from G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA" (NVIDIA 2009). Tiles in shared memory make
the accesses coalesced, but all blocks of a row of tiles write to one partition; only the diagonal order spreads them.
"""

from dataclasses import replace

import numpy as np
import pytest

from warpview import library
from warpview.devices import load_device
from warpview.frontend import compile_source
from warpview.sim.binding import bind
from warpview.sim.engine_sm import SmRun, run_sm
from warpview.sim.events import SmOptions
from warpview.sim.launch import Options

SIDE = 2048
PUBLISHED = {"copy": 96.9, "naive_32": 2.2, "tile_32": 16.5, "padded_32": 16.6, "diagonal": 69.5}
FACTOR = 1.75  # the model keeps the blocks of a wave in step, and has no pages and banks of memory


@pytest.fixture(scope="module")
def runs() -> dict[str, SmRun]:
    """Of a Quadro FX 5800 with the clocks of a GTX 280: both are GT200."""
    device = replace(load_device("fx5800"), key="gtx280", name="GeForce GTX 280", clock_mhz=1296, memory_gtps=2.214)
    found = {}
    for key in PUBLISHED:
        entry = library.entry(f"transpose/{key}")
        launch = library.preset(entry, "full").launches[0]
        program = compile_source(entry.source, launch.kernel)
        matrix = np.arange(SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)
        args = [matrix, np.zeros_like(matrix), SIDE, SIDE]
        bound = bind(program, (64, 64, 1), (32, 8, 1), args, 0)
        run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), SmOptions(record=False))
        expected = matrix if key == "copy" else matrix.T
        assert np.array_equal(bound.buffers["out"].read(bound.memory).reshape(SIDE, SIDE), expected)
        found[key] = run
    return found


def bandwidth(run: SmRun) -> float:
    return 8 * SIDE * SIDE / run.result.time_us / 1000


@pytest.mark.parametrize("key", PUBLISHED)
def test_bandwidth(runs: dict[str, SmRun], key: str) -> None:
    assert PUBLISHED[key] / FACTOR < bandwidth(runs[key]) < PUBLISHED[key] * FACTOR


def test_in_order(runs: dict[str, SmRun]) -> None:
    assert sorted(runs, key=lambda key: bandwidth(runs[key])) == sorted(PUBLISHED, key=PUBLISHED.__getitem__)


def test_only_the_diagonal_order_and_the_copy_spread_their_accesses(runs: dict[str, SmRun]) -> None:
    camping = {key: run.result.partition_camping for key, run in runs.items()}
    assert camping["copy"] < 1.1
    assert camping["diagonal"] < 1.1
    assert min(camping["naive_32"], camping["tile_32"], camping["padded_32"]) > 4
