"""List further launches of the kernels of held_out.py, at other sizes, all of which may be looked at.

They were measured to tell mechanisms apart: what a copy of each size leaves in the L2, how the rate of stores to
strided places falls, which stores are merged, how small launches differ. Nothing is predicted of them.
"""

from __future__ import annotations

from held_out import Args, doubles, held_out, of
from launches import TimedLaunch, floats, ints


def whole(family: str, kernel: str, grid: int, block: int, *args: str | int | float) -> TimedLaunch:
    return of("whole", family, "", kernel, grid, block, *args)


def arrays(family: str, kernel: str, grid: int, block: int, *args: str | int | float) -> TimedLaunch:
    return of("arrays", family, "", kernel, grid, block, *args)


def written() -> list[TimedLaunch]:
    """Return stores, copies and additions in place, of 4 to 134 MB."""
    found = []
    for n in (1 << 20, 1 << 21, 1 << 22, 3 << 21, 1 << 23, 3 << 22, 1 << 24, 1 << 25):
        one, zero = floats(n), floats(n, "zeros")
        found += [
            arrays("written", "store_strided", n // 256, 256, zero, n, 1),
            arrays("written", "reverse", n // 128, 128, one, zero, n),
            whole("written", "add_totals", n // 512, 512, ints(n), ints(n // 512, 100)),
        ]
    return found


def gathers() -> list[TimedLaunch]:
    found = []
    for n in (1 << 18, 1 << 21):
        found += [
            arrays("gather", "scatter", n // 256, 256, floats(n), f"int32 permutation:{n}", floats(n, "zeros"), n),
            arrays("gather", "gather_doubles", 528, 512, doubles(n), ints(n, n), doubles(n, "zeros"), n),
            arrays("gather", "chase_lists", n // 128, 128, ints(n, n), ints(n), n, 4),
        ]
    n = 1 << 20
    for stride in (2, 4, 8, 16, 48):
        spread = n * stride
        found += [
            arrays("gather", "store_strided", n // 256, 256, floats(spread, "zeros"), n, stride),
            arrays("gather", "load_strided", n // 256, 256, floats(spread), floats(n, "zeros"), n, stride),
        ]
    for n in (1 << 16, 1 << 20):
        found.append(
            arrays(
                "gather", "binary_search", n // 256, 256, f"int32 iota:{4 * n}:8", 4 * n, ints(n, 32 * n), ints(n), n
            )
        )
    for nodes in (16384, 131072):
        start, neighbour = f"int32 iota:{nodes + 1}:8", ints(8 * nodes, nodes)
        found.append(arrays("sparse", "visit", nodes // 256, 256, start, neighbour, ints(nodes, 4), ints(1), nodes, 0))
    return found


def numbers() -> list[TimedLaunch]:
    found = []
    for blocks in (132, 528):
        n = blocks * 256
        found += [
            whole("numbers", "divisors", blocks, 256, ints(n), n),
            whole("numbers", "powers", blocks, 256, ints(n, 1 << 20), ints(n), 65537, 1000003),
            whole("numbers", "check_sums", blocks, 256, f"uint32 hash:{4 * n}", f"uint32 zeros:{n}", 4),
            whole("numbers", "horner", blocks, 256, doubles(n), doubles(n, "zeros"), n, 24),
            whole("numbers", "newton", blocks, 256, doubles(n), doubles(n, "zeros"), n),
            of("halves", "numbers", "", "half_chain", blocks, 256, f"float16 zeros:{2 * n}", 512),
            whole("numbers", "logistic", blocks, 256, floats(n, "zeros"), 1000, 3.7),
            whole("numbers", "primes", blocks, 256, ints(n), n),
            of("signals", "numbers", "", "darts", blocks, 256, ints(1), 256),
        ]
    for n in (1 << 18, 1 << 20):
        pair = f"float16 uniform:{2 * n}"
        found.append(of("halves", "numbers", "", "half_axpy", n // 256, 256, 0.5, pair, pair, n))
    for n, most in ((512, 80), (768, 40)):
        found.append(
            of("signals", "numbers", "", "julia", (n // 16, n // 16), (16, 16), f"uint8 zeros:{n * n}", n, most)
        )
    n = 1 << 18
    values: Args = (floats(n), floats(n), floats(n), floats(n, "zeros"), floats(n, "zeros"), n)
    found.append(of("signals", "numbers", "", "options", 1024, 256, *values))
    n = 4096
    bodies: Args = (floats(n), floats(n, "ones"), floats(n), floats(n, "zeros"), floats(n, "zeros"), n)
    found.append(of("signals", "numbers", "", "attract", n // 128, 128, *bodies))
    return found


def counts() -> list[TimedLaunch]:
    found = []
    for n in (1 << 16, 1 << 20):
        text, bins = f"uint8 hash:{n}:256", ints(256)
        found += [
            whole("count", "bytes_global", n // 256, 256, text, bins, n),
            whole("count", "bytes_shared", 264, 256, text, bins, n),
            whole("count", "bytes_by_warps", 264, 256, text, bins, n // 4),
            whole("count", "largest", 264, 256, ints(n, 1 << 30), ints(1), n),
            whole("count", "scatter_add", n // 256, 256, ints(n, n // 4), floats(n), floats(n // 4, "zeros"), n),
            of("ladders", "sum", "", "sum_shared_atomics", n // 256, 256, floats(n), floats(1, "zeros"), n),
            of("ladders", "sum", "", "sum_interleaved<128>", n // 128, 128, floats(n), floats(1, "zeros"), n),
            of("ladders", "sum", "", "sum_sequential<256>", n // 1024, 256, floats(n), floats(1, "zeros"), n),
        ]
    for modulus in (4096, 16384):
        zero = floats(modulus, "zeros")
        found.append(whole("count", "add_by_swaps", 256, 256, floats(65536), zero, 65536, modulus))
    return found


def rows() -> list[TimedLaunch]:
    found = []
    for height, width in ((1024, 512), (2048, 2048)):
        values: Args = (floats(height * width), floats(height * width, "zeros"), height, width)
        row, start, end, n = floats(width), values[0], values[1], height * width
        found += [
            of("signals", "network", "", "softmax_by_warps", height // 4, 128, *values),
            of("signals", "network", "", "softmax_by_threads", height // 64, 64, *values),
            of("signals", "network", "", "normalise_rows", height, 256, start, row, row, end, width),
            of("signals", "network", "", "gelu", n // 256, 256, start, row, end, n, width),
            of("signals", "network", "", "scores", (height // 32, height // 32), (32, 8), floats(height * 64),
               floats(height * 64), floats(height * height, "zeros"), height),
            of("signals", "network", "", "embed", height, 128, ints(height, 8192), floats(8192 * width), end,
               width // 4),
        ]  # fmt: skip
    return found


def prefixes() -> list[TimedLaunch]:
    found = []
    for n in (1 << 16, 1 << 19, 1 << 22):
        values, sums = (floats(n), floats(n, "zeros")), floats(n // 256, "zeros")
        found += [
            whole("prefix", "prefix_double_buffer<1024>", n // 1024, 1024, *values, sums),
            whole("prefix", "prefix_double_buffer<256>", n // 256, 256, *values, sums),
            whole("prefix", "prefix_registers", n // 2048, 256, ints(n, 100), ints(n), ints(n // 2048)),
            whole("sort", "odd_even_sort", n // 1024, 256, ints(n // 4, 1 << 30)),
            of("signals", "fourier", "", "transform_blocks", n // 1024, 512, floats(2 * n)),
        ]
    return found


def images() -> list[TimedLaunch]:
    found = []
    for n in (1 << 18, 1 << 20):
        for width in (9, 33):
            values: Args = (floats(n), floats(width), floats(n, "zeros"), n)
            found += [
                of("signals", "convolve", "", "convolve_line", n // 256, 256, *values, width),
                of("signals", "convolve", "", f"convolve_line_shared<{width}>", n // 256, 256, *values),
            ]
    width, height = 1280, 720
    picture: Args = (floats(width * height), floats(width * height, "zeros"), width, height)
    found.append(of("signals", "convolve", "", "convolve_image", (width // 32, height // 8), (32, 8), *picture))
    found.append(of("signals", "convolve", "", "convolve_image_tile", (width // 32, height // 16), (32, 16), *picture))
    n = 96
    volume: Args = (floats(n**3), floats(27), floats(n**3, "zeros"), n)
    found.append(of("signals", "convolve", "", "convolve_volume", (n // 32, n // 8, n), (32, 8), *volume))
    n = 1024
    for real, buffer in (("float", floats), ("double", doubles)):
        square: Args = (buffer(n * n), buffer(n * n, "zeros"), n)
        found += [
            of("ladders", "turn", "", f"turn_tile<{real}, 16, 0>", (n // 16, n // 16), (16, 16), *square),
            of("ladders", "turn", "", f"turn_tile<{real}, 32, 1>", (n // 32, n // 32), (32, 32), *square),
            of("ladders", "turn", "", f"turn_swizzled<{real}>", (n // 32, n // 32), (32, 8), *square),
        ]
    return found


def pieces() -> list[TimedLaunch]:
    """Return stores of pieces of 4, 8 and 16 bytes that fill their sectors in several steps, or not."""
    found = []
    shapes = (("float", 1, 2, 2), ("float", 1, 4, 1), ("float", 1, 4, 4), ("float", 1, 8, 4), ("float", 1, 8, 8),
              ("float2", 2, 2, 2), ("float2", 2, 4, 1), ("float2", 2, 4, 4), ("float2", 2, 8, 8),
              ("float4", 4, 2, 1), ("float4", 4, 2, 2), ("float4", 4, 4, 2), ("float4", 4, 4, 4))  # fmt: skip
    for kind, words, gap, times in shapes:
        room, grid = floats(1056 * 256 * gap * words, "zeros"), 1056
        copied = (floats(1056 * 256 * gap * words), room, gap, times)
        found += [
            of("pieces", "pieces", "", f"pieces<{kind}>", grid, 256, room, gap, times),
            of("pieces", "pieces", "", f"copied_pieces<{kind}>", grid, 256, *copied),
        ]
    return found


def more() -> list[TimedLaunch]:
    """Return all launches but those of held_out.py, in the order of the recorded table."""
    parts = (written, gathers, numbers, counts, rows, prefixes, images, pieces)
    known = {launch.key for launch in held_out()}
    return [launch for part in parts for launch in part() if launch.key not in known]
