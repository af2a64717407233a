"""Join products with the sums and differences that take them, as NVIDIA's compiler does."""

from __future__ import annotations

from warpview.frontend.ir import Function
from warpview.frontend.passes.contract_floats import OfFloats
from warpview.frontend.passes.contract_halves import OfHalves
from warpview.frontend.passes.contract_quotients import OfQuotients
from warpview.frontend.passes.places import is_product
from warpview.frontend.passes.product_signs import carry_signs


def contract(function: Function) -> None:
    """Make one operation of each sum that takes a product; the products become dead."""
    instrs = [instr for block in function.blocks for instr in block.instrs]
    if any(map(is_product, instrs)):
        carry_signs(function)
        OfFloats(function).run()
    if any(map(OfQuotients.is_product, instrs)):
        OfQuotients(function).run()
    if any(map(OfHalves.is_product, instrs)):
        OfHalves(function).run()
