"""Launches use memory that exists already, with arguments as bytes: what a host program passes."""

import struct

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import LaunchError, SourceText
from warpview.frontend import compile_source
from warpview.run.host_launch import HostLaunch, simulate_in
from warpview.sim.memory import FIRST_ADDRESS, Allocation, DeviceMemory

SOURCE = """
struct View { int n; float *data; double scale; };
__device__ int calls;
__global__ void scaled(View v, float *out, short shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.n) { out[i] = v.data[i] * (float)v.scale + shift; atomicAdd(&calls, 1); }
}
"""
IN, OUT, CALLS = FIRST_ADDRESS, FIRST_ADDRESS + 4096, FIRST_ADDRESS + 8192


@pytest.fixture
def memory():
    data = np.zeros(FIRST_ADDRESS + 16384, np.uint8)
    data[IN : IN + 400] = np.arange(100, dtype=np.float32).view(np.uint8)
    return DeviceMemory.over(
        data, None, [Allocation("in", IN, 400), Allocation("out", OUT, 400), Allocation("calls", CALLS, 4)]
    )


def scaled():
    return compile_source(SourceText("k.cu", SOURCE), device_addresses={"calls": CALLS})


def test_a_struct_with_a_pointer_and_a_device_variable_lie_where_the_host_says(memory):
    view = struct.pack("<ixxxxQd", 100, IN, 2.5)
    args = [view, struct.pack("<Q", OUT), struct.pack("<h", -3)]
    run = simulate_in(memory, HostLaunch(scaled(), (2, 1, 1), (64, 1, 1), args), load_device("h200"))
    expected = np.arange(100, dtype=np.float32) * np.float32(2.5) - 3
    np.testing.assert_array_equal(memory.data[OUT : OUT + 400].view(np.float32), expected)
    np.testing.assert_array_equal(run.buffers["out"], expected)
    assert memory.data[CALLS : CALLS + 4].view(np.int32)[0] == 100
    assert not run.findings


@pytest.mark.parametrize("args", [[b"\0" * 24], [b"\0" * 8, b"\0" * 8, b"\0" * 2]])
def test_too_few_arguments_and_too_short_ones_are_refused(memory, args):
    with pytest.raises(LaunchError, match=r"takes 3 arguments|too few"):
        simulate_in(memory, HostLaunch(scaled(), (1, 1, 1), (32, 1, 1), args), load_device("h200"))
