"""Jitted functions are declared, and units are compiled from them."""

import subprocess
import sys

import numba

from warpview.sim.jit import compile as compiling
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


def test_the_passes_that_are_left_out_change_no_machine_code(monkeypatch):
    def code(options):
        monkeypatch.setattr(compiling, "OPTIONS", options)

        @jit
        def parts(x):
            return (x // 3, x % 3)

        @unit(2)
        def sum_for_a_test(count, mask):
            total = 0
            for k in range(count):
                low, high = parts(k ^ mask)
                while low > 0 and (k != 7 or not high):
                    total, low = total + (low if mask & 1 else high), low >> 1
            return total

        return object_code(UNITS.pop("sum_for_a_test"))

    every_pass = {key: value for key, value in compiling.OPTIONS.items() if key != "pipeline_class"}
    assert every_pass != compiling.OPTIONS
    assert code(compiling.OPTIONS) == code(every_pass)


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
