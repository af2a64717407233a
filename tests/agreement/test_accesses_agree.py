"""The frames' accesses to memory add up to the engine's counters."""

import numpy as np
import pytest
from support.programs import Case, cases

from warpview.devices import load_device
from warpview.isa.types import Space
from warpview.sim.launch import Options
from warpview.sim.raw_counts import FIRST_FIGURE, memory_counts
from warpview.trace import record

MEMORY = slice(FIRST_FIGURE, None)


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", [c for c in cases() if not c.predicate], ids=str)
def test_accesses_add_up(case: Case):
    program, binding = case.compile(), case.bind()
    _, trace = record(program, load_device(case.device), binding.launch, binding.memory, Options(step_budget=500))
    counts = np.zeros_like(trace.result.counts)
    for step, _, access in trace.accesses():
        for column, amount in memory_counts(access).items():
            counts[trace.event(step).pc, column] += amount
    # Of an access to generic addresses a frame shows one space only.
    generic = [i.space == Space.GENERIC for i in program.instructions]
    counts[generic] = trace.result.counts[generic]
    assert np.array_equal(counts[:, MEMORY], trace.result.counts[:, MEMORY])
