"""Model the page of a program: rows and bars. Qt-free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpview.diagnostics import Span, capitalised
from warpview.host import HostFinding, LaunchRecord, ProgramResult
from warpview.host.export import stream_name
from warpview.host.streams import StreamOperation
from warpview.host.timing import KERNEL_US
from warpview.trace.words import counted
from warpview.ui.drawing.numbers import byte_count, duration
from warpview.ui.drawing.values import thousands


@dataclass(frozen=True)
class OperationStyle:
    """Define the style of a kind of operation: its colour, whether it is hatched, and its words in the legend."""

    colour: str
    words: str
    hatched: bool = False


KINDS = {
    "kernel": OperationStyle("active", "kernel"),
    "copy to device": OperationStyle("good", "copy to the device"),
    "copy from device": OperationStyle("good", "copy from the device", hatched=True),
    "copy on device": OperationStyle("atomic", "copy on the device"),
    "memset": OperationStyle("wasted", "memset"),
}


@dataclass(frozen=True)
class Column:
    """Describe a column of the list of launches: its heading, the text of a launch, and whether that is a number."""

    heading: str
    tip: str
    text: Callable[[LaunchRecord], str]
    numeric: bool = True


def extents(values: Sequence[int]) -> str:
    """Return a grid or a block as people write it: ``64``, ``16 × 16``."""
    shown = list(values)
    while len(shown) > 1 and shown[-1] == 1:
        shown.pop()
    return " × ".join(map(str, shown))


def _counter(key: str) -> Callable[[LaunchRecord], str]:
    def text(record: LaunchRecord) -> str:
        value = record.run.counters.get(key)
        if value is None:
            return "–"
        return f"{'' if record.run.sample == 1 else '≈ '}{thousands(int(value))}"

    return text


def _place(record: LaunchRecord) -> str:
    return str(record.place.line or "–") if record.launched_by is None else f"by {record.launched_by + 1}"


COLUMNS = (
    Column("#", "The number of the launch in the program", lambda r: str(r.index + 1)),
    Column("Kernel", "The kernel, with its template arguments", lambda r: r.kernel, numeric=False),
    Column("Line", "The source line of a launch by the host, or the launch whose kernel made this one", _place),
    Column("Grid", "Blocks of the grid", lambda r: extents(r.grid)),
    Column("Block", "Threads of a block", lambda r: extents(r.block)),
    Column("Stream", "The stream of the launch", lambda r: stream_name(r.stream), numeric=False),
    Column("Time", f"Modelled kernel time; the timeline shows at least {KERNEL_US} µs, which an empty kernel takes",
           lambda r: duration(r.time_us)),
    Column("Memory", "Size of the allocations that the pointer arguments lead to",
           lambda r: byte_count(r.reachable_bytes)),
    Column("Instructions", "Warp instructions executed (inst_executed)", _counter("inst_executed")),
    Column("Findings", "What the checks found", lambda r: str(len(r.run.findings) or "–"), numeric=False),
)  # fmt: skip


@dataclass(frozen=True)
class Wrong:
    """Describe a fault of the program: a sentence, the place in the source, and the launch (from 0) or None."""

    text: str
    severity: str
    span: Span | None
    launch: int | None


def wrongs(result: ProgramResult) -> list[Wrong]:
    """Return the findings of the host part, then those of the kernels, each place once."""
    found = [_of_host(finding) for finding in result.host_findings]
    seen = set()
    for record in result.launches:
        for finding in record.run.findings:
            key = (finding.kind, finding.span)
            if key not in seen:
                seen.add(key)
                text = f"launch {record.index + 1}, {finding.kind}: {finding.message}"
                found.append(Wrong(text, finding.severity, finding.span, record.index))
    return found


def _of_host(finding: HostFinding) -> Wrong:
    return Wrong(f"{finding.kind}: {finding.message}", finding.severity, finding.span, None)


def ending(result: ProgramResult) -> str:
    """Return how the program ended, in a sentence."""
    launches = counted(len(result.launches), "launch")
    if result.crash:
        return f"{capitalised(result.crash)}. {launches}."
    return f"Ended with exit code {result.exit_code}. {launches}."


@dataclass(frozen=True)
class OperationBar:
    """Place an operation on the timeline: ``row`` of its stream from the top, start and duration in microseconds."""

    row: int
    start: float
    duration: float
    kind: str
    hover: str
    launch: int | None


def stream_rows(result: ProgramResult) -> list[str]:
    """Return the names of the timeline's rows: one for the kernels and one for the transfers of each stream."""
    return [f"{stream_name(stream)}, {kind}" for stream, kind in _rows(result)]


def bars(result: ProgramResult) -> list[OperationBar]:
    """Return what took place on the device, in the order of its start."""
    rows = {row: n for n, row in enumerate(_rows(result))}
    shown = sorted(_shown(result), key=lambda op: (op.start_us or 0.0, op.number))
    return [_bar(op, rows[_row_of(op)]) for op in shown]


def _shown(result: ProgramResult) -> list[StreamOperation]:
    return [op for op in result.operations if op.start_us is not None and op.kind in KINDS]


def _row_of(operation: StreamOperation) -> tuple[int, str]:
    return operation.stream, "kernels" if operation.kind == "kernel" else "memory"


def _rows(result: ProgramResult) -> list[tuple[int, str]]:
    return sorted({_row_of(op) for op in _shown(result)})


def _bar(operation: StreamOperation, row: int) -> OperationBar:
    start, took = operation.start_us or 0.0, operation.duration_us
    parts = [operation.name, f"{duration(took)}, starting at {duration(start)}"]
    if operation.kind != "kernel":
        parts[0] = f"{operation.name} ({operation.kind})"
        if operation.size and took:
            parts.append(f"{byte_count(operation.size)}, {operation.size / (1000 * took):.3g} GB/s")
    if operation.place.line:
        parts.append(f"line {operation.place.line}")
    return OperationBar(row, start, took, operation.kind, "\n".join(parts), operation.launch)


def busy(result: ProgramResult) -> str:
    """Return how long the device was busy with kernels and with transfers, in a sentence."""
    shown = _shown(result)
    if not shown:
        return "Nothing ran on the device."
    end = max((op.end_us or 0.0) for op in shown)
    kernels = sum(op.duration_us for op in shown if op.kind == "kernel")
    moved = sum(op.duration_us for op in shown if op.kind != "kernel")
    return f"Kernels {duration(kernels)}, transfers {duration(moved)}, total {duration(end)} (modelled)."
