from itertools import pairwise

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.sim.arguments.binding import bind
from warpview.sim.history.events import Mark, Stall
from warpview.sim.raw_counts import FIGURES, Raw, memory_counts
from warpview.sim.rules import GlobalAccess, SharedAccess
from warpview.trace import Trace, record
from warpview.trace.frame import Frame, LaneStatus, WarpState


@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
def test_the_last_frame_is_the_end_of_the_run(story, device):
    told = story("interleaved", device)
    trace = told.trace
    assert told.total.tolist() == told.data.reshape(2, 128).sum(axis=1).tolist()
    last = trace.frame(trace.steps)
    assert np.array_equal(last.counts, trace.result.counts)
    assert all(w.stall in (Stall.EXITED, Stall.SELECTED) and w.exited == 0xFFFFFFFF for w in last.warps)
    assert not trace.truncated


def test_the_first_frame_is_the_start(story):
    frame = story("interleaved").trace.frame(0)
    assert frame.event is None
    assert frame.cycle == 0
    assert [(w.block, w.warp) for w in frame.warps] == [(b, w) for b in range(2) for w in range(4)]
    assert not frame.counts.any()
    assert not any(view.written.any() for view in frame.shared)


def test_steps_out_of_range_are_refused(story):
    trace = story("interleaved").trace
    for step in (-1, trace.steps + 1):
        with pytest.raises(IndexError):
            trace.frame(step)
    with pytest.raises(IndexError):
        trace.event(0)


def test_few_frames_are_kept_and_they_share_what_is_the_same(story):
    """Many objects that stay for a while make the garbage collector go through all of memory."""
    trace = story("interleaved").trace
    first = trace.frame(1)
    for step in range(100, 140):  # whatever was kept before goes
        trace.frame(step)
    for before, after in pairwise(trace.frame(step) for step in range(1, 60)):
        assert all(a is b for a, b in zip(before.warps, after.warps, strict=True) if a == b)
    assert trace.frame(59) is trace.frame(59)
    assert trace.frame(1) is not first


@pytest.mark.parametrize("device", ["8800gtx", "h200"])
def test_each_step_adds_what_its_access_says(story, device):
    """Counts before and after a step differ by the rules' figures for the access that the frame shows."""
    trace = story("strided_index", device).trace
    before = trace.frame(0)
    for step in range(1, trace.steps + 1):
        frame = trace.frame(step)
        added = frame.counts - before.counts
        pc = frame.event.pc
        assert not np.delete(added, pc, axis=0).any()
        assert added[pc, Raw.LANES] == frame.event.mask.bit_count()
        assert added[pc, Raw.LANES_ON] == frame.event.on.bit_count()
        expected = {} if frame.access is None else memory_counts(frame.access)
        for column in FIGURES:
            assert added[pc, column] == expected.get(column, 0)
        before = frame


def test_a_load_shows_addresses_from_before_it(story):
    trace = story("interleaved").trace
    for step in range(1, trace.steps + 1):
        frame = trace.frame(step)
        instruction = trace.program.instructions[frame.event.pc]
        if instruction.op == Op.LD and instruction.space == Space.GLOBAL:
            base = int(frame.registers64[frame.event.slot][trace.program.params[0].row][0])
            first = frame.event.block * 128 + frame.event.warp * 32
            assert frame.addresses.address.tolist() == [base + 4 * (first + lane) for lane in range(32)]
            assert isinstance(frame.access, GlobalAccess)
            return
    raise AssertionError("no load")


def test_frames_are_the_same_from_either_side(story):
    trace = story("interleaved", "h200").trace
    middle = trace.steps // 2
    forward = [trace.frame(s) for s in range(middle - 20, middle + 20)]
    for _ in range(2):
        trace.frame(trace.steps)
        trace.frame(0)
    backward = [trace.frame(s) for s in reversed(range(middle - 20, middle + 20))]
    for a, b in zip(forward, reversed(backward), strict=True):
        assert a.warps == b.warps
        assert a.event == b.event
        assert np.array_equal(a.registers32, b.registers32)
        assert np.array_equal(a.registers64, b.registers64)
        assert all(np.array_equal(x.data, y.data) for x, y in zip(a.shared, b.shared, strict=True))


@pytest.mark.parametrize("device", ["8800gtx", "h200"])
def test_a_walk_finds_what_a_straight_run_found(story, device):
    """Frames kept, states gone back to, indices: none of it shows, whichever way a step is come to."""
    trace = story("interleaved", device).trace
    told = [fresh(trace).frame(s) for s in range(trace.steps + 1)]
    walked, random = fresh(trace), np.random.default_rng(1)
    step = 0
    for _ in range(200):
        far = int(random.integers(0, trace.steps + 1))
        step = int(np.clip(random.choice([far, step, step - 1, step + 1, step + 7]), 0, trace.steps))
        assert_alike(walked.frame(step), told[step])
        assert [w.stall for w in walked.frame(step).warps] == [stall_of(trace, step, w) for w in told[step].warps]
    for before, after in pairwise(told):
        assert np.array_equal(after.previous.counts, before.counts)
        assert np.array_equal(after.previous.registers32, before.registers32)
        assert np.array_equal(after.previous.registers64, before.registers64)


