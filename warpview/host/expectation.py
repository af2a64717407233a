"""Compare the arrays of a program's launches with their expected values, and find who wrote an element of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from warpview.diagnostics import LaunchError
from warpview.host.launches import LaunchRecord
from warpview.library.comparison import differing
from warpview.run.expectation import expected_arrays, wrong_result
from warpview.run.writers import Index, Writer
from warpview.sim.arguments.binding import BoundBuffer


def with_expected(
    launches: Sequence[LaunchRecord], expect: Mapping[str, ArrayLike], tolerance: float | None
) -> tuple[LaunchRecord, ...]:
    """Return the launches with a finding for each array that is not as expected, in the launch that wrote it wrong.

    Raises LaunchError for an array that no launch has.
    """
    records = list(launches)
    for name, values in expect.items():
        record, param = _last_with(records, name)
        found = np.asarray(record.run.buffers[param]).reshape(-1)
        wanted = expected_arrays({param: values}, record.run.shapes)[param]
        wrong = np.flatnonzero(differing(found[: wanted.size], wanted, tolerance))
        if record.run.aborted or record.run.sample < 1 or not len(wrong):
            continue
        at = int(wrong[0])
        writing = next(((r, p) for r, p in _sharing(records, record, param) if r.run.who_wrote(p, at)), None)
        writer, own = writing or (record, param)
        finding = wrong_result(writer.run, own, found, wanted, tolerance)
        if finding is not None:
            run = replace(writer.run, findings=(*writer.run.findings, finding))
            records[writer.index] = replace(writer, run=run)
    return tuple(records)


def writer_in(launches: Sequence[LaunchRecord], name: str, index: Index) -> tuple[LaunchRecord, Writer] | None:
    """Return the last launch that wrote an element, and the access; see ``ProgramResult.who_wrote``."""
    record, param = _last_with(launches, name)
    own = record.run.who_wrote(param, index)
    if own is not None:
        return record, own
    for earlier, other in _sharing(launches, record, param):
        if earlier is not record and (writer := earlier.run.who_wrote(other, index)) is not None:
            return earlier, writer
    return None


def _arrays(record: LaunchRecord) -> Mapping[str, BoundBuffer]:
    return {} if record.run.rerun is None else record.run.rerun.buffers


def _last_with(launches: Sequence[LaunchRecord], name: str) -> tuple[LaunchRecord, str]:
    """Return the last launch that has an array of this name, and the name of its parameter there."""
    for record in reversed(launches):
        if name in record.run.buffers:
            return record, name
    for record in reversed(launches):
        for param, bound in _arrays(record).items():
            if bound.allocation.name == name and param in record.run.buffers:
                return record, param
    known = dict.fromkeys(param for record in launches for param in record.run.buffers)
    raise LaunchError(f"no launch of the program has an array '{name}' (they have: {', '.join(known) or 'none'})")


def _sharing(launches: Sequence[LaunchRecord], last: LaunchRecord, param: str) -> Iterator[tuple[LaunchRecord, str]]:
    """Yield the launches up to ``last`` that have the same array, latest first, with its parameter in each."""
    wanted = _arrays(last).get(param)
    if wanted is None:
        return
    for record in reversed(launches[: last.index + 1]):
        for name, bound in _arrays(record).items():
            if bound.allocation.base == wanted.allocation.base and bound.dtype == wanted.dtype:
                yield record, name
                break
