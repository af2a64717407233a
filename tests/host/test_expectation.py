"""A program's arrays are compared with expected ones; writers and other orders of its launches are found."""

import numpy as np
import pytest

import warpview as wv
from warpview.cli.main import main

PROGRAM = r"""
#include <cstdio>
__global__ void fill(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i == 70 ? -1 : 2 * i;  // line 5
}
__global__ void add(const int *values, int *sums) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = values[blockIdx.x * 64 + t];
    sums[blockIdx.x * 64 + t] = s[t] + s[63 - t];  // line 11
}
int main() {
    int *d_values, *d_sums;
    cudaMalloc(&d_values, 512);
    cudaMalloc(&d_sums, 512);
    fill<<<2, 64>>>(d_values, 128);
    add<<<2, 64>>>(d_values, d_sums);
    cudaDeviceSynchronize();
    cudaFree(d_values);
    cudaFree(d_sums);
}
"""
VALUES = 2 * np.arange(128)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("expected") / "program.cu"
    file.write_text(PROGRAM)
    return file


@pytest.fixture(scope="module")
def result(path):
    return wv.run_program(path, timed=False)


@pytest.mark.parametrize("name", ["values", "d_values"])
def test_a_wrong_element_is_found_in_the_launch_that_wrote_it(path, name):
    fill, add = wv.run_program(path, timed=False, expect={name: VALUES}).runs
    (found,) = (finding for finding in fill.findings if finding.kind == "wrong result")
    assert (found.span.line, found.block, found.thread) == (5, (1, 0, 0), (6, 0, 0))
    assert (found.value, found.expected, found.elements) == (-1, 140, ("values[70]",))
    assert not [finding for finding in add.findings if finding.kind == "wrong result"]


def test_a_right_array_gives_no_finding(path):
    right = np.where(np.arange(128) == 70, -1, VALUES)
    for run in wv.run_program(path, timed=False, expect={"values": right}).runs:
        assert not [finding for finding in run.findings if finding.kind == "wrong result"]


def test_an_array_that_no_launch_has(path):
    with pytest.raises(wv.LaunchError, match="no launch of the program has an array 'nothing'"):
        wv.run_program(path, timed=False, expect={"nothing": VALUES})
    with pytest.raises(wv.LaunchError, match="'values' has 128 elements, not 129"):
        wv.run_program(path, timed=False, expect={"values": np.zeros(129)})


def test_the_writer_is_in_an_earlier_launch(result):
    record, writer = result.who_wrote("values", 70)
    assert (record.index, writer.span.line, writer.thread) == (0, 5, (6, 0, 0))
    record, writer = result.who_wrote("d_sums", [3])
    assert (record.index, writer.span.line, writer.thread) == (1, 11, (3, 0, 0))


def test_an_opened_launch_leads_to_the_step(result):
    run = result.launches[0].open()
    writer = run.who_wrote("values", 5)
    assert writer.step is not None
    assert run.trace.program.instructions[run.trace.event(writer.step).pc].span.line == 5


def test_a_launch_of_a_program_is_replayed(result):
    other = result.runs[1].replay()
    assert other is not None
    assert other.element.startswith("sums[")
    assert other.value != other.usual


def test_the_command_line(path, tmp_path, capsys):
    np.save(tmp_path / "values.npy", VALUES)
    with pytest.raises(SystemExit) as end:
        main([
            "run", str(path), "--expect", f"values={tmp_path / 'values.npy'}", "--who-wrote", "sums[3]", "--replay",
            "--why",
        ])  # fmt: skip
    out, err = capsys.readouterr()
    assert end.value.code == 1
    assert "'values[70]' is -1 instead of 140" in err
    assert "launch 2: thread (3, 0, 0) of block (0, 0, 0) wrote 'sums[3]' last, in line 11" in out
    assert "launch 2:\nreplay: executed" in out
    assert "Estimated time" in out
