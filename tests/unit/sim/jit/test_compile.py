"""Jitted functions are declared, and units are compiled from them."""

import subprocess
import sys

import numba

from warpview.sim.jit.compile import UNITS, jit, object_code, unit
from warpview.sim.jit.machine_code import Linker


def test_one_version_of_a_function_for_all_integers():
    @jit
    def twice(x):
        return x + x

    @numba.njit
    def uses(flag, n):
        return twice(1) + twice(2) + twice(flag) + twice(n)

    assert uses(True, 5) == 18
    assert len(twice.signatures) == 1


def test_units_are_compiled_apart_and_call_one_another():
    @unit(2)
    def difference_for_a_test(a, b):
        return a - b

    @unit(1)
    def negative_for_a_test(a):
        return difference_for_a_test(0, a)

    made = [UNITS.pop(name) for name in ("negative_for_a_test", "difference_for_a_test")]
    caller = made[0]
    linker = Linker()
    for one in made:
        code = object_code(one)
        assert b"Py" not in code
        linker.add(code)
    negative = linker.function(caller.function.__name__, 1)
    assert negative(1 << 40) == -(1 << 40)


def test_the_process_that_compiles_generates_code_of_units_alone():
    """Not of the functions that become part of them, which numba would keep ready to be called."""
    code = """
import llvmlite.binding as llvm
from warpview.sim.jit import canary
from warpview.sim.jit.compile import UNITS, call_nothing, jit, object_code, unit

def refuse(engine):
    raise AssertionError("machine code that nobody calls")

@jit
def twice(x):
    return x + x

@unit(1)
def four_times(x):
    return twice(twice(x))

call_nothing()
llvm.ExecutionEngine.finalize_object = refuse
assert len(object_code(UNITS["four_times"])) > 0
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
