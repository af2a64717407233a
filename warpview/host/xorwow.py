"""Generate cuRAND's default random numbers of the host interface: XORWOW, from 4,096 sequences in turn.

The order of results is the one that cuRAND's guide gives for this generator: each result comes from the next of the
4,096 sequences, which are 2^67 steps apart, with as many steps of that sequence as it takes: one for 32 bits, two for a
double or for two normally distributed numbers, four for two normally distributed doubles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from warpview import frontend

SEQUENCES = 4096
STEP = 362437  # of the counter that is added to the shift register
TO_UNIT, TO_UNIT_DOUBLE = np.float32(2.3283064e-10), 1.1102230246251565e-16
TWO_PI = np.float32(6.2831855)
_HEADER = Path(frontend.__file__).parent / "headers" / "curand_kernel.h"

Words = NDArray[np.uint32]


@lru_cache(maxsize=1)
def _sequence_jumps() -> Words:
    """Return uint32[bit, 5]: the jumps over 2^bit sequences, from the header that kernels include."""
    text = _HEADER.read_text(encoding="utf-8")
    table = text.partition("wv_xorwow_sequences[")[2].partition("};")[0]
    return np.array([int(word, 16) for word in re.findall(r"0x([0-9a-f]{8})u", table)], np.uint32).reshape(-1, 5)


def _stepped(state: Words) -> Words:
    """Return the shift registers uint32[5, n] one step on."""
    t = state[0] ^ (state[0] >> np.uint32(2))
    last = (state[4] ^ (state[4] << np.uint32(4))) ^ (t ^ (t << np.uint32(1)))
    return np.stack([*state[1:], last])


def _jumped(state: Words, jump: Words) -> Words:
    total = np.zeros_like(state)
    for k in range(160):
        if int(jump[k // 32]) >> (k % 32) & 1:
            total ^= state
        state = _stepped(state)
    return total


def _start(seed: int) -> tuple[Words, int]:
    """Return the shift registers of all sequences, uint32[5, SEQUENCES], and the counter that they share."""
    mask = 0xFFFFFFFF
    t0 = 1099087573 * ((seed & mask) ^ 0xAAD26B49) & mask
    t1 = 2591861531 * ((seed >> 32 & mask) ^ 0xF7DCEFDD) & mask
    first = (123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0)
    states = np.array([[word & mask] for word in first], np.uint32)
    for jump in _sequence_jumps()[: SEQUENCES.bit_length() - 1]:
        states = np.concatenate([states, _jumped(states, jump)], axis=1)
    return states, (6615241 + t1 + t0) & mask


@dataclass
class Generator:
    """Represent a generator of the host interface."""

    seed: int = 0
    on_host: bool = False
    stream: int = 0
    _state: Words | None = None  # uint32[5, SEQUENCES]
    _counters: Words = field(default_factory=lambda: np.zeros(SEQUENCES, np.uint32))
    _next: int = 0  # the sequence that gives the next result

    def reset(self, seed: int) -> None:
        """Begin anew with another seed."""
        self.seed, self._state, self._next = seed, None, 0

    def skip(self, n: int) -> None:
        """Begin anew after the first ``n`` results of 32 bits."""
        self.reset(self.seed)
        self.integers(n)

    def _results(self, n: int, steps: int) -> Words:
        """Return the numbers behind the next ``n`` results, uint32[steps, n]."""
        if self._state is None:
            self._state, counter = _start(self.seed)
            self._counters = np.full(SEQUENCES, counter, np.uint32)
        found = np.empty((steps, n), np.uint32)
        done = 0
        while done < n:
            taken = min(n - done, SEQUENCES - self._next)
            some = slice(self._next, self._next + taken)
            for step in range(steps):
                self._state[:, some] = _stepped(self._state[:, some])
                self._counters[some] += np.uint32(STEP)
                found[step, done : done + taken] = self._state[4, some] + self._counters[some]
            done += taken
            self._next = (self._next + taken) % SEQUENCES
        return found

    def integers(self, n: int) -> Words:
        """Return 32 random bits each."""
        bits: Words = self._results(n, 1)[0]
        return bits

    def uniform(self, n: int) -> NDArray[np.float32]:
        """Return numbers in (0, 1]."""
        return self.integers(n).astype(np.float32) * TO_UNIT + TO_UNIT / np.float32(2)

    def uniform_double(self, n: int) -> NDArray[np.float64]:
        """Return numbers in (0, 1] of 53 bits."""
        low, high = self._results(n, 2)
        return _unit_double(low, high)

    def normal(self, n: int) -> NDArray[np.float32]:
        """Return normally distributed numbers by the method of Box and Muller, ``n`` even."""
        x, y = self._results(n // 2, 2).astype(np.float32)
        u, v = x * TO_UNIT + TO_UNIT / 2, (y * (TO_UNIT * TWO_PI) + TO_UNIT * TWO_PI / 2).astype(np.float32)
        s = np.sqrt(np.float32(-2) * np.log(u.astype(np.float32)))
        return np.stack([np.sin(v) * s, np.cos(v) * s], axis=1).reshape(-1).astype(np.float32)

    def normal_double(self, n: int) -> NDArray[np.float64]:
        """Return normally distributed numbers by the method of Box and Muller, ``n`` even."""
        a, b, c, d = self._results(n // 2, 4)
        angle = 2 * np.pi * _unit_double(c, d)
        s = np.sqrt(-2 * np.log(_unit_double(a, b)))
        return np.stack([np.sin(angle) * s, np.cos(angle) * s], axis=1).reshape(-1)


def _unit_double(low: Words, high: Words) -> NDArray[np.float64]:
    bits = low.astype(np.uint64) ^ (high.astype(np.uint64) << np.uint64(21))
    return bits.astype(np.float64) * TO_UNIT_DOUBLE + TO_UNIT_DOUBLE / 2
