"""The functions of helper_math.h, on which course code relies, compute what NVIDIA's samples compute."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

T = np.arange(32, dtype=np.float32)
CASES = {
    "dot(make_float2(t, 1.0f) + 2.0f, make_float2(3.0f))": 3 * (T + 2) + 9,
    "length(make_float3(t, 0, 0) * make_float3(2.0f))": 2 * T,
    "normalize(make_float4(0, t + 1, 0, 0)).y": np.ones(32),
    "(6.0f / make_float3(1, 2, 3) - make_float3(make_float2(t, 1))).z": np.full(32, 2),
    "cross(make_float3(1, 0, 0), make_float3(0, t, 0)).z": T,
    "lerp(make_float2(0), make_float2(t, 2 * t), 0.5f).y": T,
    "clamp(make_float4(t), 3.0f, 5.0f).w": np.clip(T, 3, 5),
    "clamp(make_int3((int)t), make_int3(1, 2, 3), make_int3(9, 8, 7)).y": np.clip(T, 2, 8),
    "fracf(t * 0.25f)": T / 4 % 1,
    "fracf(make_float3(t * 0.25f)).z": T / 4 % 1,
    "fmodf(make_float2(t), make_float2(3.0f, 4.0f)).y": T % 4,
    "floorf(make_float4(t / 3.0f)).x": np.floor(T / np.float32(3)),
    "fabs(-make_float2(t)).x": T,
    "abs(make_int4(3 - (int)t)).w": np.abs(3 - T),
    "smoothstep(0.0f, 16.0f, t)": (y := np.clip(T / 16, 0, 1)) * y * (3 - 2 * y),
    "smoothstep(make_float2(0.0f), make_float2(16.0f), make_float2(t)).y": y * y * (3 - 2 * y),
    "reflect(make_float3(t, -1, 0), make_float3(0, 1, 0)).y": np.ones(32),
    "fmaxf(make_float3(t), make_float3(7.0f)).x": np.maximum(T, 7),
    "min(make_uint2((uint)t), make_uint2(4u, 5u)).y": np.minimum(T, 5),
    "(make_uint4((uint)t) * 3u + make_uint4(make_int4(1))).w": 3 * T + 1,
    "(make_int2(make_float2(t * 1.5f)) - 1).x": np.floor(1.5 * T) - 1,
    "dot(make_int4((int)t), make_int4(1, 2, 3, 4))": 10 * T,
}


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_its_functions_compute_what_they_are_named_after(compiler: str) -> None:
    lines = "\n".join(f"    out[{k} * 32 + threadIdx.x] = {case};" for k, case in enumerate(CASES))
    text = f'#include "helper_math.h"\n__global__ void k(float *out) {{\n    float t = threadIdx.x;\n{lines}\n}}'
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32 * len(CASES), np.float32)], device="h200")
    for (case, expected), found in zip(CASES.items(), np.split(run.buffers["out"], len(CASES)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=3e-7, err_msg=case)


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_vectors_are_changed_in_place(compiler: str) -> None:
    body = "float3 v = make_float3(threadIdx.x); v += 1.0f; v *= make_float3(1, 2, 3); v /= 2.0f; v -= 0.5f;"
    text = f"#include <helper_math.h>\n__global__ void k(float *out) {{ {body} out[threadIdx.x] = v.z; }}"
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32)], device="h200")
    assert np.array_equal(run.buffers["out"], 1.5 * (T + 1) - 0.5)
