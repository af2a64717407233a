import numpy as np
import pytest

from warpview.isa.types import Type
from warpview.sim.arguments.values import DTYPES
from warpview.sim.launch import Launch
from warpview.ui.drawing.values import Buffers, number, numbers, ranges, scalars


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (-3, Type.S32, "−3"),
        (4294967295, Type.U32, "4294967295"),
        (0.5, Type.F32, "0.5"),
        (1e-7, Type.F32, "1e−7"),
        (float("nan"), Type.F32, "NaN"),
        (float("-inf"), Type.F64, "−∞"),
        (1, Type.PRED, "true"),
    ],
)
def test_numbers_are_short(value, type_, text):
    assert number(value, type_) == text


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([3, -3, 0, -2147483648], Type.S32),
        ([3, 4294967295, 3], Type.U32),
        ([0.0, -0.0, 1e-7, float("nan"), float("-inf"), 1e-7], Type.F32),
        ([0.1, 1e300], Type.F64),
        ([0, 1, 1], Type.PRED),
        ([], Type.S32),
    ],
)
def test_many_numbers_are_written_as_one_is(values, type_):
    array = np.array(values, DTYPES[type_])
    assert numbers(array, type_) == [number(value, type_) for value in array.tolist()]


@pytest.mark.parametrize(
    ("mask", "text"),
    [
        (0, "none"),
        (0xFFFFFFFF, "0–31"),
        (0x55555555, "0, 2, 4, … 30"),
        (0b1001, "0, 3"),
        (0b110, "1, 2"),
        (1 << 17, "17"),
        (0xFF00FF, "0–7, 16–23"),
    ],
)
def test_lanes_in_words(mask, text):
    assert ranges(mask) == text


def test_addresses_are_named_by_the_buffers_they_lie_in(scenes):
    program = scenes().run.program
    launch = Launch((1, 1, 1), (32, 1, 1), 0, np.zeros(16, np.uint32), np.array([0x20000, 0x10000], np.uint64))
    buffers = Buffers(program, launch)
    assert buffers.name(0x20000 + 4 * 7) == "in[7]"
    assert buffers.name(0x10000) == "out[0]"
    assert buffers.name(0x10002) == "out[0]+2"
    assert buffers.name(0x100) == "0x100"


def test_scalars_are_those_in_sight(scenes):
    program = scenes().run.program
    assert [v.name for v in scalars(program, 9)] == ["tid", "i", "s"]
    assert scalars(program, 2) == []
