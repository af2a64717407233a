"""Ask about a step before it is shown, and compute the number that answers the question."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, MEMORY_OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import FULL, Space
from warpview.sim.rules.access import SharedAccess
from warpview.sim.rules.coalescing import lanes_of
from warpview.trace.caption import array_words, holds, waits_for
from warpview.trace.frame import Event, Frame
from warpview.trace.step_verbs import condition_words
from warpview.trace.words import counted, line_words, variable_of_row

# What can be asked for by name; "transactions" are sectors where a device counts those.
KINDS = ("lanes", "warps", "wavefronts", "transactions", "addresses", "value")
_OF_NOUN = {"lane": "lanes", "warp": "warps", "wavefront": "wavefronts", "transaction": "transactions",
            "sector": "transactions", "address": "addresses"}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """Ask about a step: ``answer`` counts ``noun``, and is None where the answer is no number."""

    words: str
    answer: int | None = None
    noun: str = ""

    @property
    def kind(self) -> str:
        """Return one of KINDS, the kind of the answer; empty where the answer is no number."""
        return _OF_NOUN.get(self.noun, "value") if self.answer is not None else ""

    @property
    def number(self) -> str:
        """Return the answer in words: "15 sectors"."""
        if self.answer is None:
            return ""
        return counted(self.answer, self.noun) if self.noun else str(self.answer)

    def compare(self, guess: int) -> str:
        """Return the reply to a guess, as "You said 8: it is 15 sectors" or "You said 15: right, 15 sectors"."""
        if self.answer is None:
            return f"You said {guess}."
        return f"You said {guess}: {'right,' if guess == self.answer else 'it is'} {self.number}."


def question(frame: Frame, program: Program, device: Device | None = None) -> Question:
    """Return the question that fits what the step did."""
    event = frame.event
    if event is None:
        return Question("What does the first instruction do?")
    instruction = program.instructions[event.pc]
    asked = _asked(frame, program, instruction, event, device)
    who = f"Block {event.block}, warp {event.warp}: "
    return Question(who + asked.words, asked.answer, asked.noun)


def question_of_kind(kind: str, frame: Frame, program: Program, device: Device | None = None) -> Question | None:
    """Return the question of one of KINDS about what the step did; None where it did nothing of the kind. How many
    lanes take part can be asked of every step."""
    found = question(frame, program, device)
    if found.kind == kind:
        return found
    if kind != "lanes" or frame.event is None:
        return None
    return _lanes_that_take_part(frame.event)


def _asked(frame: Frame, program: Program, instruction: Instruction, event: Event, device: Device | None) -> Question:
    if instruction.op == Op.BRA:
        return _branch(program, instruction, event)
    if instruction.op in BLOCK_BARRIERS and instruction.op != Op.BAR_NAMED:
        return Question("how many warps of the block have yet to arrive at the barrier?", waits_for(frame), "warp")
    if instruction.op == Op.EXIT:
        return Question("how many lanes end here?", event.on.bit_count(), "lane")
    if instruction.op in MEMORY_OPS and frame.access is not None and frame.addresses is not None:
        return _access(frame, program, instruction, device)
    return _value(frame, program, instruction, event)


def _lanes_that_take_part(event: Event) -> Question:
    return Question("how many lanes take part?", event.on.bit_count(), "lane")


def _branch(program: Program, instruction: Instruction, event: Event) -> Question:
    if instruction.target == NONE:  # a return, or a call through a register
        return _lanes_that_take_part(event)
    if instruction.guard == NONE:
        return Question("which line comes next?", program.instructions[instruction.target].span.line)
    lanes = "the 32 lanes" if event.mask == FULL else f"its {event.mask.bit_count()} lanes"
    if program.is_compiled:
        target = program.instructions[instruction.target].span.line
        return Question(f"how many of {lanes} take the branch to line {target}?", event.taken.bit_count(), "lane")
    condition = condition_words(program, event.pc) or line_words(program, instruction)
    words = f"for how many of {lanes} does {condition} hold?"
    return Question(words, holds(instruction, event).bit_count(), "lane")


def _access(frame: Frame, program: Program, instruction: Instruction, device: Device | None) -> Question:
    where, access = frame.addresses, frame.access
    assert where is not None
    assert access is not None
    what = {Op.LD: "read", Op.ST: "write"}.get(instruction.op, "update")
    of = f"this {what} of {array_words(frame, program, where)}"
    if instruction.op in ATOMIC_OPS or where.space == Space.CONST:
        different = len({int(where.address[lane]) for lane in lanes_of(where.mask)})
        return Question(f"how many different addresses does {of} go to?", different, "address")
    if isinstance(access, SharedAccess):
        return Question(f"how many wavefronts does {of} take?", len(access.wavefronts), "wavefront")
    sectors = device is not None and device.coalescing == "sectors"
    noun = "sector" if sectors else "transaction"
    return Question(f"how many {noun}s does {of} take, and how much is wasted?", len(access.transactions), noun)


def _value(frame: Frame, program: Program, instruction: Instruction, event: Event) -> Question:
    """Ask for the value that a lane gets, where the source has a name for it: the middle one of the active lanes, for
    the first is often a special case."""
    kind = instruction.dst_type
    name = variable_of_row(program, instruction, instruction.dst, kind) if kind is not None else ""
    if not name or kind is None or not event.on:
        return _lanes_that_take_part(event)
    lanes = lanes_of(event.on)
    lane = lanes[len(lanes) // 2]
    value = None
    if not kind.is_float and not kind.is_wide and event.slot < len(frame.registers32):
        bits = int(frame.registers32[event.slot, instruction.dst, lane])
        value = bits - (1 << 32) if kind.is_signed and bits >> 31 else bits
    return Question(f"what is `{name}` in lane {lane} now?", value)
