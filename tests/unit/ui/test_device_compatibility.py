"""Kernels that a device cannot run are found without a window."""

from dataclasses import replace

from ui.small_run import small_program

from warpview.devices import load_device
from warpview.ui.session.backend import Variant
from warpview.ui.session.device_compatibility import DeviceCompatibility

OLD, NEW = load_device("8800gtx"), load_device("h200")
PLAIN = Variant("a/plain", "a", "Plain", "", "", "k", "k.cu", "", ())
SHUFFLES = replace(PLAIN, key="a/shuffles", minimum_capability=(3, 0))


def test_the_manifest_speaks_first():
    fitness = DeviceCompatibility()
    assert fitness.incompatibility(PLAIN, OLD) == ""
    assert fitness.incompatibility(SHUFFLES, OLD) == "Needs compute capability 3.0; GeForce 8800 GTX has 1.0."
    assert fitness.incompatibility(SHUFFLES, NEW) == ""


def test_a_program_says_more():
    fitness, program = DeviceCompatibility(), small_program()
    assert not fitness.ran("a/plain", "8800gtx", program)
    assert fitness.ran("a/old", "8800gtx", replace(program, last_capability=(6, 2), last_capability_reason="__any()"))
    old = replace(PLAIN, key="a/old")
    assert fitness.incompatibility(old, NEW) == (
        f"Uses __any(), which was removed after compute capability 6.2; {NEW.name} has 9.0."
    )
    assert fitness.incompatibility(old, OLD) == ""


def test_a_refused_launch_says_most_until_one_succeeds():
    fitness = DeviceCompatibility()
    fitness.refused("a/plain", "8800gtx", "a block of 1024 threads is too large")
    assert fitness.incompatibility(PLAIN, OLD) == "a block of 1024 threads is too large"
    assert fitness.incompatibility(PLAIN, NEW) == ""
    assert fitness.ran("a/plain", "8800gtx", small_program())
    assert fitness.incompatibility(PLAIN, OLD) == ""
