"""Variables live in registers where NVIDIA's compiler keeps them there (see ``register_arrays``)."""

from __future__ import annotations

import json

import pytest
from agreement.register_arrays import ARRAYS, RECORDED, SHARED_BYTES, outcome

from warpview.sass import nvrtc

BY_MACHINE_CODE: dict[str, tuple[int, str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
# NVIDIA's compiler accesses an array of 32-bit elements whose index it does not know by comparing the index with each
# that it may be: up to 64 elements outside of loops, up to 8 or 16 in one.
COMPARED = {
    "chosen_element": 32, "indexed_histogram": 16, "pivoted": 36, "bayer": 64, "lookup_table": 32, "selection": 20,
    "runtime_slot": 16, "unroll_one": 32, "runtime_select_four": 16,
}  # fmt: skip
# It writes out four trips of this loop at a time, which the launch counts.
SEVERAL_TRIPS_AT_A_TIME = {"masked_until_launch": 16, "unrolled_window": 16}
# Which of its elements an array of pointers is indexed by is told only where it is loaded from.
LOADED_POINTERS = {"array_of_pointers": 16}
IN_MEMORY = {**COMPARED, **SEVERAL_TRIPS_AT_A_TIME, **LOADED_POINTERS}
# It leaves these arrays in memory, though every index is known once the loops are written out.
NOT_FOUND_BY_NVRTC = {"pointers_to_structs", "comma_and_two_counters"}


@pytest.mark.parametrize("kernel", ARRAYS)
def test_as_much_is_in_local_memory_as_in_machine_code(kernel: str) -> None:
    local, bits = outcome(kernel, "warpview")
    assert bits == BY_MACHINE_CODE[kernel][1]
    if kernel in NOT_FOUND_BY_NVRTC:
        assert local == 0 < BY_MACHINE_CODE[kernel][0]
    else:
        assert local == IN_MEMORY.get(kernel, BY_MACHINE_CODE[kernel][0])


@pytest.mark.sample(12)
@pytest.mark.parametrize("kernel", SHARED_BYTES)
def test_bytes_that_are_accessed_in_several_ways(kernel: str) -> None:
    assert outcome(kernel, "warpview") == (
        IN_MEMORY.get(kernel, BY_MACHINE_CODE[kernel][0]), BY_MACHINE_CODE[kernel][1]
    )  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("kernel", [*ARRAYS, *SHARED_BYTES])
def test_machine_code_has_what_is_recorded(kernel: str) -> None:
    assert outcome(kernel, "nvrtc") == tuple(BY_MACHINE_CODE[kernel])
