"""Know the functions of a PTX module: which call themselves, and which pointers may point to.

A pointer to a function holds a number that follows from the function's name, so that all kernels of a file agree on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

from warpview.frontend.ir import BasicBlock, Reg, StackFrame
from warpview.frontend.ptx.syntax import PtxFunction, PtxInstruction, PtxModule, PtxShape

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_NUMBERS = 1 << 32  # where the numbers of functions begin: none is a null pointer


@dataclass(eq=False)
class PtxProcedure:
    """Describe a function that calls itself, while it is being written."""

    call: PtxCall
    frame: StackFrame
    entry: BasicBlock
    number: Reg  # says where to return to, 0 for the call from outside
    returns: list[BasicBlock] = field(default_factory=list)


class PtxFunctions:
    """Hold the functions of a module: which of them call themselves, and which have their address taken."""

    def __init__(self, module: PtxModule) -> None:
        self.module = module
        self.active: dict[str, PtxProcedure] = {}
        self.frame: StackFrame | None = None  # of the function that calls itself and is being written
        self._known: dict[str, bool] = {}

    def number(self, name: str) -> int | None:
        """Return what a pointer to a function holds; None where there is no such function."""
        return _NUMBERS + crc32(name.encode()) if name in self.module.functions else None

    @cached_property
    def pointed_to(self) -> list[PtxFunction]:
        """Return the functions whose address is taken, by variables or by instructions."""
        module = self.module
        named = {address.name for variable in module.variables for address in variable.addresses}
        for function in module.functions.values():
            for ins in instructions_of(function):
                if ins.opcode != "call":
                    named.update(operand.text for operand in ins.operands[1:])
        return [f for name, f in module.functions.items() if name in named and f.body and not f.is_entry]

    def fitting(self, shape: PtxShape) -> list[PtxFunction]:
        """Return the functions that a pointer may point to."""
        return [function for function in self.pointed_to if function.shape == shape]

    def calls_itself(self, name: str) -> bool:
        """Return whether a function may call itself, by itself or by others."""
        if name not in self._known:
            seen: set[str] = set()
            work = [name]
            while work:
                new = {callee for callee in self._called(work.pop()) if callee not in seen}
                seen |= new
                work += new
            self._known[name] = name in seen
        return self._known[name]

    def _called(self, name: str) -> Iterator[str]:
        function = self.module.functions[name]
        for ins in instructions_of(function):
            if ins.opcode == "call":
                callee, prototype = _callee(ins), ins.operands[-1].text
                if callee in self.module.functions:
                    yield callee
                elif prototype in function.prototypes:
                    yield from (other.name for other in self.fitting(function.prototypes[prototype]))


def instructions_of(function: PtxFunction) -> Iterator[PtxInstruction]:
    """Yield the instructions of a function."""
    return (item for item in function.body if isinstance(item, PtxInstruction))


def _callee(ins: PtxInstruction) -> str:
    return ins.operands[1 if ins.operands[0].kind == "list" else 0].text
