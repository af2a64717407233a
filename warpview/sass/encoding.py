"""Table of where the generations of machine code differ in what surrounds the opcodes: places of fields, reserved
memory, words that the driver fills in. The rows of opcodes that only some architectures have are in table.py.

Found by disassembling NVRTC's code for each architecture, as NVIDIA's disassembler prints it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpview.sass import fields as f


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """Describe the code of the architectures from ``first`` on, up to the next row.

    Attributes
    ----------
    first : int
        The first architecture: 90 for sm_90.
    access_orders : tuple of int
        The order and scope of memory accesses by the numbers that words have, as the numbers since sm_80; 12: not
        supported.
    has_descriptors : bool
        Accesses to global memory may name a descriptor in a uniform register.
    branches_take_living_lanes : bool
        BRA.DIV and BRA.CONV without a uniform register compare with the lanes that live.
    branch_masks_may_be_inverted : bool
        Those with a uniform register have a bit that inverts its lanes.
    splits_branch_offsets : bool
        The low 8 bits of a branch's offset lie apart.
    warpsync_reads_source_24 : bool
        WARPSYNC has its lanes at bit 24, and WARPSYNC.ALL none.
    textures_in_registers : bool
        A texture's descriptor is in a uniform register, and not in a constant.
    zero_uniform : int
        The number of URZ, all of its bits set.
    has_short_atomic_offsets : bool
        The offset of an atomic on global memory has 23 bits.
    late_descriptor_bits : bool
        Which of the places in ``fields.HAS_DESCRIPTOR_OF`` says that there is a descriptor.
    reserved_shared_bytes : int
        The shared memory at the beginning of a block's that the driver keeps for itself, where machine code counts it
        as the kernel's: that of sm_80 does not, though the driver keeps it there, too.
    least_registers : int
        The least that a thread is given, as Nsight Compute reports for kernels compiled to fewer on an H200.
    environment_place, environment_words : int
        Where %envreg0 lies in constant bank 0, in bytes, and how many words are there before others of the driver.
    driver_shared_place : int, optional
        Where %reserved_smem_offset_1 lies there, from sm_80 on.
    """

    first: int
    access_orders: tuple[int, ...] = tuple(range(16))
    has_descriptors: bool = True
    branches_take_living_lanes: bool = False
    branch_masks_may_be_inverted: bool = True
    splits_branch_offsets: bool = False
    warpsync_reads_source_24: bool = False
    textures_in_registers: bool = False
    zero_uniform: int = 63
    has_short_atomic_offsets: bool = False
    late_descriptor_bits: bool = False
    reserved_shared_bytes: int = 0
    least_registers: int = 0
    environment_place: int = 0x88
    environment_words: int = 32
    driver_shared_place: int | None = None


_AMPERE = Encoding(first=80, driver_shared_place=0x124)
_TURING = replace(
    _AMPERE, first=75, access_orders=(4, 4, 4, 4, 0, 0, 0, 0, 5, 5, 7, 10, 12, 12, 12, 12), has_descriptors=False,
    branches_take_living_lanes=True, driver_shared_place=None,
)  # fmt: skip
_HOPPER = replace(
    _AMPERE, first=90, splits_branch_offsets=True, warpsync_reads_source_24=True, textures_in_registers=True,
    reserved_shared_bytes=1024, least_registers=16, environment_place=0x40, driver_shared_place=0x6C,
)  # fmt: skip
_BLACKWELL = replace(
    _HOPPER, first=100, branch_masks_may_be_inverted=False, zero_uniform=f.URZ, has_short_atomic_offsets=True,
    late_descriptor_bits=True, environment_place=0x250, environment_words=20,
    driver_shared_place=0x27C,
)  # fmt: skip


def encoding_of(architecture: int) -> Encoding:
    """Return the row of an architecture, such as 90 for sm_90."""
    rows = (_BLACKWELL, _HOPPER, _AMPERE, _TURING)
    return next((row for row in rows if row.first <= architecture), _TURING)
