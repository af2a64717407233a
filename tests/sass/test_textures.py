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
from warpview.ui.views.counters.counters_model import CounterTable

sys.path.insert(0, str(Path(__file__).parent))
from engines import DATA, Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

FETCHES = """
template <class T> __device__ float sum(T v) { return v.x + 2 * v.y + 4 * v.z + 8 * v.w; }
__device__ float resident(cudaTextureObject_t t, float x, float y) {
  bool is_resident = false;
  const float found = tex2D<float>(t, x, y, &is_resident);
  return is_resident ? found : -1;
}
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
    "resident": "resident(t, p.x, p.y)",
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
WIDTH, HEIGHT, DEPTH = 9, 7, 12


@cache
def program(source: str, device: str = "h200") -> Any:
    return wv.compile(source, compiler="nvrtc", device=device)


def launch(name: str, source: str, seed: int, damage: dict[int, int] | None = None) -> Case:
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
    arguments = [at.reshape(-1), texels.view(np.float32), np.zeros(DESCRIPTOR_BYTES // 4, np.int32), np.zeros(64), 0]
    arguments[3] = np.zeros(64, np.int32 if name in ACCESSES else np.float32)
    loaded = program(source)
    bases = [a.base for a in bind(loaded, dim3(1, "grid"), dim3(64, "block"), arguments, 0).memory.allocations]
    is_square = name.startswith("cube")
    size = (WIDTH, WIDTH if is_square else HEIGHT, 6 if is_square else DEPTH)
    pitch = texel * WIDTH
    values = [bases[1], pitch, pitch * size[1], *size, components, kind, texel, *modes, is_linear, normalized,
              int(kind < 4 and (is_linear or rng.integers(0, 2))), *(int(b) for b in rng.integers(0, 99, 4)),
              int(name != "element")]  # fmt: skip
    for place, value in (damage or {}).items():
        values[place] = value
    arguments[2] = np.frombuffer(DESCRIPTOR.pack(*values), np.int32)
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


@pytest.mark.parametrize("device", ["t4", "h200", "b200"])
@pytest.mark.parametrize(
    ("special", "plain"),
    [("lines with gradients", "lines"), ("planes with gradients", "planes"), ("resident", "tex2D<float>(t, p.x, p.y)")],
)
def test_a_texture_of_one_level_has_no_use_for_gradients(special: str, plain: str, device: str) -> None:
    """Nor is any of its texels missing from memory."""
    results = []
    for fetch in (KINDS[special], KINDS.get(plain, plain)):
        case = launch(special, FETCHES.replace("FETCH", fetch), 3)
        code = program(FETCHES.replace("FETCH", fetch), device)
        results.append(wv.simulate(code, 1, 64, case.arguments, device=device).buffers["to"])
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("name", ACCESSES)
def test_both_engines_access_surfaces_alike(name: str) -> None:
    for seed in range(3):
        assert differences(launch(name, SURFACES.replace("ACCESS", ACCESSES[name]), seed)) == [], seed


def ran(case: Case) -> Run:
    return wv.simulate(case.program, case.grid, case.block, case.arguments, device="h200")


def test_a_trap_outside_of_a_surface_ends_the_launch() -> None:
    found = ran(launch("trap", SURFACES.replace("ACCESS", ACCESSES["trap"]), 0)).findings
    assert [finding.kind for finding in found] == ["out of bounds"]


@pytest.mark.parametrize(
    "damage",
    [{0: 0}, {0: 1 << 35}, {1: 1 << 40}, {2: 1 << 63}, {3: 0}, {4: 1 << 20}, {5: -5}, {6: 3}, {7: 9}, {8: 99}, {9: 7}],
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
    source = """__global__ void k(cudaTextureObject_t t, float4 *to) {
      float4 v;
      asm("tex.level.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5, %6}], %7, {1, 2};"
          : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(t), "f"(1.0f), "f"(2.0f), "f"(0.0f));
      *to = v;
    }"""
    with pytest.raises(WarpviewError, match="TEX with offsets 1 is not supported") as refused:
        wv.compile(source, compiler="nvrtc", device="h200")
    assert ":4:" in str(refused.value)


WRITTEN = {
    (80, 0x000019E0F02_3000580F02147B60): "TEX.SCR.LL R2, R20, R2, R15, c[0x0][0x160], 2D",
    (90, 0x000099E01FF_A000040B0C0D7F60): "TEX.LL RZ, R13, R12, R11, UR4, ARRAY_2D, 0x1",
    (90, 0x000089E0F16_200004FF14147F63): "TLD4.G R22, R20, R20, UR4, 2D",
    (90, 0x0000810A900_7000040C10007F9D): "SUST.D.BA.2D.STRONG.SM.TRAP R16, R12, UR4",
    (100, 0x000089E0F16_28FF040016027F60): "TEX.LL R22, R2, R22, R0, UR4, 2D",
    (120, 0x000081E03FF_20FF04FF22227F60): "TEX RZ, R34, R34, UR4, 2D, 0x3",
    (75, 0x000009E01FF_100058FF12007B66): "TLD.SCR.LZ RZ, R0, R18, c[0x0][0x160], 1D, 0x1",
}


@pytest.mark.parametrize(("architecture", "word"), WRITTEN)
def test_instructions_are_written_as_in_assembly(architecture: int, word: int) -> None:
    assert decode(word, 0, architecture).text == WRITTEN[architecture, word]


@pytest.mark.parametrize("bit", [76, 77, 78, 79, 80, 89])
def test_what_changes_a_fetch_is_refused(bit: int) -> None:
    with pytest.raises(UnknownInstruction, match="TEX with"):
        decode(0x000099E01FF_A000040B0C0D7F60 ^ 1 << bit, 0, 90)


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


def test_a_series_and_the_table_of_the_window_count_textures_as_a_run_does() -> None:
    first, second, *_ = run_program(HOST / "programs" / "texture_modes.cu", device="h200", compiler="nvrtc").runs
    counted = [run.counters["inst_texture"] for run in (first, second)]
    assert CounterTable(first).so_far(first.counts)["inst_texture"] == counted[0] > 0
    assert Series((first, second)).counters["inst_texture"] == sum(counted)
