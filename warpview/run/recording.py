"""Save and read a run as a file: its events and their changes of the state, shown without the simulator.

The file is NumPy's ``.npz``. Arrays whose names begin with "state " hold the state before the first event; those of
"change " the bytes of it that each event changes. "program" is the compiled program, pickled: the file is made by
warpview itself and comes with it, and on a first start the compiler would take longer to load than all the rest.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from warpview import library
from warpview.devices import load_device, occupancy
from warpview.diagnostics import SourceText, Span, WarpviewError
from warpview.isa.program import Program
from warpview.resources import assets_dir
from warpview.run.result import Run, SeriesPosition
from warpview.sim.history.events import EVENT_COLUMNS, Events, MemoryBusy, MemoryTraffic, Residency, SmResult
from warpview.sim.history.snapshot import CountTrack, PathView, StateReplay, WarpView
from warpview.sim.launch import Launch
from warpview.sim.memory import Allocation
from warpview.trace.access_decoder import AccessDecoder
from warpview.trace.bits import popcount
from warpview.trace.trace import Trace

RESULT_ARRAYS = ("counts", "stalls", "waited", "free_issues")
STATE = ("blocks", "registers32", "registers64", "shared", "shared_written", "counts", "memory")
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Opening:
    """Name the launch that is recorded for the window's first start."""

    kernel: str = "reduction/interleaved"
    preset: str = "step"
    device: str = "8800gtx"

    @property
    def path(self) -> Path:
        """Return where the recording lies."""
        return assets_dir() / "recordings" / "opening.npz"


OPENING = Opening()


class RecordedReplay:
    """Make the state at a step from the changes that a file holds; see snapshot.StateReplay."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], warps: list[WarpView | None]) -> None:
        self._first = {name: arrays[f"state {name}"] for name in STATE}
        parts = ("from", "at", "to")
        self._changes = {name: tuple(arrays[f"change {name} {part}"] for part in parts) for name in STATE}
        self._rows, self._words, self._views = arrays["access rows"], arrays["access words"], arrays["warps"]
        self._warps = warps
        self._rewind()

    def _rewind(self) -> None:
        self.step = 0
        self._state = {name: array.copy() for name, array in self._first.items()}

    def seek(self, step: int) -> None:
        if step < self.step:
            self._rewind()
        for name, (start, at, to) in self._changes.items():
            some = slice(int(start[self.step]), int(start[step]))
            # Of several changes of a byte the last one counts, as NumPy assigns in order.
            self._state[name].reshape(-1).view(np.uint8)[at[some]] = to[some]
        self.step = step

    def accesses(self, first: int, last: int, rows: NDArray[np.uint32], words: NDArray[np.uint32]) -> int:
        start = np.concatenate([[0], np.cumsum(popcount(self._rows[:, 1]), dtype=np.int64)])
        low, high = np.searchsorted(self._rows[:, 0], [first, last])
        rows[: high - low] = self._rows[low:high]
        words[: start[high] - start[low]] = self._words[start[low] : start[high]]
        self.seek(last)
        return int(high - low)

    @property
    def keyframe_steps(self) -> list[int]:
        return [0]

    @property
    def blocks(self) -> NDArray[np.int64]:
        return self._state["blocks"]

    @property
    def registers32(self) -> NDArray[np.uint32]:
        return self._state["registers32"]

    @property
    def registers64(self) -> NDArray[np.uint64]:
        return self._state["registers64"]

    @property
    def shared(self) -> NDArray[np.uint8]:
        return self._state["shared"]

    @property
    def shared_written(self) -> NDArray[np.bool_]:
        return self._state["shared_written"]

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._state["counts"]

    @property
    def memory(self) -> NDArray[np.uint8]:
        return self._state["memory"]

    @property
    def nbytes(self) -> int:
        changes = sum(array.nbytes for parts in self._changes.values() for array in parts)
        return int(changes + 2 * sum(array.nbytes for array in self._state.values()))

    def warps(self) -> list[WarpView | None]:
        return [self._warps[view] for view in self._views[self.step]]


def write_recording(run: Run, kernel: str, preset: str) -> bytes:
    """Return the file of a run, with a trace of all its events, of the library kernel ``kernel`` at ``preset``."""
    trace = run.trace
    assert trace is not None
    assert not trace.truncated
    arrays: Arrays = {f"event {name}": getattr(trace.arrays, name) for name in EVENT_COLUMNS}
    arrays |= {"uniform32": run.launch.uniform32, "uniform64": run.launch.uniform64, "counts": run.counts}
    arrays |= {f"result {name}": getattr(trace.result, name) for name in RESULT_ARRAYS}
    arrays |= {"track steps": trace.track.steps, "track counts": trace.track.counts}
    state, views = _states(trace.replay, trace.steps)
    arrays |= state
    result = {f.name: getattr(trace.result, f.name) for f in fields(SmResult) if f.name not in RESULT_ARRAYS}
    result["busy"], result["traffic"] = list(trace.result.busy), list(trace.result.traffic)
    result["residency"] = [asdict(stay) for stay in trace.result.residency]
    about = {
        "kernel": kernel, "preset": preset, "device": run.device.key, "source": _digest(run.program.source),
        "grid": run.launch.grid, "block": run.launch.block, "shared": run.launch.dynamic_shared_bytes,
        "registers": run.registers_per_thread, "facts": dict(run.facts), "warps": views, "result": result,
        "shapes": {name: list(shape) for name, shape in run.shapes.items()},
        "allocations": [asdict(each) for each in run.allocations],
    }  # fmt: skip
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    arrays["program"] = np.frombuffer(_pickled(run.program), np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, **cast(Any, arrays))
    return file.getvalue()


def read_recording(data: bytes) -> Run:
    """Return the run of a file that ``write_recording`` has made.

    Raises WarpviewError where the library has another source of the kernel now.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays: Arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes())
    entry, device = library.entry(about["kernel"]), load_device(about["device"])
    if _digest(entry.source) != about["source"]:
        raise WarpviewError(f"the recorded run of {about['kernel']} is of another source")
    program: Program = _Unpickler(arrays["program"].tobytes(), entry.source).load()
    launch = Launch(
        tuple(about["grid"]), tuple(about["block"]), about["shared"], arrays["uniform32"], arrays["uniform64"]
    )
    allocations = tuple(Allocation(**each) for each in about["allocations"])
    events = Events(**{name: arrays[f"event {name}"] for name in EVENT_COLUMNS})
    stays = tuple(Residency(**stay) for stay in about["result"].pop("residency"))
    busy = MemoryBusy(*about["result"].pop("busy"))
    traffic = MemoryTraffic(*about["result"].pop("traffic", ()))
    counts, stalls, waited, free_issues = (arrays[f"result {name}"] for name in RESULT_ARRAYS)
    result = SmResult(
        **about["result"], counts=counts, stalls=stalls, waited=waited, free_issues=free_issues, busy=busy,
        residency=stays, traffic=traffic,
    )  # fmt: skip
    trace = Trace(
        program, device, launch, AccessDecoder(program, device, launch, allocations), events, result,
        RecordedReplay(arrays, [_warp_view(view) for view in about["warps"]]),
        CountTrack(arrays["track steps"], arrays["track counts"]),
    )  # fmt: skip
    shared = program.static_shared_bytes + launch.dynamic_shared_bytes
    fitting = occupancy(
        device, launch.threads, registers=about["registers"], shared_bytes=shared, barriers=program.barriers
    )
    run = Run(
        program=program, device=device, launch=launch, engine="sm", occupancy=fitting,
        registers_per_thread=about["registers"], counts=arrays["counts"], findings=(), aborted=False, output=(),
        buffers=MappingProxyType({}), allocations=allocations, facts=MappingProxyType(about["facts"]), trace=trace,
        shapes=MappingProxyType({name: tuple(shape) for name, shape in about["shapes"].items()}),
    )  # fmt: skip
    return replace(run, part=SeriesPosition(0, 1, run.counters))


