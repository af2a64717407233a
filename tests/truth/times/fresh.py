"""List launches for a blind test: kernels that were written after the model, predicted before they were measured."""

from __future__ import annotations

from held_out import doubles
from launches import TimedLaunch, floats, ints

FOLDER = "fresh"


def of(file: str, kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int, *args: str | int | float,
       shared: int = 0, folder: str = FOLDER) -> TimedLaunch:  # fmt: skip
    shapes = [(shape,) if isinstance(shape, int) else shape for shape in (grid, block)]
    return TimedLaunch(file, "", f"{folder}/{file}.cu", kernel, *shapes, args, shared)


def images() -> list[TimedLaunch]:
    found = []
    for w, h in ((512, 512), (1920, 1088), (4096, 2048)):
        n = w * h
        one, zero = floats(n), floats(n, "zeros")
        found += [
            of("images", "resize_bilinear", (w // 32, h // 8), (32, 8), one, zero, w, h, 0.7),
            of("images", "sobel", (w // 32, h // 16), (32, 16), f"uint8 hash:{n}:256", f"uint8 zeros:{n}", w, h),
            of("images", "median_of_nine", (w // 32, h // 8), (32, 8), one, zero, w, h),
            of("images", "cosine_blocks", (w // 32, h // 8), (8, 32), one, zero, floats(64), w),
            of("images", "to_planes", n // 256, 256, f"uint8 hash:{3 * n}:256", *[f"uint8 zeros:{n}"] * 3, n),
            of("images", "look_up", 528, 256, f"uint8 hash:{n}:256", floats(256), zero, n),
            of("images", "moving_mean", n // 256, 256, one, zero, n, 31, shared=4 * (256 + 31)),
        ]
    for n in (512, 2048):
        found.append(
            of("images", "life", (n // 64, n // 4), (64, 4), f"uint8 hash:{n * n}:2", f"uint8 zeros:{n * n}", n)
        )
    for n in (96, 256):
        pair = floats(n**3), floats(n**3, "zeros")
        found.append(of("images", "swap_axes", (n // 32, n, n // 32), (32, 8), *pair, n))
        found.append(of("images", "heat_in_space", (n // 32, n // 8), (32, 8), *pair, n, 0.1))
    return found


def algorithms() -> list[TimedLaunch]:
    def one(kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int, *args: str | int | float) -> None:
        found.append(of("algorithms", kernel, grid, block, *args))

    found: list[TimedLaunch] = []
    for n in (1 << 16, 1 << 19, 1 << 22):
        keys, sorted_, none = ints(n, 1 << 30), f"int32 iota:{n}:3", ints(n)
        one("insert_keys", n // 256, 256, keys, ints(2 * n), n, 2 * n)
        one("count_digits", n // 2048, 256, f"uint32 hash:{n}", f"uint32 zeros:{16 * (n // 2048)}", n, 8)
        one("merge_pieces", n // 1024, 128, sorted_, f"int32 iota:{n}:3", ints(2 * n), n, 16)
        one("sort_in_shared", n // 1024, 512, f"uint32 hash:{n}")
        one("prefix_of_blocks", n // 512, 512, keys, none, ints(n // 512))
        one("sum_by_key", n // 256, 256, ints(n, 4096), floats(n), floats(4096, "zeros"), n)
        one("multiply_small", n // 256, (16, 16), floats(n), floats(n), floats(n, "zeros"))
        one("walsh", n // 1024, 256, floats(n))
        one("band_times_vector", n // 128, 128, floats(11 * n), floats(n), floats(n, "zeros"), n, 11)
        one("first_equal", 264, 512, ints(n, 1 << 20), f"int32 iota:1:{n}", n, 77)
        one("to_bytes", n // 256, 256, floats(4 * n), f"uint8 zeros:{4 * n}", floats(n // 256), n)
        one("hash_words", n // 256, 256, f"uint32 hash:{8 * n}", f"uint32 zeros:{n}", n, 8)
    for blocks in (132, 1056, 8192):
        one("edit_distance", blocks, 256, f"uint8 hash:{256 * blocks}:4", f"uint8 hash:{256 * blocks}:4", ints(blocks),
            256)  # fmt: skip
        one("factorise_small", blocks, 32, floats(32 * 32 * blocks), 32)
        one("greatest_of_rows", blocks, 32, floats(768 * blocks), ints(blocks), 768)
        one("walk_at_random", blocks, 128, f"uint32 hash:{128 * blocks}", floats(128 * blocks, "zeros"), 200)
        n = 128 * blocks
        one("near_pairs", blocks, 128, floats(4 * n), ints(24 * n, n), floats(4 * n, "zeros"), n, 24)
        one("inner_products", blocks, 256, doubles(8 * blocks * 512), doubles(8 * blocks * 512),
            doubles(8 * blocks, "zeros"), 512)  # fmt: skip
    for width in (256, 1024):
        one("shade_spheres", (width // 16, width // 16), (16, 16), floats(4 * 64), floats(width * width, "zeros"),
            width, 64)  # fmt: skip
    return found


def fresh() -> list[TimedLaunch]:
    return [*images(), *algorithms()]
