"""Name the opcodes of NVIDIA's machine code that are refused, by the low 12 bits; the names are those of nvdisasm."""

from __future__ import annotations

REFUSED = {
    0x27A: "QMMA (matrices of bytes that are floats)",
    0x801: "PMTRIG (triggers of a profiler)",
}
