"""The reference interpreter of NVIDIA's machine code agrees with an H200 and with the jitted engine."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest

from warpview.isa.exact_floats import BF16, F16, F32, F64, Exact, Kind, Mode, encode
from warpview.isa.exact_floats import decode as number
from warpview.sass.decoder import decode
from warpview.sass.meanings import VARIANTS
from warpview.sass.table import OPCODES
from warpview.sass.word_reader import UnknownInstruction
from warpview.sim.jit.native_numbers import ELSEWHERE, action_number
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference
from warpview.sim.reference.native.meanings import CONTROL, IN_LANE, IN_WARP

sys.path.insert(0, str(Path(__file__).parent))
from cubins import DATA, archive, code_of_kernels
from engines import (
    ALL_PROBES,
    RARE,
    RARE_NAMES,
    THREADS,
    differences,
    executed,
    library_launch,
    probe,
    random_kernel,
    random_launches,
)
from test_probes import HALVES, INEXACT_HALVES, RESULTS

# Approximations, of which the exact result is not known.
APPROXIMATE = {"p_mufu2", *INEXACT_HALVES}
FOUR_RESULTS = 4
# How many results a thread of a probe writes, where it is not four.
RESULTS_WRITTEN = {"h_short": 2, "p_fcompare": 1, "p_dcompare": 1, "p_icompare": 1, "h_mask": 2, "b_cmp": 2}
ATOMICS = {name for name in ALL_PROBES if name.startswith("h_atomic")}  # whose results depend on the order of threads


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ALL_PROBES)
def test_the_reference_agrees_with_the_jitted_engine_on_a_probe(name: str) -> None:
    assert differences(probe(name)) == []


def doubles_near_the_ends_of_the_range(seed: int) -> list[np.ndarray]:
    """Return the three columns of a probe's operands, whose words make doubles that overflow, or lose digits, or are
    equal but for their last bits."""
    rng = np.random.default_rng(seed)
    exponents = rng.choice([0, 1, 2, 30, 52, 53, 500, 511, 512, 970, 1023, 1075, 1500, 1550, 2044, 2046], (3, THREADS))
    columns = (
        exponents << 20 | rng.integers(0, 1 << 20, (3, THREADS)) | rng.integers(0, 2, (3, THREADS)) << 31
    ).astype(np.uint32)
    columns[2, ::3] = columns[0, ::3] ^ rng.choice([0, 1, 0x80000000], columns[0, ::3].shape).astype(np.uint32)
    return list(columns)


@pytest.mark.parametrize("name", ["p_dadd", "p_dadd2", "p_dmul", "p_dfma", "p_dfma2"])
def test_doubles_are_rounded_in_a_direction_at_the_ends_of_their_range(name: str) -> None:
    case = probe(name)
    arguments = [case.arguments[0], *doubles_near_the_ends_of_the_range(7), case.arguments[-1]]
    assert differences(case._replace(arguments=arguments)) == []


RECORDED = {*RESULTS.files, *HALVES.files, *RARE_NAMES} - APPROXIMATE - ATOMICS


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", sorted(RECORDED.intersection(ALL_PROBES)))
def test_the_reference_gives_the_bits_that_the_hardware_gives(name: str) -> None:
    bound, _ = executed(probe(name), run_reference, Options(check=False))
    written = bound.buffers["arg0"].read(bound.memory).ravel()
    recorded = next(table for table in (RESULTS, HALVES, RARE) if name in table.files)[name].ravel()
    if name in RARE_NAMES:
        used = recorded.size
    elif name.startswith(("p_", "h_", "b_", "q_")):
        used = RESULTS_WRITTEN.get(name, FOUR_RESULTS) * THREADS
    else:  # matrices: the last argument is read and written
        written = bound.buffers["arg2"].read(bound.memory).ravel()
        used = written.size
    assert np.array_equal(written[:used], recorded[:used])


@pytest.mark.parametrize("name", Random(14).sample(sorted(random_launches()), 6))
def test_the_engines_agree_on_a_random_kernel(name: str) -> None:
    assert differences(random_kernel(name)) == []


# A sample of the small launches of up to 1,000 instructions; ``engines.py`` compares all.
SAMPLE = (
    "control_flow/early_exit", "control_flow/spin_lock", "control_flow/vote", "histogram/warp", "histogram/aggregated",
    "patterns/local_array", "reduction/shuffle", "scan/blelloch", "sort/bitonic_shuffle", "stencil/shared_1d",
    "transpose/naive_16", "vector/circular_shift_shared",
)  # fmt: skip


@pytest.mark.parametrize("key", SAMPLE)
def test_the_engines_agree_on_a_launch_of_the_library(key: str) -> None:
    assert differences(library_launch(key)) == []


# ------------------------------------------------------------------------------------------------ rows


@pytest.mark.parametrize("meaning", sorted({row.meaning for row in OPCODES} & set(VARIANTS)))
def test_every_opcode_has_a_function_in_both_engines(meaning: str) -> None:
    assert meaning in IN_LANE or meaning in IN_WARP or meaning in CONTROL
    variants = () if meaning in ELSEWHERE else VARIANTS[meaning]
    assert all(action_number(meaning, variant) >= 0 for variant in variants)


# Rows that no recorded kernel has: a new opcode does not belong here, it gets a probe.
WITHOUT_PROBE = {"BPT.TRAP", "BRXU", "IMNMX", "UIMAD.HI", "UPLOP3.LUT", "UR2UP"}
# Textures and surfaces: over a thousand launches by one warp have the values and the counters of an H200
# (test_textures.py).
OF_TEXTURES = {"TEX", "TLD", "TLD4", "TXD", "TXQ", "SULD.D.BA", "SUST.D.BA"}


# They do nothing where launches run one after the other (test_varied_kernels.py).
OF_SUCCESSIVE_LAUNCHES = {"ACQBULK", "PREEXIT"}
OF_TURING = {"HMMA.884"}  # compared with other instructions of sm_90 (test_quads.py)


NAMES_NO_OPCODE = ((1 << 24) - 1) << 16 | ((1 << 23) - 1) << 105  # registers, and what says when to issue


def test_every_opcode_has_a_probe() -> None:
    seen, words = set(), set()
    for name in sorted(path.name for path in DATA.glob("*.zip")):
        for file in (file for file in archive(name).namelist() if file.endswith(".cubin")):
            if name == "grid_sm90.zip" or file.startswith("debug_"):
                continue  # these have traps that nobody executes
            for code in code_of_kernels(name, file):
                for at in range(0, len(code), 16):
                    word = int.from_bytes(code[at : at + 16], "little")
                    if (key := word & ~NAMES_NO_OPCODE) in words:
                        continue
                    words.add(key)
                    with suppress(UnknownInstruction):
                        seen.add(decode(word, at, 90).row.name)
    known = {row.name for row in OPCODES if 90 in row.architectures}
    assert known - seen == WITHOUT_PROBE | OF_TEXTURES | OF_SUCCESSIVE_LAUNCHES | OF_TURING


# ------------------------------------------------------------------------------------------------ exact numbers


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("format_", [F32, F64, F16, BF16])
def test_rounding_gives_a_neighbour_in_the_direction_of_the_mode(format_, mode: Mode) -> None:  # type: ignore[no-untyped-def]
    """Every pattern stands for itself, and what lies between two of them goes to the one that the mode says."""
    generator = Random(8)
    for _ in range(300):
        bits = generator.getrandbits(1 + format_.exponent_bits + format_.stored)
        value = number(format_, bits)
        if value.kind != Kind.FINITE:
            continue
        assert encode(format_, value, mode) == bits
        between = Exact(value.negative, (value.size << 2) + generator.choice((1, 3)), value.exponent - 2)
        above = generator.choice((False, True)) if mode == Mode.NEAREST else mode != Mode.TO_ZERO
        away = (between.size & 3) == 3 if mode == Mode.NEAREST else above and (mode == Mode.UP) != value.negative
        assert encode(format_, between, mode) == bits + away


def test_doubles_round_as_the_processor_does() -> None:
    values = np.random.default_rng(3).standard_normal(200) * 10.0 ** np.random.default_rng(4).integers(-45, 39, 200)
    for value in values:
        exact = number(F64, int(value.view(np.uint64)))
        with np.errstate(over="ignore", under="ignore"):
            assert encode(F32, exact) == int(np.float32(value).view(np.uint32))
            assert encode(F16, exact) == int(np.float16(value).view(np.uint16))
