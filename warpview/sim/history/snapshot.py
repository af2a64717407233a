"""Represent the state of a multiprocessor in the form that frames are made of, whichever engine holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray


class PathView(NamedTuple):
    """Show one path of control: ``waiting`` is '', 'reconvergence', 'barrier' or 'warpsync'."""

    pc: int
    mask: int
    reconvergence: int
    waiting: str


class WarpView(NamedTuple):
    """Show one warp: ``pc`` and ``mask`` of the path that issues next (NONE, 0 where none can); masks of lanes."""

    pc: int
    mask: int
    live: int
    at_barrier: int
    paths: tuple[PathView, ...]


class StateReplay(Protocol):
    """Put the multiprocessor of a recorded run back to any step. Arrays are live: copy what you keep."""

    @property
    def step(self) -> int:
        """Return the step at which the replay stands."""

    def seek(self, step: int) -> None:
        """Go to the state after ``step`` events."""

    def accesses(self, first: int, last: int, rows: NDArray[np.uint32], words: NDArray[np.uint32]) -> int:
        """Go from ``first`` to ``last`` and write down the accesses on the way: ``rows`` uint32[>= accesses, 3] (event,
        lanes served, space | width << 8), ``words`` the addresses of those lanes. Returns how many accesses."""

    @property
    def keyframe_steps(self) -> Sequence[int]:
        """Return the steps to which the replay can be put back at once, ascending."""

    @property
    def blocks(self) -> NDArray[np.int64]:
        """Return the linear block index by block slot, -1 where there has been none; int64[block slots]."""

    @property
    def registers32(self) -> NDArray[np.uint32]:
        """Return the 32-bit registers: uint32[warp slot, row, 32]."""

    @property
    def registers64(self) -> NDArray[np.uint64]:
        """Return the 64-bit registers: uint64[warp slot, row, 32]."""

    @property
    def shared(self) -> NDArray[np.uint8]:
        """Return shared memory: uint8[block slot, bytes]."""

    @property
    def shared_written(self) -> NDArray[np.bool_]:
        """Return which bytes of shared memory have been written: bool[block slot, bytes]."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return the raw counts so far, int64[n_instructions, N_RAW]."""

    @property
    def memory(self) -> NDArray[np.uint8]:
        """Return the bytes of global memory."""

    def warps(self) -> list[WarpView | None]:
        """Return the warp in every warp slot, None in block slots that have had no block."""

    @property
    def nbytes(self) -> int:
        """Return the bytes that the history takes."""


@dataclass(frozen=True)
class CountTrack:
    """Hold raw counts at some steps: int64[k] and int64[k, n_instructions, N_RAW]."""

    steps: NDArray[np.int64]
    counts: NDArray[np.int64]
