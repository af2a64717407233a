"""Write loops of instructions that go through the queue of memory instructions, in machine code of CC 9.0; time them.

python mio.py build FOLDER            (with warpview and NVRTC: a cubin for each mix)
python mio.py measure FOLDER TABLE.csv    (with cupy, on the GPU)

A loop is compiled with placeholders, in whose place the instructions are put: none waits for another, so that what the
loop takes is what the units take. One block of 16 warps is launched, of which some schedulers have some to run.
"""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PLACES, WARPS, SHARED_BYTES, ROUNDS = 32, 16, 32768, 64
SPREADS = ((1, 1), (1, 2), (1, 4), (2, 1), (2, 4), (4, 1), (4, 2), (4, 4))  # schedulers, warps of each

LOOP = """extern "C" __global__ void __launch_bounds__(512) loop(unsigned *sink, long long *clocks, int rounds,
                                                               int schedulers, int each, int off)
{
    extern __shared__ __align__(1024) char room[];
    unsigned base = (unsigned)__cvta_generic_to_shared(room), z = threadIdx.x % 32, w = threadIdx.x / 32;
    bool live = sink[40 + threadIdx.x] != 0;
    for (int k = threadIdx.x; k < 8192; k += blockDim.x)
        ((unsigned *)room)[k] = 0;
    asm volatile("" : "+r"(z));
    unsigned own = base + 4 * z + off, apart = base + 32 * z + off, pairs = base + 8 * z + off,
             fours = base + 16 * z + off, one = base + off;
    unsigned ITEMS(v, 2048, 24), ITEMS(q, 4096, 56);
    __syncthreads();
    if ((int)(w % 4) >= schedulers || (int)(w / 4) >= each)
        return;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x1e;" : "=r"(v1) : "r"(pairs), "r"(fours), "r"(one));
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
PLACEHOLDERS
    }
    long long end = clock64();
    if (z == 0)
        clocks[2 * w] = start, clocks[2 * w + 1] = end;
    if (live)
        sink[threadIdx.x] = SUM(v, 24) + SUM(q, 56) + own + apart + pairs + fours + one + z;
}
"""
LOP3, ISETP, LDG = 0x212, 0x20C, 0x981
PLACEHOLDER_TABLE, MARK_TABLE = 0xE8, 0x1E  # of LOP3
KEEPS_REGISTERS = (LDG, 0x947, 0x988, 0x388, 0x94D)  # loads of what is not needed, branches, stores, exits
CONTROL_SHIFT, ZERO = 41, 255
Word = tuple[int, int]


class Template(NamedTuple):
    """Hold an instruction without its registers and its advice to the scheduler. ``address`` is the place of the
    address and ``value`` that of the value read, or that of all of them: the register ``names`` says."""

    word: Word
    address: str = ""
    value_shift: int = 0  # of the register that is stored or passed on
    has_result: bool = True
    value: str = "z"


LOAD, STORE = 0x7984, 0x7388
INSTRUCTIONS: dict[str, Template] = {
    "load": Template((LOAD, 0x800), "own"),
    "load8": Template((LOAD, 0xA00), "pairs"),
    "load16": Template((LOAD, 0xC00), "fours"),
    "load16_one": Template((LOAD, 0xC00), "one"),
    "load_8_ways": Template((LOAD, 0x800), "apart"),
    "store": Template((STORE, 0x800), "own", 32, has_result=False),
    "store16": Template((STORE, 0xC00), "fours", 32, has_result=False, value="quad"),
    "add": Template((0x738C, 0), "own", 32),
    "shuffle": Template((0x0C201F0000007F89, 0xE0000), "", 24),
    "ex2": Template((0x7308, 0x800), "", 32),
    "thread": Template((0x7919, 0x2200)),
    "block": Template((0x7919, 0x2500)),
    "constant": Template((0x00C0000000007B82, 0x800), "none"),
    "barrier": Template((0x7B1D, 0x10000), has_result=False),
}
OFF = "_off"  # guarded by a predicate that is false


def mixes() -> dict[str, list[str]]:
    """Return the instructions of each loop, which are repeated until it is full."""
    found = {name: [name] for name in (*INSTRUCTIONS, "load_off", "store_off", "barrier_off")}
    for pair in (
        "load thread", "load block", "load constant", "load ex2", "load shuffle", "load store", "load load16",
        "load load16_one", "load load_off", "load16_one thread", "load16 thread", "load_8_ways thread",
        "load_8_ways shuffle", "thread ex2", "thread shuffle", "thread constant", "thread block", "constant ex2",
        "shuffle ex2", "shuffle constant", "load add", "store constant", "store shuffle", "store thread",
        "load16_one store",
    ):  # fmt: skip
        found[pair.replace(" ", "+")] = pair.split()
    found["fifteen loads+barrier"] = ["load"] * 15 + ["barrier"]
    return found


def source() -> str:
    """Return the loop with its placeholders in CUDA C++."""
    text = LOOP
    for name, start, count in (("v", 2048, 24), ("q", 4096, 56)):
        items = ", ".join(f"{name}{k} = sink[{start} + {k} * 32 + z]" for k in range(count))
        text = text.replace(f"ITEMS({name}, {start}, {count})", items)
        text = text.replace(f"SUM({name}, {count})", " + ".join(f"{name}{k} * {k + 1}" for k in range(count)))
    lines = [
        f'asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(v{k % 24}) : "r"({("own", "apart")[k // 24]}), "r"(z));'
        for k in range(PLACES)
    ]
    return text.replace("PLACEHOLDERS", "\n".join(lines))


