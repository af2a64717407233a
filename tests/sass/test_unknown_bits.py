"""A bit that no field of an opcode reads is refused, or read: words of NVIDIA's code in which one bit is another.

The words were compiled by NVRTC 13.0 from the library. nvdisasm 13.2 prints another text for each of these bits: a
predicate, a scale, an address in place of a descriptor. Bits that change no result (hints to caches, the scope of an
order, the time of a rest) may be anything.
"""

from __future__ import annotations

import pytest

from warpview.sass.decoder import decode
from warpview.sass.word_reader import UnknownInstruction

CASES = (
    (75, "FADD", 0x004FD0000000000000005A0000057621, (91,)),
    (75, "FFMA", 0x004FC8000000000400C00F00FF057623, (91,)),
    (75, "FMUL", 0x004FD0000040000000005A0000057A20, (91,)),
    (75, "I2F", 0x000E22000020140000005B0000027B06, (91,)),
    (75, "IADD3", 0x000FE20007FFE1FF00005A0006087A10, (91,)),
    (75, "IMAD", 0x000FE400078E020400005B0003027624, (91,)),
    (75, "IMAD", 0x001FCA00078E02020000010003037A24, (91,)),
    (75, "IMAD.WIDE", 0x000FC800078E02070000580002027625, (91,)),
    (75, "ISETP", 0x000FE20003F0627000005A0003007A0C, (91,)),
    (75, "LEA", 0x000FC800078010FF00005A0000027A11, (91,)),
    (75, "LOP3", 0x000FCA00078E33FF00005C00FF029A12, (91,)),
    (75, "MOV", 0x000FE40000000F0000000A0000017A02, (91,)),
    (90, "FMNMX", 0x004FCA00078000000000000500009209, (65,)),
    (75, "BAR", 0x000FEA00000000000000000000007B1D, (79,)),
    (75, "BMOV.32.CLEAR", 0x000FE200001000000000000000FF7355, (28, 84)),
    (75, "BRA", 0x000FC0000383FFFFFFFFFFF000007947, (*range(85, 87),)),
    (75, "BSSY", 0x000FF400038000000000015000007945, (*range(87, 91),)),
    (75, "BSYNC", 0x000FEA00038000000000000000007941, (*range(87, 91),)),
    (75, "CALL.REL.NOINC", 0x000FEA0003C00000000002C000007944, (*range(86, 92),)),
    (75, "EXIT", 0x000FEA0003800000000000000000094D, (*range(84, 87),)),
    (75, "LDG", 0x000EA800001EE9000000000002037381, (*range(64, 68),)),
    (75, "LDG", 0x000EA2000C1EE9000000000402047981, (*range(64, 68), 87)),
    (75, "LDS", 0x000FE2000800580000000004000A7984, (87,)),
    (75, "RET.REL.NODEC", 0x000FEA0003C3FFFFFFFFF4A004007950, (*range(85, 92),)),
    (75, "ULDC", 0x000FC60000000A000000580000047AB9, (91,)),
    (75, "WARPSYNC", 0x000FE800038000000000000300007348, (*range(87, 91),)),
    (75, "WARPSYNC.ALL", 0x000FE80003800000FFFFFFFF00008948, (*range(87, 91),)),
    (75, "YIELD", 0x000FE200038000000000000000007946, (*range(87, 91),)),
    (90, "ATOMS.POPC.INC.32", 0x0001E4000D80003F0000000000FF7F8C, (*range(78, 80),)),
    (90, "BRA", 0x000FC0000383FFFFFFFFFFFC00FC7947, (*range(85, 87),)),
    (90, "BSSY", 0x000FD800038000000000015000007945, (*range(87, 91),)),
    (90, "BSYNC", 0x000FEA00038000000000000000007941, (*range(87, 91),)),
    (
        90,
        "CALL.ABS.NOINC",
        0x002FEA0003C000000000000008007343,
        (
            *range(16, 24),
            *range(34, 82),
            *range(86, 91),
        ),
    ),
    (90, "CALL.REL.NOINC", 0x000FEA0003C000000000000000B47944, (*range(86, 92),)),
    (90, "DMMA", 0x004E240000002010000000040808723F, (62,)),
    (90, "ENDCOLLECTIVE", 0x002FE20003800000000000000000791B, (*range(87, 91),)),
    (90, "EXIT", 0x000FEA0003800000000000000000094D, (*range(84, 87),)),
    (
        90,
        "LD",
        0x000EA8000C1019000000000408097980,
        (
            *range(64, 68),
            76,
        ),
    ),
    (
        90,
        "LDG",
        0x000EA4000C1E19000000000402037981,
        (
            *range(64, 68),
            76,
        ),
    ),
    (90, "REDG", 0x0011E4000C10E186000000090200798E, (71,)),
    (90, "RET.REL.NODEC", 0x001FEA0003C3FFFFFFFFFFF406347950, (*range(85, 92),)),
    (90, "STG", 0x000FE2000C1019040000000906007986, (76,)),
    (90, "ULDC", 0x000FE200000008000000000000047AB9, (91,)),
    (90, "WARPSYNC", 0x000FEA00038000000000000009007348, (*range(87, 91),)),
    (90, "WARPSYNC.ALL", 0x000FEA00038000000000000000007948, (*range(87, 91),)),
    (90, "YIELD", 0x000FEA00038000000000000000007946, (*range(87, 91),)),
    (100, "ATOMS.POPC.INC.32", 0x0001E4000D8000FF0000000000FF7F8C, (*range(78, 80),)),
    (100, "BRA", 0x000FC0000383FFFFFFFFFFFC00FC7947, (*range(85, 87),)),
    (100, "BRA.U", 0x002FEA000B80000000000001089C7547, (*range(84, 91),)),
    (100, "BRX", 0x000FEA000383FFFFFFFFFFFC069C7949, (*range(85, 91),)),
    (100, "BSSY", 0x000FD800038002000000015000007945, (*range(87, 91),)),
    (100, "BSYNC", 0x000FEA00038002000000000000007941, (*range(87, 91),)),
    (
        100,
        "CALL.ABS.NOINC",
        0x002FEA0003C000000000000008007343,
        (
            *range(16, 24),
            *range(34, 82),
            *range(86, 91),
        ),
    ),
    (100, "CALL.REL.NOINC", 0x000FEA0003C000000000000000D07944, (*range(86, 92),)),
    (100, "DMMA", 0x004F1E0000000008000000121808723F, (62,)),
    (100, "ENDCOLLECTIVE", 0x007FEA0003800000000000000000791B, (*range(87, 91),)),
    (100, "EXIT", 0x000FEA0003800000000000000000094D, (*range(84, 87),)),
    (
        100,
        "LD",
        0x000EA8000C1019000000000406077980,
        (
            *range(64, 68),
            76,
        ),
    ),
    (
        100,
        "LDG",
        0x002EA4000C1E19000000000402027981,
        (
            *range(64, 68),
            76,
        ),
    ),
    (100, "LDSM.16", 0x000FE80000004100000000000D0E783B, (80,)),
    (100, "MOVM.16.MT88", 0x004E280000000000000000000209723A, (75,)),
    (100, "REDG", 0x0011E4000C12E106000000090200798E, (81,)),
    (100, "RET.REL.NODEC", 0x001FEA0003C3FFFFFFFFFFF4062C7950, (*range(85, 92),)),
    (100, "STG", 0x000FE2000C1019040000000906007986, (76,)),
    (100, "WARPSYNC", 0x000FEA00038000000000000009007348, (*range(87, 91),)),
    (100, "WARPSYNC.ALL", 0x000FEA00038000000000000000007948, (*range(87, 91),)),
    (100, "YIELD", 0x000FEA00038000000000000000007946, (*range(87, 91),)),
)


@pytest.mark.parametrize(("architecture", "name", "word", "bits"), CASES, ids=lambda value: str(value)[:24])
def test_no_bit_is_passed_over(architecture: int, name: str, word: int, bits: tuple[int, ...]) -> None:
    as_it_is = decode(word, 0, architecture)
    assert as_it_is.row.name == name
    for bit in bits:
        try:
            other = decode(word ^ 1 << bit, 0, architecture)
        except UnknownInstruction:
            continue
        assert other.operands != as_it_is.operands, bit
