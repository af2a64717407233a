"""Run the kernel library on this machine's NVIDIA GPU and record what Nsight Compute counts.

    python tests/truth/record_library.py [--output FOLDER] [--only PATTERN]

Needs nvcc and ncu on the PATH, and numpy. Every kernel is compiled with nvcc unchanged, every preset is launched on
the library's own inputs, the results are compared with numpy's, and the counters of each launch go into
``library_<gpu>.csv`` beside this script (or in FOLDER), with device, driver and compiler in its first lines.
The test suite compares the simulator with the files that are there.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from warpview import library  # noqa: E402
from warpview.profile.counters import BY_KEY  # noqa: E402

RECORDED = (
    "inst_executed", "thread_inst_executed", "branches", "divergent_branches", "registers_per_thread",
    "inst_global_ld", "global_ld_requests", "global_ld_sectors", "inst_global_st", "global_st_requests",
    "global_st_sectors", "global_red_requests", "global_red_sectors", "global_atom_requests", "global_atom_sectors",
    "inst_shared_ld", "shared_ld_wavefronts", "shared_ld_bank_conflicts", "inst_shared_st", "shared_st_wavefronts",
    "shared_st_bank_conflicts", "inst_shared_atom", "shared_atom_wavefronts", "shared_atom_bank_conflicts",
    "inst_local_ld", "inst_local_st", "theoretical_occupancy_pct", "time_us",
)  # fmt: skip

DRIVER = """\
#include "{source}"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CHECK(x) do {{ cudaError_t e_ = (x); if (e_ != cudaSuccess) {{ \\
    fprintf(stderr, "%s\\n", cudaGetErrorString(e_)); exit(1); }} }} while (0)
struct Pointer {{  // converts to whatever the kernel's parameter points at
    void *p; size_t bytes;
    template <class T> operator T *() const {{ return (T *)p; }}
}};
static Pointer load(const char *name, size_t bytes) {{
    std::vector<char> host(bytes);
    if (FILE *f = fopen(name, "rb")) {{ if (fread(host.data(), 1, bytes, f) != bytes) exit(2); fclose(f); }}
    Pointer d = {{nullptr, bytes}};
    CHECK(cudaMalloc(&d.p, bytes));
    CHECK(cudaMemcpy(d.p, host.data(), bytes, cudaMemcpyHostToDevice));
    return d;
}}
static void save(const char *name, Pointer d) {{
    std::vector<char> host(d.bytes);
    CHECK(cudaMemcpy(host.data(), d.p, d.bytes, cudaMemcpyDeviceToHost));
    FILE *f = fopen(name, "wb"); fwrite(host.data(), 1, d.bytes, f); fclose(f);
}}
{presets}
int main(int argc, char **argv) {{
{calls}
    return 0;
}}
"""


@dataclass(frozen=True)
class Case:
    """Name a kernel at a preset, with its arguments."""

    entry: library.Entry
    preset: str
    launches: tuple[dict[str, library.Input], ...]

    @property
    def buffers(self) -> dict[str, library.Input]:
        """Every distinct buffer by a name of its own."""
        named: dict[int, tuple[str, library.Input]] = {}
        for index, values in enumerate(self.launches):
            for name, value in values.items():
                if isinstance(value, (np.ndarray, library.Blank)) and id(value) not in named:
                    named[id(value)] = (f"{name}_{index}", value)
        return dict(named.values())


def _bytes(value: library.Input) -> int:
    assert isinstance(value, (np.ndarray, library.Blank))
    return int(np.prod(value.shape)) * value.dtype.itemsize


def _dim(extents: tuple[int, ...]) -> str:
    return f"dim3({', '.join(map(str, extents))})"


def _launch(case: Case, index: int, names: Mapping[int, str]) -> Iterator[str]:
    launch = case.entry.presets[case.preset].launches[index]
    values = [case.launches[index][name] for name in case.launches[index]]
    texts = [names.get(id(value)) or (f"{value!r}f" if isinstance(value, float) else repr(value)) for value in values]
    if launch.shared_bytes > 48 * 1024:
        size = launch.shared_bytes
        yield f"CHECK(cudaFuncSetAttribute({launch.kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, {size}));"
    shape = f"{_dim(launch.grid)}, {_dim(launch.block)}, {launch.shared_bytes}"
    yield f"{launch.kernel}<<<{shape}>>>({', '.join(texts)});"
    yield "CHECK(cudaGetLastError());"


def _preset_function(case: Case) -> str:
    names = {id(value): name for name, value in case.buffers.items()}
    lines = [f'Pointer {n} = load("{case.preset}.{n}.in", {_bytes(v)});' for n, v in case.buffers.items()]
    for name, values in library.constants(case.entry, case.preset).items():
        lines.append(f'Pointer const_{name} = load("{case.preset}.{name}.const", {values.nbytes});')
        lines.append(
            f"CHECK(cudaMemcpyToSymbol({name}, const_{name}.p, {values.nbytes}, 0, cudaMemcpyDeviceToDevice));"
        )
    for index in range(len(case.launches)):
        lines += _launch(case, index, names)
    lines.append("CHECK(cudaDeviceSynchronize());")
    lines += [f'save("{case.preset}.{n}.out", {n});' for n in case.buffers]
    return f"static void run_{case.preset}() {{\n    " + "\n    ".join(lines) + "\n}\n"


def prepare(cases: list[Case], folder: Path) -> None:
    """Write driver and inputs of one kernel's cases."""
    entry = cases[0].entry
    calls = "\n".join(f'    if (!strcmp(argv[1], "{c.preset}")) run_{c.preset}();' for c in cases)
    presets = "\n".join(_preset_function(case) for case in cases)
    (folder / "driver.cu").write_text(DRIVER.format(source=entry.path, presets=presets, calls=calls))
    for case in cases:
        for name, value in case.buffers.items():
            if isinstance(value, np.ndarray):
                value.tofile(folder / f"{case.preset}.{name}.in")
        for name, values in library.constants(entry, case.preset).items():
            values.tofile(folder / f"{case.preset}.{name}.const")


