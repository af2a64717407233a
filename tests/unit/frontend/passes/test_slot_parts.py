"""The registers that a variable lives in by how its bytes are accessed, and what its accesses become, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import program_of

from warpview.diagnostics import SourceText, Span
from warpview.frontend.ir import Slot
from warpview.frontend.passes.slot_parts import SlotAccess, chosen_parts
from warpview.isa.program import Program
from warpview.isa.types import Space, Type
from warpview.run import simulate

SPAN = Span(SourceText("t.cu", ""), 1, 1)
I = np.arange(32)  # noqa: E741


def load(offset: int, type: Type) -> SlotAccess:
    return SlotAccess(offset, type, is_load=True, is_constant=False)


def store(offset: int, type: Type, is_constant: bool = False) -> SlotAccess:
    return SlotAccess(offset, type, is_load=False, is_constant=is_constant)


BYTES_OF_A_WORD = [load(k, Type.U8) for k in range(4)]


@pytest.mark.parametrize(
    ("accesses", "declared", "parts"),
    [
        ([load(0, Type.F32), store(4, Type.U32)], {}, {0: Type.F32, 4: Type.U32}),
        ([store(0, Type.U32), load(0, Type.F32)], {0: Type.F32}, {0: Type.F32}),  # the same bytes: as declared
        ([store(0, Type.U32)], {0: Type.U64}, {0: Type.U32}),  # what is declared is larger
        ([store(0, Type.F32), *BYTES_OF_A_WORD], {}, {0: Type.U32}),  # a word from which bytes are taken
        ([store(0, Type.F32), load(1, Type.S8)], {}, {0: Type.U32}),
        ([load(0, Type.F32), store(0, Type.U16), store(2, Type.U16)], {}, {0: Type.U16, 2: Type.U16}),  # one joining
        ([load(0, Type.F32), load(0, Type.U32), *BYTES_OF_A_WORD[:3]], {}, {0: Type.U32}),
        ([store(0, Type.U32, is_constant=True), *BYTES_OF_A_WORD], {}, dict.fromkeys(range(4), Type.U8)),
        ([store(0, Type.U16, is_constant=True), load(0, Type.PRED), load(1, Type.PRED)], {},
         {0: Type.PRED, 1: Type.PRED}),
        ([load(0, Type.PRED), load(0, Type.S8)], {}, {0: Type.U8}),
        ([store(0, Type.F64), load(4, Type.S32)], {}, {0: Type.U32, 4: Type.U32}),  # 64 bits are two words
        ([store(0, Type.U64), load(0, Type.U16), load(2, Type.U16)], {}, {0: Type.U32, 4: Type.U32}),
        ([load(0, Type.U32), load(2, Type.U32)], {}, None),  # across one another
        ([load(2, Type.U32), load(2, Type.U8)], {}, None),  # not aligned
        ([load(8, Type.U32)], {}, None),  # behind the end
        ([load(-4, Type.U32)], {}, None),
    ],
)  # fmt: skip
def test_parts(accesses: list[SlotAccess], declared: dict[int, Type], parts: dict[int, Type] | None) -> None:
    assert chosen_parts(Slot("s", 8, 8, declared, SPAN), accesses) == parts


def test_a_double_behind_another_part_is_one_register() -> None:
    accesses = [load(0, Type.U8), load(8, Type.F64), store(8, Type.F64)]
    assert chosen_parts(Slot("s", 16, 8, {}, SPAN), accesses) == {0: Type.U8, 8: Type.F64}


def test_a_variable_with_too_many_parts_has_no_registers() -> None:
    assert chosen_parts(Slot("s", 8, 8, None, SPAN), [load(0, Type.U32)]) is None


def local_accesses(program: Program) -> int:
    return sum(i.space in (Space.LOCAL, Space.GENERIC) for i in program.instructions)


BITS = "union Bits { float f; unsigned u; unsigned short h[2]; signed char c[4]; };"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Bits x; x.u = 0x04030281u + t; out[t] = x.c[0] * 1000 + x.c[1] * 100 + x.c[3];",
         (0x81 + I - 256) * 1000 + 204),
        ("Bits x; x.u = 0xffffffffu; x.c[2] = t; x.h[0] -= 1; out[t] = x.u;",
         (0xFF00FFFE + (I << 16)).astype(np.uint32).view(np.int32)),
        ("Bits x; for (int k = 0; k < 4; ++k) x.c[k] = t + k; out[t] = x.u;",
         I | (I + 1) << 8 | (I + 2) << 16 | (I + 3) << 24),
        ("double d = t; int *w = (int *)&d; w[1] += 1 << 20; out[t] = d;", 2 * I),  # the exponent
        ("long long l = 7; ((int *)&l)[1] = t; out[t] = l >> 30;", 4 * I),
        ("bool f[4] = {}; f[2] = t > 3; f[3] = t > 5; int n = 0; for (bool b : f) n += b; out[t] = n;",
         1 * (I > 3) + (I > 5)),
        ("alignas(8) signed char c[8]; *(int2 *)c = make_int2(t, 2 * t); out[t] = c[0] * 100 + c[4];", 102 * I),
        ("alignas(8) short h[4]; for (int k = 0; k < 4; ++k) h[k] = t + k; int2 w = *(int2 *)h; out[t] = w.x ^ w.y;",
         (I | (I + 1) << 16) ^ ((I + 2) | (I + 3) << 16)),
        ("bool f[4]; *(unsigned *)f = t; out[t] = f[0] + 2 * f[1];", (I > 0).astype(int)),
    ],
)  # fmt: skip
def test_bytes_of_one_register(body: str, expected: np.ndarray) -> None:
    program = program_of(f"{BITS} __global__ void k(int *out) {{ int t = threadIdx.x; {body} }}")
    assert local_accesses(program) == 0
    run = simulate(program, 1, 32, [np.zeros(32, np.int32)])
    np.testing.assert_array_equal(run.buffers["out"], np.asarray(expected).astype(np.int32))
    assert not run.findings


def test_what_was_never_written_is_still_found() -> None:
    program = program_of(f"{BITS} __global__ void k(int *out) {{ Bits x; out[threadIdx.x] = x.c[1]; }}")
    run = simulate(program, 1, 32, [np.zeros(32, np.int32)])
    assert ["no value yet" in finding.message for finding in run.findings] == [True]


CHOSEN = """
template <class T> __device__ T &larger(T &a, T &b) { return a < b ? b : a; }
__global__ void k(int *out) {
    int t = threadIdx.x, a[2] = {t, 10}, b[2] = {20 - t, 30}, c = 15;
    BODY
}"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[t] = larger(a[0], b[0]);", np.maximum(I, 20 - I)),
        ("larger(a[0], larger(b[0], c)) = 7; out[t] = a[0] * 10000 + b[0] * 100 + c;",
         np.where(np.maximum(20 - I, 15) <= I, 70000 + (20 - I) * 100 + 15,
                  np.where(20 - I >= 15, I * 10000 + 715, I * 10000 + (20 - I) * 100 + 7))),
        ("int *p = t < 4 ? a : t < 8 ? b : nullptr; out[t] = p ? p[1] : -1;",
         np.where(I < 4, 10, np.where(I < 8, 30, -1))),
        ("int *p = t & 1 ? a : b; ++p; *p += t; out[t] = a[1] * 100 + b[1];",
         np.where(I & 1, (10 + I) * 100 + 30, 1000 + 30 + I)),
        ("int *p = a; if (t > 3) p = b; if (t > 9) p = &c; int s = 0; for (int k = 0; k < t; ++k) s += *p; out[t] = s;",
         I * np.where(I > 9, 15, np.where(I > 3, 20 - I, I))),
        ("for (int k = 0; k < t; ++k) { int &r = t > 5 ? a[1] : b[1]; r += k; } out[t] = a[1] + b[1];",
         40 + I * (I - 1) // 2),
    ],
)  # fmt: skip
def test_an_address_that_is_one_of_several(body: str, expected: np.ndarray) -> None:
    program = program_of(CHOSEN.replace("BODY", body))
    assert local_accesses(program) == 0
    run = simulate(program, 1, 32, [np.zeros(32, np.int32)])
    np.testing.assert_array_equal(run.buffers["out"], expected.astype(np.int32))
    assert not run.findings


