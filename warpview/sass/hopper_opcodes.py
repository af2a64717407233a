"""Define the opcodes that compute capability 9.0 brought: barriers in shared memory, bulk copies, one lane of the warp.

Places of bits were read from words that NVIDIA's nvdisasm explains; what they do was measured on an H200.
"""

from __future__ import annotations

from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.sass.modifiers import ATOMIC_OPS, flag, modifier
from warpview.sass.opcode import B_IMMEDIATE, BLACKWELL, FROM_HOPPER, ONLY_HOPPER, REGISTERS, OpcodeTable

HOPPER, HOPPER_ALONE, LATE = OpcodeTable(FROM_HOPPER), OpcodeTable(ONLY_HOPPER), OpcodeTable(BLACKWELL)
TABLES = (HOPPER, HOPPER_ALONE, LATE)
_row, _memory = HOPPER.row, HOPPER.memory

HOPPER.arithmetic("UIADD3.64", 0x097, "ud2 uu uv ua2 ub2 uc2", "iadd3wide",
                  "adds three integers of 64 bits, once for the warp", modifier("x", 74, 1, ""),
                  forms=(REGISTERS, B_IMMEDIATE))  # fmt: skip

# ------------------------------------------------------------------------------------------------ barriers in memory

# How many threads arrive, and how many bytes (or copies) more are awaited: 1 or 0, or as the register says (R, X).
_COUNTS = modifier("counts", 84, 3, "", ".A1T0", ".A0T1", ".A0TR", ".A0TX", ".ART0")
_memory("SYNCS.EXCH.64", (0x5B2,), "ud2 m us2", "sets a barrier in shared memory", Op.MBARRIER, Space.SHARED)
_memory("SYNCS.ARRIVE.TRANS64", (0x9A7,), "d2 m s", "arrives at a barrier in shared memory, or changes what it awaits",
        Op.MBARRIER, Space.SHARED, modifier("mask", 73, 1, ""), modifier("red", 74, 1, "", ".RED"),
        flag("optout", 75), _COUNTS)  # fmt: skip
_memory("SYNCS.PHASECHK.TRANS64", (0x5A7,), "u m s", "asks whether a phase of a barrier in shared memory is over",
        Op.MBARRIER, Space.SHARED, flag("trywait", 72))  # fmt: skip
for _table, _bit in ((HOPPER_ALONE, 70), (LATE, 76)):
    _table.memory("ARRIVES.LDGSTSBAR.64", (0x9B0,), "m", "arrives at a barrier once the copies before are done",
                  Op.MBARRIER, Space.SHARED, modifier("done", _bit, 2, None, ".ARVCNT", ".TRANSCNT"))  # fmt: skip
for _name, _code, _text in (
    ("SYNCS.CCTL.IV", 0x9B1, "gives up a barrier in shared memory"),
    ("FENCE.VIEW.ASYNC", 0x3C6, "orders accesses before those of asynchronous copies"),
    ("UTMACMDFLUSH", 0x9B7, "closes a group of bulk copies"),
    ("PREEXIT", 0x82D, "lets dependent launches begin, of which there are none beside this one"),
    ("ACQBULK", 0x82E, "waits for the launches before, which have ended"),
):
    _row(_name, (_code,), "", "nop", _text, unit=Unit.SYNC, op=Op.NOP)

# ------------------------------------------------------------------------------------------------ bulk copies

# Where to and the barrier behind, or the two words of an address; where from; how many bytes, in units of 16.
_NO_HINT = modifier("hint", 76, 15, "")  # for the L2
_row("UBLKCP", (0x3BA,), "ub2 ua2 uc", "bulk", "copies bytes of global memory to shared memory",
     modifier("way", 73, 2, None, ".S.G"), flag("multicast", 75), _NO_HINT, unit=Unit.SYNC)  # fmt: skip
_row("UBLKCP", (0x3BA,), "ub2 ua uc", "bulk", "copies bytes of shared memory to global memory or another block",
     modifier("way", 73, 2, None, None, ".G.S", ".S.S"), modifier("multicast", 75, 1, ""), _NO_HINT,
     unit=Unit.SYNC)  # fmt: skip
_row("UBLKRED", (0x3BB,), "ub2 ua uc", "bulk", "reduces global memory by what lies in shared memory",
     modifier("way", 73, 2, None, None, ".G.S"), modifier("hint", 75, 6, ""),
     modifier("reduction", 87, 3, *ATOMIC_OPS[:8]),
     modifier("type", 81, 6, "", ".S32", ".U64", ".S64", ".F16.RN", ".F32.RN", None, ".F64.RN", ".BF16.RN"),
     unit=Unit.SYNC)  # fmt: skip
_row("STAS", (0xDBD,), "a2 sw", "scatter", "stores to shared memory of the cluster, and tells a barrier of the bytes",
     modifier("size", 73, 3, *[None] * 4, "", ".64", ".128"), modifier("hint", 76, 14, ""), unit=Unit.LSU)  # fmt: skip
_row("REDAS", (0xDBE,), "a2 sw", "scatter", "changes shared memory of the cluster, and tells a barrier of the bytes",
     modifier("reduction", 87, 3, *ATOMIC_OPS[:8]), modifier("type", 73, 3, "", ".S32", ".64"),
     modifier("hint", 76, 11, ""), unit=Unit.LSU)  # fmt: skip
_row("UBLKPF.L2", (0x3BC,), "ua2 uc", "nop", "asks for bytes of global memory to come to the L2", unit=Unit.SYNC)

# ------------------------------------------------------------------------------------------------ the warp

_memory("STSM.16", (0x844,), "m sw", "stores matrices of 8 x 8 halves to shared memory", Op.ST, Space.SHARED,
        modifier("transposed", 78, 3, ".M88", ".MT88"), modifier("matrices", 72, 2, "", ".2", ".4"))  # fmt: skip

_row("ELECT", (0x82F,), "u ud p", "elect", "chooses the lowest lane of the warp", unit=Unit.WARP)

# ------------------------------------------------------------------------------------------------ clusters of blocks

_row("UCGABAR_ARV", (0x9C7,), "", "nop", "arrives at the barrier of the cluster of blocks", unit=Unit.SYNC,
     op=Op.CLUSTER_ARRIVE)  # fmt: skip
_row("UCGABAR_WAIT", (0xDC7,), "", "bar", "waits for all threads of the cluster of blocks at its barrier",
     unit=Unit.SYNC, op=Op.CLUSTER_WAIT)  # fmt: skip
