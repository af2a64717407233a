"""List the products of matrices that one warp instruction computes, with the registers that they take.

They are those of the PTX ISA's mma: D = A x B + C, whose elements lie in the lanes as its *Matrix Fragments for mma*
have them, on every device and in every instruction set. What each computes is defined once, by the *meaning* and the
*variant* that NVIDIA's machine code has for it (see ``sass.meanings``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import product

from warpview.isa.types import Type

COLUMNS = 8  # of B and D
LANES = 32


@dataclass(frozen=True)
class MatrixProduct:
    """Describe a product. ``a``, ``b`` and ``d`` are registers of a lane, of which C takes as many as D: words of 32
    bits, or doubles. PTX has the product from the ``capability`` on."""

    name: str
    meaning: str
    variant: int
    a: int
    b: int
    d: int
    type: Type
    capability: tuple[int, int]

    @property
    def operand_type(self) -> Type:
        """Return the type of the registers of A and B."""
        return Type.F64 if self.type == Type.F64 else Type.U32

    @property
    def letters(self) -> tuple[str, ...]:
        """Return the operand letters of the sources: A, B, C and the member mask."""
        return (*"s" * (self.a + self.b), *"t" * self.d, "u")

    @property
    def operations(self) -> int:
        """Return the additions and multiplications of each lane."""
        rows, depth = (int(part) for part in self.name.split("_")[0][1:].split(f"N{COLUMNS}K"))
        return 2 * rows * COLUMNS * depth // LANES


def _floats() -> list[MatrixProduct]:
    rows = (  # depth, result, format, its number, registers of A, capability
        (8, "F16", "F16", 0, 2, (7, 5)), (16, "F16", "F16", 0, 4, (8, 0)),
        (8, "F32", "F16", 0, 2, (7, 5)), (16, "F32", "F16", 0, 4, (8, 0)),
        (8, "F32", "BF16", 1, 2, (8, 0)), (16, "F32", "BF16", 1, 4, (8, 0)),
        (4, "F32", "TF32", 2, 2, (8, 0)), (8, "F32", "TF32", 2, 4, (8, 0)),
    )  # fmt: skip
    return [
        MatrixProduct(
            f"M16N8K{depth}_{result}_{format_}_{format_}_{result}", "hmma",
            number | a << 2 | (result == "F32") << 5, a, a // 2, 4 if result == "F32" else 2,
            Type.F32 if result == "F32" else Type.U32, capability,
        )
        for depth, result, format_, number, a, capability in rows
    ]  # fmt: skip


def _integers() -> list[MatrixProduct]:
    shapes = (("M8N8K16", 1, 1, 2, (7, 5)), ("M16N8K16", 2, 1, 4, (8, 0)), ("M16N8K32", 4, 2, 4, (8, 0)))
    return [
        MatrixProduct(
            f"{shape}{limited and '_SATFINITE'}_S32_{of_a}_{of_b}_S32", "imma",
            (of_a == "S8") | (of_b == "S8") << 1 | bool(limited) << 2 | a << 3, a, b, d, Type.S32, capability,
        )
        for (shape, a, b, d, capability), limited, of_a, of_b
        in product(shapes, ("", "SATFINITE"), ("U8", "S8"), ("U8", "S8"))
    ]  # fmt: skip


def _doubles() -> list[MatrixProduct]:
    shapes = (("M8N8K4", 1, 1, 2, (8, 0)), ("M16N8K4", 2, 1, 4, (9, 0)), ("M16N8K8", 4, 2, 4, (9, 0)))
    return [
        MatrixProduct(f"{shape}_F64_F64_F64_F64", "dmma", a, a, b, d, Type.F64, capability)
        for shape, a, b, d, capability in shapes
    ]


PRODUCTS = (*_floats(), *_integers(), *_doubles())
MatrixMode = IntEnum("MatrixMode", {product_.name: n for n, product_ in enumerate(PRODUCTS)})  # type: ignore[misc]
MatrixMode.__doc__ = "Name the ``mod`` of MMA, an index of ``PRODUCTS``."
