"""Opcodes that were read wrongly or refused: limits of 64 bits, parts of words, constants at a computed place."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc
from warpview.sass.decoder import decode
from warpview.sass.word_reader import UnknownInstruction

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

N = 64
RANDOM = np.random.default_rng(14)
WORDS = RANDOM.integers(0, 1 << 32, 2 * N, dtype=np.uint32)
LONGS = RANDOM.integers(-(1 << 62), 1 << 62, 2 * N, dtype=np.int64)

MIN_OF_LONGS = """
__global__ void k(const long long *a, long long *out) {
    int i = threadIdx.x;
    out[i] = min(a[i], a[i + 64]), out[i + 64] = max(a[i], a[i + 64]), out[i + 128] = llabs(a[i]);
}
"""
SUMS_OF_128_BITS = """
__global__ void k(const long long *a, long long *out) {
    int i = threadIdx.x;
    unsigned __int128 x = (unsigned __int128)a[i] << 61, y = (unsigned __int128)a[i + 64] << 58, z = x + y, w = x - y;
    out[i] = (long long)z, out[i + 64] = (long long)(z >> 64), out[i + 128] = (long long)(w >> 64);
}
"""
# Of a product with the reciprocal only the upper word is needed: IMAD.HI.U32.X takes the carry of the lower ones.
HIGH_PART_OF_QUOTIENTS = """
__global__ void k(const unsigned long long *a, unsigned long long *out) {
    int i = threadIdx.x;
    out[i] = a[i] / 9 >> 53, out[i + 64] = a[i + 64] / 18 >> 56;
}
"""
BYTES = """
__global__ void k(const unsigned *a, unsigned *out) {
    int i = threadIdx.x;
    out[i] = __vmaxu4(a[i], a[i + 64]), out[i + 64] = __vminu4(a[i], a[i + 64]);
    out[i + 128] = __vadd4(a[i], a[i + 64]);
}
"""
# A loop whose counter is uniform reads constant memory at a computed place.
CONSTANTS = """
__constant__ unsigned table[64] = { 1, 5, 25, 125, 625, 3125 };
__global__ void k(const unsigned *a, unsigned *out) {
    unsigned sum = 0, other = 1;
    #pragma unroll 1
    for (int j = 0; j < 64; j++) sum += table[j] * (a[threadIdx.x] + j), other = other * 3 + table[j];
    out[threadIdx.x] = sum ^ other;
}
"""
# Compilers make the first two of comparisons as well: a number that is none wins.
LIMITS_WITHOUT_NUMBERS = """
__global__ void k(const unsigned *a, unsigned *out) {
    int i = threadIdx.x;
    float x = __uint_as_float(a[i]), y = __uint_as_float(a[i + 64]), low, high;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(low) : "f"(x), "f"(y));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(high) : "f"(x), "f"(y));
    out[i] = __float_as_uint(low), out[i + 64] = __float_as_uint(high);
    out[i + 128] = __float_as_uint(fminf(x, y));
}
"""

# Unrolled, it reads at places below a register.
SPARSE_ROWS = """
__constant__ int starts[6] = {0, 2, 3, 3, 7, 9}, columns[9] = {0, 3, 1, 0, 1, 2, 4, 2, 4};
__constant__ unsigned values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
__global__ void k(const unsigned *a, unsigned *out) {
    unsigned sum = 0, row = threadIdx.x % 5;
    for (int j = starts[row]; j < starts[row + 1]; ++j) sum += values[j] * a[columns[j]];
    out[threadIdx.x] = sum;
}
"""
# Unrolled, it goes by a table where the number is the same for the warp, and would read behind the program's end.
INTERPRETER = """
struct Step { int code, argument; };
__constant__ Step program[8] = {{0, 3}, {3, 0}, {2, 0}, {0, 2}, {1, 0}, {4, 0}, {6, 0}, {6, 0}};
__global__ void k(const unsigned *a, unsigned *out) {
    unsigned stack[8] = {a[threadIdx.x]}, top = 1, place = 0, steps = 0;
    while (steps++ < 20) {
        Step step = program[place++];
        switch (step.code) {
            case 0: stack[top++] = step.argument; continue;
            case 1: --top; stack[top - 1] += stack[top]; break;
            case 2: --top; stack[top - 1] *= stack[top]; break;
            case 3: stack[top] = stack[top - 1]; ++top; break;
            case 4: { unsigned t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; break; }
            default: goto end;
        }
    }
end:
    out[threadIdx.x] = stack[top - 1] * 1000 + stack[0] + top * 100000;
}
"""


def case(source: str, device: str, values: np.ndarray, outputs: int) -> Case:
    """Return a launch of one block of k(const T *a, T *out)."""
    program = wv.compile(source, kernel="k", compiler="nvrtc", device=device)
    return Case("k", program, 1, N, [values, np.zeros(outputs * N, values.dtype)])


def written(launch: Case, device: str) -> np.ndarray:
    run = wv.simulate(launch.program, 1, N, launch.arguments, device=device, check=False)
    return np.asarray(run.buffers["out"])


def _bytes(words: np.ndarray) -> np.ndarray:
    return words.view(np.uint8)


@pytest.mark.parametrize("device", ["h200", "rtx5090"])
def test_limits_of_64_bits_equal_numpys(device: str) -> None:
    a, b = LONGS[:N], LONGS[N:]
    expected = np.concatenate([np.minimum(a, b), np.maximum(a, b), np.abs(a)])
    assert np.array_equal(written(case(MIN_OF_LONGS, device, LONGS, 3), device), expected)


@pytest.mark.parametrize("device", ["h200", "rtx5090"])
def test_sums_of_128_bits_carry(device: str) -> None:
    def parts(k: int) -> tuple[int, int, int]:
        x, y = int(LONGS[k]) << 61, int(LONGS[k + N]) << 58
        return x + y, (x + y) >> 64, (x - y) >> 64

    expected = np.array([[part & (1 << 64) - 1 for part in parts(k)] for k in range(N)], np.uint64).T.ravel()
    assert np.array_equal(written(case(SUMS_OF_128_BITS, device, LONGS, 3), device).view(np.uint64), expected)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_high_parts_of_quotients_equal_numpys(device: str) -> None:
    values = LONGS.view(np.uint64).copy()
    values[:8] = [0, 1, (1 << 64) - 1, (1 << 64) - 9, 1 << 63, 9 << 53, (9 << 53) - 1, (1 << 56) * 9]
    launch = case(HIGH_PART_OF_QUOTIENTS, device, values, 2)
    names = [i.native.mnemonic for i in launch.program.instructions]
    assert device != "h200" or any(name.startswith("IMAD.HI.U32.X") for name in names)
    nine, eighteen = np.uint64(9), np.uint64(18)
    expected = np.concatenate([values[:N] // nine >> np.uint64(53), values[N:] // eighteen >> np.uint64(56)])
    assert np.array_equal(written(launch, device), expected)
    assert not differences(launch)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_parts_of_words_equal_numpys(device: str) -> None:
    a, b = _bytes(WORDS[:N].copy()), _bytes(WORDS[N:].copy())
    expected = np.concatenate([np.maximum(a, b), np.minimum(a, b), a + b])
    assert np.array_equal(_bytes(written(case(BYTES, device, WORDS, 3), device)), expected)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_constants_at_a_computed_place_equal_numpys(device: str) -> None:
    table = np.zeros(N, np.uint32)
    table[:6] = 5 ** np.arange(6)
    other = 1
    for value in table.tolist():
        other = (other * 3 + value) & 0xFFFFFFFF
    sums = sum(table[j] * (WORDS[:N] + np.uint32(j)) for j in range(N)).astype(np.uint32)
    assert np.array_equal(written(case(CONSTANTS, device, WORDS, 1), device), sums ^ np.uint32(other))


@pytest.mark.parametrize("device", ["rtx4090", "h200", "rtx5090"])
def test_limits_that_keep_what_is_no_number_equal_numpys(device: str) -> None:
    values = WORDS.copy()
    values[::7], values[3::5], values[1::9], values[70] = 0x7FC00000, 0x80000000, 0, 0xFF800000
    launch = case(LIMITS_WITHOUT_NUMBERS, device, values, 3)
    assert any(".NAN" in i.native.mnemonic for i in launch.program.instructions)
    x, y = values[:N].view(np.float32), values[N:].view(np.float32)
    got = written(launch, device).view(np.float32).reshape(3, N)
    with np.errstate(invalid="ignore"):
        expected = np.stack([np.minimum(x, y), np.maximum(x, y), np.fmin(x, y)])
    np.testing.assert_array_equal(got, expected)
    assert not differences(launch)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_constants_below_a_register_equal_numpys(device: str) -> None:
    starts, columns = [0, 2, 3, 3, 7, 9], [0, 3, 1, 0, 1, 2, 4, 2, 4]
    rows = [sum((j + 1) * int(WORDS[columns[j]]) for j in range(*starts[k : k + 2])) & 0xFFFFFFFF for k in range(5)]
    assert np.array_equal(
        written(case(SPARSE_ROWS, device, WORDS, 1), device), np.array(rows, np.uint32)[np.arange(N) % 5]
    )


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_a_jump_by_a_table_goes_where_the_number_says(device: str) -> None:
    launch = case(INTERPRETER, device, WORDS, 1)
    assert any(i.native.mnemonic in ("BRX", "BRXU") for i in launch.program.instructions)
    expected = WORDS[:N] * np.uint32(1000) + np.uint32(11) + np.uint32(200000)
    assert np.array_equal(written(launch, device), expected)
    assert not differences(launch)


@pytest.mark.parametrize("source", [CONSTANTS, BYTES, SPARSE_ROWS], ids=["constants", "bytes", "rows"])
def test_the_engines_agree(source: str) -> None:
    assert not differences(case(source, "h200", WORDS, 3))


def test_a_bit_that_an_opcode_has_no_use_for_is_refused() -> None:
    plain = 0x000FE40000000000_0000002013137836  # VIADD R19, R19, 0x20
    assert decode(plain, 0, 90).mnemonic == "VIADD"
    for bit in (76, 78, 79):
        with pytest.raises(UnknownInstruction, match=f"VIADD with bit {bit} set"):
            decode(plain | 1 << bit, 0, 90)


CLOCKS = """
__global__ void k(const long long *a, long long *out) {
    long long start = clock64(), later;
    if (threadIdx.x & 1) later = clock64() + 1; else later = clock64() + 2;
    out[threadIdx.x] = start <= later && clock64() >= start ? a[threadIdx.x] : 0;
}
"""


def test_a_clock_is_read_once_for_the_warp() -> None:
    launch = case(CLOCKS, "rtx5090", LONGS, 1)
    assert any(i.native.mnemonic == "CS2UR" for i in launch.program.instructions)
    assert np.array_equal(written(launch, "rtx5090"), LONGS[:N])
    assert not differences(launch)


DIRECTIONS = {"rd": -np.inf, "ru": np.inf, "rz": 0.0}
DIRECTED = """
__global__ void k(const long long *a, double *out) {
    int i = threadIdx.x;
    unsigned long long u = a[i];
    out[i] = __ll2double_MODE(a[i]), out[i + 128] = __ull2double_MODE(u);
}
"""


@pytest.mark.parametrize("mode", DIRECTIONS)
def test_whole_numbers_of_64_bits_round_to_doubles_in_a_direction(mode: str) -> None:
    edges = [0, -1, 1, (1 << 53) + 1, -(1 << 53) - 1, (1 << 63) - 1, -(1 << 63), (1 << 62) + 255, 1 << 60]
    numbers = np.array([*edges, *LONGS[: 128 - len(edges)]], np.int64)
    program = wv.compile(DIRECTED.replace("MODE", mode), compiler="nvrtc", device="h200")
    assert sum("I2F.F64" in i.native.text for i in program.instructions if i.native is not None) == 2
    arguments = [numbers, np.zeros(256)]
    run = wv.simulate(program, grid=1, block=128, args=arguments, device="h200")
    whole = [int(n) for n in numbers] + [int(n) % (1 << 64) for n in numbers]
    for value, got in zip(whole, np.asarray(run.buffers["out"]).tolist(), strict=True):
        assert got == _rounded(value, DIRECTIONS[mode]), value
    assert differences(Case("I2F.F64", program, 1, 128, arguments)) == []


def _rounded(value: int, towards: float) -> float:
    """The double that is nearest to a number on the side of another one."""
    nearest = float(value)
    if towards == 0.0:
        towards = -np.inf if value > 0 else np.inf
    is_beyond = Fraction(nearest) > value if towards < 0 else Fraction(nearest) < value
    return float(np.nextafter(nearest, towards)) if is_beyond else nearest