def fresh(trace: Trace) -> Trace:
    """The same history, with nothing kept of what was asked before."""
    return Trace(
        trace.program, trace.device, trace.launch, trace._decoder, trace.arrays, trace.result, trace._replay,
        trace.track,
    )  # fmt: skip


def assert_alike(a: Frame, b: Frame) -> None:
    assert (a.step, a.cycle, a.event, a.warps, a.access) == (b.step, b.cycle, b.event, b.warps, b.access)
    assert (a.addresses is None) == (b.addresses is None)
    assert a.addresses is None or np.array_equal(a.addresses.address, b.addresses.address)
    for name in ("counts", "registers32", "registers64"):
        assert np.array_equal(getattr(a, name), getattr(b, name))
    for x, y in zip(a.shared, b.shared, strict=True):
        assert x.block == y.block
        assert np.array_equal(x.data, y.data)
        assert np.array_equal(x.written, y.written)


def stall_of(trace: Trace, step: int, warp: WarpState) -> Stall:
    """Why a warp does not issue, by looking through the events for the one with which it does."""
    e, cycle = trace.arrays, trace.event(step).cycle if step else 0
    if step and (e.slot[step - 1], e.block[step - 1]) == (warp.slot, warp.block):
        return Stall.SELECTED
    if warp.exited == 0xFFFFFFFF:
        return Stall.EXITED
    row = next((k for k in range(step, trace.steps) if e.slot[k] == warp.slot), None)
    if row is None or e.block[row] != warp.block:
        return Stall.BARRIER if warp.at_barrier else Stall.WAIT
    if not step:
        return Stall.NOT_SELECTED  # nothing was in its way before the first event
    if cycle < e.ready[row]:
        return Stall(e.wait[row])
    return Stall(e.throttle[row]) if cycle < e.free[row] else Stall.NOT_SELECTED


def test_a_kept_frame_does_not_change(story):
    trace = story("interleaved").trace
    frame = trace.frame(40)
    registers, counts = frame.registers32.copy(), frame.counts.copy()
    trace.frame(trace.steps)
    assert np.array_equal(frame.registers32, registers)
    assert np.array_equal(frame.counts, counts)
    with pytest.raises(ValueError, match="read-only"):
        frame.registers32[0, 0, 0] = 1


def test_divergence_shows_as_a_comb(story):
    trace = story("interleaved").trace
    frame = trace.frame(trace.find(0, Mark.DIVERGENCE))
    warp = frame.warps[frame.event.slot]
    assert [lane == LaneStatus.ACTIVE for lane in warp.lanes] == [True, False] * 16
    assert [p.waiting for p in warp.paths] == ["reconvergence", ""]


def test_conflicts_of_the_strided_index(story):
    trace = story("strided_index").trace
    degrees, step = [], 0
    while (step := trace.find(step, Mark.CONFLICT, True, (0, 0))) is not None:
        access = trace.frame(step).access
        assert isinstance(access, SharedAccess)
        degrees.append(access.degree)
    assert sorted(set(degrees)) == [2, 4, 8]


def test_warps_wait_at_the_barrier(story):
    trace = story("interleaved").trace
    frame = trace.frame(trace.find(0, Mark.BARRIER))
    waiting = [w for w in frame.warps if w.at_barrier]
    assert len(waiting) == 1
    assert waiting[0].warp == frame.event.warp
    later = trace.frame(frame.step + 1)
    assert later.warps[waiting[0].slot].stall == Stall.BARRIER
    assert later.warps[waiting[0].slot].lanes == (LaneStatus.BARRIER,) * 32


def test_global_memory_at_a_step(story):
    told = story("interleaved")
    trace = told.trace
    output = int(trace.frame(0).registers64[0][trace.program.params[1].row][0])
    stores = [
        s for s in range(1, trace.steps + 1)
        if trace.program.instructions[trace.event(s).pc].op == Op.ST
        and trace.program.instructions[trace.event(s).pc].space == Space.GLOBAL
    ]  # fmt: skip
    assert trace.navigator.global_writes.tolist() == stores
    values = [trace.global_values(s, output, 2, np.int32).tolist() for s in (0, stores[0] - 1, stores[0], trace.steps)]
    first = trace.event(stores[0]).block
    assert values[0] == values[1] == [0, 0]
    assert values[2][first] == told.total[first]
    assert values[3] == told.total.tolist()
    assert trace.global_values(0, output, 2, np.int32).tolist() == [0, 0]


