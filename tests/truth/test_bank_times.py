"""Products take as long as on an H100 whatever registers they read: see times/queues/banks.py."""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

QUEUES = Path(__file__).parent / "times" / "queues"
sys.path.insert(0, str(QUEUES))

from banks import rules, variant  # noqa: E402

WARPS, ROUNDS, PRODUCTS = 16, 64, 128


@cache
def measured() -> dict[str, float]:
    with (Path(__file__).parent / "banks_h100.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["figure"]: float(row["value"]) for row in rows if int(row["warps"]) == WARPS}


@cache
def compiled(kind: str) -> bytes:
    loads = "#define LOADS\n" if kind == "loads" else ""
    text = loads + (QUEUES / "products.cu").read_text(encoding="utf-8")
    return nvrtc.compile_source(SourceText("products.cu", text), 90).cubin


def cycles_a_product(kind: str, name: str, folder: Path) -> float:
    data, path = compiled(kind), folder / "products.cubin"
    path.write_bytes(variant(data, rules(data)[name]))
    program = wv.compile(path, kernel="products")
    arguments = [ROUNDS, np.zeros(2, np.int64), np.zeros(1 << 14, np.float32)]
    bound = bind(program, (1, 1, 1), (32 * WARPS, 1, 1), arguments, 0)
    options = SmOptions(record=False)
    done = run_sm(program, load_device("h100"), bound.launch, bound.memory, Options(check=False), options)
    buffers = [buffer.read(done.outcome.memory) for buffer in bound.buffers.values()]
    clocks = next(values for values in buffers if values.dtype == np.int64)
    return float(clocks[0]) / (ROUNDS * PRODUCTS * WARPS / load_device("h100").schedulers)


# Left out are loops whose clock begins late, as other warps go first, and stalls of two cycles between rare conflicts.
LEFT_OUT = {"own_stall_2", "own_stall_3", "three_in_4_both_stall_2", "three_in_8_both_stall_2"}
FIGURES = sorted(name for name in measured() if name.partition(".")[2] not in LEFT_OUT)


@pytest.mark.sample(8)
@pytest.mark.parametrize("figure", FIGURES)
def test_products_take_as_long_as_on_the_hardware(figure: str, tmp_path: Path) -> None:
    kind, _, name = figure.partition(".")
    assert cycles_a_product(kind, name, tmp_path) == pytest.approx(measured()[figure], rel=0.05)
