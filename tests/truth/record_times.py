"""Measure on this machine's NVIDIA GPU how long launches of ``tests/truth/times`` take, and what ncu says of them.

    python tests/truth/record_times.py [--table TABLE] [--output FOLDER] [--build FOLDER] [--spread | --asked]

Needs nvcc and ncu on the PATH. Writes ``<table>_<gpu>.csv`` (a row a launch), ``<table>_spread_<gpu>.csv`` (the
shortest, the median and the longest time of each launch) and, with the first table, ``microbenchmarks_<gpu>.csv``, with
device, driver and compiler in their first lines, beside this script or in FOLDER.
``--build`` only compiles, into FOLDER, for a later run with ``--folder``; ``--spread`` measures nothing but the
table of the shortest, median and longest times, ``--asked`` nothing but ``<table>_asked_<gpu>.csv``: the sectors of the
L2 that multiprocessors ask for, those that one half of the L2 asks the other for, and all. ``kernel_us`` is ncu's
gpu__time_duration, the median of seven launches on fresh arrays, with caches flushed before each and clocks left alone;
``event_us`` the median of CUDA events around single launches, ``stream_us`` the mean of twenty in a row, both with
warm caches and on the same arrays.
"""

from __future__ import annotations

import argparse
import csv
import io
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "times"))

from blind import blind  # noqa: E402
from clusters import clusters  # noqa: E402
from courses import courses  # noqa: E402
from fresh import fresh  # noqa: E402
from held_out import held_out  # noqa: E402
from kinds import kinds  # noqa: E402
from launches import TimedLaunch, launches  # noqa: E402
from more import more  # noqa: E402
from staged import staged  # noqa: E402
from suites import suites  # noqa: E402

TABLES = {"times": launches, "times_held_out": held_out, "times_more": more, "times_fresh": fresh,
          "times_blind": blind, "times_courses": courses, "times_suites": suites,
          "times_clusters": clusters, "times_kinds": kinds, "times_staged": staged}  # fmt: skip
SPREADS = {"times": "times_seen", "times_held_out": "times"}
REPEATS = 7
PART = 50  # launches that one run of ncu measures

MICROBENCHMARKS = HERE.parents[1] / "assets" / "calibration" / "microbenchmarks.cu"
STALLS = (
    "long_scoreboard", "short_scoreboard", "barrier", "mio_throttle", "lg_throttle", "math_pipe_throttle",
    "not_selected", "selected", "wait", "no_instruction", "branch_resolving", "dispatch_stall", "drain", "imc_miss",
    "membar", "sleeping", "misc", "tex_throttle",
)  # fmt: skip
DURATION = "gpu__time_duration.sum"
METRICS = {
    "cycles": "sm__cycles_elapsed.max",
    "active_cycles": "sm__cycles_active.avg",
    "inst_executed": "smsp__inst_executed.sum",
    "issue_slot_pct": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "l1_hit_pct": "l1tex__t_sector_hit_rate.pct",
    "l2_hit_pct": "lts__t_sector_hit_rate.pct",
    "l2_sectors_read": "lts__t_sectors_op_read.sum",
    "l2_sectors_written": "lts__t_sectors_op_write.sum",
    "dram_bytes_read": "dram__bytes_read.sum",
    "dram_bytes_written": "dram__bytes_write.sum",
    "occupancy_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers": "launch__registers_per_thread",
    **{f"stall_{name}": f"smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio" for name in STALLS},
}
ASKED = {
    f"{name}{suffix}": f"lts__t_sectors{unit}{lookup}.sum"
    for name, unit in (("sectors", ""), ("asked", "_srcunit_tex"), ("fabric", "_srcunit_ltcfabric"))
    for suffix, lookup in (("", ""), ("_hit", "_lookup_hit"))
}

