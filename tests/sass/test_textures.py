"""Texture and surface instructions: both engines on random textures, the counters of an H200, and what is refused.

What fetches give is held by the programs texture_modes, texture_shapes and texture_image of ``tests/host``, whose
output an H200 recorded. ``data/textures_h200.json.gz`` has what Nsight Compute counted there of the 1,131 launches of
``counted_textures.cu`` and ``counted_texels.cu``, each by one warp, and a checksum of what they printed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import WarpviewError
from warpview.host import run_program
from warpview.host.launches import LaunchRecord
from warpview.isa.textures import DESCRIPTOR, DESCRIPTOR_BYTES
from warpview.run.result import Run, Series
from warpview.sass import nvrtc
from warpview.sass.decoder import decode
from warpview.sass.word_reader import UnknownInstruction
from warpview.sim.arguments.binding import bind
from warpview.sim.arguments.values import dim3
from warpview.sim.launch import FindingKind, Options
from warpview.ui.views.counters.counters_model import CounterTable

sys.path.insert(0, str(Path(__file__).parent))
from engines import DATA, Case, differences, executed, findings, run_profile, run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

FETCHES = """
__device__ float offset(cudaTextureObject_t t, float x, float y, float level) {
  float4 v, w;
  asm("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], %7, {5, -3};"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(t), "f"(x), "f"(y), "f"(level));
  asm("tld4.r.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], {-7, 3};"
      : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w) : "l"(t), "f"(x), "f"(y));
  return v.x + v.w + w.x + 3 * w.y + 5 * w.z + 7 * w.w;
}
template <class T> __device__ float sum(T v) { return v.x + 2 * v.y + 4 * v.z + 8 * v.w; }
#ifdef __CUDACC_RTC__  // no part of CUDA's language that warpview's own compiler has
__device__ float resident(cudaTextureObject_t t, float x, float y) {
  bool is_resident = false;
  const float found = tex2D<float>(t, x, y, &is_resident);
  return is_resident ? found : -1;
}
__device__ float compared(cudaTextureObject_t t, float x, float y, float with) {
  float4 v, w;
  asm("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], %7;"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(t), "f"(x), "f"(y), "f"(with));
  asm("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], %7, {2, -1}, %7;"
      : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w) : "l"(t), "f"(x), "f"(y), "f"(with));
  return v.x + 2 * w.x + 4 * v.w + 8 * w.w;
}
__device__ float told(cudaTextureObject_t t, int level) {
  int width, height, depth;
  asm("txq.level.width.b32 %0, [%1], %2;" : "=r"(width) : "l"(t), "r"(level));
  asm("txq.height.b32 %0, [%1];" : "=r"(height) : "l"(t));
  asm("txq.level.depth.b32 %0, [%1], %2;" : "=r"(depth) : "l"(t), "r"(level));
  return width + 100 * height + 10000 * depth;
}
#endif
__global__ void fetch(const float4 *at, const float *texels, const int *descriptor, float *to, cudaTextureObject_t t) {
  const int i = threadIdx.x;
  const float4 p = at[i];
  float found = 0;
  if (i % 7 != 3) found = FETCH;
  to[i] = found;
}
"""
SURFACES = """
__global__ void access(const float4 *at, float *texels, const int *descriptor, int *to, cudaSurfaceObject_t s) {
  const int i = threadIdx.x, x = (int)at[i].x, y = (int)at[i].y, z = (int)at[i].z;
  ACCESS
}
"""
KINDS = {
    "line": "tex1D<float>(t, p.x)", "plane": "sum(tex2D<float4>(t, p.x, p.y))",
    "volume": "tex3D<float>(t, p.x, p.y, p.z)", "lines": "tex1DLayered<float>(t, p.x, (int)p.z)",
    "planes": "sum(tex2DLayered<float4>(t, p.x, p.y, (int)p.z))",
    "cube": "texCubemap<float>(t, p.x, p.y, p.z)", "cubes": "texCubemapLayered<float>(t, p.x, p.y, p.z, (int)p.w)",
    "element": "tex1Dfetch<float>(t, (int)(8 * p.x))", "gather": "sum(tex2Dgather<float4>(t, p.x, p.y, 1))",
    "level": "tex2DLod<float2>(t, p.x, p.y, p.z).y",
    "gradients": "tex2DGrad<float>(t, p.x, p.y, make_float2(p.z, 1), make_float2(2, p.w))",
    "lines with gradients": "tex1DLayeredGrad<float>(t, p.x, (int)p.z, p.y, p.w)",
    "planes with gradients":
        "sum(tex2DLayeredGrad<float4>(t, p.x, p.y, (int)p.z, make_float2(p.w, 1), make_float2(2, p.x)))",
    "resident": "resident(t, p.x, p.y)", "offset": "offset(t, p.x, p.y, p.z)",
    "level in a volume": "tex3DLod<float>(t, p.x, p.y, p.z, p.w)",
    "compared": "compared(t, p.x, p.y, p.z)", "told": "told(t, i % 5 - 1)",
    "level of lines": "tex1DLayeredLod<float>(t, p.x, 1, p.z)",
}  # fmt: skip
ACCESSES = {
    "bytes": "surf2Dwrite((unsigned char)i, s, x, y, cudaBoundaryModeZero);"
             "to[i] = surf2Dread<unsigned char>(s, x, y, cudaBoundaryModeClamp);",
    "words": "surf2Dwrite(i + 0.5f, s, 4 * x, y, cudaBoundaryModeClamp);"
             "to[i] = surf3Dread<short>(s, 2 * x, y, z, cudaBoundaryModeZero);",
    "wide": "surf2DLayeredwrite(make_float4(i, 1, 2, 3), s, 16 * (x / 8), y, z, cudaBoundaryModeZero);"
            "to[i] = surf1Dread<int2>(s, 8 * (x / 4), cudaBoundaryModeZero).y;",
    "trap": "to[i] = surf2Dread<int>(s, 4 * x, y);",
}  # fmt: skip
BYTES = (1, 1, 2, 2, 4, 2, 4)  # of a component, by format
WIDTH, HEIGHT, DEPTH, LEVELS = 9, 7, 12, 3


@cache
def program(source: str, device: str = "h200", compiler: str = "nvrtc") -> Any:
    return wv.compile(source, compiler=compiler, device=device)


def launch(name: str, source: str, seed: int, damage: dict[int, int] | None = None, compiler: str = "nvrtc") -> Case:
    """Return a launch over a random texture: its format, its filter and the ways of its axes."""
    rng = np.random.default_rng([seed, *name.encode()])
    kind, components = int(rng.integers(0, 7)), int(rng.choice((1, 2, 4)))
    texel = BYTES[kind] * components
    may_filter = kind != 4 and name not in ("element", *ACCESSES)
    is_linear, normalized = may_filter and seed % 2, int(rng.integers(0, 2))
    modes = [int(m) for m in rng.integers(0 if normalized else 1, 4, 3)]
    modes = [m if normalized or m == 3 else 1 for m in modes]
    texels = rng.integers(0, 256, WIDTH * HEIGHT * DEPTH * 16, dtype=np.uint8)
    if kind in (5, 6):  # finite numbers of some range
        values = (rng.normal(size=len(texels) // 4) * 2.0 ** rng.integers(-9, 9, len(texels) // 4)).astype(np.float32)
        texels = (values.astype(np.float16).repeat(2) if kind == 5 else values).view(np.uint8)
    scale = (1.3, 1.3, 1.3) if normalized else (WIDTH, HEIGHT, DEPTH)
    at = np.stack([*(rng.uniform(-0.4, 1.4, 64) * s for s in scale), rng.integers(0, 3, 64)], 1).astype(np.float32)
    if name in ACCESSES:
        at[:, :3] = rng.uniform(-1, (WIDTH + 1, HEIGHT + 1, DEPTH + 1), (64, 3))
    if name.startswith("cube"):
        at[:, :3] = rng.normal(size=(64, 3))
    descriptors = np.zeros(LEVELS * DESCRIPTOR_BYTES // 4, np.int32)
    arguments = [at.reshape(-1), texels.view(np.float32), descriptors, np.zeros(64), 0]
    arguments[3] = np.zeros(64, np.int32 if name in ACCESSES else np.float32)
    loaded = program(source, compiler=compiler)
    bases = [a.base for a in bind(loaded, dim3(1, "grid"), dim3(64, "block"), arguments, 0).memory.allocations]
    is_square = name.startswith("cube")
    size = (WIDTH, WIDTH if is_square else HEIGHT, 6 if is_square else DEPTH)
    between, bias = int(is_linear and rng.integers(0, 2)), int(rng.integers(-300, 300))
    further = [components, kind, texel, *modes, is_linear, normalized,
               int(kind < 4 and (is_linear or rng.integers(0, 2))), *(int(b) for b in rng.integers(0, 99, 4)),
               int(name != "element"), LEVELS, between, bias, int(rng.integers(0, 99)), 600]  # fmt: skip
    packed = b""
    for level in range(LEVELS):  # in the same memory: the texels need not be others
        if level:
            size = (max(size[0] // 2, 1), max(size[1] // 2, 1), size[2])
        pitch = texel * size[0]
        values = [bases[1] + 4 * texel * level, pitch, pitch * size[1], *size, *further, *size[1:]]
        for place, value in (damage or {}).items() if level == 0 else ():
            values[place] = value
        packed += DESCRIPTOR.pack(*values)
    arguments[2] = np.frombuffer(packed, np.int32)
    return Case(name, loaded, 1, 64, [*arguments[:4], bases[2]])


HOST = Path(__file__).parents[1] / "host"
PRINTED = json.loads((HOST / "h200_outputs.json").read_text())["programs"]
ARCHITECTURES = ["h200", *(pytest.param(d, marks=pytest.mark.exhaustive) for d in ("t4", "l4", "a100", "b200"))]


@pytest.mark.parametrize("device", [*ARCHITECTURES, "rtx5090"])
def test_every_architecture_fetches_what_an_h200_does(device: str) -> None:
    for name in ("texture_modes", "texture_shapes"):
        result = run_program(HOST / "programs" / f"{name}.cu", device=device, compiler="nvrtc")
        assert result.output == PRINTED[name]["output"]
    used = {i.native.mnemonic.split(".")[0] for i in result.launches[-1].open().program.instructions if i.native}
    assert "SULD" in used


@pytest.mark.parametrize("name", KINDS)
def test_both_engines_fetch_the_same(name: str) -> None:
    for seed in range(4):
        assert differences(launch(name, FETCHES.replace("FETCH", KINDS[name]), seed)) == [], seed


@pytest.mark.parametrize("name", [kind for kind in KINDS if kind not in ("resident", "compared", "told")])
def test_both_engines_fetch_the_same_as_written(name: str) -> None:
    source = FETCHES.replace("FETCH", KINDS[name])
    for seed in range(3):
        case = launch(name, source, seed, compiler="warpview")
        reference, jitted = (executed(case, engine)[1] for engine in (run_reference, run_profile))
        assert np.array_equal(reference.counts, jitted.counts), seed
        assert findings(reference) == findings(jitted), seed
        found = [outcome.memory.data.view(np.float32) for outcome in (reference, jitted)]
        np.testing.assert_array_equal(*found)  # no number is as good as another one
        np.testing.assert_array_equal(ran(case).buffers["to"], ran(launch(name, source, seed)).buffers["to"])


@pytest.mark.parametrize("device", ["t4", "h200", "b200"])
@pytest.mark.parametrize(
    ("special", "plain"),
    [("lines with gradients", "lines"), ("planes with gradients", "planes"), ("resident", "tex2D<float>(t, p.x, p.y)")],
)
def test_a_texture_of_one_level_has_no_use_for_gradients(special: str, plain: str, device: str) -> None:
    """Nor is any of its texels missing from memory."""
    results = []
    for fetch in (KINDS[special], KINDS.get(plain, plain)):
        case = launch(special, FETCHES.replace("FETCH", fetch), 3, {20: 1})
        code = program(FETCHES.replace("FETCH", fetch), device)
        results.append(wv.simulate(code, 1, 64, case.arguments, device=device).buffers["to"])
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("name", ACCESSES)
def test_both_engines_access_surfaces_alike(name: str) -> None:
    for seed in range(3):
        assert differences(launch(name, SURFACES.replace("ACCESS", ACCESSES[name]), seed)) == [], seed


HANDED_OVER = """if (i < 32) surf2Dwrite((unsigned char)i, s, i % 8, i / 8, cudaBoundaryModeZero);
BETWEEN
if (i >= 32) to[i] = surf2Dread<unsigned char>(s, i % 8, (i - 32) / 8, cudaBoundaryModeZero);"""
WRITTEN_TWICE = "surf2Dwrite((unsigned char)i, s, i % 8, i / 8 % ROWS, cudaBoundaryModeZero);"


@pytest.mark.parametrize("compiler", ["nvrtc", "warpview"])
@pytest.mark.parametrize(
    ("access", "races"),
    [(HANDED_OVER.replace("BETWEEN", "__syncthreads();"), False), (HANDED_OVER.replace("BETWEEN", ""), True),
     (WRITTEN_TWICE.replace("ROWS", "8"), False), (WRITTEN_TWICE.replace("ROWS", "4"), True)],
)  # fmt: skip
def test_a_race_of_two_warps_over_a_surface_is_found(access: str, races: bool, compiler: str) -> None:
    case = launch("bytes", SURFACES.replace("ACCESS", access), 0, compiler=compiler)
    for engine in (run_reference, run_profile):
        found = {finding.kind for finding in executed(case, engine, Options())[1].findings}
        assert (FindingKind.RACE in found) == races


def ran(case: Case) -> Run:
    return wv.simulate(case.program, case.grid, case.block, case.arguments, device="h200")


def test_a_trap_outside_of_a_surface_ends_the_launch() -> None:
    found = ran(launch("trap", SURFACES.replace("ACCESS", ACCESSES["trap"]), 0)).findings
    assert [finding.kind for finding in found] == ["out of bounds"]


@pytest.mark.parametrize(
    "damage",
    [{0: 0}, {0: 1 << 35}, {1: 1 << 40}, {2: 1 << 63}, {3: 0}, {4: 1 << 20}, {5: -5}, {6: 3}, {7: 9}, {8: 99}, {9: 7},
     {20: 0}, {20: 19}, {20: 4}],
)  # fmt: skip
def test_a_damaged_descriptor_is_told(damage: dict[int, int]) -> None:
    case = launch("plane", FETCHES.replace("FETCH", KINDS["plane"]), 1, damage)
    assert [finding.kind for finding in ran(case).findings] == ["out of bounds"]
    assert differences(case) == []


def test_an_object_that_is_none_is_told() -> None:
    case = launch("plane", FETCHES.replace("FETCH", KINDS["plane"]), 1)
    for handle in (0, 5, 64, case.arguments[4] + 8, 0xFFFFFFFF):
        wrong = case._replace(arguments=[*case.arguments[:4], handle])
        assert [finding.kind for finding in ran(wrong).findings] == ["out of bounds"], handle
        assert differences(wrong) == []


def test_texels_that_nobody_wrote_are_told() -> None:
    case = launch("plane", FETCHES.replace("FETCH", KINDS["plane"]), 0)
    blank = [case.arguments[0], wv.Uninitialised(case.arguments[1].shape, np.float32), *case.arguments[2:]]
    assert "uninitialised read" in {finding.kind for finding in ran(case._replace(arguments=blank)).findings}
    assert "uninitialised read" not in {finding.kind for finding in ran(case).findings}


def test_what_is_not_supported_is_refused_with_its_line() -> None:
    source = """__global__ void k(cudaSurfaceObject_t s, int *to) {
      asm("sured.b.2d.add.u32.trap [%0, {%1, %2}], %3;" :: "l"(s), "r"(to[0]), "r"(to[1]), "r"(to[2]));
    }"""
    with pytest.raises(WarpviewError, match="opcode 0xf9f is not supported") as refused:
        wv.compile(source, compiler="nvrtc", device="h200")
    assert ":2:" in str(refused.value)


WRITTEN = {
    (80, 0x000019E0F02_3000580F02147B60): "TEX.SCR.LL R2, R20, R2, R15, c[0x0][0x160], 2D",
    (90, 0x000099E01FF_A000040B0C0D7F60): "TEX.LL RZ, R13, R12, R11, UR4, ARRAY_2D, 0x1",
    (90, 0x000089E0F16_200004FF14147F63): "TLD4.G R22, R20, R20, UR4, 2D",
    (90, 0x0000810A900_7000040C10007F9D): "SUST.D.BA.2D.STRONG.SM.TRAP R16, R12, UR4",
    (100, 0x000089E0F16_28FF040016027F60): "TEX.LL R22, R2, R22, R0, UR4, 2D",
    (120, 0x000081E03FF_20FF04FF22227F60): "TEX RZ, R34, R34, UR4, 2D, 0x3",
    (75, 0x000000004FF_000058000B0B7B6F): "TXQ RZ, R11, R11, c[0x0][0x160], 0x4",
    (90, 0x000080001FF_0000040005057F6F): "TXQ RZ, R5, R5, UR4, 0x1",
    (90, 0x000099E4F08_2000040806067F60): "TEX.LL.DC R8, R6, R6, R8, UR4, 2D",
    (75, 0x000009E01FF_100058FF12007B66): "TLD.SCR.LZ RZ, R0, R18, c[0x0][0x160], 1D, 0x1",
    (90, 0x000099E11FF_4000040C08097F60): "TEX.LL.AOFFI RZ, R9, R8, R12, UR4, 3D, 0x1",
    (100, 0x000089E01FF_49FF040804057F60): "TEX.LL.AOFFI RZ, R5, R4, R8, UR4, 3D, 0x1",
    (100, 0x000081E13FF_20FF040004047F63): "TLD4.R.AOFFI RZ, R4, R4, R0, UR4, 2D, 0x3",
    (120, 0x000081E01FF_41FF040704057F60): "TEX.AOFFI RZ, R5, R4, R7, UR4, 3D, 0x1",
}


@pytest.mark.parametrize(("architecture", "word"), WRITTEN)
def test_instructions_are_written_as_in_assembly(architecture: int, word: int) -> None:
    assert decode(word, 0, architecture).text == WRITTEN[architecture, word]


@pytest.mark.parametrize("bit", [77, 79, 80, 89])
def test_what_changes_a_fetch_is_refused(bit: int) -> None:
    with pytest.raises(UnknownInstruction, match="TEX with"):
        decode(0x000099E01FF_A000040B0C0D7F60 ^ 1 << bit, 0, 90)


def test_queries_and_comparisons_give_what_an_h200_gives(tmp_path: Path) -> None:
    """Textures of every kind tell the sizes of their levels; one is not compared with the number that a fetch has."""
    told = tmp_path / "told"
    run_program(Path(__file__).parent / "texture_sizes.cu", [str(told)], device="h200", compiler="nvrtc")
    recorded = gzip.decompress((DATA / "texture_sizes_h200.gz").read_bytes())
    np.testing.assert_array_equal(np.fromfile(told, np.uint32), np.frombuffer(recorded, np.uint32))


# ------------------------------------------------------------------------------------------------ an H200's counters

RECORDED = json.loads(gzip.decompress((DATA / "textures_h200.json.gz").read_bytes()))
PROGRAMS = {name: Path(__file__).parent / f"{name}.cu" for name in ("counted_textures", "counted_texels")}
# Texels of 16 bytes that are filtered are looked up twice two by two: which lanes go together is not always as here.
NOT_EXACT = {"float4_linear": 30}


def counted(launches: Iterator[LaunchRecord], name: str, count: int) -> list[list[int]]:
    """The requests and sectors of the next launches, which are of one kind; none of them is a load's."""
    key = "surface_ld" if name.endswith("_read") else "surface_st" if name.endswith("_write") else "texture"
    found = [next(launches).open().counters for _ in range(count)]
    assert all(counters["global_ld_requests"] <= 3 for counters in found)
    return [[int(c[f"{key}_requests"] or 0), int(c[f"{key}_sectors"] or 0)] for c in found]


