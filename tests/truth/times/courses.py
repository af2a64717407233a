"""List the launches of a third blind test: optimisation ladders as courses teach them, in kernels written for it.

Each ladder solves one problem at one size, step by step; all were predicted before any was measured.
"""

from __future__ import annotations

from launches import TimedLaunch, floats, ints

Shape = tuple[int, ...] | int


class Ladder:
    """Collect the launches that solve one problem."""

    def __init__(self, file: str, family: str, name: str) -> None:
        self.launches: list[TimedLaunch] = []
        self._of = family, f"{family} {name}", f"courses/{file}.cu"

    def add(self, kernel: str, grid: Shape, block: Shape, *args: str | int | float) -> None:
        shapes = [(shape,) if isinstance(shape, int) else shape for shape in (grid, block)]
        self.launches.append(TimedLaunch(*self._of, kernel, *shapes, args))


def products(n: int) -> Ladder:
    ladder = Ladder("products", "products", str(n))
    args = floats(n * n), floats(n * n), floats(n * n, "zeros"), n
    for kernel, tile, block in (
        ("climb_columns", (32, 8), (32, 8)),
        ("climb_rows", (32, 8), (32, 8)),
        ("climb_tiles<16>", (16, 16), (16, 16)),
        ("climb_tiles<32>", (32, 32), (32, 32)),
        ("climb_strips<64, 8, 8>", (64, 64), (512,)),
        ("climb_squares<64, 8, 4>", (64, 64), (256,)),
        ("climb_squares<128, 8, 8>", (128, 128), (256,)),
        ("climb_vectors", (128, 128), (256,)),
        ("climb_double_buffer", (128, 128), (256,)),
        ("climb_warps", (128, 128), (256,)),
    ):
        ladder.add(kernel, (n // tile[0], n // tile[1]), block, *args)
    return ladder


def sums(n: int) -> Ladder:
    ladder = Ladder("sums", "sums", str(n))
    args = floats(n), floats(1, "zeros"), n
    for kernel in ("add_each", "add_tree", "add_shuffled"):
        ladder.add(kernel, n // 256, 256, *args)
    for kernel in ("add_strided", "add_vectors"):
        ladder.add(kernel, 528, 256, *args)
    return ladder


def histograms(n: int) -> Ladder:
    ladder = Ladder("sums", "histograms", str(n))
    zeros = "uint32 zeros:256"
    ladder.add("bins_global", n // 256, 256, f"uint8 hash:{n}:256", zeros, n)
    ladder.add("bins_shared", n // 256, 256, f"uint8 hash:{n}:256", zeros, n)
    ladder.add("bins_strided", 528, 256, f"uint8 hash:{n}:256", zeros, n)
    ladder.add("bins_of_warps", 528, 256, f"uint32 hash:{n // 4}", zeros, n)
    return ladder


def scans(n: int) -> Ladder:
    ladder = Ladder("sums", "prefix sums", str(n))
    for kernel, block in (("scan_doubling", 512), ("scan_tree<false>", 256), ("scan_tree<true>", 256),
                          ("scan_shuffled", 512), ("scan_vectors", 128)):  # fmt: skip
        ladder.add(kernel, n // 512, block, ints(n, 1000), ints(n))
    return ladder


def transposes(n: int) -> Ladder:
    ladder = Ladder("grids", "transposes", str(n))
    for kernel in ("turn_writes", "turn_reads", "turn_tiles<0>", "turn_tiles<1>"):
        ladder.add(kernel, (n // 32, n // 32), (32, 8), floats(n * n), floats(n * n, "zeros"), n)
    ladder.add("turn_pairs", (n // 64, n // 64), (32, 8), floats(n * n), floats(n * n, "zeros"), n)
    return ladder


def masks(n: int) -> Ladder:
    ladder = Ladder("grids", "convolutions", str(n))
    for kernel, rows in (("mask_global", 8), ("mask_constant", 8), ("mask_tile", 8), ("mask_strips", 32)):
        ladder.add(kernel, (n // 32, n // rows), (32, 8), floats(n * n), floats(49), floats(n * n, "zeros"), n)
    return ladder


def heat(n: int) -> Ladder:
    ladder = Ladder("grids", "stencils", str(n))
    for kernel, planes in (("heat_points", 1), ("heat_walk", 32), ("heat_planes", 32)):
        ladder.add(kernel, (n // 32, n // 8, n // planes), (32, 8), floats(n**3), floats(n**3, "zeros"), n)
    return ladder


def softmax(rows: int, width: int) -> Ladder:
    ladder = Ladder("rows", "softmax", f"{rows} by {width}")
    args = floats(rows * width), floats(rows * width, "zeros")
    ladder.add("soften_thread", rows // 128, 128, *args, width)
    ladder.add("soften_tree", rows, 256, *args, width)
    ladder.add("soften_warp", rows // 4, (32, 4), *args, width)
    ladder.add(f"soften_registers<{width // 32}>", rows // 4, (32, 4), *args)
    return ladder


def matrix_vector(n: int) -> Ladder:
    ladder = Ladder("rows", "matrix times vector", str(n))
    args = floats(n * n), floats(n), floats(n, "zeros"), n
    ladder.add("times_thread", n // 128, 128, *args)
    ladder.add("times_columns", n // 128, 128, *args)
    ladder.add("times_warp", n // 8, (32, 8), *args)
    ladder.add("times_vectors", n // 8, (32, 8), *args)
    return ladder


def sparse(rows: int, width: int) -> Ladder:
    ladder = Ladder("rows", "sparse rows", f"{rows} of {width}")
    entries, columns = rows * width, ints(rows * width, rows)
    args = f"int32 iota:{rows + 1}:{width}", columns, floats(entries), floats(rows), floats(rows, "zeros")
    ladder.add("sparse_thread", rows // 128, 128, *args)
    ladder.add("sparse_lanes<8>", rows // 16, 128, *args)
    ladder.add("sparse_lanes<32>", rows // 4, 128, *args)
    ladder.add("sparse_padded", rows // 128, 128, *args[1:], rows, width)
    return ladder


def bodies(n: int) -> Ladder:
    ladder = Ladder("rows", "bodies", str(n))
    ladder.add("pull_separate", n // 128, 128, *[floats(n)] * 4, floats(3 * n, "zeros"), n)
    for kernel, each in (("pull_global", 128), ("pull_tiles", 128), ("pull_two", 256)):
        ladder.add(kernel, n // each, 128, floats(4 * n), floats(4 * n, "zeros"), n)
    return ladder


def courses() -> list[TimedLaunch]:
    ladders = [products(n) for n in (512, 1024, 2048)]
    ladders += [ladder(n) for ladder in (sums, histograms, scans) for n in (1 << 18, 1 << 23)]
    ladders += [transposes(1024), transposes(4096), masks(512), masks(2048), heat(128), heat(256)]
    ladders += [softmax(2048, 512), softmax(16384, 1024), matrix_vector(2048), matrix_vector(8192)]
    ladders += [sparse(1 << 14, 32), sparse(1 << 18, 16), bodies(4096), bodies(32768)]
    return [launch for ladder in ladders for launch in ladder.launches]