DRIVER = """\
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
{includes}
#define CHECK(x) do {{ cudaError_t e_ = (x); if (e_ != cudaSuccess) {{ \\
    fprintf(stderr, "%s: %s\\n", #x, cudaGetErrorString(e_)); exit(1); }} }} while (0)
struct Pointer {{  // converts to whatever the kernel's parameter points at
    void *p;
    template <class T> operator T *() const {{ return (T *)p; }}
}};
static __host__ __device__ uint32_t hash32(uint32_t x)  // as warpview/library/inputs.py
{{
    x ^= x >> 16; x *= 0x7FEB352Du; x ^= x >> 15; x *= 0x846CA68Bu; x ^= x >> 16;
    return x;
}}
template <class T> __global__ void fill(T *values, size_t count, char kind, double parameter)
{{
    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += gridDim.x * (size_t)blockDim.x) {{
        double v = 0;
        if (kind == 'o') v = 1;
        if (kind == 'i') v = (double)k * parameter;
        if (kind == 'h') v = (double)(hash32((uint32_t)k) % (uint32_t)parameter);
        if (kind == 'u') v = (double)(hash32((uint32_t)k) >> 8) / (1 << 24);
        values[k] = (T)v;
    }}
}}
static std::map<std::string, Pointer> buffers;
template <class T> static Pointer buffer(int place, const char *spec, size_t count, char kind, double parameter)
{{
    Pointer &known = buffers[std::to_string(place) + spec];
    if (known.p) return known;
    CHECK(cudaMalloc(&known.p, count * sizeof(T)));
    if (kind == 'p') {{
        std::vector<T> order(count);
        std::iota(order.begin(), order.end(), (T)0);
        std::stable_sort(order.begin(), order.end(),
                         [](T a, T b) {{ return hash32((uint32_t)a) < hash32((uint32_t)b); }});
        CHECK(cudaMemcpy(known.p, order.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }} else
        fill<<<1024, 256>>>((T *)known.p, count, kind, parameter);
    CHECK(cudaDeviceSynchronize());
    return known;
}}
__global__ void raise_the_clock(long long cycles)
{{
    long long start = clock64();
    while (clock64() - start < cycles) {{}}
}}
static void release()
{{
    for (auto &each : buffers) CHECK(cudaFree(each.second.p));
    buffers.clear();
}}
template <class Launch> static void timed(int number, Launch launch)
{{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start)); CHECK(cudaEventCreate(&stop));
    std::vector<float> times;
    float t, first = 0;
    launch();
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < 9 && (k < 3 || first < 20); k++) {{
        CHECK(cudaEventRecord(start)); launch(); CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop)); CHECK(cudaEventElapsedTime(&t, start, stop));
        times.push_back(t);
        first = t;
    }}
    std::sort(times.begin(), times.end());
    int count = first < 20 ? 20 : 2;
    CHECK(cudaEventRecord(start));
    for (int k = 0; k < count; k++) launch();
    CHECK(cudaEventRecord(stop)); CHECK(cudaEventSynchronize(stop)); CHECK(cudaEventElapsedTime(&t, start, stop));
    printf("%d,%.4f,%.4f\\n", number, times[times.size() / 2] * 1000, t * 1000 / count);
    fflush(stdout);
}}
template <class Launch> static void profiled(Launch launch)
{{
    CHECK(cudaProfilerStart());
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaProfilerStop());
}}
int main(int argc, char **argv)
{{
    bool events = !strcmp(argv[1], "events");
    int repeats = events ? 1 : atoi(argv[1]);
    int first = argc > 2 ? atoi(argv[2]) : 0, end = argc > 3 ? atoi(argv[3]) : 1 << 30;
    raise_the_clock<<<132, 32>>>(600000000LL);
    CHECK(cudaDeviceSynchronize());
{calls}
    return 0;
}}
"""
ELEMENTS = {"float16": "__half", "float32": "float", "float64": "double", "int32": "int", "uint32": "unsigned",
            "uint16": "unsigned short", "uint8": "unsigned char"}  # fmt: skip


def argument(place: int, value: str | int | float) -> str:
    """Return an argument in C++."""
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, float):
        return f"{value!r}f"
    element, spec = value.split()
    kind, count, *parameter = spec.split(":")
    second = parameter[0] if parameter else 1 << 31 if kind == "hash" else 1
    return f"buffer<{ELEMENTS[element]}>({place}, \"{value}\", {count}ull, '{kind[0]}', {second})"


def call(number: int, launch: TimedLaunch) -> str:
    """Return the lines of ``main`` for one launch."""
    arguments = [argument(k, value) for k, value in enumerate(launch.args)]
    names = ", ".join(f"p{k}" for k in range(len(arguments)))
    lines = [f"auto p{k} = {text};" for k, text in enumerate(arguments)]
    grid, block = (f"dim3({', '.join(map(str, extents))})" for extents in (launch.grid, launch.block))
    lines += [
        f"auto launch = [&] {{ {launch.kernel}<<<{grid}, {block}, {launch.shared_bytes}>>>({names}); }};",
        f"if (events) timed({number}, launch); else profiled(launch);",
        "CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); release();",
    ]
    head = f"    for (int k = 0; k < repeats && {number} >= first && {number} < end; k++) {{\n        "
    return head + "\n        ".join(lines) + "\n    }"


def build(folder: Path, table: list[TimedLaunch], architecture: str) -> None:
    """Compile the driver and the microbenchmarks into ``folder``."""
    for file in {launch.path for launch in table}:
        shutil.copy(file, folder)
    includes = "\n".join(f'#include "{name}"' for name in sorted({launch.path.name for launch in table}))
    calls = "\n".join(call(number, launch) for number, launch in enumerate(table))
    (folder / "driver.cu").write_text(DRIVER.format(includes=includes, calls=calls))
    for name, source in (("driver", folder / "driver.cu"), ("microbenchmarks", MICROBENCHMARKS)):
        command = ["nvcc", "-O3", f"-arch={architecture}", "-lineinfo", "-o", name, str(source)]
        subprocess.run(command, cwd=folder, check=True)


