"""A program may not run on for ever, take all memory, run because it was opened, or take the window with it."""

import time

import pytest

import warpview as wv
from warpview.host import Limits, has_main

ENDLESS = '#include <cstdio>\nint main() { std::puts("on"); for (volatile int i = 0;; i = i + 1) {} }\n'
GREEDY = """#include <cstdio>
#include <new>
int main() {
    try {
        for (int k = 0; k < 100; ++k) { volatile char *p = new char[100 << 20]; p[0] = 1; }
    } catch (const std::bad_alloc &) {
        std::puts("no more memory");
        return 3;
    }
}
"""


def test_an_endless_program_ends_at_its_time_limit(program):
    result = wv.run_program(program(ENDLESS), limits=Limits(seconds=1))
    assert result.output == "on\n"
    assert "more than 1 second" in result.crash
    assert result.exit_code != 0
    assert [f.kind for f in result.host_findings] == ["time limit"]


def test_an_endless_program_can_be_cancelled(program):
    begun = time.monotonic()
    with pytest.raises(wv.Cancelled):
        wv.run_program(program(ENDLESS), cancelled=lambda: time.monotonic() > begun + 0.5)


def test_memory_is_limited(program):
    result = wv.run_program(program(GREEDY), limits=Limits(bytes=1 << 30))
    assert (result.output, result.exit_code) == ("no more memory\n", 3)


def test_a_device_has_its_own_memory_and_no_more(program):
    source = """#include <cstdio>
    int main() {
        cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); size_t left, all; cudaMemGetInfo(&left, &all);
        void *q; cudaError_t e = cudaMalloc(&q, left - (1 << 20)), f = cudaMalloc(&q, 16 << 20);
        printf("%zu %zu %s %s", p.totalGlobalMem, all, cudaGetErrorName(e), cudaGetErrorName(f));
    }"""
    old = wv.run_program(program(source), device="8800gtx")
    assert old.output == f"{768 << 20} {768 << 20} cudaSuccess cudaErrorMemoryAllocation"
    new = wv.run_program(program(source), device="h200")  # an H200's own figure; this computer may have less than that
    assert new.output.startswith("150109880320 150109880320 ")
    assert new.output.endswith("cudaErrorMemoryAllocation")


def test_a_kernel_can_be_cancelled(program):
    kernel = "__global__ void k() { for (volatile int i = 0; i < 1 << 30; ++i) {} }\n"
    source = kernel + "int main() { k<<<9, 64>>>(); cudaDeviceSynchronize(); }\n"
    with pytest.raises(wv.Cancelled):
        wv.run_program(program(source), progress=lambda kernel, done, total: False)


def test_looking_at_a_file_runs_and_compiles_nothing(program, monkeypatch):
    monkeypatch.setattr("subprocess.Popen", lambda *a, **k: pytest.fail("a process was started"))
    path = program('#include <cstdlib>\nstatic int x = std::system("touch ran");\nint main() { return x; }\n')
    assert has_main(path)
    assert not (path.parent / "ran").exists()


def test_a_kernel_that_cannot_be_simulated_is_said_at_its_place(program):
    kernel = "__global__ void k(float *p) { throw 1; }\n"
    source = kernel + "int main() { k<<<1, 1>>>(nullptr); }\n"
    with pytest.raises(wv.CompileError):
        wv.run_program(program(source))


RECURSIVE = """#include <cstdio>
__device__ int count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }
__global__ void k(int *out, int n) { *out = count(n); }
int main() {
    int *out;
    cudaMallocManaged(&out, 4);
    LIMIT
    k<<<1, 1>>>(out, 1000);
    cudaDeviceSynchronize();
    std::printf("%d\\n", *out);
}
"""


@pytest.mark.parametrize(
    ("limit", "output"), [("", "0\n"), ("cudaDeviceSetLimit(cudaLimitStackSize, 16384);", "1000\n")]
)
def test_the_stack_of_kernels_has_the_size_that_the_program_sets(program, limit, output):
    result = wv.run_program(program(RECURSIVE.replace("LIMIT", limit)))
    assert result.output == output
    messages = [f.message for launch in result.launches for f in launch.run.findings]
    assert ["the call stack is full" in m for m in messages] == ([] if limit else [True])
