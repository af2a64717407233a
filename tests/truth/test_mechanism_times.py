"""Single mechanisms take as long as on an H200: barriers, wide products, merged stores, blocks that differ."""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.tiers import representatives

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
MECHANISMS = HERE / "times" / "queues" / "mechanisms.cu"
QUEUES = HERE / "times" / "queues" / "queues.cu"
SWAPS = HERE / "times" / "queues" / "swaps.cu"
sys.path.append(str(HERE / "times"))


@cache
def measured(table: str = "mechanisms") -> dict[tuple[str, int], float]:
    with (HERE / f"{table}_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["figure"], int(row["parameter"])): float(row["value"]) for row in rows}


def cycles(
    first: str, behind: str, kernel: str, blocks: int, threads: int, *arguments: object, file: Path = MECHANISMS
) -> float:  # fmt: skip
    """Return the mean cycles that the blocks of a kernel note; its last parameters are clocks and sink."""
    text = file.read_text(encoding="utf-8")
    program = wv.compile(text[text.index(first) : text.index(behind)], kernel, compiler="nvrtc", device="h200")
    clocks = np.zeros(4096, np.int64)
    room = [clocks, np.zeros(1024, np.float32)][: len(program.params) - len(arguments)]
    bound = bind(program, (blocks * 132, 1, 1), (threads, 1, 1), [*arguments, *room], 0)
    options = SmOptions(record=False, estimate=True)
    done = run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), options)
    noted = next(b for b in bound.buffers.values() if b.read(done.outcome.memory).dtype == np.int64)
    found = noted.read(done.outcome.memory)
    return float(found[found > 0].mean())


@pytest.mark.parametrize(("blocks", "warps"), [(1, 1), (1, 8), (1, 32), (2, 16), (4, 4), (4, 8)])
def test_arrivals_at_barriers_take_their_turns(blocks: int, warps: int) -> None:
    each = cycles("__global__ void barriers(", "static void meetings()", "barriers", blocks, 32 * warps, 256) / 256
    assert each == pytest.approx(measured()[f"barrier_blocks_{blocks}", warps], rel=0.15)


@pytest.mark.parametrize("ways", [1, 2, 4, 8])
def test_paths_change_where_lanes_arrive_at_a_convergence_barrier(ways: int) -> None:
    place = "#define PATH(n)", "// " + 96 * "-" + " cubins"
    each = cycles(*place, "branches", 1, 32, 256, ways, file=QUEUES) / 256
    assert each == pytest.approx(measured("queues")["branches", ways], rel=0.1)


@pytest.mark.parametrize(
    ("blocks", "warps"),
    [(1, 1), (1, 2), (1, 4), (1, 8), (1, 16), (1, 32), (2, 4), (2, 16), (4, 4), (4, 8), (8, 2)],
)
def test_lanes_of_all_warps_of_a_block_fail_together_to_add_floats_in_shared_memory(blocks: int, warps: int) -> None:
    each = cycles("__global__ void add_floats(", "// Integers: the old", "add_floats", blocks, 32 * warps, 4) / 4
    # 64 warps of several blocks take longer than here, 16 of one block not so long: see times.md.
    assert each == pytest.approx(measured()[f"float_add_blocks_{blocks}", warps], rel=0.25)


@pytest.mark.parametrize(
    "name",
    representatives(["mul_high", "mul_wide", "mul_64", "remainder_32", "remainder_64"], ["mul_wide", "remainder_32"]),
)
def test_wide_products_hold_their_pipe_and_their_scheduler(name: str) -> None:
    place = "#define PIPE(name", "#define MEASURE(name, type)"
    alone = cycles(*place, f"pipe_{name}<1>", 1, 32, 64, 3, 5) / (64 * 16)
    together = cycles(*place, f"pipe_{name}<4>", 1, 1024, 64, 3, 5) / (64 * 16 * 4 * 8)
    assert alone == pytest.approx(measured()[f"latency_{name}", 0], rel=0.12)
    assert together == pytest.approx(measured()[f"pipe_{name}", 0], rel=0.12)


# What each of them needs: stores that are merged in pairs, stores of parts that the L2 keeps, blocks that do not do the
# same, many warps at a barrier, stores of all warps to one word.
LAUNCHES = (
    "prefix_registers 256/256", "scatter 1024/256", "primes 132/256", "prefix_double_buffer<1024> 512/1024",
    "visit 512/256",
)  # fmt: skip


@pytest.mark.parametrize("start", LAUNCHES)
def test_launches_that_show_one_mechanism(start: str) -> None:
    from compare import PARTS, simulate
    from compare import measured as recorded
    from more import more

    launch = next(launch for launch in more() if launch.key.startswith(start))
    measured = float(recorded(PARTS["more"].table)[launch.key]["kernel_us"])
    assert simulate(launch, "nvrtc").time_us == pytest.approx(measured, rel=0.2)


