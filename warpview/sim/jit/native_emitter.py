"""Emit the common parts of native arithmetic: sources, predicates and results of an instruction.

A function gets an ``Emitter`` and emits LLVM vector code for 32 lanes. Fields of the INSTRUCTION record are read at run
time, so that one function serves all instructions of a meaning and variant.
"""

from __future__ import annotations

import functools

from llvmlite import ir

from warpview.isa.values import NAN64
from warpview.sim.jit.floating import FLOATS, canonical
from warpview.sim.jit.integer import DOUBLES, call
from warpview.sim.jit.lanes import BITS, I32, I64, V32, V64, bits_mask, constant, load_row, splat, store_where
from warpview.sim.jit.state import INSTRUCTION, ROW32


class Emitter:
    """Emit code for the instruction at an address, the registers at ``base``, and the lanes that are written."""

    def __init__(self, builder, instruction, base, mask) -> None:
        self.b = builder
        self.instruction, self.base = instruction, base
        self.on = mask
        self.mask = builder.or_(mask, self.field("widen"))

    # ---------------------------------------------------------------------------------------- fields

    def field(self, name: str):
        """Return a field of the record: an int64."""
        place = self.b.add(self.instruction, ir.Constant(I64, INSTRUCTION.fields[name][1]))
        return self.b.load(self.b.inttoptr(place, I64.as_pointer()), align=8, typ=I64)

    def number(self, name: str):
        """Return a field as a vector that holds it in every lane."""
        return splat(self.b, self.b.trunc(self.field(name), I32), V32)

    def row(self, letter: str, k: int = 0):
        """Return the address of the k-th row of an operand."""
        return self.b.add(self.b.add(self.base, self.field(letter)), ir.Constant(I64, k * ROW32))

    # ---------------------------------------------------------------------------------------- sources

    def plain(self, letter: str, k: int = 0):
        """Return the k-th word of a source, as it is in its register."""
        return load_row(self.b, self.row(letter, k), V32)

    def word(self, letter: str, k: int = 0):
        """Return the k-th word of a source with its modifiers."""
        kept = self.b.and_(self.plain(letter, k), self.number(f"{letter}_keep"))
        return self.b.xor(kept, self.number(f"{letter}_flip"))

    def pair(self, letter: str):
        """Return a source of 64 bits; modifiers are those of the upper half."""
        return self.join(self.plain(letter), self.word(letter, 1))

    def join(self, low, high):
        """Return high:low as 64 bits."""
        upper = self.b.shl(self.b.zext(high, V64), constant(V64, 32))
        return self.b.or_(upper, self.b.zext(low, V64))

    def float(self, letter: str, ftz: int = 0):
        value = self.b.bitcast(self.word(letter), FLOATS)
        return self.flushed(value) if ftz else value

    def double(self, letter: str):
        return self.b.bitcast(self.pair(letter), DOUBLES)

    def predicate(self, letter: str):
        """Return the lanes where a source predicate holds, as an int32 mask."""
        held = self.b.icmp_unsigned("!=", self.plain(letter), constant(V32, 0))
        return self.b.xor(self.b.bitcast(held, I32), self.b.trunc(self.field(f"{letter}_flip"), I32))

    def bits(self, mask):
        """Return the vector of bits of an int32 mask."""
        return self.b.bitcast(mask, BITS)

    def carry(self, letter: str):
        """Return a source predicate as 0 or 1 in every lane."""
        return self.b.zext(self.bits(self.predicate(letter)), V32)

    # ---------------------------------------------------------------------------------------- results

    def give(self, value, letter: str = "d", k: int = 0) -> None:
        """Write a word of a result."""
        if value.type == FLOATS:
            value = self.b.bitcast(value, V32)
        store_where(self.b, value, self.row(letter, k), self.mask)

    def give_pair(self, value, letter: str = "d") -> None:
        """Write a result of 64 bits."""
        if value.type == DOUBLES:
            value = self.b.bitcast(value, V64)
        self.give(self.b.trunc(value, V32), letter)
        self.give(self.b.trunc(self.b.lshr(value, constant(V64, 32)), V32), letter, 1)

    def asks_for(self, *letters: str):
        """Return whether any of some destination predicates is not PT, as a bit."""
        fields = [self.field(letter) for letter in letters]
        places = functools.reduce(self.b.and_, fields)  # PT is negative
        return self.b.icmp_signed(">=", places, ir.Constant(I64, 0))

    def give_predicate(self, letter: str, mask, lanes=None) -> None:
        """Write a destination predicate, given an int32 mask, unless it is PT; in some lanes only where they are said,
        as of an instruction whose other result is the warp's."""
        there = self.b.icmp_signed(">=", self.field(letter), ir.Constant(I64, 0))
        with self.b.if_then(there):
            value = self.b.zext(self.bits(mask), V32)
            store_where(self.b, value, self.row(letter), self.mask if lanes is None else lanes)

    def give_float(self, value, ftz: int = 0, sat: int = 0) -> None:
        """Write a float: NaN in the one pattern that the hardware gives, subnormals and range by the modifiers."""
        if sat:
            value = self.saturated(value)
        if ftz:
            value = self.flushed(value)
        self.give(self.canonical(value))

    # ---------------------------------------------------------------------------------------- of floats

    def canonical(self, value):
        """Return the bits of floats or doubles with every NaN replaced by the hardware's."""
        return canonical(self.b, value)

    def with_payload(self, value, *sources):
        """Return the bits of doubles; a NaN is the last of ``sources``, letters, that is one.

        It is made quiet, and modifiers leave it as it is.
        """
        bits, is_nan = self.b.bitcast(value, V64), self.b.fcmp_unordered("uno", value, value)
        entered = self.b.block
        with self.b.if_then(self.b.icmp_unsigned("!=", self.b.bitcast(is_nan, I32), ir.Constant(I32, 0))):
            payload = self.b.select(is_nan, constant(V64, NAN64 - (1 << 64)), bits)
            for letter in sources:
                plain = self.join(self.plain(letter), self.plain(letter, 1))
                source = self.b.bitcast(plain, DOUBLES)
                quiet = self.b.or_(plain, constant(V64, 1 << 51))
                payload = self.b.select(self.b.fcmp_unordered("uno", source, source), quiet, payload)
            left = self.b.block
        result = self.b.phi(V64)
        result.add_incoming(bits, entered)
        result.add_incoming(payload, left)
        return result

    def flushed(self, value):
        """Subnormal floats become zeros of their sign."""
        bits = self.b.bitcast(value, V32)
        exponent = self.b.and_(bits, constant(V32, 0x7F800000))
        zero = self.b.and_(bits, constant(V32, -0x80000000))
        small = self.b.icmp_unsigned("==", exponent, constant(V32, 0))
        return self.b.bitcast(self.b.select(small, zero, bits), FLOATS)

    def saturated(self, value):
        """Return floats limited to 0 to 1; NaN becomes 0."""
        above = self.b.fcmp_ordered(">", value, constant(value.type, 0.0))
        value = self.b.select(above, value, constant(value.type, 0.0))
        return self.b.select(
            self.b.fcmp_ordered("<", value, constant(value.type, 1.0)), value, constant(value.type, 1.0)
        )

    def call(self, name: str, *arguments):
        return call(self.b, name, *arguments)

    def scalar_mask(self, bits):
        """Return the int64 mask of a vector of bits."""
        return bits_mask(self.b, bits)
