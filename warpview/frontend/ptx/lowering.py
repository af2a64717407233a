"""Lower a kernel of a PTX module to the intermediate representation; functions that it calls are inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import digits
from typing import Any, NoReturn

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.emit import finish
from warpview.frontend.features import Feature
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import (
    BasicBlock,
    Const,
    DeviceBase,
    Function,
    Instr,
    ParamValue,
    Reg,
    SpecialValue,
    Value,
    const,
    same_bits,
)
from warpview.frontend.passes.call_frames import keep_frames
from warpview.frontend.passes.infer_spaces import infer_spaces
from warpview.frontend.passes.promote import place_in_memory, promote
from warpview.frontend.preprocess.preludes import STACK_BYTES
from warpview.frontend.ptx import instructions
from warpview.frontend.ptx.calls import lower_call
from warpview.frontend.ptx.functions import PtxFunctions
from warpview.frontend.ptx.memory import ModuleMemory, PtxAccesses, parameter_parts, unsupported
from warpview.frontend.ptx.refused import refusal_of
from warpview.frontend.ptx.syntax import PtxFunction, PtxInstruction, PtxLabel, PtxModule, PtxOperand
from warpview.frontend.ptx.table import SPECIALS
from warpview.frontend.verify import IrError
from warpview.isa.ops import Op
from warpview.isa.program import Param, Program, Variable
from warpview.isa.shared_variables import shared_variable
from warpview.isa.types import Space, Type


@dataclass(frozen=True)
class KernelDeclaration:
    """Say what the source of a kernel declares and PTX does not tell: its name, its parameters (``names`` has those of
    empty structs too), the variables of the file by name, as far as they are known, and the names to show of those in
    PTX."""

    name: str
    source: SourceText
    params: Sequence[Param]
    names: Sequence[str] = ()
    variables: Mapping[str, Variable] = field(default_factory=dict)
    span: Span | None = None
    variable_names: Mapping[str, str] = field(default_factory=dict)


def compile_ptx(
    module: PtxModule, entry: str, declared: KernelDeclaration, device_addresses: Mapping[str, int] | None = None
) -> Program:
    """Return the program of the kernel ``entry``.

    ``device_addresses`` says where the variables of a whole program lie in global memory, by name. Raises
    CompileError for what is not supported, with its place.
    """
    kernel, name, params = module.functions[entry], declared.name, list(declared.params)
    names = list(declared.names or dict.fromkeys(param.name for param in params))
    function = Function(name, declared.source, declared.span or kernel.span, params=params, parameter_names=names)
    memory = ModuleMemory(module, declared.variables, declared.variable_names, device_addresses)
    try:
        _lower(module, kernel, function, memory)
        return finish(function)
    except IrError as error:
        raise CompileError([Diagnostic(f"the PTX of '{name}' contradicts itself: {error}", function.span)]) from None


def _lower(module: PtxModule, kernel: PtxFunction, function: Function, memory: ModuleMemory) -> None:
    builder = Builder(function)
    functions = PtxFunctions(module)
    PtxCall(functions, kernel, function, memory, builder).lower()
    if not builder.closed:
        builder.exit()
    pointers = memory.fill_addresses(functions)
    function.static_shared_bytes = -(-memory.sizes[Space.SHARED] // 16) * 16
    function.uses_dynamic_shared = bool(memory.dynamic_shared)
    function.local_bytes, function.stack_bytes = memory.sizes[Space.LOCAL], STACK_BYTES
    promote(function)
    place_in_memory(function)
    keep_frames(function)
    infer_spaces(function)
    function.constant_bytes = bytes(memory.images[Space.CONST])
    function.constant_symbols = tuple(memory.symbols[Space.CONST])
    if any(isinstance(v, DeviceBase) for block in function.blocks for instr in block.instrs for v in instr.reads):
        function.device_bytes = bytes(memory.images[Space.GLOBAL])
        function.device_pointers = pointers
    if function.device_bytes or memory.placed:
        function.device_symbols = tuple(memory.symbols[Space.GLOBAL])
    function.variables = [(variable, None) for variable in memory.symbols[Space.SHARED]]
    if memory.dynamic_shared:
        dynamic = shared_variable(memory.dynamic_shared, function.static_shared_bytes, 0, memory.known)
        function.variables.append((dynamic, None))
    function.max_threads = kernel.max_threads
    function.options = (("compiler", "nvrtc"),)


class PtxCall:
    """Lower one call of a function, or the kernel: its registers, its labels and its parameters are its own."""

    def __init__(
        self, functions: PtxFunctions, code: PtxFunction, function: Function, memory: ModuleMemory, builder: Builder,
        caller: PtxCall | None = None,
    ) -> None:  # fmt: skip
        self.functions, self.code, self.function, self.memory, self.builder = functions, code, function, memory, builder
        self.caller = caller
        self.depth: int = 0 if caller is None else caller.depth + 1
        self.registers: dict[str, Reg] = {}
        self.labels = {item.name: builder.new_block("L") for item in code.body if isinstance(item, PtxLabel)}
        self.end = builder.new_block("end")
        self.passed: dict[tuple[str, int], Reg] = {}  # bytes of parameters of calls, by name and offset
        self.stored_names: dict[tuple[str, int], str] = {}  # of the registers that were put into parameters of calls
        self.carry: Reg | None = None
        self.accesses: PtxAccesses = PtxAccesses(self)
        self.span, self.name = code.span, code.name
        for variable in code.variables:
            if variable.space != "param":
                memory.place(variable, function, functions.frame)

    def lower(self) -> None:
        """Write the code of the function; it ends where the next instruction is appended."""
        for item in self.code.body:
            checkpoint()
            if isinstance(item, PtxLabel):
                self.builder.place(self.labels[item.name])
            else:
                try:
                    self.instruction(item)
                except (IndexError, KeyError, ValueError):
                    self.reject(f"'{item.name}' with these operands")
        if self.caller is not None:
            self.builder.place(self.end)

    def instruction(self, ins: PtxInstruction) -> None:
        """Lower one instruction, within a branch where it has a guard."""
        self.span = self.builder.span = ins.span
        self.name = ins.name
        if ins.opcode == "bra":
            self._branch(ins)
            return
        after: BasicBlock | None = None
        if ins.guard is not None:
            then, after = self.builder.new_block(), self.builder.new_block()
            self.branch(ins.guard, then, after)
            self.builder.place(then)
        if ins.opcode in ("ret", "exit"):
            if self.caller is None or ins.opcode == "exit":
                self.builder.exit()
            else:
                self.builder.jump(self.end)
        elif ins.opcode == "call":
            lower_call(self, ins)
        else:
            instructions.lower(self, ins)
        if after is not None:
            self.builder.place(after)

    def _branch(self, ins: PtxInstruction) -> None:
        target = self.labels.get(ins.operands[0].text)
        if target is None:
            self.reject(f"a branch to '{ins.operands[0].text}', which is not a label,")
        if ins.guard is None:
            self.builder.jump(target)
            return
        after = self.builder.new_block()
        self.branch(ins.guard, target, after)
        self.builder.place(after)

    def branch(self, guard: PtxOperand, then: BasicBlock, other: BasicBlock) -> None:
        """Go to ``then`` where a guard holds."""
        condition = self.read(PtxOperand("name", guard.text), Type.PRED)
        self.builder.branch(condition, *((other, then) if guard.negated else (then, other)))

    # ---- calls

    def inner(self, callee: PtxFunction) -> PtxCall:
        """Return a call of a function within this one."""
        return PtxCall(self.functions, callee, self.function, self.memory, self.builder, self)

    def parts(self, name: str) -> list[tuple[int, Reg]]:
        """Return what was put into a parameter of a call, or into a result: offsets and registers."""
        return [(at, reg) for (known, at), reg in self.passed.items() if known == name]

    def store_param(self, name: str, offset: int, type_: Type, value: Value) -> None:
        """Put a value into a parameter of a call, or into the result of this one."""
        key = name, offset
        if key not in self.passed or self.passed[key].type.bytes != type_.bytes:
            self.passed[key] = self.function.reg(type_)
        self.builder.mov(self.passed[key], value)

    def param(self, name: str, offset: int, type_: Type, ins: PtxInstruction) -> Value:
        """Return what lies in a parameter, of the kernel or of a call."""
        if (name, offset) in self.passed:
            return self.as_type(self.passed[name, offset], type_)
        if self.caller is None:
            parts = parameter_parts(self.function, self.code.parameters, name, offset, type_.bytes)
            if parts is not None:
                return self._joined(parts, type_)
        self.refuse(f"{ins.name} of {type_.bytes} bytes at byte {offset} of parameter '{name}'")

    def _joined(self, parts: list[tuple[int, int]], type_: Type) -> Value:
        """Return the value that fields of a parameter make up, each with the byte of the value where it begins; bytes
        between them are zero."""
        params = self.function.params
        if len(parts) == 1 and parts[0][1] == 0 and params[parts[0][0]].type.bytes == type_.bytes:
            return ParamValue(params[parts[0][0]].type, parts[0][0])
        bits = Type.U64 if type_.is_wide else Type.U32
        whole: Value = const(bits, 0)
        for index, first in parts:
            whole = self.emit(Op.OR, bits, whole, self._moved_field(index, 8 * first, bits))
        return self.as_type(whole, type_)

    def _moved_field(self, index: int, by: int, bits: Type) -> Value:
        """Return a field of a parameter as a word of 32 or 64 bits, moved up ``by`` bits, or down where that is
        negative."""
        field = ParamValue(self.function.params[index].type, index)
        own = Type.U64 if field.type.is_wide else Type.U32
        value = self.as_type(field, own)
        if field.type.bytes < 4:
            value = self.emit(Op.AND, own, value, const(own, (1 << 8 * field.type.bytes) - 1))
        if by < 0:
            value = self.emit(Op.SHR, own, value, const(Type.U32, -by))
        if own != bits:
            value = self.emit(Op.CVT, bits, value, stype=own)
        return self.emit(Op.SHL, bits, value, const(Type.U32, by)) if by > 0 else value

    # ---- values

    def emit(self, op: Op, type_: Type, *sources: Value, **more: Any) -> Reg:
        """Append an operation; return its result."""
        return self.builder.emit(op, type_, *sources, **more)

    def append(self, instr: Instr) -> None:
        """Append an instruction."""
        if self.builder.closed:
            self.builder.place(self.builder.new_block("unreachable"))
        self.builder.block.instrs.append(instr)

    def require(self, feature: Feature) -> None:
        """Require a device that has a feature, for the instruction that is being lowered."""
        if feature.since > self.function.minimum_capability:
            place = f"{feature.name}: '{self.name}' in line {self.span.line}"
            self.function.minimum_capability, self.function.capability_reason = feature.since, place

    def refuse(self, what: str) -> NoReturn:
        """Raise CompileError for what is not supported here but is PTX."""
        raise unsupported(what, self.span)

    def reject(self, what: str) -> NoReturn:
        """Raise CompileError for what is no PTX, as far as is known."""
        raise unsupported(what, self.span, None)

    def register(self, name: str) -> Reg:
        """Return the register of a declared name."""
        if name not in self.registers:
            numbered = name.rstrip(digits) + "<"
            type_ = self.code.registers.get(name, self.code.registers.get(numbered))
            if type_ is None:
                raise unsupported(f"'{name}'", self.span, refusal_of(name))
            self.registers[name] = self.function.reg(_held(type_))
        return self.registers[name]

    def read(self, operand: PtxOperand, type_: Type) -> Value:
        """Return the value of an operand as an instruction of a type reads it: integers of less than 32 bits widened,
        bits of a float as bits."""
        if operand.kind == "int":
            return const(type_, _bits_to_value(type_, operand.value))
        if operand.kind == "decimal":
            if not type_.is_float:
                self.reject(f"'{operand.text}' as an integer")
            return const(type_, float(operand.text))
        if operand.kind in ("f32", "f64"):
            return self.as_type(Const(Type.F32 if operand.kind == "f32" else Type.F64, operand.value), type_)
        if operand.kind != "name":
            self.refuse(f"an operand of the form '{operand.kind}'")
        if operand.text in SPECIALS:
            return SpecialValue(SPECIALS[operand.text])
        special = instructions.special_register(self, operand.text)
        if special is not None:
            return special
        number = self.functions.number(operand.text)
        if number is not None:
            return const(Type.U64, number)
        address = self.accesses.symbol(operand.text, type_.is_wide)
        if address is not None:
            return address
        value: Value = self.register(operand.text)
        if operand.negated:
            if type_ != Type.PRED:
                self.refuse(f"'{self.name}' of a source that is negated")
            return self.emit(Op.NOT, Type.PRED, value)
        return self.as_type(value, type_)

    def as_type(self, value: Value, type_: Type) -> Value:
        """Return a value as one of the same bits of another type."""
        have = value.type
        if isinstance(value, Const):
            return same_bits(value, type_)
        if have.is_wide and not type_.is_wide and type_ != Type.PRED:
            # A conversion or a store takes the low bits of a wider register (PTX ISA, "Operand Size Exceeding ...").
            value = self.emit(Op.CVT, Type.U32, self.as_type(value, Type.U64), stype=Type.U64)
            have = Type.U32
        if type_.bytes < 4 and type_ != Type.PRED and have != type_:
            return self.emit(Op.MOV, type_, self.as_type(value, Type.U32))
        if have.is_float != type_.is_float and have.bytes == type_.bytes:
            return self.emit(Op.MOV, type_, value)
        return value

    def constant(self, operand: PtxOperand) -> int | None:
        """Return the value of a literal, or of a register that one instruction sets to a literal; None of others."""
        if operand.kind != "name":
            return operand.value if operand.kind == "int" else None
        writer = self.only_writer(operand.text)
        if writer is not None and writer.opcode == "mov" and writer.operands[1].kind == "int":
            return writer.operands[1].value
        return None

    @cached_property
    def _writers(self) -> dict[str, list[PtxInstruction]]:
        found: dict[str, list[PtxInstruction]] = {}
        for item in self.code.body:
            if isinstance(item, PtxInstruction) and item.operands:
                first = item.operands[0]
                for operand in first.parts or (first,):
                    found.setdefault(operand.text, []).append(item)
        return found

    def only_writer(self, name: str) -> PtxInstruction | None:
        """Return the instruction that writes a register, where there is one only and it writes nothing else."""
        writers = self._writers.get(name, [])
        return writers[0] if len(writers) == 1 and writers[0].operands[0].kind == "name" else None

    def is_read(self, name: str) -> bool:
        """Return whether an instruction of the function reads a register as a guard or as a source."""

        def names(operand: PtxOperand) -> bool:
            return operand.text == name or any(names(part) for part in operand.parts)

        return any(
            isinstance(item, PtxInstruction)
            and ((item.guard is not None and item.guard.text == name) or any(names(o) for o in item.operands[1:]))
            for item in self.code.body
        )

    def write_extended(self, operand: PtxOperand, value: Value, type_: Type) -> None:
        """Put a value of less than 32 bits into a register, widened by its sign."""
        target = self.register(operand.text)
        if target.type.is_wide:
            value = self.emit(Op.CVT, target.type, value, stype=type_)
        self.builder.mov(target, value)

    def write(self, operand: PtxOperand, value: Value) -> None:
        """Put a value, of the register's size or narrower, into a register."""
        if operand.text == "_":
            return
        target = self.register(operand.text)
        if value.type.is_wide != target.type.is_wide:
            value = self.emit(Op.CVT, target.type, value, stype=value.type)
        self.builder.mov(target, value)


def _held(type_: Type) -> Type:
    """Return the type of the register that holds values of a declared type: integers are unsigned."""
    return {Type.S8: Type.U16, Type.U8: Type.U16, Type.S16: Type.U16, Type.S32: Type.U32, Type.S64: Type.U64}.get(
        type_, type_
    )


def _bits_to_value(type_: Type, value: int) -> int | float:
    """Return an integer literal as a value of a type; for floats it is the number."""
    return float(value) if type_.is_float else value
