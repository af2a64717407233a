"""Structs by value run as arguments of machine code that tells their sizes alone."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import warpview as wv
from warpview.cli.main import app
from warpview.diagnostics import SourceText
from warpview.run.argument_texts import arguments_from_texts
from warpview.sass import nvrtc

SOURCE = """
struct View { float *data; int n; float scale; short step; double offset; };
__global__ void shift(View v, float3 by, int3 limits, unsigned char last) {
    int i = threadIdx.x * v.step;
    if (i < v.n && i < limits.z) v.data[i] = v.data[i] * v.scale + v.offset + by.x * by.y - by.z + last;
}
"""
VALUES = np.arange(64, dtype=np.float32)
EXPECTED = np.where((np.arange(64) % 2 == 0) & (np.arange(64) < 50), VALUES * 2.5 + 10 + 6 - 4 + 9, VALUES)
BY = (2.0, 3.0, 4.0)
LIMITS = [1, 2, 50]

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


@pytest.fixture
def cubin(tmp_path: Path) -> Path:
    path = tmp_path / "shift.cubin"
    path.write_bytes(nvrtc.compile_source(SourceText("shift.cu", SOURCE), 90).cubin)
    return path


@pytest.mark.parametrize("kind", [dict, list])
def test_a_struct_is_its_fields_in_order(cubin: Path, kind: type) -> None:
    fields = {"data": VALUES, "n": 60, "scale": 2.5, "step": np.int16(2), "offset": np.float64(10)}
    view = fields if kind is dict else list(fields.values())
    run = wv.simulate(wv.compile(cubin), 1, 64, [view, BY, LIMITS, 9], device="h200")
    (data,) = run.buffers.values()
    assert np.array_equal(data, EXPECTED)


def test_a_struct_is_a_record_of_numpy(cubin: Path) -> None:
    three = np.dtype([(axis, np.float32) for axis in "xyz"])
    by = np.array([BY], three)
    run = wv.simulate(
        wv.compile(cubin), 1, 64,
        [(VALUES, 60, 2.5, np.int16(2), np.float64(10)), by[0], np.array(LIMITS, np.int32).tobytes(), 9], device="h200",
    )  # fmt: skip
    assert np.array_equal(run.buffers["arg0[0]"], EXPECTED)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ([VALUES, 60, 2.5, 2, 10.0], "parameter 'arg0' is a struct of 32 bytes, and these are 24: give its fields"),
        ([VALUES, 1 << 70, 2.5], "parameter 'arg0[1]' has 8 bytes, too few for 1180591620717411303424"),
        (7, "parameter 'arg0' is a struct: pass a dict of its fields in order, not 7"),
        ([VALUES, "sixty", 2.5], "parameter 'arg0[1]' is a struct: pass a dict of its fields in order, not 'sixty'"),
    ],
)  # fmt: skip
def test_other_bytes_are_refused(cubin: Path, view: object, message: str) -> None:
    with pytest.raises(wv.LaunchError) as error:
        wv.simulate(wv.compile(cubin), 1, 64, [view, BY, LIMITS, 9])
    assert message in str(error.value)


def test_the_command_line_gives_the_words_of_a_struct(cubin: Path, tmp_path: Path) -> None:
    written = tmp_path / "counters.csv"
    n_and_scale = 60 | int(np.float32(2.5).view(np.uint32)) << 32
    words = {
        "arg0[0]": "float32 iota:64", "arg0[1]": str(n_and_scale), "arg0[2]": "2", "arg0[3]": "10.0",
        "arg1[0]": str(int(np.array(BY[:2], np.float32).view(np.uint64)[0])), "arg1[1]": "4.0",
        "arg2[0]": str(1 | 2 << 32), "arg2[1]": "50", "arg3": "9",
    }  # fmt: skip
    given = [part for name, text in words.items() for part in ("--arg", f"{name}={text}")]
    command = ["run", str(cubin), "--grid", "1", "--block", "64", *given, "--csv", str(written)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    with written.open() as file:
        (row,) = csv.DictReader(file)
    assert int(row["global_st_sectors"]) == 7  # every other element of 50


def test_a_word_may_be_negative_and_must_fit(cubin: Path) -> None:
    program = wv.compile(cubin)
    assert arguments_from_texts(program, {"arg0[1]": "-1", "arg2[1]": "-2"}) == {
        "arg0": {1: np.uint64(2**64 - 1)}, "arg2": {1: np.uint32(2**32 - 2)},
    }  # fmt: skip
    with pytest.raises(wv.LaunchError, match=r"'arg2\[1\]' has 4 bytes, too few for 4294967296"):
        arguments_from_texts(program, {"arg2[1]": str(1 << 32)})


def test_a_program_passes_a_struct_that_only_nvidia_s_compiler_reads(tmp_path: Path) -> None:
    program = tmp_path / "wide.cu"
    program.write_text("""
#include <cstdio>
struct Wide { __int128 sum; int *out; };
__global__ void add(Wide w) { w.sum += threadIdx.x; w.out[threadIdx.x] = int(w.sum >> 64) + int(w.sum); }
int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    add<<<1, 4>>>(Wide{(__int128(5) << 64) + 7, d});
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\\n", h[0], h[1], h[2], h[3]);
}
""")
    result = wv.run_program(program, compiler="nvrtc")
    assert result.output == "12 13 14 15\n"
