"""Arguments become memory and uniform rows; arguments that do not fit are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import LaunchError, SourceText
from warpview.frontend import compile_source
from warpview.isa.program import N_SPECIAL, Param, Program, Special
from warpview.isa.types import BFLOAT16, HALF, Type
from warpview.sim.arguments.binding import Argument, Buffer, Uninitialised, bind
from warpview.sim.arguments.values import dim3, small_patterns
from warpview.sim.memory import ALIGNMENT, GUARD
from warpview.sim.reference import run_reference


def _program(*params: Param) -> Program:
    wide = sum(p.type.is_wide or p.is_pointer for p in params)
    narrow = len(params) - wide
    return Program(
        kernel="k",
        source=SourceText("k.cu", ""),
        instructions=(),
        params=params,
        constants32={N_SPECIAL + narrow: 7},
        constants64={},
        first_virtual32=N_SPECIAL + narrow + 1,
        first_virtual64=wide,
        rows32=N_SPECIAL + narrow + 1,
        rows64=wide,
        row_types32=(),
        row_types64=(),
        registers_per_thread=1,
        static_shared_bytes=0,
        uses_dynamic_shared=False,
    )


POINTER = Param("a", "float *", Type.U64, 0, is_pointer=True, element=Type.F32, element_bytes=4)
SECOND = Param("b", "float *", Type.U64, 1, is_pointer=True, element=Type.F32, element_bytes=4)
COUNT = Param("n", "int", Type.S32, N_SPECIAL)
SCALE = Param("x", "float", Type.F32, N_SPECIAL)


def test_buffers_are_aligned_and_guarded_copies() -> None:
    a, b = np.arange(3, dtype=np.float32), np.zeros(5, dtype=np.float32)
    bound = bind(_program(POINTER, SECOND), (1, 1, 1), (32, 1, 1), [a, b], 0)
    first, second = (bound.buffers[name].allocation for name in "ab")
    assert first.base % ALIGNMENT == second.base % ALIGNMENT == 0
    assert second.base - first.end >= GUARD
    assert list(bound.launch.uniform64) == [first.base, second.base]
    bound.memory.data[first.base] = 99
    np.testing.assert_array_equal(a, [0, 1, 2])
    assert bound.buffers["a"].read(bound.memory).dtype == np.float32


def test_one_array_twice_is_one_allocation_and_offsets_count_elements() -> None:
    a = np.zeros(16, dtype=np.float32)
    bound = bind(_program(POINTER, SECOND), (1, 1, 1), (32, 1, 1), [a, Buffer(a, offset=3)], 0)
    assert int(bound.launch.uniform64[1]) - int(bound.launch.uniform64[0]) == 12
    assert len(bound.memory.allocations) == 1


def test_launch_shape_and_constants_fill_uniform_rows() -> None:
    bound = bind(_program(COUNT), (3, 2, 1), (16, 4, 2), {"n": -1}, 0)
    rows = bound.launch.uniform32
    assert list(rows[Special.NTID_X : Special.NTID_Z + 1]) == [16, 4, 2]
    assert list(rows[Special.NCTAID_X : Special.NCTAID_Z + 1]) == [3, 2, 1]
    assert rows[N_SPECIAL] == 0xFFFFFFFF
    assert rows[N_SPECIAL + 1] == 7


def test_uninitialised_memory_is_known_as_unwritten() -> None:
    bound = bind(_program(POINTER), (1, 1, 1), (32, 1, 1), [Uninitialised(8)], 0)
    _ = bound.memory.data
    base = bound.buffers["a"].allocation.base
    assert bound.memory.written is not None
    assert not bound.memory.written[base // 4 : base // 4 + 8].any()
    assert bound.memory.written[base // 4 + 8]


@pytest.mark.parametrize(
    ("param", "value", "message"),
    [
        (POINTER, np.zeros(4), "parameter 'a' is float *: pass an array of float32, not of float64"),
        (POINTER, 3, "parameter 'a' is a pointer (float *): pass a numpy array, not int"),
        (COUNT, 1.5, "parameter 'n' is int: 1.5 is not a whole number"),
        (COUNT, 1 << 40, "parameter 'n' is int: 1099511627776 does not fit"),
        (COUNT, np.zeros(3), "parameter 'n' is int: pass a number, not ndarray"),
        (SCALE, "1", "parameter 'x' is float: pass a number, not str"),
    ],
)
def test_an_unfit_argument_is_named(param: Param, value: Argument, message: str) -> None:
    with pytest.raises(LaunchError) as caught:
        bind(_program(param), (1, 1, 1), (32, 1, 1), [value], 0)
    assert str(caught.value) == message


def test_missing_and_unknown_arguments() -> None:
    with pytest.raises(LaunchError, match=r"k\(a, n\): no value for 'n'"):
        bind(_program(POINTER, COUNT), (1, 1, 1), (32, 1, 1), {"a": np.zeros(1, np.float32)}, 0)
    with pytest.raises(LaunchError, match=r"has no parameter 'm'"):
        bind(_program(COUNT), (1, 1, 1), (32, 1, 1), {"m": 1}, 0)
    with pytest.raises(LaunchError, match="takes 1 arguments, not 0"):
        bind(_program(COUNT), (1, 1, 1), (32, 1, 1), [], 0)


def test_extents() -> None:
    assert dim3(4, "grid") == (4, 1, 1)
    assert dim3([4, 3], "grid") == (4, 3, 1)
    with pytest.raises(LaunchError, match="block must be one to three whole numbers of at least 1"):
        dim3((0, 1), "block")


STRUCT = SourceText(
    "struct.cu",
    "struct Q { int x; int y[2]; };\nstruct P { int a; Q q; float2 v; int *to; };\n"
    "__global__ void k(P p) { p.to[0] = p.a; p.to[1] = p.q.x; p.to[2] = p.q.y[1]; p.to[3] = p.v.y; }\n",
)


def test_a_struct_by_value_is_a_dict_of_its_fields_at_any_depth() -> None:
    out = np.zeros(4, dtype=np.int32)
    program = compile_source(STRUCT)
    value = {"a": 1, "q": {"x": 2, "y": [3, 4]}, "v": (0.5, 5.0), "to": out}
    binding = bind(program, (1, 1, 1), (1, 1, 1), [value], 0)
    outcome = run_reference(program, load_device("h200"), binding.launch, binding.memory)
    assert outcome.memory.data[outcome.memory.allocations[0].base :][:16].view(np.int32).tolist() == [1, 2, 4, 5]


HALVES = SourceText(
    "halves.cu",
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nstruct P { int a; half b; };\n"
    "__global__ void k(half x, __nv_bfloat16 y, half2 z, P p, float *to) {\n"
    "to[0] = __half2float(x); to[1] = __bfloat162float(y); to[2] = __high2float(z); to[3] = __half2float(p.b); }\n",
)


@pytest.mark.parametrize(
    ("x", "y", "high", "inside"),
    [
        (2.5, 3, -1, np.float16(0.25)),
        (np.float16(2.5), np.float32(3), np.float16(-1), np.uint16(0x3400)),
        (np.uint16(0x4100), np.uint16(0x4040), np.uint16(0xBC00), 0x3400),
    ],
)
def test_numbers_of_16_bits_are_passed_as_numbers_or_as_their_patterns(
    x: float, y: float, high: float, inside: float
) -> None:
    program, out = compile_source(HALVES), np.zeros(4, dtype=np.float32)
    assert [param.path for param in program.params] == ["x", "y", "z.x", "z.y", "p.a", "p.b", "to"]
    values: list[Argument] = [x, y, {"x": 0, "y": high}, {"a": 7, "b": inside}, out]
    binding = bind(program, (1, 1, 1), (1, 1, 1), values, 0)
    outcome = run_reference(program, load_device("h200"), binding.launch, binding.memory)
    written = outcome.memory.data[outcome.memory.allocations[0].base :][:16].view(np.float32)
    assert written.tolist() == [2.5, 3, -1, 0.25]


def test_numbers_are_rounded_to_the_nearest_pattern() -> None:
    numbers = np.array([1 + 2**-8, 1 + 3 * 2**-8, 65504 * 2, -0.0, np.nan])  # the first two are ties of bfloat16
    assert small_patterns(numbers, BFLOAT16)[:4].tolist() == [0x3F80, 0x3F82, 0x4800, 0x8000]
    assert np.isnan((small_patterns(numbers, BFLOAT16).astype(np.uint32) << 16).view(np.float32)[4])
    np.testing.assert_array_equal(small_patterns(numbers, HALF).view(np.float16)[2:4], [np.inf, -0.0])


@pytest.mark.parametrize(
    ("value", "message"),
    [({"a": 1, "q": {"x": 2}}, "no value for field 'q.y"), (3, "is a struct: pass a dict of its fields")],
)
def test_an_incomplete_struct_is_refused(value: object, message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        bind(compile_source(STRUCT), (1, 1, 1), (1, 1, 1), [value], 0)
