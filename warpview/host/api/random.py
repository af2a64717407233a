"""Implement cuRAND's host interface."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from warpview.host.channel import HostOrder, Request
from warpview.host.context import RuntimeContext, Values, answers
from warpview.host.timing import copy_us
from warpview.host.xorwow import Generator

SUCCESS, NOT_INITIALIZED, TYPE_ERROR, LENGTH_NOT_MULTIPLE, LAUNCH_FAILURE = 0, 101, 103, 105, 201
XORWOW = (100, 101)
NAMES = (
    "curandGenerate", "curandGenerateUniform", "curandGenerateUniformDouble", "curandGenerateNormal",
    "curandGenerateNormalDouble", "curandGenerateLogNormal", "curandGenerateLogNormalDouble",
)  # fmt: skip


@answers("curand_create")
def create(context: RuntimeContext, request: Request) -> Values:
    kind, on_host = request.values
    if kind not in XORWOW:
        context.find("not supported", "of cuRAND's generators only the default one, XORWOW, is supported")
        return [TYPE_ERROR, 0]
    handle = 0x2000 + len(context.generators)
    context.generators[handle] = Generator(on_host=bool(on_host))
    return [SUCCESS, handle]


def _generator(context: RuntimeContext, request: Request) -> Generator | None:
    return context.generators.get(request.values[0])


@answers("curand_destroy")
def destroy(context: RuntimeContext, request: Request) -> Values:
    return [SUCCESS if context.generators.pop(request.values[0], None) else NOT_INITIALIZED]


@answers("curand_seed")
def seed(context: RuntimeContext, request: Request) -> Values:
    generator = _generator(context, request)
    if generator is None:
        return [NOT_INITIALIZED]
    generator.reset(request.values[1])
    return [SUCCESS]


@answers("curand_offset")
def offset(context: RuntimeContext, request: Request) -> Values:
    generator = _generator(context, request)
    if generator is None:
        return [NOT_INITIALIZED]
    generator.skip(request.values[1])
    return [SUCCESS]


@answers("curand_stream")
def stream(context: RuntimeContext, request: Request) -> Values:
    generator = _generator(context, request)
    if generator is None:
        return [NOT_INITIALIZED]
    generator.stream = context.stream(request.values[1]).number
    return [SUCCESS]


@answers("curand_generate")
def generate(context: RuntimeContext, request: Request) -> Values:
    handle, address, n, kind, mean, deviation = request.values
    generator = context.generators.get(handle)
    if generator is None:
        return [NOT_INITIALIZED]
    if kind >= 3 and n % 2:
        return [LENGTH_NOT_MULTIPLE]
    numbers = _numbers(generator, n, kind, _double(mean), _double(deviation)).view(np.uint8)
    if generator.on_host:
        context.order(HostOrder.WRITE, (address,), numbers.tobytes())
        return [SUCCESS]
    block = context.arena.holding(address)
    if block is None or address + len(numbers) > block.end:
        context.find("out of bounds", f"{NAMES[kind]} writes {len(numbers)} bytes, more than there are on the device")
        return [LAUNCH_FAILURE]

    def fill() -> None:
        context.arena.view(address, len(numbers))[:] = numbers
        context.arena.mark_written(block, address, len(numbers))

    context.scheduler.enqueue(
        context.stream(generator.stream), "kernel", NAMES[kind], context.place, fill, size=len(numbers),
        issued_us=context.host_us, duration_us=copy_us(context.device, "memset", len(numbers), True), writes=True,
    )  # fmt: skip
    return [SUCCESS]


def _double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def _numbers(generator: Generator, n: int, kind: int, mean: float, deviation: float) -> NDArray[np.generic]:
    if kind == 0:
        return generator.integers(n)
    if kind == 1:
        return generator.uniform(n)
    if kind == 2:
        return generator.uniform_double(n)
    if kind in (3, 5):
        single = generator.normal(n) * np.float32(deviation) + np.float32(mean)
        return np.exp(single) if kind == 5 else single
    double = generator.normal_double(n) * deviation + mean
    return np.exp(double) if kind == 6 else double
