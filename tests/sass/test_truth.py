"""The library's machine code agrees with an H200: counters of each launch, and counts of each instruction.

The cubins, and what Nsight Compute counted of them, are in ``data``; ``record_probes.py`` recorded them.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
import zipfile
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

import warpview as wv
from warpview import library
from warpview.isa.program import Program
from warpview.run.nvrtc_program import unknown_params
from warpview.run.simulation import Step, simulate_series
from warpview.sass import cubin, cubin_attributes
from warpview.sass.loader import Signature, load_kernel

DATA = Path(__file__).parent / "data"
# Lanes that reach a convergence barrier from several paths at a time are counted otherwise by the two counters of the
# hardware itself: that of the multiprocessor and that of the instruction.
COUNTED_TWO_WAYS = {"control_flow/mandelbrot"}
COUNTED_APART = COUNTED_TWO_WAYS | {"control_flow/early_exit"}  # by the count of the barrier alone
AMBIGUOUS = {"inst_executed", "thread_inst_executed", "thread_inst_executed_on"}


@cache
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(DATA / "library_sm90.zip")


@cache
def truth() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((DATA / "library_h200.json.gz").read_bytes()))
    return found


@cache
def program(file: str, mangled: str) -> Program:
    loaded = cubin.load(archive().read(file))
    kernel = next(k for k in loaded.kernels if k.name == mangled)
    return load_kernel(loaded, kernel, Signature(mangled, unknown_params(kernel, []), wv_source(mangled)))


def wv_source(name: str) -> Any:
    from warpview.diagnostics import SourceText

    return SourceText(name, "")


def launches(key: str, preset: str, most: int) -> Any:
    """The first launches of a library kernel's preset, from its cubin."""
    entry, place = library.entry(key), json.loads(archive().read("names.json"))[key]
    blanks: dict[int, wv.Uninitialised] = {}
    steps = []
    values = library.launch_arguments(entry, preset)
    for launch, arguments in list(zip(entry.presets[preset].launches, values, strict=True))[:most]:
        passed = [
            blanks.setdefault(id(v), wv.Uninitialised(v.shape, v.dtype)) if isinstance(v, library.Blank) else v
            for v in arguments.values()
        ]
        mangled = place["names"][launch.kernel]
        steps.append(Step(program(place["cubin"], mangled), launch.grid, launch.block, passed, launch.shared_bytes))
    return simulate_series(steps, constants=library.constants(entry, preset), device="h200", check=False)


def kernels(preset: str) -> list[str]:
    return sorted({launch["kernel"] for launch in truth()["launches"] if launch["preset"] == preset})


@pytest.mark.parametrize("key", kernels("step"))
def test_small_launches_count_what_the_hardware_counts(key: str) -> None:
    recorded = [x for x in truth()["launches"] if x["kernel"] == key and x["preset"] == "step"]
    for run, real in zip(launches(key, "step", 4).launches, recorded, strict=False):
        ignored = AMBIGUOUS if key in COUNTED_TWO_WAYS else set()
        known = {k: v for k, v in zip(truth()["keys"], real["values"], strict=True) if k not in ignored}
        found = {k: run.counters[k] for k in known}
        assert found == known
        if real["instructions"] is not None and key not in COUNTED_APART:
            assert run.counts[: len(real["instructions"]), :3].tolist() == real["instructions"]


SKIPPED_RESULTS = {"mistakes"}


@pytest.mark.parametrize("key", [k for k in kernels("step") if k.split("/")[0] not in SKIPPED_RESULTS])
def test_results_equal_numpys(key: str) -> None:
    entry = library.entry(key)
    values = library.launch_arguments(entry, "step")
    series = launches(key, "step", len(values))
    last = values[-1]
    named = {name: series.buffers[f"arg{k}"] for k, name in enumerate(last) if f"arg{k}" in series.buffers}
    assert library.mismatch(entry, "step", values, named) is None


def test_a_truncated_cubin_is_refused() -> None:
    data = archive().read("lib0.cubin")
    for size in range(0, len(data) - 1024, max(1, len(data) // 97)):
        with pytest.raises(wv.WarpviewError):
            cubin.load(data[:size])


def test_a_kernel_with_more_registers_than_an_instruction_can_name_is_refused() -> None:
    data = archive().read("lib3.cubin")
    counts = re.escape(struct.pack("<BBH", cubin_attributes.SIZED, cubin_attributes.REGISTER_COUNT, 8)) + b"." * 8
    changed = re.sub(counts, lambda found: found.group()[:8] + struct.pack("<I", 0x7FFFFFFF), data, flags=re.DOTALL)
    with pytest.raises(wv.WarpviewError, match=f"damaged: its kernel .* has {0x7FFFFFFF} registers"):
        cubin.load(changed)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [(4, 0xFFFF, "line table has version 65535"), (13, 0, "division or modulo by zero")],  # the version, and line_range
)
def test_a_damaged_table_of_lines_is_refused(place: int, value: int, message: str) -> None:
    """A later version's counts would be read for ever; no step of a line would be divided by zero."""
    data = bytearray(archive().read("lib3.cubin"))
    with BytesIO(bytes(data)) as file:
        start = ELFFile(file).get_section_by_name(".debug_line")["sh_offset"] + place
    size = 2 if value else 1
    data[start : start + size] = value.to_bytes(size, "little")
    with pytest.raises(wv.WarpviewError, match=f"damaged: .*{message}"):
        cubin.load(bytes(data))


def test_a_damaged_cubin_loads_or_is_refused_but_never_crashes() -> None:
    data = archive().read("lib3.cubin")
    rng = np.random.default_rng(1)
    for _ in range(300):
        changed = bytearray(data)
        for place in rng.integers(0, len(data), 8):
            changed[place] = int(rng.integers(0, 256))
        try:
            found = cubin.load(bytes(changed))
            for kernel in found.kernels:
                load_kernel(found, kernel, Signature(kernel.name, unknown_params(kernel, []), wv_source("x")))
        except wv.WarpviewError:
            pass


def test_code_without_an_end_is_refused() -> None:
    """An engine would execute what lies behind it."""
    found = cubin.load(archive().read("lib0.cubin"))
    kernel = found.kernels[0]
    signature = Signature(kernel.name, unknown_params(kernel, []), wv_source("x"))
    assert load_kernel(found, kernel, signature)
    with pytest.raises(wv.WarpviewError, match="goes on behind its end"):
        load_kernel(found, replace(kernel, code=kernel.code[:48]), signature)
