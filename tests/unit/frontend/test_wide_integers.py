"""Integers of 128 bits compute as Python's do, cut to their width."""

from __future__ import annotations

import random

import numpy as np
import pytest
from support.kernels import run

MASK = (1 << 128) - 1
TEXT = """
__global__ void kernel(const unsigned long long *in, unsigned long long *out) {{
    const int i = threadIdx.x;
    const {type} a = ({type})in[4 * i] << 64 | in[4 * i + 1], b = ({type})in[4 * i + 2] << 64 | in[4 * i + 3];
    const {type} r = {expression};
    out[2 * i] = (unsigned long long)(r >> 64);
    out[2 * i + 1] = (unsigned long long)r;
}}
"""


def signed(value: int) -> int:
    return value - (1 << 128) if value >> 127 else value


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


EXPRESSIONS = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a / b": quotient,
    "a % b": lambda a, b: a - quotient(a, b) * b,
    "a / 1000000007": lambda a, b: quotient(a, 1000000007),
    "a & b | ~a ^ b": lambda a, b: a & b | (~a ^ b),
    "a << 70": lambda a, b: a << 70,
    "a >> 3": lambda a, b: a >> 3,
    "a >> 100": lambda a, b: a >> 100,
    "(a < b) + 2 * (a == b) + 4 * (a >= -b) + 8 * !a": lambda a, b: None,
    "-a": lambda a, b: -a,
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("type", ["__int128", "unsigned __int128"])
def test_an_expression_of_128_bits(type: str, expression: str) -> None:
    source = random.Random(expression)
    numbers = [source.getrandbits(source.choice((1, 8, 63, 64, 65, 100, 127, 128))) | 1 for _ in range(64)]
    words = [word for number in numbers for word in (number >> 64, number & (1 << 64) - 1)]
    arguments = [np.array(words, np.uint64), np.zeros(64, np.uint64)]
    found = run(TEXT.format(type=type, expression=expression), arguments)["out"]
    held = signed if type == "__int128" else int
    for i in range(32):
        a, b = held(numbers[2 * i]), held(numbers[2 * i + 1])
        expected = EXPRESSIONS[expression](a, b)
        if expected is None:
            expected = (a < b) + 2 * (a == b) + 4 * (a >= held(-b & MASK)) + 8 * (a == 0)
        assert int(found[2 * i]) << 64 | int(found[2 * i + 1]) == expected & MASK, (a, b)


def test_a_shift_takes_a_count_of_any_type() -> None:
    words = np.array([0x0123456789ABCDEF, 0xFEDCBA9876543210, 0, 0] * 32, np.uint64)
    text = TEXT.format(type="unsigned __int128", expression="a >> (i + 20u) << 3ull")
    found = run(text, [words, np.zeros(64, np.uint64)])["out"]
    number = int(words[0]) << 64 | int(words[1])
    for i in range(32):
        assert int(found[2 * i]) << 64 | int(found[2 * i + 1]) == (number >> (i + 20) << 3) & MASK
