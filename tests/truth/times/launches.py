"""List the launches whose times are compared with the hardware's; the model was made with them in sight (times.md).

An argument is a number, or a buffer: its element type and an input spec of the kernel library.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
SIZES = (256, 512, 1024, 2048, 4096)


@dataclass(frozen=True)
class TimedLaunch:
    """Describe one launch of a kernel in a file beside this one. Launches of one ``ladder`` solve one problem."""

    family: str
    ladder: str
    file: str
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[str | int | float, ...]
    shared_bytes: int = 0

    @property
    def key(self) -> str:
        """Return a name that no other launch has."""
        numbers = [a.split(":")[1] if isinstance(a, str) else str(a) for a in self.args]
        shape = "x".join(map(str, self.grid)) + "/" + "x".join(map(str, self.block))
        return f"{self.kernel} {shape} {' '.join(numbers)}"

    @property
    def path(self) -> Path:
        return FOLDER / self.file


def floats(count: int, kind: str = "uniform") -> str:
    return f"float32 {kind}:{count}"


def ints(count: int, modulus: int = 0) -> str:
    return f"int32 hash:{count}:{modulus}" if modulus else f"int32 zeros:{count}"


def products() -> list[TimedLaunch]:
    """Return the ten products at five sizes; the two without tiles not at the largest, where they take too long."""
    found = []
    for n in SIZES:
        shapes = {
            "product_rows": ((n // 32, n // 8), (32, 8)),
            "product_columns": ((n // 32, n // 8), (32, 8)),
            "product_tiled<16>": ((n // 16, n // 16), (16, 16)),
            "product_tiled<32>": ((n // 32, n // 32), (32, 32)),
            "product_strip<8>": ((n // 64, n // 64), (512,)),
            "product_registers<64, 4>": ((n // 64, n // 64), (256,)),
            "product_registers<64, 8>": ((n // 64, n // 64), (64,)),
            "product_registers<128, 8>": ((n // 128, n // 128), (256,)),
            "product_vectors<1>": ((n // 128, n // 128), (256,)),
            "product_vectors<2>": ((n // 128, n // 128), (256,)),
        }
        for kernel, (grid, block) in shapes.items():
            if n == 4096 and kernel in ("product_rows", "product_columns"):
                continue
            args = (floats(n * n), floats(n * n), floats(n * n, "zeros"), n)
            found.append(TimedLaunch("product", f"product {n}", "matmul.cu", kernel, grid, block, args))
    return found


def memory(family: str, ladder: str, kernel: str, grid: tuple[int, ...], block: tuple[int, ...],
           *args: str | int | float) -> TimedLaunch:  # fmt: skip
    return TimedLaunch(family, ladder, "memory.cu", kernel, grid, block, args)


def copies() -> list[TimedLaunch]:
    """Return copies of several sizes, widths, offsets and strides."""
    found = []
    for bits in (12, 16, 20, 22, 24, 26):
        n = 1 << bits
        one, zero = floats(n), floats(n, "zeros")
        found.append(memory("copy", f"copy {n}", "copy_1", (n // 256,), (256,), one, zero, n))
        found.append(memory("copy", f"copy {n}", "copy_4", (max(1, n // 1024),), (256,), one, zero, n // 4))
        found.append(memory("copy", f"copy {n}", "copy_loop", (min(n // 256, 1056),), (256,), one, zero, n))
        if bits >= 20:
            found.append(memory("copy", "", "read_only", (1056,), (256,), one, zero, n))
            found.append(memory("copy", "", "write_only", (n // 256,), (256,), zero, n, 1.5))
            found.append(memory("copy", "", "saxpy", (n // 256,), (256,), 2.5, one, zero, n))
    n = 1 << 22
    for offset in (1, 8, 16, 33):
        found.append(memory("access", "offset", "copy_offset", (n // 256,), (256,), floats(n), floats(n, "zeros"), n,
                            offset))  # fmt: skip
    for stride in (2, 4, 8, 16, 32):
        found.append(memory("access", "stride", "copy_stride", (n // 256,), (256,), floats(n * stride),
                            floats(n * stride, "zeros"), n * stride, stride))  # fmt: skip
    for size in (1 << 12, 1 << 18, 1 << 22, 1 << 26):
        found.append(memory("access", "gather", "gather", (1 << 12,), (256,), floats(size), ints(1 << 20, size),
                            floats(1 << 20, "zeros"), 1 << 20))  # fmt: skip
    for n in (1 << 16, 1 << 20, 1 << 22):
        found.append(memory("access", "", "structs", (n // 256,), (256,), floats(6 * n), floats(n, "zeros"), n))
    for n, block in ((1000, 128), (10_000, 128), (10_000, 512), (100_000, 256), (1_000_000, 1024)):
        found.append(memory("small", "", "saxpy", (-(-n // block),), (block,), 2.5, floats(n), floats(n, "zeros"), n))
    return found


def planes() -> list[TimedLaunch]:
    """Return transposes, stencils, and products of a matrix and a vector."""
    found = []
    for n in (512, 1024, 2048, 4096):
        one, zero, tiles = floats(n * n), floats(n * n, "zeros"), (n // 32, n // 32)
        for kernel in ("transpose_read", "transpose_write", "transpose_tile<0>", "transpose_tile<1>"):
            found.append(memory("transpose", f"transpose {n}", kernel, tiles, (32, 8), one, zero, n))
        found.append(memory("stencil", "", "stencil_plane", (n // 32, n // 8), (32, 8), one, zero, n))
        found.append(memory("stencil", "", "stencil_nine", (n // 32, n // 8), (32, 8), one, zero, n))
        x, y = floats(n), floats(n, "zeros")
        found.append(memory("vector", f"matrix vector {n}", "rows_by_threads", (n // 64,), (64,), one, x, y, n))
        found.append(memory("vector", f"matrix vector {n}", "rows_by_warps", (n // 8,), (256,), one, x, y, n))
        found.append(memory("vector", f"matrix vector {n}", "columns_by_threads", (n // 64,), (64,), one, x, y, n))
    for n in (1 << 18, 1 << 22, 1 << 24):
        one, zero = floats(n), floats(n, "zeros")
        found.append(memory("stencil", f"line {n}", "stencil_line", (n // 256,), (256,), one, zero, n))
        found.append(memory("stencil", f"line {n}", "stencil_line_shared", (n // 256,), (256,), one, zero, n))
    for n in (128, 256):
        volume = (floats(n**3), floats(n**3, "zeros"), n)
        found.append(memory("stencil", "", "stencil_volume", (n // 32, n // 8), (32, 8), *volume))
    return found


def together() -> list[TimedLaunch]:
    """Return reductions, prefix sums, histograms, sorts and sums over bodies."""
    found = []

    def add(family: str, ladder: str, kernel: str, grid: int, block: int, *args: str | int | float,
            shared: int = 0) -> None:  # fmt: skip
        found.append(TimedLaunch(family, ladder, "shared.cu", kernel, (grid,), (block,), args, shared))

    for bits, block in ((16, 256), (20, 128), (22, 256), (24, 512)):
        n = 1 << bits
        data, ladder = ints(n, 100), f"reduction {n}"
        for kernel in ("reduce_modulo", "reduce_strided", "reduce_halves"):
            add("reduction", ladder, kernel, n // block, block, data, ints(n // block), shared=4 * block)
        add("reduction", ladder, "reduce_two", n // block // 2, block, data, ints(n // block), shared=4 * block)
        add("reduction", ladder, "reduce_shuffle", n // block // 2, block, data, ints(n // block))
        add("reduction", ladder, "reduce_loop", min(n // block, 528), block, data, ints(1), n)
        add("reduction", ladder, "reduce_vectors", min(n // block // 4, 528), block, data, ints(1), n // 4)
    for bits in (18, 22):
        n = 1 << bits
        add("scan", f"scan {n}", "scan_steps", n // 512, 512, ints(n, 100), ints(n))
        add("scan", f"scan {n}", "scan_tree", n // 1024, 512, ints(n, 100), ints(n))
        add("scan", f"scan {n}", "scan_warps", n // 512, 512, ints(n, 100), ints(n))
        add("scan", "", "sort_blocks", n // 1024, 512, ints(n, 1 << 30))
    for n, bins in ((1 << 20, 256), (1 << 22, 64), (1 << 22, 1024)):
        add("histogram", f"histogram {bins}", "count_global", 528, 256, ints(n, bins), ints(bins), n)
        add("histogram", f"histogram {bins}", f"count_shared<{bins}>", 528, 256, ints(n, bins), ints(bins), n)
    for stride in (1, 2, 4, 8, 16, 32):
        add("conflicts", "conflicts", "conflicts", 264, 256, floats(264 * 256, "zeros"), stride, 256)
    for n in (4096, 16384):
        add("bodies", "", "forces", n // 256, 256, floats(4 * n), floats(4 * n, "zeros"), n)
    return found


def loops() -> list[TimedLaunch]:
    """Return loops of arithmetic at several occupancies, branches, barriers, and launches that do next to nothing."""
    found = []

    def add(family: str, ladder: str, kernel: str, grid: tuple[int, ...], block: tuple[int, ...],
            *args: str | int | float) -> None:  # fmt: skip
        found.append(TimedLaunch(family, ladder, "compute.cu", kernel, grid, block, args))

    for blocks, threads in ((132, 32), (132, 256), (1056, 256), (2112, 256)):
        room = blocks * threads
        for n in (1, 4, 8):
            add("arithmetic", "", f"multiply_add<{n}>", (blocks,), (threads,), floats(room, "zeros"), 512, 1.01, 0.5)
        add("arithmetic", "", "integers<4>", (blocks,), (threads,), ints(room), 256, 12345, 7)
        add("arithmetic", "", "products<4>", (blocks,), (threads,), ints(room), 512, 12345, 7)
        add("arithmetic", "", "doubles<4>", (blocks,), (threads,), f"float64 zeros:{room}", 256, 1.01, 0.5)
    for threads in (64, 1024):
        room = 264 * threads
        add("functions", "", "sines", (264,), (threads,), floats(room, "zeros"), 256)
        add("functions", "", "roots", (264,), (threads,), floats(room, "zeros"), 128)
        add("functions", "", "quotients", (264,), (threads,), floats(room, "zeros"), 128, 3.0)
        add("functions", "", "remainders", (264,), (threads,), ints(room), 128, 1009)
        add("functions", "", "conversions", (264,), (threads,), ints(room), 256)
        add("warps", "", "shuffles", (264,), (threads,), ints(room), 256)
        add("warps", "", "barriers", (264,), (threads,), ints(room), 256)
    for ways in (1, 2, 4, 8):
        add("branches", "branches", "branches", (264,), (256,), floats(264 * 256, "zeros"), ways, 128)
    add("branches", "", "collatz", (1024,), (256,), ints(1 << 18), 1 << 18)
    add("branches", "", "mandelbrot", (32, 128), (32, 8), ints(1 << 20), 1024, 200)
    add("arithmetic", "", "polynomial", (1 << 12,), (256,), floats(1 << 20), floats(1 << 20, "zeros"), 1 << 20)
    for grid, block in ((1, 32), (132, 128), (1320, 128), (13200, 64), (13200, 256), (13200, 1024), (132_000, 32)):
        add("small", "", "nothing", (grid,), (block,), ints(1))
    return found


def launches() -> list[TimedLaunch]:
    """Return all launches, in the order of the recorded table."""
    return [*products(), *copies(), *planes(), *together(), *loops()]