class Base:
    """Find the placeholders and the registers of the compiled loop."""

    def __init__(self, cubin: bytes) -> None:
        from elftools.elf.elffile import ELFFile

        section = ELFFile(io.BytesIO(cubin)).get_section_by_name(".text.loop")
        places = range(section["sh_offset"], section["sh_offset"] + section["sh_size"], 16)
        words = {place: struct.unpack_from("<QQ", cubin, place) for place in places}
        logic = {place: word for place, word in words.items() if word[0] & 0xFFF == LOP3}
        self.cubin = cubin
        self.body = [place for place, word in logic.items() if word[1] >> 8 & 255 == PLACEHOLDER_TABLE]
        self.mark = next(place for place, word in logic.items() if word[1] >> 8 & 255 == MARK_TABLE)
        self.comparison = next(word for word in words.values() if word[0] & 0xFFF == ISETP)
        if len(self.body) != PLACES:
            raise ValueError("the compiler has changed the loop")
        self.registers = self._registers(logic)
        end = self.body[-1] + 64
        used = {
            (low >> 16 & 255) + k
            for place, (low, _) in words.items()
            if low & 0xFFF not in KEEPS_REGISTERS and place <= end
            for k in (0, 1)
        }
        free = {low >> 16 & 255 for low, _ in words.values() if low & 0xFFF == LDG} - used - {*self.registers.values()}
        self.quads = [r for r in range(0, 252, 4) if free.issuperset(range(r, r + 4))]

    def _registers(self, logic: Mapping[int, Word]) -> dict[str, int]:
        def read(place: int) -> tuple[int, int, int]:
            low, high = logic[place]
            return low >> 24 & 255, low >> 32 & 255, high & 255

        own, apart = set(read(self.body[0])[1:]), set(read(self.body[-1])[1:])
        z = (own & apart).pop()
        pairs, fours, one = read(self.mark)
        found = {"z": z, "own": (own - {z}).pop(), "apart": (apart - {z}).pop(), "none": ZERO}
        return {**found, "pairs": pairs, "fours": fours, "one": one}

    def with_mix(self, mix: Sequence[str]) -> bytes:
        """Return the cubin with a mix in place of the placeholders, and a predicate that is false."""
        changed = bytearray(self.cubin)
        struct.pack_into("<QQ", changed, self.mark, *self._false())
        for k, place in enumerate(self.body):
            struct.pack_into("<QQ", changed, place, *self._placed(mix[k % len(mix)], self.quads[k % len(self.quads)]))
        return bytes(changed)

    def _false(self) -> Word:
        """Return a comparison of zero with itself, which is not less: P6."""
        low, high = self.comparison
        low = low & ~(0xF << 12 | 0xFFFF << 24) | 7 << 12 | ZERO << 24 | ZERO << 32
        high = high & ~(0x1FFFFF << CONTROL_SHIFT | 7 << 12 | 63 << 17) | 1 << 12 | 6 << 17 | 7 << 20
        return low, high | control(13)

    def _placed(self, name: str, result: int) -> Word:
        is_off, registers = name.endswith(OFF), {**self.registers, "quad": self.quads[-1]}
        template = INSTRUCTIONS[name.removesuffix(OFF)]
        low, high = template.word
        if is_off:
            low = low & ~(0xF << 12) | 6 << 12
        if template.has_result:
            low |= result << 16
        if template.address:
            low |= registers[template.address] << 24
        if template.value_shift:
            low |= registers[template.value] << template.value_shift
        if name.startswith("barrier"):
            return low, high | control(5)
        return low, high | (control(1, written=0) if template.has_result else control(1, read=1))


def control(stall: int, written: int = 7, read: int = 7) -> int:
    """Return the advice to the scheduler: cycles until the next instruction, and the scoreboards that are set."""
    return (stall | 1 << 4 | written << 5 | read << 8) << CONTROL_SHIFT


def cubins(base: type[Base] = Base, chosen: Mapping[str, Sequence[str]] | None = None) -> dict[str, bytes]:
    """Return the machine code of each mix."""
    from warpview.diagnostics import SourceText
    from warpview.sass.nvrtc import compile_source

    loop = base(compile_source(SourceText("loop.cu", source()), 90).cubin)
    return {name: loop.with_mix(mix) for name, mix in (mixes() if chosen is None else chosen).items()}


def build(folder: Path, codes: Mapping[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name, code in codes.items():
        (folder / f"{name}.cubin").write_bytes(code)


def measure(folder: Path, table: Path, names: Sequence[str], spreads: Sequence[tuple[int, int]] = SPREADS) -> None:
    """Write the cycles for one instruction of each warp that runs, by mix, schedulers and warps of each."""
    import cupy
    import numpy as np

    sink, clocks = cupy.zeros(1 << 20, np.uint32), cupy.zeros(2 * WARPS, np.int64)
    lines = ["mix,schedulers,warps,cycles"]
    for name in names:
        loop = cupy.RawModule(path=str(folder / f"{name}.cubin")).get_function("loop")
        for spread in spreads:
            found = []
            for _ in range(5):
                clocks[:] = 0
                arguments = (sink, clocks, *map(np.int32, (ROUNDS, *spread, 0)))
                loop((1,), (32 * WARPS,), arguments, shared_mem=SHARED_BYTES)
                both = clocks.get().reshape(WARPS, 2)
                ran = both[both[:, 1] > 0]
                found.append((ran[:, 1].max() - ran[:, 0].min()) / (PLACES * ROUNDS))
            lines.append(f"{name},{spread[0]},{spread[1]},{sorted(found)[2]:.3f}")
    table.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]), cubins())
    else:
        measure(Path(sys.argv[2]), Path(sys.argv[3]), list(mixes()))