@pytest.mark.exhaustive
@pytest.mark.parametrize("program_name", PROGRAMS)
def test_counters_are_those_of_an_h200(program_name: str) -> None:
    result = run_program(PROGRAMS[program_name], device="h200", compiler="nvrtc")
    assert hashlib.sha256(result.output.encode()).hexdigest() == RECORDED["printed"][program_name]
    launches = iter(result.launches)
    for name, rows in RECORDED[program_name].items():
        equal = [ours == row for ours, row in zip(counted(launches, name, len(rows)), rows, strict=True)]
        assert sum(equal) == NOT_EXACT.get(name, len(rows)), name


def test_requests_and_sectors_of_some_launches(tmp_path: Path) -> None:
    """The first three patterns of each kind of texture."""
    for program_name, path in PROGRAMS.items():
        source = path.read_text()
        short = source.replace("int p = 0; p < only;", "int p = 0; p < 3;")
        assert short != source
        (tmp_path / path.name).write_text(short)
        launches = iter(run_program(tmp_path / path.name, device="h200", compiler="nvrtc").launches)
        for name, rows in RECORDED[program_name].items():
            assert counted(launches, name, 3) == rows[:3], name


TWO_LAUNCHES = """
__global__ void fetch(cudaTextureObject_t from, float *to) { to[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x); }
int main() {
    float *data;
    cudaMalloc(&data, 512);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 256;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    fetch<<<1, 32>>>(texture, data + 64);
    fetch<<<1, 64>>>(texture, data + 64);
    return cudaDeviceSynchronize();
}
"""


def test_a_series_and_the_table_of_the_window_count_textures_as_a_run_does(tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(TWO_LAUNCHES)
    first, second = run_program(tmp_path / "two.cu", device="h200", compiler="nvrtc").runs
    counted = [run.counters["inst_texture"] for run in (first, second)]
    assert CounterTable(first).so_far(first.counts)["inst_texture"] == counted[0] > 0
    assert Series((first, second)).counters["inst_texture"] == sum(counted)
