"""Write the launches and transfers of a program as text, CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from warpview.host.launches import LaunchRecord
from warpview.host.streams import StreamOperation
from warpview.run.result import percent

if TYPE_CHECKING:
    from warpview.host.program import ProgramResult

COLUMNS = ("start_us", "duration_us", "stream", "kind", "name", "bytes", "gb_per_s", "line")


def timeline_rows(result: ProgramResult) -> list[dict[str, object]]:
    """Return what took place on the device, in the order of its start: one row an operation, with ``COLUMNS``.

    Times are the model's, in microseconds from the start of the program.
    """
    shown = [op for op in result.operations if op.start_us is not None and op.kind != "event"]
    return [_row(op) for op in sorted(shown, key=lambda op: (op.start_us or 0.0, op.number))]


def _row(operation: StreamOperation) -> dict[str, object]:
    rate = operation.size / (1000 * operation.duration_us) if operation.size and operation.duration_us else None
    return {
        "start_us": round(operation.start_us or 0.0, 3),
        "duration_us": round(operation.duration_us, 3),
        "stream": operation.stream,
        "kind": operation.kind,
        "name": operation.name,
        "bytes": operation.size or None,
        "gb_per_s": None if rate is None else round(rate, 2),
        "line": operation.place.line,
    }


def timeline_csv(result: ProgramResult) -> str:
    """Return the timeline as CSV text with a header line."""
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(timeline_rows(result))
    return out.getvalue()


def timeline_json(result: ProgramResult) -> str:
    """Return the timeline in the Trace Event Format, which browsers' tracing pages and Perfetto open: a row a
    stream."""
    events = [
        {
            "name": row["name"],
            "cat": row["kind"],
            "ph": "X",
            "ts": row["start_us"],
            "dur": row["duration_us"],
            "pid": 0,
            "tid": row["stream"],
            "args": {key: row[key] for key in ("bytes", "gb_per_s", "line") if row[key] is not None},
        }
        for row in timeline_rows(result)
    ]
    names = [
        {"name": "thread_name", "ph": "M", "pid": 0, "tid": stream, "args": {"name": stream_name(stream)}}
        for stream in sorted({op.stream for op in result.operations})
    ]
    device = {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": result.device.name}}
    return json.dumps({"traceEvents": [device, *names, *events], "displayTimeUnit": "ns"}, indent=1)


def stream_name(number: int) -> str:
    """Return a stream as people count them: the default stream, stream 1, stream 2."""
    return "default stream" if number == 0 else f"stream {number - 0xFF}"


def timeline_text(path: Path, result: ProgramResult) -> str:
    """Return the timeline in the format that the suffix of ``path`` says: .json, else CSV."""
    return timeline_json(result) if path.suffix == ".json" else timeline_csv(result)


def launch_place(record: LaunchRecord) -> str:
    """Return the line of the host's launch, or the number of the launch whose kernel made this one."""
    return f"line {record.place.line}" if record.launched_by is None else f"by launch {record.launched_by + 1}"


def launch_lines(result: ProgramResult) -> Sequence[str]:
    """Return the launches, one line each: number, kernel, configuration, time, memory, findings, and the
    source line of a launch by the host."""
    lines = []
    for record in result.launches:
        grid, block = ("x".join(map(str, extents)) for extents in (record.grid, record.block))
        time = "" if record.time_us is None else f"{record.time_us:.1f} µs"
        found = len(record.run.findings)
        wrong = f"{found} finding{'s' if found > 1 else ''}" if found else ""
        parts = [f"{record.index + 1:>4}", f"{record.kernel}<<<{grid}, {block}>>>", launch_place(record), time]
        sample = f"sample of {percent(record.run.sample)} % of the blocks" if record.run.sample < 1 else ""
        parts += [f"{record.reachable_bytes} bytes", sample, wrong]
        lines.append("  ".join(part for part in parts if part))
    return lines
