"""Loops that the compiler unrolls are found in code as written, and what of them takes time.

Which loops NVRTC unrolls is looked up in its code, in tests/sass/test_unrolled_loops.py.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.ops import Op
from warpview.sim.arguments.binding import bind
from warpview.sim.arguments.values import dim3
from warpview.sim.compiler_effects.load_groups import load_groups
from warpview.sim.compiler_effects.loop_body import LOADS_AHEAD, MOST_TOGETHER, UnrolledLoop
from warpview.sim.compiler_effects.remainder_trips import countdown
from warpview.sim.compiler_effects.unrolled_loops import unrolled_loops
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions, SmResult, Stall
from warpview.sim.launch import Options
from warpview.sim.reference.machine_sm import run_sm_reference

SUM = "float s = 0; for (int k = {0}; k < {1}; {2}) s += a[{3}]; c[i] = s;"


def compiled(body: str, parameters: str = "const float *a, float *c, int n") -> wv.Program:
    head = f"__global__ void kernel({parameters}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x;"
    return wv.compile(f"{head} {body} }}", "kernel")


def loop(body: str, parameters: str = "const float *a, float *c, int n") -> UnrolledLoop | None:
    found = list(unrolled_loops(compiled(body, parameters), {}))
    assert len(found) <= 1
    return found[0] if found else None


def names(program: wv.Program, places: frozenset[int]) -> list[str]:
    return [program.instructions[n].op.name for n in sorted(places)]


@pytest.mark.parametrize(
    ("trips", "together"),
    [(("0", "n", "k++"), 4), (("i", "n", "k += 32"), 4), (("0", "3", "k++"), 3), (("0", "64", "k++"), MOST_TOGETHER),
     (("0", "4000", "k++"), MOST_TOGETHER), (("0", "30", "k += 3"), 10), (("i", "64", "k += 8"), 4)],
)  # fmt: skip
def test_a_counted_loop_is_mixed_by_as_many_trips_as_are_written_out(
    trips: tuple[str, str, str], together: int
) -> None:
    found = loop(SUM.format(*trips, "k * 32 + i"))
    assert found is not None
    assert found.together == together


@pytest.mark.parametrize(
    ("counter", "copies"),
    [
        ("int d = 16; d; d /= 2", 5), ("int d = 16; d > 0; d >>= 1", 5), ("unsigned d = 1; d < 32; d <<= 1", 5),
        ("unsigned d = 1; d < 1000; d = d * 3 + 1", 6), ("int d = blockDim.x / 2; d > 0; d >>= 1", 0),
        ("int d = 5; d != 0; d = d * 2", 32), ("int d = 5; d != 1; d = d * 2", 0),
    ],
)  # fmt: skip
def test_trips_of_a_counter_that_follows_from_constants_are_carried_out(counter: str, copies: int) -> None:
    found = loop(f"float s = a[i]; for ({counter}) s += __shfl_xor_sync(~0u, s, d & 31); c[i] = s;")
    assert (found.copies if found else 0) == copies


def test_a_loop_around_one_that_is_written_out_is_mixed() -> None:
    body = ("float s = 0; for (int y = 0; y < n; y++) { float v = a[y * 32 + i];"
            "for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); s += v; } c[i] = s;")  # fmt: skip
    program = compiled(body)
    (found,) = unrolled_loops(program, {})
    assert found.copies == found.together == 4
    assert {i.op for i in program.instructions[found.first : found.last + 1]} >= {Op.LD, Op.SHFL}
    # What counts the inner loop has no copy at all.
    inner = [n for n in found.predicated if program.instructions[n].op == Op.BRA]
    assert len(inner) == 1


def test_loads_in_flight_are_bounded() -> None:
    found = loop("float s = 0; for (int k = 0; k < 16; k++) { " + "".join(
        f"s += a[k * 64 + {at} * 4096 + i];" for at in range(6)) + "} c[i] = s;")  # fmt: skip
    assert found is not None
    assert found.together == LOADS_AHEAD // 6


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(SUM.format("i", "n", "k += blockDim.x", "k"), id="its step is no constant"),
        pytest.param("float s = 0; for (; n > 0; n >>= 1) s += a[i + n]; c[i] = s;", id="it has no counter"),
        pytest.param("while (a[i] != n) i += 32; c[i] = i;", id="a load decides how often"),
        pytest.param("float s = 0; for (int k = 0; k < n; k++) { float v = a[k]; if (v < 0) break; s += v; } c[i] = s;",
                     id="it has another way out"),
        pytest.param("__shared__ float t[64]; for (int k = 0; k < n; k++) { t[i] = a[k]; __syncthreads(); }",
                     id="it has a barrier"),
        pytest.param("for (int k = 0; k < n; k++) atomicAdd(c + k, a[k]);", id="it has atomics"),
        pytest.param("for (int k = 0; k < n; k++) c[k] = 2 * a[k];", id="a load may read what was stored"),
        pytest.param("for (int k = 0; k < n; k++) c[i] = a[i] / (a[k] + c[i]);", id="an exact division has branches"),
        pytest.param("float s = 0; for (int k = 0; k < n; k++) {" + "s = s * s + a[k];" * 60 + "} c[i] = s;",
                     id="its body is long"),
        pytest.param("float s = 0;\n#pragma unroll 1\nfor (int k = 0; k < n; k++) s += a[k]; c[i] = s;",
                     id="a pragma forbids it"),
    ],
)  # fmt: skip
def test_a_loop_is_not_mixed_where(body: str) -> None:
    assert loop(body) is None


def test_stores_to_another_memory_or_of_restricted_pointers_are_passed() -> None:
    assert loop("__shared__ float t[64]; for (int k = 0; k < n; k++) t[k & 63] = a[k * 32 + i]; c[i] = t[0];")
    body, parameters = (
        "for (int k = 0; k < n; k++) c[k] = 2 * a[k];",
        "const float *__restrict__ a, float *__restrict__ c, int n",
    )
    assert loop(body, parameters) is not None


def test_what_becomes_a_constant_is_folded() -> None:
    program = compiled(SUM.format("0", "n", "k++", "k * 32 + i"))
    (found,) = unrolled_loops(program, {})
    assert names(program, found.folded) == ["MAD", "MADWIDE", "ADD", "SETP", "BRA"]


def test_the_last_sum_of_an_address_stays_where_the_stride_is_a_variable() -> None:
    program = compiled(SUM.format("0", "n", "k++", "k * n + i"))
    (found,) = unrolled_loops(program, {})
    assert names(program, found.folded) == ["MAD", "ADD", "SETP", "BRA"]


def test_what_is_the_same_in_each_trip_is_folded() -> None:
    program = compiled("float s = 0; for (int k = 0; k < n; k++) s += a[k * 32 + (n ^ i) * 8]; c[i] = s;")
    (found,) = unrolled_loops(program, {})
    assert names(program, frozenset(range(found.first, found.last + 1)) - found.folded) == ["LD", "ADD"]


def test_a_counter_that_is_data_stays() -> None:
    program = compiled("float s = 0; for (int k = 0; k < n; k++) s += a[k * 32 + i] * (2 * k); c[i] = s;")
    (found,) = unrolled_loops(program, {})
    assert Op.MADWIDE in {program.instructions[n].op for n in found.folded}
    assert Op.SHL not in {program.instructions[n].op for n in found.folded}


def test_a_chain_of_pointers_is_a_cycle() -> None:
    program = compiled("for (int k = 0; k < n; k++) i = a[i]; c[threadIdx.x] = i;", "const int *a, int *c, int n")
    (found,) = unrolled_loops(program, {})
    assert names(program, found.cycle - found.folded) == ["MADWIDE", "LD"]


def test_loads_of_straight_code_are_a_group_until_one_needs_another() -> None:
    body = "float s = a[i] * 2; s += a[i + 32] * 3; s += a[i + 64] * 4; c[i] = s + a[(int)s];"
    program = compiled(body)
    (group,) = load_groups(program, {}, [], [])
    loads = [n for n, i in enumerate(program.instructions) if i.op == Op.LD]
    assert max(group.early) == loads[2]
    assert loads[2] < group.settles <= loads[3]


def test_what_is_computed_in_place_of_a_loaded_number_is_not_waited_for() -> None:
    program = compiled("float s = c[i], t = c[i + 32]; c[i] = s * 3 + a[i] * n; c[i + 32] = t * 3 + a[i + 64] * n;",
                       "const float *__restrict__ a, float *__restrict__ c, int n")  # fmt: skip
    (group,) = load_groups(program, {}, [], [])
    loads = [n for n, i in enumerate(program.instructions) if i.op == Op.LD]
    products = [n for n, i in enumerate(program.instructions) if i.op == Op.MUL and n < loads[-1]]
    assert max(group.early) == loads[-1]
    assert products
    assert all(group.early[n] for n in products)


def test_a_group_of_loads_goes_on_behind_an_inner_loop_that_is_written_out() -> None:
    body = ("float s = 0; for (int y = 0; y < n; y++) { float v = a[y * 32 + i];"
            "for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);"
            "s += v * a[y * 32 + i + 4096]; } c[i] = s;")  # fmt: skip
    program = compiled(body)
    loads = [n for n, i in enumerate(program.instructions) if i.op == Op.LD]
    (group,) = load_groups(program, {}, list(unrolled_loops(program, {})), [])
    assert max(group.early) == loads[1]


def test_a_store_ends_a_group_of_loads_that_may_read_it() -> None:
    body = "c[i] = a[i]; c[i + 32] = a[i + 32]; c[i + 64] = a[i + 64];"
    assert not list(load_groups(compiled(body), {}, [], []))
    restricted = "const float *__restrict__ a, float *__restrict__ c, int n"
    assert len(list(load_groups(compiled(body, restricted), {}, [], []))) == 1


# ------------------------------------------------------------------------------------ in time


def estimated(body: str, device: str = "h200", blocks: int = 132, threads: int = 128, n: int = 256) -> SmResult:
    program = compiled(body)
    arrays = [np.zeros(1 << 20, np.float32), np.zeros(blocks * threads, np.float32)]
    bound = bind(program, dim3(blocks, "grid"), dim3(threads, "block"), [*arrays, n], 0)
    sm = SmOptions(record=False, estimate=True)
    return run_sm(program, load_device(device), bound.launch, bound.memory, Options(check=False), sm).result


def test_trips_that_are_mixed_wait_once() -> None:
    one, many = (estimated(SUM.format("0", "n", f"k += {step}", "k * 32 + i")) for step in ("1", "blockDim.x / 128"))
    assert one.issued >= many.issued - 10_000
    assert 2.5 * one.cycles < many.cycles
    assert one.stalls[:, Stall.LONG_SCOREBOARD].sum() < many.stalls[:, Stall.LONG_SCOREBOARD].sum() / 2


def test_trips_wait_for_no_load_that_only_joined_logic_needs() -> None:
    body = "unsigned h = i; for (int k = 0; k < n; k++) h = ((h ^ (unsigned)a[k * 32 + i]) & 255) * 3; c[i] = h;"
    assert estimated(body).cycles < 256 * load_device("h200").latency_global / 2


def test_what_is_computed_once_more_takes_no_time() -> None:
    body = "float s = a[i]; for (int k = 0; k < n; k++) {{ float d = s - a[(k & 7) * 32 + i]; s += {}; }} c[i] = s;"
    once, twice = (estimated(body.format(value)) for value in ("d * d", "d * (s - a[(k & 7) * 32 + i])"))
    assert twice.issued > once.issued
    assert twice.cycles == pytest.approx(once.cycles, rel=0.02)


def test_a_branch_over_little_takes_no_time() -> None:
    body = (
        "float s = a[i], t = s; for (int k = 0; k < n; k++) {{ __syncthreads(); {} t = t * 2 + 1; s -= t; }} c[i] = s;"
    )
    plain, guarded = (estimated(body.format(test)) for test in ("", "if (i > k)"))
    assert guarded.cycles < plain.cycles * 1.12


def test_a_chain_of_loads_waits_for_each() -> None:
    chain = estimated("int at = i; for (int k = 0; k < n; k++) at = (int)a[at] + i; c[i] = at;")
    assert chain.cycles > 256 * load_device("h200").latency_l1


def test_a_loop_of_few_trips_is_left_when_its_loads_are_there() -> None:
    few = estimated(SUM.format("0", "n", "k++", "k * 32 + i"), n=3)
    assert few.cycles > load_device("h200").latency_global


@pytest.mark.parametrize(("trips", "waits"), [(4, 1), (5, 2), (7, 4), (8, 2), (11, 5)], ids=lambda number: f"{number}")
def test_trips_that_do_not_fill_four_are_carried_out_one_by_one(trips: int, waits: int) -> None:
    body = SUM.format("0", "n", "k++", "k * 1024 + i")
    once, several = (estimated(body, blocks=1, threads=32, n=n).cycles for n in (4, trips))
    latency = load_device("h200").latency_global
    assert (several - once) / latency == pytest.approx(waits - 1, abs=0.5)


def test_sixteen_copies_are_followed_by_eight_four_and_single_trips() -> None:
    body = SUM.format("0", "n", "k++", "k * 4096")
    program = compiled(body)
    (found,) = unrolled_loops(program, {})
    assert found.copies == 16
    times = [estimated(body, blocks=1, threads=32, n=n).cycles for n in (16, 24, 28, 29, 30)]
    latency = load_device("h200").latency_global
    assert np.diff(times) == pytest.approx(np.full(4, latency), rel=0.5)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("int k = 0; k < n; k++", (1, False)), ("int k = 0; k <= n; k += 3", (3, True)),
        ("int k = n; k > 0; k -= 2", (-2, False)), ("int k = n; k >= 0; k--", (-1, True)),
        ("int k = i; k < 64; k += 8", (8, False)), ("int k = 0; k < 4000; k++", None),
    ],
)  # fmt: skip
def test_what_counts_trips_is_the_way_to_the_bound(source: str, found: tuple[int, bool] | None) -> None:
    program = compiled(f"float s = 0; for ({source}) s += a[k * 32 + i]; c[i] = s;")
    (unrolled,) = unrolled_loops(program, {})
    counted = countdown(program, unrolled)
    assert (counted and (counted.step, counted.inclusive)) == found


def test_a_load_in_one_arm_is_waited_for_where_other_lanes_take_the_other() -> None:
    body = ("__shared__ float t[256]; for (int k = threadIdx.x; k < n; k += 256) "
            "t[k & 255] = k > 0 ? a[k * 32] : 0; __syncthreads(); c[i] = t[i & 255];")  # fmt: skip
    assert estimated(body, blocks=1, threads=32, n=32).cycles > load_device("h200").latency_global


def test_older_compilers_are_not_known() -> None:
    body = SUM.format("0", "n", "k++", "k * 32 + i")
    assert not estimated(body, "c2050").free_issues.any()
    assert estimated(body, "a100").free_issues.any()


@pytest.mark.parametrize(
    "body",
    [
        SUM.format("0", "n", "k++", "k * 32 + i"),
        SUM.format("0", "7", "k++", "(int)a[k + i] + k"),
        SUM.format("i & 3", "n - (i & 7)", "k++", "k * n + i"),
        SUM.format("n * 7 + (i & 3)", "0", "k -= 2", "k * 8 + i").replace("<", ">="),
        "__shared__ float t[64]; for (int k = i; k < n * 9; k += 32) t[k & 63] = k & 1 ? a[k * 2] : 0; c[i] = t[i];",
        "float s = 0; for (int k = 0; k < n; k++) for (int q = 0; q < 5; q++)"
        "if (q < (i & 7)) s += a[k * n + q] * q; c[i] = s;",
        "float s = 0, p = a[i]; for (int k = 0; k < n; k++) { float d = p - a[k * n];"
        "if (d > i) s += d * (p - a[k * n]); __syncthreads(); s += (p - a[k * n]) * 2; } c[i] = s;",
        "unsigned h = i; for (int k = 0; k < n; k++) h = ((h ^ (unsigned)a[k * 32 + i]) & 255) * 3; c[i] = h;",
        "__shared__ float t[32]; for (int k = 0; k < n; k++) { t[threadIdx.x] = a[k * 32 + i]; float s = 0;"
        "for (int q = 0; q < 8; q++) s += t[q] * t[q + 8] + t[31 - q]; __syncwarp(); c[i] += s; }",
    ],
)
def test_both_engines_agree(body: str) -> None:
    program, device = compiled(body), replace(load_device("h200"), multiprocessors=1)
    runs = []
    for run in (run_sm_reference, run_sm):
        arrays = [np.arange(2048, dtype=np.float32) % 7, np.zeros(256, np.float32)]
        bound = bind(program, (3, 1, 1), (32, 1, 1), [*arrays, 6], 0)
        runs.append(run(program, device, bound.launch, bound.memory, Options(), SmOptions()))
    assert runs[0].result.free_issues.any()
    assert np.array_equal(runs[0].result.free_issues, runs[1].result.free_issues)
    assert np.array_equal(runs[0].events.cycle, runs[1].events.cycle)
    assert np.array_equal(runs[0].events.wait, runs[1].events.wait)
    assert np.array_equal(runs[0].result.stalls, runs[1].result.stalls)
