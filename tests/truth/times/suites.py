"""List the launches of a fourth blind test: what benchmark suites and courses solve, in kernels written for it.

A ladder solves one problem at one size, step by step; all were predicted before any was measured.
"""

from __future__ import annotations

from launches import TimedLaunch, floats, ints

Shape = tuple[int, ...] | int
Step = tuple[str, Shape, Shape, tuple[str | int | float, ...], int]


def step(kernel: str, grid: Shape, block: Shape, *args: str | int | float, shared: int = 0) -> Step:
    return kernel, grid, block, args, shared


def ladder(family: str, name: str, *steps: Step) -> list[TimedLaunch]:
    """Return the launches of one problem, in the file named after the family."""
    found = []
    for kernel, *shapes, args, shared in steps:
        grid, block = ((shape,) if isinstance(shape, int) else shape for shape in shapes)
        found.append(TimedLaunch(family, name, f"suites/{family}.cu", kernel, grid, block, args, shared))
    return found


def letters(count: int, kinds: int) -> str:
    return f"uint8 hash:{count}:{kinds}"


def algebra() -> list[TimedLaunch]:
    found = []
    for n, k in ((512, 256), (1024, 1024)):
        args, tiles = (floats(n * k), floats(n * n, "zeros"), n, k), (n // 16, n // 16)
        found += ladder("algebra", f"gram {n}", step("gram_points", (n // 32, n // 8), (32, 8), *args),
                        step("gram_tiles", tiles, (16, 16), *args),
                        step("gram_lower", (n // 64, n // 64), (16, 16), *args))  # fmt: skip
    for n in (1024, 4096):
        args = floats(n * n), floats(n), floats(n, "zeros"), n
        found += ladder("algebra", f"transposed times vector {n}", step("transposed_columns", n // 64, 64, *args),
                        step("transposed_bands", (n // 256, n // 64), 256, *args, 64),
                        step("transposed_shared", n // 32, (32, 32), *args))  # fmt: skip
    for count in (1 << 12, 1 << 16):
        systems = floats(count * 256)
        found += ladder("algebra", f"systems {count}", step("solve_thread", count // 64, 64, systems, count),
                        step("solve_block", count, (16, 16), systems),
                        step("solve_warp", count // 4, (32, 4), systems))  # fmt: skip
    for n, w in ((1024, 256), (4096, 512)):
        data, out, mean = floats(n * w), floats(w * w, "zeros"), floats(w)
        found += ladder("algebra", f"covariances {n}",
                        step("means_columns", w // 32, 32, data, floats(w, "zeros"), n, w),
                        step("covariance_points", (w // 32, w // 8), (32, 8), data, mean, out, n, w),
                        step("covariance_tiles", (w // 32, w // 32), (32, 8), data, mean, out, n, w))  # fmt: skip
    for n in (512, 4096):
        found += ladder("algebra", "", step("rank_two", (n // 32, n // 8), (32, 8), floats(n * n), floats(2 * n),
                                            floats(2 * n), n))  # fmt: skip
    for rows, np in ((4096, 64), (16384, 128)):
        found += ladder("algebra", "", step("triple_product", rows, 128, floats(rows * np), floats(np * np),
                                            floats(rows * np, "zeros"), np, shared=4 * np))  # fmt: skip
    return found


def grids() -> list[TimedLaunch]:
    found = []
    for n in (512, 2048):
        args = floats(n * n), floats(n * n), floats(n * n, "zeros"), n
        inner = [-(-n // (32 - 2 * steps)) for steps in (1, 4)]
        found += ladder("grids", f"chip {n}", step("chip_points", (n // 32, n // 8), (32, 8), *args),
                        step("chip_tiles", (n // 32, n // 16), (32, 16), *args),
                        step("chip_pyramid<1>", (inner[0], inner[0]), (32, 32), *args),
                        step("chip_pyramid<4>", (inner[1], inner[1]), (32, 32), *args))  # fmt: skip
        found += ladder("grids", f"lattice {n}", *[
            step(f"lattice<{kind}>", (n // 32, n // 4), (32, 4), floats(9 * n * n), floats(9 * n * n, "zeros"), n)
            for kind in ("true", "false")])  # fmt: skip
        found += ladder("grids", "", step("diffuse_coefficients", (n // 32, n // 8), (32, 8), floats(n * n),
                                          floats(n * n, "zeros"), n, 0.05))  # fmt: skip
    for n in (104, 264):
        args, inner = (floats(n**3), floats(n**3), n), n - 8
        found += ladder("grids", f"wave {n}", step("wave_points", (inner // 32, inner // 8, inner), (32, 8), *args),
                        step("wave_planes", (inner // 32, -(-inner // 16)), (32, 16), *args))  # fmt: skip
    for w in (1 << 16, 1 << 20):
        for rows in (1, 8, 32):
            args = ints(rows * w, 10), ints(w, 1000), ints(w), w
            found += ladder("grids", "", step(f"cheapest<{rows}>", -(-w // (256 - 2 * rows)), 256, *args))
    for n, tiles in ((1024, 64), (4096, 256)):
        args = ints((n + 1) ** 2, 100), ints(n * n, 10), n, tiles - 1
        found += ladder("grids", "", step("align_tiles", tiles, 16, *args))
    return found


def learning() -> list[TimedLaunch]:
    found = []
    for rows, w in ((4096, 512), (16384, 1024)):
        args = floats(rows * w), floats(rows * w, "zeros")
        found += ladder("learning", f"normalize {rows}", step("normalize_thread", rows // 128, 128, *args, w),
                        step("normalize_block", rows, 256, *args, w),
                        step("normalize_warp", rows // 4, (32, 4), *args, w),
                        step(f"normalize_registers<{w // 128}>", rows // 4, (32, 4), *args))  # fmt: skip
    for n in (512, 4096):
        args = floats(n * 64), floats(n * 64), floats(n * 64), floats(n * 64, "zeros"), n
        found += ladder("learning", f"attend {n}", step("attend_thread", n // 64, 64, *args),
                        step("attend_tiles", n // 64, 64, *args),
                        step("attend_warp", n // 4, (32, 4), *args))  # fmt: skip
    for n in (32, 128):
        args = floats(32 * n * n), floats(32 * 32 * 9), floats(32 * n * n, "zeros"), n
        found += ladder("learning", f"channels {n}", step("channels_points", (n // 32, n // 8, 32), (32, 8), *args),
                        step("channels_tiles<4>", (n // 32, n // 8, 8), (32, 8), *args),
                        step("channels_tiles<16>", (n // 32, n // 8, 2), (32, 8), *args))  # fmt: skip
        pair, points = (floats(32 * n * n), floats(32 * n * n, "zeros")), (n // 32, n // 8, 32)
        found += ladder("learning", "", step("each_channel", points, (32, 8), pair[0], floats(800), pair[1], n),
                        step("unfold", points, (32, 8), pair[0], floats(288 * n * n, "zeros"), n))  # fmt: skip
    for n, planes in ((128, 16), (512, 64)):
        room = planes * n * n
        found += ladder("learning", "", step("largest_of_four", (n // 64, n // 16, planes), (32, 8), floats(room),
                                             floats(room // 4, "zeros"), n))  # fmt: skip
    for words, w in ((2048, 256), (16384, 768)):
        out = floats(words * w, "zeros")
        found += ladder("learning", "", step("embed", words, 128, floats(20_000 * w), ints(words, 20_000), out, w),
                        step("rotate_pairs", words, 128, floats(words * w), w // 64, 64),
                        step("soft_gate", words * w // 256, 256, floats(words * w), floats(w), out, w, words * w),
                        step("cross_entropy", words, 256, floats(words * w), ints(words, w),
                             floats(words, "zeros"), w))  # fmt: skip
    for n in (1 << 18, 1 << 23):
        found += ladder("learning", "", step("optimize", 1056, 256, *[floats(n)] * 4, n, 0.001))
    return found


def mining() -> list[TimedLaunch]:
    found = []
    for n, c in ((1 << 16, 16), (1 << 20, 64)):
        args, room = (floats(8 * n), floats(8 * c), ints(n), n, c), 32 * c
        found += ladder("mining", f"clusters {n}", step("cluster_global", n // 256, 256, *args),
                        step("cluster_shared", n // 256, 256, *args, shared=room),
                        step("cluster_rows", n // 256, 256, *args))  # fmt: skip
        sums = floats(8 * n), ints(n, c), floats(8 * c, "zeros"), n
        found += ladder("mining", f"centres {n}", step("centres_global", n // 256, 256, *sums),
                        step("centres_shared", 264, 256, *sums, c, shared=room))  # fmt: skip
    for n, degree in ((1 << 14, 32), (1 << 18, 16)):
        edges = f"int32 iota:{n + 1}:{degree}", ints(n * degree, n)
        args = *edges, floats(n), floats(n, "zeros")
        found += ladder("mining", f"ranks {n}", step("pull_thread", n // 128, 128, *args, n),
                        step("pull_warp", n // 4, 128, *args, n),
                        step("push_thread", n // 128, 128, *args))  # fmt: skip
        found += ladder("mining", "", step("reach", n // 256, 256, *edges, ints(n, 8), ints(n), n, 3))
    for m, n in ((4096, 1024), (32768, 4096)):
        args = floats(16 * m), floats(16 * n), floats(m, "zeros"), n
        found += ladder("mining", f"neighbours {m}", step("neighbour_global", m // 128, 128, *args),
                        step("neighbour_tiles<1>", m // 128, 128, *args),
                        step("neighbour_tiles<2>", m // 256, 128, *args))  # fmt: skip
    for n in (1 << 16, 1 << 21):
        keys, mask = f"uint32 hash:{n}", 4 * n - 1
        found += ladder("mining", "", step("table_put", n // 256, 256, f"uint32 zeros:{4 * n}", keys, n, mask),
                        step("table_find", n // 256, 256, f"uint32 hash:{4 * n}", keys, ints(n), n, mask))  # fmt: skip
    for n in (1 << 20, 1 << 24):
        found += ladder("mining", f"match {n}",
                        step("match_global", n // 256, 256, letters(n, 4), letters(4, 4), ints(1), n, 4),
                        step("match_words", n // 1024, 256, f"uint32 hash:{n // 4}:50529027",
                             "uint32 hash:1:50529027", ints(1), n // 4))  # fmt: skip
    for n in (1 << 18, 1 << 22):
        args = ints(n, 1000), ints(n), ints(1), n
        kept = (step(kernel, n // 256, 256, *args) for kernel in ("keep_each", "keep_warp", "keep_block"))
        found += ladder("mining", f"keep {n}", *kept)
    return found


def numbers() -> list[TimedLaunch]:
    found = []
    for n in (1 << 17, 1 << 22):
        args = *[floats(n)] * 3, *[floats(n, "zeros")] * 2
        found += ladder("numbers", "", step("options_each", n // 128, 128, *args, n),
                        step("options_strided", 528, 256, *args, n),
                        step("options_pairs", n // 512, 256, *args, n // 2))  # fmt: skip
        room = floats(n + 64), floats(64), floats(n, "zeros"), n
        found += ladder("numbers", f"filter {n}", step("filter_global", n // 256, 256, *room, 48),
                        step("filter_shared", n // 256, 256, *room, 48),
                        step("filter_four<48>", n // 512, 128, *room))  # fmt: skip
        found += ladder("numbers", f"walsh {n}", step("walsh_stage", n // 512, 256, floats(n), 4096),
                        step("walsh_block", n // 1024, 256, floats(n)),
                        step("walsh_registers", n // 1024, 256, floats(n)))  # fmt: skip
        blocks = f"uint32 hash:{n}", f"uint32 zeros:{n}"
        found += ladder("numbers", f"cipher {n}",
                        step("cipher_global", n // 1024, 256, "uint32 hash:1024", *blocks, n // 4),
                        step("cipher_shared", 264, 256, "uint32 hash:1024", *blocks, n // 4))  # fmt: skip
        found += ladder("numbers", "", step("digest", n // 4096, 256, f"uint32 hash:{n}",
                                            f"uint32 zeros:{n // 16}", n // 16))  # fmt: skip
    for blocks, steps in ((132, 64), (1056, 252)):
        found += ladder("numbers", "", step("paths", blocks, 256, floats(blocks * 256, "zeros"), steps),
                        step("paths_mirrored", blocks, 256, floats(1, "zeros"), steps),
                        step("roll_back", blocks, 256, floats(blocks), floats(blocks, "zeros"), steps,
                             shared=4 * 257))  # fmt: skip
    for n in (512, 2048):
        for kind in ("float", "double"):
            args = ints(n * n), n, -0.8, 0.156, 96
            found += ladder("numbers", "", step(f"julia<{kind}>", (n // 16, n // 16), (16, 16), *args))
    for side in (4, 12):
        room = 4 * side**3 * 64
        found += ladder("numbers", "", step("cells", (side,) * 3, 64, floats(room), floats(room, "zeros"), side))
    for n in (1024,):
        pair = floats(n * n), floats(n * n, "zeros"), n
        found += ladder("numbers", f"rows {n}", step("rows_thread", n // 64, 64, *pair),
                        step("rows_warp", n // 8, (32, 8), *pair), step("rows_block", n, 256, *pair),
                        step("columns_thread", n // 64, 64, floats(n * n), n))  # fmt: skip
    return found


def suites() -> list[TimedLaunch]:
    return [*algebra(), *grids(), *learning(), *mining(), *numbers()]
