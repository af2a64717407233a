"""Operations that NVRTC writes out take as long as written as what they become, on each architecture."""

from __future__ import annotations

import pytest
from support.tiers import representatives

from warpview.devices import load_device, written_out
from warpview.sass import nvrtc

from .record_written_out import DEVICES, OPERATIONS, cell, figures, sequence

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

TIMED_AGAIN = ("div.f32", "rem.s32.constant", "sin.f32")
OF_HOPPER = (
    "div.f32", "rcp.f32", "sqrt.f32", "rsqrt.f32", "rsqrt.approx.f32", "ex2.approx.f32", "lg2.approx.f32",
    "sin.approx.f32", "div.approx.f32", "sin.f32", "exp.f32", "log.f32", "pow.f32", "atan2.f32", "div.f64",
    "rcp.f64", "sqrt.f64", "exp.f64", "pow.f64", "div.s32.constant", "rem.s32.constant", "rem.u32.constant", "div.s64",
    "rem.u64", "div.u64.constant", "rem.u64.constant", "ex2.approx.f32", "lg2.approx.f32", "sin.approx.f32",
    "rsqrt.approx.f32", "div.approx.f32",
)  # fmt: skip
OF_OTHERS = ("div.f32", "sqrt.f32", "sin.f32", "rem.u64", "rem.s32.constant")


@pytest.mark.parametrize("architecture", representatives(DEVICES, ("75", "90", "120")))  # the first and the last, too
def test_the_table_has_what_machine_code_takes(architecture: int) -> None:
    assert load_device(DEVICES[architecture]).sass == architecture
    for name in TIMED_AGAIN:
        latency, cycles, instructions, *branches = cell(sequence(OPERATIONS[name], architecture)).split()
        assert written_out(architecture)[name] == (int(latency), int(cycles), int(instructions), bool(branches)), name


@pytest.mark.parametrize(
    "name", representatives(OF_HOPPER, (*OF_OTHERS, "div.f64", "div.u64.constant", "ex2.approx.f32"))
)
def test_latencies_and_rates_are_those_of_the_machine_code(name: str) -> None:
    check(name, 90)


@pytest.mark.parametrize("architecture", representatives([number for number in DEVICES if number != 90], ("75", "120")))
def test_other_architectures_have_their_own(architecture: int) -> None:
    for name in OF_OTHERS:
        check(name, architecture)


def check(name: str, architecture: int) -> None:
    written, compiled = (figures(OPERATIONS[name], compiler, architecture) for compiler in ("warpview", "nvrtc"))
    assert written.latency == pytest.approx(compiled.latency, rel=0.2), name
    assert written.cycles == pytest.approx(compiled.cycles, rel=0.3), name


def test_an_architecture_without_figures_has_those_of_the_last_before_it() -> None:
    assert written_out(87) == written_out(86) != written_out(89)
    assert written_out(70) == written_out(75)
