"""List launches that the timing model had not met when it first predicted them: other kernels than launches.py's.

A fixed seed splits them: the development half may be looked at launch by launch, of the sealed half only aggregates are
printed.
"""

from __future__ import annotations

import random

from launches import TimedLaunch, floats, ints

SEED = 15
FOLDER = "held_out"
Args = tuple[str | int | float, ...]


def of(file: str, family: str, ladder: str, kernel: str, grid: tuple[int, ...] | int, block: tuple[int, ...] | int,
       *args: str | int | float, shared: int = 0) -> TimedLaunch:  # fmt: skip
    shapes = [(shape,) if isinstance(shape, int) else shape for shape in (grid, block)]
    return TimedLaunch(family, ladder, f"{FOLDER}/{file}.cu", kernel, *shapes, args, shared)


def doubles(count: int, kind: str = "uniform") -> str:
    return f"float64 {kind}:{count}"


def gemms() -> list[TimedLaunch]:
    """Return the second ladder of products; without the slow ones at the larger sizes."""
    found = []
    for n in (256, 512, 1024, 2048, 4096):
        args = (n, 1.5, floats(n * n), floats(n * n), 0.5, floats(n * n, "zeros"))
        shapes = {
            "gemm_by_rows": ((n // 16, n // 16), (16, 16), 512),
            "gemm_by_columns": ((n // 32, n // 32), (1024,), 1024),
            "gemm_cached<16>": ((n // 16, n // 16), (256,), 1024),
            "gemm_cached<32>": ((n // 32, n // 32), (1024,), 2048),
            "gemm_lines<64, 8, 8>": ((n // 64, n // 64), (512,), 2048),
            "gemm_squares<64, 64, 8, 4, 4>": ((n // 64, n // 64), (256,), 2048),
            "gemm_squares<128, 128, 8, 8, 8>": ((n // 128, n // 128), (256,), 2048),
            "gemm_quads<64, 64, 16, 4, 4>": ((n // 64, n // 64), (256,), 4096),
            "gemm_quads<128, 128, 8, 8, 8>": ((n // 128, n // 128), (256,), 4096),
            "gemm_warps<8, 1>": ((n // 128, n // 128), (256,), 4096),
            "gemm_warps<16, 2>": ((n // 128, n // 128), (256,), 4096),
        }
        found += [
            of("gemm", "gemm", f"gemm {n}", kernel, grid, block, *args)
            for kernel, (grid, block, largest) in shapes.items()
            if n <= largest
        ]
    return found


def sums() -> list[TimedLaunch]:
    found = []
    for n in (1 << 18, 1 << 21, 1 << 23):
        args, ladder = (floats(n), floats(1, "zeros"), n), f"sum {n}"
        if n <= 1 << 21:
            found.append(of("ladders", "sum", ladder, "sum_atomics", n // 256, 256, *args))
        found += [
            of("ladders", "sum", ladder, "sum_shared_atomics", n // 256, 256, *args),
            of("ladders", "sum", ladder, "sum_interleaved<128>", n // 128, 128, *args),
            of("ladders", "sum", ladder, "sum_sequential<256>", n // 1024, 256, *args),
            of("ladders", "sum", ladder, "sum_warps", 264, 512, *args),
            of("ladders", "sum", ladder, "sum_vectors", 264, 256, floats(n), floats(1, "zeros"), n // 4),
        ]
    return found


def turns() -> list[TimedLaunch]:
    found = []
    for n, real, buffer in ((768, "float", floats), (1536, "float", floats), (3072, "float", floats),
                            (1024, "double", doubles), (2048, "double", doubles)):  # fmt: skip
        args, ladder = (buffer(n * n), buffer(n * n, "zeros"), n), f"turn {n}"
        small, whole, tall = (n // 16, n // 16), (n // 32, n // 32), (n // 32, n // 8)
        found += [
            of("ladders", "turn", ladder, f"turn_copy<{real}>", tall, (32, 8), *args),
            of("ladders", "turn", ladder, f"turn_scatter<{real}>", small, (16, 16), *args),
            of("ladders", "turn", ladder, f"turn_gather<{real}>", tall, (32, 8), *args),
            of("ladders", "turn", ladder, f"turn_tile<{real}, 16, 0>", small, (16, 16), *args),
            of("ladders", "turn", ladder, f"turn_tile<{real}, 32, 1>", whole, (32, 32), *args),
            of("ladders", "turn", ladder, f"turn_swizzled<{real}>", whole, (32, 8), *args),
        ]
    return found


def grids() -> list[TimedLaunch]:
    """Return the ladder of stencils in the plane, and two in space."""
    found = []
    for n in (640, 1920, 3200):
        args, ladder = (floats(n * n), floats(n * n, "zeros"), n), f"five {n}"
        found += [
            of("ladders", "five", ladder, "five_columns", (n // 32, n // 8), (32, 8), *args),
            of("ladders", "five", ladder, "five_rows", (n // 64, n // 4), (64, 4), *args),
            of("ladders", "five", ladder, "five_tile<16>", (n // 16, n // 16), (16, 16), *args),
            of("ladders", "five", ladder, "five_tile<32>", (n // 32, n // 32), (32, 32), *args),
            of("ladders", "five", ladder, "five_strip<16>", (n // 128, n // 16), 128, *args),
        ]
    for n in (96, 192):
        args = (floats(n**3), floats(n**3, "zeros"), n)
        found.append(of("ladders", "five", "", "seven_points", (n // 32, n // 4, n // 2), (32, 4, 2), *args))
        found.append(of("ladders", "five", "", "seven_planes", (n // 32, n // 16), (32, 16), *args))
    return found


def arrays() -> list[TimedLaunch]:
    """Return kernels on arrays and dense matrices."""
    found = []
    for n in (512, 2048):
        args = (floats(n * n), floats(n * n), floats(n * n, "zeros"), n)
        found += [
            of("arrays", "layout", f"add {n}", "add_by_rows", n // 64, 64, *args),
            of("arrays", "layout", f"add {n}", "add_by_columns", n // 64, 64, *args),
            of("arrays", "layout", f"add {n}", "add_elements", (n // 16, n // 16), (16, 16), *args),
        ]
    for n in (1 << 17, 1 << 20):
        moved = [floats(n, "ones")] * 6
        found.append(of("arrays", "layout", f"move {n}", "move_structs", n // 256, 256, floats(8 * n), n, 0.5))
        found.append(of("arrays", "layout", f"move {n}", "move_arrays", n // 256, 256, *moved, n, 0.5))
    for n in (1 << 16, 1 << 20, 1 << 22):
        found.append(of("arrays", "gather", "", "scatter", n // 256, 256, floats(n), f"int32 permutation:{n}",
                        floats(n, "zeros"), n))  # fmt: skip
        found.append(of("arrays", "gather", "", "gather_doubles", 528, 512, doubles(n), ints(n, n),
                        doubles(n, "zeros"), n))  # fmt: skip
    for n in (1 << 19, 1 << 23):
        one, zero = floats(n), floats(n, "zeros")
        found.append(of("arrays", "layout", "", "reverse", n // 128, 128, one, zero, n))
        found.append(of("arrays", "layout", "", "every_other", n // 512, 256, one, zero, zero, n // 2))
        found.append(
            of("arrays", "layout", "", "triad", n // 512, 512, doubles(n), doubles(n), doubles(n, "zeros"), 3.0, n)
        )
    n = 1 << 20
    for stride in (3, 5, 12, 24, 64):
        found.append(
            of("arrays", "gather", "store", "store_strided", n // 256, 256, floats(n * stride, "zeros"), n, stride)
        )
        found.append(
            of(
                "arrays",
                "gather",
                "load",
                "load_strided",
                n // 256,
                256,
                floats(n * stride),
                floats(n, "zeros"),
                n,
                stride,
            )
        )
    for n in (384, 1536):
        tiles = (n // 32, n // 8)
        found.append(of("arrays", "algebra", "", "shortest_step", tiles, (32, 8), floats(n * n), n, n // 3))
        found.append(of("arrays", "algebra", "", "eliminate", tiles, (32, 8), floats(n * n), n, n // 4))
        found.append(
            of("arrays", "algebra", "", "red_black", (n // 64, n // 8), (32, 8), floats(n * n), floats(n * n), n, 1)
        )
        found.append(
            of("arrays", "algebra", "", "outer_product", (n // 128, n), 128, floats(n), floats(n), floats(n * n), n)
        )
        found.append(of("arrays", "algebra", "", "vector_times_matrix", (n // 32, n // 128), (32, 8), floats(n),
                        floats(n * n), floats(n, "zeros"), n))  # fmt: skip
        found.append(
            of("arrays", "algebra", "", "matrix_times_vector", n, 128, floats(n * n), floats(n), floats(n, "zeros"), n)
        )
    for n, systems in ((64, 8192), (128, 16384)):
        found.append(
            of(
                "arrays",
                "algebra",
                "",
                "solve_lower",
                systems // 128,
                128,
                floats(n * n),
                floats(n * systems),
                n,
                systems,
            )
        )
    return found


def graphs() -> list[TimedLaunch]:
    """Return sparse matrices, graphs, lists and searches."""
    found = []
    for rows, width in ((4096, 16), (65536, 16), (65536, 64), (262144, 8)):
        entries = rows * width
        start, column, value = f"int32 iota:{rows + 1}:{width}", ints(entries, rows), floats(entries)
        x, y = floats(rows), floats(rows, "zeros")
        found += [
            of(
                "arrays",
                "sparse",
                f"rows {rows} {width}",
                "csr_by_threads",
                rows // 128,
                128,
                start,
                column,
                value,
                x,
                y,
                rows,
            ),
            of(
                "arrays",
                "sparse",
                f"rows {rows} {width}",
                "csr_by_warps",
                rows // 8,
                256,
                start,
                column,
                value,
                x,
                y,
                rows,
            ),
            of("arrays", "sparse", f"rows {rows} {width}", "ell", rows // 128, 128, column, value, x, y, rows, width),
        ]
    for nodes in (32768, 524288):
        start, neighbour = f"int32 iota:{nodes + 1}:8", ints(8 * nodes, nodes)
        found.append(
            of("arrays", "sparse", "", "visit", nodes // 256, 256, start, neighbour, ints(nodes, 4), ints(1), nodes, 0)
        )
        found.append(
            of(
                "arrays",
                "sparse",
                "",
                "page_rank",
                nodes // 256,
                256,
                start,
                neighbour,
                floats(nodes),
                floats(nodes, "zeros"),
                nodes,
            )
        )
    for n in (1 << 14, 1 << 18):
        found.append(of("arrays", "gather", "", "chase_lists", n // 128, 128, ints(n, n), ints(n), n, 16))
        found.append(
            of(
                "arrays",
                "gather",
                "",
                "binary_search",
                n // 256,
                256,
                f"int32 iota:{4 * n}:8",
                4 * n,
                ints(n, 32 * n),
                ints(n),
                n,
            )
        )
    return found


def signals() -> list[TimedLaunch]:
    """Return convolutions and Fourier transforms."""
    found = []
    for n in (1 << 16, 1 << 21):
        one, zero = floats(n), floats(n, "zeros")
        for width in (9, 33):
            found.append(
                of(
                    "signals",
                    "convolve",
                    f"line {n} {width}",
                    "convolve_line",
                    n // 256,
                    256,
                    one,
                    floats(width),
                    zero,
                    n,
                    width,
                )
            )
            found.append(
                of(
                    "signals",
                    "convolve",
                    f"line {n} {width}",
                    f"convolve_line_shared<{width}>",
                    n // 256,
                    256,
                    one,
                    floats(width),
                    zero,
                    n,
                )
            )
    for width, height in ((640, 480), (1920, 1088), (3840, 2160)):
        args = (floats(width * height), floats(width * height, "zeros"), width, height)
        found.append(
            of("signals", "convolve", f"image {width}", "convolve_image", (width // 32, height // 8), (32, 8), *args)
        )
        found.append(
            of(
                "signals",
                "convolve",
                f"image {width}",
                "convolve_image_tile",
                (width // 32, height // 16),
                (32, 16),
                *args,
            )
        )
    for n in (64, 160):
        found.append(
            of(
                "signals",
                "convolve",
                "",
                "convolve_volume",
                (n // 32, n // 8, n),
                (32, 8),
                floats(n**3),
                floats(27),
                floats(n**3, "zeros"),
                n,
            )
        )
    for n in (1 << 16, 1 << 20, 1 << 22):
        for half in (1, 64, n // 2):
            found.append(of("signals", "fourier", "", "butterfly", n // 512, 256, floats(2 * n), half, n))
        found.append(of("signals", "fourier", "", "transform_blocks", n // 1024, 512, floats(2 * n)))
    return found


def networks() -> list[TimedLaunch]:
    """Return rows of a network, options, fractals, random numbers and bodies."""
    found = []
    for rows, columns in ((512, 512), (4096, 1024)):
        args = (floats(rows * columns), floats(rows * columns, "zeros"), rows, columns)
        found.append(of("signals", "network", f"softmax {rows}", "softmax_by_warps", rows // 4, 128, *args))
        found.append(of("signals", "network", f"softmax {rows}", "softmax_by_threads", rows // 64, 64, *args))
        found.append(
            of(
                "signals",
                "network",
                "",
                "normalise_rows",
                rows,
                256,
                args[0],
                floats(columns),
                floats(columns),
                args[1],
                columns,
            )
        )
        found.append(
            of(
                "signals",
                "network",
                "",
                "gelu",
                rows * columns // 256,
                256,
                args[0],
                floats(columns),
                args[1],
                rows * columns,
                columns,
            )
        )
        found.append(
            of(
                "signals",
                "network",
                "",
                "scores",
                (rows // 32, rows // 32),
                (32, 8),
                floats(rows * 64),
                floats(rows * 64),
                floats(rows * rows, "zeros"),
                rows,
            )
        )
        found.append(
            of(
                "signals",
                "network",
                "",
                "embed",
                rows,
                128,
                ints(rows, 8192),
                floats(8192 * columns),
                floats(rows * columns, "zeros"),
                columns // 4,
            )
        )
    for n in (1 << 16, 1 << 20):
        found.append(
            of(
                "signals",
                "numbers",
                "",
                "options",
                min(n // 256, 1056),
                256,
                floats(n),
                floats(n),
                floats(n),
                floats(n, "zeros"),
                floats(n, "zeros"),
                n,
            )
        )
    for n, most in ((256, 100), (1024, 60)):
        found.append(
            of("signals", "numbers", "", "julia", (n // 16, n // 16), (16, 16), f"uint8 zeros:{n * n}", n, most)
        )
    for blocks, throws in ((66, 512), (1056, 128)):
        found.append(of("signals", "numbers", "", "darts", blocks, 256, ints(1), throws))
    for n in (2048, 16384):
        found.append(
            of(
                "signals",
                "numbers",
                "",
                "attract",
                n // 128,
                128,
                floats(n),
                floats(n, "ones"),
                floats(n),
                floats(n, "zeros"),
                floats(n, "zeros"),
                n,
            )
        )
    return found


def prefixes() -> list[TimedLaunch]:
    """Return prefix sums, compaction and sorts."""
    found = []
    for n in (1 << 17, 1 << 20, 1 << 23):
        found.append(
            of(
                "whole",
                "prefix",
                f"prefix {n}",
                "prefix_double_buffer<1024>",
                n // 1024,
                1024,
                floats(n),
                floats(n, "zeros"),
                floats(n // 1024, "zeros"),
            )
        )
        found.append(
            of(
                "whole",
                "prefix",
                f"prefix {n}",
                "prefix_double_buffer<256>",
                n // 256,
                256,
                floats(n),
                floats(n, "zeros"),
                floats(n // 256, "zeros"),
            )
        )
        found.append(
            of(
                "whole",
                "prefix",
                f"prefix {n}",
                "prefix_registers",
                n // 2048,
                256,
                ints(n, 100),
                ints(n),
                ints(n // 2048),
            )
        )
        found.append(of("whole", "prefix", "", "add_totals", n // 512, 512, ints(n), ints(n // 512, 100)))
        found.append(
            of(
                "whole",
                "compact",
                f"compact {n}",
                "compact_warps",
                n // 256,
                256,
                ints(n, 1 << 20),
                ints(n),
                ints(1),
                n,
            )
        )
        if n < 1 << 23:
            found.append(
                of(
                    "whole",
                    "compact",
                    f"compact {n}",
                    "compact_atomics",
                    n // 256,
                    256,
                    ints(n, 1 << 20),
                    ints(n),
                    ints(1),
                    n,
                )
            )
        for stride in (1, 32, n // 4):
            found.append(
                of("whole", "sort", f"step {n}", "bitonic_step", n // 256, 256, ints(n, 1 << 30), n // 2, stride)
            )
    for n in (1 << 16, 1 << 19):
        found.append(of("whole", "sort", "", "odd_even_sort", n // 256, 256, ints(n, 1 << 30)))
    for n in (2048, 16384):
        found.append(of("whole", "sort", "", "rank_sort", n // 128, 128, ints(n, 1 << 30), ints(n), n))
    return found


def counts() -> list[TimedLaunch]:
    """Return histograms, atomics and bytes."""
    found = []
    for n in (1 << 18, 1 << 22):
        text, bins, ladder = f"uint8 hash:{n}:256", ints(256), f"bytes {n}"
        found.append(of("whole", "count", ladder, "bytes_global", n // 256, 256, text, bins, n))
        found.append(of("whole", "count", ladder, "bytes_shared", 264, 256, text, bins, n))
        found.append(of("whole", "count", ladder, "bytes_by_warps", 264, 256, text, bins, n // 4))
        found.append(of("whole", "count", "", "largest", 264, 256, ints(n, 1 << 30), ints(1), n))
        found.append(
            of(
                "whole",
                "count",
                "",
                "scatter_add",
                n // 256,
                256,
                ints(n, n // 4),
                floats(n),
                floats(n // 4, "zeros"),
                n,
            )
        )
        letters = f"uint8 hash:{n}:128"
        found.append(of("whole", "bytes", "", "upper_case", n // 256, 256, letters, f"uint8 zeros:{n}", n))
        found.append(of("whole", "bytes", "", "grey", n // 256, 256, f"uint8 hash:{4 * n}:256", f"uint8 zeros:{n}", n))
        found.append(
            of("whole", "bytes", "", "grey_packed", n // 256, 256, f"uint8 hash:{3 * n}:256", f"uint8 zeros:{n}", n)
        )
        found.append(of("whole", "bytes", "", "find_word", n // 256, 256, letters, ints(1), n))
    for modulus in (1024, 65536):
        found.append(
            of("whole", "count", "", "add_by_swaps", 256, 256, floats(65536), floats(modulus, "zeros"), 65536, modulus)
        )
    found.append(
        of(
            "whole",
            "bytes",
            "",
            "different_bits",
            512,
            256,
            f"uint32 hash:{512 * 256}",
            "uint32 hash:256",
            ints(512 * 256),
            256,
        )
    )
    return found


def numbers() -> list[TimedLaunch]:
    """Return arithmetic on integers, doubles and halves."""
    found = []
    for blocks in (66, 1056):
        n = blocks * 256
        found.append(of("whole", "numbers", "", "divisors", blocks, 256, ints(n), n))
        found.append(of("whole", "numbers", "", "powers", blocks, 256, ints(n, 1 << 20), ints(n), 65537, 1000003))
        found.append(
            of("whole", "numbers", "", "check_sums", blocks, 256, f"uint32 hash:{4 * n}", f"uint32 zeros:{n}", 4)
        )
        found.append(of("whole", "numbers", "", "horner", blocks, 256, doubles(n), doubles(n, "zeros"), n, 24))
        found.append(of("whole", "numbers", "", "newton", blocks, 256, doubles(n), doubles(n, "zeros"), n))
        found.append(of("halves", "numbers", "", "half_chain", blocks, 256, f"float16 zeros:{2 * n}", 512))
        found.append(of("whole", "numbers", "", "logistic", blocks, 256, floats(n, "zeros"), 1000, 3.7))
        found.append(of("whole", "numbers", "", "primes", blocks, 256, ints(n), n))
    for n in (1 << 16, 1 << 22):
        found.append(
            of(
                "halves",
                "numbers",
                "",
                "half_axpy",
                n // 256,
                256,
                0.5,
                f"float16 uniform:{2 * n}",
                f"float16 uniform:{2 * n}",
                n,
            )
        )
    return found


def held_out() -> list[TimedLaunch]:
    """Return all launches, in the order of the recorded table."""
    parts = (gemms, sums, turns, grids, arrays, graphs, signals, networks, prefixes, counts, numbers)
    return [launch for part in parts for launch in part()]


def sealed() -> set[str]:
    """Return the keys of the sealed half."""
    keys = sorted(launch.key for launch in held_out())
    return set(random.Random(SEED).sample(keys, len(keys) // 2))
