"""Find the smallest changes of a launch that make more warps resident."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from warpview.devices.capability import Capability
from warpview.devices.occupancy import Occupancy, occupancy
from warpview.diagnostics import capitalised


@dataclass(frozen=True)
class OccupancyStep:
    """One change of ``kind`` 'threads', 'registers' or 'shared', from ``old`` to ``new``, makes more warps resident."""

    kind: str
    old: int
    new: int
    result: Occupancy

    @property
    def text(self) -> str:
        """Return the step as a sentence."""
        change = {
            "threads": f"with blocks of {self.new} threads instead of {self.old},",
            "registers": f"with {self.new} registers per thread instead of {self.old},",
            "shared": f"with {self.new} bytes of shared memory per block instead of {self.old},",
        }[self.kind]
        blocks = "1 block fits" if self.result.blocks == 1 else f"{self.result.blocks} blocks fit"
        return (
            f"{change} {blocks}: {self.result.warps} of {self.result.max_warps} warps, "
            f"{100 * self.result.fraction:.0f} %"
        )


def occupancy_steps(chip: Capability, threads: int, registers: int, shared_bytes: int) -> tuple[OccupancyStep, ...]:
    """Return the smallest changes of threads, registers and shared memory that each by itself raise occupancy."""
    now = occupancy(chip, threads, registers, shared_bytes).warps
    sizes = sorted(range(32, chip.max_threads_per_block + 1, 32), key=lambda size: (abs(size - threads), size))
    found = (
        _first("threads", threads, now, ((n, occupancy(chip, n, registers, shared_bytes)) for n in sizes)),
        _first(
            "registers",
            registers,
            now,
            ((n, occupancy(chip, threads, n, shared_bytes)) for n in _fewer_registers(chip, registers)),
        ),
        _first(
            "shared",
            shared_bytes,
            now,
            ((n, occupancy(chip, threads, registers, n)) for n in _less_shared(chip, shared_bytes)),
        ),
    )
    return tuple(step for step in found if step)


def advice(chip: Capability, threads: int, registers: int, shared_bytes: int) -> tuple[str, ...]:
    """Return sentences on what reaches the next step of occupancy and where NVIDIA's own tools disagree."""
    got = occupancy(chip, threads, registers, shared_bytes)
    sentences = [step.text for step in occupancy_steps(chip, threads, registers, shared_bytes)]
    if got.warps == got.max_warps:
        sentences = ["the multiprocessor is full"]
    elif not sentences:
        sentences = ["no single change of block size, registers or shared memory reaches more warps"]
    warps = -(-threads // 32)
    unpaired = chip.max_warps // warps if threads <= chip.max_threads_per_block else 0
    if unpaired > got.limit_warps:
        allocated = -(-warps // chip.warp_unit) * chip.warp_unit
        sentences.append(
            f"{warps} warps are counted as {allocated}, as the CUDA 7.0 header does; "
            f"the older spreadsheet allows {unpaired} blocks by warps instead of {got.limit_warps}"
        )
    return tuple(capitalised(sentence) + "." for sentence in sentences)


def _first(kind: str, old: int, now: int, tries: Iterable[tuple[int, Occupancy]]) -> OccupancyStep | None:
    for value, result in tries:
        if result.warps > now:
            return OccupancyStep(kind, old, value, result)
    return None


def _fewer_registers(chip: Capability, registers: int) -> Iterable[int]:
    """Return smaller numbers of registers, descending, from the most that a thread can have."""
    return range(min(registers - 1, chip.max_registers_per_thread), 0, -1)


def _less_shared(chip: Capability, shared_bytes: int) -> Iterable[int]:
    """Return smaller amounts of shared memory, descending: the largest that each unit of allocation still holds, from
    all that a multiprocessor has."""
    unit = chip.shared_unit
    top = (min(shared_bytes, chip.shared_bytes + 1) + chip.shared_reserved - 1) // unit
    return (size for k in range(top, 0, -1) if 0 <= (size := k * unit - chip.shared_reserved) < shared_bytes)
