"""The registers of machine code are shown as what the instructions compute with: floats, doubles, integers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from warpview.isa.types import Type
from warpview.sass import nvrtc
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.session.engine import Engine
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_values_model import chosen_variable, strip
from warpview.ui.views.lanes.operands_model import Computation, computation

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


class Steps:
    """Hold what each instruction of a library kernel's machine code computed when it was first executed."""

    def __init__(self, kernel: str) -> None:
        engine = Engine()
        found = next(v for f in engine.families() for v in f.variants if v.key == kernel)
        setup = Setup(found.key, found.text, found.file_name, found.entry, "h200").with_preset(found.presets[0])
        self.run = engine.trace(replace(setup, by_nvidia=True), lambda *_: True)
        self.computed: list[tuple[FrameContext, Computation]] = []
        seen = set()
        for step in range(1, self.run.trace.steps + 1):
            frame = self.run.trace.frame(step)
            if frame.event.pc in seen:
                continue
            seen.add(frame.event.pc)
            context = FrameContext(self.run, frame, Snapshot(step, frame.event.block, frame.event.warp), False)
            made = computation(context)
            if made is not None:
                self.computed.append((context, made))

    def of(self, mnemonic: str) -> list[tuple[FrameContext, Computation]]:
        found = [pair for pair in self.computed if pair[1].text.split(" ")[0] == mnemonic]
        assert found
        return found


@pytest.fixture(scope="module")
def product() -> Steps:
    return Steps("matmul/tiled")


def test_a_multiply_add_is_one_of_floats_in_the_order_of_its_operands(product: Steps) -> None:
    distinct = 0
    for context, made in product.of("FFMA"):
        rows = {row.name: row for row in made.sources}
        a, b, c = (rows[name].values for name in made.text.removeprefix("FFMA ").split(", ")[1:])
        (result,) = made.results
        assert {row.type for row in (*made.sources, *made.results)} == {Type.F32}
        assert np.array_equal(result.values, a * b + c)
        shown = strip(context, chosen_variable(context.program, context.frame.event.pc, None))
        assert shown.type == Type.F32
        distinct += len(set(result.values.tolist())) > 4
    assert distinct


@pytest.mark.parametrize("mnemonic", ["LDG.E", "LDS", "STS", "STG.E"])
def test_what_is_loaded_and_stored_has_the_type_of_the_array(product: Steps, mnemonic: str) -> None:
    for _, made in product.of(mnemonic):
        address, *moved = (*made.sources, *made.results)
        assert address.type in (Type.U32, Type.U64)
        assert {row.type for row in moved} == {Type.F32}
        assert all(np.array_equal(row.values, np.round(row.values)) for row in moved)  # the input is of small integers


def test_an_address_is_a_pair_of_registers(product: Steps) -> None:
    context, made = product.of("IMAD.WIDE")[0]
    (result,) = made.results
    assert result.type == Type.S64
    assert ":" in result.name
    wide = np.unique(result.values)
    first = min(int(base) for base in context.launch.uniform64[:3])
    assert wide.min() >= first
    assert wide.max() < first + (1 << 20)
    assert not any(row.name.endswith(":R1") for row in made.sources)


def test_integers_stay_integers_and_unsigned_ones_unsigned() -> None:
    steps = Steps("reduction/interleaved")
    moved = [pair for pair in steps.computed if pair[0].frame.addresses is not None]
    assert len(moved) > 4
    for _, made in moved:
        assert not any(row.type.is_float for row in (*made.sources, *made.results))
    ((_, reciprocal),) = steps.of("MUFU.RCP")
    assert np.allclose(reciprocal.results[0].values * reciprocal.sources[0].values, 1.0)
    ((_, converted),) = steps.of("F2I.FTZ.U32.TRUNC.NTZ")
    assert (converted.sources[0].type, converted.results[0].type) == (Type.F32, Type.U32)
    (lowered, *_) = (made for _, made in steps.computed if made.text.startswith("IADD3") and "-U" in made.text)
    assert lowered.results[0].values.max() < 0


def test_a_value_that_is_only_moved_has_the_type_of_the_arrays() -> None:
    steps = Steps("transpose/tile_32")
    loads = [(pc, i) for pc, i in enumerate(steps.run.program.instructions) if i.native.text.startswith(("LDS", "LDG"))]
    assert len(loads) >= 4
    for step in range(1, steps.run.trace.steps + 1):
        event = steps.run.trace.event(step)
        if event.pc == loads[-1][0]:
            break
    frame = steps.run.trace.frame(step)
    context = FrameContext(steps.run, frame, Snapshot(step, event.block, event.warp))
    assert {chosen_variable(context.program, pc, None).type for pc, _ in loads} == {Type.F32}
    shown = strip(context, chosen_variable(context.program, event.pc, None))
    at = frame.addresses
    (tile,) = (view for view in frame.shared if view.block == event.block)
    assert np.array_equal(shown.values, tile.data.view(np.float32)[at.address // 4])
    assert len(set(shown.texts)) == 32
