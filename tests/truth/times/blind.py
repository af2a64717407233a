"""List the launches of a second blind test: their kernels were written while the model was changed for the last time,
and nothing was predicted of them before that was done."""

from __future__ import annotations

from fresh import of
from held_out import doubles
from launches import TimedLaunch, floats, ints


def numbers() -> list[TimedLaunch]:
    """Return kernels on numbers, each small and large."""

    def one(kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int, *args: str | int | float,
            shared: int = 0) -> None:  # fmt: skip
        found.append(of("numbers", kernel, grid, block, *args, shared=shared, folder="blind"))

    found: list[TimedLaunch] = []
    for n in (1 << 16, 1 << 21):
        one(
            "price_options",
            min(n // 128, 1056),
            128,
            floats(3 * n),
            floats(n, "zeros"),
            floats(n, "zeros"),
            n,
            0.03,
            0.3,
        )
        one("dot_of_doubles", 264, 256, doubles(n), doubles(n), doubles(1, "zeros"), n)
        one("invert_4x4", n // 256, 128, floats(8 * n), floats(8 * n, "zeros"), n // 2)
        one("count_darts", n // 256, 256, "uint32 zeros:1", 64)
    for n in (4096, 16384):
        one("attract<128>", n // 128, 128, floats(4 * n), floats(4 * n, "zeros"), n)
    for rows, width in ((1024, 500), (16384, 1000)):
        pair = floats(rows * width), floats(rows * width, "zeros")
        one("softmax_rows", rows // 4, 128, *pair, width)
        one("normalise_layers", rows, 256, pair[0], floats(width), floats(width), pair[1], width, shared=2048)
    for n in (512, 2048):
        one("shortest_paths", (n // 64, n // 4), (64, 4), ints(n * n, 1000), n, n // 3)
        one("rows_times_vector", n // 8, (32, 8), floats(4 * n * n), floats(4 * n), floats(n, "zeros"), 4 * n)
        one("blur_columns", (n // 32, n // 8), (32, 8), floats(n * n), floats(n * n, "zeros"), n, n)
    for n in (64, 256):
        one("smooth_volume", (n // 32, n // 4, n), (32, 4), floats(n**3), floats(n**3, "zeros"), n)
    return found


def data() -> list[TimedLaunch]:
    """Return kernels on data, each small and large."""

    def one(kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int, *args: str | int | float,
            shared: int = 0) -> None:  # fmt: skip
        found.append(of("data", kernel, grid, block, *args, shared=shared, folder="blind"))

    found: list[TimedLaunch] = []
    for n in (1 << 16, 1 << 21):
        blocks, none = n // 256, ints(n)
        one("keep_large", blocks, 256, ints(n, 1000), none, ints(1), n, 600)
        one("assign_to_centres", blocks, 256, floats(2 * n), floats(2 * 32), none, floats(64, "zeros"), ints(32), n, 32,
            shared=256)  # fmt: skip
        one("unpack_nibbles", blocks, 256, f"uint32 hash:{n}", floats(n // 4), floats(8 * n, "zeros"), n)
        one("check_sums", n // 512, 128, f"uint8 hash:{16 * n}:256", f"uint32 zeros:{n // 4}", 64)
        one("find_pattern", blocks, 256, f"uint8 hash:{n}:4", "uint8 hash:12:4", ints(1), n, 12)
        one("visit_level", blocks, 256, ints(n, 1 << 16), ints(8 * n, n), ints(n, 8), ints(1), n, 8, 3)
        records = f"uint32 hash:{4 * n}", *[f"uint32 zeros:{n}"] * 4
        one("columns_of_records", blocks, 256, *records, n)
        one("sort_in_warps", n // 128, 128, f"uint32 hash:{n}", n)
        one("probe_table", blocks, 256, ints(n, 1 << 20), ints(4 * n, 1 << 20), none, n, 2 * n - 1)
    for rows, width in ((2048, 256), (32768, 384)):
        one("gather_rows", rows, 64, floats(65536 * width), ints(rows, 65536), floats(rows * width, "zeros"), width)
        one("sums_of_segments", rows, 128, floats(rows * 512), ints(rows, 100), floats(rows, "zeros"), 512)
    for n in (512, 4096):
        one("turn_shared", (n // 64, n // 64), (32, 8), f"uint16 hash:{n * n}", f"uint16 zeros:{n * n}", n, n)
    return found


def blind() -> list[TimedLaunch]:
    return [*numbers(), *data()]
