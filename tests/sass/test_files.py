"""Kernels in files of machine code and of PTX run from Python and on the command line."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import warpview as wv
from warpview.cli.main import app
from warpview.diagnostics import SourceText
from warpview.run.argument_texts import arguments_from_texts
from warpview.sass import decoder, instruction_builder, nvjitlink, nvrtc
from warpview.sass.cubin import load
from warpview.sass.fields import WORD_BYTES
from warpview.sass.linking import LOW_HALF, LackingAddress, with_addresses

SCALE = """
template <typename T>
__global__ void scale(const T *in, T *out, T factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = factor * in[i];
}
template __global__ void scale<float>(const float *, float *, float, int);
template __global__ void scale<double>(const double *, double *, double, int);
"""
# Written by hand, in the manner of the PTX ISA reference: out[i] = in[i] + 7 for i < n.
PTX = """
.version 8.0
.target sm_75
.address_size 64
.visible .entry add_seven(.param .u64 in, .param .u64 out, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [in];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.s32 %p, %r4, %r0;
    @%p bra done;
    cvta.to.global.u64 %rd0, %rd0;
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.s32 %rd2, %r4, 4;
    add.s64 %rd3, %rd0, %rd2;
    ld.global.u32 %r5, [%rd3];
    add.s32 %r5, %r5, 7;
    add.s64 %rd4, %rd1, %rd2;
    st.global.u32 [%rd4], %r5;
done:
    ret;
}
"""

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
needs_assembler = pytest.mark.skipif(not nvjitlink.is_installed(), reason="nvJitLink is not installed")


@pytest.fixture
def cubin(tmp_path: Path) -> Path:
    path = tmp_path / "scale.cubin"
    path.write_bytes(nvrtc.compile_source(SourceText("scale.cu", SCALE), 90).cubin)
    return path


@pytest.fixture
def ptx(tmp_path: Path) -> Path:
    path = tmp_path / "add.ptx"
    path.write_text(PTX)
    return path


@needs_nvrtc
def test_a_kernel_of_a_cubin_is_named_as_in_the_source(cubin: Path) -> None:
    program = wv.compile(cubin, kernel="scale<double>")
    values = np.arange(100.0)
    run = wv.simulate(program, 1, 128, [values, np.zeros(100), 2.5, 100])
    assert np.array_equal(run.buffers["arg1"], 2.5 * values)
    with pytest.raises(wv.WarpviewError, match="name the kernel to load"):
        wv.compile(cubin)
    with pytest.raises(wv.WarpviewError, match="no kernel 'scale<int>'"):
        wv.compile(cubin, kernel="scale<int>")


@needs_nvrtc
def test_a_file_is_decoded_once_and_each_instruction_is_made_once(cubin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder.decoded.cache_clear()
    done = Counter[str]()

    def counted(name: str, made: Callable[..., Any]) -> Callable[..., Any]:
        def make(*given: Any, **named: Any) -> Any:
            done[name] += 1
            return made(*given, **named)

        return make

    for module, name in (
        (decoder, "decode"),
        (instruction_builder, "meaning_of"),
        (instruction_builder, "NativeInstruction"),
    ):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    count = len(wv.compile(cubin, kernel="scale<float>").instructions)
    assert (done["meaning_of"], done["NativeInstruction"]) == (count, count)
    assert done["decode"] == sum(len(kernel.code) for kernel in load(cubin.read_bytes()).kernels) // WORD_BYTES


def test_the_command_line_runs_a_cubin(cubin: Path, tmp_path: Path) -> None:
    written = tmp_path / "counters.csv"
    arguments = ["arg0=float32 iota:100", "arg1=float32 zeros:100", "arg2=2.5", "arg3=100"]
    command = ["run", str(cubin), "--kernel", "scale<float>", "--grid", "1", "--block", "128", "--csv", str(written)]
    result = CliRunner().invoke(app, [*command, *(part for each in arguments for part in ("--arg", each))])
    assert result.exit_code == 0, result.output
    with written.open() as file:
        (row,) = csv.DictReader(file)
    assert int(row["global_ld_requests"]) == 4


@needs_assembler
def test_ptx_is_assembled_and_run(ptx: Path) -> None:
    program = wv.compile(ptx)
    values = np.arange(1000, dtype=np.int32)
    run = wv.simulate(program, 4, 256, [values, np.zeros_like(values), 1000])
    assert np.array_equal(run.buffers["out"], values + 7)
    assert program.source.text == PTX


@needs_assembler
def test_wrong_ptx_says_where(ptx: Path) -> None:
    ptx.write_text(PTX.replace("add.s32 %r5, %r5, 7", "add.s32 %r5, %r9, 7"))
    with pytest.raises(wv.CompileError) as caught:
        wv.compile(ptx)
    (problem, *_) = caught.value.diagnostics
    assert problem.message == "Arguments mismatch for instruction 'add'"
    assert problem.span.line == 1 + PTX[: PTX.index("add.s32 %r5")].count("\n")
    ptx.write_text("this is no PTX")
    with pytest.raises(wv.CompileError):
        wv.compile(ptx)


@needs_assembler
def test_the_command_line_runs_ptx(ptx: Path, tmp_path: Path) -> None:
    command = ["run", str(ptx), "--grid", "1", "--block", "64", "--arg", "in=int32 iota:64"]
    result = CliRunner().invoke(app, [*command, "--arg", "out=int32 zeros:64", "--arg", "n=64"])
    assert result.exit_code == 0, result.output
    assert "global_ld_requests" in result.output or "Global loads" in result.output


@needs_assembler
def test_a_buffer_of_a_file_without_types_needs_one(ptx: Path) -> None:
    program = wv.compile(ptx)
    assert arguments_from_texts(program, {"n": "2.5"}) == {"n": 2.5}
    assert arguments_from_texts(program, {"in": "float32 iota:3"})["in"].dtype == np.float32
    with pytest.raises(wv.LaunchError, match="as in 'in=float32 iota:256'"):
        arguments_from_texts(program, {"in": "iota:3"})


@needs_assembler
@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200"])
def test_functions_of_the_assembler_are_joined_with_the_kernel(tmp_path: Path, device: str) -> None:
    """Division is a function in a section of its own, whose slow path very small numbers take."""
    path = tmp_path / "divide.ptx"
    path.write_text(PTX.replace("add.s32 %r5, %r5, 7", "div.rn.f32 %r5, %r5, 0f40400000"))
    values = np.concatenate([np.arange(32), np.arange(32) * 1e-39]).astype(np.float32)
    program = wv.compile(path, device=device)
    run = wv.simulate(program, 1, 64, [values, np.zeros_like(values), 64], device=device)
    assert np.array_equal(run.buffers["out"], values / np.float32(3))
    assert not run.findings


VARIABLES = """
__device__ int before[3] = {1, 2, 3};
__device__ int table[4] = {5, 6, 7, 8};
__device__ unsigned counts[64];
__global__ void k(int *out) {
    int i = threadIdx.x;
    atomicAdd(&counts[i % 5], 1u);
    __syncthreads();
    int *chosen = i & 8 ? table : before;
    out[i] = chosen[i & 1] + 10 * (int)counts[i % 5] + 1000 * table[3];
}
"""


@needs_nvrtc
@needs_assembler
@pytest.mark.parametrize("device", ["v100", "rtx2080", "h200", "rtx5090"])
def test_assembled_code_finds_the_variables_whose_addresses_it_takes(tmp_path: Path, device: str) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(nvrtc.compile_to_ptx(SourceText("k.cu", VARIABLES), "k")[0])
    program = wv.compile(path, device=device)
    run = wv.simulate(program, 1, 64, [np.zeros(64, np.int32)], device=device)
    i = np.arange(64)
    chosen = np.where(i & 8, 5, 1) + (i & 1)
    assert np.array_equal(run.buffers["arg0"], chosen + 10 * np.bincount(i % 5)[i % 5] + 8000)
    assert not run.findings
    if program.native is not None:
        assert any(instruction.native.text.endswith("c[0x4][0x0]") for instruction in program.instructions)


def test_an_address_that_fits_no_constant_is_left_to_the_driver() -> None:
    load = 0x000EA8000C1E1900_0000000602037981  # LDG has no immediate
    code, offsets, unplaced = with_addresses(load.to_bytes(16, "little"), [LackingAddress(0, LOW_HALF, 8, "table")], 0)
    assert int.from_bytes(code, "little") == load
    assert unplaced == ((0, "table"),)
    assert set(offsets) == {8}