def events(folder: Path) -> dict[int, tuple[float, float]]:
    """Return (event_us, stream_us) by launch."""
    text = subprocess.run(["./driver", "events"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = (line.split(",") for line in text.splitlines())
    return {int(number): (float(single), float(row)) for number, single, row in rows}


def profiled(folder: Path, metrics: list[str], repeats: int, *part: int) -> list[dict[str, str]]:
    """Return one row a kernel that was launched: metric name -> value; of the launches of a part, first and end."""
    command = ["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--print-units", "base",
               "--profile-from-start", "off", "--metrics", ",".join(metrics)]  # fmt: skip
    command += ["./driver", str(repeats), *map(str, part)]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    start = result.stdout.find('"ID"')
    if start < 0:
        raise RuntimeError(result.stdout[-2000:] + result.stderr[-2000:])
    return [row for row in csv.DictReader(io.StringIO(result.stdout[start:])) if row["ID"]]


def number(text: str | None) -> str:
    return (text or "").replace(",", "")


def write(path: Path, header: list[str], columns: list[str], rows: list[list[object]]) -> None:
    """Write a table below its provenance."""
    with path.open("w", newline="") as file:
        file.writelines(f"# {line}\n" for line in header)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path}", flush=True)


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> list[str]:
    """Return device, driver, compiler and profiler, one a line."""
    query = said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    gpu, driver = query.split("\n")[0].split(", ")
    return [f"device: {gpu}", f"driver: {driver}", f"compiler: {said('nvcc', '--version').splitlines()[-1]}, -O3",
            f"profiler: {said('ncu', '--version').splitlines()[-1]}, --clock-control none"]  # fmt: skip


def gpu(header: list[str]) -> str:
    """Return the model in small letters, as files are named after it: 'h100' of 'device: NVIDIA H100 80GB HBM3'."""
    return header[0].removeprefix("device: NVIDIA ").split()[0].lower()


def record_spread(folder: Path, output: Path, name: str, table: list[TimedLaunch]) -> list[float]:
    """Write the shortest, the median and the longest time of each launch, and return the medians."""
    header, spread = machine(), []
    path = output / f"{name}_spread_{gpu(header)}.csv"
    for first in range(0, len(table), PART):
        part = table[first : first + PART]
        rows = profiled(folder, [DURATION], REPEATS, first, first + len(part))
        if len(rows) != REPEATS * len(part):
            raise RuntimeError(f"ncu saw {len(rows)} launches, not {REPEATS * len(part)}")
        for k, launch in enumerate(part):
            times = sorted(float(number(row[DURATION])) / 1000 for row in rows[k * REPEATS : (k + 1) * REPEATS])
            spread.append([launch.key, times[0], statistics.median(times), times[-1]])
        write(path, header, ["launch", "least_us", "median_us", "most_us"], spread)
    return [float(row[2]) for row in spread]


def record_asked(folder: Path, output: Path, name: str, table: list[TimedLaunch]) -> None:
    """Write who asks the L2 for how many sectors, and which of them it has."""
    header = machine()
    counted = profiled(folder, list(ASKED.values()), 1)
    rows = [
        [launch.key, *(number(values[metric]) for metric in ASKED.values())]
        for launch, values in zip(table, counted, strict=True)
    ]
    write(output / f"{name}_asked_{gpu(header)}.csv", header, ["launch", *ASKED], rows)


def record(folder: Path, output: Path, name: str, table: list[TimedLaunch]) -> None:
    """Write the table of the launches: at first the times alone, at last with what ncu says of each."""
    header = machine()
    path = output / f"{name}_{gpu(header)}.csv"
    single = events(folder)
    print("events done", flush=True)
    columns = ["launch", "kernel_us", "event_us", "stream_us", *METRICS]
    medians = record_spread(folder, output, SPREADS.get(name, name), table)
    basic = [[launch.key, f"{medians[k]:.3f}", *single[k]] for k, launch in enumerate(table)]
    write(path, header, columns[:4], basic)
    counted = profiled(folder, list(METRICS.values()), 1)
    rows = [
        [*row, *(number(values.get(metric)) for metric in METRICS.values())]
        for row, values in zip(basic, counted, strict=True)
    ]
    write(path, header, columns, rows)


def main() -> int:
    """Record everything."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--table", choices=TABLES, default="times")
    parser.add_argument("--output", type=Path, default=HERE)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--folder", type=Path, help="a folder that --build has filled")
    parser.add_argument("--architecture", default="native")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--spread", action="store_true")
    only.add_argument("--asked", action="store_true")
    options = parser.parse_args()
    table = TABLES[options.table]()
    if options.build is not None:
        options.build.mkdir(parents=True, exist_ok=True)
        build(options.build, table, options.architecture)
        return 0
    folder = options.folder or options.output / "build"
    if options.folder is None:
        folder.mkdir(exist_ok=True)
        build(folder, table, options.architecture)
    if options.spread:
        record_spread(folder, options.output, SPREADS.get(options.table, options.table), table)
        return 0
    if options.asked:
        record_asked(folder, options.output, options.table, table)
        return 0
    if options.table == "times":
        header = machine()
        text = subprocess.run(["./microbenchmarks"], cwd=folder, capture_output=True, text=True, check=True).stdout
        path = options.output / f"microbenchmarks_{gpu(header)}.csv"
        path.write_text("".join(f"# {line}\n" for line in header) + text)
        print("microbenchmarks done", flush=True)
    record(folder, options.output, options.table, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