class _Pickler(pickle.Pickler):
    """Write a program without its source, which the library has."""

    def persistent_id(self, value: object) -> str | None:
        return "source" if isinstance(value, SourceText) else None


class _Unpickler(pickle.Unpickler):
    """Read what ``_Pickler`` has written."""

    def __init__(self, data: bytes, source: SourceText) -> None:
        super().__init__(io.BytesIO(data))
        self._source = source

    def persistent_load(self, pid: str) -> SourceText:
        return self._source

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that programs are made of. Raises UnpicklingError for any other name: reading runs no code."""
        if module != Span.__module__ and not module.startswith(f"{Program.__module__.rpartition('.')[0]}."):
            raise pickle.UnpicklingError(f"a program has no {module}.{name}")
        return super().find_class(module, name)


def _pickled(program: Program) -> bytes:
    file = io.BytesIO()
    without_cached = map(replace, program.instructions)
    _Pickler(file, protocol=5).dump(replace(program, instructions=tuple(without_cached)))
    return file.getvalue()


def _digest(source: SourceText) -> str:
    return hashlib.sha256(source.text.encode()).hexdigest()


def _states(replay: StateReplay, steps: int) -> tuple[Arrays, list[Any]]:
    """Return the first state, the bytes that each step changes of it, and the accesses; and the different warps that
    there are, which the array "warps" counts."""
    arrays: Arrays = {}
    rows, words = np.zeros((steps, 3), np.uint32), np.zeros(32 * steps, np.uint32)
    count = replay.accesses(0, steps, rows, words)
    arrays["access rows"] = rows[:count]
    arrays["access words"] = words[: int(popcount(rows[:count, 1]).sum())]
    seen: dict[WarpView | None, int] = {}
    before: dict[str, NDArray[np.uint8]] = {}
    changed: dict[str, list[tuple[NDArray[np.int32], NDArray[np.uint8]]]] = {name: [] for name in STATE}
    numbers = []
    for step in range(steps + 1):
        replay.seek(step)
        numbers.append([seen.setdefault(view, len(seen)) for view in replay.warps()])
        for name in STATE:
            now = np.ascontiguousarray(getattr(replay, name))
            plain = now.reshape(-1).view(np.uint8).copy()
            if step:
                at = np.flatnonzero(plain != before[name]).astype(np.int32)
                changed[name].append((at, plain[at]))
            else:
                arrays[f"state {name}"] = now.copy()
            before[name] = plain
    for name, changes in changed.items():
        arrays[f"change {name} from"] = np.cumsum([0, *(len(at) for at, _ in changes)], dtype=np.int32)
        arrays[f"change {name} at"] = np.concatenate([at for at, _ in changes])
        arrays[f"change {name} to"] = np.concatenate([to for _, to in changes])
    arrays["warps"] = np.array(numbers, np.int32)
    return arrays, list(seen)


def _warp_view(plain: list[Any] | None) -> WarpView | None:
    if plain is None:
        return None
    pc, mask, live, at_barrier, paths = plain
    return WarpView(pc, mask, live, at_barrier, tuple(PathView(*path) for path in paths))
