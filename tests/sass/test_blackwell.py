"""Kernels for compute capability 10.0 and 12.0, compiled by NVRTC, give the results of numpy in both engines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.run.nvrtc_program import unknown_params
from warpview.sass import cubin, nvrtc
from warpview.sass.decoder import decode
from warpview.sass.loader import Signature, load_kernel
from warpview.sass.word_reader import UnknownInstruction

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, executed, run_profile, run_reference
from test_nvrtc import library_results

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
DEVICES = ("b200", "rtx5090")

# Words that nvdisasm explains so, for sm_100 and sm_120.
WORDS = [
    (100, 0x000E62000800080000007100FF0677AC, "LDCU UR6, c[0x0][0x388]"),
    (120, 0x000E620008000A0000006B00FF0677AC, "LDCU.64 UR6, c[0x0][0x358]"),
    (100, 0x002FEA000B80000000000001089C7547, "BRA.U !UP0, 0x280"),
    (100, 0x004FDA000000020000000000020572CC, "CREDUX.MAX.S32 UR5, R2"),
    (100, 0x000FE2000C1EF104800000FF02FF79A8, "ATOMG.E.EXCH.STRONG.GPU RZ, [R2.64], RZ"),
    (100, 0x0003E2000C10E1048000000304FF79A2, "ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, [R4.64], R3"),
    (100, 0x0003E2000C10E5048000000304FF79A2, "ATOM.E.ADD.F16x8.RN.STRONG.GPU P0, RZ, [R4.64], R3"),
    (120, 0x0003E2000C10F3048000000304FF79A2, "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU P0, RZ, [R4.64], R3"),
    (80, 0x000EA2000810E9C40000000304FF798A, "ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, [R4.64], R3"),
    (75, 0x001FCC0000000400A00000FF020E7230, "HADD2 R14, R2"),
    (75, 0x000FE200000010030000000500007239, "I2IP.S8.S32.SAT R0, R0, R5, R3"),
    (90, 0x000EA800099EE1CEFFFFF817120A79A8, "ATOMG.E.INC.STRONG.GPU R10, [R18.64+-0x8], R23"),
    (120, 0x000FE200080001043F80000005047455, "UFFMA UR4, -UR5, UR4, 0x3f800000"),
    (120, 0x000FE40008209000000000040006725A, "UI2F.U32.RP UR6, UR4"),
    (120, 0x000FE20008000AFF0000000005077254, "UFADD UR7, |UR5|, -URZ"),
    (120, 0x000FC600003FD8000000000000127402, "MOV.64 R18, 0x3fd8000000000000"),
    (120, 0x000FC600078E0200FFFFFFFF060A7835, "IADD.64 R10, R6, 0xffffffffffffffff"),
    (120, 0x000FE40000800001FFFFFFFF10107407, "SEL.64 R16, R16, 0xffffffffffffffff, P1"),
    (120, 0x000FDC0003F36070000000021000720C, "ISETP.GE.U64.AND P1, R16, R2"),
    (120, 0x002FE2000FFFE0FF0000000404047897, "UIADD3.64 UR4, UR4, 0x4, URZ"),
]


@pytest.mark.parametrize(("architecture", "word", "text"), WORDS)
def test_a_word_is_read_as_nvdisasm_reads_it(architecture: int, word: int, text: str) -> None:
    assert decode(word, 0, architecture).text == text


def test_an_opcode_of_a_later_architecture_is_unknown_to_an_earlier_one() -> None:
    with pytest.raises(UnknownInstruction, match="opcode 0x7ac"):
        decode(0x000E62000800080000007100FF0677AC, 0, 90)


@needs_nvrtc
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("key", ["reduction/shuffle", "matmul/tiled", "control_flow/spin_lock", "scan/shuffle"])
def test_kernels_of_the_library_give_the_results_of_numpy(key: str, device: str) -> None:
    assert library_results(key, device) is None


MIXED = """__global__ void f(const int *a, long long *wide, float *single, int n, float x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long sum = a[i];
    for (int k = 0; k < n; k++)
        sum += (long long)a[(i + k) & 63] * 3 - 1;
    wide[i] = sum > 100ll ? sum : -1ll - sum;
    float scale = (float)n * x + 0.5f;
    single[i] = floorf(scale) + (scale > 4.0f ? x : -x) + (float)(int)(x * 2.0f) + (float)__reduce_max_sync(~0u, a[i]);
}
"""


def mixed(a: np.ndarray, n: int, x: np.float32) -> tuple[np.ndarray, np.ndarray]:
    total = a.astype(np.int64)
    for k in range(n):
        total = total + np.take(a, (np.arange(64) + k) & 63).astype(np.int64) * 3 - 1
    scale = np.float32(n) * x + np.float32(0.5)
    most = a.reshape(2, 32).max(axis=1).repeat(32)
    part = np.floor(scale) + (x if scale > 4 else -x) + np.trunc(x * np.float32(2))
    return np.where(total > 100, total, -1 - total), (np.float32(part) + most).astype(np.float32)


@needs_nvrtc
@pytest.mark.parametrize("engine", [run_profile, run_reference])
@pytest.mark.parametrize("device", DEVICES)
def test_wide_integers_and_uniform_floats_give_the_results_of_numpy(device: str, engine: Any) -> None:
    program = wv.compile(MIXED, compiler="nvrtc", device=device)
    assert any(i.native and i.native.mnemonic.startswith("LDCU") for i in program.instructions)
    a = np.random.default_rng(5).integers(-50, 50, 64).astype(np.int32)
    arguments = [a, np.zeros(64, np.int64), np.zeros(64, np.float32), 5, np.float32(1.75)]
    bound, outcome = executed(Case("mixed", program, 1, 64, arguments), engine, device=device)
    assert not outcome.findings
    found = [bound.buffers[name].read(bound.memory) for name in ("wide", "single")]
    for ours, right in zip(found, mixed(a, 5, np.float32(1.75)), strict=True):
        assert np.array_equal(ours, right)


@needs_nvrtc
@pytest.mark.parametrize("architecture", [100, 120])
def test_a_damaged_cubin_is_loaded_or_refused(architecture: int) -> None:
    """Some of 500 that were tried: bytes anywhere, bytes of the code, and an end that is cut off."""
    data = nvrtc.compile_source(SourceText("k.cu", MIXED), architecture).cubin
    code = cubin.load(data).kernels[0].code
    start, random = data.index(code), np.random.default_rng(architecture)
    outcomes = set()
    for number in range(24):
        changed = bytearray(data)
        first, end = ((0, len(data)), (start, start + len(code)))[number % 2]
        for place in random.integers(first, end, 6):
            changed[place] = int(random.integers(256))
        cut = len(data) if number % 3 else int(random.integers(64, len(data)))
        try:
            found = cubin.load(bytes(changed[:cut]))
            for kernel in found.kernels:
                load_kernel(found, kernel, Signature(kernel.name, unknown_params(kernel, []), SourceText("k.cu", "")))
            outcomes.add("loaded")
        except wv.WarpviewError:
            outcomes.add("refused")
    assert "refused" in outcomes