def build(folder: Path, defines: Mapping[str, object]) -> str:
    """Compile the driver; an empty text, or what nvcc complained about."""
    options = [f"-D{name}={value}" for name, value in defines.items()]
    command = ["nvcc", "-O3", "-arch=native", "-lineinfo", *options, "-o", "driver", "driver.cu"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else result.stderr


def measure(folder: Path, preset: str) -> list[dict[str, str]]:
    """One row a launch: metric name -> value."""
    metrics = ",".join(BY_KEY[key].nsight for key in RECORDED)
    command = ["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--print-units", "base"]
    result = subprocess.run(
        [*command, "--metrics", metrics, "./driver", preset], cwd=folder, capture_output=True, text=True, check=False
    )
    start = result.stdout.find('"ID"')
    if result.returncode or start < 0:
        raise RuntimeError(result.stdout + result.stderr)
    rows = list(csv.DictReader(io.StringIO(result.stdout[start:])))
    return [row for row in rows if row["ID"]]  # the first row holds units


def difference(case: Case, folder: Path) -> str | None:
    """Where the GPU's result differs from numpy's."""
    buffers = {}
    names = {id(value): name for name, value in case.buffers.items()}
    for values in case.launches:
        for name, value in values.items():
            if isinstance(value, (np.ndarray, library.Blank)):
                buffers[name] = np.fromfile(folder / f"{case.preset}.{names[id(value)]}.out", dtype=value.dtype)
    return library.mismatch(case.entry, case.preset, case.launches, buffers)


def record(entry: library.Entry, folder: Path) -> tuple[list[list[str]], list[str]]:
    """Return rows for the CSV and complaints, for one kernel."""
    cases = [Case(entry, preset, library.launch_arguments(entry, preset)) for preset in entry.presets]
    rows, complaints = [], []
    for case in cases:
        for index, values in enumerate(measure(folder, case.preset)):
            found = [values.get(BY_KEY[key].nsight, "").replace(",", "") for key in RECORDED]
            rows.append([entry.key, case.preset, str(index), *found])
        wrong = difference(case, folder)
        if wrong:
            complaints.append(f"{entry.key} ({case.preset}): {wrong}")
    return rows, complaints


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> list[str]:
    """Device, driver, compiler and profiler, one a line."""
    gpu, driver = (
        _said("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split("\n")[0].split(", ")
    )
    compiler = _said("nvcc", "--version").splitlines()[-1]
    profiler = _said("ncu", "--version").splitlines()[-1]
    return [f"device: {gpu}", f"driver: {driver}", f"compiler: {compiler}, -O3 -arch=native", f"profiler: {profiler}"]


def main() -> int:
    """Record everything; 1 where a kernel did not compile or gave a wrong result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    parser.add_argument("--only", default="*", help="kernels to record, such as reduction/*")
    options = parser.parse_args()
    for tool in ("nvcc", "ncu", "nvidia-smi"):
        if not shutil.which(tool):
            parser.error(f"{tool} is not on the PATH: this needs a machine with an NVIDIA GPU and the CUDA toolkit")
    # Kernels with mistakes may fault or hang: only if asked for by name.
    entries = [entry for entry in library.kernels() if fnmatch.fnmatch(entry.key, options.only)]
    entries = [entry for entry in entries if entry.family != "mistakes" or "mistakes" in options.only]
    rows: list[list[str]] = []
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        folders = {entry.key: Path(name) / entry.key.replace("/", "-") for entry in entries}
        for entry in entries:
            folders[entry.key].mkdir()
            prepare([Case(entry, p, library.launch_arguments(entry, p)) for p in entry.presets], folders[entry.key])
        failures = dict(zip(folders, pool.map(lambda e: build(folders[e.key], e.defines), entries), strict=True))
        for entry in entries:
            print(entry.key, flush=True)
            if failures[entry.key]:
                complaints.append(f"{entry.key} does not compile:\n{failures[entry.key]}")
                continue
            try:
                found, wrong = record(entry, folders[entry.key])
            except (RuntimeError, OSError) as error:
                found, wrong = [], [f"{entry.key}: {error}"]
            rows += found
            complaints += wrong
    lines = machine()
    path = options.output / f"library_{lines[0].split()[-1].lower()}.csv"
    with path.open("w", newline="") as file:
        file.writelines(f"# {line}\n" for line in lines)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "preset", "launch", *RECORDED])
        writer.writerows(rows)
    print(f"{len(rows)} launches of {len(entries)} kernels in {path}")
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
