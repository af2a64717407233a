"""Run random kernels on this machine's NVIDIA GPU and record what they compute.

    python tests/truth/record_random.py [--output FOLDER] [--kernels N]

Needs nvcc on the PATH, and numpy and hypothesis. The kernels are those of ``tests/agreement/random_kernels.py`` in
which no result depends on the order of threads; they are compiled with nvcc as they stand, but for
``-fmad=false``, because which products and sums a compiler fuses is its own choice. Sources and results go into
``random_<gpu>.npz`` beside this script (or in FOLDER); the test suite compares the simulator with it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "agreement")]

from random_kernels import RandomKernel, write_kernel  # noqa: E402

OUTPUTS = ("out_l", "out_d", "counters")

DRIVER = """
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \\
    fprintf(stderr, "%s\\n", cudaGetErrorString(e_)); exit(1); } } while (0)
static void *read(const char *folder, const char *name, size_t &bytes) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f) exit(2);
    fseek(f, 0, SEEK_END);
    bytes = ftell(f);
    rewind(f);
    void *host = malloc(bytes), *device;
    if (fread(host, 1, bytes, f) != bytes) exit(3);
    fclose(f);
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    free(host);
    return device;
}
static void write(const char *folder, const char *name, void *device, size_t bytes) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    void *host = malloc(bytes);
    CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
    FILE *f = fopen(path, "wb");
    fwrite(host, 1, bytes, f);
    fclose(f);
    free(host);
}
"""

LAUNCH = """
static void launch_{k}() {{
    const char *folder = "{folder}";
    size_t n_i, n_f, n_l, n_d, n_c;
    int *in_i = (int *)read(folder, "in_i", n_i);
    float *in_f = (float *)read(folder, "in_f", n_f);
    long long *out_l = (long long *)read(folder, "out_l", n_l);
    double *out_d = (double *)read(folder, "out_d", n_d);
    unsigned *counters = (unsigned *)read(folder, "counters", n_c);
    random_kernel_{k}<<<{grid}, {block}>>>(in_i, in_f, out_l, out_d, counters, {n}, {x}f);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    write(folder, "out_l", out_l, n_l);
    write(folder, "out_d", out_d, n_d);
    write(folder, "counters", counters, n_c);
}}
"""


def program(kernels: list[RandomKernel], folder: Path) -> str:
    """One CUDA program that launches every kernel on the files in its own folder."""
    parts = [DRIVER]
    for k, kernel in enumerate(kernels):
        home = folder / str(k)
        home.mkdir()
        arguments = kernel.arguments()
        for name, value in arguments.items():
            if isinstance(value, np.ndarray):
                value.tofile(home / name)
        parts.append(kernel.text.replace("random_kernel", f"random_kernel_{k}"))
        parts.append(
            LAUNCH.format(k=k, folder=home, grid=kernel.grid, block=kernel.block, n=arguments["n"], x=arguments["x"])
        )
    calls = "\n".join(f"    launch_{k}();" for k in range(len(kernels)))
    return "\n".join(parts) + f"\nint main() {{\n{calls}\n}}\n"


def record(kernels: list[RandomKernel], target: Path) -> None:
    """Compile, run, and save sources, launches and results."""
    saved: dict[str, np.ndarray] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "random.cu"
        source.write_text(program(kernels, folder))
        command = ["nvcc", "-O1", "-arch=native", "-fmad=false", "-w", "-o", str(folder / "random"), str(source)]
        subprocess.run(command, check=True)
        subprocess.run([str(folder / "random")], check=True)
        for k, kernel in enumerate(kernels):
            saved[f"text_{k}"] = np.array(kernel.text)
            saved[f"launch_{k}"] = np.array([kernel.grid, kernel.block])
            arguments = kernel.arguments()
            for output in OUTPUTS:
                saved[f"{output}_{k}"] = np.fromfile(folder / str(k) / output, dtype=arguments[output].dtype)
    np.savez_compressed(target, **saved)


def gpu_name() -> str:
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", "--id=0"]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return name.removeprefix("NVIDIA ").lower().replace(" ", "_")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    parser.add_argument("--kernels", type=int, default=120)
    options = parser.parse_args()
    kernels = [write_kernel(Random(seed), ordered=False, defined=True) for seed in range(options.kernels)]
    record(kernels, options.output / f"random_{gpu_name()}.npz")


if __name__ == "__main__":
    main()