# Rows that several multiprocessors read, in many waves of blocks; an array of whose planes each reads some alone.
@pytest.mark.parametrize(
    ("part", "start", "least", "most"),
    [
        ("seen", "stencil_line_shared 65536/256", 0.93, 1.08),
        ("courses", "mask_constant 64x256/32x8", 0.93, 1.06),
        ("fresh", "sobel 128x128/32x16", 0.86, 1.05),
        ("fresh", "swap_axes 8x256x8/32x8", 0.93, 1.05),
    ],
)
def test_what_others_bring_into_the_l2_is_spread_over_a_launch(
    part: str, start: str, least: float, most: float
) -> None:
    from compare import PARTS, simulate
    from compare import measured as recorded

    launches, device = PARTS[part].launches(), PARTS[part].device
    launch = next(launch for launch in launches if launch.key.startswith(start))
    measured = float(recorded(PARTS[part].table)[launch.key]["kernel_us"])
    taken = simulate(launch, "nvrtc", device).time_us / measured
    assert least < taken < most


@pytest.mark.parametrize(("place", "lane"), [("32_sectors", 8), ("8_sectors", 2), ("line", 1), ("one_word", 0)])
def test_reductions_of_all_multiprocessors_at_the_same_words(place: str, lane: int) -> None:
    text = (HERE / "times" / "queues" / "polls.cu").read_text(encoding="utf-8")
    text = text[text.index("constexpr int LINE") : text.index("// Which warps get on")]
    start = text.index("    unsigned long long until")
    text = text[:start] + text[text.index("    __syncthreads();", start) :]
    program, device, found = wv.compile(text, "reductions", compiler="nvrtc", device="h200"), load_device("h200"), []
    for rounds in (0, 64):
        arguments = [np.zeros(1 << 12, np.uint32), lane, 0, rounds, np.zeros(1024, np.int64)]
        bound = bind(program, (132, 1, 1), (128, 1, 1), arguments, 0)
        options = SmOptions(record=False, estimate=True)
        result = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result
        found.append(result.time_us * device.clock_mhz)
    with (HERE / "polls_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        row = next(
            r for r in rows if (r["figure"], r["kind"], r["blocks"], r["warps"]) == ("reductions", place, "132", "4")
        )
    assert (found[1] - found[0]) / (64 * 4) == pytest.approx(float(row["most"]), rel=0.12)


@pytest.mark.parametrize("kernel", ["upper_case", "prefix_registers", "turn_copy<float>"])
def test_stores_hit_lines_that_stores_have_entered(kernel: str) -> None:
    from compare import PARTS, simulate
    from compare import measured as recorded

    launch = next(launch for launch in PARTS["development"].launches() if launch.kernel == kernel)
    rate = simulate(launch, "nvrtc").traffic.l1_hit_rate
    assert rate is not None
    assert 100 * rate == pytest.approx(float(recorded(PARTS["held-out"].table)[launch.key]["l1_hit_pct"]), abs=5)


@pytest.mark.parametrize(
    ("kind", "blocks", "warps", "words", "near"),
    [
        ("swap", 1, 1, 1, 0.12), ("swap", 1, 8, 1, 0.12), ("swap", 1, 32, 32, 0.12), ("swap", 8, 8, 4, 0.12),
        ("add_float", 1, 1, 4096, 0.12), ("add_float", 1, 8, 256, 0.12), ("add_float", 4, 8, 4096, 0.12),
        ("add_float", 8, 8, 4096, 0.12),
        # The preferred warps are done early here, on the device in nearly any order (barriers_h200.csv): the first one
        # reads its clock late, and all the more as queues take what the last ones have issued.
        ("add", 1, 32, 32, 0.36),
    ],
)  # fmt: skip
def test_lanes_that_change_words_of_shared_memory_meet_in_its_banks(
    kind: str, blocks: int, warps: int, words: int, near: float
) -> None:
    text = SWAPS.read_text(encoding="utf-8")
    source = text[text.index("__device__ __forceinline__") : text.index("// Each thread changes one random word")]
    program = wv.compile(source, f"change_shared<{kind.upper()}>", compiler="nvrtc", device="h200")
    arguments = [words - 1, 8, np.zeros(4096, np.int64), np.zeros(1 << 20, np.int32)]
    run = wv.simulate(
        program, grid=(132 * blocks,), block=(32 * warps,), args=arguments, shared_bytes=16384, device="h200",
        engine="sm", check=False,
    )  # fmt: skip
    clocks = next(buffer for buffer in run.buffers.values() if buffer.dtype == np.int64)
    each = clocks[np.arange(blocks) * 132].mean() / 8
    assert each == pytest.approx(measured("swaps")[f"shared_{kind}_{blocks}_{warps}", words], rel=near)
