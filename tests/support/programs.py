"""Read test programs: a kernel (``name.cu``), with its launch and its expected results (``name.toml``).

Several launches of one kernel are ``name.variant.toml``. A launch file has::

    kernel = "kernel<int>"          # left out where the file has one kernel
    grid = [2, 1, 1]                # left out: 1
    block = 64
    shared_bytes = 0
    devices = ["h200"]              # left out: all of DEVICES
    step_budget = 1000
    fma = false                     # left out: true
    predicate = true                # left out: both ways
    args = { in = "arange(64, dtype=i4)", n = 3, out = "blank(64, f4)" }
    [expect]                        # [expect.h200] adds to it or takes precedence on that device
    out = "tid * 2"                 # a buffer after the launch
    findings = ["RACE"]             # the kinds that there are, sorted; left out: none

Texts are numpy expressions; ``tid`` counts the threads of a block, ``i4``, ``f8``... are types, a buffer's name is its
contents before the launch, and ``blank(n, type)`` is memory that has not been written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device, load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.program import Program
from warpview.sim.arguments.binding import Binding, Uninitialised, bind
from warpview.sim.arguments.values import dim3
from warpview.sim.launch import Launch, Options, Outcome
from warpview.sim.memory import DeviceMemory

FOLDER = Path(__file__).parent.parent / "programs"
DEVICES = ("8800gtx", "c2050", "h200")
TYPES = {name: np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")}

Engine = Callable[[Program, Device, Launch, DeviceMemory, Options], Outcome]


@dataclass(frozen=True)
class Case:
    """Describe one launch of a test program on one device, as written or with short branches predicated."""

    path: Path
    device: str
    predicate: bool

    @property
    def launch(self) -> Mapping[str, object]:
        return _read(self.path)

    @property
    def source(self) -> Path:
        return self.path.parent / f"{self.path.name.split('.')[0]}.cu"

    def __str__(self) -> str:
        name = f"{self.path.parent.name}/{self.path.name.removesuffix('.toml')}"
        return f"{name}-{self.device}{'-predicated' if self.predicate else ''}"

    def compile(self) -> Program:
        kernel = self.launch.get("kernel")
        return _compile(self.source, None if kernel is None else str(kernel), bool(self.launch.get("fma", True)),
                        self.predicate)  # fmt: skip

    def bind(self) -> Binding:
        """Fresh memory with the arguments."""
        block = dim3(self.launch["block"], "block")
        names = _names(block)
        args = {name: _value(text, names) for name, text in dict(self.launch["args"]).items()}
        return bind(
            self.compile(), dim3(self.launch.get("grid", 1), "grid"), block, args, self.launch.get("shared_bytes", 0)
        )

    def run(self, engine: Engine) -> tuple[Binding, Outcome]:
        binding = self.bind()
        options = Options(step_budget=int(self.launch.get("step_budget", 100_000)))
        outcome = engine(self.compile(), load_device(self.device), binding.launch, binding.memory, options)
        return binding, outcome

    def expected(self) -> tuple[dict[str, NDArray[np.generic]], list[str]]:
        """Return the contents of buffers, and the kinds of findings, sorted, each once."""
        expect = dict(self.launch.get("expect", {}))
        merged = {k: v for k, v in expect.items() if k not in DEVICES} | dict(expect.get(self.device, {}))
        findings = sorted(set(merged.pop("findings", [])))
        block = dim3(self.launch["block"], "block")
        names = _names(block)
        for name, text in dict(self.launch["args"]).items():
            value = _value(text, names)
            if isinstance(value, np.ndarray):
                names[name] = value
        return {name: np.asarray(_value(text, names)) for name, text in merged.items()}, findings


def cases() -> list[Case]:
    """Every launch on each of its devices, with and without predication unless the file says which."""
    found = []
    for path in sorted(FOLDER.glob("*/*.toml")):
        launch = _read(path)
        for device in launch.get("devices", DEVICES):
            for predicate in (False, True):
                if launch.get("predicate", predicate) == predicate:
                    found.append(Case(path, device, predicate))
    return found


@cache
def _read(path: Path) -> Mapping[str, object]:
    return tomllib.loads(path.read_text())


@cache
def _compile(path: Path, kernel: str | None, fma: bool, predicate: bool) -> Program:
    return compile_source(SourceText(path.name, path.read_text()), kernel, fma=fma, predicate=predicate)


def _names(block: tuple[int, int, int]) -> dict[str, object]:
    public = {name: getattr(np, name) for name in np.__all__ if not name.startswith("_")}
    own = {"tid": np.arange(block[0] * block[1] * block[2]), "blank": Uninitialised, "null": None}
    return public | {"sum": sum, "min": min, "max": max, "range": range} | TYPES | own


def _value(value: object, names: Mapping[str, object]) -> object:
    if not isinstance(value, str):
        return value
    result = eval(value, dict(names))
    # Numbers without a type are meant as int.
    if isinstance(result, np.ndarray) and result.dtype == np.int64 and "i8" not in value:
        fits = result.min(initial=0) >= -(1 << 31) and result.max(initial=0) < 1 << 31
        return result.astype(np.int32) if fits else result
    return result


def same(found: NDArray[np.generic], expected: NDArray[np.generic]) -> bool:
    """Equal element by element; any NaN equals any NaN, -0 does not equal +0."""
    if found.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    expected = expected.astype(found.dtype)
    equal = (found == expected) & (np.signbit(found) == np.signbit(expected))
    return bool(np.all(equal | (np.isnan(found) & np.isnan(expected))))
