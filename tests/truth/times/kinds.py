"""List launches of kinds of kernels that no other part has: numbers of many words, arithmetic modulo a prime, tensor
cores, asynchronous copies, stacks in local memory, trees of decisions, bits. They were predicted before they were
measured."""

from __future__ import annotations

from fresh import of
from launches import TimedLaunch, floats, ints


def kinds() -> list[TimedLaunch]:
    """Return fifteen kernels, each small and large."""
    found: list[TimedLaunch] = []

    def one(file: str, kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int,
            *args: str | int | float) -> None:  # fmt: skip
        found.append(of(file, kernel, grid, block, *args, folder="kinds"))

    for n in (1 << 17, 1 << 22):
        one("numbers", "transform_modulo", n // 512, 256, f"uint32 hash:{n}", f"uint32 zeros:{n}", 7)
        one("numbers", "eigenvalues", n // 512, 128, floats(3 * n // 2 * 2), floats(3 * n // 2, "zeros"), n // 4)
        one("numbers", "long_products", n // 1024, 128, f"uint32 hash:{n}", f"uint32 hash:{n}",
            f"uint32 zeros:{2 * n}", n // 8)  # fmt: skip
    for n in (512, 2048):
        one("numbers", "product_bytes", (n // 32, n // 32), (32, 8), ints(n * n // 4, 1 << 30),
            ints(n * n // 4, 1 << 30), ints(n * n), n, n // 4)  # fmt: skip
        one("numbers", "product_halves", (n // 64, n // 64), 128, f"float16 uniform:{n * n}",
            f"float16 uniform:{n * n}", floats(n * n, "zeros"), n)  # fmt: skip
        one("numbers", "turn_magnets", (n // 64, n // 4), (64, 4), f"uint8 hash:{n * n}:2", f"uint8 zeros:{n * n}",
            f"uint32 hash:{n * n}", n, n, 1)  # fmt: skip
        one("numbers", "mean_of_rows", (n // 128, n // 64), 128, floats((n + 12) * n), floats(n * n, "zeros"), n, 64)
        one("numbers", "spread_masses", n * n // 1024, 256, floats(n * n // 4), floats(n * n // 4, "uniform"),
            floats(n * n // 4), floats(n * n, "zeros"), n * n // 4, n)  # fmt: skip
    for blocks in (132, 1056):
        one("data", "likely_states", blocks, 64, floats(4096), floats(256 * 64), f"uint8 hash:{100 * blocks}:256",
            f"uint8 zeros:{6400 * blocks}", floats(64 * blocks, "zeros"), 100)  # fmt: skip
        one("data", "distances_by_bits", blocks, 256, f"uint8 hash:{256 * 120 * blocks}:4", "uint32 hash:4",
            ints(256 * blocks), 120)  # fmt: skip
    for n in (1 << 15, 1 << 20):
        one("data", "decide", n // 128, 128, floats(20 * 1023), ints(20 * 1023, 16), floats(16 * n),
            floats(n, "zeros"), n, 20)  # fmt: skip
        one("data", "encode_runs", n // 64, 256, f"uint8 hash:{4 * n + 1}:2", f"uint8 zeros:{4 * n}",
            f"uint16 zeros:{4 * n}", ints(n // 64))  # fmt: skip
        one("data", "inside_boxes", n // 128, 128, floats(2 * 2047), floats(2 * n), ints(n), n, 1024)
        one("data", "unpack_bits", n // 64, 256, f"uint32 hash:{4 * n * 13 // 32 + 1}", ints(4 * n), 4 * n, 13)
        one("data", "greatest_four", n // 1024, 128, floats(n // 256 * 1000), floats(n // 64, "zeros"), 1000)
    return found