@pytest.mark.parametrize(("places", "in_registers"), [(8, True), (9, False)])
def test_an_address_is_one_of_eight_at_most(places: int, in_registers: bool) -> None:
    """Each place more takes a comparison and a selection in each access."""
    chosen = "".join(f"t == {k} ? &v{k} : " for k in range(places - 1)) + f"&v{places - 1}"
    variables = ", ".join(f"v{k} = {10 * k} + t" for k in range(places))
    body = f"int t = threadIdx.x, {variables}; int *p = {chosen}; *p += 1; out[t] = *p;"
    program = program_of(f"__global__ void k(int *out) {{ {body} }}")
    assert (local_accesses(program) == 0) is in_registers
    run = simulate(program, 1, 32, [np.zeros(32, np.int32)])
    np.testing.assert_array_equal(run.buffers["out"], 10 * np.minimum(I, places - 1) + I + 1)


def test_two_chosen_addresses_are_compared_in_memory() -> None:
    body = "int *p = t > 2 ? a : b, *q = t > 5 ? a : b; out[t] = (p == q) * 10 + (p != nullptr);"
    run = simulate(program_of(CHOSEN.replace("BODY", body)), 1, 32, [np.zeros(32, np.int32)])
    np.testing.assert_array_equal(run.buffers["out"], np.where((I > 2) == (I > 5), 11, 1))
