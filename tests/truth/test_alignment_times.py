"""Alignment is worth what it was on a GT200: each thread reads a word and writes one, all of them some words on.

GB/s of a Quadro FX 5800 from T. Stich, "Advanced CUDA Programming" (NVIDIA 2008), "Impact of Address Alignment".
"""

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

WORDS = 1 << 20
SOURCE = """
template <typename Word>
__global__ void stream(const Word *in, Word *out, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i];
}
"""
PUBLISHED = {
    ("float", 0): 76, ("float", 8): 57, ("float", 1): 46, ("float", 4): 46, ("float", 12): 46,
    ("float2", 0): 80, ("float2", 1): 62, ("float2", 2): 62, ("float2", 4): 68, ("float2", 8): 76,
}  # fmt: skip


@pytest.mark.parametrize(("word", "offset"), PUBLISHED)
def test_bandwidth_of_a_stream(word: str, offset: int) -> None:
    floats = 2 if word == "float2" else 1
    program = compile_source(SourceText("stream.cu", SOURCE), f"stream<{word}>")
    arrays = [np.zeros(floats * (WORDS + 16), dtype=np.float32) for _ in range(2)]
    bound = bind(program, (WORDS // 256, 1, 1), (256, 1, 1), [*arrays, offset], 0)
    device = load_device("fx5800")
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), SmOptions(record=False))
    gbps = 2 * 4 * floats * WORDS / run.result.time_us / 1000
    assert gbps == pytest.approx(PUBLISHED[word, offset], rel=0.08)
