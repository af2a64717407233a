"""List the launches of kernels whose blocks work together in thread block clusters, as compute capability 9.0 has them.

All were predicted before any was measured; what the model takes of clusters comes from microbenchmarks
(``queues/cluster_times.cu``, ``queues/cluster_barriers.cu``).
"""

from __future__ import annotations

from launches import TimedLaunch, floats, ints

EXCHANGES, REDUCTIONS = "clusters/exchanges.cu", "clusters/reductions.cu"


def exchanges() -> list[TimedLaunch]:
    """Return launches that read or write other blocks' shared memory while they compute."""
    found = []

    def add(ladder: str, kernel: str, grid: tuple[int, ...], block: tuple[int, ...], *args: str | int | float) -> None:
        found.append(TimedLaunch("exchanges", ladder, EXCHANGES, kernel, grid, block, args))

    for blocks in (128, 4096):
        for size in (2, 8):
            add(f"tiles {blocks}", f"rotate_tiles<{size}>", (blocks,), (256,), floats(blocks * 1024),
                floats(blocks * 1024, "zeros"))  # fmt: skip
            add(f"tiles {blocks}", f"push_tiles<{size}>", (blocks,), (256,), floats(blocks * 1024),
                floats(blocks * 1024, "zeros"))  # fmt: skip
    for blocks, size, threads in ((128, 4, 256), (128, 8, 1024), (1024, 4, 256)):
        add("", f"diffuse_line<{size}>", (blocks,), (threads,), floats(blocks * threads), 50)
    for n in (512, 1024):
        add("", "product_shared_left", (n // 32, n // 32), (32, 32), floats(n * n), floats(n * n),
            floats(n * n, "zeros"), n)  # fmt: skip
    for blocks, size in ((128, 2), (128, 4), (1024, 4)):
        add("", f"sort_together<{size}>", (blocks,), (1024,), ints(blocks * 1024, 1 << 30))
    for blocks, size in ((128, 2), (128, 8), (512, 4)):
        add("", f"look_up<{size}>", (blocks,), (512,), ints(4096 * size, 1 << 30), ints(1 << 20, 1 << 30),
            ints(1 << 20), 1 << 20)  # fmt: skip
    return found


def reductions() -> list[TimedLaunch]:
    """Return launches that combine what the blocks of a cluster have found."""
    found = []

    def add(ladder: str, kernel: str, grid: int, block: int, *args: str | int | float, shared: int = 0) -> None:
        found.append(TimedLaunch("reductions", ladder, REDUCTIONS, kernel, (grid,), (block,), args, shared))

    for n in (1 << 16, 1 << 22):
        for kernel in ("sum_by_blocks", "sum_together<2>", "sum_together<8>"):
            add(f"sums {n}", kernel, 256, 256, floats(n), floats(1, "zeros"), n)
    for rows, width, size in ((64, 8192, 2), (64, 32768, 8), (1024, 8192, 4)):
        add("", f"normalise_rows<{size}>", rows * size, 256, floats(rows * width), floats(rows * width, "zeros"), width,
            shared=width // size * 4)  # fmt: skip
    for n in (1 << 18, 1 << 21):
        for size in (1, 2, 8):
            add(f"counts {n}", f"count_together<{size}>", 128, 512, ints(n, 1 << 30), ints(1024 * size), n)
    for n, size in ((1024, 4), (4096, 2), (4096, 8)):
        add("", f"vector_by_columns<{size}>", n // 32 * size, 256, floats(n * n), floats(n), floats(n, "zeros"), n)
    for blocks, size in ((128, 2), (128, 8), (4096, 8)):
        add("", f"prefix_together<{size}>", blocks, 1024, ints(blocks * 1024, 100), ints(blocks * 1024))
    return found


def clusters() -> list[TimedLaunch]:
    return exchanges() + reductions()
