"""A program goes from its source to its output, its exit code and its launches."""

import csv
import json
from xml.etree import ElementTree

import numpy as np
import pytest

import warpview as wv
from warpview.cli import main
from warpview.host.export import launch_lines, timeline_csv, timeline_json

VECTOR_ADD = r"""
#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ float bias[2] = {0.5f, 0.25f};
__device__ int calls;

template <typename T>
__global__ void add(const T *a, const T *b, T *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { sum[i] = a[i] + b[i] + bias[i % 2]; atomicAdd(&calls, 1); }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), sum(n);
    float *d_a, *d_b, *d_sum;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMalloc((void **)&d_sum, n * sizeof(float));
    cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    float changed[2] = {1.0f, 3.0f};
    cudaMemcpyToSymbol(bias, changed, sizeof changed);
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_sum, n);
    cudaError_t error = cudaGetLastError();
    cudaMemcpy(sum.data(), d_sum, n * sizeof(float), cudaMemcpyDeviceToHost);
    int counted;
    cudaMemcpyFromSymbol(&counted, calls, sizeof counted);
    printf("%s: %g %g, %d calls\n", cudaGetErrorString(error), sum[0], sum[n - 1], counted);
    cudaFree(d_a); cudaFree(d_b); cudaFree(d_sum);
    return counted == n ? 7 : 1;
}
"""


@pytest.fixture
def added(program):
    return wv.run_program(program(VECTOR_ADD), args=["500"], device="c2050")


def test_the_program_prints_exits_and_its_launch_is_a_run(added):
    assert added.output == "no error: 4 6, 500 calls\n"
    assert (added.exit_code, added.errors, added.host_findings) == (7, "", ())
    (run,) = added.runs
    assert (run.program.kernel, run.launch.grid, run.launch.block) == ("add<float>", (2, 1, 1), (256, 1, 1))
    assert run.device.key == "c2050"
    assert run.counters["global_ld_requests"] == 2 * 16
    np.testing.assert_array_equal(run.buffers["sum"], np.tile(np.float32([4, 6]), 250))
    assert [a.name for a in run.allocations] == ["bias", "calls", "d_a", "d_b", "d_sum"]


def test_a_launch_opens_with_its_history_from_the_memory_that_it_began_with(added):
    record = added.launches[0]
    assert record.place.line == 1 + VECTOR_ADD.split("add<<<")[0].count("\n")
    opened = record.open()
    assert opened.trace is not None
    assert opened.counters["global_ld_requests"] == 32
    np.testing.assert_array_equal(opened.buffers["sum"], added.runs[0].buffers["sum"])


def test_the_timeline_has_every_copy_and_kernel(added):
    rows = list(csv.DictReader(timeline_csv(added).splitlines()))
    kinds = [row["kind"] for row in rows]
    assert kinds == ["copy to device"] * 3 + ["kernel"] + ["copy from device"] * 2
    starts, ends = ([float(r["start_us"]) + e * float(r["duration_us"]) for r in rows] for e in (0, 1))
    assert all(end <= start + 2e-3 for end, start in zip(ends, starts[1:], strict=False))
    events = json.loads(timeline_json(added))["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == 6


def test_the_command_gives_the_programs_exit_code_and_lists_launches(program, capfd, tmp_path):
    path = program(VECTOR_ADD)
    files = ["--csv", str(tmp_path / "c.csv"), "--timeline", str(tmp_path / "t.json")]
    with pytest.raises(SystemExit) as ended:
        main(["run", str(path), *files, "--", "64"])
    out, err = capfd.readouterr()
    assert ended.value.code == 7
    assert out == "no error: 4 6, 64 calls\n"
    assert "add<float><<<1x1x1, 256x1x1>>>" in err
    (row,) = csv.DictReader((tmp_path / "c.csv").read_text().splitlines())
    assert (row["kernel"], row["global_ld_requests"]) == ("add<float>", "4")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]


def test_one_launch_can_be_shown_as_a_run(program, capfd):
    with pytest.raises(SystemExit) as ended:
        main(["run", str(program(VECTOR_ADD)), "--launch", "1", "--engine", "sm", "--counters", "cycles"])
    out, _ = capfd.readouterr()
    assert ended.value.code == 7
    assert "cycles" in out


def test_arguments_for_a_kernel_are_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", "vector/add", "--", "64"])
    assert ended.value.code == 2
    assert "are for a program" in capsys.readouterr().err


def test_errors_of_the_host_part_have_their_place(program):
    with pytest.raises(wv.CompileError, match=r"program\.cu:2:\d+: error: .*missing"):
        wv.run_program(program("int main() {\n    return missing; }\n"))


def test_the_command_line_tells_of_warnings_and_dropped_output(program, capfd):
    source = """#include <cstdio>
#ifdef __CUDA_ARCH__
#include "helpers.hpp"
#endif
__global__ void k() { printf("%d;", (int)threadIdx.x); }
int main() {
    k<<<8, 1024>>>();
    k<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
"""
    with pytest.raises(SystemExit, match="0"):
        main(["run", str(program(source))])
    out, err = capfd.readouterr()
    assert out.count(";") == 4096 + 32
    assert err.count("warning: the file 'helpers.hpp' was not found") == 1
    assert "launch 1: 4 096 more printf calls are not shown: the first 4 096 of a launch are kept" in err
    assert "launch 2: " not in err


def test_results_are_shown_in_a_line_each(program):
    path = program("""
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() {
  int *d;
  cudaMalloc(&d, 256);
  k<<<2, 64>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
}
""")
    result = wv.run_program(path)
    assert len(result.runs[0].findings) == 1
    found = len(result.host_findings) + 1
    assert repr(result) == f"<ProgramResult: exit code 0, 1 launch on NVIDIA H200, {found} finding{'s' * (found > 1)}>"
    assert repr(result.runs[0]) == "<Run of k, 2x1x1 blocks of 64x1x1 on NVIDIA H200, 1 finding>"
    assert repr(result.launches[0]) == f"<LaunchRecord 1 in line 6: {result.runs[0]!r}>"


def test_a_result_shows_itself_in_a_notebook(added):
    page = ElementTree.fromstring(f"<page>{added._repr_html_()}</page>")
    assert page.findtext("p/b") == f"ProgramResult: exit code 7, 1 launch on {added.device.name}, 0 findings"
    assert [text.text for text in page.iter("pre")] == ["\n".join(launch_lines(added)), added.output]
