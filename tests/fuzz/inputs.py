"""Make the fuzzer's input: changed kernels, launches with unfit arguments, damaged files."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import WarpviewError
from warpview.resources import assets_dir, kernels_dir

ROOT = Path(__file__).resolve().parents[2]
WORDS_TEXT = """
    template typename struct union namespace using auto sizeof constexpr static __shared__ __constant__ __device__
    __global__ extern const volatile goto switch case default do while for if else return operator this new throw
    static_assert reinterpret_cast int unsigned float double short char bool void float4 dim3 nullptr true asm
    __syncthreads __syncwarp __shfl_sync atomicAdd atomicCAS printf assert threadIdx blockIdx < > << >> <<< >>> ( ) [
    ] { } ; : :: ? ... && & * -> . # ## #define #if #include #endif \\ 0 -1 1e999 0x .5f 99999999999999999999 ' " é
"""
WORDS = WORDS_TEXT.split()
TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
BUDGET = 3000  # instructions of a warp
SECONDS = 60  # that one input may take, on a busy machine


@cache
def sources() -> tuple[str, ...]:
    """Return kernels to begin with: the library and the planted bugs."""
    files = [*kernels_dir().glob("*/*.cu"), *(ROOT / "tests/checks/planted").glob("*.cu")]
    return tuple(path.read_text(encoding="utf-8") for path in sorted(files))


def changed_text(text: str, r: random.Random) -> str:
    """Return a text with some tokens dropped, repeated, exchanged or replaced, or some bytes changed."""
    if r.random() < 0.2:
        return changed_bytes(text.encode(), r).decode("utf-8", "replace")
    tokens = TOKEN.findall(text)
    for _ in range(r.choice((1, 1, 2, 3, 8))):
        k = r.randrange(len(tokens))
        match r.randrange(5):
            case 0:
                del tokens[k : k + r.choice((1, 1, 5))]
            case 1:
                tokens[k:k] = tokens[k : k + r.choice((1, 4))]
            case 2:
                j = r.randrange(len(tokens))
                tokens[k], tokens[j] = tokens[j], tokens[k]
            case 3:
                tokens[k] = r.choice(tokens)
            case _:
                tokens[k] = f" {r.choice(WORDS)} "
        tokens = tokens or [" "]
    return "".join(tokens)


def changed_bytes(data: bytes, r: random.Random) -> bytes:
    """Return bytes with some of them changed, dropped or added, or the end cut off."""
    content = bytearray(data or b" ")
    for _ in range(r.choice((1, 2, 5, 20))):
        k = r.randrange(len(content))
        match r.randrange(4):
            case 0:
                content[k] = r.randrange(256)
            case 1:
                content[k] ^= 1 << r.randrange(8)
            case 2:
                content[k:k] = r.randbytes(r.randrange(1, 5))
            case _:
                del content[k : k + r.choice((1, 1, 8, len(content)))]
        content = content or bytearray(b" ")
    return bytes(content)


def kernel(r: random.Random) -> None:
    """Compile a changed kernel, and launch it where it compiles."""
    source = changed_text(r.choice(sources()), r) + "\n"
    program = wv.compile(source, kernel=None, predicate=r.random() < 0.3)
    arguments = {p.name: _argument(p) for p in program.params}
    device, engine = r.choice(("8800gtx", "c2050", "gtx680", "h200")), r.choice(("profile", "profile", "sm"))
    wv.simulate(program, 2, r.choice((1, 32, 50)), arguments, shared_bytes=256, device=device, engine=engine,
                step_budget=BUDGET)  # fmt: skip


def _argument(param: Any) -> object:
    if param.is_pointer and not param.field:
        size = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}.get(param.element_bytes, np.uint8)
        kind = np.dtype(str(param.element.name).lower().replace("s", "int").replace("u", "uint").replace("f", "float")
                        if param.element is not None and param.element.name[0] in "SUF" else size)  # fmt: skip
        return np.arange(64).astype(kind)
    return {} if param.field else 3


HOSTILE: tuple[object, ...] = (
    0, -1, 1, 3, 2**31 - 1, 2**31, 2**63, 2**70, 1.5, float("nan"), float("inf"), None, "", "x", b"\0", [], (), {}, [1],
    (1, 2, 3, 4), (0, 1), [[1]], {"a": 1}, True, 3j, object(), np.int64(4), np.float16(2), np.zeros(0), np.zeros(3),
    np.zeros(64, np.int32), np.zeros((4, 4), np.float64), np.zeros(4, ">i4"), np.zeros(4, object), np.array("x"),
    np.zeros(8, "M8[s]"), np.zeros(4, [("a", "i4")]), np.zeros(64, np.int32)[::2], wv.Uninitialised(-1),
    wv.Uninitialised(2**60), wv.Uninitialised((3, "x")), wv.Buffer(np.zeros(4), 9), wv.Buffer(np.zeros(4), -1),  # type: ignore[arg-type]
)  # fmt: skip
LAUNCHED = """
__constant__ float table[4];
struct P { int a; float b[2]; };
__global__ void k(int *out, const float *in, int n, double d, P p, char c) {
  extern __shared__ int s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { s[threadIdx.x] = i; __syncthreads(); out[i] = s[threadIdx.x] + in[i] * d + p.a + p.b[c & 1] + table[0]; }
}"""


@cache
def launched() -> Any:
    return wv.compile(LAUNCHED)


def launch(r: random.Random) -> None:
    """Launch a kernel with arguments of which some do not fit."""
    good: dict[str, object] = {
        "out": np.zeros(64, np.int32), "in": np.zeros(64, np.float32), "n": 64, "d": 1.0, "p": {"a": 1, "b": [1, 2]},
        "c": 1,
    }  # fmt: skip
    options: dict[str, object] = {
        "grid": 2, "block": 32, "shared_bytes": 128, "device": "h200", "engine": "profile", "registers": None,
        "step_budget": BUDGET, "threads": 1, "check": True, "constants": {}, "expect": None, "tolerance": None,
    }  # fmt: skip
    for _ in range(r.choice((1, 1, 2, 4))):
        where = r.choice((good, options))
        where[r.choice(list(where))] = r.choice(HOSTILE)
    if r.random() < 0.2:
        options[r.choice(("expect", "constants"))] = {r.choice(("out", "table", "zz", 3)): r.choice(HOSTILE)}
    arguments: object = good if r.random() < 0.6 else list(good.values())
    if r.random() < 0.1:
        arguments = r.choice(HOSTILE)
    run = wv.simulate(launched(), args=arguments, **options)  # type: ignore[arg-type]
    if r.random() < 0.3:
        run.who_wrote(r.choice(("out", "in", "n")), r.choice(HOSTILE))  # type: ignore[arg-type]


def file_reader(folder: Path) -> Callable[[random.Random], None]:
    """Return what damages a file of a random format and reads it."""
    from warpview.library.inputs import array_of_file
    from warpview.library.manifest import load_family
    from warpview.ui.session.session_file import from_text
    from warpview.ui.teaching.lessons import parse

    np.save(folder / "good.npy", np.arange(64, dtype=np.float32))
    session = '{"warpview": 1, "setup": {"variant": "reduction/interleaved", "grid": [4, 1, 1]}, "place": {"step": 3}}'
    devices = [path.read_bytes() for path in sorted((assets_dir() / "devices").glob("*.toml"))]
    lessons = [path.read_text(encoding="utf-8") for path in sorted((assets_dir() / "lessons").glob("*.md"))]
    manifests = [path.read_bytes() for path in sorted(kernels_dir().glob("*/manifest.toml"))]

    def damaged(r: random.Random) -> None:
        match r.randrange(6):
            case 0:
                path = folder / "device.toml"
                path.write_bytes(changed_bytes(r.choice(devices), r))
                wv.occupancy(load_device(path), threads=256, registers=40)
            case 1:
                path = folder / "a.npy"
                path.write_bytes(changed_bytes((folder / "good.npy").read_bytes(), r))
                np.asarray(array_of_file(str(path))).sum()
            case 2:
                from_text(changed_text(session, r), "a.warpview")
            case 3:
                parse(changed_text(r.choice(lessons), r), "a.md")
            case 4:
                path = folder / "manifest.toml"
                path.write_bytes(changed_bytes(r.choice(manifests), r))
                load_family(folder)
            case _:
                path = folder / "a.cubin"
                path.write_bytes(b"\x7fELF" + r.randbytes(r.choice((0, 60, 400))))
                wv.compile(path)

    return damaged


def outcome(feed: Callable[[random.Random], None], seed: int) -> str:
    """Feed the input of a seed; return '' where it is accepted or refused as documented, else what went wrong."""
    start = time.monotonic()
    try:
        feed(random.Random(seed))
    except (WarpviewError, wv.Cancelled):
        pass
    except Exception as problem:
        place = problem.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = "" if place is None else f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
        return f"{type(problem).__name__}: {str(problem)[:100]}{where}"
    spent = time.monotonic() - start
    return f"took {spent:.0f} s" if spent > SECONDS else ""