def test_stalls_account_for_every_warp_cycle(story):
    trace = story("interleaved", "h200").trace
    slots = trace.result.resident_blocks * trace.result.warps_per_block
    assert trace.stall_cycles.sum() == slots * trace.cycles
    # What takes no time, as a branch that becomes a predicate, goes in the cycle of its warp's next instruction.
    together = (trace.arrays.since > trace.arrays.cycle).sum()
    assert 0 < together <= trace.result.free_issues.sum()
    assert trace.stall_cycles[:, Stall.SELECTED].sum() == trace.steps - together
    assert 0 < trace.result.achieved_occupancy <= 1


def test_stalls_of_frames_add_up_to_the_totals(story):
    """Between two issues a warp waits as the events say; a frame looks at one moment of that."""
    trace = story("strided_index").trace
    events = trace.arrays
    assert (events.since <= events.ready).all()
    assert (events.ready <= events.cycle).all()
    assert (events.free <= events.cycle).all()
    waited = (events.ready - events.since)[events.wait == Stall.BARRIER].sum()
    assert waited == trace.stall_cycles[:, Stall.BARRIER].sum()


def test_a_bounded_history_counts_on(story):
    whole, part = story("interleaved").trace, story("interleaved", limit=50).trace
    assert part.truncated
    assert part.steps == 50
    assert part.cycles == whole.cycles
    assert np.array_equal(part.result.counts, whole.result.counts)
    assert part.frame(50).warps[3].lanes == whole.frame(50).warps[3].lanes
    assert np.array_equal(part.frame(50).registers32, whole.frame(50).registers32)


def test_what_the_history_takes_is_told(story):
    assert 0 < story("interleaved").trace.memory_bytes < 64 << 20


def test_blocks_come_and_go(story):
    trace = story("interleaved").trace
    assert [block for block, _, _ in trace.blocks] == [0, 1]
    assert all(0 <= start < end <= trace.cycles for _, start, end in trace.blocks)
    assert trace.find(0, Mark.BLOCK_START) == 1
    assert trace.find(trace.steps + 1, Mark.BLOCK_END, False) == trace.steps


def test_without_a_history_there_is_the_start(story):
    trace = story("interleaved", limit=0).trace
    assert trace.steps == 0
    assert trace.truncated
    assert len(trace.frame(0).warps) == 8
    assert trace.cycles == story("interleaved").trace.cycles


def test_an_address_is_followed(story):
    trace = story("interleaved", "h200").trace
    expected = [
        step for step, where, _ in trace.accesses()
        if where.space == Space.SHARED and trace.event(step).block == 1
        and any(where.address[lane] == 8 for lane in range(32) if where.mask >> lane & 1)
    ]  # fmt: skip
    assert len(expected) == 4
    assert trace.steps_accessing(Space.SHARED, 8, 4, block=1).tolist() == expected
    assert set(trace.steps_accessing(Space.SHARED, 8, 4)) > set(expected)


def test_a_word_of_global_memory_is_followed(story):
    trace = story("interleaved").trace
    rows = [p.row for p in trace.program.params if p.is_pointer]
    data, output = (int(trace.frame(0).registers64[0][row][0]) for row in rows)
    (read,) = trace.steps_accessing(Space.GLOBAL, data + 4 * 40)
    assert (trace.event(int(read)).block, trace.event(int(read)).warp) == (0, 1)
    (written,) = trace.steps_accessing(Space.GLOBAL, output + 4)
    assert trace.event(int(written)).block == 1
    assert trace.steps_accessing(Space.GLOBAL, data + 1 << 30).tolist() == []


def test_a_lane_is_followed(story):
    trace = story("interleaved").trace
    lane0, lane1 = (trace.navigator.steps_of_lane(0, 0, lane) for lane in (0, 1))
    assert len(lane0) > len(lane1) > 0
    assert all(trace.event(int(s)).on >> 1 & 1 for s in lane1)


BYTES = """
__global__ void kernel(int *out) {
    __shared__ int words[8];
    __shared__ unsigned char bytes[33];
    words[threadIdx.x % 4 * 2] = 1;
    bytes[0] = 0;
    bytes[5] = 1;
    bytes[32] = 2;
    out[threadIdx.x] = words[0];
}"""


@pytest.mark.parametrize("text", [BYTES, BYTES.replace("unsigned char", "int")])
def test_shared_memory_says_which_bytes_have_been_written(text):
    program = compile_source(SourceText("kernel.cu", text))
    bound = bind(program, (1, 1, 1), (32, 1, 1), [np.zeros(32, np.int32)], 0)
    _, trace = record(program, load_device("h200"), bound.launch, bound.memory)
    (view,) = trace.frame(trace.steps).shared
    assert len(view.written) == len(view.data)
    expected = np.zeros(len(view.data), np.bool_)
    for variable in program.variables:
        for k in {"words": (0, 2, 4, 6), "bytes": (0, 5, 32)}.get(variable.name, ()):
            first = variable.offset + k * variable.element_bytes
            expected[first : first + variable.element_bytes] = True
    assert np.array_equal(view.written, expected)
